// The tensors of one to five dimensions and the shared layouts that tma_kernels.cu and its test
// use.
#pragma once

#include <axe/construct/literal.hpp>
#include <axe/cuda/tma/boxes.hpp>
#include <axe/index/dynamic_layout.hpp>

namespace tensors {

using namespace axe::literals;
using type = axe::element_type;

/// A planned tensor copy of tiles. The caller issues all boxes of a tile by its numbers.
template <axe::tma_kind Kind, type Type, class Global, class Tile, class Shared,
          axe::tma_options Options = axe::tma_options{},
          axe::cache_hint Cache = axe::cache_hint::none>
struct tensor_transfer {
  using tile_shape = Tile;
  static constexpr axe::tma_plan boxes =
      axe::plan_tma(Kind, Type, axe::tma_tensor_of<Global>(), Tile::value, Shared::value, Options);
  static constexpr struct {
    axe::cache_hint cache;
  } plan{Cache};
  static constexpr unsigned bytes = static_cast<unsigned>(boxes.bytes());

#ifdef __CUDACC__
  __device__ static void load(axe::tensor_map const& map, unsigned shared, axe::mbarrier full,
                              auto... numbers) {
    issue(axe::detail::integers_to<Tile::value.rank()>{}, map, shared, full, numbers...);
  }
  __device__ static void store(axe::tensor_map const& map, unsigned shared, auto... numbers) {
    load(map, shared, axe::mbarrier{}, numbers...);
  }
  template <int... D>
  __device__ static void issue(axe::detail::integers<D...>, axe::tensor_map const& map,
                               unsigned shared, axe::mbarrier full, auto... numbers) {
    using namespace axe::detail;
    issue_tensor<tensor_transfer>(map,
                                  make_sums(scale<Tile::value.extent(D)>(axe::as_sum(numbers))...),
                                  shared, full, axe::detail::indices_to<boxes.loops.count>{});
  }
#endif
};

/// A test case: how tiles of a tensor are loaded and stored by TMA.
template <type Type, class Global, class Tile, class Shared> struct tile_transfer {
  static constexpr type element = Type;
  using global = Global;
  using tile = Tile;
  using shared = Shared;
  using load = tensor_transfer<axe::tma_kind::load, Type, Global, Tile, Shared>;
  using store = tensor_transfer<axe::tma_kind::store, Type, Global, Tile, Shared>;
};

using vector = axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), 1>>>;
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;
using rows_by_4 =
    axe::dynamic_matrix<axe::dynamic(0).multiple_of(4), axe::dynamic(1), axe::dynamic(2)>;
/// The slots of a tensor are first its extents, then the strides of all dimensions but the last.
using volume = axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(3)>>,
                                   axe::dimension<axe::digit<axe::dynamic(1), axe::dynamic(4)>>,
                                   axe::dimension<axe::digit<axe::dynamic(2), 1>>>;
using four_dimensions =
    axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(4)>>,
                        axe::dimension<axe::digit<axe::dynamic(1), axe::dynamic(5)>>,
                        axe::dimension<axe::digit<axe::dynamic(2), axe::dynamic(6)>>,
                        axe::dimension<axe::digit<axe::dynamic(3), 1>>>;
using five_dimensions =
    axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(5)>>,
                        axe::dimension<axe::digit<axe::dynamic(1), axe::dynamic(6)>>,
                        axe::dimension<axe::digit<axe::dynamic(2), axe::dynamic(7)>>,
                        axe::dimension<axe::digit<axe::dynamic(3), axe::dynamic(8)>>,
                        axe::dimension<axe::digit<axe::dynamic(4), 1>>>;

using line = tile_transfer<type::f32, vector, axe::extents<256>, axe::carrier<"S[256:1]"_axe>>;
using plane = tile_transfer<type::bf16, matrix, axe::extents<64, 128>,
                            axe::carrier<"swizzle(3,3,3) o S[(64,2,64):(64,4096,1)]"_axe>>;
/// Row 4a + j of the tile is row 8j + a in shared memory.
using permuted = axe::carrier<"swizzle(2,3,3) o S[(8,4,32):(32,256,1)]"_axe>;
using strided = tile_transfer<type::f32, matrix, axe::extents<32, 32>, permuted>;
using split = tile_transfer<type::f32, rows_by_4, axe::extents<32, 32>, permuted>;
using bytes = tile_transfer<type::u8, matrix, axe::extents<32, 128>,
                            axe::carrier<"swizzle(4,3,3) o S[(32,128):(128,1)]"_axe>>;
using block = tile_transfer<type::f64, volume, axe::extents<2, 4, 8>,
                            axe::carrier<"swizzle(1,2,3) o S[(2,4,8):(32,8,1)]"_axe>>;
/// A tile of rows of pixels whose channels are adjacent.
using nhwc = tile_transfer<type::u16, four_dimensions, axe::extents<1, 4, 8, 16>,
                           axe::carrier<"swizzle(3,1,3) o S[(4,8,16):(16,64,1)]"_axe>>;
using five = tile_transfer<type::f32, five_dimensions, axe::extents<2, 2, 2, 4, 8>,
                           axe::carrier<"S[(2,2,2,4,8):(32,64,128,8,1)]"_axe>>;

using words = tile_transfer<type::u32, matrix, axe::extents<8, 32>, axe::carrier<"S[256:1]"_axe>>;
template <axe::cache_hint Cache>
using hinted_words = tensor_transfer<axe::tma_kind::load, type::u32, matrix, axe::extents<8, 32>,
                                     words::shared, axe::tma_options{}, Cache>;
using halves = tile_transfer<type::bf16, matrix, axe::extents<8, 32>, axe::carrier<"S[256:1]"_axe>>;
/// A multicast of a tile to both CTAs of a cluster.
using twice = tensor_transfer<axe::tma_kind::multicast, type::bf16, matrix, axe::extents<64, 128>,
                              plane::shared, axe::tma_options{.ctas = 3}>;

struct tiles {
  unsigned counts[5];  // the number of tiles along each dimension
};

}  // namespace tensors
