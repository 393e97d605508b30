// Appendix A of the Axe paper, canonical forms. Each lemma is tested exhaustively up to the bounds
// that its test states, or refuted by a counterexample. The oracle (tests/oracle) decides what is
// true. Canonical forms are also compared with those of the library. paper_test.cpp lists all
// claims.
//
// Digit i of element x has extent e_i and stride s_i on axis a_i. phi_i = x / p_i, rounded down.
#include "oracle/convert.hpp"
#include "oracle/samples.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/axe.hpp>

#include <map>

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

using oracle::number;
using digits = std::vector<oracle::digit>;
using places_of_elements = std::vector<oracle::place>;

std::string words(layout const& l) { return to_text(l).c_str(); }

bool fuses(oracle::digit const& slow, oracle::digit const& fast) {
  return slow.on == fast.on && slow.stride == fast.extent * fast.stride;
}

/// Every list of `length` digits with extents 1 to 4 and strides -3 to 8 except 0, on m, or on m
/// and lane if `axes` is 2.
template <class Visit> void every_list(int length, int axes, Visit visit) {
  for_each_list(length, digit_count(axes), [&](std::vector<int> const& picked) {
    digits d;
    for (int n : picked) d.push_back(to_oracle(numbered_digit(n)));
    if (std::all_of(d.begin(), d.end(), [](oracle::digit const& one) { return one.stride != 0; }))
      visit(d);
    return true;
  });
}

/// Every list that is normalized in the paper's sense (its rules D0 and D1 leave it unchanged), up
/// to 3 digits on one axis and 2 on two.
template <class Visit> void every_normalized(Visit visit) {
  auto const look = [&](digits const& d) {
    for (std::size_t i = 0; i < d.size(); ++i)
      if (d[i].extent == 1 || (i > 0 && fuses(d[i - 1], d[i]))) return;
    visit(d);
  };
  for (int length = 0; length <= 3; ++length) every_list(length, 1, look);
  for (int length = 1; length <= 2; ++length) every_list(length, 2, look);
}

/// p_i: the distance in elements between neighbouring values of digit i.
std::vector<number> levels_of(digits const& d) {
  std::vector<number> p(d.size(), 1);
  for (std::size_t i = d.size(); i-- > 1;) p[i - 1] = p[i] * d[i].extent;
  return p;
}

/// c_i = s_i@a_i - e_{i+1}*s_{i+1}@a_{i+1}, the coefficient of digit i.
std::vector<oracle::place> coefficients_of(digits const& d) {
  std::vector<oracle::place> c(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) {
    c[i][static_cast<std::size_t>(d[i].on)] += d[i].stride;
    if (i > 0) c[i - 1][static_cast<std::size_t>(d[i].on)] -= d[i].extent * d[i].stride;
  }
  return c;
}

void add(oracle::place& to, number n, oracle::place const& p) {
  for (std::size_t a = 0; a < to.size(); ++a) to[a] += n * p[a];
}

number moebius(number n) {
  number sign = 1;
  for (number prime = 2; prime <= n; ++prime) {
    if (n % prime != 0) continue;
    n /= prime;
    sign = -sign;
    if (n % prime == 0) return 0;
  }
  return sign;
}

/// C(d) = the sum over all m that divide d of mu(d / m) * (f(m) - f(m - 1)), for each divisor d of
/// the size with d < size.
std::map<number, oracle::place> isolated(places_of_elements const& f) {
  auto const size = static_cast<number>(f.size());
  std::map<number, oracle::place> c;
  for (number d = 1; d < size; ++d) {
    if (size % d != 0) continue;
    for (number m = 1; m <= d; ++m) {
      if (d % m != 0) continue;
      add(c[d], moebius(d / m), f[static_cast<std::size_t>(m)]);
      add(c[d], -moebius(d / m), f[static_cast<std::size_t>(m - 1)]);
    }
  }
  return c;
}

/// The levels of A.7: the divisors d with C(d) != 0, largest first.
std::vector<number> levels_from(places_of_elements const& f) {
  std::vector<number> p;
  for (auto const& [d, c] : isolated(f))
    if (c != oracle::place{}) p.insert(p.begin(), d);
  return p;
}

/// The reconstruction of A.8: the digits from the map alone. It finds the fastest digit first.
digits recovered(places_of_elements const& f) {
  std::map<number, oracle::place> const c = isolated(f);
  std::vector<number> const p = levels_from(f);
  digits d(p.size());
  for (std::size_t i = p.size(); i-- > 0;) {
    oracle::place step = c.at(p[i]);
    if (i + 1 < p.size())
      step[static_cast<std::size_t>(d[i + 1].on)] += d[i + 1].extent * d[i + 1].stride;
    d[i].extent = (i == 0 ? static_cast<number>(f.size()) : p[i - 1]) / p[i];
    for (std::size_t a = 0; a < step.size(); ++a)
      if (step[a] != 0) d[i].stride = step[a], d[i].on = static_cast<int>(a);
  }
  return d;
}

bool same(digits const& a, digits const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](oracle::digit const& one, oracle::digit const& other) {
                      return one.extent == other.extent && one.stride == other.stride &&
                             one.on == other.on;
                    });
}

/// Applies the paper's rules D0 (drop extent 1) and D1 (fuse) at random positions until neither
/// applies.
digits rewritten(digits d, random_source& random) {
  for (;;) {
    std::vector<std::size_t> at;
    for (std::size_t k = 0; k < d.size(); ++k)
      if (d[k].extent == 1 || (k > 0 && fuses(d[k - 1], d[k]))) at.push_back(k);
    if (at.empty()) return d;
    std::size_t const k =
        at[static_cast<std::size_t>(random.between(0, static_cast<int>(at.size()) - 1))];
    if (d[k].extent != 1) d[k - 1] = {d[k - 1].extent * d[k].extent, d[k].stride, d[k].on};
    d.erase(d.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

}  // namespace

TEST_CASE(
    "A.1: D0 and D1 reach one form in any order: all lists of 3 digits on one axis, 2 on two") {
  random_source random{1};
  long looked = 0;
  auto const look = [&](digits const& d) {
    ++looked;
    if (!(of_digits(rewritten(d, random)) == canonicalize(of_digits(d)))) FAIL(words(of_digits(d)));
  };
  every_list(3, 1, look);
  every_list(2, 2, look);
  CHECK(looked == 44 * 44 * 44 + 88 * 88);
}

TEST_CASE("A.1 fails for the rules of replicas, C0 to C2: they reach different forms") {
  // In (3:2)(2:3)(2:6) the replica with stride 6 is absorbed by that with stride 2 (k = 3 <= 3) or
  // by that with stride 3 (k = 2 <= 2). Neither result absorbs further. The guard of A.1, k < e,
  // allows neither absorption. But even with that guard (4:2)(3:3)(2:6) reaches two forms.
  CHECK(equivalent("S[] + R[6:2] + R[2:3]"_axe, "S[] + R[3:2] + R[4:3]"_axe));
  CHECK(canonicalize("S[] + R[6:2] + R[2:3]"_axe) == "S[] + R[6:2] + R[2:3]"_axe);
  CHECK(canonicalize("S[] + R[3:2] + R[4:3]"_axe) == "S[] + R[3:2] + R[4:3]"_axe);
  CHECK(equivalent("S[] + R[7:2] + R[3:3]"_axe, "S[] + R[4:2] + R[5:3]"_axe));
  CHECK_FALSE(canonicalize("S[] + R[7:2] + R[3:3]"_axe) ==
              canonicalize("S[] + R[4:2] + R[5:3]"_axe));
}

TEST_CASE("A.2: without the gap condition, one set may have two canonical lists") {
  CHECK(equivalent("S[] + R[2:1] + R[4:3] + R[2:5]"_axe, "S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
  CHECK_FALSE(canonicalize("S[] + R[2:1] + R[4:3] + R[2:5]"_axe) ==
              canonicalize("S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
}

TEST_CASE("A.2, A.14: maps and canonical forms with the gap condition are one to one") {
  // Layouts with at most one digit, of extent 2 or 3 and stride -2 to 4, an offset of 0 or 3, and
  // replicas of extents 2 to 4 and strides 1 to 5. There are up to 3 replicas on one axis, and up
  // to 2 on two axes.
  std::map<oracle::map_table, layout> known;
  long several = 0;
  axe_test::drawn_cases is_drawn;
  auto const look = [&](layout const& l) {
    if (!is_drawn()) return;
    layout const form = canonicalize(l);
    auto const [first, is_new] = known.try_emplace(oracle::table(to_oracle(l)), form);
    if (is_new || first->second == form) return;
    ++several;
    if (gap_ok(form) || gap_ok(first->second))
      FAIL(words(form) << " and " << words(first->second) << " are one map");
  };
  auto const within = [](int n, int extent, int least, int largest) {
    iter const i = numbered_digit(n);
    return i.extent > 1 && i.extent <= extent && i.stride >= least && i.stride <= largest &&
           i.stride != 0;
  };
  for (int axes : {1, 2})
    for (int replicas = 0; replicas <= 4 - axes; ++replicas)
      for_each_list(replicas + 1, digit_count(axes), [&](std::vector<int> const& picked) {
        if (picked[0] != 0 && !within(picked[0], 3, -2, 4)) return true;  // number 0: extent 1
        layout l = shards_of({picked[0]});
        for (auto n = picked.begin() + 1; n != picked.end(); ++n) {
          if (!within(*n, 4, 1, 5)) return true;
          l.replicas.push(numbered_digit(*n));
        }
        look(l);
        look(l + 3 * m);
        return true;
      });
  CHECK((known.size() > static_cast<std::size_t>(axe_test::drawn(10'000)) && several > 0));
}

TEST_CASE("A.3: a digit is phi_i - e_i * phi_{i-1}: all lists of up to 4 extents from 1 to 5") {
  auto const look = [](std::vector<number> const& extents) {
    digits d;
    for (number e : extents) d.push_back({e, 1, 0});
    std::vector<number> const p = levels_of(d);
    std::vector<std::vector<number>> const counted = oracle::coordinates(extents);
    for (std::size_t x = 0; x < counted.size(); ++x)
      for (std::size_t i = 0; i < d.size(); ++i) {
        number const phi = static_cast<number>(x) / p[i];
        number const above = i == 0 ? 0 : static_cast<number>(x) / p[i - 1];
        REQUIRE(counted[x][i] == phi - extents[i] * above);
      }
  };
  for (int length = 1; length <= 4; ++length)
    for_each_list(length, 5, [&](std::vector<int> const& picked) {
      std::vector<number> extents;
      for (int n : picked) extents.push_back(n + 1);
      look(extents);
      return true;
    });
}

TEST_CASE(
    "A.4, A.5: f(x) = sum of c_i * phi_i(x), and f moves by the sum of the c_i with p_i | x + 1") {
  long looked = 0;
  every_normalized([&](digits const& d) {
    places_of_elements const f = oracle::walk(d);
    std::vector<number> const p = levels_of(d);
    std::vector<oracle::place> const c = coefficients_of(d);
    for (std::size_t x = 0; x < f.size(); ++x) {
      oracle::place sum{};
      oracle::place next = f[x];
      for (std::size_t i = 0; i < d.size(); ++i) {
        add(sum, static_cast<number>(x) / p[i], c[i]);
        if (static_cast<number>(x + 1) % p[i] == 0) add(next, 1, c[i]);
      }
      if (sum != f[x]) FAIL("A.4: " << words(of_digits(d)));
      if (x + 1 < f.size() && next != f[x + 1]) FAIL("A.5: " << words(of_digits(d)));
    }
    ++looked;
  });
  CHECK(looked > 30'000);
}

TEST_CASE("A.6, A.7: Moebius inversion gives c_i at p_i and 0 elsewhere; this gives the levels") {
  every_normalized([&](digits const& d) {
    std::vector<number> const p = levels_of(d);
    std::vector<oracle::place> const c = coefficients_of(d);
    std::map<number, oracle::place> expected;
    for (std::size_t i = 0; i < d.size(); ++i) expected[p[i]] = c[i];
    places_of_elements const f = oracle::walk(d);
    for (auto const& [divisor, found] : isolated(f))
      if (found != expected[divisor]) FAIL("A.6: " << words(of_digits(d)) << " at " << divisor);
    if (levels_from(f) != p) FAIL("A.7: " << words(of_digits(d)));
  });
}

TEST_CASE("A.7 fails for strides of 0: of (2:1)(3:0) it finds level 3 but not level 1") {
  CHECK(levels_from(oracle::walk({{2, 1, 0}, {3, 0, 0}})) == std::vector<number>{3});
  CHECK(canonicalize("S[(2,3):(1,0)]"_axe) == "S[(2,3):(1,0)]"_axe);
}

TEST_CASE("A.8: a normalized list is recovered from its map alone, and canonicalize finds it") {
  axe_test::drawn_cases is_drawn;
  every_normalized([&](digits const& d) {
    if (is_drawn() && !same(recovered(oracle::walk(d)), d)) FAIL(words(of_digits(d)));
  });
  auto const look = [&](digits const& d) {
    if (is_drawn() && !(of_digits(recovered(oracle::walk(d))) == canonicalize(of_digits(d))))
      FAIL(words(of_digits(d)));
  };
  every_list(3, 1, look);
  every_list(2, 2, look);
}
