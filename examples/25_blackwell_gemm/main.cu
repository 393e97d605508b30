// Five kernels for C = A B^T in bf16 with sums in f32. Each adds one idea to the one before. A is
// (rows, depth), B (columns, depth), C (rows, columns).
#include "one_cta.cuh"
#include "pair.cuh"
#include "pipelined.cuh"
#include "scheduled.cuh"

#include "support/gemm.hpp"

#include <axe/cuda/launch.hpp>

#include <algorithm>

namespace {

using operands = example::gemm_operands<matrix, rows_of_64>;
/// C with the tensor map of the tiles that the kernels store.
operand stored(matrix const& c) { return axe::mapped_for<rows_of_64<128>::buffer>(c); }

void check_one_cta(operands const& of) {
  auto const a = of.a<128>(), b = of.b<128>();
  dim3 const grid = of.grid<128, 128>();
  of.gemm.check("one_cta", [&](bf16* c) {
    example::launch(one_cta, {.grid = grid, .block = {128}}, a, b, of.c(c), of.k);
  });
}

void check_pipelined(operands const& of) {
  auto const a = of.a<128>();
  auto const b = of.b<256>();
  example::launch_shape const shape{
      .grid = of.grid<128, 256>(), .block = {128}, .shared = 4 * sizeof(pipelined_stage)};
  of.gemm.check("pipelined",
                [&](bf16* c) { example::launch(pipelined, shape, a, b, of.c(c), of.k); });
}

/// The tiles of 256 x 256 elements, one for a cluster of two blocks.
tile_order tiles_of_clusters(operands const& of) {
  dim3 const grid = of.grid<256, 256>();
  return {grid.y, grid.x};
}

void check_pair(operands const& of) {
  auto const a = of.a<128>(), b = of.b<128>();
  tile_order const tiles = tiles_of_clusters(of);
  example::launch_shape const shape{.grid = {2 * tiles.rows, tiles.columns},
                                    .block = {128},
                                    .shared = 6 * sizeof(pair_stage),
                                    .cluster = {2, 1}};
  of.gemm.check("pair", [&](bf16* c) { example::launch(pair, shape, a, b, of.c(c), of.k); });
}

/// Checks a kernel whose clusters compute several tiles each.
template <class Kernel>
void check_scheduled(char const* name, Kernel const& kernel, operands const& of,
                     unsigned clusters) {
  auto const a = of.a<128>(), b = of.b<128>();
  tile_order const tiles = tiles_of_clusters(of);
  example::launch_shape const shape{.grid = {2 * clusters},
                                    .block = {256},
                                    .shared = sizeof(persistent_memory),
                                    .cluster = {2, 1}};
  of.gemm.check(
      name, [&](bf16* c) { example::launch(kernel, shape, a, b, stored(of.c(c)), tiles, of.k); });
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"blackwell_gemm", {"rows", "columns", "depth"}, "264x520x136"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(columns % 8 == 0 && depth % 8 == 0,
                  "columns and depth must be multiples of 8: TMA needs row strides that are "
                  "multiples of 16 bytes");
        operands const of{example::gemm(p)};
        check_one_cta(of);
        check_pipelined(of);
        check_pair(of);
        tile_order const tiles = tiles_of_clusters(of);
        unsigned const all = tiles.rows * tiles.columns;
        check_scheduled("persistent", persistent, of,
                        std::min(example::multiprocessors() / 2, all));
        check_scheduled("launch_control", launch_control, of, all);
      });
}
