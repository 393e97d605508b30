// Moves rows of a tensor map's box between global and shared memory: sizes, swizzles, fills,
// conversions and reductions, and the reasons for which a copy is rejected.
#include "tensor/tile_copy.hpp"

#include <algorithm>
#include <bit>

#include "numerics/convert.hpp"

namespace machine::tensor {

std::array<std::uint32_t, most_dimensions> steps_of(tensor_map const& map) {
  std::array<std::uint32_t, most_dimensions> steps{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(map.rank); ++i) {
    std::uint32_t const stride = i == 0 ? 1 : map.element_strides[i];
    steps[i] = (map.box[i] + stride - 1) / stride;
  }
  return steps;
}

namespace {

// Counts in 64 bits, because a legal box of 256^5 elements is larger than any shared memory.
std::uint64_t rows_of(tensor_map const& map) {
  if (map.mode == map_mode::im2col) return map.pixels;
  std::uint64_t rows = 1;
  for (std::size_t i = 1; i < static_cast<std::size_t>(map.rank); ++i) rows *= steps_of(map)[i];
  return rows;
}

std::uint32_t elements_of_row(tensor_map const& map) {
  return map.mode == map_mode::im2col ? map.channels : steps_of(map)[0];
}

std::uint64_t image_size(tensor_map const& map) {
  return rows_of(map) * image_bytes(map.type, elements_of_row(map));
}

}  // namespace

std::uint32_t bytes_of(tensor_map const& map) {
  return static_cast<std::uint32_t>(image_size(map));
}

std::uint32_t counted_bytes_of(tensor_map const& map) {
  return static_cast<std::uint32_t>(rows_of(map) * packed_bytes(map.type, elements_of_row(map)));
}

std::optional<std::string> refuse_begin(tensor_map const& map, coordinates const& at, bool stores) {
  bool const tiled = map.mode == map_mode::tiled;
  int const step = is_packed(map.type) ? (has_gaps(map.type) ? 16 : 2)
                   : tiled             ? 16 / size_of(map.type)
                                       : 1;
  if (at[0] % step != 0)
    return "the first coordinate " + std::to_string(at[0]) + " of a tensor copy of elements of " +
           std::to_string(bits_of(map.type)) + " bits is not a multiple of " + std::to_string(step);
  for (int d = 0; d < map.rank; ++d)
    if (std::int32_t const first = at[static_cast<std::size_t>(d)]; tiled && stores && first < 0)
      return "a tensor store begins at coordinate " + std::to_string(first) + " of dimension " +
             std::to_string(d) + ", which is below 0";
  return std::nullopt;
}

tensor_map with_stored_ends(tensor_map map) {
  if (map.mode != map_mode::tiled || is_packed(map.type)) return map;
  auto const step = static_cast<std::uint64_t>(16 / size_of(map.type));
  map.extents[0] = (map.extents[0] + step - 1) / step * step;
  return map;
}

std::optional<std::string> refuse_copy(tensor_map const& map, std::uint64_t shared_address,
                                       std::uint64_t shared_size, bool stores) {
  if (stores && map.type == map_type::u4_align16)
    return "the tensor map has type 16U4_ALIGN16B, which has loads only";
  if (!stores && map.type == map_type::u6_align16 && map.swizzling == swizzle::b128_atom64)
    return "type 16U6_ALIGN16B with atoms of 64 bytes has stores only";
  if (map.interleave != interleaving::none)
    return "the tensor map has an interleaved layout (NC/8HWC8 or NC/16HWC16), which this machine "
           "encodes "
           "but does not copy";
  if (shared_address % 128 != 0)
    return "the shared address " + std::to_string(shared_address) +
           " of a tensor copy is not a multiple of 128";
  // If the rows are narrower than the swizzle's span, the swizzle may move the last one up to the
  // end of its span.
  std::uint64_t const span = span_of(map.swizzling);
  std::uint64_t const bytes = (image_size(map) + span - 1) / span * span;
  if (bytes > shared_size || shared_address > shared_size - bytes)
    return "the " + std::to_string(bytes) + " bytes of the box from shared address " +
           std::to_string(shared_address) + " end outside the " + std::to_string(shared_size) +
           " bytes of shared memory";
  return std::nullopt;
}

void scatter(std::span<std::byte> shared, swizzle mode, std::uint32_t start, std::uint32_t first,
             std::span<std::byte const> row) {
  if (mode == swizzle::none) {
    std::memcpy(shared.data() + start + first, row.data(), row.size());
    return;
  }
  // Rows consist of whole chunks of 16 bytes, and start at a multiple of 128.
  std::uint32_t const step = mode == swizzle::b128_atom32_flip8 ? 8 : 16;
  for (std::uint32_t i = 0; i < row.size(); i += step)
    std::memcpy(shared.data() + swizzled(mode, start + first + i), row.data() + i, step);
}

void gather(std::span<std::byte const> shared, swizzle mode, std::uint32_t start,
            std::uint32_t first, std::span<std::byte> row) {
  if (mode == swizzle::none) {
    std::memcpy(row.data(), shared.data() + start + first, row.size());
    return;
  }
  std::uint32_t const step = mode == swizzle::b128_atom32_flip8 ? 8 : 16;
  for (std::uint32_t i = 0; i < row.size(); i += step)
    std::memcpy(row.data() + i, shared.data() + swizzled(mode, start + first + i),
                std::min<std::size_t>(step, row.size() - i));
}

void spread(map_type type, std::span<std::byte const> packed, std::span<std::byte> image) {
  auto const each = static_cast<std::size_t>(2 * bits_of(type));
  std::fill(image.begin(), image.end(), std::byte{0xc9});
  for (std::size_t k = 0; k * 16 < image.size(); ++k)
    std::memcpy(&image[k * 16], &packed[k * each], each);
}

void compress(map_type type, std::span<std::byte const> image, std::span<std::byte> packed) {
  auto const each = static_cast<std::size_t>(2 * bits_of(type));
  for (std::size_t k = 0; k * each < packed.size(); ++k)
    std::memcpy(&packed[k * each], &image[k * 16], each);
}

namespace {

template <class Change> void each_float(std::span<std::byte> row, Change change) {
  for (std::size_t i = 0; i < row.size(); i += 4) {
    float value;
    std::memcpy(&value, row.data() + i, 4);
    std::uint32_t const bits = change(value);
    std::memcpy(row.data() + i, &bits, 4);
  }
}

}  // namespace

void convert_loaded(map_type type, std::span<std::byte> row) {
  using numerics::flush;
  switch (type) {
    case map_type::float32_ftz:
      each_float(row, [](float value) { return std::bit_cast<std::uint32_t>(flush(value)); });
      return;
    case map_type::tfloat32:
      each_float(
          row, [](float value) { return numerics::float_to_tf32(value, numerics::rounding::rn); });
      return;
    case map_type::tfloat32_ftz:
      each_float(row, [](float value) {
        return numerics::float_to_tf32(flush(value), numerics::rounding::rn);
      });
      return;
    default: return;
  }
}

void fill_border(tensor_map const& map, std::span<std::byte> row) {
  if (map.fill == border::zero) {
    std::fill(row.begin(), row.end(), std::byte{0});
    return;
  }
  // Writes the canonical NaN of the type: all ones but the sign. This is an assumption, because the
  // driver only says "a special NaN constant".
  auto const size = static_cast<std::size_t>(size_of(map.type));
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = i % size == size - 1 ? std::byte{0x7f} : std::byte{0xff};
}

std::optional<numerics::reduced_type> reduced_type_of(map_type type,
                                                      numerics::reduction operation) {
  using enum numerics::reduced_type;
  auto const legal = [&](numerics::reduced_type found) -> std::optional<numerics::reduced_type> {
    if (numerics::refuse_reduction(operation, found) != nullptr) return std::nullopt;
    return found;
  };
  switch (type) {
    case map_type::uint32: return legal(u32);
    case map_type::int32: return legal(s32);
    case map_type::uint64: return legal(u64);
    case map_type::int64: return legal(s64);
    case map_type::float16: return legal(half);
    case map_type::bfloat16: return legal(bfloat16);
    case map_type::float32: return legal(numerics::reduced_type::single);
    default: return std::nullopt;  // also f64: red can add it, a tensor copy cannot
  }
}

void reduce_row(numerics::reduction operation, numerics::reduced_type type,
                std::span<std::byte> old_bytes, std::span<std::byte const> values) {
  auto const size = static_cast<std::size_t>(numerics::size_of(type));
  for (std::size_t i = 0; i + size <= old_bytes.size(); i += size) {
    std::uint64_t before = 0;
    std::uint64_t value = 0;
    std::memcpy(&before, old_bytes.data() + i, size);
    std::memcpy(&value, values.data() + i, size);
    std::uint64_t const after = numerics::reduce(operation, type, before, value);
    std::memcpy(old_bytes.data() + i, &after, size);
  }
}

}  // namespace machine::tensor
