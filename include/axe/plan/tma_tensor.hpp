// SPDX-License-Identifier: MIT
// tma_tensor: a tensor in global memory for TMA, with static or dynamic sizes.
//
//     tma_tensor_of(S[(4096,4096):(4096,1)], (4096,4096))
//     tma_tensor_of<dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(8)>>()
//
// tma_tensor_of rejects axes other than m, replicas, swizzles, and layouts that do not group by the
// shape. Extents and strides count elements.
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/index/leaf.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `of * times / over`, an integer for every value of the leaf.
struct tma_number {
  leaf of{1};
  integer times = 1;
  integer over = 1;

  constexpr tma_number() = default;
  AXE_FN constexpr tma_number(leaf l) : of(l) {}
  AXE_FN constexpr tma_number(integer n) : of(n) {}

  AXE_FN constexpr bool known() const { return of.known(); }
  AXE_FN constexpr integer value() const { return of.value * times / over; }
  AXE_FN constexpr integer divisor() const { return of.divisor() * times / over; }
  AXE_FN constexpr outcome<integer> value_for(integer const* numbers) const {
    integer n = known() ? of.value : numbers[of.slot];
    if (!detail::multiply(n, times)) return refusal{rule::tma_number, {of.slot, n}};
    return n / over;
  }

  /// Precondition: divided_by divides factor * divisor().
  AXE_FN constexpr tma_number scaled(integer factor, integer divided_by = 1) const {
    if (known()) return value() * factor / divided_by;
    tma_number out = *this;
    integer const common = detail::greatest_common_divisor(times * factor, over * divided_by);
    out.times = times * factor / common;
    out.over = over * divided_by / common;
    return out;
  }

  constexpr bool operator==(tma_number const&) const = default;
};

struct tma_tensor {
  struct digit {
    tma_number extent;
    tma_number stride = integer{0};
  };
  list<digit, capacity::shards> digits;  // slowest first, by dimension
  list<int, capacity::shards> blocks;    // the number of digits of each dimension
  integer offset = 0;                    // distance from the pointer to element 0

  AXE_FN constexpr int rank() const { return blocks.count; }
};

AXE_LAZY_FN constexpr outcome<tma_tensor> try_tma_tensor_of(layout const& l, shape const& s) {
  using namespace detail;
  valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  if (refusal const bad = check_addresses(l)) return bad;
  if (refusal const bad = check_byte_offsets(l)) return bad;
  if (!l.swizzle.none())
    return refusal{rule::tma_global_swizzle, {l.swizzle.M, l.swizzle.B, l.swizzle.S}};
  outcome<layout> const grouped = group_of(operand, s);
  if (grouped.why) return grouped.why;
  tma_tensor t;
  for (int d = 0; d < grouped->blocks.count; ++d) {
    int const before = t.digits.count;
    bool fits = true;
    for (iter const& i : iters_of_block(*grouped, d)) fits = t.digits.push({i.extent, i.stride});
    // A dimension of extent 1 has no iter, but gets a digit.
    if (grouped->blocks[d] == 0) fits = t.digits.push({});
    if (!fits) return refusal{rule::too_many_shards, {t.digits.count + 1}};
    t.blocks.push(t.digits.count - before);
  }
  t.offset = l.offset(axis::m);
  return t;
}
AXE_LAZY_FN constexpr tma_tensor tma_tensor_of(layout const& l, shape const& s) {
  return detail::stop_on(try_tma_tensor_of(l, s), "tma_tensor_of", {&l, nullptr, &s});
}

template <class Sizes> AXE_FN constexpr tma_tensor tma_tensor_of() {
  static_assert(Sizes::offset.known(),
                "a tensor map begins at a static offset: add a dynamic one to the pointer");
  auto const number_of = [](leaf l) {
    return l.known() ? tma_number(l) : tma_number(Sizes::facts_of(l.slot)).scaled(l.factor());
  };
  tma_tensor t;
  t.offset = Sizes::offset.value;
  int slowest = 0;  // the dimension's first digit
  for (auto const& d : Sizes::table) {
    if (d.dimension == t.blocks.count) {
      slowest = t.digits.count;
      t.blocks.push(0);
    }
    t.digits.insert(slowest, {number_of(d.extent), number_of(d.stride)});
    ++t.blocks.back();
  }
  return t;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
