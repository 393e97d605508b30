// Tests thread tiles: for every thread and register of some fragments, the coordinates must be
// those that the layout maps to this thread and register. axe::elements gives the expected element
// of each pair without using the partition.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/cuda/for_each.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/comparison.hpp>
#include <axe/map/elements.hpp>
#include <axe/notation/print.hpp>

namespace {

using namespace axe;
using namespace axe::literals;

/// Compares sums that contain constants, with values at both ends of 32 bits and between them.
template <class A, class B> constexpr bool compares(A const& a, B const& b, integer x, integer y) {
  return (a < b) == (x < y) && (a <= b) == (x <= y) && (a > b) == (x > y) && (a >= b) == (x >= y);
}
template <integer C, integer D> constexpr bool compares_with() {
  for (unsigned const x : {0u, 1u, 7u, 0x7fff'fff0u, 0x8000'0000u, 0xffff'ff00u})
    for (unsigned const y : {0u, 1u, 8u, 0x7fff'fff0u, 0x8000'0001u, 0xffff'ff00u})
      if (!compares(any(x) + constant<C>{}, any(y) + constant<D>{}, x + C, y + D)) return false;
  return true;
}
/// A constant alone is compared without a clamp.
template <integer C> constexpr bool compares_alone() {
  for (unsigned const x : {0u, 6u, 7u, 8u, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ff00u})
    if (!compares(any(x), constant<C>{}, x, C) || !compares(constant<C>{}, any(x), C, x))
      return false;
  return true;
}
static_assert(compares_alone<0>() && compares_alone<7>() && compares_alone<0x8000'0000>() &&
              compares_alone<integer{1} << 32>());
static_assert(compares_with<0, 0>() && compares_with<1, 0>() && compares_with<0, 1>());
static_assert(compares_with<7, 0>() && compares_with<0, 7>() && compares_with<8, 7>());

/// The function that thread_tile calls with the coordinates of a thread. Keeps them.
struct collect {
  template <class... Sums> AXE_FN constexpr auto operator()(Sums const&... sums) const {
    return found<Sums...>{{sums()...}};
  }
  template <class... Sums> struct found {
    integer start[sizeof...(Sums)];
    template <integer... Steps> AXE_FN constexpr coordinate at() const {
      coordinate c;
      int d = 0;
      ((c.append(tree(start[d++] + Steps))), ...);
      return c;
    }
  };
};

/// True if the element at coordinate c is at this thread and register.
template <class P, class S> bool holds(place const& p, coordinate const& c) {
  for (element const& e : elements(P::value, S::value, p))
    if (e.at == c) return true;
  return false;
}

template <class P, class S, class Place>
void check_thread_tiles(integer threads, Place const& place_of_thread) {
  using owning = partition<P, S>;
  INFO(to_text(P::value).c_str());
  REQUIRE(owning::value.why.which == rule::none);
  integer held = 0;
  for (integer t = 0; t < threads; ++t) {
    auto const registers = thread_tile<P, S>(static_cast<unsigned>(t), collect{});
    for_each_register<owning::registers>([&](auto r) {
      constexpr int R = decltype(r)::value;
      place p = place_of_thread(t);
      p.add({R + P::value.offset(axis::reg), axis::reg});
      CHECK(holds<P, S>(p, registers.template at<R>()));
      ++held;
    });
  }
  CHECK(held == threads * owning::registers);
}

place lane_place(integer t) { return place(term{t, axis::lane}); }
place warp_lane_place(integer t) { return place{{t / 32, axis::warp}, {t % 32, axis::lane}}; }
place tid_place(integer t) { return place(term{t, axis::tid}); }

TEST_CASE("thread tiles of fragments of one warp have the coordinates of the layout") {
  check_thread_tiles<carrier<"S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe>, extents<8, 8>>(32,
                                                                                     lane_place);
  check_thread_tiles<carrier<"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>,
                     extents<16, 16>>(32, lane_place);
  check_thread_tiles<carrier<"S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe>, extents<16, 8>>(
      32, lane_place);
}

/// The sum of 100 * row + column over the elements in a lane's registers of a fragment.
constexpr unsigned sum_of_elements(unsigned lane) {
  fragment<unsigned, carrier<"S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe>, extents<8, 16>>
      registers{};
  unsigned sum = 0;
  for_each_register<registers.size>([&](auto r) {
    registers[r] =
        100 * registers.template coordinate<0>(r, lane) + registers.template coordinate<1>(r, lane);
  });
  for (unsigned const each : registers) sum += each;
  return sum;
}
static_assert(sum_of_elements(0) == 0 + 1 + 8 + 9);
static_assert(sum_of_elements(5) == 4 * 100 + 2 + 3 + 10 + 11, "row 1, columns 2, 3, 10 and 11");

TEST_CASE("thread tiles of a warpgroup and of threads by rows have the coordinates of the layout") {
  check_thread_tiles<carrier<"S[(4,2,8,16,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>,
                     extents<64, 128>>(128, warp_lane_place);
  check_thread_tiles<carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>, extents<32, 32>>(256,
                                                                                       tid_place);
}

TEST_CASE(
    "thread tiles with odd extents, replicas and offsets have the coordinates of the layout") {
  check_thread_tiles<carrier<"S[(7,3,5):(15@tid,5@tid,1@tid)]"_axe>, extents<7, 15>>(105,
                                                                                     tid_place);
  check_thread_tiles<carrier<"S[(7,3,5,6):(6@reg,5@tid,1@tid,1@reg)]"_axe>, extents<21, 30>>(
      15, tid_place);
  // Warps 4 and 5 hold replicas of each element.
  using replicated = carrier<"S[(8,4,2):(4@lane,1@lane,1@reg)] + R[2:1@warp] + 4@warp"_axe>;
  static_assert(partition<replicated, extents<8, 8>>::value.first_thread == 128 &&
                partition<replicated, extents<8, 8>>::threads == 64);
  for (unsigned t = 128; t < 192; ++t) {
    auto const registers = thread_tile<replicated, extents<8, 8>>(t, collect{});
    CHECK(holds<replicated, extents<8, 8>>(
        place{{t / 32, axis::warp}, {t % 32, axis::lane}, {1, axis::reg}}, registers.at<1>()));
  }
}

TEST_CASE("partitions in which the thread number does not determine the elements are rejected") {
  auto const sentence_of = [](layout const& l, shape const& s) {
    refusal const why = detail::partition_from(l, s).why;
    return std::string(sentence(why, {&l, nullptr, &s}).c_str());
  };
  CHECK(sentence_of("S[(4,8):(1@m,1@lane)]"_axe, {4, 8}) ==
        "S[(4,8):(1,1@lane)] names m, but a partition must lie on thread axes and reg only");
  CHECK(sentence_of("S[(4,8):(6@lane,1@lane)]"_axe, {4, 8}) ==
        "S[(4,8):(6@lane,1@lane)] has 8 threads or registers at stride 1 and 4 at stride 6 on "
        "lane, so these digits of the thread or register index overlap");
  CHECK(sentence_of("S[(4,8):(8@lane,-1@lane)] + 7@lane"_axe, {4, 8}) ==
        "S[(4,8):(8@lane,-1@lane)] + 7@lane has 8 threads or registers at stride -1 on lane, but "
        "the stride must not be negative");
  CHECK(sentence_of("S[(4,8):(1@cta_x,1@lane)]"_axe, {4, 8}).find("names") != std::string::npos);
  // Odd lanes hold no element, but a division by 2 would give them one.
  CHECK(sentence_of("S[16:2@lane]"_axe, {16}) ==
        "S[16:2@lane] leaves the numbers 1 to 2 (exclusive) on lane without elements; replace "
        "the stride 2 by 1, or add a replica that fills them");
  CHECK(sentence_of("S[16:2@lane] + R[2:1@lane]"_axe, {16}).empty());
  CHECK(sentence_of("S[(4,4):(8@reg,1@lane)]"_axe, {4, 4})
            .find("numbers 1 to 8 (exclusive) on reg") != std::string::npos);
}

}  // namespace
