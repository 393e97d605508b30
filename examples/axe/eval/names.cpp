// The names that a session of `axe eval` defines: values, axes and compositions of axes.
#include "eval/names.hpp"

#include "text/nearest.hpp"
#include "text/sink.hpp"

#include <algorithm>

namespace calculator {

namespace {

// There is a limit because the library's reader searches the declared axes one by one.
constexpr std::size_t most_axes = 256;

constexpr std::string_view reserved_words[] = {
    "S", "R",    "swizzle", "swizzle_32B", "swizzle_64B", "swizzle_128B",
    "o", "true", "false",   "axis",        "null"};

}  // namespace

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

std::string names::suggestion(std::string_view unknown, bool functions_only) const {
  text::nearest meant(unknown);
  for (function const& f : functions()) meant.offer(f.name);
  if (!functions_only) {
    for (auto const& [name, held] : values) meant.offer(name);
    for (int i = 1; i < axe::detail::built_in_axes; ++i)
      meant.offer(axe::detail::built_in(static_cast<axe::axis>(i)).name);
    for (axe::axis a : declared) meant.offer(text::printed(a));
  }
  if (unknown.size() < 2 || unknown.find('.') != unknown.npos) return meant.question();
  for (function const& f : functions()) {  // a name after the dot, such as rank in linear.rank
    std::string_view const name = f.name;
    meant.offer(name.substr(name.find('.') + 1), name);
  }
  return meant.question();
}

}  // namespace calculator
