// Instructions that hand-written kernels use through inline assembly, as their sources do.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace by_hand {

__device__ __forceinline__ unsigned shared_address(void const* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
template <int Further> __device__ __forceinline__ void cp_async(unsigned to, void const* from) {
  asm volatile("cp.async.cg.shared.global [%0+%1], [%2], 16;" ::"r"(to), "n"(Further), "l"(from)
               : "memory");
}
/// Copies 16 bytes if `copies`, otherwise stores zeros.
template <int Further>
__device__ __forceinline__ void cp_async_or_zero(unsigned to, void const* from, bool copies) {
  asm volatile("cp.async.cg.shared.global [%0+%1], [%2], 16, %3;" ::"r"(to), "n"(Further),
               "l"(from), "r"(copies ? 16 : 0)
               : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Left> __device__ __forceinline__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
}
__device__ __forceinline__ void ldmatrix(unsigned (&r)[4], unsigned at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
}
template <int Further>
__device__ __forceinline__ void ldmatrix_trans(unsigned (&r)[4], unsigned at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4+%5];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at), "n"(Further)
               : "memory");
}
__device__ __forceinline__ void mma(float (&c)[4], unsigned const (&a)[4], unsigned b0,
                                    unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
/// Packs two floats as halves into one word.
__device__ __forceinline__ unsigned pack(float low, float high) {
  unsigned word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
}
__device__ __forceinline__ float2 unpack(unsigned word) {
  return __half22float2(reinterpret_cast<__half2 const&>(word));
}
/// Signed byte I of a word as a float. ptxas merges bfe into the conversion, unlike the 16-bit
/// operations of nvcc.
template <int I> __device__ __forceinline__ float byte_of(unsigned word) {
  int byte;
  asm("bfe.s32 %0, %1, %2, 8;" : "=r"(byte) : "r"(word), "n"(8 * I));
  return static_cast<float>(byte);
}

/// One 128-bit store. nvcc makes four 32-bit stores of the same store in C++.
__device__ __forceinline__ void store(void* to, unsigned const (&v)[4]) {
  asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(to), "r"(v[0]), "r"(v[1]), "r"(v[2]),
               "r"(v[3])
               : "memory");
}
/// The pointer p plus a number of bytes.
template <class T> __device__ __forceinline__ T* plus_bytes(T* p, std::uint64_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(p)) +
                              bytes);
}
/// The pointer p plus Steps * bytes. After a bounds test, nvcc would forget that `bytes` has 32
/// bits and multiply in 64 bits. The empty asm prevents this.
template <unsigned Steps, class T> __device__ __forceinline__ T* plus_steps(T* p, unsigned bytes) {
  if constexpr (Steps != 0) asm("" : "+r"(bytes));
  return plus_bytes(p, std::uint64_t{bytes} * Steps);
}

template <int Value> struct number {
  __device__ __forceinline__ constexpr operator int() const { return Value; }
};
/// Calls visit(0), …, visit(N - 1) with constants. In a loop, nvcc would repeat multiplications
/// under predicates.
template <int N, int I = 0, class Visit> __device__ __forceinline__ void each(Visit const& visit) {
  if constexpr (I < N) {
    visit(number<I>{});
    each<N, I + 1>(visit);
  }
}

// From sm_100 on, one instruction adds or multiplies two floats.
__device__ __forceinline__ float2 sum_of(float2 a, float2 b) {
#if __CUDA_ARCH__ >= 1000
  return __fadd2_rn(a, b);
#else
  return {a.x + b.x, a.y + b.y};
#endif
}
__device__ __forceinline__ float2 product_of(float2 a, float2 b) {
#if __CUDA_ARCH__ >= 1000
  return __fmul2_rn(a, b);
#else
  return {a.x * b.x, a.y * b.y};
#endif
}

}  // namespace by_hand
