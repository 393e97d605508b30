// Decodes the matrix descriptor of wgmma (PTX ISA, "Matrix Descriptor Format" and "Strides" of
// asynchronous warpgroup-level matrix instructions).
//
//     bits 13-0 start >> 4    29-16 leading byte offset >> 4    45-32 stride byte offset >> 4
//     bits 51-49 base offset  63-62 mode: 0 none, 1 128 B, 2 64 B, 3 32 B     all others are 0
//
//     bf16, K-major, 128 B, SBO 1024, start 0x400: (row 1, k 8) is at 0x400 + 128 + 16 = 0x490,
//     swizzled to 0x480
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tensor/element.hpp"
#include "tensor/swizzle.hpp"

namespace machine::tensor {

/// imm-trans 0 is K-major for both operands, 1 is MN-major.
enum class major : std::uint8_t { k, mn };

struct matrix_descriptor {
  std::uint32_t start = 0;    // bytes, below 2^18
  std::uint32_t leading = 0;  // LBO in bytes
  std::uint32_t stride = 0;   // SBO in bytes
  std::uint32_t base_offset = 0;
  swizzle mode = swizzle::none;
};

matrix_descriptor decode_descriptor(std::uint64_t bits);
std::uint64_t encode_descriptor(matrix_descriptor const& descriptor);

/// Returns the address of element (row, k) in bytes. `row` counts along M or N; k counts bytes for
/// b1. Let span be the swizzle's width in bytes (16 without a swizzle), b the bytes of an element,
/// T = 16 / b and C = span / 16:
///
///     K-major, swizzled   start + row / 8 * SBO + row % 8 * span + k * b
///     K-major, none       start + row / 8 * SBO + row % 8 * 16 + k / T * LBO + k % T * b
///     MN-major, swizzled  start + row / (C T) * LBO + row % (C T) * b + k / 8 * SBO + k % 8 * span
///     MN-major, none      start + row / T * SBO + row % T * b + k / 8 * LBO + k % 8 * 16
///
/// Then the whole address is swizzled. LBO and SBO exchange roles in the last line.
constexpr std::uint32_t element_address(matrix_descriptor const& it, major order, int bytes,
                                        int row, int k) {
  auto const b = static_cast<std::uint32_t>(bytes);
  auto const r = static_cast<std::uint32_t>(row);
  auto const depth = static_cast<std::uint32_t>(k);
  std::uint32_t const chunk = 16 / b;
  std::uint32_t const span = span_of(it.mode);
  std::uint32_t const width = span / b;  // C * T
  std::uint32_t offset = 0;
  if (order == major::k) {
    offset = it.mode == swizzle::none
                 ? r / 8 * it.stride + r % 8 * 16 + depth / chunk * it.leading + depth % chunk * b
                 : r / 8 * it.stride + r % 8 * span + depth * b;
  } else {
    offset =
        it.mode == swizzle::none
            ? r / chunk * it.stride + r % chunk * b + depth / 8 * it.leading + depth % 8 * 16
            : r / width * it.leading + r % width * b + depth / 8 * it.stride + depth % 8 * span;
  }
  return swizzled(it.mode, it.start + offset, it.base_offset);
}

/// Calls visit(address, row, k) for each 16-byte chunk of one k step, which is 32 bytes of K.
template <class Visit>
void for_each_chunk(matrix_descriptor const& it, major order, element type, int rows, Visit visit) {
  // b1 is addressed in bytes, and so is k.
  int const bytes = width_of(type) < 8 ? 1 : width_of(type) / 8;
  int const chunk = 16 / bytes;
  int const depth = 32 / bytes;
  if (order == major::k) {
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < depth; k += chunk)
        visit(element_address(it, order, bytes, row, k), row, k);
  } else {
    for (int k = 0; k < depth; ++k)
      for (int row = 0; row < rows; row += chunk)
        visit(element_address(it, order, bytes, row, k), row, k);
  }
}

/// Returns a sentence if an operand of `rows` rows (64 for A, n for B) cannot be read with these
/// bits.
std::optional<std::string> refuse_descriptor(std::uint64_t bits, major order, element type,
                                             int rows, std::size_t shared_size);

/// Returns a sentence if two places of the operand have the same 16 bytes. That is legal, but
/// almost always a wrong offset.
std::optional<std::string> overlap_of(matrix_descriptor const& it, major order, element type,
                                      int rows);

}  // namespace machine::tensor
