// Implements map_replace.hpp. When a map is used, it is encoded again by the rules of the driver.
#include "tensor/map_replace.hpp"

#include <algorithm>
#include <iterator>

namespace machine::tensor {
namespace {

std::string no_value(char const* field, std::uint64_t value) {
  return std::string("tensormap.replace of ") + field + " has no value " + std::to_string(value);
}

/// The modes of a 128-byte swizzle, by swizzle_atomicity.
constexpr swizzle modes_of_128[] = {swizzle::b128, swizzle::b128_atom32, swizzle::b128_atom32_flip8,
                                    swizzle::b128_atom64};

bool is_128(swizzle mode) { return mode == swizzle::b128 || has_wide_atoms(mode); }

/// Replaces the swizzle mode. The mode and its atomicity may be replaced in either order.
void replace_swizzle(tensor_map& map, swizzle mode) {
  if (is_128(map.swizzling))
    map.atomicity = static_cast<std::uint8_t>(
        std::find(std::begin(modes_of_128), std::end(modes_of_128), map.swizzling) -
        std::begin(modes_of_128));
  map.swizzling = mode == swizzle::b128 ? modes_of_128[map.atomicity] : mode;
  if (mode == swizzle::b128) map.atomicity = 0;
}

}  // namespace

std::optional<std::string> replace_field(void* bytes, map_field field, std::uint32_t ordinal,
                                         std::uint64_t value) {
  std::optional<tensor_map> const found = read_map(bytes);
  if (!found) return "tensormap.replace of 128 bytes that are not a tensor map";
  tensor_map map = *found;
  if (map.mode != map_mode::tiled) return "tensormap.replace.tile of a tensor map in im2col mode";
  std::uint32_t const first = field == map_field::global_stride ? 1 : 0;
  std::size_t const at = ordinal + std::size_t{first};
  if (at >= most_dimensions)
    return "tensormap.replace has no ordinal " + std::to_string(ordinal) +
           " in a tensor of at most 5 dimensions";
  switch (field) {
    case map_field::global_address: map.address = value; break;
    case map_field::rank:
      if (value >= most_dimensions) return no_value("rank less one", value);
      map.rank = static_cast<int>(value) + 1;
      break;
    case map_field::box_dim:
      if (value == 0 || value > 256) return no_value("box_dim", value);
      map.box[at] = static_cast<std::uint32_t>(value);
      break;
    case map_field::global_dim:
      if (value == 0 || value > (std::uint64_t{1} << 32)) return no_value("global_dim", value);
      map.extents[at] = value;
      break;
    case map_field::global_stride:
      if (value >= (std::uint64_t{1} << 40)) return no_value("global_stride", value);
      map.strides[at] = value;
      break;
    case map_field::element_stride:
      if (value == 0 || value > 8) return no_value("element_stride", value);
      map.element_strides[at] = static_cast<std::uint32_t>(value);
      break;
    case map_field::elemtype: {
      using enum map_type;
      constexpr map_type types[] = {uint8,        uint16,    uint32,     int32,
                                    uint64,       int64,     float16,    float32,
                                    float32_ftz,  float64,   bfloat16,   tfloat32,
                                    tfloat32_ftz, u4_align8, u4_align16, u6_align16};
      if (value >= std::size(types)) return no_value("elemtype", value);
      map.type = types[value];
      map.strides[0] = static_cast<std::uint64_t>(size_of(map.type));
      break;
    }
    case map_field::interleave_layout:
      if (value > 2) return no_value("interleave_layout", value);
      map.interleave = static_cast<interleaving>(value);
      break;
    case map_field::swizzle_mode:
      if (value > 3) return no_value("swizzle_mode", value);
      replace_swizzle(map, static_cast<swizzle>(value));
      break;
    case map_field::swizzle_atomicity:
      if (value >= std::size(modes_of_128)) return no_value("swizzle_atomicity", value);
      if (is_128(map.swizzling))
        map.swizzling = modes_of_128[value];
      else
        map.atomicity = static_cast<std::uint8_t>(value);
      break;
    case map_field::fill_mode:
      if (value > 1) return no_value("fill_mode", value);
      map.fill = static_cast<border>(value);
      break;
  }
  write_map(map, bytes);
  return std::nullopt;
}

std::optional<std::string> refuse_map(tensor_map const& map) {
  if (map.atomicity != 0)
    return "tensormap.replace has set swizzle_atomicity " + std::to_string(map.atomicity) +
           " in a tensor map with " + name_of(map.swizzling) +
           "; only the 128B swizzle has wide atoms";
  alignas(64) unsigned char bytes[map_bytes];
  map_arguments it;
  it.type = static_cast<std::uint32_t>(map.type);
  it.rank = static_cast<std::uint32_t>(map.rank);
  it.address = map.address;
  it.extents = map.extents.data();
  it.strides = map.strides.data() + 1;
  it.element_strides = map.element_strides.data();
  it.interleave = static_cast<std::uint32_t>(map.interleave);
  it.swizzle = static_cast<std::uint32_t>(map.swizzling);
  it.promotion = map.promotion;
  it.fill = static_cast<std::uint32_t>(map.fill);
  it.is_blackwell = true;  // only the host's encoding tests the architecture
  if (map.mode == map_mode::tiled) return encode_tiled(bytes, it, map.box.data());
  return encode_im2col(bytes, it, map.lower.data(), map.upper.data(), map.channels, map.pixels);
}

}  // namespace machine::tensor
