// is_injective(L): true if no place holds two elements.
//
//     is_injective(S[(2,2):(2,1)])        true
//     is_injective(S[2:1] + R[2:1])       false: place 1 holds elements 0 and 1
//
// Axis by axis: no digit difference d != 0 may equal a difference of replicas.
// Source: the definition, replicas included. Definition: docs/algebra.md, D9.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/map/step_limit.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Digit differences on one axis, by |stride| descending.
struct difference_search {
  struct digit {
    integer most = 0;  // largest |difference|
    integer stride = 0;
    bool of_d = false;
  };
  list<digit, capacity::shards + capacity::replicas> digits;
  step_limit* steps = nullptr;

  AXE_FN constexpr void add(iter const& i, bool of_d) {
    if (i.extent == 1 || i.stride == 0) return;
    int at = 0;
    while (at < digits.size() && digits[at].stride >= magnitude(i.stride)) ++at;
    digits.insert(at, {i.extent - 1, magnitude(i.stride), of_d});
  }

  /// True if a difference with some d != 0 sums to zero. False also at the step limit.
  AXE_FN constexpr bool collides(int k, integer sum, bool some_d) {
    if (k == digits.size()) return sum == 0 && some_d;
    if (!steps->take()) return false;
    integer rest = 0;
    for (int i = k + 1; i < digits.size(); ++i) rest += digits[i].most * digits[i].stride;
    digit const here = digits[k];
    // Later digits can add [-rest, rest].
    integer const low = larger(-here.most, ceil_divide(-rest - sum, here.stride));
    integer const high = smaller(here.most, floor_divide(rest - sum, here.stride));
    for (integer c = low; c <= high && steps->taken <= steps->allowed; ++c)
      if (collides(k + 1, sum + c * here.stride, some_d || (here.of_d && c != 0))) return true;
    return false;
  }
};

}  // namespace detail

AXE_LAZY_FN constexpr outcome<bool> try_is_injective(layout const& l, step_limit steps = {}) {
  if (refusal const bad = check(l)) return bad;
  for (iter const& i : l.shards)
    if (i.extent > 1 && i.stride == 0) return false;
  for (axis a : axes_of(l)) {
    detail::difference_search search;
    search.steps = &steps;
    for (iter const& i : l.shards)
      if (i.on == a) search.add(i, true);
    for (iter const& i : l.replicas)
      if (i.on == a) search.add(i, false);
    bool const two = search.collides(0, 0, false);
    if (steps.taken > steps.allowed) return steps.refusal();
    if (two) return false;
  }
  return true;
}

AXE_LAZY_FN constexpr bool is_injective(layout const& l, step_limit steps = {}) {
  outcome<bool> const result = try_is_injective(l, steps);
  if (!result) detail::stop_on(result.why, "is_injective", {&l});
  return result.value;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
