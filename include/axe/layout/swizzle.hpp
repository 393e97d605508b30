// SPDX-License-Identifier: MIT
// A swizzle: an XOR permutation of linear addresses, counted in elements.
//
//     x = m >> M,  y = x ^ ((x >> S) & (2^B - 1)), or x ^ ((x & (2^B - 1)) << -S) for S < 0
//     f(m) = y << M | low M bits of m
//
// CuTe writes B, M, S. Addresses may be negative. Definition: docs/algebra.md, D16.
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct swizzle {
  int M = 0;
  int B = 0;
  int S = 0;

  constexpr bool operator==(swizzle const&) const = default;

  AXE_FN constexpr bool none() const { return B == 0; }

  AXE_FN constexpr bool valid() const {
    if (B == 0) return M == 0 && S == 0;
    return M >= 0 && B > 0 && S != 0 && M <= 48 && B <= 48 && S <= 48 && S >= -48 &&
           M + B + (S < 0 ? -S : S) <= 48;
  }

  /// f(m + period) = f(m) + period.
  AXE_FN constexpr integer period() const { return integer{1} << (M + B + (S < 0 ? -S : S)); }

  /// f maps each range [k * block, (k + 1) * block) to itself.
  AXE_FN constexpr integer block() const { return integer{1} << (M + B - (S < 0 ? S : 0)); }

  AXE_FN constexpr integer operator()(integer m) const {
    if (B == 0) return m;
    integer const x = m >> M;
    integer const mask = (integer{1} << B) - 1;
    integer const moved = S > 0 ? (x >> S) & mask : (x & mask) << -S;
    return m ^ (moved << M);
  }

  /// The m with f(m) = address. f XORs in one direction: each round settles |S| more bits.
  AXE_FN constexpr integer inverse(integer address) const {
    integer m = address;
    int const settles = S < 0 ? -S : S;
    for (int settled = 0; settled < B; settled += settles) m = address ^ m ^ (*this)(m);
    return m;
  }
};

namespace detail {

/// M of the hardware's swizzles: log2 of the elements in 16 bytes.
AXE_FN constexpr int chunk_bits(int element_bits) {
  int m = 0;
  while ((element_bits << m) < 128) ++m;
  return m;
}

/// 6-bit elements are excluded: 16 bytes do not hold a power of two of them.
template <int Bits>
concept width_of_elements = Bits >= 1 && Bits <= 128 && (Bits & (Bits - 1)) == 0;

}  // namespace detail

/// The modes of TMA and wgmma for elements of Bits bits. Source: PTX ISA, "Asynchronous Warpgroup
/// Level Matrix Shared Memory Layout"; CUDA driver API, CUtensorMapSwizzle.
template <int Bits>
  requires detail::width_of_elements<Bits>
inline constexpr swizzle swizzle_32B{detail::chunk_bits(Bits), 1, 3};
template <int Bits>
  requires detail::width_of_elements<Bits>
inline constexpr swizzle swizzle_64B{detail::chunk_bits(Bits), 2, 3};
template <int Bits>
  requires detail::width_of_elements<Bits>
inline constexpr swizzle swizzle_128B{detail::chunk_bits(Bits), 3, 3};

}  // namespace AXE_NAMESPACE
}  // namespace axe
