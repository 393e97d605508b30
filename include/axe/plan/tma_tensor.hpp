// tma_tensor: a tensor in global memory as TMA's planner reads it: dimensions of digits whose
// extents and strides are numbers, or numbers that the program will be given.
//
//     tma_tensor_of(S[(4096,4096):(4096,1)], (4096,4096))               two dimensions of one digit
//     tma_tensor_of<pitched<given(0), given(1), given(2).multiple_of(8)>>()    any matrix whose pitch is a multiple of 8
//
// What is stated of a number (`multiple_of`) is what the planner may build on; the numbers
// themselves are checked where the map is encoded (plan/tma_arguments.hpp). Types whose numbers
// come at run time are in index/sized.hpp, which who has one includes, or axe/index.hpp. Refused: a
// layout that is not on m alone, has replicas or a swizzle, or does not group by the shape. Units:
// elements.
// Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/index/leaf.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

// Of index/sized.hpp, which is read where there is such a type alone: 3 % of what g++ takes for
// axe/plan.hpp.
template <class... Dimensions> struct sized;
namespace detail {
template <class... Dimensions> AXE_FN constexpr leaf facts_of(int slot);
}  // namespace detail

/// A leaf times one number over another: exact for every value that the leaf can have.
struct tma_number {
  leaf of{1};
  integer times = 1;
  integer over = 1;

  constexpr tma_number() = default;
  AXE_FN constexpr tma_number(leaf l) : of(l) {}
  AXE_FN constexpr tma_number(integer n) : of(n) {}

  AXE_FN constexpr bool known() const { return of.known(); }
  /// Of a known number.
  AXE_FN constexpr integer value() const { return of.value * times / over; }
  /// This divides it, whatever it is.
  AXE_FN constexpr integer divisor() const { return of.divisor() * times / over; }
  /// What it is where leaf number `slot` is `numbers[slot]`.
  AXE_FN constexpr integer value_for(integer const* numbers) const {
    integer n = known() ? of.value : numbers[of.slot];
    // Beyond every limit of a map stays beyond.
    return detail::multiply(n, times) ? n / over : detail::largest / over;
  }

  AXE_FN constexpr tma_number multiplied(integer n) const { return scaled(n, 1); }
  /// Precondition: n divides divisor().
  AXE_FN constexpr tma_number divided(integer n) const { return scaled(1, n); }

  AXE_FN friend constexpr bool operator==(tma_number const&, tma_number const&) = default;

 private:
  AXE_FN constexpr tma_number scaled(integer by, integer under) const {
    if (known()) return value() * by / under;
    tma_number out = *this;
    integer const g = detail::greatest_common_divisor(times * by, over * under);
    out.times = times * by / g;
    out.over = over * under / g;
    return out;
  }
};

struct tma_tensor {
  struct digit {
    tma_number extent;
    tma_number stride = integer{0};

    AXE_FN friend constexpr bool operator==(digit const&, digit const&) = default;
  };
  list<digit, capacity::shards> digits;  // slowest first, dimension by dimension
  list<int, capacity::shards> blocks;    // how many digits each dimension has
  integer offset = 0;                    // where element 0 lies from the tensor's pointer

  AXE_FN constexpr int rank() const { return blocks.size(); }
  AXE_FN friend constexpr bool operator==(tma_tensor const&, tma_tensor const&) = default;
};

namespace detail {

/// On m alone, one place an element.
AXE_PLANNER constexpr refusal check_plain_memory(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  for (axis a : axes_of(l))
    if (a != axis::m) return {rule::address_on_another_axis, {}, {a}};
  if (!l.replicas.empty())
    return {rule::address_of_replicas, {l.replicas[0].extent, l.replicas[0].stride}, {axis::m}};
  return {};
}

}  // namespace detail

AXE_PLANNER constexpr outcome<tma_tensor> try_tma_tensor_of(layout const& l, shape const& s) {
  if (refusal const bad = detail::check_plain_memory(l)) return bad;
  if (!l.swizzle.none())
    return refusal{rule::tma_global_swizzle, {l.swizzle.M, l.swizzle.B, l.swizzle.S}};
  outcome<layout> const grouped = try_group(l, s);
  if (!grouped) return grouped.why;
  tma_tensor t;
  int next = 0;
  for (int b : grouped->blocks) {
    if (t.digits.size() + (b == 0 ? 1 : b) > capacity::shards)
      return refusal{rule::too_many_shards, {t.digits.size() + 1}};
    // A dimension of extent 1 has no digit of its own.
    if (b == 0) t.digits.push({});
    for (int k = 0; k < b; ++k, ++next)
      t.digits.push(
          {tma_number(grouped->shards[next].extent), tma_number(grouped->shards[next].stride)});
    t.blocks.push(b == 0 ? 1 : b);
  }
  t.offset = l.offset(axis::m);
  return t;
}
AXE_PLANNER constexpr tma_tensor tma_tensor_of(layout const& l, shape const& s) {
  outcome<tma_tensor> const result = try_tma_tensor_of(l, s);
  if (!result) detail::stop_on(result.why, "tma_tensor_of", {&l, nullptr, &s});
  return *result;
}

namespace detail {
template <class Dimension> AXE_FN constexpr void append_dimension(tma_tensor& t) {
  for (int k = 0; k < Dimension::digits; ++k)
    t.digits.push({tma_number(Dimension::extents[k]), tma_number(Dimension::strides[k])});
  t.blocks.push(Dimension::digits);
}
/// With all that is stated of a slot anywhere at each of its leaves.
template <class... Dimensions>
AXE_FN constexpr tma_tensor tensor_of_dimensions(sized<Dimensions...> const*) {
  tma_tensor t;
  (append_dimension<Dimensions>(t), ...);
  for (tma_tensor::digit& d : t.digits) {
    if (!d.extent.known()) d.extent.of = facts_of<Dimensions...>(d.extent.of.slot);
    if (!d.stride.known()) d.stride.of = facts_of<Dimensions...>(d.stride.of.slot);
  }
  return t;
}
}  // namespace detail

/// Of a type whose numbers come at run time.
template <class Sized> AXE_FN constexpr tma_tensor tma_tensor_of() {
  return detail::tensor_of_dimensions(static_cast<Sized const*>(nullptr));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
