// ldmatrix, stmatrix and movmatrix of 8x8 matrices of 16-bit elements (PTX ISA, sections of the
// same names). The b8, b6 and b4 shapes of sm_100 are not supported.
//
//     lane l holds elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 (.trans: of column l / 4)
//     lane 8 q + r supplies the address of row r of matrix q: x1 lanes 0-7, x2 lanes 0-15, x4 all
//
// Addresses are offsets into the CTA's shared memory, multiples of 16. Example: x1, lane 6 holds
// row 1, columns 4 and 5, which are bytes 8 to 11 at the address of lane 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace machine::tensor {

/// Returns a sentence if a row address is misaligned or outside shared memory. The sentence names
/// the lane.
std::optional<std::string> refuse_matrix_rows(int count, std::uint32_t const* addresses,
                                              std::size_t shared_size);

/// destination[q] points to the 32 lanes of register q; count is 1, 2 or 4.
void ldmatrix(int count, bool transposed, std::span<std::byte const> shared,
              std::uint32_t const* addresses, std::uint32_t* const* destination);

void stmatrix(int count, bool transposed, std::span<std::byte> shared,
              std::uint32_t const* addresses, std::uint32_t const* const* source);

/// Computes movmatrix.trans of 32 lanes; source and destination may be the same array.
void movmatrix(std::uint32_t const* source, std::uint32_t* destination);

}  // namespace machine::tensor
