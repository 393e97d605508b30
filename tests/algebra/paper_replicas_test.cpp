// Appendices A.2.2 and A.2.3 of the Axe paper, sets of replicas. Their lemmas hold for saturated
// (canonical) lists with gaps, E_i * sigma_i < sigma_{i+1}. The test tries all such lists with up
// to three iters, extents 2 to 4 and strides up to 40. Counterexamples show that the lemmas need
// the gaps. The same lists test canonicalize. paper_test.cpp lists all claims of the paper.
#include "oracle/convert.hpp"
#include "oracle/samples.hpp"
#include "support/catch.hpp"

#include <axe/axe.hpp>

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

using oracle::number;
using numbers = std::vector<number>;

struct replica {
  number extent = 2;
  number stride = 1;
  bool operator==(replica const&) const = default;
};
using replica_digits = std::vector<replica>;

/// S_k: the sums of the replicas from number k on, one for each combination of their digits.
numbers sums(replica_digits const& r, std::size_t k = 0) {
  numbers out{0};
  for (; k < r.size(); ++k) {
    numbers longer;
    for (number at : out)
      for (number j = 0; j < r[k].extent; ++j) longer.push_back(at + j * r[k].stride);
    out = std::move(longer);
  }
  std::sort(out.begin(), out.end());
  return out;
}

numbers each_once(numbers set) {
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}
bool holds(numbers const& set, number n) { return std::binary_search(set.begin(), set.end(), n); }

/// LB_step(X): the members n of X for which n - step is not in X.
numbers lower_boundary(number step, numbers const& set) {
  numbers out;
  for (number n : set)
    if (!holds(set, n - step)) out.push_back(n);
  return out;
}

/// The recursion of A.12. The least positive number is the stride, the length of the run along it
/// is the extent, and the lower boundary of the set holds the remaining replicas.
replica_digits recovered(numbers set) {
  replica_digits out;
  while (set.size() > 1) {
    replica next{1, set[1]};
    while (holds(set, next.extent * next.stride)) ++next.extent;
    set = lower_boundary(next.stride, set);
    out.push_back(next);
  }
  return out;
}

layout of_replicas(replica_digits const& r, number sign = 1) {
  layout l;
  for (replica const& one : r) l.replicas.push({one.extent, sign * one.stride, axis::m});
  return l;
}

/// All lists with gaps that begin with `begun` and have up to `more` further replicas.
template <class Visit>
void every_gapped(replica_digits const& begun, int more, Visit const& visit) {
  visit(begun);
  if (more == 0) return;
  number const above = begun.empty() ? 0 : begun.back().extent * begun.back().stride;
  for (number stride = above + 1; stride <= 40; ++stride)
    for (number extent = 2; extent <= 4; ++extent) {
      replica_digits longer = begun;
      longer.push_back({extent, stride});
      every_gapped(longer, more - 1, visit);
    }
}
template <class Visit> void every_gapped(Visit visit) {
  long looked = 0;
  every_gapped({}, 3, [&](replica_digits const& r) {
    ++looked;
    if (char const* wrong = visit(r)) FAIL(to_text(of_replicas(r)).c_str() << ": " << wrong);
  });
  CHECK(looked > 10'000);
}

}  // namespace

TEST_CASE(
    "A.2.2: (E1:s)(E2:k*s) is one run exactly for k <= E1: extents 2 to 6, strides 1 to 3, k to "
    "12") {
  for (number e1 = 2; e1 <= 6; ++e1)
    for (number e2 = 2; e2 <= 6; ++e2)
      for (number s = 1; s <= 3; ++s)
        for (number k = 1; k <= 12; ++k) {
          replica_digits const two{{e1, s}, {e2, k * s}}, one{{e1 + k * (e2 - 1), s}};
          REQUIRE((each_once(sums(two)) == each_once(sums(one))) == (k <= e1));
          REQUIRE(equivalent(of_replicas(two), of_replicas(one)) == (k <= e1));
        }
}

TEST_CASE(
    "A.9, A.10: a stride exceeds all sums of the replicas before it; each sum has one choice of "
    "digits") {
  every_gapped([](replica_digits const& r) -> char const* {
    number below = 0;
    for (replica const& one : r) {
      if (below >= one.stride) return "A.9";
      below += (one.extent - 1) * one.stride;
    }
    numbers const all = sums(r);
    return each_once(all) == all ? nullptr : "A.10";
  });
}

TEST_CASE(
    "A.11: (i) a window is one replica, (ii) the sums are disjoint runs, (iii) the lower boundary "
    "has one replica less") {
  every_gapped([](replica_digits const& r) -> char const* {
    for (std::size_t k = 0; k < r.size(); ++k) {
      numbers const here = sums(r, k), deeper = sums(r, k + 1);
      numbers const run = sums({r[k]});
      numbers window = here;
      if (k + 1 < r.size())
        window.erase(std::lower_bound(window.begin(), window.end(), r[k + 1].stride), window.end());
      if (window != run) return "(i)";
      numbers unions;
      for (number from : deeper)
        for (number n : run) unions.push_back(from + n);
      std::sort(unions.begin(), unions.end());
      if (unions != here || each_once(unions) != unions) return "(ii)";
      if (lower_boundary(r[k].stride, here) != deeper) return "(iii)";
    }
    return nullptr;
  });
  // If E_i * sigma_i = sigma_{i+1} there is no gap: {0,1,2,3} has the lower boundary {0}, not
  // {0,2}.
  CHECK(lower_boundary(1, sums({{2, 1}, {2, 2}})) == numbers{0});
}

TEST_CASE("A.12: a saturated list with gaps is recovered from its set, and canonicalize finds it") {
  every_gapped([](replica_digits const& r) -> char const* {
    if (recovered(sums(r)) != r) return "recovered as another list";
    if (!gap_ok(of_replicas(r))) return "gap_ok";
    // Reversed order and negative strides describe the same set, counted from its largest member.
    layout reversed = of_replicas({r.rbegin(), r.rend()}, -1);
    if (!r.empty()) reversed = reversed + sums(r).back() * m;
    return canonicalize(reversed) == of_replicas(r) ? nullptr : "canonicalize";
  });
}

TEST_CASE(
    "A.12 fails without gaps: the recursion gives another set, and two lists may be one set") {
  for (replica_digits const& r :
       {replica_digits{{2, 2}, {2, 3}, {2, 7}}, replica_digits{{2, 2}, {2, 3}, {2, 5}}}) {
    CHECK(each_once(sums(recovered(each_once(sums(r))))) != each_once(sums(r)));
    CHECK_FALSE(gap_ok(of_replicas(r)));
  }
  // The weaker condition (E_i - 1) * sigma_i < sigma_{i+1} is not sufficient.
  replica_digits const one{{3, 1}, {2, 4}, {2, 5}, {3, 6}}, other{{3, 1}, {2, 4}, {2, 7}, {2, 10}};
  CHECK(each_once(sums(one)) == each_once(sums(other)));
  CHECK(equivalent(of_replicas(one), of_replicas(other)));
  CHECK_FALSE(gap_ok(of_replicas(one)));
}

TEST_CASE(
    "A.13: the least place under positive weights is D(x) + O, if replica strides are positive") {
  // One digit on m or lane, an offset, and two replicas of extents 2 and 3 and strides -3 to 4.
  auto const is_small = [](int n) {
    iter const i = numbered_digit(n);
    return (i.extent == 2 || i.extent == 3) && i.stride <= 4 && i.stride != 0;
  };
  long looked = 0;
  for_each_list(3, digit_count(2), [&](std::vector<int> const& picked) {
    if (!std::all_of(picked.begin(), picked.end(), is_small)) return true;
    layout l = shards_of({picked[0]}) + 7 * m;
    l.replicas.push(numbered_digit(picked[1]));
    l.replicas.push(numbered_digit(picked[2]));
    oracle::map_table const map = oracle::table(to_oracle(l));
    layout corner = canonicalize(l);
    corner.replicas.clear();
    oracle::map_table const least = oracle::table(to_oracle(corner));
    for (number on_lane : {1, 9})
      for (std::size_t x = 0; x < map.size(); ++x) {
        auto const weight = [&](oracle::place const& p) { return 2 * p[0] + on_lane * p[1]; };
        for (oracle::place const& p : map[x])
          if (p != least[x][0] && weight(p) <= weight(least[x][0])) FAIL(to_text(l).c_str());
        if (!std::binary_search(map[x].begin(), map[x].end(), least[x][0]))
          FAIL(to_text(l).c_str());
      }
    ++looked;
    return true;
  });
  CHECK(looked == 28 * 28 * 28);
}
