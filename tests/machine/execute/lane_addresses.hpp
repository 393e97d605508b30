// Checks the 32 addresses of a warp's memory access, and loads or stores all lanes' registers.
//
//     low, high, bits     smallest, largest and OR of all addresses, to check bounds and alignment
//     uniform             one access serves every lane
//     contiguous          one block: lane l at low + l * size
//     scattered           each lane has its own access
//
// Loops have 32 iterations and no branches, so that compilers vectorise them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "execute/lanes.hpp"

// Unrolls the 32 accesses of scattered lanes.
#if defined(__clang__)
#define MACHINE_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define MACHINE_UNROLLED _Pragma("GCC unroll 8")
#endif

namespace machine {

/// Lanes outside the mask get the address of the first lane in the mask.
template <class Address> struct lane_addresses {
  alignas(64) Address of[32];
  Address low, high, bits;

  lane_addresses(Address const* base, Address offset, std::uint32_t mask) {
    if (mask == all_lanes) {
      for (unsigned lane = 0; lane < 32; ++lane) of[lane] = base[lane] + offset;
    } else {
      Address const stand_in = base[std::countr_zero(mask)] + offset;
      for (unsigned lane = 0; lane < 32; ++lane)
        of[lane] = ((mask >> lane) & 1u) != 0 ? base[lane] + offset : stand_in;
    }
    Address least = of[0], most = of[0], any = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      least = of[lane] < least ? of[lane] : least;
      most = of[lane] > most ? of[lane] : most;
      any |= of[lane];
    }
    low = least;
    high = most;
    bits = any;
  }

  [[nodiscard]] bool is_uniform() const { return low == high; }
  [[nodiscard]] bool is_contiguous(std::uint32_t size) const {
    if (high - low != Address{31} * size) return false;
    Address wrong = 0;
    for (unsigned lane = 0; lane < 32; ++lane) wrong |= of[lane] ^ (low + Address{lane} * size);
    return wrong == 0;
  }
};

/// The arrangement of an access in memory.
enum class arrangement : std::uint8_t { uniform, contiguous, scattered };

template <class Address>
arrangement arrangement_of(lane_addresses<Address> const& at, std::uint32_t size,
                           std::uint32_t mask) {
  if (at.is_uniform()) return arrangement::uniform;
  return mask == all_lanes && at.is_contiguous(size) ? arrangement::contiguous
                                                     : arrangement::scattered;
}

/// True if every byte of every lane's access has been written. The shadow byte of an address is at
/// `shadow + address`.
template <class Address, std::uint32_t size>
bool all_written(lane_addresses<Address> const& at, arrangement how, std::uint64_t shadow) {
  using word = std::conditional_t<
      size == 1, std::uint8_t,
      std::conditional_t<size == 2, std::uint16_t,
                         std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;
  constexpr unsigned words = size / sizeof(word);
  constexpr auto full = static_cast<word>(~word{0});
  word seen = full;
  if (how == arrangement::uniform) {
    auto const* const from = reinterpret_cast<word const*>(shadow + at.low);
    for (unsigned k = 0; k < words; ++k) seen = static_cast<word>(seen & from[k]);
  } else if (how == arrangement::contiguous) {
    auto const* const from = reinterpret_cast<word const*>(shadow + at.low);
    for (unsigned k = 0; k < 32 * words; ++k) seen = static_cast<word>(seen & from[k]);
  } else {
    MACHINE_UNROLLED for (unsigned lane = 0; lane < 32; ++lane) {
      auto const* const from = reinterpret_cast<word const*>(shadow + at.of[lane]);
      for (unsigned k = 0; k < words; ++k) seen = static_cast<word>(seen & from[k]);
    }
  }
  return seen == full;
}

/// Loads registers. The first byte of a lane is at `memory + address`.
template <class T, unsigned count, class Address>
void load_lanes(warp& w, std::uint32_t const* to, std::uint32_t mask,
                lane_addresses<Address> const& at, arrangement how, std::uint64_t memory) {
  T* result[count];
  for (unsigned k = 0; k < count; ++k) result[k] = lanes_of<T>(w, to[k]);
  if (mask != all_lanes) {
    for_lanes(mask, [&](unsigned lane) {
      auto const* const from = reinterpret_cast<T const*>(memory + at.of[lane]);
      for (unsigned k = 0; k < count; ++k) result[k][lane] = from[k];
    });
  } else if (how == arrangement::uniform) {
    auto const* const from = reinterpret_cast<T const*>(memory + at.low);
    for (unsigned k = 0; k < count; ++k) {
      T const value = from[k];
      MACHINE_INDEPENDENT_LANES for (unsigned lane = 0; lane < 32; ++lane) result[k][lane] = value;
    }
  } else if (how == arrangement::contiguous) {
    auto const* const from = reinterpret_cast<T const*>(memory + at.low);
    for (unsigned k = 0; k < count; ++k)
      MACHINE_INDEPENDENT_LANES for (unsigned lane = 0; lane < 32; ++lane) result[k][lane] =
          from[lane * count + k];
  } else {
    MACHINE_UNROLLED for (unsigned lane = 0; lane < 32; ++lane) {
      auto const* const from = reinterpret_cast<T const*>(memory + at.of[lane]);
      for (unsigned k = 0; k < count; ++k) result[k][lane] = from[k];
    }
  }
}

/// Stores registers and marks the bytes as written. If lanes write the same place, the highest lane
/// wins.
template <class T, unsigned count, class Address>
void store_lanes(warp& w, std::uint32_t const* from, std::uint32_t mask,
                 lane_addresses<Address> const& at, arrangement how, std::uint64_t memory,
                 std::uint64_t shadow) {
  constexpr std::uint32_t size = sizeof(T) * count;
  T const* value[count];
  for (unsigned k = 0; k < count; ++k) value[k] = lanes_of<T>(w, from[k]);
  if (how == arrangement::contiguous) {
    auto* const to = reinterpret_cast<T*>(memory + at.low);
    for (unsigned k = 0; k < count; ++k)
      MACHINE_INDEPENDENT_LANES for (unsigned lane = 0; lane < 32; ++lane) to[lane * count + k] =
          value[k][lane];
    __builtin_memset(reinterpret_cast<std::byte*>(shadow + at.low), 0xff, 32 * size);
    return;
  }
  for_lanes(mask, [&](unsigned lane) {
    auto* const to = reinterpret_cast<T*>(memory + at.of[lane]);
    for (unsigned k = 0; k < count; ++k) to[k] = value[k][lane];
    __builtin_memset(reinterpret_cast<std::byte*>(shadow + at.of[lane]), 0xff, size);
  });
}

}  // namespace machine
