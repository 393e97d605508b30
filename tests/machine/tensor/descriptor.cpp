// Decodes and checks the matrix descriptors of descriptor.hpp.
#include "tensor/descriptor.hpp"

#include <algorithm>
#include <unordered_map>

namespace machine::tensor {
namespace {

std::string hexadecimal(std::uint64_t value) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + digits;
}

// Returns an upper bound of the operand's addresses: each term of element_address at its largest.
// The swizzle stays inside 128 bytes.
std::uint64_t bound_of(matrix_descriptor const& it, major order, int bytes, int rows) {
  std::uint64_t const span = span_of(it.mode);
  auto const last = static_cast<std::uint64_t>(rows - 1);
  auto const chunk = 16 / static_cast<std::uint64_t>(bytes);
  std::uint64_t offset = 0;
  if (it.mode == swizzle::none)
    offset = order == major::k ? last / 8 * it.stride + it.leading + 128
                               : last / chunk * it.stride + it.leading + 128;
  else if (order == major::k)
    offset = last / 8 * it.stride + 7 * span + 32;
  else
    offset = last / (span / static_cast<std::uint64_t>(bytes)) * it.leading + it.stride + 8 * span;
  return (it.start + offset + 127) / 128 * 128;
}

std::string place(major order, int row, int k) {
  return (order == major::k ? "row " : "row (of M or N) ") + std::to_string(row) + ", k " +
         std::to_string(k);
}

}  // namespace

matrix_descriptor decode_descriptor(std::uint64_t bits) {
  constexpr swizzle modes[] = {swizzle::none, swizzle::b128, swizzle::b64, swizzle::b32};
  auto const bytes = [&](int shift) {
    return static_cast<std::uint32_t>((bits >> shift) & 0x3fff) << 4;
  };
  return {bytes(0), bytes(16), bytes(32), static_cast<std::uint32_t>((bits >> 49) & 7),
          modes[bits >> 62]};
}

std::uint64_t encode_descriptor(matrix_descriptor const& it) {
  constexpr std::uint64_t modes[] = {0, 3, 2, 1};
  auto const field = [](std::uint32_t bytes) {
    return static_cast<std::uint64_t>((bytes & 0x3ffff) >> 4);
  };
  return field(it.start) | field(it.leading) << 16 | field(it.stride) << 32 |
         static_cast<std::uint64_t>(it.base_offset & 7) << 49 |
         modes[static_cast<int>(it.mode)] << 62;
}

std::optional<std::string> refuse_descriptor(std::uint64_t bits, major order, element type,
                                             int rows, std::size_t shared_size) {
  constexpr std::uint64_t used =
      0x3fff | 0x3fffull << 16 | 0x3fffull << 32 | 7ull << 49 | 3ull << 62;
  if ((bits & ~used) != 0)
    return "the matrix descriptor " + hexadecimal(bits) +
           " has bits set that must be 0: " + hexadecimal(bits & ~used);
  if (order == major::mn && !is_16_bit_float(type))
    return std::string("an operand of ") + machine::tensor::name_of(type) +
           " must be K-major: only f16 and bf16 can be transposed";
  matrix_descriptor const it = decode_descriptor(bits);
  if (it.base_offset != 0 && it.mode == swizzle::none)
    return "the matrix descriptor " + hexadecimal(bits) +
           " has a base offset, which without swizzle has no meaning";
  // Usually the bound is inside shared memory; otherwise each chunk is checked.
  if (bound_of(it, order, std::max(1, width_of(type) / 8), rows) <= shared_size)
    return std::nullopt;
  std::optional<std::string> refusal;
  for_each_chunk(it, order, type, rows, [&](std::uint32_t address, int row, int k) {
    if (refusal || std::size_t{address} + 16 <= shared_size) return;
    refusal = place(order, row, k) + " of the operand lies at " + hexadecimal(address) +
              ", outside the " + std::to_string(shared_size) + " bytes of shared memory (start " +
              hexadecimal(it.start) + ", leading byte offset " + std::to_string(it.leading) +
              ", stride byte offset " + std::to_string(it.stride) + ", " + name_of(it.mode) + ")";
  });
  return refusal;
}

std::optional<std::string> overlap_of(matrix_descriptor const& it, major order, element type,
                                      int rows) {
  std::unordered_map<std::uint32_t, std::pair<int, int>> seen;
  std::optional<std::string> found;
  for_each_chunk(it, order, type, rows, [&](std::uint32_t address, int row, int k) {
    auto const [first, fresh] = seen.try_emplace(address, row, k);
    if (fresh || found) return;
    found = place(order, first->second.first, first->second.second) + " and " +
            place(order, row, k) + " of the operand are the same 16 bytes at " +
            hexadecimal(address) + " (leading byte offset " + std::to_string(it.leading) +
            ", stride byte offset " + std::to_string(it.stride) + ", " + name_of(it.mode) + ")";
  });
  return found;
}

}  // namespace machine::tensor
