// SPDX-License-Identifier: MIT
// copy_run: copies or adds the elements of one strided run, or packs and unpacks them.
//
// Packing orders digits by descending strides of the receiver, so that both ranks agree. If the
// shortest strides of both sides are on different digits, these two are tiled.
#pragma once

#include <axe/distributed/runs.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

using run_digits = std::vector<run_digit>;

inline run_digits joined(run_digits const& from) {
  run_digits out;
  for (run_digit const& d : from) {
    if (!out.empty() && out.back().from_stride == d.from_stride * d.extent &&
        out.back().to_stride == d.to_stride * d.extent)
      out.back() = {out.back().extent * d.extent, d.from_stride, d.to_stride};
    else
      out.push_back(d);
  }
  return out;
}

template <bool adds, class T>
void copy_digit(T const* from, T* to, run_digit const& d, integer size) {
  if constexpr (adds) {
    for (integer c = 0; c < size; ++c) {
      T& sum = to[c * d.to_stride];
      sum = static_cast<T>(sum + from[c * d.from_stride]);
    }
  } else if (d.from_stride == 1 && d.to_stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(size) * sizeof(T));
  } else {
    for (integer c = 0; c < size; ++c) to[c * d.to_stride] = from[c * d.from_stride];
  }
}

template <bool adds, class T>
void copy_digits(T const* from, T* to, run_digit const* d, std::size_t count, bool tiled) {
  constexpr integer tile = 32;
  if (count == 0) {
    copy_digit<adds>(from, to, {1, 1, 1}, 1);
  } else if (count == 1) {
    copy_digit<adds>(from, to, *d, d->extent);
  } else if (count == 2 && tiled) {
    for (integer i = 0; i < d[0].extent; i += tile)
      for (integer j = 0; j < d[1].extent; j += tile)
        for (integer k = i; k < std::min(i + tile, d[0].extent); ++k)
          copy_digit<adds>(from + k * d[0].from_stride + j * d[1].from_stride,
                           to + k * d[0].to_stride + j * d[1].to_stride, d[1],
                           std::min(tile, d[1].extent - j));
  } else {
    for (integer c = 0; c < d->extent; ++c)
      copy_digits<adds>(from + c * d->from_stride, to + c * d->to_stride, d + 1, count - 1, tiled);
  }
}

class copy_run {
 public:
  explicit copy_run(strided_run const& run)
      : from_begin(run.begin_from), to_begin(run.begin_to), elements(run.size()) {
    run_digits ordered(run.digits.begin(), run.digits.end());
    std::sort(ordered.begin(), ordered.end(), [](run_digit const& a, run_digit const& b) {
      return axe::detail::magnitude(a.to_stride) > axe::detail::magnitude(b.to_stride);
    });
    integer dense = elements;
    run_digits packs;
    run_digits unpacks;
    for (run_digit const& d : ordered) {
      dense /= d.extent;
      packs.push_back({d.extent, d.from_stride, dense});
      unpacks.push_back({d.extent, dense, d.to_stride});
    }
    in_place = loops(joined(ordered));
    to_dense = loops(joined(packs));
    from_dense = loops(joined(unpacks));
  }

  integer size() const { return elements; }
  integer begin(bool at_sender) const { return at_sender ? from_begin : to_begin; }
  integer end(bool at_sender) const {
    integer last = begin(at_sender);
    for (run_digit const& d : in_place.loop_order)
      last += std::max<integer>(0, (d.extent - 1) * (at_sender ? d.from_stride : d.to_stride));
    return last + 1;
  }
  run_digits const& side(bool at_sender) const {
    return at_sender ? to_dense.packing_order : from_dense.packing_order;
  }
  bool dense(bool at_sender) const {
    run_digits const& d = side(at_sender);
    return d.empty() || (d.size() == 1 && d[0].from_stride == 1 && d[0].to_stride == 1);
  }
  integer pieces(bool at_sender) const {
    run_digits const& d = side(at_sender);
    bool const last = !d.empty() && d.back().from_stride == 1 && d.back().to_stride == 1;
    return elements / (last ? d.back().extent : 1);
  }

  template <class T> void pack(T const* from, T* packed) const {
    to_dense.run<false>(from + from_begin, packed);
  }
  template <class T> void unpack(T const* packed, T* to, bool adds) const {
    put(from_dense, packed, to + to_begin, adds);
  }
  template <class T> void copy(T const* from, T* to, bool adds) const {
    put(in_place, from + from_begin, to + to_begin, adds);
  }

 private:
  struct loops {
    run_digits packing_order;
    run_digits loop_order;
    bool tiled = false;

    loops() = default;
    /// Puts the digit of shortest source stride second to last, unless it is last.
    explicit loops(run_digits const& from) : packing_order(from), loop_order(from) {
      if (loop_order.size() < 2) return;
      auto const shortest =
          std::min_element(loop_order.begin(), loop_order.end(), [](auto const& a, auto const& b) {
            return axe::detail::magnitude(a.from_stride) < axe::detail::magnitude(b.from_stride);
          });
      tiled = shortest + 1 != loop_order.end();
      if (tiled) std::rotate(shortest, shortest + 1, loop_order.end() - 1);
    }
    template <bool adds, class T> void run(T const* from, T* to) const {
      copy_digits<adds>(from, to, loop_order.data(), loop_order.size(), tiled);
    }
  };
  template <class T> static void put(loops const& by, T const* from, T* to, bool adds) {
    if constexpr (requires { *to + *from; }) {
      if (adds) return by.template run<true>(from, to);
    }
    by.template run<false>(from, to);
  }

  integer from_begin;
  integer to_begin;
  integer elements;
  loops in_place;
  loops to_dense;
  loops from_dense;
};

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
