// Helpers of the tests of tcgen05.mma: small integers in the types of operands, and a kernel
// that computes one product.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {

verdict test_sparse_product(machine::table_row const& row);
verdict test_tensor_shift(machine::table_row const& row);
/// Tests a product before a shift of A and one after it, without a wait between the two
/// instructions.
verdict test_products_beside_shifts(unsigned group);

}  // namespace machine_rows

namespace machine_rows::products {

using machine::say;

struct type_row {
  char const* name;
  unsigned code;                         // in the instruction descriptor
  unsigned width;                        // bits of an element
  unsigned slot;                         // bytes of shared memory for an element; 0: 4 bits
  std::array<std::uint32_t, 4> numbers;  // the encodings of 0 to 3
};

inline constexpr type_row e4m3{"e4m3", 0, 8, 1, {0, 0x38, 0x40, 0x44}};
inline constexpr type_row e5m2{"e5m2", 1, 8, 1, {0, 0x3c, 0x40, 0x42}};
inline constexpr type_row e2m3{"e2m3", 3, 6, 1, {0, 0x08, 0x10, 0x14}};
inline constexpr type_row e3m2{"e3m2", 4, 6, 1, {0, 0x0c, 0x10, 0x12}};
inline constexpr type_row e2m1{"e2m1", 5, 4, 1, {0, 0x2, 0x4, 0x5}};

/// The numbers of columns of tensor memory that the kernel fills: D, A and both scale factors.
inline constexpr int columns = 64, columns_of_a = 8, columns_of_scales = 4, all_columns = 80;
inline constexpr std::size_t words_of_d = columns * 128, words_of_tensor = all_columns * 128;

inline std::uint32_t encoded(type_row const& type, int value) {
  bool const negative = value < 0;
  if (negative && type.name[0] == 's') return static_cast<std::uint32_t>(value) & 0xffu;
  return type.numbers[static_cast<std::size_t>(std::abs(value))] |
         (negative ? 1u << (type.width - 1) : 0);
}

inline int number(generator& random, type_row const& type) {
  int const value = static_cast<int>(random() % 7) - 3;
  return type.name[0] == 'u' ? std::abs(value) : value;
}

using matrix = std::vector<std::vector<int>>;

/// Makes random rows of `depth` elements.
inline matrix random_rows(generator& random, type_row const& type, int rows, unsigned depth) {
  matrix made(static_cast<std::size_t>(rows));
  for (auto& row : made)
    for (unsigned k = 0; k < depth; ++k) row.push_back(number(random, type));
  return made;
}

/// Returns 32 bytes of a row. Each 16 bytes begin with 16 / slot packed elements. If slot is 0,
/// they hold 32 elements of 4 bits.
inline std::array<std::uint8_t, 32> packed(type_row const& type, std::vector<int> const& row) {
  std::array<std::uint8_t, 32> bytes{};
  std::size_t const each = type.slot == 0 ? 32 : 16 / type.slot;
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::size_t const bit = 128 * (k / each) + k % each * type.width;
    for (std::size_t b = 0; b < type.width; ++b)
      if ((encoded(type, row[k]) >> b & 1u) != 0)
        bytes[(bit + b) / 8] |= static_cast<std::uint8_t>(1u << (bit + b) % 8);
  }
  return bytes;
}

/// Returns 32 bytes of a row in tensor memory, where elements of 4 and 6 bits have a byte each.
inline std::array<std::uint8_t, 32> in_tensor_memory(type_row const& type,
                                                     std::vector<int> const& row) {
  if (type.width >= 8 || type.slot == 0) return packed(type, row);
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t k = 0; k < row.size(); ++k)
    bytes[k] = static_cast<std::uint8_t>(encoded(type, row[k]) << (type.width == 4 ? 2 : 0));
  return bytes;
}

/// Returns an operand in shared memory as words: core matrices of 8 rows of 16 bytes, 128 bytes
/// apart along k and 256 bytes apart along the rows.
inline std::vector<std::uint32_t> image(type_row const& type, matrix const& rows) {
  std::vector<std::uint32_t> words(rows.size() * 8);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    auto const row = packed(type, rows[r]);
    for (std::size_t at = 0; at < 32; ++at) {
      std::size_t const byte = r / 8 * 256 + at / 16 * 128 + r % 8 * 16 + at % 16;
      words[byte / 4] |= std::uint32_t{row[at]} << byte % 4 * 8;
    }
  }
  return words;
}

/// PTX of kernels in $GROUP CTAs. The first warp allocates $COLUMNS columns, and thread 0
/// initialises the mbarrier s+8. After a barrier, find_lanes sets %t to the address of tensor
/// memory, and %l to that of the warp's lanes.
inline constexpr char const* allocate = R"(
  setp.lt.u32 %p, %i, 32;
  @!%p bra READY;
  tcgen05.alloc.cta_group::$GROUP.sync.aligned.shared::cta.b32 [s], $COLUMNS;
READY:
  @%first mbarrier.init.shared::cta.b64 [s+8], 1;
  @%first fence.mbarrier_init.release.cluster;
)";
inline constexpr char const* find_lanes = R"(
  bar.sync 0;
  ld.shared.b32 %t, [s];
  and.b32 %x, %i, 96;
  shl.b32 %x, %x, 16;
  add.u32 %l, %t, %x;
)";
/// Ends the kernel.
inline constexpr char const* deallocate = R"(
  tcgen05.fence::before_thread_sync;
  $BARRIER
  setp.lt.u32 %p, %i, 32;
  @!%p bra END;
  tcgen05.fence::after_thread_sync;
  tcgen05.dealloc.cta_group::$GROUP.sync.aligned.b32 %t, $COLUMNS;
END:
  ret;
}
)";

/// Returns a barrier of all threads of the CTA or, for group 2, of the pair of CTAs.
std::string barrier(unsigned group);
/// Returns a commit to the mbarrier s+8 of each CTA of the group. For group 2, %both is written.
std::string commit(unsigned group);

/// Returns a kernel of 128 threads in each block of the group, which computes `product`. The kernel
/// fills tensor memory from `in`, then shared memory with 128 rows of A and 128 of B, and stores D
/// to `out`. In `product`, %t is the address of D, %x that of A, and %sa and %sb are those of the
/// scale factors. %da, %db and %idesc are the descriptors.
std::string kernel_of(unsigned group, std::string const& product);

struct launched {
  std::vector<std::uint32_t> out;  // D of each block, by column, then lane
  std::string report;              // what the machine reported
};

/// `in` holds words_of_tensor words of tensor memory, 1024 of A and 1024 of B for each block.
/// `kept` is the mask disable-output-lane.
launched run(std::string const& ptx, unsigned group, std::vector<std::uint32_t> const& in,
             std::uint32_t idesc, bool accumulate, std::array<std::uint32_t, 8> const& kept,
             generator& random);

/// Returns a sentence about the first word of D that is wrong.
verdict compare(std::string const& name, launched const& got,
                std::vector<std::uint32_t> const& wanted);

}  // namespace machine_rows::products
