// Tests the laws of laws.hpp at compile time, on layouts of every kind.
#include "laws/laws.hpp"

namespace {

using namespace axe_test;
using namespace axe::literals;

constexpr layout layouts[] = {
    "S[]"_axe,
    "S[(2,4):(4,1)] - 2"_axe,
    "S[6:0@lane]"_axe,
    "S[2:1] + R[2:1]"_axe,
    "S[2:2] + R[2:-1] + 1"_axe,
    "S[(2,3):(1@reg,-1@lane)] + 5@warp"_axe,
    "S[] + R[2:1] + R[4:3] + R[2:5]"_axe,
    "S[] + R[2:1] + R[3:3] + R[3:4]"_axe,
    "swizzle(0,2,1) o S[(4,2):(2,1)] - 3"_axe,
    "S[((),(4)):((),(1@TLane))]"_axe,
};

static_assert(!breaks(law::round_trips, layouts) && !breaks(law::canonical_is_idempotent, layouts));
static_assert(!breaks(law::canonical_keeps_the_map, layouts));
static_assert(!breaks(law::measures_bound_the_places, layouts));
static_assert(!breaks(law::grouping_keeps_the_map, layouts));
static_assert(!breaks(law::elements_invert_places, layouts));
static_assert(!breaks(law::owners_have_what_they_own, layouts));
static_assert(!breaks(law::injective_means_one_element_each, layouts));
static_assert(!breaks(law::one_axis_keeps_its_measures, layouts));
static_assert(!breaks_as_pair(law::order_equality_and_hash_agree, layouts));
static_assert(!breaks_as_pair(law::equivalent_agrees, layouts));

}  // namespace
