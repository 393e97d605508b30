// Finds the rows of bytes that a tensor copy touches (PTX ISA, "Tensors": tiled mode, im2col mode,
// out-of-bounds access).
//
//     a bf16 matrix of extents {136, 200} in boxes {64, 64}, copied at coordinates {128, 192}:
//     of the 128 bytes of row 0, 16 are inside the tensor and 112 are filled
//
// A coordinate outside [0, extent) is out of bounds: a load fills these bytes, a store skips them
// (tile_copy.hpp rounds the ends of its rows up). The mbarrier counts them too.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tensor/tensor_map.hpp"

namespace machine::tensor {

using coordinates = std::array<std::int32_t, most_dimensions>;

/// A row of a copy: `before` bytes out of bounds, `inside` bytes at `global`, `after` bytes out of
/// bounds.
struct tile_row {
  std::uint32_t offset;  // of the row in the dense image, before any swizzle
  std::uint32_t before;
  std::uint32_t inside;
  std::uint32_t after;
  std::uint64_t global;
};

/// Returns a sentence if this copy cannot run: a misaligned shared address, one out of range, or a
/// feature that the machine lacks. `stores` is true for copies from shared memory.
std::optional<std::string> refuse_copy(tensor_map const& map, std::uint64_t shared_address,
                                       std::uint64_t shared_size, bool stores = false);
/// Returns why a copy cannot begin at these coordinates, if it cannot. In tiled mode, rows begin at
/// multiples of 16 bytes, and stores and reductions do not begin below 0: an H200 raised an illegal
/// instruction (2026-11-27, driver 580.159.04). Elements of 4 and 6 bits were not tried there.
std::optional<std::string> refuse_begin(tensor_map const& map, coordinates const& at, bool stores);

/// Returns the bytes of the image in shared memory. refuse_copy must accept the map: the bytes of
/// other legal boxes may not fit 32 bits.
std::uint32_t bytes_of(tensor_map const& map);
/// Returns the bytes that the mbarrier counts: those of the image without gaps.
std::uint32_t counted_bytes_of(tensor_map const& map);

/// Returns the number of steps along each dimension of a tiled map. With coordinates c, box b and
/// element strides e (that of dimension 0 is ignored), dimension i takes n_i = ceil(b_i / e_i)
/// steps, and step j is at coordinate c_i + j e_i. The image in shared memory is dense, dimension 0
/// is contiguous:
///
///     offset(j0, j1, ...) = size * (j0 + n_0 * (j1 + n_1 * (...)))
///
/// Packed types of 4 and 6 bits have gaps in the image: 16 elements fill 8 or 12 of 16 bytes. The
/// mbarrier does not count the gaps. Rows are packed here; tile_copy.hpp writes the gaps.
std::array<std::uint32_t, most_dimensions> steps_of(tensor_map const& map);

namespace detail {

struct clipped {
  std::uint32_t before, inside, after;
};

/// Clips elements first .. first + count - 1 to [0, extent).
constexpr clipped clip(std::int64_t first, std::int64_t count, std::int64_t extent) {
  std::int64_t const begin = first < 0 ? (first + count < 0 ? count : -first) : 0;
  std::int64_t end = extent - first;
  end = end < begin ? begin : end > count ? count : end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin),
          static_cast<std::uint32_t>(count - end)};
}

inline tile_row make_row(tensor_map const& map, std::uint32_t offset, std::int64_t first,
                         std::uint32_t count, bool outside, std::uint64_t base) {
  clipped const part = clip(first, count, outside ? 0 : static_cast<std::int64_t>(map.extents[0]));
  auto const begin = static_cast<std::uint64_t>(first + part.before);
  std::uint64_t const start = base + begin * static_cast<std::uint64_t>(bits_of(map.type)) / 8;
  return {offset, packed_bytes(map.type, part.before), packed_bytes(map.type, part.inside),
          packed_bytes(map.type, part.after), start};
}

}  // namespace detail

/// Calls visit(tile_row) for each row of the box, in the order of the image.
template <class Visit>
void for_each_tiled_row(tensor_map const& map, coordinates const& at, Visit visit) {
  auto const steps = steps_of(map);
  std::uint32_t const row_bytes = image_bytes(map.type, steps[0]);
  std::array<std::uint32_t, most_dimensions> step{};
  for (std::uint32_t offset = 0;; offset += row_bytes) {
    bool outside = false;
    std::uint64_t base = map.address;
    for (std::size_t i = 1; i < static_cast<std::size_t>(map.rank); ++i) {
      std::int64_t const coordinate =
          at[i] + static_cast<std::int64_t>(step[i]) * map.element_strides[i];
      outside =
          outside || coordinate < 0 || coordinate >= static_cast<std::int64_t>(map.extents[i]);
      base += static_cast<std::uint64_t>(coordinate) * map.strides[i];
    }
    visit(detail::make_row(map, offset, at[0], steps[0], outside, base));
    std::size_t i = 1;
    for (; i < static_cast<std::size_t>(map.rank); ++i) {
      if (++step[i] < steps[i]) break;
      step[i] = 0;
    }
    if (i == static_cast<std::size_t>(map.rank)) return;
  }
}

/// Visits the rows of an im2col copy: `pixels` rows of `channels` elements. The first pixel is at
/// the coordinates (w, h, d, n). The next one is an element stride further along w, up to the last
/// pixel of the pixel box, extent - 1 + upper. Then w starts again at lower, and h (then d) takes a
/// step. After the last of these, the next image n begins. A row is read at pixel + offsets: the
/// im2col offsets along W, H, D; zero for stores (im2col_no_offs).
template <class Visit>
void for_each_im2col_row(tensor_map const& map, coordinates const& at,
                         std::array<std::uint16_t, 3> offsets, Visit visit) {
  std::uint32_t const row_bytes = image_bytes(map.type, map.channels);
  auto const images = static_cast<std::size_t>(map.rank - 1);
  std::array<std::int64_t, most_dimensions> pixel{at[0], at[1], at[2], at[3], at[4]};
  for (std::uint32_t row = 0; row < map.pixels; ++row) {
    bool outside = false;
    std::uint64_t base = map.address;
    for (std::size_t i = 1; i <= images; ++i) {
      std::int64_t const coordinate = pixel[i] + (i < images ? std::int64_t{offsets[i - 1]} : 0);
      outside =
          outside || coordinate < 0 || coordinate >= static_cast<std::int64_t>(map.extents[i]);
      base += static_cast<std::uint64_t>(coordinate) * map.strides[i];
    }
    visit(detail::make_row(map, row * row_bytes, at[0], map.channels, outside, base));
    std::size_t i = 1;
    for (; i < images; ++i) {
      pixel[i] += map.element_strides[i];
      if (pixel[i] < static_cast<std::int64_t>(map.extents[i]) + map.upper[i - 1]) break;
      pixel[i] = map.lower[i - 1];
    }
    if (i == images) ++pixel[images];
  }
}

template <class Visit>
void for_each_row(tensor_map const& map, coordinates const& at,
                  std::array<std::uint16_t, 3> offsets, Visit visit) {
  if (map.mode == map_mode::tiled)
    for_each_tiled_row(map, at, visit);
  else
    for_each_im2col_row(map, at, offsets, visit);
}

}  // namespace machine::tensor
