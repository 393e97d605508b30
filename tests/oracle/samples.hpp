// Small layouts for tests: all up to a bound, or random ones from a seed. shrink() simplifies a
// layout that fails.
//
//     for_each_list(2, digit_count(1), [](auto const& picked) { … })    48 * 48 lists on m
//     random_source d{seed};  axe::layout l = d.layout();               up to 3 digits, 2 replicas
//
// Numbers 0 to 47 are the digits of extents 1 to 4 and strides -3 to 8 on m, and 48 to 95 those on
// lane.
#pragma once

#include <axe/layout/layout.hpp>

#include <vector>

namespace axe_test {

constexpr int digit_count(int axes) { return 4 * 12 * axes; }

constexpr axe::iter numbered_digit(int n) {
  axe::integer const stride = n / 4 % 12 - 3;
  return {n % 4 + 1, stride, n >= 48 ? axe::axis::lane : axe::axis::m};
}

/// Calls `visit` with every list of `length` numbers below `count`, until `visit` returns false.
template <class Visit> constexpr void for_each_list(int length, int count, Visit visit) {
  std::vector<int> picked(static_cast<std::size_t>(length), 0);
  for (;;) {
    if (!visit(picked)) return;
    std::size_t k = picked.size();
    while (k > 0 && ++picked[k - 1] == count) picked[--k] = 0;
    if (k == 0) return;
  }
}

/// Calls `visit` with every list of up to `longest` numbers of digits on m, or on m and lane if
/// `axes` is 2.
template <class Visit> void for_each_short_list(int longest, int axes, Visit visit) {
  for (int length = 0; length <= longest; ++length)
    for_each_list(length, digit_count(axes),
                  [&](std::vector<int> const& picked) { return visit(picked), true; });
}

constexpr axe::layout shards_of(std::vector<int> const& picked) {
  axe::layout l;
  for (int n : picked) l.shards.push(numbered_digit(n));
  return l;
}

constexpr axe::layout replicas_of(std::vector<int> const& picked) {
  axe::layout l;
  for (int n : picked) l.replicas.push(numbered_digit(n));
  return l;
}

/// Numbers from a seed, the same on every machine (splitmix64).
struct random_source {
  unsigned long long state = 0;

  constexpr unsigned long long next() {
    state += 0x9e3779b97f4a7c15u;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number from `from` to `to`, both included.
  constexpr int between(int from, int to) {
    return from + static_cast<int>(next() % static_cast<unsigned long long>(to - from + 1));
  }

  constexpr axe::iter digit() { return numbered_digit(between(0, digit_count(2) - 1)); }

  /// Up to 3 digits and 2 replicas on m and lane, offsets on both and on warp, sometimes a swizzle.
  constexpr axe::layout layout() {
    axe::layout l;
    for (int n = between(0, 3); n > 0; --n) l.shards.push(digit());
    for (int n = between(0, 2); n > 0; --n) l.replicas.push(digit());
    if (between(0, 1) == 1) l.offsets.push({between(-5, 9), axe::axis::m});
    if (between(0, 2) == 0) l.offsets.push({between(-5, 9), axe::axis::lane});
    if (between(0, 9) == 0) l.offsets.push({between(-5, 9), axe::axis::warp});
    if (between(0, 7) == 0) make_swizzled(l);
    axe::detail::order_offsets(l);
    return l;
  }

  /// Adds a swizzle with M 0 to 1, B 1 to 3 and S -3 to 3 except 0, and moves everything to m.
  constexpr void make_swizzled(axe::layout& l) {
    l.swizzle = {between(0, 1), between(1, 3), between(1, 3) * (between(0, 1) == 1 ? 1 : -1)};
    for (axe::iter& i : l.shards) i.on = axe::axis::m;
    for (axe::iter& i : l.replicas) i.on = axe::axis::m;
    axe::integer const offset = l.offset(axe::axis::m);
    l.offsets.clear();
    if (offset != 0) l.offsets.push({offset, axe::axis::m});
  }

  /// l with one change. Splitting a digit and reversing a replica keep the map.
  constexpr axe::layout neighbour(axe::layout l) {
    int const change = between(0, 4);
    if (change == 0 && !l.shards.empty()) {  // split a digit
      int const k = between(0, l.shards.size() - 1);
      axe::iter const i = l.shards[k];
      if (i.extent % 2 == 0) {
        l.shards[k] = {i.extent / 2, i.stride * 2, i.on};
        l.shards.insert(k + 1, {2, i.stride, i.on});
      }
    } else if (change == 1 && !l.shards.empty()) {
      axe::iter& i = l.shards[between(0, l.shards.size() - 1)];
      i.stride += between(-1, 1);
    } else if (change == 2 && !l.replicas.empty()) {  // reverse a replica
      axe::iter& i = l.replicas[between(0, l.replicas.size() - 1)];
      axe::integer const from = l.offset(i.on) + (i.extent - 1) * i.stride;
      for (int t = l.offsets.size() - 1; t >= 0; --t)
        if (l.offsets[t].on == i.on) l.offsets.erase(t);
      if (from != 0) l.offsets.push({from, i.on});
      i.stride = -i.stride;
    } else if (change == 3) {
      if (!l.replicas.empty()) l.replicas[between(0, l.replicas.size() - 1)].extent += 1;
    } else if (l.swizzle.none()) {
      l.replicas.push(digit());
    } else {
      l.swizzle.B = l.swizzle.B == 1 ? 2 : 1;
    }
    axe::detail::order_offsets(l);
    return l;
  }
};

/// Simplifies l while `fails` stays true. Each step removes one part or makes one number smaller.
template <class Fails> axe::layout shrink(axe::layout l, Fails fails) {
  auto const simpler = [](axe::layout const& from) {
    std::vector<axe::layout> tries;
    auto const with = [&](auto change) {
      axe::layout changed = from;
      change(changed);
      axe::detail::order_offsets(changed);
      if (!(changed == from)) tries.push_back(changed);
    };
    with([](axe::layout& c) { c.swizzle = {}; });
    with([](axe::layout& c) { c.blocks.clear(); });
    for (int k = 0; k < from.shards.size(); ++k)
      with([&](axe::layout& c) { c.blocks.clear(), c.shards.erase(k); });
    for (int k = 0; k < from.replicas.size(); ++k)
      with([&](axe::layout& c) { c.replicas.erase(k); });
    for (int k = 0; k < from.offsets.size(); ++k) with([&](axe::layout& c) { c.offsets.erase(k); });
    auto const smaller_iters = [&](auto member) {
      for (int k = 0; k < (from.*member).size(); ++k) {
        if ((from.*member)[k].extent > 1) with([&](axe::layout& c) { --(c.*member)[k].extent; });
        if ((from.*member)[k].stride > 0) with([&](axe::layout& c) { --(c.*member)[k].stride; });
        if ((from.*member)[k].stride < 0) with([&](axe::layout& c) { ++(c.*member)[k].stride; });
      }
    };
    smaller_iters(&axe::layout::shards);
    smaller_iters(&axe::layout::replicas);
    for (int k = 0; k < from.offsets.size(); ++k)
      with([&](axe::layout& c) { c.offsets[k].n -= c.offsets[k].n > 0 ? 1 : -1; });
    return tries;
  };
  for (bool again = true; again;) {
    again = false;
    for (axe::layout const& candidate : simpler(l))
      if (fails(candidate)) {
        l = candidate;
        again = true;
        break;
      }
  }
  return l;
}

}  // namespace axe_test
