// Copies a tile between global memory and its swizzled image in shared memory, row by row (PTX ISA,
// "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor"; rows: tile_rows.hpp).
//
//     load_tile(map, {64, 0}, {}, shared, 0x400, read)         read(global address, bytes, count)
//     store_tile(map, {64, 0}, shared, 0x400, write)           write(global address, bytes, count)
//     reduce_tile(map, {64, 0}, operation, shared, 0x400, update)
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "numerics/reduce.hpp"
#include "tensor/tile_rows.hpp"

namespace machine::tensor {

/// scatter copies `row` to the bytes of the image that begin at byte `first`; gather copies them
/// back. The image starts at shared address `start`.
void scatter(std::span<std::byte> shared, swizzle mode, std::uint32_t start, std::uint32_t first,
             std::span<std::byte const> row);
void gather(std::span<std::byte const> shared, swizzle mode, std::uint32_t start,
            std::uint32_t first, std::span<std::byte> row);

/// convert_loaded rounds or flushes the elements of a loaded row. fill_border writes the map's fill
/// value.
void convert_loaded(map_type type, std::span<std::byte> row);
void fill_border(tensor_map const& map, std::span<std::byte> row);

/// Returns the type in which a reduction computes elements of the map's type. Empty if a tensor
/// copy cannot reduce them.
std::optional<numerics::reduced_type> reduced_type_of(map_type type, numerics::reduction operation);

void reduce_row(numerics::reduction operation, numerics::reduced_type type,
                std::span<std::byte> old_bytes, std::span<std::byte const> values);

constexpr std::size_t longest_row = 256 * 8;

constexpr std::size_t spread_bytes(map_type type, std::size_t packed) {
  return packed / static_cast<std::size_t>(2 * bits_of(type)) * 16;
}

/// Spreads 16 elements of 4 or 6 bits from 8 or 12 bytes to 16 bytes, and back. The ISA does not
/// define the bytes in the gaps. Here they are 0xc9.
void spread(map_type type, std::span<std::byte const> packed, std::span<std::byte> image);
void compress(map_type type, std::span<std::byte const> image, std::span<std::byte> packed);

/// `read` is called once for the part of each row that is inside the tensor, so that a guarded
/// memory can check it as a whole. Elements of a TFLOAT32 map are rounded to tf32, to nearest even
/// [assumed]; _FTZ types flush subnormals. Returns the bytes that the mbarrier counts.
template <class Read>
std::uint32_t load_tile(tensor_map const& map, coordinates const& at,
                        std::array<std::uint16_t, 3> im2col_offsets, std::span<std::byte> shared,
                        std::uint32_t start, Read read) {
  std::array<std::byte, longest_row> buffer;
  for_each_row(map, at, im2col_offsets, [&](tile_row const& row) {
    std::span<std::byte> const bytes(buffer.data(), row.before + row.inside + row.after);
    fill_border(map, bytes.first(row.before));
    if (row.inside != 0) read(row.global, bytes.data() + row.before, row.inside);
    convert_loaded(map.type, bytes.subspan(row.before, row.inside));
    fill_border(map, bytes.last(row.after));
    if (!has_gaps(map.type)) return scatter(shared, map.swizzling, start, row.offset, bytes);
    std::array<std::byte, longest_row> wide;
    std::span<std::byte> const image(wide.data(), spread_bytes(map.type, bytes.size()));
    spread(map.type, bytes, image);
    scatter(shared, map.swizzling, start, row.offset, image);
  });
  return counted_bytes_of(map);
}

/// The map with the bounds that a store tests: it writes whole 16 bytes, past the end of dimension
/// 0 (seen on an H200).
tensor_map with_stored_ends(tensor_map map);

template <class Write>
std::uint32_t store_tile(tensor_map const& given, coordinates const& at,
                         std::span<std::byte const> shared, std::uint32_t start, Write write) {
  std::array<std::byte, longest_row> buffer;
  tensor_map const map = with_stored_ends(given);
  for_each_row(map, at, {}, [&](tile_row const& row) {
    if (row.inside == 0) return;
    std::span<std::byte> const bytes(buffer.data(), row.before + row.inside);
    if (has_gaps(map.type)) {
      std::array<std::byte, longest_row> wide;
      std::span<std::byte> const image(wide.data(), spread_bytes(map.type, bytes.size()));
      gather(shared, map.swizzling, start, row.offset, image);
      compress(map.type, image, bytes);
    } else {
      gather(shared, map.swizzling, start, row.offset, bytes);
    }
    write(row.global, bytes.data() + row.before, row.inside);
  });
  return bytes_of(map);
}

/// update(global address, count, change) must call `change` with a pointer to the `count` bytes at
/// this address; `change` reduces into them. reduced_type_of must have a value for the map's type.
template <class Update>
std::uint32_t reduce_tile(tensor_map const& map, coordinates const& at,
                          numerics::reduction operation, std::span<std::byte const> shared,
                          std::uint32_t start, Update update) {
  numerics::reduced_type const type = *reduced_type_of(map.type, operation);
  store_tile(map, at, shared, start,
             [&](std::uint64_t global, std::byte const* values, std::uint32_t count) {
               update(global, count, [&](std::byte* old_bytes) {
                 reduce_row(operation, type, {old_bytes, count}, {values, count});
               });
             });
  return bytes_of(map);
}

}  // namespace machine::tensor
