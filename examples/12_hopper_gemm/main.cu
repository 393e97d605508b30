// Five kernels for C = A B^T in bf16 with sums in f32. Each adds one idea to the one before. A is
// (rows, depth), B (columns, depth), C (rows, columns).
#include "clusters.cuh"
#include "one_wgmma.cuh"
#include "persistent.cuh"
#include "pipelined.cuh"
#include "specialised.cuh"

#include "support/cublaslt.hpp"

#include <algorithm>
#include <cmath>

namespace {

unsigned tiles_of(example::integer size, int tile) {
  return static_cast<unsigned>((size + tile - 1) / tile);
}

unsigned multiprocessors() {
  int device = 0, count = 0;
  example::check(cudaGetDevice(&device));
  example::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
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
        auto const a = p.normal<bf16>({rows, depth});
        auto const b = p.normal<bf16>({columns, depth});
        matrix const size_a(rows, depth), size_b(columns, depth), size_c(rows, columns);
        auto const a_64 = rows_of_64<64>::load::map(a.data(), size_a),
                   b_64 = rows_of_64<64>::load::map(b.data(), size_b);
        auto const a_128 = rows_of_64<128>::load::map(a.data(), size_a),
                   b_128 = rows_of_64<128>::load::map(b.data(), size_b);
        auto const b_256 = rows_of_64<256>::load::map(b.data(), size_b);
        auto const k = static_cast<unsigned>(depth);

        // The relative error of rounding to bf16 is at most 2^-8. The absolute error of the sums
        // in f32 grows with the depth.
        auto const expect = [&](char const* name, auto const& c) {
          p.expect(
              name, c,
              [&, columns = columns, depth = depth](auto at) {
                double sum = 0;
                for (example::integer d = 0; d < depth; ++d)
                  sum += static_cast<double>(static_cast<float>(a[at / columns * depth + d])) *
                         static_cast<double>(static_cast<float>(b[at % columns * depth + d]));
                return static_cast<float>(sum);
              },
              {.relative = 1.0 / 256, .absolute = 1e-6 * std::sqrt(static_cast<double>(depth))},
              depth);
        };

        // Runs one kernel, checks its output, and measures it beside cuBLASLt if the user asks for
        // it.
        double const operations = 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
                                  static_cast<double>(depth);
        auto const peers = p.poisoned<bf16>({rows, columns});
        example::product const product{
            .m = rows, .n = columns, .k = depth, .a = a.data(), .b = b.data(), .c = peers.data()};
        auto const step = [&, rows = rows, columns = columns](char const* name,
                                                              auto const& launch) {
          auto const c = p.poisoned<bf16>({rows, columns});
          launch(c.data());
          expect(name, c);
          example::measure(
              p, name, {.operations = operations}, [&] { launch(c.data()); },
              example::cublaslt(p, product));
        };

        dim3 const by_64(tiles_of(columns, 64), tiles_of(rows, 64));
        step("one_wgmma", [&](bf16* c) {
          example::launch(one_wgmma, {.grid = by_64, .block = {128}}, a_64, b_64,
                          matrix_view{c, size_c}, k);
        });

        dim3 const by_128(tiles_of(columns, 128), tiles_of(rows, 128));
        step("pipelined", [&](bf16* c) {
          example::launch(pipelined,
                          {.grid = by_128, .block = {128}, .shared = 4 * sizeof(pipelined_stage)},
                          a_128, b_128, matrix_view{c, size_c}, k);
        });

        dim3 const by_256(tiles_of(columns, 256), tiles_of(rows, 128));
        step("specialised", [&](bf16* c) {
          example::launch(specialised,
                          {.grid = by_256, .block = {384}, .shared = 4 * sizeof(specialised_stage)},
                          a_128, b_256, matrix_view{c, size_c}, k);
        });

        tile_order const tiles{tiles_of(rows, 128), tiles_of(columns, 256)};
        dim3 const one_each(std::min(multiprocessors(), tiles.rows * tiles.columns));
        step("persistent", [&](bf16* c) {
          example::launch(persistent,
                          {.grid = one_each, .block = {384}, .shared = sizeof(persistent_memory)},
                          a_128, b_256, store_c::map(c, size_c), tiles, k);
        });

        tile_order const pairs{tiles_of(rows, 256), tiles_of(columns, 256)};
        dim3 const two_each(2 * std::min(multiprocessors() / 2, pairs.rows * pairs.columns));
        step("clusters", [&](bf16* c) {
          example::launch(clusters,
                          {.grid = two_each,
                           .block = {384},
                           .shared = sizeof(clusters_memory),
                           .cluster = {2, 1}},
                          a_128, b_128, store_c::map(c, size_c), pairs, k);
        });
      });
}
