// Tests copies in im2col mode. The test finds pixel k of a copy by division and remainder by the
// extents of the box of pixels (PTX ISA, "im2col mode"). With three spatial dimensions:
//
//     8 channels, 5 x 4 x 3 pixels, 2 images, 32-bit elements; a filter of 3 in each direction, so
//     both corners are -1; the copy has 8 pixels of 8 channels from pixel (3, 1, 0) of image 0 on,
//     at the offsets (2, 0, 1)
#include "rows/map_copying.hpp"

namespace machine_rows {
namespace {

using namespace copying;

constexpr unsigned channels = 8, pixels = 8, images = 2;
constexpr std::uint64_t spatial[3] = {5, 4, 3};
constexpr int corner = -1, begin[3] = {3, 1, 0}, offsets[3] = {2, 0, 1};

/// Returns the byte offset of pixel k in the tensor, or nothing if it is out of bounds.
std::optional<std::size_t> byte_offset_of(unsigned dimensions, unsigned k, bool with_offsets) {
  std::size_t linear = 0, steps = 1;
  for (unsigned d = 0; d < dimensions; ++d) {
    linear += static_cast<std::size_t>(begin[d] - corner) * steps;
    steps *= spatial[d];  // as many positions as pixels: both corners are -1
  }
  linear += k;
  std::size_t at = linear / steps, place = 0, stride = channels;
  linear %= steps;
  bool inside = at < images;
  for (unsigned d = 0; d < dimensions; ++d) {
    int const coordinate =
        static_cast<int>(linear % spatial[d]) + corner + (with_offsets ? offsets[d] : 0);
    linear /= spatial[d];
    inside = inside && coordinate >= 0 && coordinate < static_cast<int>(spatial[d]);
    place += static_cast<std::size_t>(coordinate) * stride;
    stride *= spatial[d];
  }
  return inside ? std::optional(4 * (place + at * stride)) : std::nullopt;
}

std::string list_of(unsigned dimensions, int const (&values)[3]) {
  std::string text;
  for (unsigned d = 0; d < dimensions; ++d) text += say(d == 0 ? "" : ", ", values[d]);
  return text;
}

}  // namespace

verdict test_im2col(machine::table_row const& row) {
  auto const name = split(row.name);
  unsigned const rank = name.has("3d") ? 3 : name.has("4d") ? 4 : 5, dimensions = rank - 2;
  map_copy of = map_copy_of(row, rank, 2);
  std::size_t elements = 1;
  for (unsigned d = 0; d < rank; ++d) {
    of.extents[d] = d == 0 ? channels : d + 1 == rank ? images : spatial[d - 1];
    if (d > 0) of.strides[d - 1] = 4 * elements;
    elements *= of.extents[d];
  }
  of.coordinates = "0, " + list_of(dimensions, begin) + ", 0";
  of.offsets = list_of(dimensions, offsets);
  of.tile_bytes = 4 * channels * pixels;
  for (unsigned k = 0; k < pixels; ++k) {
    auto const pixel = byte_offset_of(dimensions, k, of.loads);
    if (!pixel) continue;  // a load fills with zeros, a store skips
    for (unsigned c = 0; c < channels; ++c)
      of.elements.push_back({*pixel + 4 * c, 4 * (k * channels + c)});
  }
  return test(of, [](void* map, machine::tensor::map_arguments const& what) {
    int const corners[3] = {corner, corner, corner};
    return machine::tensor::encode_im2col(map, what, corners, corners, channels, pixels);
  });
}

}  // namespace machine_rows
