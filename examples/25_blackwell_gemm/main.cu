// Five kernels for C = A B^T in bf16 with sums in f32. Each adds one idea to the one before. A is
// (rows, depth), B (columns, depth), C (rows, columns).
#include "one_cta.cuh"
#include "pair.cuh"
#include "pipelined.cuh"
#include "scheduled.cuh"

#include "support/gemm.hpp"

#include <axe/cuda/launch.hpp>

#include <algorithm>

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"blackwell_gemm", {"rows", "columns", "depth"}, "264x520x136"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(columns % 8 == 0 && depth % 8 == 0,
                  "columns and depth must be multiples of 8: TMA needs row strides that are "
                  "multiples of 16 bytes");
        example::gemm const gemm(p);
        matrix const size_a(rows, depth), size_b(columns, depth), size_c(rows, columns);
        auto const a_128 = rows_of_64<128>::load::map(gemm.a.data(), size_a),
                   b_128 = rows_of_64<128>::load::map(gemm.b.data(), size_b);
        auto const b_256 = rows_of_64<256>::load::map(gemm.b.data(), size_b);
        auto const k = static_cast<unsigned>(depth);

        dim3 const by_128 = axe::grid_of<128, 128>(rows, columns);
        gemm.check("one_cta", [&](bf16* c) {
          example::launch(one_cta, {.grid = by_128, .block = {128}}, a_128, b_128,
                          matrix_view{c, size_c}, k);
        });

        dim3 const by_256 = axe::grid_of<128, 256>(rows, columns);
        gemm.check("pipelined", [&](bf16* c) {
          example::launch(pipelined,
                          {.grid = by_256, .block = {128}, .shared = 4 * sizeof(pipelined_stage)},
                          a_128, b_256, matrix_view{c, size_c}, k);
        });

        tile_order const tiles{(by_256.y + 1) / 2, by_256.x};
        gemm.check("pair", [&](bf16* c) {
          example::launch(pair,
                          {.grid = {2 * tiles.rows, tiles.columns},
                           .block = {128},
                           .shared = 6 * sizeof(pair_stage),
                           .cluster = {2, 1}},
                          a_128, b_128, matrix_view{c, size_c}, k);
        });

        using store_c = rows_of_64<128>::store;
        unsigned const all = tiles.rows * tiles.columns;
        auto const pairs = [](auto const& kernel, unsigned count, auto const&... arguments) {
          example::launch(kernel,
                          {.grid = {2 * count},
                           .block = {256},
                           .shared = sizeof(persistent_memory),
                           .cluster = {2, 1}},
                          arguments...);
        };
        gemm.check("persistent", [&](bf16* c) {
          pairs(persistent, std::min(example::multiprocessors() / 2, all), a_128, b_128,
                store_c::map(c, size_c), tiles, k);
        });
        gemm.check("launch_control", [&](bf16* c) {
          pairs(launch_control, all, a_128, b_128, store_c::map(c, size_c), tiles, k);
        });
      });
}
