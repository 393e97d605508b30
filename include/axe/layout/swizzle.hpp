// A swizzle: an XOR permutation of linear memory addresses, counted in elements.
//
//     x = m >> M,   f(x) = x ^ ((x >> S) & (2^B - 1)),   address = f(x) << M | low M bits of m        (S > 0, inner)
//                   f(x) = x ^ ((x & (2^B - 1)) << -S)                                                 (S < 0, outer)
//
// swizzle{3, 3, 3} is the 128-byte mode for 16-bit elements: chunks of 8 elements, three bits of
// the row XORed into three bits of the chunk. Order M, B, S, as the TIRx page writes it; CuTe
// writes B, M, S. With B = 0 nothing moves. A negative address is taken modulo the period, f(m +
// period) = f(m) + period, which is what two's complement does.
// Definition: docs/algebra.md, D16.
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct swizzle {
  int M = 0;
  int B = 0;
  int S = 0;

  AXE_FN friend constexpr bool operator==(swizzle const&, swizzle const&) = default;

  /// Nothing is swizzled: the layout is plain.
  AXE_FN constexpr bool none() const { return B == 0; }

  /// M and B are not negative, S is not 0, and the period 2^(M + B + |S|) leaves room in 64 bits.
  AXE_FN constexpr bool valid() const {
    if (B == 0) return M == 0 && S == 0;
    return M >= 0 && B > 0 && S != 0 && M <= 48 && B <= 48 && S <= 48 && S >= -48 &&
           M + B + (S < 0 ? -S : S) <= 48;
  }

  /// f(m + period) = f(m) + period for every m.
  AXE_FN constexpr integer period() const { return integer{1} << (M + B + (S < 0 ? -S : S)); }

  /// The address of m.
  AXE_FN constexpr integer operator()(integer m) const {
    if (B == 0) return m;
    integer const x = m >> M;
    integer const mask = (integer{1} << B) - 1;
    integer const moved = S > 0 ? (x >> S) & mask : (x & mask) << -S;
    return m ^ (moved << M);
  }

  /// The m that lies at an address. f only XORs bits upward or downward, so undoing it from the
  /// unmoved end converges in B / |S| + 1 rounds (one round when |S| >= B: an involution).
  AXE_FN constexpr integer inverse(integer address) const {
    if (B == 0) return address;
    integer m = address;
    for (int round = 0; round <= B; ++round) m = address ^ m ^ (*this)(m);
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

/// 16 bytes hold a power of two of such elements. 6-bit elements, say, have no such swizzle: their
/// chunk holds no whole power of two.
template <int Bits>
concept width_of_elements = Bits >= 1 && Bits <= 128 && (Bits & (Bits - 1)) == 0;

}  // namespace detail

/// The hardware's modes by the bytes they repeat in, for elements of Bits bits (a power of two up
/// to 128): 16-byte chunks, XORed by the row. `axe eval` reads them too: swizzle_128B<16> o
/// S[(64,64):(64,1)].
/// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout"; CUDA driver API,
/// CUtensorMapSwizzle.
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
