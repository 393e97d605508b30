// Tests copies in im2col mode. The position of pixel k of a column is computed by division and
// remainder over the box of pixels (PTX ISA, "im2col mode"). With three spatial dimensions:
//
//     8 channels, 5 x 4 x 3 pixels, 2 images, 32-bit elements; a filter of 3 in each direction, so
//     both corners are -1; 8 columns of 8 channels from pixel (3, 1, 0) of image 0 on, at the
//     offsets (2, 0, 1)
#include <optional>

#include "rows/copying.hpp"
#include "tensor/tensor_map.hpp"

namespace machine_rows {
namespace {

using namespace copying;

constexpr unsigned channels = 8, pixels = 8;
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
  bool inside = at < 2;
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
  bool const reduces = row.name.starts_with("cp.reduce"), loads = row.signature[1] == 'S';
  generator random;
  std::uint64_t extents[5] = {channels}, strides[4];
  std::size_t elements = channels;
  for (unsigned d = 1; d < rank; ++d) {
    extents[d] = d + 1 == rank ? 2 : spatial[d - 1];
    strides[d - 1] = 4 * elements;
    elements *= extents[d];
  }
  std::uint32_t const steps[5] = {1, 1, 1, 1, 1};
  int const corners[3] = {corner, corner, corner};
  machine::device on;
  std::uint64_t const tensor = on.allocate(elements * 4), other = on.allocate(1024),
                      out = on.allocate(chunk);
  bytes before(elements * 4), tile(1024);
  fill(before, "u32", random);
  fill(tile, "u32", random);
  machine::tensor::map_arguments what;
  what.type = 2;  // UINT32
  what.rank = rank;
  what.address = tensor;
  what.extents = extents;
  what.strides = strides;
  what.element_strides = steps;
  alignas(64) std::array<std::byte, 128> encoded;
  if (auto const problem =
          machine::tensor::encode_im2col(encoded.data(), what, corners, corners, channels, pixels))
    return *problem;
  constexpr unsigned size = 4 * channels * pixels;
  std::string const source = say("[%map, {0, ", list_of(dimensions, begin), ", 0}]");
  std::string const body =
      loads ? ordered + expect(size) + "@%p0 " + row.name + " [%s], " + source + ", [%bar], {" +
                  list_of(dimensions, offsets) +
                  (name.has("multicast::cluster") ? "}, %mask;\n" : "};\n") + wait +
                  say("setp.lt.u32 %p3, %lane, ", size / 16, ";\n@!%p3 bra E;\n") + to_out + "E:\n"
            : to_shared(0, 0) + ordered + "@%p0 " + row.name + " " + source + ", [%s];\n" + drain;
  on.copy_in(tensor, before.data(), before.size());
  on.copy_in(other, tile.data(), 1024);
  on.fill(out, 0, chunk);
  machine::load(frame(body), on)
      .launch("t", {1}, {32}, {}, 0, {other, out, machine::argument(encoded.data(), 128)});
  bytes after(elements * 4), arrived(chunk), want = before, want_tile(chunk, 0);
  on.copy_out(after.data(), tensor, after.size());
  on.copy_out(arrived.data(), out, chunk);
  for (unsigned k = 0; k < pixels; ++k)
    for (unsigned c = 0; c < channels; ++c) {
      auto const place = byte_offset_of(dimensions, k, loads);
      if (!place) continue;  // a load fills with zeros, a store skips
      std::size_t const global = *place + 4 * c, image = 4 * (k * channels + c);
      std::uint32_t old = 0, value = 0;
      std::memcpy(&old, &before[global], 4);
      std::memcpy(&value, &tile[image], 4);
      std::string const operation = reduces ? name.last(2) : "";
      auto const now =
          reduces ? static_cast<std::uint32_t>(reduced(operation, "u32", old, value)) : value;
      if (loads)
        std::memcpy(&want_tile[image], &old, 4);
      else
        std::memcpy(&want[global], &now, 4);
    }
  auto const difference = compare(row.name, after, want);
  return difference.empty() ? compare(row.name, arrived, want_tile) : difference;
}

}  // namespace machine_rows
