// Stores a tensor map as 128 bytes: a magic word, fields as narrow as their rules allow, and a
// checksum over both.
#include <cstring>

#include "tensor/tensor_map.hpp"

namespace machine::tensor {
namespace {

struct packed_map {
  std::uint64_t magic;
  std::uint64_t address;
  std::uint64_t strides[4];
  std::uint32_t extents_less_one[5];
  std::int16_t lower[3];
  std::int16_t upper[3];
  std::uint16_t channels;
  std::uint16_t pixels;
  std::uint8_t box_less_one[5];
  std::uint8_t element_strides[5];
  std::uint8_t mode, type, rank, interleave, swizzling, promotion, fill, atomicity;
  std::uint8_t unused[18];
  std::uint64_t checksum;
};
static_assert(sizeof(packed_map) == map_bytes);

constexpr std::uint64_t magic_word = 0x70616d726f736e74;  // "tnsormap"

// Computes FNV-1a over all bytes before the checksum.
std::uint64_t checksum_of(packed_map const& packed) {
  unsigned char bytes[sizeof packed];
  std::memcpy(bytes, &packed, sizeof packed);
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (std::size_t i = 0; i < offsetof(packed_map, checksum); ++i)
    sum = (sum ^ bytes[i]) * 0x100000001b3ull;
  return sum;
}

}  // namespace

void write_map(tensor_map const& map, void* bytes) {
  packed_map packed{};
  packed.magic = magic_word;
  packed.address = map.address;
  for (std::size_t i = 0; i < most_dimensions; ++i) {
    if (i > 0) packed.strides[i - 1] = map.strides[i];
    packed.extents_less_one[i] = static_cast<std::uint32_t>(map.extents[i] - 1);
    packed.box_less_one[i] = static_cast<std::uint8_t>(map.box[i] - 1);
    packed.element_strides[i] = static_cast<std::uint8_t>(map.element_strides[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    packed.lower[i] = static_cast<std::int16_t>(map.lower[i]);
    packed.upper[i] = static_cast<std::int16_t>(map.upper[i]);
  }
  packed.channels = static_cast<std::uint16_t>(map.channels);
  packed.pixels = static_cast<std::uint16_t>(map.pixels);
  packed.mode = static_cast<std::uint8_t>(map.mode);
  packed.type = static_cast<std::uint8_t>(map.type);
  packed.rank = static_cast<std::uint8_t>(map.rank);
  packed.interleave = static_cast<std::uint8_t>(map.interleave);
  packed.swizzling = static_cast<std::uint8_t>(map.swizzling);
  packed.promotion = static_cast<std::uint8_t>(map.promotion);
  packed.fill = static_cast<std::uint8_t>(map.fill);
  packed.atomicity = map.atomicity;
  packed.checksum = checksum_of(packed);
  std::memcpy(bytes, &packed, sizeof packed);
}

std::optional<tensor_map> read_map(void const* bytes) {
  packed_map packed;
  std::memcpy(&packed, bytes, sizeof packed);
  if (packed.magic != magic_word || packed.checksum != checksum_of(packed)) return std::nullopt;
  tensor_map map;
  map.mode = static_cast<map_mode>(packed.mode);
  map.type = static_cast<map_type>(packed.type);
  map.rank = packed.rank;
  map.address = packed.address;
  map.strides[0] = static_cast<std::uint64_t>(size_of(map.type));
  for (std::size_t i = 0; i < static_cast<std::size_t>(map.rank); ++i) {
    if (i > 0) map.strides[i] = packed.strides[i - 1];
    map.extents[i] = std::uint64_t{packed.extents_less_one[i]} + 1;
    if (map.mode == map_mode::tiled) map.box[i] = std::uint32_t{packed.box_less_one[i]} + 1;
    map.element_strides[i] = packed.element_strides[i];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    map.lower[i] = packed.lower[i];
    map.upper[i] = packed.upper[i];
  }
  map.channels = packed.channels;
  map.pixels = packed.pixels;
  map.interleave = static_cast<interleaving>(packed.interleave);
  map.swizzling = static_cast<swizzle>(packed.swizzling);
  map.promotion = packed.promotion;
  map.fill = static_cast<border>(packed.fill);
  map.atomicity = packed.atomicity;
  return map;
}

}  // namespace machine::tensor
