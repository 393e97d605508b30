// The table of all functions: add a family by its name here and in function.hpp.
#include "eval/function.hpp"

#include <algorithm>
#include <string_view>

namespace calculator {

std::vector<function> const& functions() {
  static std::vector<function> const table = [] {
    std::vector<function> all;
    for (auto const& family :
         {map_functions(), algebra_functions(), axis_functions(), dimension_functions(), tile_functions()})
      all.insert(all.end(), family.begin(), family.end());
    std::stable_sort(all.begin(), all.end(), [](function const& a, function const& b) {
      return std::string_view(a.name) < std::string_view(b.name);
    });
    return all;
  }();
  return table;
}

function_range functions_called(std::string_view name) {
  std::vector<function> const& all = functions();
  auto const first =
      std::lower_bound(all.begin(), all.end(), name,
                       [](function const& f, std::string_view n) { return std::string_view(f.name) < n; });
  auto last = first;
  while (last != all.end() && last->name == name) ++last;
  return {all.data() + (first - all.begin()), all.data() + (last - all.begin())};
}

}  // namespace calculator
