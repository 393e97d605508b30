// Compares operations on random linear maps, and their refusals, with tables of all inputs.
#include "linear/agree.hpp"
#include "oracle/require.hpp"

#include <axe/linear/print_map.hpp>
#include <axe/linear/read_map.hpp>

namespace {

using namespace axe_test;
using namespace axe::axes;

constexpr axe::axis hardware[3]{reg, lane, warp};
constexpr axe::axis logical[3]{dim<0>, dim<1>, m};

int const rounds = samples / 20;

template <class Disagreement>
void require_agreement(linear_map const& a, Disagreement const& disagreement) {
  if (char const* const wrong = disagreement(a)) FAIL(axe::to_text(a).c_str() << ": " << wrong);
}
template <class Disagreement>
void require_agreement(linear_map const& a, linear_map const& b, Disagreement const& disagreement) {
  if (char const* const wrong = disagreement(a, b))
    FAIL(axe::to_text(a).c_str() << " and " << axe::to_text(b).c_str() << ": " << wrong);
}

axe::axis_list some(random_source& d, axe::axis const (&from)[3]) {
  axe::axis_list chosen;
  for (axe::axis a : from)
    if (d.between(0, 1) == 1) chosen.push(a);
  return chosen;
}

TEST_CASE("inverses, parts and printed forms of random maps are right") {
  random_source d = seeded("linear maps", 11, rounds);
  for (int i = 0; i < rounds; ++i) {
    linear_map const a = random_map(d, hardware, logical, 2);
    require_agreement(a, backward_disagreement);
    axe::axis_list const ins = some(d, hardware);
    axe::axis_list const outs = some(d, logical);
    require_agreement(a, [&](linear_map const& map) { return part_disagreement(map, ins, outs); });
    axe::outcome<linear_map> const again = axe::try_parse_linear(axe::to_text(a).c_str());
    if (!again || !(again.value == a)) FAIL(axe::to_text(a).c_str() << " does not read back");
  }
}

TEST_CASE("operations on random pairs of maps are right") {
  random_source d = seeded("pairs of linear maps", 12, rounds);
  for (int i = 0; i < rounds; ++i) {
    linear_map const a = random_map(d, hardware, logical, 2);
    linear_map const b = random_map(d, logical, hardware, 2);
    linear_map const c = random_map(d, hardware, logical, 2);
    require_agreement(a, b, compose_disagreement);
    require_agreement(b, a, compose_disagreement);
    require_agreement(a, c, invert_and_compose_disagreement);
    require_agreement(a, a, invert_and_compose_disagreement);
    require_agreement(a, c, equivalent_disagreement);
    require_agreement(a, with_first_axes_last(a), equivalent_disagreement);
    linear_map const small_a = random_map(d, hardware, logical, 1);
    linear_map const small_c = random_map(d, hardware, logical, 1);
    require_agreement(small_a, small_c, multiply_disagreement);
    require_agreement(a, small_c, [](linear_map const& w, linear_map const& f) {
      return divide_disagreement(w, f, true);
    });
    require_agreement(a, small_c, [](linear_map const& w, linear_map const& f) {
      return divide_disagreement(w, f, false);
    });
  }
}

TEST_CASE("random conversions and their quotients are right") {
  random_source d = seeded("conversions", 13, rounds);
  for (int i = 0; i < rounds; ++i) {
    quotient_arguments const c = random_quotient_arguments(d);
    require_agreement(c.map,
                      [&](linear_map const& map) { return quotient_disagreement(map, c.kept); });
  }
}

}  // namespace
