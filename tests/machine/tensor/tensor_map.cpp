// Checks the driver's rules for tensor maps. The sentence for a broken rule names the wrong value.
#include "tensor/tensor_map.hpp"

#include <cstring>

namespace machine::tensor {
namespace {

using refusal = std::optional<std::string>;

std::string of(char const* what, std::uint32_t dimension) {
  return std::string(what) + "[" + std::to_string(dimension) + "]";
}

refusal refuse_numbers(map_arguments const& it, bool im2col) {
  if (it.type >= 13 && it.type <= 15 && !it.is_blackwell)
    return "tensorDataType " + std::to_string(it.type) +
           " is a packed type of 4 or 6 bits, which needs sm_100";
  if (it.type > 15)
    return "tensorDataType " + std::to_string(it.type) + " is not a CUtensorMapDataType";
  std::uint32_t const least = im2col || it.interleave != 0 ? 3 : 1;
  if (it.rank < least || it.rank > most_dimensions)
    return "tensorRank is " + std::to_string(it.rank) + ", it must be from " +
           std::to_string(least) + " to 5" +
           (im2col               ? " in im2col mode"
            : it.interleave != 0 ? " with an interleaved layout"
                                 : "");
  if (it.interleave > 2)
    return "interleave " + std::to_string(it.interleave) + " is not a CUtensorMapInterleave";
  if (it.swizzle >= 4 && it.swizzle <= 6 && !it.is_blackwell)
    return "swizzle " + std::to_string(it.swizzle) +
           " has atoms of 32 or 64 bytes, which need sm_100";
  if (it.swizzle > 6)
    return "swizzle " + std::to_string(it.swizzle) + " is not a CUtensorMapSwizzle";
  if (it.interleave == 2 && it.swizzle != 1) return "interleave 32B needs swizzle 32B";
  if (it.promotion > 3)
    return "l2Promotion " + std::to_string(it.promotion) + " is not a CUtensorMapL2promotion";
  if (it.fill > 1)
    return "oobFill " + std::to_string(it.fill) + " is not a CUtensorMapFloatOOBfill";
  if (it.fill == 1 && (it.type < 6 || it.type > 12))
    return "oobFill NaN needs a floating-point data type";
  return std::nullopt;
}

/// Checks the additional rules for packed types with gaps.
refusal refuse_gaps(map_arguments const& it, char const* name, std::uint32_t elements) {
  if (it.type == 13 && it.extents[0] % 2 != 0)
    return of("globalDim", 0) + " is " + std::to_string(it.extents[0]) +
           ", it must be a multiple of 2 for 16U4_ALIGN8B";
  if (it.type < 14) return std::nullopt;
  if (it.extents[0] % 128 != 0)
    return of("globalDim", 0) + " is " + std::to_string(it.extents[0]) +
           ", it must be a multiple of 128 for types with gaps";
  if (elements != 128)
    return std::string(name) + " is " + std::to_string(elements) +
           ", it must be 128 for types with gaps";
  if (it.type == 15 && it.interleave != 0) return "interleave must be none for 16U6_ALIGN16B";
  bool const has_swizzle = it.swizzle == 0 || it.swizzle == 3 || it.swizzle == 4;
  if (!has_swizzle && !(it.type == 15 && it.swizzle == 6))
    return "swizzle " + std::to_string(it.swizzle) + " does not exist for types with gaps";
  return std::nullopt;
}

refusal refuse_tensor(map_arguments const& it) {
  std::uint64_t const alignment = it.interleave == 2 || it.type >= 14 ? 32 : 16;
  if (it.extents == nullptr || it.element_strides == nullptr ||
      (it.strides == nullptr && it.rank > 1))
    return "globalDim, globalStrides and elementStrides must not be null";
  if (it.address % alignment != 0)
    return "globalAddress " + std::to_string(it.address) + " is not a multiple of " +
           std::to_string(alignment);
  for (std::uint32_t i = 0; i < it.rank; ++i) {
    if (it.extents[i] == 0 || it.extents[i] > (std::uint64_t{1} << 32))
      return of("globalDim", i) + " is " + std::to_string(it.extents[i]) +
             ", it must be from 1 to 2^32";
    if (it.element_strides[i] == 0 || it.element_strides[i] > 8)
      return of("elementStrides", i) + " is " + std::to_string(it.element_strides[i]) +
             ", it must be from 1 to 8";
  }
  for (std::uint32_t i = 0; i + 1 < it.rank; ++i) {
    if (it.strides[i] % alignment != 0)
      return of("globalStrides", i) + " is " + std::to_string(it.strides[i]) +
             ", which is not a multiple of " + std::to_string(alignment);
    if (it.strides[i] >= (std::uint64_t{1} << 40))
      return of("globalStrides", i) + " is " + std::to_string(it.strides[i]) +
             ", it must be below 2^40";
  }
  return std::nullopt;
}

// Checks that the innermost row of a box has whole chunks of 16 bytes and fits the swizzle span.
refusal refuse_inner(map_arguments const& it, char const* name, std::uint32_t elements) {
  if (refusal why = refuse_gaps(it, name, elements)) return why;
  if (it.interleave != 0) return std::nullopt;
  auto const bytes = image_bytes(static_cast<map_type>(it.type), elements);
  if (bytes % 16 != 0)
    return std::string(name) + " is " + std::to_string(elements) +
           " elements = " + std::to_string(bytes) + " bytes, which is not a multiple of 16";
  std::uint32_t const span = span_of(static_cast<swizzle>(it.swizzle));
  if (it.swizzle != 0 && bytes > span)
    return std::string(name) + " is " + std::to_string(elements) +
           " elements = " + std::to_string(bytes) + " bytes, more than the swizzle span of " +
           std::to_string(span);
  return std::nullopt;
}

refusal refuse_map_address(void const* map) {
  if (map == nullptr) return "tensorMap is null";
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0)
    return "tensorMap is not at a multiple of 64 bytes";
  return std::nullopt;
}

tensor_map from_arguments(map_arguments const& it, map_mode mode) {
  tensor_map map;
  map.mode = mode;
  map.type = static_cast<map_type>(it.type);
  map.rank = static_cast<int>(it.rank);
  map.address = it.address;
  map.strides[0] = static_cast<std::uint64_t>(size_of(map.type));
  for (std::size_t i = 0; i < it.rank; ++i) {
    map.extents[i] = it.extents[i];
    map.element_strides[i] = it.element_strides[i];
    if (i > 0) map.strides[i] = it.strides[i - 1];
  }
  map.interleave = static_cast<interleaving>(it.interleave);
  map.swizzling = static_cast<swizzle>(it.swizzle);
  map.promotion = it.promotion;
  map.fill = static_cast<border>(it.fill);
  return map;
}

}  // namespace

refusal encode_tiled(void* map, map_arguments const& it, std::uint32_t const* box) {
  if (refusal why = refuse_map_address(map)) return why;
  if (refusal why = refuse_numbers(it, false)) return why;
  if (refusal why = refuse_tensor(it)) return why;
  if (box == nullptr) return "boxDim is null";
  for (std::uint32_t i = 0; i < it.rank; ++i)
    if (box[i] == 0 || box[i] > 256)
      return of("boxDim", i) + " is " + std::to_string(box[i]) + ", it must be from 1 to 256";
  if (refusal why = refuse_inner(it, "boxDim[0]", box[0])) return why;
  tensor_map result = from_arguments(it, map_mode::tiled);
  for (std::size_t i = 0; i < it.rank; ++i) result.box[i] = box[i];
  write_map(result, map);
  return std::nullopt;
}

refusal encode_im2col(void* map, map_arguments const& it, int const* lower, int const* upper,
                      std::uint32_t channels, std::uint32_t pixels) {
  if (refusal why = refuse_map_address(map)) return why;
  if (refusal why = refuse_numbers(it, true)) return why;
  if (refusal why = refuse_tensor(it)) return why;
  if (lower == nullptr || upper == nullptr)
    return "pixelBoxLowerCorner and pixelBoxUpperCorner must not be null";
  tensor_map result = from_arguments(it, map_mode::im2col);
  std::uint32_t const corners = it.rank - 2;
  int const reach = corners == 1 ? 32768 : corners == 2 ? 128 : 16;
  for (std::uint32_t i = 0; i < corners; ++i) {
    for (auto const& [name, corner] :
         {std::pair{"pixelBoxLowerCorner", lower[i]}, std::pair{"pixelBoxUpperCorner", upper[i]}})
      if (corner < -reach || corner >= reach)
        return of(name, i) + " is " + std::to_string(corner) + ", it must be from " +
               std::to_string(-reach) + " to " + std::to_string(reach - 1);
    // Corners come in the order W, H, D, like dimensions 1 and up.
    if (lower[i] >= static_cast<std::int64_t>(it.extents[i + 1]) + upper[i])
      return "the pixel box is empty along dimension " + std::to_string(i + 1);
    result.lower[i] = lower[i];
    result.upper[i] = upper[i];
  }
  if (channels == 0 || channels > 256)
    return "channelsPerPixel is " + std::to_string(channels) + ", it must be from 1 to 256";
  if (pixels == 0 || pixels > 1024)
    return "pixelsPerColumn is " + std::to_string(pixels) + ", it must be from 1 to 1024";
  if (refusal why = refuse_inner(it, "channelsPerPixel", channels)) return why;
  result.channels = channels;
  result.pixels = pixels;
  write_map(result, map);
  return std::nullopt;
}

}  // namespace machine::tensor
