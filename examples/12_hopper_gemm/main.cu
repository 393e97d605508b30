// Five kernels for C = A B^T in bf16 with sums in f32. Each adds one idea to the one before. A is
// (rows, depth), B (columns, depth), C (rows, columns).
#include "clusters.cuh"
#include "one_wgmma.cuh"
#include "persistent.cuh"
#include "pipelined.cuh"
#include "specialised.cuh"

#include "support/gemm.hpp"

#include <axe/cuda/launch.hpp>

#include <algorithm>

namespace {

using operands = example::gemm_operands<matrix, rows_of_64>;
/// C with the tensor map of the tiles that the kernels store.
operand stored(matrix const& c) { return axe::mapped_for<staged_rows>(c); }

void check_one_wgmma(operands const& of) {
  auto const a = of.a<64>(), b = of.b<64>();
  dim3 const grid = of.grid<64, 64>();
  of.gemm.check("one_wgmma", [&](bf16* c) {
    example::launch(one_wgmma, {.grid = grid, .block = {128}}, a, b, of.c(c), of.k);
  });
}

void check_pipelined(operands const& of) {
  auto const a = of.a<128>(), b = of.b<128>();
  example::launch_shape const shape{
      .grid = of.grid<128, 128>(), .block = {128}, .shared = 4 * sizeof(pipelined_stage)};
  of.gemm.check("pipelined",
                [&](bf16* c) { example::launch(pipelined, shape, a, b, of.c(c), of.k); });
}

void check_specialised(operands const& of) {
  auto const a = of.a<128>();
  auto const b = of.b<256>();
  example::launch_shape const shape{
      .grid = of.grid<128, 256>(), .block = {384}, .shared = 4 * sizeof(specialised_stage)};
  of.gemm.check("specialised",
                [&](bf16* c) { example::launch(specialised, shape, a, b, of.c(c), of.k); });
}

void check_persistent(operands const& of) {
  auto const a = of.a<128>();
  auto const b = of.b<256>();
  dim3 const grid = of.grid<128, 256>();
  tile_order const tiles{grid.y, grid.x};
  unsigned const blocks = std::min(example::multiprocessors(), tiles.rows * tiles.columns);
  example::launch_shape const shape{
      .grid = {blocks}, .block = {384}, .shared = sizeof(persistent_memory)};
  of.gemm.check("persistent", [&](bf16* c) {
    example::launch(persistent, shape, a, b, stored(of.c(c)), tiles, of.k);
  });
}

void check_clusters(operands const& of) {
  auto const a = of.a<128>(), b = of.b<128>();
  dim3 const grid = of.grid<256, 256>();
  tile_order const pairs{grid.y, grid.x};
  unsigned const clusters_at_once =
      std::min(example::multiprocessors() / 2, pairs.rows * pairs.columns);
  example::launch_shape const shape{.grid = {2 * clusters_at_once},
                                    .block = {384},
                                    .shared = sizeof(clusters_memory),
                                    .cluster = {2, 1}};
  of.gemm.check("clusters", [&](bf16* c) {
    example::launch(clusters, shape, a, b, stored(of.c(c)), pairs, of.k);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"hopper_gemm", {"rows", "columns", "depth"}, "136x200x72"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(columns % 8 == 0 && depth % 8 == 0,
                  "columns and depth must be multiples of 8: TMA needs row strides that are "
                  "multiples of 16 bytes");
        operands const of{example::gemm(p)};
        check_one_wgmma(of);
        check_pipelined(of);
        check_specialised(of);
        check_persistent(of);
        check_clusters(of);
      });
}
