// SPDX-License-Identifier: MIT
// runs(plan, message): the strided runs of a message.
#pragma once

#include <axe/distributed/messages.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct run_digit {
  integer extent = 1;
  integer from_stride = 0;
  integer to_stride = 0;
};

/// Addresses and strides count elements of the buffers m.read and m.write.
struct strided_run {
  integer begin_from = 0;
  integer begin_to = 0;
  list<run_digit, detail::most_tensor_parts> digits;  // slowest first

  AXE_FN constexpr integer size() const {
    integer product = 1;
    for (run_digit const& d : digits) product *= d.extent;
    return product;
  }
};

namespace detail {

struct message_digits {
  held src;
  held dst;
  message m;
  integer slice;

  AXE_FN constexpr message_digits(reshard_plan const& p, message const& of)
      : m(of), slice(p.slice_of(of.step)) {
    if (m.holder >= 0) src = p.src.held_at(p.position_of(m.holder), p.axes, m.piece);
    if (m.target >= 0) dst = p.dst.held_at(p.position_of(m.target), p.axes, m.piece);
  }
  AXE_FN constexpr fixed_sides sides() const {
    return {m.holder >= 0 ? &src : nullptr, m.target >= 0 ? &dst : nullptr, slice, m.share};
  }
};

}  // namespace detail

AXE_FN constexpr integer count(reshard_plan const& p, message const& m) {
  detail::message_digits const digits(p, m);
  return detail::count_elements(p.tensor, digits.sides());
}

class run_range {
 public:
  class iterator {
   public:
    AXE_FN constexpr iterator(run_range const& range, detail::fixed_sides fixed)
        : of(&range), box(range.plan->tensor, fixed, 0, range.plan->tensor.parts.size()) {}
    AXE_FN constexpr strided_run operator*() const {
      reshard_plan const& p = *of->plan;
      message const& m = of->digits.m;
      bool const from_src = m.read != buffer::dst;
      bool const to_src = m.write != buffer::dst;
      strided_run out;
      out.begin_from = m.read_at + detail::address_of(p.tensor, from_src, box);
      out.begin_to = m.write_at + detail::address_of(p.tensor, to_src, box);
      for (int k = 0; k < p.tensor.parts.size(); ++k) {
        detail::tensor_part const& part = p.tensor.parts[k];
        if (box.range_of(k).count == 1) continue;
        integer const src = p.tensor.src[part.src_last - 1].stride;
        integer const dst = p.tensor.dst[part.dst_last - 1].stride;
        out.digits.push({box.range_of(k).count, from_src ? src : dst, to_src ? src : dst});
      }
      return out;
    }
    AXE_FN constexpr iterator& operator++() {
      box.next();
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& i, detail::range_end) {
      return i.box.at_end();
    }

   private:
    run_range const* of;
    detail::element_boxes box;
  };

  AXE_FN constexpr run_range(reshard_plan const& p, message const& m) : plan(&p), digits(p, m) {}
  AXE_FN constexpr iterator begin() const { return {*this, digits.sides()}; }
  AXE_FN constexpr detail::range_end end() const { return {}; }

 private:
  reshard_plan const* plan;
  detail::message_digits digits;
};

/// The plan must outlive the range.
AXE_FN constexpr run_range runs(reshard_plan const& p, message const& m) { return {p, m}; }

}  // namespace AXE_NAMESPACE
}  // namespace axe
