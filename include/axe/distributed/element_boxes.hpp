// SPDX-License-Identifier: MIT
// element_boxes: the elements that one device holds and another wants. A box is a range for each
// part of the tensor (parts.hpp).
//
//     parts 3 and 4, 10 of 12 elements are real       two boxes: [0,2) x [0,4) and [2,3) x [0,2)
#pragma once

#include <axe/distributed/reshard_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct part_range {
  integer first = 0;
  integer count = 0;  // 0: none
};

/// The fixed digits of each side. A null pointer fixes none. A digit of -1 is free.
struct fixed_sides {
  held const* src = nullptr;
  held const* dst = nullptr;
  integer slice = -1;  // -1: all
  integer share = -1;  // of a sum's elements; -1: all
};

class element_boxes {
 public:
  AXE_FN constexpr element_boxes(tensor_parts const& of, fixed_sides fixed, int first, int last)
      : tensor(&of), by(fixed), begin_part(first), end_part(last) {
    done = !find_ranges(first, 0);
  }

  AXE_FN constexpr bool at_end() const { return done; }
  AXE_FN constexpr part_range range_of(int p) const { return ranges[p]; }
  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (int p = begin_part; p < end_part; ++p) product *= ranges[p].count;
    return product;
  }
  AXE_FN constexpr void next() {
    if (end_part == begin_part) {
      done = true;
      return;
    }
    done = !find_ranges(end_part - 1, ranges[end_part - 1].first + ranges[end_part - 1].count);
  }

 private:
  tensor_parts const* tensor;
  fixed_sides by;
  int begin_part;
  int end_part;
  part_range ranges[most_tensor_parts]{};
  bool done = false;

  /// Finds ranges of the parts from p on. The range of p begins at `from` or later. If a part has
  /// no range left, the part before it gets its next range.
  AXE_FN constexpr bool find_ranges(int p, integer from) {
    while (p < end_part) {
      ranges[p] = range_from(p, from);
      if (ranges[p].count > 0) {
        ++p;
        from = 0;
        continue;
      }
      if (--p < begin_part) return false;
      from = ranges[p].first + ranges[p].count;
    }
    return true;
  }

  /// True if the real extent limits part p: each earlier part of the run equals its `limit`.
  AXE_FN constexpr bool is_limited(int p) const {
    if (!tensor->parts[p].run_is_one_padded_dimension) return false;
    for (; !tensor->parts[p].first_in_run; --p)
      if (ranges[p - 1].first != tensor->parts[p - 1].limit) return false;
    return true;
  }

  /// The next range of part p from `from` on. The value `limit` is a range of its own, because only
  /// there the next part is limited.
  AXE_FN constexpr part_range range_from(int p, integer from) const {
    tensor_part const& part = tensor->parts[p];
    integer cut = part.extent;
    integer high = part.extent;
    if (is_limited(p)) {
      cut = part.limit;
      high = part.last_in_run ? cut : cut + 1;
    }
    if (by.slice >= 0 && part.slices > 1) {
      integer const first = by.slice / part.slices_below % part.slices * part.slice_width;
      from = larger(from, first);
      high = smaller(high, first + part.slice_width);
      cut = smaller(cut, high);
    }
    if (part.piece > 0) {
      integer const piece = by.src != nullptr ? by.src->piece : by.dst->piece;
      integer const first = piece / part.pieces_below % part.pieces * part.piece;
      from = larger(from, first);
      high = smaller(high, first + part.piece);
      cut = smaller(cut, high);
    }
    if (by.share >= 0 && p == tensor->share_part) {
      integer const first = by.share * tensor->share_width;
      from = larger(from, first);
      high = smaller(high, first + tensor->share_width);
      cut = smaller(cut, high);
    }
    while (from < high) {
      integer count = (from < cut ? cut : high) - from;
      bool const fits =
          part.regular() ? narrow_regular(part, from, count) : narrow_irregular(part, from, count);
      if (fits) return {from, count};
      from += count;
    }
    return {};
  }

  /// False if the range lacks the fixed digit.
  AXE_FN constexpr bool narrow_regular(tensor_part const& part, integer& from,
                                       integer& count) const {
    side_digit const& a = tensor->src[part.src_first];
    side_digit const& b = tensor->dst[part.dst_first];
    for (int k = 0; k < 2; ++k) {
      held const* const fixed = k == 0 ? by.src : by.dst;
      side_digit const& d = k == 0 ? a : b;
      if (fixed == nullptr || d.in_memory()) continue;
      integer const at = fixed->value[d.index_on_devices];
      if (at < 0) continue;
      if (at < from || at >= from + count) return false;
      from = at;
      count = 1;
    }
    return true;
  }

  /// Shortens the range so that only the fastest digits change. If false, the caller skips `count`
  /// values.
  AXE_FN constexpr bool narrow_irregular(tensor_part const& part, integer from,
                                         integer& count) const {
    integer same = count;
    integer const to_src =
        distance_to_fixed(tensor->src, part.src_first, part.src_last, by.src, from, same);
    integer const to_dst =
        distance_to_fixed(tensor->dst, part.dst_first, part.dst_last, by.dst, from, same);
    if (integer const next = larger(to_src, to_dst); next > 0) {
      count = smaller(count, next);
      return false;
    }
    count = same;
    return is_real(part, from, count);
  }

  /// Returns a lower bound of the distance from x to the next value with the fixed digits. If it is
  /// 0, shortens `stretch` to values that have these digits.
  AXE_FN static constexpr integer distance_to_fixed(
      list<side_digit, most_tensor_parts> const& digits, int first, int last, held const* fixed,
      integer x, integer& stretch) {
    if (fixed == nullptr) return 0;
    integer next = 0;
    integer below = 1;
    for (int k = last - 1; k >= first; --k) {
      side_digit const& d = digits[k];
      integer const value = x / below % d.extent;
      integer const wanted = d.in_memory() ? -1 : fixed->value[d.index_on_devices];
      if (k == last - 1) stretch = smaller(stretch, wanted < 0 ? d.extent - value : 1);
      if (wanted >= 0 && wanted != value)
        next = (wanted > value ? wanted - value : wanted - value + d.extent) * below - x % below;
      below *= d.extent;
    }
    return next;
  }
  AXE_FN constexpr bool is_real(tensor_part const& part, integer x, integer& stretch) const {
    bool inside = true;
    integer below = 1;
    for (int d = part.dimension + part.dimensions - 1; part.dimension >= 0 && d >= part.dimension;
         --d) {
      integer const extent = tensor->dimensions[d];
      integer const at = x / below % extent;
      integer const real = tensor->real[d];
      if (below == 1) stretch = smaller(stretch, (at < real ? real : extent) - at);
      inside = inside && at < real;
      below *= extent;
    }
    return inside;
  }
};

/// The box's first address minus the side's first_address.
AXE_FN constexpr integer address_of(tensor_parts const& tensor, bool of_src,
                                    element_boxes const& at) {
  integer sum = 0;
  list<side_digit, most_tensor_parts> const& digits = of_src ? tensor.src : tensor.dst;
  for (int p = 0; p < tensor.parts.size(); ++p) {
    tensor_part const& part = tensor.parts[p];
    integer x = at.range_of(p).first;
    for (int k = (of_src ? part.src_last : part.dst_last) - 1;
         k >= (of_src ? part.src_first : part.dst_first); --k) {
      if (digits[k].in_memory()) sum += x % digits[k].extent * digits[k].stride;
      x /= digits[k].extent;
    }
  }
  return sum;
}

AXE_LAZY_FN constexpr integer count_elements(tensor_parts const& tensor, fixed_sides by) {
  integer product = 1;
  for (int first = 0; first < tensor.parts.size();) {
    int last = first + 1;
    while (last < tensor.parts.size() && tensor.parts[first].run_is_one_padded_dimension &&
           !tensor.parts[last].first_in_run)
      ++last;
    integer sum = 0;
    for (element_boxes box(tensor, by, first, last); !box.at_end(); box.next()) sum += box.size();
    product *= sum;
    if (product == 0) return 0;
    first = last;
  }
  return product;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
