// Helpers of the tensor tests: reproducible bits, decoding by definition, and a comparison that is
// itself tested.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerics/format.hpp"
#include "tensor/element.hpp"

namespace machine::tensor::test {

class bit_stream {
 public:
  explicit bit_stream(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  int below(int end) { return static_cast<int>(next() % static_cast<std::uint64_t>(end)); }

 private:
  std::uint64_t state_;
};

/// Returns the value of an element by the format's definition, independent of the decoders under
/// test.
inline double number(element type, std::uint64_t bits) {
  auto const low = static_cast<std::uint32_t>(bits);
  switch (type) {
    case element::f16: return numerics::decode<numerics::f16>(low & 0xffff);
    case element::bf16: return numerics::decode<numerics::bf16>(low & 0xffff);
    case element::tf32: return numerics::decode<numerics::tf32>(low >> 13);
    case element::f32: return numerics::decode<numerics::f32>(low);
    case element::f64: return std::bit_cast<double>(bits);
    case element::e4m3: return numerics::decode<numerics::e4m3>(low & 0xff);
    case element::e5m2: return numerics::decode<numerics::e5m2>(low & 0xff);
    case element::s8:
      return (low & 0x80) != 0 ? static_cast<double>(low & 0xff) - 256.0 : low & 0xff;
    case element::u8: return low & 0xff;
    case element::s4: return (low & 8) != 0 ? static_cast<double>(low & 15) - 16.0 : low & 15;
    case element::u4: return low & 15;
    case element::b1: return low & 1;
    case element::s32: return static_cast<std::int32_t>(low);
  }
  return 0;
}

/// Returns an element with a small integer value: sums of products are exact in each type.
inline std::uint64_t whole(element type, int value) {
  switch (type) {
    case element::f16: return numerics::encode<numerics::f16>(value, numerics::rounding::rn);
    case element::bf16: return numerics::encode<numerics::bf16>(value, numerics::rounding::rn);
    case element::e4m3: return numerics::encode<numerics::e4m3>(value, numerics::rounding::rn);
    case element::e5m2: return numerics::encode<numerics::e5m2>(value, numerics::rounding::rn);
    case element::f32: return numerics::encode<numerics::f32>(value, numerics::rounding::rn);
    // The lower 13 bits of tf32 are ignored; here they are never zero.
    case element::tf32:
      return numerics::encode<numerics::f32>(value, numerics::rounding::rn) | 0x1234u;
    case element::f64: return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    case element::b1: return static_cast<std::uint64_t>(value & 1);
    case element::s4:
    case element::u4: return static_cast<std::uint64_t>(value & 15);
    case element::s8:
    case element::u8: return static_cast<std::uint64_t>(value & 255);
    default: return static_cast<std::uint32_t>(value);
  }
}

inline std::uint64_t mask_of(element type) {
  return width_of(type) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_of(type)) - 1;
}

/// Returns the first register and lane that differ, as text.
template <class Word>
std::optional<std::string> first_difference(std::vector<std::vector<Word>> const& got,
                                            std::vector<std::vector<Word>> const& want) {
  for (std::size_t r = 0; r < want.size(); ++r)
    for (std::size_t lane = 0; lane < want[r].size(); ++lane)
      if (got[r][lane] != want[r][lane])
        return "register " + std::to_string(r) + ", lane " + std::to_string(lane) + ": " +
               std::to_string(got[r][lane]) + ", expected " + std::to_string(want[r][lane]);
  return std::nullopt;
}

/// Flips each bit of each lane of each register: true if the comparison notices every flip.
template <class Word> bool notices_each_flipped_bit(std::vector<std::vector<Word>> const& want) {
  auto got = want;
  for (auto& lanes : got)
    for (Word& word : lanes)
      for (int bit = 0; bit < static_cast<int>(sizeof(Word)) * 8; ++bit) {
        word ^= Word{1} << bit;
        if (!first_difference(got, want)) return false;
        word ^= Word{1} << bit;
      }
  return !first_difference(got, want);
}

}  // namespace machine::tensor::test
