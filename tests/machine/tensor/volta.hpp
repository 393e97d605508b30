// mma.sync.m8n8k4 of f16: four products in a warp (PTX ISA, "Matrix Fragments for mma.m8n8k4 with
// .f16 floating point type"). Product p belongs to lanes 4 p to 4 p + 3 and 4 p + 16 to 4 p + 19 (a
// quad pair). With upper = 4 for lanes 16 and above, t = lane % 4, and element i:
//
//     A row-major  row = t + upper, k = i          A column-major  row = i + upper, k = t
//     B row-major  k = t, column = i + upper       B column-major  k = i, column = t + upper
//     C of f16     row = t + upper, column = i
//     C of f32     row = (t & 1) + (i & 2) + upper, column = (i & 4) + (t & 2) + (i & 1)
#pragma once

#include <cstdint>

#include "tensor/fragment.hpp"

namespace machine::tensor {

struct mma_instruction;

constexpr position volta_a(bool column_major, int lane, int i) {
  int const upper = lane < 16 ? 0 : 4;
  return column_major ? position{i + upper, lane % 4} : position{lane % 4 + upper, i};
}
constexpr position volta_b(bool row_major, int lane, int i) {
  int const upper = lane < 16 ? 0 : 4;
  return row_major ? position{lane % 4, i + upper} : position{i, lane % 4 + upper};
}
constexpr position volta_c(bool is_f32, int lane, int i) {
  int const upper = lane < 16 ? 0 : 4;
  if (!is_f32) return {lane % 4 + upper, i};
  return {(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
}

void volta_mma(mma_instruction const& instruction, std::uint32_t* const* d,
               std::uint32_t const* const* a, std::uint32_t const* const* b,
               std::uint32_t const* const* c);

}  // namespace machine::tensor
