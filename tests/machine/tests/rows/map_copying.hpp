// Tests one copy between a tensor of 32-bit elements and a tile in shared memory by a tensor map.
#pragma once

#include <functional>
#include <optional>

#include "rows/copying.hpp"
#include "tensor/tensor_map.hpp"

namespace machine_rows::copying {

/// Byte offsets of an element in the tensor and in the tile.
struct element_offsets {
  std::size_t in_tensor, in_tile;
};

struct map_copy {
  std::string row;
  bool loads;             // from the tensor into the tile
  bool multicast;         // a load with the operand %mask
  std::string operation;  // of a reduction, else empty
  unsigned rank;
  std::uint64_t extents[5], strides[4];        // strides in bytes
  std::string coordinates;                     // operands of the instruction
  std::string offsets = {};                    // operand of loads in im2col mode, else empty
  std::size_t tile_bytes;                      // that a load writes
  std::vector<element_offsets> elements = {};  // that the copy moves; a load writes 0 elsewhere
};

/// `operation_from_the_end` is the place of a reduction's operation among the modifiers.
map_copy map_copy_of(machine::table_row const& row, unsigned rank,
                     std::size_t operation_from_the_end);

/// Writes a tensor map, or returns a sentence about an error in its arguments.
using encoder =
    std::function<std::optional<std::string>(void* map, machine::tensor::map_arguments const&)>;

verdict test(map_copy const& of, encoder const& encode);

}  // namespace machine_rows::copying
