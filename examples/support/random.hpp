// Draws normal random numbers that are the same on every machine. It mixes a counter into uniform
// numbers, and turns two of these into two normal ones (Box and Muller).
//
//     example::normal<float>(1000, seed)           mean 0, deviation 1
//
// Element k depends on the seed and k alone. Only 2^22 numbers are computed, so that 16384 x 16384
// numbers take a second. Each further block of 2^22 elements has the same numbers, rotated by 7919
// more positions than the block before.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace example {

/// The mixing function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators").
inline std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
/// A uniform random number in (0, 1].
inline double uniform(std::uint64_t seed, std::uint64_t k) {
  return static_cast<double>((mixed(mixed(seed) + k) >> 11) + 1) * 0x1p-53;
}

template <class T> std::vector<T> normal(long long count, std::uint64_t seed, float scale = 1) {
  constexpr std::size_t distinct = 1u << 22;
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < values.size() && k < distinct; k += 2) {
    double const radius = std::sqrt(-2 * std::log(uniform(seed, k)));
    double const angle = 2 * std::numbers::pi * uniform(seed, k + 1);
    values[k] = T(scale * static_cast<float>(radius * std::cos(angle)));
    if (k + 1 < values.size())
      values[k + 1] = T(scale * static_cast<float>(radius * std::sin(angle)));
  }
  for (std::size_t k = distinct; k < values.size(); ++k)
    values[k] = values[(k + 7919 * (k / distinct)) % distinct];
  return values;
}

}  // namespace example
