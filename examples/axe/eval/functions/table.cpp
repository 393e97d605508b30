// The table of all functions. A new family of functions is added here and in function.hpp.
#include "eval/function.hpp"

#include <algorithm>
#include <string_view>

namespace calculator {

namespace {

bool by_name(function const& a, function const& b) { return std::string_view(a.name) < b.name; }

}  // namespace

std::vector<function> const& functions() {
  static std::vector<function> const table = [] {
    std::vector<function> all;
    for (auto const& family :
         {map_functions(), algebra_functions(), axis_functions(), dimension_functions(),
          tile_functions(), linear_functions(), cute_functions(), analysis_functions(),
          synthesis_functions(), conversion_functions(), mma_functions()})
      for (function const& f : family)
        all.insert(std::upper_bound(all.begin(), all.end(), f, by_name), f);
    return all;
  }();
  return table;
}

function_range functions_called(std::string_view name) {
  std::vector<function> const& all = functions();
  auto const first = std::lower_bound(
      all.begin(), all.end(), name,
      [](function const& f, std::string_view n) { return std::string_view(f.name) < n; });
  auto last = first;
  while (last != all.end() && last->name == name) ++last;
  return {all.data() + (first - all.begin()), all.data() + (last - all.begin())};
}

}  // namespace calculator
