// subtile<Rows, Columns>(tile, i, j): the (i, j)th tile of a tile of shared memory, as a tile of
// shared memory.
//
//     auto const a = axe::subtile<64, 64>(stage, warpgroup, 0);            of S[(128,64):(64,1)] under a swizzle: the same rows, 8192 bytes further on for warpgroup 1
//
// The layout is grouped into tiles and their insides; the digits of the tiles become the address
// (index/fix.hpp), the inside keeps the swizzle. Under a swizzle each subtile begins at a multiple
// of its period, or it would be swizzled otherwise: refused where not, and where the tiles fall
// inside a digit.
// Source: model of the Axe paper, section 3.3 (tiles). Definition: docs/plans.md, "Matrix
// products".
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/cuda/view.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct subtile_layouts {
  refusal why{};
  layout outer, inner;
  integer apart = 0;  // what divides every step between tiles, in elements; 0: there is one tile
};

AXE_FN constexpr subtile_layouts split_tile(layout const& l, integer rows, integer columns,
                                            integer tile_rows, integer tile_columns) {
  subtile_layouts out;
  if (rows % tile_rows != 0 || columns % tile_columns != 0) {
    bool const by_rows = rows % tile_rows != 0;
    out.why = {rule::mma_does_not_divide,
               {by_rows ? rows : columns, by_rows ? tile_rows : tile_columns}};
    return out;
  }
  outcome<layout> const grouped =
      try_group(l, {rows / tile_rows, tile_rows, columns / tile_columns, tile_columns});
  if (!grouped) {
    out.why = grouped.why;
    return out;
  }
  for (int b = 0, d = 0; b < 4; ++b)
    for (int const last = d + grouped->blocks[b]; d < last; ++d) {
      iter const i = grouped->shards[d];
      (b % 2 == 0 ? out.outer : out.inner).shards.push(i);
      if (b % 2 == 0) out.apart = greatest_common_divisor(out.apart, i.stride);
      if (b % 2 == 0 && !l.swizzle.none() && i.stride % l.swizzle.period() != 0)
        out.why = {rule::subtile_inside_a_swizzle, {i.stride, l.swizzle.period()}};
    }
  out.inner.swizzle = l.swizzle;
  out.inner.offsets = l.offsets;
  out.inner.replicas = l.replicas;  // tiles of memory have none, and are refused as such
  return out;
}

template <class L, integer Rows, integer Columns, integer TileRows, integer TileColumns>
struct subtile_of {
  static constexpr subtile_layouts value =
      split_tile(L::value, Rows, Columns, TileRows, TileColumns);
  struct outer_source {
    static constexpr layout value = subtile_of::value.outer;
  };
  struct inner_source {
    static constexpr layout value = subtile_of::value.inner;
  };
  AXE_FN static constexpr refusal why() { return value.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout l = L::value;
    refusal_text out;
    out.put("subtile: ");
    print(out, value.why, {&l});
    return out;
  }
};

}  // namespace detail

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace detail {

template <integer TileRows, integer TileColumns, class T, class L, integer Rows, integer Columns,
          integer Alignment, class... N>
__device__ __forceinline__ auto subtile_from(unsigned address, N const&... numbers) {
  using of = subtile_of<L, Rows, Columns, TileRows, TileColumns>;
  using stop [[maybe_unused]] = typename verdict<of>::stop;
  using outer = carrier_of<typename of::outer_source>;
  using inner = carrier_of<typename of::inner_source>;
  constexpr integer apart =
      greatest_common_divisor(Alignment, of::value.apart * integer{sizeof(T)});
  auto const begin =
      fix<outer, extents<Rows / TileRows, Columns / TileColumns>, integer{sizeof(T)}>(numbers...)
          .from(address);
  return shared_tile<T, inner, extents<TileRows, TileColumns>, (apart & -apart)>{
      static_cast<unsigned>(begin.template at<>())};
}

}  // namespace detail

template <integer TileRows, integer TileColumns, class T, class L, class S, integer Alignment,
          class Row, class Column>
__device__ __forceinline__ auto subtile(shared_tile<T, L, S, Alignment> const& tile, Row const& i,
                                        Column const& j) {
  static_assert(S::value.rank() == 2, "a tile of rows and columns");
  constexpr integer rows = S::value.nodes.value(1), columns = S::value.nodes.value(2);
  return detail::subtile_from<TileRows, TileColumns, T, L, rows, columns, Alignment>(tile.address,
                                                                                     i, j);
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
