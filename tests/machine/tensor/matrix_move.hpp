// ldmatrix, stmatrix and movmatrix of 8x8 matrices of 16-bit elements (PTX ISA, "Warp-level matrix
// load instruction: ldmatrix", "stmatrix", "movmatrix").
//
//     lane l holds elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of a matrix; with .trans of column l / 4
//     lane 8 q + r gives the address of row r of matrix q; x1 reads lanes 0-7, x2 lanes 0-15, x4 all of them
//
//     x1, lane 6: row 1, columns 4 and 5 = bytes 8..11 behind the address that lane 1 gives
//
// Addresses are offsets into the shared memory of the CTA and point to 16 bytes, aligned to 16. The
// b8, b6 and b4 shapes (m16n16, m8n16) need sm_100 and are not here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace machine::tensor {

/// The lane whose row address is misaligned or not inside shared memory, in a sentence.
std::optional<std::string> refuse_matrix_rows(int count, std::uint32_t const* addresses,
                                              std::size_t shared_size);

/// destination[q] points to the 32 lanes of register q; count is 1, 2 or 4.
void ldmatrix(int count, bool transposed, std::span<std::byte const> shared,
              std::uint32_t const* addresses, std::uint32_t* const* destination);

void stmatrix(int count, bool transposed, std::span<std::byte> shared,
              std::uint32_t const* addresses, std::uint32_t const* const* source);

/// movmatrix.trans: 32 lanes to 32 lanes, which may be the same array.
void movmatrix(std::uint32_t const* source, std::uint32_t* destination);

}  // namespace machine::tensor
