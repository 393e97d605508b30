// Explains the functions of CuTe's layouts that return a number or a coordinate: states where up to
// three elements are, and whether the answer agrees.
//
//     cute.cosize((4,2):(1,8))      element 7, coordinate (3,1), is at 11
#include "explain/correspondence.hpp"
#include "explain/explain.hpp"

#include "text/sink.hpp"

#include <axe/cute.hpp>

namespace explain {

std::vector<statement> of_cute_numbers(calculator::recorded_call const& call) {
  namespace cute = axe::cute;
  arguments const given{call};
  if (!given.name().starts_with("cute.")) return {};
  std::string_view const name = given.name().substr(5);
  if (name != "size" && name != "cosize" && name != "at" && name != "coordinate" &&
      name != "max_common_vector")
    return {};
  cute::layout const l = given.cute(0);
  std::vector<statement> out;
  integer const* answer = std::get_if<integer>(&given.call.result);
  auto const add = [&](integer i, bool holds) {
    axe::outcome<cute::int_tuple> const c = cute::try_coordinate_of(l, i);
    if (c)
      out.push_back({"element " + std::to_string(i) + ", coordinate " + text::printed(*c) +
                         ", is at " + std::to_string(cute::at(l, i)),
                     holds});
  };
  if (name == "size" || name == "cosize") {
    for (integer const i : three_of(cute::detail::size_of(l)))
      add(i, name == "size" ? i < *answer : cute::at(l, i) < *answer);
  } else if (name == "at") {
    axe::outcome<integer> const i = cute::try_index_of(l, given.get<cute::int_tuple>(1));
    if (i) add(*i, cute::at(l, *i) == *answer);
  } else if (name == "coordinate") {
    add(given.get<integer>(1), true);
  } else {
    cute::layout const b = given.cute(1);
    cute::layout const common = cute::max_common_layout(l, b);
    for (integer const i : three_of(*answer)) {
      integer const x = cute::at(common, i);
      integer const in_a = cute::at(l, x) - cute::at(l, 0), in_b = cute::at(b, x) - cute::at(b, 0);
      out.push_back({"element " + std::to_string(x) + " is " + std::to_string(in_a) +
                         " further than the first in A and " + std::to_string(in_b) + " in B",
                     in_a == i && in_b == i});
    }
  }
  return out;
}

}  // namespace explain
