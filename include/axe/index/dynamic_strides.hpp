// SPDX-License-Identifier: MIT
// dynamic_strides: the dynamic strides of a bound pointer, in elements and in bytes.
#pragma once

#include <axe/index/bind_address.hpp>
#include <axe/index/dynamic_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr int count_strides(size_table const& sizes) {
  int n = 0;
  for (int slot = 0; slot < sizes.slots(); ++slot) n += sizes.names(&digit_data::stride, slot);
  return n;
}
AXE_FN constexpr int nth_stride(size_table const& sizes, int n) {
  int slot = 0;
  while (!sizes.names(&digit_data::stride, slot) || n-- > 0) ++slot;
  return slot;
}
template <class Sizes, int... Number>
AXE_FN indices<nth_stride(Sizes::table, Number)...> list_strides(indices<Number...>);
template <class Sizes>
using stride_slots_t = decltype(list_strides<Sizes>(indices_to<count_strides(Sizes::table)>{}));

template <class T, class Sizes, int Slot>
using byte_stride_type = unsigned_sum<(Sizes::facts_of(Slot).bound > 0 &&
                                       Sizes::facts_of(Slot).bound - 1 <=
                                           ((integer{1} << 32) - 1) / integer{sizeof(T)})>;
/// True if bound pointers multiply by this stride's 64-bit number of bytes.
template <class T, class Sizes, int Slot> inline constexpr bool multiplies_bytes = false;
template <class T, class Sizes, int Slot>
  requires stl::is_same_v<Sizes, typename Sizes::by_bytes>
inline constexpr bool multiplies_bytes<T, Sizes, Slot> =
    Sizes::bytes_of_element == sizeof(T) && sizeof(byte_stride_type<T, Sizes, Slot>) == 8;
/// With the returned sizes, pointers multiply by 64-bit strides in bytes (InBytes) or in elements.
template <bool InBytes, class Sizes>
AXE_FORCE_INLINE constexpr auto const& counted_sizes(Sizes const& sizes) {
  if constexpr (!requires { typename Sizes::by_bytes; })
    return sizes;
  else if constexpr (InBytes)
    return static_cast<Sizes::by_bytes const&>(sizes);
  else
    return static_cast<Sizes::by_elements const&>(sizes);
}
/// `elements` is widened where used: nvcc forgets an earlier widening after a branch.
template <class T, class Sizes, int Slot> struct dynamic_stride {
  unsigned_sum<sizeof(Sizes{}.template number<Slot>()) == 4> elements;
  byte_stride_type<T, Sizes, Slot> bytes;
  AXE_FORCE_INLINE constexpr explicit dynamic_stride(auto const& sizes)
      : elements(static_cast<decltype(elements)>(sizes.template number<Slot>())),
        bytes(in_bytes(sizes)) {}

 private:
  AXE_FORCE_INLINE static constexpr auto in_bytes(auto const& sizes) {
    using type = byte_stride_type<T, Sizes, Slot>;
    using given = stl::remove_cvref_t<decltype(sizes)>;
    if constexpr (requires { requires given::bytes_of_element == sizeof(T); })
      return sizes.template bytes<Slot>();
    else
      return static_cast<type>(sizes.template number<Slot>()) * static_cast<type>(sizeof(T));
  }
};

/// Construct it before the coordinates: nvcc then multiplies and adds by one IMAD.WIDE.
template <class T, class Sizes, class Slots = stride_slots_t<Sizes>> struct dynamic_strides;
template <class T, class Sizes, int... Slot>
struct dynamic_strides<T, Sizes, indices<Slot...>> : dynamic_stride<T, Sizes, Slot>... {
  static constexpr int wide_strides = (0 + ... + (sizeof(byte_stride_type<T, Sizes, Slot>) == 8));
  static constexpr bool wide_bytes = (multiplies_bytes<T, Sizes, Slot> || ...);

  AXE_FORCE_INLINE constexpr explicit dynamic_strides(auto const& sizes)
      : dynamic_stride<T, Sizes, Slot>(sizes)... {}
  template <int Which> AXE_FORCE_INLINE constexpr auto elements() const {
    return static_cast<stl::uint64_t>(
        static_cast<dynamic_stride<T, Sizes, Which> const&>(*this).elements);
  }
  template <int Which> AXE_FORCE_INLINE constexpr auto bytes() const {
    return static_cast<dynamic_stride<T, Sizes, Which> const&>(*this).bytes;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
