// Facts about conversions of fragments: whether they use shuffles or shared memory, and the layout
// of the elements there.
#include <axe/construct/literal.hpp>
#include <axe/cuda/permute.hpp>

#include "support/catch.hpp"

using namespace axe;
using namespace axe::literals;

namespace {

template <class T, layout From, layout To, integer... Extents>
using between = detail::fragment_conversion<fragment<T, carrier<From>, extents<Extents...>>,
                                            fragment<T, carrier<To>, extents<Extents...>>>;

// on_lanes_and_warps rewrites a partition on the threads of a block to lanes and warps. Registers
// are counted from the first register of the fragment.
static_assert(*detail::on_lanes_and_warps("S[(4,32):(32@tid,1@tid)]"_axe) ==
              "S[(4,32):(1@warp,1@lane)]"_axe);
static_assert(*detail::on_lanes_and_warps("S[(32,2):(1@lane,1@reg)] + 6@reg"_axe) ==
              "S[(32,2):(1@lane,1@reg)]"_axe);
static_assert(*detail::on_lanes_and_warps("S[(2,4,32):(1@wg,1@wid_in_wg,1@lane)]"_axe) ==
              "S[(8,32):(1@warp,1@lane)]"_axe);
static_assert(!detail::on_lanes_and_warps("S[(5,12):(12@tid,1@tid)]"_axe),
              "sixty threads are not warps");

// A conversion inside warps uses registers and shuffles. One between warps uses shared memory, in
// the layout that plan_convert chooses.
using rows_of_lanes =
    between<float, "S[(16,8):(1@lane,1@reg)]"_axe, "S[(8,2,8):(1@reg,8@lane,1@lane)]"_axe, 16, 8>;
static_assert(rows_of_lanes::within_warps);
using other_warps =
    between<float, "S[(4,32):(1@warp,1@lane)]"_axe, "S[(4,32):(1@tid,4@tid)]"_axe, 4, 32>;
static_assert(other_warps::has_plan && !other_warps::within_warps);
static_assert(other_warps::scratch_layout::value ==
              plan_convert("S[(4,32):(1@warp,1@lane)]"_axe,
                           *detail::on_lanes_and_warps("S[(4,32):(1@tid,4@tid)]"_axe), 32)
                  .shared.place);
// If plan_convert rejects the conversion, shared memory has the elements in the tile's order.
using sixty = between<float, "S[(5,12,3):(12@tid,1@tid,1@reg)]"_axe,
                      "S[(5,6,6):(6@tid,1@tid,1@reg)]"_axe, 5, 36>;
static_assert(!sixty::has_plan && !sixty::within_warps &&
              sixty::scratch_layout::value == "S[180:1]"_axe);

}  // namespace

TEST_CASE("a conversion to the same fragment moves nothing") {
  using same = between<float, "S[(32,4):(1@lane,1@reg)]"_axe, "S[(32,4):(1@tid,1@reg)]"_axe, 32, 4>;
  CHECK(same::within_warps);
  CHECK(same::planned::result.value.kind == conversion_kind::nothing);
}
