// Implements matrix_move.hpp with 8x8 arrays of 16-bit elements.
#include "tensor/matrix_move.hpp"

#include <cstring>

namespace machine::tensor {
namespace {

using matrix = std::uint16_t[8][8];

void to_lanes(matrix const& from, bool transposed, std::uint32_t* lanes) {
  for (int lane = 0; lane < 32; ++lane) {
    int const line = lane / 4;
    int const first = 2 * (lane % 4);
    std::uint32_t const low = transposed ? from[first][line] : from[line][first];
    std::uint32_t const high = transposed ? from[first + 1][line] : from[line][first + 1];
    lanes[lane] = high << 16 | low;
  }
}

void from_lanes(std::uint32_t const* lanes, bool transposed, matrix& to) {
  for (int lane = 0; lane < 32; ++lane) {
    int const line = lane / 4;
    int const first = 2 * (lane % 4);
    (transposed ? to[first][line] : to[line][first]) = static_cast<std::uint16_t>(lanes[lane]);
    (transposed ? to[first + 1][line] : to[line][first + 1]) =
        static_cast<std::uint16_t>(lanes[lane] >> 16);
  }
}

}  // namespace

std::optional<std::string> refuse_matrix_rows(int count, std::uint32_t const* addresses,
                                              std::size_t shared_size) {
  for (int lane = 0; lane < 8 * count; ++lane) {
    std::uint32_t const address = addresses[lane];
    if (address % 16 == 0 && std::size_t{address} + 16 <= shared_size) continue;
    return "lane " + std::to_string(lane) + " gives row address " + std::to_string(address) +
           (address % 16 != 0 ? ", which is not a multiple of 16"
                              : ", which is outside the " + std::to_string(shared_size) +
                                    " bytes of shared memory");
  }
  return std::nullopt;
}

void ldmatrix(int count, bool transposed, std::span<std::byte const> shared,
              std::uint32_t const* addresses, std::uint32_t* const* destination) {
  // Reads everything before it writes, because a destination register may hold the addresses.
  matrix loaded[4];
  for (int row = 0; row < 8 * count; ++row)
    std::memcpy(loaded[row / 8][row % 8], shared.data() + addresses[row], 16);
  for (int q = 0; q < count; ++q) to_lanes(loaded[q], transposed, destination[q]);
}

void stmatrix(int count, bool transposed, std::span<std::byte> shared,
              std::uint32_t const* addresses, std::uint32_t const* const* source) {
  for (int q = 0; q < count; ++q) {
    matrix stored;
    from_lanes(source[q], transposed, stored);
    for (int row = 0; row < 8; ++row)
      std::memcpy(shared.data() + addresses[8 * q + row], stored[row], 16);
  }
}

void movmatrix(std::uint32_t const* source, std::uint32_t* destination) {
  matrix whole;
  from_lanes(source, false, whole);
  to_lanes(whole, true, destination);
}

}  // namespace machine::tensor
