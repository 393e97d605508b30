// Assembles every n of wgmma and every type of mma.sync for sm_90a, without serialised wgmma or
// spills. mma_kernels_test.cpp checks the results.
#include <axe/cuda/mma/mma_sync.hpp>
#include <axe/cuda/mma/wgmma.hpp>

using namespace axe;
using type = element_type;
constexpr operand_major by_k = operand_major::k, by_rows = operand_major::mn;

__device__ void keep_in_place(float& word) { asm volatile("" : "+f"(word)::"memory"); }
__device__ void keep_in_place(unsigned& word) { asm volatile("" : "+r"(word)::"memory"); }

template <int N, type A, type Sum, class Word, bool FromRegisters>
__global__ void __launch_bounds__(128)
    group(Word* out, unsigned long long a, unsigned long long b, unsigned x) {
  constexpr mma_instruction i{mma_kind::wgmma, 64, N, 256 / bits_of(A)};
  constexpr mma_types t{A, A, Sum};
  constexpr int n = detail::words_of_d<i, t>;
  Word d[n]{};
  unsigned const words[4] = {x, x + 1, x + 2, x + 3};
  wgmma_fence();
  if constexpr (FromRegisters)
    wgmma<i, t, by_k>(d, words, b, true);
  else
    wgmma<i, t, by_k, bits_of(A) == 16 ? by_rows : by_k>(d, a, b, true);
  wgmma_commit();
  wgmma_wait<0>();
  for (int j = 0; j < n; ++j) keep_in_place(d[j]);
  for (int j = 0; j < n; ++j) out[threadIdx.x * n + j] = d[j];
}
#define KERNEL(N, A, SUM, WORD, REGISTERS)                                \
  template __global__ void group<N, type::A, type::SUM, WORD, REGISTERS>( \
      WORD*, unsigned long long, unsigned long long, unsigned);
#define FLOATS(N)                     \
  KERNEL(N, bf16, f32, float, false)  \
  KERNEL(N, f16, f16, unsigned, true) \
  KERNEL(N, e4m3, f32, float, true)
#define INTEGERS(N)                   \
  KERNEL(N, s8, s32, unsigned, false) \
  KERNEL(N, b1, s32, unsigned, true)
FLOATS(8)
FLOATS(16)
FLOATS(24)
FLOATS(32)
FLOATS(40)
FLOATS(48)
FLOATS(56)
FLOATS(64)
FLOATS(72)
FLOATS(80)
FLOATS(88)
FLOATS(96)
FLOATS(104)
FLOATS(112)
FLOATS(120)
FLOATS(128)
FLOATS(136)
FLOATS(144)
FLOATS(152)
FLOATS(160)
FLOATS(168)
FLOATS(176)
FLOATS(184)
FLOATS(192)
FLOATS(200)
FLOATS(208)
FLOATS(216)
FLOATS(224)
FLOATS(232)
FLOATS(240)
FLOATS(248)
FLOATS(256)
INTEGERS(8)
INTEGERS(16)
INTEGERS(24)
INTEGERS(32)
INTEGERS(48)
INTEGERS(64)
INTEGERS(80)
INTEGERS(96)
INTEGERS(112)
INTEGERS(128)
INTEGERS(144)
INTEGERS(160)
INTEGERS(176)
INTEGERS(192)
INTEGERS(208)
INTEGERS(224)
INTEGERS(240)
INTEGERS(256)

template <int M, int K, type A, type B, type Sum, class D, class W>
__device__ void one(D* out, W x) {
  D d[4];
  W a[8], b[4];
  for (int i = 0; i < 4; ++i) d[i] = out[i];
  for (int i = 0; i < 8; ++i) a[i] = x + i;
  for (int i = 0; i < 4; ++i) b[i] = x * i;
  mma_sync<mma_instruction{mma_kind::mma_sync, M, 8, K}, mma_types{A, B, Sum}>(d, a, b);
  for (int i = 0; i < 4; ++i) out[i] = d[i];
}
__global__ void warps(float* f, unsigned* u, double* e, unsigned x, double y) {
  one<16, 16, type::bf16, type::bf16, type::f32>(f, x);
  one<16, 8, type::bf16, type::bf16, type::f32>(f, x);
  one<16, 16, type::f16, type::f16, type::f32>(f, x);
  one<16, 8, type::f16, type::f16, type::f32>(f, x);
  one<16, 16, type::f16, type::f16, type::f16>(u, x);
  one<16, 8, type::f16, type::f16, type::f16>(u, x);
  one<16, 8, type::tf32, type::tf32, type::f32>(f, x);
  one<16, 4, type::tf32, type::tf32, type::f32>(f, x);
  one<16, 32, type::e4m3, type::e5m2, type::f32>(f, x);
  one<16, 32, type::e5m2, type::e4m3, type::f16>(u, x);
  one<16, 16, type::e4m3, type::e4m3, type::f32>(f, x);
  one<16, 32, type::s8, type::u8, type::s32>(u, x);
  one<16, 16, type::u8, type::s8, type::s32>(u, x);
  one<8, 16, type::u8, type::u8, type::s32>(u, x);
  one<16, 64, type::s4, type::u4, type::s32>(u, x);
  one<16, 32, type::u4, type::s4, type::s32>(u, x);
  one<8, 32, type::s4, type::s4, type::s32>(u, x);
  one<16, 256, type::b1, type::b1, type::s32>(u, x);
  one<16, 128, type::b1, type::b1, type::s32>(u, x);
  one<8, 128, type::b1, type::b1, type::s32>(u, x);
  one<8, 4, type::f64, type::f64, type::f64>(e, y);
  one<16, 4, type::f64, type::f64, type::f64>(e, y);
  one<16, 8, type::f64, type::f64, type::f64>(e, y);
  one<16, 16, type::f64, type::f64, type::f64>(e, y);
}
