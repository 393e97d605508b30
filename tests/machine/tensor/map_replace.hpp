// Implements tensormap.replace, which changes one field of a tensor map in memory (PTX ISA).
//
//     tensormap.replace.tile.global_dim [map], 1, 100
//     replace_field(map, map_field::global_dim, 1, 100)
//
// replace_field checks the new value alone. refuse_map checks the whole map when it is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tensor/tensor_map.hpp"

namespace machine::tensor {

enum class map_field : std::uint8_t {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode
};

/// Changes the 128 bytes at `map`. If it cannot, it returns a sentence that says why, and changes
/// nothing. `ordinal` is the dimension, from 0; for strides, dimension 1 has ordinal 0. The value
/// of a rank is the rank - 1. Element types have the numbers of PTX ISA, "tensormap.replace", table
/// of new values: 7 .f32, 8 .f32.ftz, 9 .f64, 10 .bf16, 11 .tf32, 12 .tf32.ftz, 13 .b4x16, 14
/// .b4x16_p64, 15 .b6x16_p32. These are not CUtensorMapDataType's numbers.
std::optional<std::string> replace_field(void* map, map_field field, std::uint32_t ordinal,
                                         std::uint64_t value);

/// Returns a sentence if encode_tiled would have rejected the fields of the map.
std::optional<std::string> refuse_map(tensor_map const& map);

}  // namespace machine::tensor
