// Tensor maps, as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col of the driver make them
// (cuda.h of CUDA 13.0, "Tensor Map Object Managment"; PTX ISA, "Tensors").
//
// The format of the driver's 128 bytes is not public, so this machine writes bytes of its own: a
// magic word, the fields and a checksum. For arguments that break a rule of the driver's
// documentation, the functions return a sentence.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tensor/swizzle.hpp"

namespace machine::tensor {

constexpr int most_dimensions = 5;
constexpr int map_bytes = 128;

/// The values are those of CUtensorMapDataType.
enum class map_type : std::uint8_t {
  uint8,
  uint16,
  uint32,
  int32,
  uint64,
  int64,
  float16,
  float32,
  float64,
  bfloat16,
  float32_ftz,
  tfloat32,
  tfloat32_ftz,
  u4_align8,   // 16U4_ALIGN8B: 16 elements in 8 bytes
  u4_align16,  // 16U4_ALIGN16B: 16 elements in 8 bytes, and 8 bytes of gap in shared memory
  u6_align16   // 16U6_ALIGN16B: 16 elements in 12 bytes, and 4 bytes of gap
};
enum class interleaving : std::uint8_t { none, b16, b32 };
enum class border : std::uint8_t { zero, nan };
enum class map_mode : std::uint8_t { tiled, im2col };

constexpr bool is_packed(map_type type) { return type >= map_type::u4_align8; }
constexpr bool has_gaps(map_type type) { return type > map_type::u4_align8; }

/// Returns the bytes of an element, or 1 for a packed type.
constexpr int size_of(map_type type) {
  switch (type) {
    case map_type::u4_align8:
    case map_type::u4_align16:
    case map_type::u6_align16: return 1;
    case map_type::uint8: return 1;
    case map_type::uint16:
    case map_type::float16:
    case map_type::bfloat16: return 2;
    case map_type::uint64:
    case map_type::int64:
    case map_type::float64: return 8;
    default: return 4;
  }
}

/// Returns the bits of an element in global memory. Two or four elements of a packed type fill
/// whole bytes.
constexpr int bits_of(map_type type) {
  if (type == map_type::u6_align16) return 6;
  return is_packed(type) ? 4 : 8 * size_of(type);
}

constexpr std::uint32_t packed_bytes(map_type type, std::uint32_t elements) {
  return elements * static_cast<std::uint32_t>(bits_of(type)) / 8;
}
/// Returns the bytes of `elements` elements in shared memory, with gaps.
constexpr std::uint32_t image_bytes(map_type type, std::uint32_t elements) {
  return has_gaps(type) ? elements : packed_bytes(type, elements);
}

/// Example: a bf16 matrix of 200 rows and 136 columns, in boxes of 64 x 64 elements with the 128B
/// swizzle. It has type 9, rank 2, extents {136, 200}, strides {272}, box {64, 64}, element strides
/// {1, 1}, swizzle 3. Dimension 0 is contiguous. In the driver's arguments strides[i] is the stride
/// in bytes of dimension i + 1.
struct tensor_map {
  map_mode mode = map_mode::tiled;
  map_type type = map_type::uint8;
  int rank = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, most_dimensions> extents{};
  // In bytes. The stride of dimension 0 is the element's size, for packed types 1.
  std::array<std::uint64_t, most_dimensions> strides{};
  std::array<std::uint32_t, most_dimensions> element_strides{};
  interleaving interleave = interleaving::none;
  swizzle swizzling = swizzle::none;
  // The swizzle_atomicity of tensormap.replace. With a 128B swizzle it is 0, because the values of
  // `swizzling` include it.
  std::uint8_t atomicity = 0;
  std::uint32_t promotion = 0;  // of L2, without effect here
  border fill = border::zero;
  std::array<std::uint32_t, most_dimensions> box{};  // tiled
  std::array<int, 3> lower{};                        // im2col: corners along W, H, D
  std::array<int, 3> upper{};
  std::uint32_t channels = 0;
  std::uint32_t pixels = 0;
};

/// The arguments of the driver's functions, with the numbers of cuda.h. `strides` has rank - 1
/// entries.
struct map_arguments {
  std::uint32_t type = 0;
  std::uint32_t rank = 0;
  std::uint64_t address = 0;
  std::uint64_t const* extents = nullptr;
  std::uint64_t const* strides = nullptr;
  std::uint32_t const* element_strides = nullptr;
  std::uint32_t interleave = 0;
  std::uint32_t swizzle = 0;
  std::uint32_t promotion = 0;
  std::uint32_t fill = 0;
  bool is_blackwell = false;  // the device has packed types and swizzles with wide atoms
};

/// Writes 128 bytes at `map`, or returns the sentence for CUDA_ERROR_INVALID_VALUE and writes
/// nothing.
std::optional<std::string> encode_tiled(void* map, map_arguments const& arguments,
                                        std::uint32_t const* box);
std::optional<std::string> encode_im2col(void* map, map_arguments const& arguments,
                                         int const* lower, int const* upper, std::uint32_t channels,
                                         std::uint32_t pixels);

/// Reads the map in 128 bytes. Empty if write_map did not write them or they have changed since.
std::optional<tensor_map> read_map(void const* bytes);

/// Writes a map as 128 bytes; tensormap.replace uses it to edit a map in memory.
void write_map(tensor_map const& map, void* bytes);

}  // namespace machine::tensor
