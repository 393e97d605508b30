// Reads the operands of tcgen05.mma: packs their 16-byte chunks into rows, then converts these to
// floats.
#include <algorithm>
#include <cstring>

#include "numerics/format.hpp"
#include "tensor/kernels.hpp"
#include "tensor/tcgen05_chunks.hpp"
#include "tensor/tcgen05_product.hpp"

namespace machine::tensor {
namespace {

constexpr int columns_apart = 128;

/// True if an element is narrower than a byte.
bool is_narrow(mma_element type) {
  using enum mma_element;
  return type == e2m3 || type == e3m2 || type == e2m1 || type == e2m1_pair;
}

element as_element(mma_element type) {
  switch (type) {
    case mma_element::f16: return element::f16;
    case mma_element::bf16: return element::bf16;
    case mma_element::tf32: return element::tf32;
    case mma_element::e4m3: return element::e4m3;
    case mma_element::e5m2: return element::e5m2;
    case mma_element::s8: return element::s8;
    default: return element::u8;
  }
}

int width_of_narrow(mma_element type) {
  return type == mma_element::e2m3 || type == mma_element::e3m2 ? 6 : 4;
}

/// Returns element e of those that are packed at the start of 16 bytes.
std::uint32_t packed_element(int width, std::byte const* bytes, int e) {
  std::uint64_t words[2];
  std::memcpy(words, bytes, 16);
  int const at = e * width;
  std::uint64_t bits = words[at / 64] >> (at % 64);
  if (at % 64 + width > 64) bits |= words[at / 64 + 1] << (64 - at % 64);
  return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << width) - 1));
}

/// Returns the position of an element in its byte: elements of 4 bits are in the middle.
constexpr int low_bits_of(int width) { return width == 4 ? 2 : 0; }

void decode_narrow(mma_element type, std::byte const* bytes, float* out) {
  for (int e = 0; e < elements_of_chunk(type); ++e)
    out[e] = to_float(type, packed_element(width_of_narrow(type), bytes, e));
}

/// Decodes `chunks` contiguous chunks of 16 bytes. The number must be even.
void decode(mma_element type, bool negate, int chunks, std::byte const* bytes, float* out) {
  if (is_narrow(type)) {
    for (int k = 0; k < chunks; ++k)
      decode_narrow(type, bytes + k * 16, out + k * elements_of_chunk(type));
  } else {
    static thread_local std::array<std::uint32_t, 256 * 16> words;
    std::memcpy(words.data(), bytes, static_cast<std::size_t>(chunks) * 16);
    kernels().decode_words(as_element(type), chunks * 4, words.data(), out);
  }
  if (negate)
    for (int k = 0; k < chunks * elements_of_chunk(type); ++k) out[k] = -out[k];
}

/// Computes out[column][row] = in[row][column], where lines of `in` are `stride` apart.
void transpose(float const* in, int rows, int columns, int stride, float* out) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      out[column * rows + row] = in[row * stride + column];
}

}  // namespace

float to_float(mma_element type, std::uint32_t bits) {
  switch (type) {
    case mma_element::f16: return to_float(element::f16, bits);
    case mma_element::bf16: return to_float(element::bf16, bits);
    case mma_element::tf32: return to_float(element::tf32, bits);
    case mma_element::e4m3: return to_float(element::e4m3, bits);
    case mma_element::e5m2: return to_float(element::e5m2, bits);
    case mma_element::u8: return to_float(element::u8, bits);
    case mma_element::s8: return to_float(element::s8, bits);
    // These formats have no infinity and no NaN: every encoding is a number.
    case mma_element::e2m3: return static_cast<float>(numerics::decode<numerics::e2m3>(bits));
    case mma_element::e3m2: return static_cast<float>(numerics::decode<numerics::e3m2>(bits));
    case mma_element::e2m1:
    case mma_element::e2m1_pair: return static_cast<float>(numerics::decode<numerics::e2m1>(bits));
  }
  return 0;
}

void read_operand(operand_descriptor const& from, major order, mma_element type, bool negate,
                  int rows, std::span<std::byte const> shared, bool is_a, operand_floats& out,
                  int first, int chunks_of_row) {
  static thread_local std::array<std::byte, 256 * 64 + 32 * 16> packed;
  static thread_local std::array<float, 288 * 64> flat;
  auto const chunks = chunks_of(from, order, type, rows, chunks_of_row);
  int const depth = chunks_of_row * elements_of_chunk(type),
            count = static_cast<int>(chunks->addresses.size());
  for (std::size_t k = 0; k < chunks->addresses.size(); ++k)
    std::memcpy(packed.data() + k * 16, shared.data() + chunks->addresses[k], 16);
  out.row_stride = is_a ? 1 : depth;
  out.k_stride = is_a ? rows : 1;
  float* const to = out.values.data() + first * out.row_stride;
  // MN-major lines may be longer than the rows, because they consist of whole chunks.
  int const line = order == major::k ? depth : chunks->chunks_of_line * chunks->elements;
  bool const is_direct = order == major::k ? !is_a : is_a && line == rows;
  decode(type, negate, count, packed.data(), is_direct ? to : flat.data());
  if (is_direct) return;
  if (order == major::k)
    transpose(flat.data(), rows, depth, line, to);
  else if (!is_a)
    transpose(flat.data(), depth, rows, line, to);
  else
    for (int k = 0; k < depth; ++k) std::copy_n(flat.data() + k * line, rows, to + k * rows);
}

void decompress(int bits, std::byte const* chunk, std::array<std::uint32_t, 4>& out) {
  if (bits == 8) {
    std::memcpy(out.data(), chunk, 16);
    return;
  }
  out = {};
  for (int e = 0; e < 16; ++e)
    out[static_cast<std::size_t>(e / 4)] |= packed_element(bits, chunk, e)
                                            << (e % 4 * 8 + low_bits_of(bits));
}

void read_tensor_operand(mma_instruction const& it, std::uint32_t const* words, int first_lane,
                         bool is_shifted, operand_floats& out) {
  static thread_local std::array<std::uint32_t, 128 * 8> packed;
  static thread_local std::array<float, 128 * 64> flat;
  int const rows = rows_of_block(it), depth = k_of(it.a);
  out.row_stride = 1;
  out.k_stride = rows;
  for (int row = 0; row < rows; ++row) {
    int const own = first_lane + lane_of_row(it, row);
    int const lane = is_shifted && own % 32 != 0 ? own - 1 : own;
    for (int w = 0; w < 8; ++w)
      packed[static_cast<std::size_t>(row * 8 + w)] = words[w * columns_apart + lane];
  }
  auto const* const bytes = reinterpret_cast<std::byte const*>(packed.data());
  if (is_narrow(it.a) && it.a != mma_element::e2m1_pair) {
    int const width = width_of_narrow(it.a), low = low_bits_of(width);
    for (int k = 0; k < rows * depth; ++k) {
      std::uint32_t const element = std::to_integer<std::uint32_t>(bytes[k]) >> low;
      float const value = to_float(it.a, element & ((1u << width) - 1));
      flat[static_cast<std::size_t>(k)] = it.negate_a ? -value : value;
    }
  } else {
    decode(it.a, it.negate_a, rows * 2, bytes, flat.data());
  }
  transpose(flat.data(), rows, depth, depth, out.values.data());
}

}  // namespace machine::tensor
