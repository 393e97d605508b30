// Tries every swizzle, pitch and matrix of small families on warps that analysis/warp.hpp simulates
// lane by lane. The searches of the library must find the smallest number of conflicts, and may say
// that no layout is free of conflicts only if that is true.
#include "analysis/warp.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/map/measures.hpp>
#include <axe/synthesis.hpp>

#include <random>

namespace {

using axe::integer;
using warp::number;

using random_source = axe_test::dice<int, std::mt19937>;

warp::memory to_warp(axe::layout const& l) {
  warp::memory out;
  for (axe::iter const& i : l.shards) out.d.push_back({i.extent, i.stride});
  for (axe::iter const& i : l.replicas) out.r.push_back({i.extent, i.stride});
  out.offset = l.offset(axe::axis::m);
  return out;
}

std::vector<warp::instruction> instructions_of(axe::access_pattern const& a) {
  warp::memory const pattern = to_warp(a.elements);
  number const size = warp::size(pattern.d);
  return warp::instructions([&](number i) { return warp::address(pattern, i, 0); }, size, a.values,
                            a.lanes, a.sweep == 0 ? size / a.values : a.sweep);
}

/// The largest number of conflicts of the accesses, or 0 if a vector is not contiguous or aligned.
number worst(warp::memory const& l, axe::access_list const& all) {
  number figure = 1;
  for (axe::access_pattern const& a : all) {
    warp::counts const c = warp::simulate(l, instructions_of(a), a.bits);
    if (!c.legal) return 0;
    figure = std::max(figure, c.conflicts);
  }
  return figure;
}

/// Makes a random access to 2^n elements. It permutes the bits of their numbers, except the lowest
/// bits, which count the elements of a vector.
axe::access_pattern random_bits(random_source& d, int n, int bits, int value_bits) {
  std::vector<int> order;
  for (int b = value_bits; b < n; ++b) order.push_back(b);
  std::shuffle(order.begin(), order.end(), d.engine);
  axe::access_pattern a;
  a.bits = bits;
  a.values = 1 << value_bits;
  for (int b : order) a.elements.shards.push({2, integer{1} << b, axe::axis::m});
  if (value_bits > 0) a.elements.shards.push({a.values, 1, axe::axis::m});
  return a;
}

/// The smallest `worst` over all swizzles on this number of address bits.
number least_of_swizzles(axe::layout const& l, axe::access_list const& all, int address_bits) {
  number least = worst(to_warp(l), all);
  for (int M = 0; M < address_bits; ++M)
    for (int B = 1; M + B < address_bits; ++B)
      for (int S = 1; M + B + S <= address_bits; ++S)
        for (int sign : {1, -1}) {
          warp::memory m = to_warp(l);
          m.f = {M, B, sign * S};
          number const here = worst(m, all);
          if (here != 0 && (least == 0 || here < least)) least = here;
        }
  return least;
}

}  // namespace

TEST_CASE("conflict_free_swizzle finds the best swizzle of random tiles") {
  random_source d(1);
  int cured = 0, incurable = 0;
  for (int n = 0; n < axe_test::drawn(60); ++n) {
    // Rows and pitches that are not powers of two occur too. For these the library counts
    // conflicts instead of computing ranks.
    int const bits = 8 << d.between(0, 4),
              vector = 1 << d.between(0, 4 - std::max(0, d.between(0, 4)));
    int const values = std::min(vector, 128 / bits);
    int const rows = d.between(0, 2) == 0 ? d.between(2, 12) : 1 << d.between(1, 4),
              pieces = d.between(0, 2) == 0 ? d.between(1, 6) : 1 << d.between(0, 3);
    axe::shape const s{rows, pieces * values};
    axe::layout l;
    l.shards.push({rows, pieces * values + (d.between(0, 3) == 0 ? values : 0), axe::axis::m});
    l.shards.push({pieces * values, 1, axe::axis::m});
    axe::access_list all;
    all.push(axe::access_on({bits, values, 1, true, false}, s));
    if (d.between(0, 1) == 0) all.push(axe::access_on({bits, values, 1, false, false}, s));
    if (d.between(0, 2) == 0)
      all.push(
          axe::access_on({bits, 1 << d.between(0, 2) > values ? values : 1, 1, true, false}, s));
    INFO("case " << n << ": " << axe::to_text(l).c_str() << " of " << bits << " bits, vectors of "
                 << values);
    axe::outcome<axe::found_swizzle> const found =
        axe::try_conflict_free_swizzle(l, s, all, axe::step_limit(100'000'000));
    REQUIRE(found);
    int address_bits = 0;
    while ((number{1} << address_bits) < axe::cosize(l)) ++address_bits;
    CHECK(found->conflicts == least_of_swizzles(l, all, address_bits));
    warp::memory m = to_warp(l);
    m.f = {found->swizzle.M, found->swizzle.B, found->swizzle.S};
    CHECK(found->conflicts == worst(m, all));
    (*found ? cured : incurable) += worst(to_warp(l), all) > 1 ? 1 : 0;
  }
  CHECK(cured > axe_test::drawn(8));
  CHECK(incurable >= axe_test::drawn(5));
}

TEST_CASE("conflict_free_pitch finds the smallest of the best pitches") {
  random_source d(2);
  for (int n = 0; n < axe_test::drawn(40); ++n) {
    int const bits = 16 << d.between(0, 3), values = std::min(1 << d.between(0, 2), 128 / bits);
    axe::shape const s{d.between(2, 20), d.between(1, 8) * values};
    axe::access_list all;
    all.push(axe::access_on({bits, values, 1, true, false}, s));
    if (d.between(0, 1) == 0) all.push(axe::access_on({bits, 1, 1, true, false}, s));
    if (d.between(0, 1) == 0) all.push(axe::access_on({bits, values, 1, false, false}, s));
    axe::outcome<axe::found_pitch> const found =
        axe::try_conflict_free_pitch(s, all, axe::step_limit(100'000'000));
    REQUIRE(found);
    number best = 0, where = 0;
    axe::layout l = found->padded;
    integer const columns = l.shards.back().extent;
    for (number p = columns; p <= columns + 1024 / bits; ++p) {
      l.shards[0].stride = p;
      number const here = worst(to_warp(l), all);
      if (here == 0 || (best != 0 && here >= best)) continue;
      best = here;
      where = p;
    }
    CHECK(found->conflicts == best);
    CHECK(found->pitch == where);
  }
}

namespace {

/// The addresses that one phase of an access reads. 2^unit elements are a unit: a vector, or a
/// 32-bit word if that is larger.
struct one_phase {
  std::vector<number> addresses;
  int unit = 0;
};

/// The smallest number of conflicts over all matrices. Each of the `banks` bits of a bank number is
/// some XOR of the address bits from bit t on. One phase of each access is enough: in the others,
/// the banks differ by a constant XOR.
number least_of_matrices(std::vector<one_phase> const& phases, int bits_from_t, int t, int banks) {
  number least = 32;
  for (number code = 0; code < number{1} << (bits_from_t * banks); ++code) {
    number figure = 1;
    for (one_phase const& phase : phases) {
      std::map<number, std::set<number>> units_of_bank;
      for (number a : phase.addresses) {
        number bank = (a >> phase.unit) & ((1 << (t - phase.unit)) - 1);
        for (int r = 0; r < banks; ++r) {
          number const row = (code >> (r * bits_from_t)) & ((number{1} << bits_from_t) - 1);
          number parity = 0;
          for (number both = row & (a >> t); both != 0; both &= both - 1) parity ^= 1;
          bank |= parity << (t - phase.unit + r);
        }
        units_of_bank[bank].insert(a >> phase.unit);
      }
      for (auto const& [bank, units] : units_of_bank)
        figure = std::max(figure, static_cast<number>(units.size()));
      if (figure >= least) break;
    }
    least = std::min(least, figure);
    if (least == 1) break;
  }
  return least;
}

}  // namespace

TEST_CASE("conflict_free_matrix finds the best matrix, for one to four accesses") {
  random_source d(3);
  int free_of_conflicts = 0, impossible = 0, more_than_swizzles = 0;
  for (int n = 0; n < axe_test::drawn(40); ++n) {
    // With units of 16 bytes a bank has three bits, and at most five address bits are above it.
    bool const wide = d.between(0, 1) == 0;
    int const bits = wide ? 128 : 32, t = wide ? 0 : 2, address_bits = t + 5,
              size = 1 << address_bits;
    axe::layout l;
    l.shards.push({size, 1, axe::axis::m});
    axe::access_list all;
    std::vector<one_phase> phases;
    int const accesses = d.between(1, 4);
    for (int i = 0; i < accesses; ++i) {
      all.push(random_bits(d, address_bits, bits, wide || i == 0 || d.between(0, 1) == 0 ? t : 0));
      bool const whole = all.back().values * bits == 128;
      phases.push_back({{}, whole ? t : 0});
      warp::instruction const first = instructions_of(all.back()).front();
      for (auto const& lane : first.lanes)
        if (phases.back().addresses.size() < (whole ? 8u : 32u))
          phases.back().addresses.push_back(lane[0]);
    }
    INFO("case " << n);
    axe::outcome<axe::found_matrix> const found =
        axe::try_conflict_free_matrix(l, axe::shape(size), all, axe::step_limit(100'000'000));
    REQUIRE(found);
    CHECK(axe::rank(found->matrix) == found->matrix.columns);
    warp::memory m = to_warp(l);
    m.then = [&](number a) {
      return static_cast<number>(found->matrix(static_cast<axe::bit_word>(a)));
    };
    CHECK(worst(m, all) == found->conflicts);
    CHECK(found->conflicts == least_of_matrices(phases, 5, t, 3));
    (*found ? free_of_conflicts : impossible) += 1;
    axe::outcome<axe::found_swizzle> const simple =
        axe::try_conflict_free_swizzle(l, axe::shape(size), all, axe::step_limit(100'000'000));
    REQUIRE(simple);
    CHECK(found->conflicts <= simple->conflicts);
    more_than_swizzles += found->conflicts < simple->conflicts ? 1 : 0;
  }
  CHECK(free_of_conflicts > axe_test::drawn(15));
  CHECK((impossible > 0 || axe_test::drawn(40) < 40));
  CHECK(more_than_swizzles >= axe_test::drawn(6));
}
