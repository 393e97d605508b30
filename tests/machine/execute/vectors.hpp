// Chooses vector code at run time: a function is compiled for AVX2 and for any processor.
//
//     MACHINE_AVX2 static void wide(...) { body(...); }
//
// `flatten` inlines all callees of the body. Otherwise the linker could choose an AVX version of an
// inline function for all callers. Both versions give the same bits.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define MACHINE_HAS_VECTORS 1
#define MACHINE_AVX2 [[gnu::target("avx2,fma,bmi,bmi2"), gnu::flatten]]
#else
#define MACHINE_HAS_VECTORS 0
#endif

namespace machine {

enum class vector_set : std::uint8_t { plain, avx2 };

/// Returns the set of this processor, or `plain` if the environment variable AXE_MACHINE_VECTORS is
/// plain.
vector_set best_vectors();

char const* name_of(vector_set which);

}  // namespace machine
