// SPDX-License-Identifier: MIT
// Errors of kernels that lack a header of axe/cuda/mma/.
#pragma once

#include <axe/base/traits.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
struct mma_header;
template <class Header>
concept is_omitted = !requires { sizeof(Header); };
template <bool Included> struct mma_header_check {
  static_assert(Included,
                "mma: add #include <axe/cuda/mma/mma.hpp>, or wgmma.hpp or tcgen05.hpp, which "
                "axe/cuda.hpp omits to save compile time");
  using rejected = void;
};
template <bool Included> struct wgmma_header_check {
  static constexpr bool passed = Included;
  static_assert(Included,
                "this product is by wgmma: add #include <axe/cuda/mma/wgmma.hpp>, which "
                "axe/cuda.hpp omits to save compile time");
  using rejected = void;
};
}  // namespace detail

template <class C, class A, class B, detail::is_omitted Header = detail::mma_header>
__device__ detail::mma_header_check<detail::never<C>> mma(C&, A const&, B const&, bool = true);
template <class C, class A, class B, detail::is_omitted Header = detail::mma_header>
__device__ detail::wgmma_header_check<detail::never<C>> mma_async(C&, A&&, B const&, bool = true);

/// tcgen05.hpp defines tensor_memory_tile, and tensor_memory for Header = void.
template <class T, class L, class S, int Ctas = 1> struct tensor_memory_tile;
template <int Columns, int Ctas = 1, class Header = void> class tensor_memory {
  static_assert(detail::never<Header>,
                "tensor_memory: add #include <axe/cuda/mma/tcgen05.hpp>, which axe/cuda.hpp omits "
                "to save compile time");

 public:
  __device__ explicit tensor_memory(unsigned&);
};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
