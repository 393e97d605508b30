// SPDX-License-Identifier: MIT
// bind_offset: an element's offset, computed once for tensors of equal sizes.
//
//     auto const at = bind_offset<float>(in.sizes, z, y, x);     out.sizes are equal to in.sizes
//     auto p = at.from(in.data), q = at.from(out.data);          one addition each
//
// Definition: docs/index_code.md, "Pointers".
#pragma once

#include <axe/index/pointer.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class T, class Sizes, class... Sums> struct element_offset {
  stl::uint64_t bytes;  // from the tensor's first element
  Sizes sizes;
  [[no_unique_address]] sums<Sums...> coordinates;

  /// What bind_pointer returns for the tensor at `data`, which must have these `sizes`.
  AXE_FORCE_INLINE constexpr auto from(auto data) const {
    using U = stl::remove_reference_t<decltype(*data)>;
    static_assert(sizeof(U) == sizeof(T),
                  "from(data): both tensors must have elements of the same size");
    using pointer = bound_pointer<U, Sizes, Sums...>;
    using byte = pointer::byte;
    byte* const start = add_offset(reinterpret_cast<byte*>(+data), sizes, integer{sizeof(T)});
    return pointer{start, start + bytes, dynamic_strides<U, Sizes>(sizes), coordinates};
  }
};
template <class T, class Sizes, class... Sums>
AXE_FORCE_INLINE constexpr element_offset<T, Sizes, Sums...> bind_offset_sums(
    Sizes const& sizes, sums<Sums...> const& coordinates) {
  using stop [[maybe_unused]] =
      verdict<typename rejected_plan<integer{sizeof(T)}, Sizes, Sums...>::type>::stop;
  // In a tensor at address 0, an element's address is its offset.
  auto const at =
      bind_pointer_from<T, Sizes>(nullptr, dynamic_strides<T, Sizes>(sizes), coordinates);
  auto bytes = reinterpret_cast<stl::uintptr_t>(at.here);
#ifdef __CUDA_ARCH__
  // Otherwise nvcc recomputes the terms for each access.
  hide(bytes);
#endif
  return {bytes, sizes, coordinates};
}
}  // namespace detail

/// T is the tensors' element type, or another type of its size.
template <class T, class Sizes, class... Coordinates>
AXE_FORCE_INLINE constexpr auto bind_offset(Sizes const& sizes, Coordinates... coordinates) {
  static_assert(sizeof...(Coordinates) == Sizes::rank,
                "there must be one coordinate for each dimension");
  static_assert(Sizes::splits == 0,
                "bind_offset does not divide by dynamic extents: use bind_pointer for each tensor");
  return detail::bind_offset_sums<T>(detail::counted_sizes<true>(sizes),
                                     detail::make_sums(as_sum(coordinates)...));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
