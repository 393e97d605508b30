// Compares the map with the oracle (tests/oracle) at compile time, on a few of the layouts of
// sweep_test.cpp. Each assertion takes few layouts, because clang limits a constant expression to
// 2^20 steps. The functions return null if the library agrees with the oracle.
#include "map/agree_owners.hpp"
#include "oracle/samples.hpp"

#include <axe/construct/literal.hpp>

namespace {

using namespace axe_test;
using namespace axe::literals;

constexpr char const* maps(unsigned long long seed, int count) {
  random_source d{seed};
  for (int i = 0; i < count; ++i)
    if (char const* wrong = map_disagreement(d.layout())) return wrong;
  return nullptr;
}

constexpr char const* coordinates(axe::layout const& l,
                                  std::vector<oracle::number> const& extents) {
  return coordinates_disagreement(l, oracle::table(to_oracle(l)), extents);
}

constexpr char const* owners(axe::layout const& l, std::vector<oracle::number> const& extents,
                             axe::place const& p) {
  return owners_disagreement(l, oracle::table(to_oracle(l)), extents, p);
}

constexpr char const* covers(axe::layout const& l,
                             std::array<oracle::number, oracle::axes> const& extents) {
  return coverage_disagreement(l, oracle::table(to_oracle(l)), extents);
}

constexpr axe::layout plain = "S[(2,3):(4,-1@lane)] + R[2:8] + 3"_axe;
constexpr axe::layout shared = "S[(4,2):(1,2)] + R[2:3@warp]"_axe;
constexpr axe::layout overlapping = "S[2:1] + R[2:2] + R[2:3] + R[2:5]"_axe;
constexpr axe::layout xored = "swizzle(M=1,B=2,S=1) o S[(4,2):(2,1)] - 3"_axe;

static_assert(maps(1, 6) == nullptr);
static_assert(maps(2, 6) == nullptr);
static_assert(maps(3, 6) == nullptr);
static_assert(maps(4, 6) == nullptr);
static_assert(map_disagreement(plain) == nullptr && map_disagreement(shared) == nullptr);
static_assert(map_disagreement(overlapping) == nullptr && map_disagreement(xored) == nullptr);

static_assert(coordinates(plain, {2, 3}) == nullptr && coordinates(plain, {3, 2}) == nullptr &&
              coordinates(plain, {6}) == nullptr);
static_assert(coordinates(xored, {2, 2, 2}) == nullptr && coordinates(xored, {1, 8}) == nullptr);

static_assert(owners(plain, {2, 3}, {{7, axe::axis::m}}) == nullptr);
static_assert(owners(plain, {3, 2}, {{-1, axe::axis::lane}}) == nullptr);
static_assert(owners(shared, {4, 2}, {{2, axe::axis::m}}) == nullptr);
static_assert(owners(shared, {8}, {{3, axe::axis::m}, {3, axe::axis::warp}}) == nullptr);
static_assert(owners(xored, {2, 4}, {{-2, axe::axis::m}}) == nullptr);

static_assert(covers(plain, {16, 0, 0}) == nullptr && covers(plain, {4, 1, 0}) == nullptr);
static_assert(covers(shared, {6, 0, 0}) == nullptr && covers(shared, {6, 0, 4}) == nullptr);
static_assert(covers(xored, {5, 0, 0}) == nullptr);

}  // namespace
