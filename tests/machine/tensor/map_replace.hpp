// tensormap.replace: one field of a tensor map in memory (PTX ISA, "tensormap.replace", table of
// new values).
//
//     ordinals count dimensions from 0, but a stride's from dimension 1; rank is given less one
//     element types are not the driver's: 7 .f32, 8 .f32.ftz, 9 .f64, 10 .bf16, 11 .tf32, 12 .tf32.ftz,
//     13 .b4x16, 14 .b4x16_p64, 15 .b6x16_p32
//
//     tensormap.replace.tile.global_dim [map], 1, 100 is replace_field(map, map_field::global_dim, 1, 100)
//
// Fields are replaced one at a time, so only the new value itself is checked here; what fits
// together is checked by refuse_map when the map is used.
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

/// Changes the 128 bytes at `map`, or returns why not, in a sentence, and changes nothing.
std::optional<std::string> replace_field(void* map, map_field field, std::uint32_t ordinal,
                                         std::uint64_t value);

/// Why the fields of a map contradict each other: what encode_tiled would have rejected.
std::optional<std::string> refuse_map(tensor_map const& map);

}  // namespace machine::tensor
