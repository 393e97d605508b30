// Compares the algebra with the oracle (tests/oracle) at compile time, on a few of the layouts of
// sweep_test.cpp. Each assertion takes few layouts, because clang limits a constant expression to
// 2^20 steps. The functions return null if the library agrees with the oracle.
#include "algebra/agree.hpp"
#include "oracle/samples.hpp"

#include <axe/construct/literal.hpp>

namespace {

using namespace axe_test;
using namespace axe::literals;

constexpr char const* singles(unsigned long long seed, int count) {
  random_source d{seed};
  for (int i = 0; i < count; ++i)
    if (char const* wrong = algebra_disagreement(d.layout())) return wrong;
  return nullptr;
}

constexpr char const* pair(axe::layout const& a, axe::layout const& b) {
  return equality_disagreement(a, b, oracle::table(to_oracle(a)), oracle::table(to_oracle(b)));
}

constexpr char const* pairs(unsigned long long seed, int count) {
  random_source d{seed};
  for (int i = 0; i < count; ++i) {
    axe::layout const a = d.layout();
    if (char const* wrong = pair(a, d.neighbour(a))) return wrong;
  }
  return nullptr;
}

constexpr char const* groups(axe::layout const& l, int rank) {
  oracle::map_table const map = oracle::table(to_oracle(l));
  for (auto const& extents : shapes_of(static_cast<oracle::number>(map.size()), rank))
    if (char const* wrong = group_disagreement(l, map, extents)) return wrong;
  return nullptr;
}

static_assert(singles(1, 6) == nullptr);
static_assert(singles(2, 6) == nullptr);
static_assert(singles(3, 6) == nullptr);
static_assert(singles(4, 6) == nullptr);
static_assert(algebra_disagreement("S[(2,2,3):(6,3,1)] + R[2:1] + R[2:3] - 4"_axe) == nullptr,
              "two of the three digits fuse, and no replica absorbs the other");
static_assert(algebra_disagreement("S[] + R[3:-2] + R[2:6] + R[2:1]"_axe) == nullptr,
              "a replica with a negative stride absorbs others");
static_assert(algebra_disagreement("swizzle(M=0,B=2,S=1) o S[(2,4):(8,1)] - 2"_axe) == nullptr);

static_assert(pairs(5, 6) == nullptr);
static_assert(pairs(6, 6) == nullptr);
static_assert(pair("S[(2,3):(3,1)]"_axe, "S[6:1]"_axe) == nullptr);
static_assert(pair("S[(2,3):(4,1)]"_axe, "S[6:1]"_axe) == nullptr);
static_assert(pair("S[2:1] + R[3:-1]"_axe, "S[2:1] + R[3:1] - 2"_axe) == nullptr);
static_assert(pair("swizzle(0,1,1) o S[4:1]"_axe, "S[4:1]"_axe) == nullptr);
static_assert(pair("swizzle(0,1,1) o S[2:1] + 2"_axe, "S[2:-1] + 3"_axe) == nullptr,
              "equal maps, one of them swizzled");

static_assert(groups("S[(2,6):(100,1)]"_axe, 2) == nullptr);
static_assert(groups("S[(4,3):(3,1@lane)]"_axe, 2) == nullptr);
static_assert(groups("S[(2,2,2):(4,0,1)]"_axe, 3) == nullptr);

}  // namespace
