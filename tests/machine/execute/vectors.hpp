// Chooses vector code at run time: a function is compiled for AVX-512, for AVX2 and for any
// processor.
//
//     MACHINE_AVX512 static void wide(...) { body(...); }
//     MACHINE_AVX2 static void half(...) { body(...); }
//
// `flatten` inlines all callees of the body. Otherwise the linker could choose an AVX version of an
// inline function for all callers. All three versions give the same bits.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define MACHINE_HAS_VECTORS 1
#if defined(__clang__)
#define MACHINE_AVX512 \
  [[gnu::target("avx2,fma,bmi,bmi2,avx512f,avx512bw,avx512vl,avx512dq"), gnu::flatten]]
#else
#define MACHINE_AVX512                                                                           \
  [[gnu::target("avx2,fma,bmi,bmi2,avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512"), \
    gnu::flatten]]
#endif
#define MACHINE_AVX2 [[gnu::target("avx2,fma,bmi,bmi2"), gnu::flatten]]
#else
#define MACHINE_HAS_VECTORS 0
#endif

namespace machine {

enum class vector_set : std::uint8_t { plain, avx2, avx512 };

/// Returns the widest set of this processor, or the narrower one that the environment variable
/// AXE_MACHINE_VECTORS names (plain, avx2).
vector_set best_vectors();

char const* name_of(vector_set which);

}  // namespace machine
