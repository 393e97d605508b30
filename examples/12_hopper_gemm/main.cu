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

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"hopper_gemm", {"rows", "columns", "depth"}, "136x200x72"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(columns % 8 == 0 && depth % 8 == 0,
                  "columns and depth must be multiples of 8: TMA needs row strides that are "
                  "multiples of 16 bytes");
        example::gemm const gemm(p);
        matrix const size_a(rows, depth), size_b(columns, depth), size_c(rows, columns);
        auto const a_64 = rows_of_64<64>::load::map(gemm.a.data(), size_a),
                   b_64 = rows_of_64<64>::load::map(gemm.b.data(), size_b);
        auto const a_128 = rows_of_64<128>::load::map(gemm.a.data(), size_a),
                   b_128 = rows_of_64<128>::load::map(gemm.b.data(), size_b);
        auto const b_256 = rows_of_64<256>::load::map(gemm.b.data(), size_b);
        auto const k = static_cast<unsigned>(depth);

        dim3 const by_64 = axe::grid_of<64, 64>(rows, columns);
        gemm.check("one_wgmma", [&](bf16* c) {
          example::launch(one_wgmma, {.grid = by_64, .block = {128}}, a_64, b_64,
                          matrix_view{c, size_c}, k);
        });

        dim3 const by_128 = axe::grid_of<128, 128>(rows, columns);
        gemm.check("pipelined", [&](bf16* c) {
          example::launch(pipelined,
                          {.grid = by_128, .block = {128}, .shared = 4 * sizeof(pipelined_stage)},
                          a_128, b_128, matrix_view{c, size_c}, k);
        });

        dim3 const by_256 = axe::grid_of<128, 256>(rows, columns);
        gemm.check("specialised", [&](bf16* c) {
          example::launch(specialised,
                          {.grid = by_256, .block = {384}, .shared = 4 * sizeof(specialised_stage)},
                          a_128, b_256, matrix_view{c, size_c}, k);
        });

        tile_order const tiles{by_256.y, by_256.x};
        dim3 const resident_blocks(
            std::min(example::multiprocessors(), tiles.rows * tiles.columns));
        gemm.check("persistent", [&](bf16* c) {
          example::launch(
              persistent,
              {.grid = resident_blocks, .block = {384}, .shared = sizeof(persistent_memory)}, a_128,
              b_256, store_c::map(c, size_c), tiles, k);
        });

        tile_order const pairs{(by_256.y + 1) / 2, by_256.x};
        dim3 const resident_pairs(
            2 * std::min(example::multiprocessors() / 2, pairs.rows * pairs.columns));
        gemm.check("clusters", [&](bf16* c) {
          example::launch(clusters,
                          {.grid = resident_pairs,
                           .block = {384},
                           .shared = sizeof(clusters_memory),
                           .cluster = {2, 1}},
                          a_128, b_128, store_c::map(c, size_c), pairs, k);
        });
      });
}
