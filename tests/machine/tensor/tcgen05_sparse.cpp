#include "tensor/tcgen05_sparse.hpp"

#include <algorithm>

namespace machine::tensor {
namespace {

constexpr int rows = 128, columns_apart = 128;

struct metadata_place {
  int lane, bit;
};

metadata_place place_of(mma_instruction const& it, int row, int group) {
  if (columns_of_metadata(it) == 2) return {row, 4 * group};
  return {row % 8 + row / 16 * 16 + group / 4 * 8, row / 8 % 2 * 16 + group % 4 * 4};
}

bool is_legal(mma_instruction const& it, std::uint32_t bits) {
  if (it.kind == mma_kind::tf32) return bits == 0x4 || bits == 0xe;
  constexpr std::uint32_t legal[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0x6, 0xe};
  return std::find(std::begin(legal), std::end(legal), bits) != std::end(legal);
}

}  // namespace

std::string read_metadata(mma_instruction const& it, std::uint32_t const* words,
                          stored_positions& out) {
  int const size = it.kind == mma_kind::tf32 ? 2 : 4;
  for (int row = 0; row < rows; ++row)
    for (int group = 0; group < depth_of(it) / size; ++group) {
      auto const [lane, bit] = place_of(it, row, group);
      std::uint32_t const bits = words[bit / 32 * columns_apart + lane] >> bit % 32 & 15u;
      if (!is_legal(it, bits))
        return "the metadata of row " + std::to_string(row) + ", elements " +
               std::to_string(group * size) + " to " + std::to_string(group * size + size - 1) +
               " is " + std::to_string(bits) + " (lane " + std::to_string(lane) +
               "), which names no elements";
      auto const position = [&](std::uint32_t within) {
        return static_cast<std::uint8_t>(static_cast<std::uint32_t>(group * size) + within);
      };
      auto* const to = out.data() + row;
      if (it.kind == mma_kind::tf32) {
        to[group * rows] = position(bits >> 3);
        continue;
      }
      to[2 * group * rows] = position(bits & 3u);
      to[(2 * group + 1) * rows] = position(bits >> 2);
    }
  return {};
}

void expand(mma_instruction const& it, stored_positions const& at, operand_floats& a) {
  static thread_local std::array<float, rows * 64> stored;
  int const count = k_of(it.a);
  std::copy_n(a.values.begin(), rows * count, stored.begin());
  std::fill_n(a.values.begin(), rows * depth_of(it), 0.0f);
  for (int k = 0; k < count; ++k)
    for (int row = 0; row < rows; ++row) {
      auto const from = static_cast<std::size_t>(k * rows + row);
      a.values[at[from] * std::size_t{rows} + static_cast<std::size_t>(row)] = stored[from];
    }
}

}  // namespace machine::tensor
