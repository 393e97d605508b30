// Layouts as mdspan mappings: random layouts meet the requirements of mdspan or are rejected.
#include <axe/axe.hpp>

#include "bridge/mdspan_mapping.hpp"
#include "oracle/samples.hpp"
#include "support/catch.hpp"

using namespace axe::literals;
using axe_test::any_extents;
using axe_test::two_extents;

namespace {

using swizzled = axe::carrier<"swizzle(0,2,2) o S[(4,16):(16,1)]"_axe>;
using of_swizzled = axe::mdspan_layout<swizzled>::mapping<two_extents<4, 16>>;
using of_padded =
    axe::mdspan_layout<axe::carrier<"S[(4,5):(7,1)] + 2"_axe>>::mapping<two_extents<4, 5>>;
using of_reversed =
    axe::mdspan_layout<axe::carrier<"S[20:-1] + 19"_axe>>::mapping<two_extents<4, 5>>;

static_assert(sizeof(of_swizzled) == sizeof(two_extents<4, 16>));
static_assert(of_swizzled{}(1, 4) == 21 && of_swizzled{}(2, 5) == 36);
static_assert(of_swizzled{}.required_span_size() == 64);
static_assert(of_swizzled::is_always_unique() && of_swizzled::is_always_exhaustive() &&
              !of_swizzled::is_always_strided());
static_assert(of_padded::is_always_strided() && !of_padded::is_always_exhaustive());
static_assert(of_padded{}(1, 2) == 11 && of_padded{}.stride(0) == 7 && of_padded{}.stride(1) == 1);
static_assert(of_reversed::is_always_exhaustive() && of_reversed{}.stride(0) == -5);
// stride() returns the index type, which must not wrap a negative stride.
struct unsigned_extents : two_extents<4, 5> {
  using index_type = unsigned;
};
static_assert(!axe::mdspan_layout<axe::carrier<"S[20:-1] + 19"_axe>>::mapping<
              unsigned_extents>::is_always_strided());
static_assert(of_padded{} == of_padded{});
static_assert(!axe::mdspan_layout<axe::carrier<"S[(4,5):(6,1)]"_axe>>::mapping<
              two_extents<4, 5>>::is_always_exhaustive());
using of_boxes = axe::carrier<"swizzle(3,3,3) o S[(256,4,64):(64,16384,1)]"_axe>;
static_assert(axe::mdspan_layout<of_boxes>::mapping<two_extents<256, 256>>::is_always_exhaustive());
static_assert(axe::detail::try_address_layout("S[4:1] + R[2:4]"_axe, {4}).why.which ==
              axe::rule::address_of_replicas);
static_assert(axe::detail::try_address_layout("S[4:1] + R[2:0]"_axe, {4}));
/// A shape of `rank` dimensions, each of extent 1.
constexpr axe::shape ones(int rank) {
  axe::shape s;
  for (int r = 0; r < rank; ++r) s.append(axe::tree(1));
  return s;
}
// A mapping stores at most 24 strides.
static_assert(axe::detail::try_address_layout("S[1:1]"_axe, ones(24)));
static_assert(axe::detail::try_address_layout("S[1:1]"_axe, ones(25)).why ==
              axe::refusal{axe::rule::too_many_dimensions, {25}});

using at_run_time = axe::mdspan_layout<>::mapping<any_extents>;

/// A mapping with the members of std::layout_stride that from_mdspan reads.
struct strided_mapping {
  using extents_type = any_extents;
  using rank_type = unsigned;

  any_extents of;
  int steps[2];

  static constexpr bool is_always_strided() { return true; }
  constexpr any_extents extents() const { return of; }
  constexpr int stride(unsigned r) const { return steps[r]; }
};
static_assert(axe::from_mdspan(strided_mapping{{4, 8}, {1, 4}}) == "S[((4),(8)):((1),(4))]"_axe);
static_assert(axe::try_from_mdspan(strided_mapping{{0, 8}, {1, 4}}).why.which ==
              axe::rule::extent_below_one);

/// True if the mapping of a carrier has the addresses of its layout.
template <axe::layout L, int Rows, int Columns> constexpr bool has_the_addresses() {
  using policy = axe::mdspan_layout<decltype(axe::carry<L>())>;
  typename policy::template mapping<two_extents<Rows, Columns>> const m{};
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      if (m(i, j) != axe::places(L, {Rows, Columns}, {i, j}).first()[axe::axis::m]) return false;
  return true;
}
static_assert(has_the_addresses<"S[(2,3):(100,1)]"_axe, 3, 2>());
static_assert(has_the_addresses<"S[(2,3,4):(100,-1,7)] + 5"_axe, 6, 4>());
static_assert(has_the_addresses<"S[(2,3,4):(100,-1,7)] + 5"_axe, 4, 6>());
static_assert(has_the_addresses<"swizzle(1,2,-3) o S[(4,2,8):(16,100,1)] + 9"_axe, 8, 8>());
static_assert(has_the_addresses<"S[(4,4):(0,1)] + R[1:3]"_axe, 4, 4>());
static_assert(has_the_addresses<"S[24:1]"_axe, 1, 24>());
static_assert(has_the_addresses<"S[]"_axe, 1, 1>());

TEST_CASE("static mappings meet the requirements of std::mdspan") {
  CHECK(axe_test::keeps_the_requirements(of_swizzled{}));
  CHECK(axe_test::keeps_the_requirements(of_padded{}));
  CHECK(axe_test::keeps_the_requirements(of_reversed{}));
}

TEST_CASE("mappings of random layouts meet the requirements of std::mdspan") {
  axe_test::random_source d{22};
  int mapped = 0;
  for (int sample = 0; sample < 20'000; ++sample) {
    axe::layout const l = d.layout();
    axe::integer const size = axe::detail::product_of_extents(l.shards);
    axe::integer rows = d.between(1, 12);
    while (size % rows != 0) --rows;
    any_extents const e{static_cast<int>(rows), static_cast<int>(size / rows)};
    axe::shape const s{rows, size / rows};
    axe::outcome<axe::layout> const kept = axe::detail::try_address_layout(l, s);
    axe::outcome<axe::layout> const canonical = axe::try_canonicalize(l);
    bool const legal = canonical->replicas.empty() && axe::axes_of(*canonical).size() <= 1 &&
                       (axe::min)(l, axe::axis::m) >= 0 &&
                       axe::detail::axis_beside_memory(*canonical) == axe::axis::null;
    REQUIRE(static_cast<bool>(kept) == legal);
    if (!kept) continue;
    ++mapped;
    at_run_time const m(e, l);
    INFO(axe::to_text(l).c_str() << " on " << rows << " rows");
    for (int i = 0; i < e.rows; ++i)
      for (int j = 0; j < e.columns; ++j)
        REQUIRE(m(i, j) == axe::places(l, s, {i, j}).first()[axe::axis::m]);
    REQUIRE(axe_test::keeps_the_requirements(m));
  }
  CHECK(mapped > 2'000);
}

TEST_CASE("a layout without one address for each index is rejected") {
  auto const why = [](axe::layout const& l) {
    return axe::detail::try_address_layout(l, {2, 2}).why.which;
  };
  CHECK(why("S[4:1] + R[2:4]"_axe) == axe::rule::address_of_replicas);
  CHECK(why("S[4:1@lane]"_axe) == axe::rule::address_on_another_axis);
  CHECK(why("S[4:1] + 3@lane"_axe) == axe::rule::address_on_another_axis);
  CHECK(why("S[4:-1]"_axe) == axe::rule::least_place_is_negative);
  CHECK(why("S[8:1]"_axe) == axe::rule::shape_does_not_fit);
  CHECK_THROWS_AS(at_run_time(any_extents{2, 2}, "S[4:-1]"_axe), axe::refused);
  CHECK(at_run_time(any_extents{2, 2}, "S[(2,2):(2147483645,1)]"_axe).required_span_size() ==
        2147483647);
  CHECK_THROWS_AS(at_run_time(any_extents{2, 2}, "S[(2,2):(2147483646,1)]"_axe), axe::refused);
}

TEST_CASE("a mapping answers even if is_injective is undecided") {
  constexpr auto many_digits =
      "S[(3,2,2,3,2,2,3,2,2,3,2,2,3,2):(37498151,13137484,39610422,23244425,37567250,24246614,"
      "49475613,28364046,47293292,11149173,7555118,39681218,38125935,61275342)]"_axe;
  CHECK(axe::try_is_injective(many_digits).why.which == axe::rule::undecided);
  CHECK(at_run_time({1, 124416}, many_digits).is_unique());
}

TEST_CASE("a shape that does not group the layout is mapped") {
  at_run_time const m({3, 2}, "S[(2,3):(100,1)]"_axe);
  CHECK(m(0, 1) == 1);
  CHECK(m(1, 0) == 2);
  CHECK(m(1, 1) == 100);
  CHECK(axe_test::keeps_the_requirements(m));
}

}  // namespace
