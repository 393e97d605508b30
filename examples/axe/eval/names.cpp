// Names of a session, and the nearest one to a misspelt one (edit distance).
#include "eval/names.hpp"

#include "text/sink.hpp"

#include <algorithm>
#include <numeric>

namespace calculator {

namespace {

// The library's reader looks through the declared axes one by one.
constexpr std::size_t most_axes = 256;
constexpr std::size_t most_characters_quoted = 40;

constexpr std::string_view reserved_words[] = {
    "S", "R",    "swizzle", "swizzle_32B", "swizzle_64B", "swizzle_128B",
    "o", "true", "false",   "axis",        "null"};

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] =
          std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

struct nearest_so_far {
  std::string_view wanted;
  std::size_t best;
  std::string name;

  explicit nearest_so_far(std::string_view unknown)
      : wanted(unknown), best(unknown.size() / 3 + 2) {}

  void offer(std::string_view known) {
    std::size_t const longer = std::max(known.size(), wanted.size());
    std::size_t const shorter = std::min(known.size(), wanted.size());
    if (longer - shorter >= best) return;
    std::size_t const away = distance(wanted, known);
    if (away >= best || away >= longer) return;
    best = away;
    name = known;
  }
};

}  // namespace

std::string quoted(std::string_view name) {
  if (name.size() <= most_characters_quoted) return std::string(name);
  return std::string(name.substr(0, most_characters_quoted)) + "...";
}

value const* names::find(std::string_view name) const {
  auto const found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

std::optional<axe::axis> names::find_axis(std::string_view name) const {
  axe::reader in{name.data(), static_cast<int>(name.size()), 0, axes()};
  axe::axis a{};
  if (!in.read_axis(a) || in.position != in.length) return {};
  return a;
}

std::vector<axe::axis> names::linear_axes() {
  std::vector<axe::axis> axes{axe::axes::replica};
  for (int d = 0; d < axe::capacity::axes; ++d) axes.push_back(axe::dimension_axis(d));
  return axes;
}

bool names::declare(axe::axis a) {
  if (std::find(declared.begin(), declared.end(), a) != declared.end()) return true;
  if (declared.size() == most_axes + linear_axes().size()) return false;
  declared.push_back(a);
  return true;
}

axe::axis_composition const* names::composition_of(axe::axis whole) const {
  for (axe::axis_composition const& known : composed)
    if (known.whole == whole) return &known;
  return nullptr;
}

void names::compose(axe::axis_composition const& c) {
  for (axe::axis_composition& known : composed)
    if (known.whole == c.whole) {
      known = c;
      return;
    }
  composed.push_back(c);
}

std::string names::reserved(std::string_view name) {
  if (std::find(std::begin(reserved_words), std::end(reserved_words), name) !=
      std::end(reserved_words))
    return std::string(name) + " is a word of the notation";
  if (!functions_called(name).empty()) return std::string(name) + " is a function";
  return {};
}

std::string names::nearest(std::string_view unknown, bool functions_only) const {
  if (unknown.size() > most_characters_quoted) return {};
  nearest_so_far search(unknown);
  for (function const& f : functions()) search.offer(f.name);
  if (functions_only) return search.name;
  for (auto const& [name, held] : values) search.offer(name);
  for (int i = 1; i < axe::detail::built_in_axes; ++i)
    search.offer(axe::detail::built_in_name(static_cast<axe::axis>(i)).ours);
  for (axe::axis a : declared) search.offer(text::printed(a));
  return search.name;
}

}  // namespace calculator
