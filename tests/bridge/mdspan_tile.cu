// Uses axe::mdspan_layout as the layout of a tensor_span of CUDA Tile C++ (CUDA 13.3 and later),
// for a column-major and a padded matrix. A tensor span rejects a swizzled layout, and a layout
// with an offset: strides alone do not describe them.
#include <axe/axe.hpp>
#include <axe/bridge/mdspan.hpp>

#include <cuda_tile.h>

using namespace axe::literals;
namespace tiles = cuda::tiles;

using extents = tiles::extents<int, 64, 32>;
using columns = axe::carrier<"S[(64,32):(1,64)]"_axe>;
using padded = axe::carrier<"S[(64,32):(40,1)]"_axe>;
using swizzled = axe::carrier<"swizzle(2,2,3) o S[(64,32):(32,1)]"_axe>;
using behind = axe::carrier<"S[(64,32):(32,1)] + 5"_axe>;

template <class Carrier> using mapping = axe::mdspan_layout<Carrier>::template mapping<extents>;
static_assert(tiles::layout_mapping<mapping<columns>> && tiles::layout_mapping<mapping<padded>>);
static_assert(mapping<padded>::static_stride(0) == 40 && mapping<padded>::static_stride(1) == 1);
static_assert(!tiles::layout_mapping<mapping<swizzled>> && !tiles::layout_mapping<mapping<behind>>);

__tile_global__ void copy(float* from, float* to) {
  tiles::tensor_span<float, extents, axe::mdspan_layout<columns>> const source(from, {});
  tiles::tensor_span<float, extents, axe::mdspan_layout<padded>> const target(to, {});
  auto const read = tiles::partition_view{source, tiles::shape<16, 16>{}};
  auto const write = tiles::partition_view{target, tiles::shape<16, 16>{}};
  write.store(read.load(0, 1), 0, 1);
}
