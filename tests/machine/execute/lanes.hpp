// Makes an instruction from a scalar function: a loop over 32 lanes that the compiler vectorises.
// Lanes outside the mask keep their old values.
//
//     table.lanes("add.s32", [](std::uint32_t a, std::uint32_t b) { return a + b; });
//
// adds "add.s32". Its signature "w=ww" comes from the types of the lambda (letter_of): bool is a
// predicate, an integer a register of its width. float and double also say how literals are read.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "execute/vectors.hpp"
#include "program/table.hpp"
#include "state/warp.hpp"

// Permits vectorisation, because result and sources are the same lanes or do not overlap.
#if defined(__clang__)
#define MACHINE_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define MACHINE_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

namespace machine {

template <class T> T* lanes_of(warp& w, std::uint32_t offset) {
  return reinterpret_cast<T*>(__builtin_assume_aligned(w.registers + offset, 64));
}

inline std::uint32_t& predicate_of(warp& w, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(w.registers + offset);
}

template <class T> struct source_lanes {
  T const* at;
  source_lanes(warp& w, std::uint32_t offset) : at(lanes_of<T>(w, offset)) {}
  T operator[](unsigned lane) const { return at[lane]; }
};

template <> struct source_lanes<bool> {
  std::uint32_t mask;
  source_lanes(warp& w, std::uint32_t offset) : mask(predicate_of(w, offset)) {}
  bool operator[](unsigned lane) const { return ((mask >> lane) & 1u) != 0; }
};

/// Makes bit l of the result from byte l, which is 0 or 1.
inline std::uint32_t packed_bits(std::uint8_t const (&bytes)[32]) {
  std::uint32_t bits = 0;
  for (unsigned part = 0; part < 4; ++part) {
    std::uint64_t eight;
    __builtin_memcpy(&eight, bytes + 8 * part, 8);
    if constexpr (std::endian::native == std::endian::big) eight = __builtin_bswap64(eight);
    bits |= static_cast<std::uint32_t>((eight * 0x0102040810204080u) >> 56) << (8 * part);
  }
  return bits;
}

template <class Function, class Result, class... Sources>
void each_lane(warp& w, std::uint32_t result, std::uint32_t mask, Sources... sources) {
  Function const function{};
  if constexpr (std::is_same_v<Result, bool>) {
    alignas(32) std::uint8_t yes[32];
    MACHINE_INDEPENDENT_LANES for (unsigned lane = 0; lane < 32; ++lane) yes[lane] =
        static_cast<std::uint8_t>(function(sources[lane]...));
    std::uint32_t const bits = packed_bits(yes);
    auto& destination = predicate_of(w, result);
    destination = (destination & ~mask) | (bits & mask);
  } else {
    Result* const destination = lanes_of<Result>(w, result);
    alignas(64) Result value[32];
    auto* const to =
        static_cast<Result*>(__builtin_assume_aligned(mask == all_lanes ? destination : value, 64));
    MACHINE_INDEPENDENT_LANES for (unsigned lane = 0; lane < 32; ++lane) to[lane] =
        function(sources[lane]...);
    if (mask == all_lanes) return;
    // Keeps g++ 12 from fusing the two loops: it cannot compile the fused loop (vpminuw with a
    // mask and an operand in memory).
    __asm__ volatile("" : : "r"(value) : "memory");
    MACHINE_INDEPENDENT_LANES for (unsigned lane = 0; lane < 32; ++lane) destination[lane] =
        ((mask >> lane) & 1u) != 0 ? value[lane] : destination[lane];
  }
}

/// A function object may name a faster one as `with_fma`, which needs a processor with FMA and
/// gives the same results.
template <class Function> struct faster {
  using type = Function;
};
template <class Function>
  requires requires { typename Function::with_fma; }
struct faster<Function> {
  using type = typename Function::with_fma;
};

template <class Function, class Result, class... Sources> struct lanewise {
  static void plain(warp& w, instruction const& i, std::uint32_t mask) {
    expand<Function>(w, i, mask, std::index_sequence_for<Sources...>{});
  }
#if MACHINE_HAS_VECTORS
  MACHINE_AVX2 static void avx2(warp& w, instruction const& i, std::uint32_t mask) {
    expand<typename faster<Function>::type>(w, i, mask, std::index_sequence_for<Sources...>{});
  }
#endif
  template <class Chosen, std::size_t... N>
  static void expand(warp& w, instruction const& i, std::uint32_t mask, std::index_sequence<N...>) {
    each_lane<Chosen, Result>(w, i.at[0], mask, source_lanes<Sources>(w, i.at[N + 1])...);
  }
  static handler chosen(vector_set which) {
#if MACHINE_HAS_VECTORS
    if (which == vector_set::avx2) return &avx2;
#endif
    static_cast<void>(which);
    return &plain;
  }
};

/// Compiles Body::run(w, i, mask) for each set of vector instructions.
template <class Body> struct compiled {
  static void plain(warp& w, instruction const& i, std::uint32_t mask) { Body::run(w, i, mask); }
#if MACHINE_HAS_VECTORS
  MACHINE_AVX2 static void avx2(warp& w, instruction const& i, std::uint32_t mask) {
    Body::run(w, i, mask);
  }
#endif
  static handler chosen(vector_set which) {
#if MACHINE_HAS_VECTORS
    if (which == vector_set::avx2) return &avx2;
#endif
    static_cast<void>(which);
    return &plain;
  }
};

template <class T> constexpr char letter_of() {
  if constexpr (std::is_same_v<T, bool>)
    return 'p';
  else if constexpr (std::is_same_v<T, float>)
    return 'f';
  else if constexpr (std::is_same_v<T, double>)
    return 'g';
  else if constexpr (sizeof(T) == 1)
    return 'b';
  else if constexpr (sizeof(T) == 2)
    return 'h';
  else if constexpr (sizeof(T) == 4)
    return 'w';
  else
    return 'l';
}

template <class Function, class Result, class... Sources>
table_row row_for(std::string name, vector_set which, Result (Function::*)(Sources...) const) {
  static_assert(sizeof...(Sources) <= 5 && std::is_empty_v<Function>);
  table_row row;
  row.name = std::move(name);
  row.signature = std::string{letter_of<Result>(), '='} + std::string{letter_of<Sources>()...};
  row.run = lanewise<Function, Result, Sources...>::chosen(which);
  return row;
}

template <class Function> void opcode_table::lanes(std::string name, Function) {
  add(row_for<Function>(std::move(name), vectors(), &Function::operator()));
}

/// Calls `visit(lane)` for every lane of the mask, lowest first.
template <class Visit> void for_lanes(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace machine
