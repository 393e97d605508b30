// SPDX-License-Identifier: MIT
// tensor_parts: a plan's tensor, cut at the digit boundaries that both layouts share.
//
//     src digits (6,3,2), dst digits (6,2,3)       parts 6 and 6: the second needs several boxes
//
// Without padding, one run has all parts. In a padded tensor a run has the parts of one dimension,
// or of several that share digits.
#pragma once

#include <axe/distributed/check_sharding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int most_tensor_parts = 64;

/// A digit's padded dimension. A step of the digit adds `weight` to the index.
struct padded_digit {
  int dimension = -1;
  integer weight = 0;
  integer real = 0;
};

struct side_digit {
  integer extent = 1;
  integer stride = 0;
  integer reached = 1;  // values that real elements take
  axis on = axis::null;
  padded_digit in{};
  int index_on_devices = -1;  // in holding_side::on_devices; -1: in memory
  integer piece_step = 0;     // as in device_digit

  AXE_FN constexpr bool in_memory() const { return index_on_devices < 0; }
};

struct tensor_part {
  integer extent = 1;
  int src_first = 0, src_last = 0;
  int dst_first = 0, dst_last = 0;
  integer limit = 0;  // the real extent's digit at this part
  bool run_is_one_padded_dimension = false;
  bool first_in_run = true;
  bool last_in_run = true;
  int dimension = -1;  // first of several padded dimensions; -1: none
  int dimensions = 0;
  integer slice_width = 0;  // 0: not sliced
  integer slices = 1;
  integer slices_below = 1;  // product of `slices` of later parts
  integer piece = 0;         // elements that stay together; 0: not cut
  integer pieces = 1;
  integer pieces_below = 1;

  AXE_FN constexpr bool regular() const {
    return src_last - src_first == 1 && dst_last - dst_first == 1;
  }
};

struct tensor_parts {
  list<tensor_part, most_tensor_parts> parts;
  list<side_digit, most_tensor_parts> src;
  list<side_digit, most_tensor_parts> dst;
  extent_list dimensions;
  extent_list real;
  int share_part = -1;  // divided among the adders of a sum; -1: none
  integer share_width = 0;
  bool overflowed = false;

  AXE_FN constexpr void add_digits(iter_list const& from, integer low, integer high, integer base,
                                   padded_digit in, list<side_digit, most_tensor_parts>& to) {
    iter_list between;
    if (!emit_between(from, low, high, between)) overflowed = true;
    in.weight = high / base;
    for (iter const& i : between) {
      in.weight /= i.extent;
      integer const reached = reached_extent(i.extent, in.weight, in.real);
      overflowed = overflowed || !to.push({i.extent, i.stride, reached, i.on, in});
    }
  }

  /// Appends the parts of `count` dimensions from `first` on, between `low` and `high`.
  AXE_FN constexpr void add_run(sharded_digits const& a, sharded_digits const& b, integer low,
                                integer high, int first, int count) {
    bool padded = false;
    for (int d = first; d < first + count; ++d) padded = padded || real[d] < dimensions[d];
    bool const enumerated = padded && count > 1;
    integer const own = padded && !enumerated ? real[first] : high / low;
    int const begin = parts.size();
    integer at = high;
    while (at > low) {
      integer const next = enumerated ? low : boundary_below(a.elements, b.elements, at, low);
      tensor_part part;
      part.extent = at / next;
      part.src_first = src.size();
      part.dst_first = dst.size();
      padded_digit const in{padded && !enumerated ? first : -1, 0, own};
      add_digits(a.elements, next, at, low, in, src);
      add_digits(b.elements, next, at, low, in, dst);
      part.src_last = src.size();
      part.dst_last = dst.size();
      part.first_in_run = parts.size() == begin;
      part.last_in_run = next == low;
      part.run_is_one_padded_dimension = padded && !enumerated;
      part.limit = own / (next / low) % part.extent;
      if (part.first_in_run) part.limit = own / (next / low);
      if (enumerated) {
        part.dimension = first;
        part.dimensions = count;
      }
      overflowed = overflowed || !parts.push(part);
      at = next;
    }
  }

  /// True if a part spans several padded dimensions.
  AXE_FN constexpr bool enumerates() const {
    for (tensor_part const& part : parts)
      if (part.dimension >= 0) return true;
    return false;
  }
  AXE_FN constexpr integer cut_into_pieces() {
    integer all = 1;
    for (int k = parts.size() - 1; k >= 0; --k) {
      tensor_part& part = parts[k];
      if (part.dimension < 0) continue;
      part.piece = greatest_common_divisor(memory_after(src, part.src_first, part.src_last),
                                           memory_after(dst, part.dst_first, part.dst_last));
      part.pieces = part.extent / part.piece;
      part.pieces_below = all;
      set_piece_steps(src, part.src_first, part.src_last, part);
      set_piece_steps(dst, part.dst_first, part.dst_last, part);
      all *= part.pieces;
    }
    return all;
  }
  AXE_FN static constexpr integer memory_after(list<side_digit, most_tensor_parts> const& digits,
                                               int first, int last) {
    integer after = 1;
    for (int k = last - 1; k >= first && digits[k].on == axis::m; --k) after *= digits[k].extent;
    return after;
  }
  AXE_FN static constexpr void set_piece_steps(list<side_digit, most_tensor_parts>& digits,
                                               int first, int last, tensor_part const& part) {
    integer after = 1;
    for (int k = last - 1; k >= first; --k) {
      if (digits[k].on != axis::m) digits[k].piece_step = part.pieces_below * (after / part.piece);
      after *= digits[k].extent;
    }
  }

  AXE_FN static constexpr integer boundary_below(iter_list const& a, iter_list const& b, integer at,
                                                 integer low) {
    digit_boundaries const of_a(a);
    digit_boundaries const of_b(b);
    integer best = low;
    for (digit_boundaries const* own : {&of_a, &of_b})
      for (integer candidate : own->positions)
        if (candidate < at && candidate > best && of_a.cuts_at(candidate) &&
            of_b.cuts_at(candidate))
          best = candidate;
    return best;
  }
};

/// The elements per step of the slowest digit of a dimension, or 0 if the dimension shares a digit.
AXE_LAZY_FN constexpr integer size_after_slowest(sharded_digits const& s, int dimension) {
  integer after = 0;
  for_each_run(s.elements, s.dimensions, [&](int first, int count, iter_list const& block) {
    if (first != dimension || count > 1) return refusal{};
    after = 1;
    for (int k = 1; k < block.size(); ++k) after *= block[k].extent;
    return refusal{};
  });
  return after;
}

/// Gives each dimension's slowest digit the extent that `dimensions` needs.
AXE_LAZY_FN constexpr refusal pad_alike(sharded_digits& s, extent_list const& dimensions) {
  iter_list const whole = s.elements;
  s.elements.clear();
  refusal const bad =
      for_each_run(whole, s.dimensions, [&](int first, int count, iter_list const& block) {
        for (int k = 0; k < block.size(); ++k) {
          iter i = block[k];
          if (k == 0 && count == 1) i.extent = dimensions[first] / (s.dimensions[first] / i.extent);
          if (!s.elements.push(i)) return refusal{rule::too_many_shards, {capacity::shards + 1}};
        }
        if (block.empty() && count == 1 && dimensions[first] > 1 &&
            !s.elements.push({dimensions[first], 0, axis::m}))
          return refusal{rule::too_many_shards, {capacity::shards + 1}};
        return refusal{};
      });
  s.dimensions = dimensions;
  s.size = 1;
  for (integer e : dimensions)
    if (!multiply(s.size, e)) return {rule::reshard_padding_overflows};
  return bad;
}

/// Pads both sides alike. Rejects a dimension with different paddings if it shares a digit with
/// another one.
AXE_LAZY_FN constexpr refusal share_padding(sharded_digits& a, sharded_digits& b) {
  if (a.dimensions == b.dimensions) return {};
  if (a.dimensions.size() != b.dimensions.size()) return {rule::reshard_shapes};
  extent_list shared = a.dimensions;
  for (int d = 0; d < shared.size(); ++d) {
    if (a.dimensions[d] == b.dimensions[d]) continue;
    integer step = size_after_slowest(a, d);
    integer const other = size_after_slowest(b, d);
    if (step == 0 || other == 0) return {rule::reshard_padding, {d}};
    if (!multiply(step, other / greatest_common_divisor(step, other)))
      return {rule::reshard_padding_overflows};
    shared[d] = step;
    if (!multiply(shared[d], ceil_divide(a.real[d], step)))
      return {rule::reshard_padding_overflows};
  }
  if (refusal const bad = pad_alike(a, shared)) return bad;
  return pad_alike(b, shared);
}

AXE_LAZY_FN constexpr tensor_parts parts_of(sharded_digits const& a, sharded_digits const& b) {
  tensor_parts out;
  out.dimensions = a.dimensions;
  out.real = a.real;
  if (!a.padded()) {
    if (a.size > 1) out.add_run(a, b, 1, a.size, 0, 0);
    return out;
  }
  digit_boundaries const of_a(a.elements);
  digit_boundaries const of_b(b.elements);
  integer below = a.size;
  integer high = a.size;
  int first = 0;
  for (int d = 0; d < a.dimensions.size(); ++d) {
    below /= a.dimensions[d];
    if (!of_a.cuts_at(below) || !of_b.cuts_at(below)) continue;
    if (high > below) out.add_run(a, b, below, high, first, d + 1 - first);
    first = d + 1;
    high = below;
  }
  return out;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
