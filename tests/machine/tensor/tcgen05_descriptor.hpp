// Decodes the descriptors of tcgen05.mma and tcgen05.cp: decode_mma reads the 32 bits of an
// instruction descriptor, decode_operand the 64 bits of a descriptor of shared memory (PTX ISA,
// "Instruction descriptor", "Shared memory descriptor").
#pragma once

#include <cstdint>
#include <string>

#include "tensor/descriptor.hpp"

namespace machine::tensor {

enum class mma_kind : std::uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };
/// Two elements of e2m1_pair share a byte. 16 elements of e2m1, e2m3 or e3m2 are packed at the
/// start of 16 bytes.
enum class mma_element : std::uint8_t {
  f16,
  bf16,
  tf32,
  e4m3,
  e5m2,
  e2m3,
  e3m2,
  e2m1,
  u8,
  s8,
  e2m1_pair
};
enum class scale_type : std::uint8_t { ue4m3, ue8m0 };
enum class mma_result : std::uint8_t { f16, f32, s32 };

char const* name_of(mma_kind kind);
char const* name_of(mma_element type);

/// Returns the bytes of an element in shared memory. An element of 4 or 6 bits counts as one byte,
/// because 16 of them are packed at the start of 16 bytes.
constexpr int bytes_of(mma_element type) {
  return type == mma_element::tf32                               ? 4
         : type == mma_element::f16 || type == mma_element::bf16 ? 2
                                                                 : 1;
}

constexpr int elements_of_chunk(mma_element type) {
  return type == mma_element::e2m1_pair ? 32 : 16 / bytes_of(type);
}
/// Returns how many stored elements of a row one product reads: two chunks of 16 bytes.
constexpr int k_of(mma_element type) { return 2 * elements_of_chunk(type); }

struct mma_instruction {
  mma_kind kind = mma_kind::f16;
  int pair = 1;                       // number of CTAs: 1 or 2
  bool is_weight_stationary = false;  // tcgen05.mma.ws
  bool is_sparse = false;             // tcgen05.mma.sp: A has half of the elements of each row
  int selector = 0;                   // of sparse A: the column of its metadata
  mma_result d = mma_result::f32;
  mma_element a = mma_element::f16, b = mma_element::f16;
  bool negate_a = false, negate_b = false;
  major a_order = major::k, b_order = major::k;
  bool saturate = false;
  int m = 0, n = 0;
  int scales = 0;  // of each row of A and B in one k step: 1, 2 or 4; 0: no block scales
  scale_type scaled_by = scale_type::ue8m0;
  int a_part = 0, b_part = 0;  // first byte of the scales in their word
};

/// Returns the number of elements of K in one product.
constexpr int depth_of(mma_instruction const& it) { return k_of(it.a) * (it.is_sparse ? 2 : 1); }
/// Returns how many chunks of 16 bytes a row of B has in one product.
constexpr int chunks_of_b(mma_instruction const& it) { return it.is_sparse ? 4 : 2; }

constexpr bool has_scales(mma_kind kind) {
  return kind == mma_kind::mxf8f6f4 || kind == mma_kind::mxf4 || kind == mma_kind::mxf4nvf4;
}

/// Decodes an instruction descriptor. Returns why the ISA has no such instruction, or an empty
/// string. `scales` is that of mma_instruction. The bits:
///
///     1-0 sparsity selector        2 A is sparse                 3 saturate
///     5-4 type of D (f16 0, f32 1, s32 2)        9-7 type of A        12-10 type of B
///     13, 14 negate A, B           15, 16 A, B are MN-major      22-17 N / 8        28-24 M / 16
///
/// With block scales: 5-4 and 30-29 parts of the words of B's and A's scales, 23 scales are UE8M0,
/// 28-27 M / 128.
std::string decode_mma(std::uint32_t bits, mma_kind kind, int pair, mma_instruction& out,
                       int scales = 0);
/// Decodes an instruction descriptor of tcgen05.mma.sp.
std::string decode_sparse_mma(std::uint32_t bits, mma_kind kind, int pair, mma_instruction& out);
/// Decodes one of tcgen05.mma.ws. Its shift of B in bits 31-30 is a hint.
std::string decode_stationary_mma(std::uint32_t bits, mma_kind kind, mma_instruction& out);

struct operand_descriptor {
  matrix_descriptor matrix;
  bool atoms_of_32 = false;
};

/// Decodes a descriptor of shared memory. Returns why no operand of `rows` rows can be read through
/// these bits, or an empty string. The bits:
///
///     13-0 start >> 4        29-16 leading byte offset >> 4        45-32 stride byte offset >> 4
///     48-46 001              51-49 base offset
///     63-61 swizzle: 0 none, 1 128 B with atoms of 32 B, 2 128 B, 4 64 B, 6 32 B
///
/// `bytes_of_row` is 32, but tcgen05.cp may read 16 bytes of each row, and B of a sparse product
/// has 64.
std::string decode_operand(std::uint64_t bits, major order, mma_element type, int rows,
                           std::size_t shared_size, operand_descriptor& out, int bytes_of_row = 32);

/// Returns the address of the chunk of 16 bytes at (row, k). With atoms of 32 B, which only
/// MN-major tf32 has, chunk m of 16 bytes along the rows lies at
///
///     start + m / 8 * LBO + m % 8 * 16 + k / 4 * SBO + k % 4 * 128,  address bits 6-5 ^= bits 8-7
///
/// descriptor.hpp has the formulas of the other modes.
constexpr std::uint32_t chunk_address(operand_descriptor const& it, major order, int bytes, int row,
                                      int k) {
  if (!it.atoms_of_32) return element_address(it.matrix, order, bytes, row, k);
  auto const chunk = static_cast<std::uint32_t>(row * bytes / 16);
  auto const depth = static_cast<std::uint32_t>(k);
  std::uint32_t const address = it.matrix.start + chunk / 8 * it.matrix.leading + chunk % 8 * 16 +
                                depth / 4 * it.matrix.stride + depth % 4 * 128;
  return address ^ ((address >> 7 & 3u) << 5);
}

/// Calls visit(address, row, k) for each chunk of 16 bytes of a k step. A K-major row has `chunks`
/// chunks, which hold neighbours along k; an MN-major chunk holds neighbours along the rows. For
/// e2m1_pair, k counts bytes.
template <class Visit>
void for_each_chunk(operand_descriptor const& it, major order, mma_element type, int rows,
                    int chunks, Visit visit) {
  int const bytes = bytes_of(type), each = 16 / bytes;
  if (order == major::k) {
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < chunks * each; k += each)
        visit(chunk_address(it, order, bytes, row, k), row, k);
  } else {
    for (int k = 0; k < chunks * each; ++k)
      for (int row = 0; row < rows; row += each)
        visit(chunk_address(it, order, bytes, row, k), row, k);
  }
}

}  // namespace machine::tensor
