// Tests tensor copies in tiled mode: a box of 8, 2, 2, 2, 2 elements at 0, 1, 0, 1, 1 of a tensor
// of extents 8, 3, 3, 3, 3.
#include "rows/map_copying.hpp"

namespace machine_rows {
namespace {

using namespace copying;

constexpr std::uint32_t box[5] = {8, 2, 2, 2, 2}, begin[5] = {0, 1, 0, 1, 1};

unsigned rank_of(name_parts const& name) {
  unsigned rank = 1;
  for (unsigned r = 2; r <= 5; ++r)
    if (name.has(say(r, 'd'))) rank = r;
  return rank;
}

/// The offsets of element k of the tile, in which dimension 0 is the fastest.
element_offsets offsets_of(map_copy const& of, std::size_t k) {
  std::size_t rest = k, in_tensor = 0, stride = 1;
  for (unsigned d = 0; d < of.rank; ++d) {
    in_tensor += (rest % box[d] + begin[d]) * stride;
    rest /= box[d];
    stride *= of.extents[d];
  }
  return {4 * in_tensor, 4 * k};
}

}  // namespace

verdict test_tiled(machine::table_row const& row) {
  map_copy of = map_copy_of(row, rank_of(split(row.name)), 1);
  std::size_t elements = 1, boxed = 1;
  for (unsigned d = 0; d < of.rank; ++d) {
    of.extents[d] = d == 0 ? 8 : 3;
    if (d > 0) of.strides[d - 1] = 4 * elements;
    elements *= of.extents[d];
    boxed *= box[d];
    of.coordinates += say(d == 0 ? "" : ", ", begin[d]);
  }
  of.tile_bytes = 4 * boxed;
  for (std::size_t k = 0; k < boxed; ++k) of.elements.push_back(offsets_of(of, k));
  return test(of, [](void* map, machine::tensor::map_arguments const& what) {
    return machine::tensor::encode_tiled(map, what, box);
  });
}

}  // namespace machine_rows
