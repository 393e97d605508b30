// Compares two products C = A B^T in e4m3 with sums in double. One has a scale for each 128 x 128
// elements of B, the other for each 1 x 128. A is (rows, depth), B (columns, depth), C (rows,
// columns).
#include "kernel.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"fp8_gemm", {"rows", "columns", "depth"}, "136x200x384"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 16 == 0,
                  "the depth must be a multiple of 16: TMA needs row strides that are multiples of "
                  "16 bytes");
        p.require(columns % 2 == 0,
                  "the number of columns must be even: rows of C are stored in pairs");
        example::integer const blocks = (depth + 127) / 128, wide = (columns + 127) / 128;
        auto const a = p.normal<e4m3>({rows, depth});
        auto const b = p.normal<e4m3>({columns, depth});
        // The scales lie between 0.5 and 1.5. TMA needs the scales of each block of K to begin at a
        // multiple of 16 bytes.
        auto const pitch = [](example::integer extent) { return (extent + 3) / 4 * 4; };
        auto const of_rows = [&](example::integer extent, int factor) {
          return p.filled<float>({blocks, pitch(extent)}, [=](auto k) {
            return 0.5f + static_cast<float>(k * factor % 97) / 97;
          });
        };
        auto const scale_a = of_rows(rows, 7), scale_b = of_rows(columns, 11);
        auto const scale_blocks = p.filled<float>(
            {wide, blocks}, [](auto k) { return 0.5f + static_cast<float>(k * 5 % 31) / 31; });
        auto const map_of = [&](example::array<float> const& scale, example::integer extent) {
          return load_scales::map(scale.data(),
                                  scales{scale.data(), extent, blocks, pitch(extent)}.sizes);
        };
        auto const tiles = static_cast<unsigned>((rows + 127) / 128 * wide);
        // On the PTX machine there are fewer blocks than tiles, so that a block computes several
        // tiles.
        unsigned const grid =
            example::on_machine() ? (tiles + 1) / 2 : std::min(example::multiprocessors(), tiles);
        double const operations = 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
                                  static_cast<double>(depth);
        using element = std::function<float(example::integer, example::integer)>;
        auto const multiply = [&, rows = rows, columns = columns, depth = depth](
                                  char const* name, decltype(&fp8_gemm<true>) kernel,
                                  element const& scale_of_b) {
          auto const c = p.poisoned<bf16>({rows, columns});
          auto const launch = [&] {
            example::launch(kernel, {.grid = {grid}, .block = {384}, .shared = 4 * sizeof(stage)},
                            load::map(a.data(), operand_sizes(rows, depth)),
                            load::map(b.data(), operand_sizes(columns, depth)),
                            map_of(scale_a, rows), map_of(scale_b, columns),
                            block_scales{scale_blocks.data(), wide, blocks},
                            product{c.data(), rows, columns}, static_cast<unsigned>(blocks));
          };
          launch();
          // Tensor cores may drop bits that are more than 14 places below the largest product of a
          // block. The result is rounded once to bf16. On an H200, 2e-3 * sqrt(blocks) was exceeded
          // by up to 48 of 27200 elements, and this bound by none.
          double const error = 1e-2 * std::sqrt(static_cast<double>(blocks));
          p.expect(
              name, c,
              [&](auto at) {
                example::integer const i = at / columns, j = at % columns;
                double sum = 0;
                for (example::integer d = 0; d < depth; ++d)
                  sum += static_cast<double>(static_cast<float>(a[i * depth + d])) *
                         static_cast<double>(static_cast<float>(b[j * depth + d])) *
                         static_cast<double>(scale_a[d / 128 * pitch(rows) + i]) *
                         static_cast<double>(scale_of_b(j, d / 128));
                return static_cast<float>(sum);
              },
              {.relative = 1.0 / 256, .absolute = error}, depth);
          example::measure(p, name, {.operations = operations}, launch);
        };
        multiply("scales 1D and 2D", fp8_gemm<false>, [&](example::integer j, example::integer k) {
          return scale_blocks[j / 128 * blocks + k];
        });
        multiply("scales 1D and 1D", fp8_gemm<true>,
                 [&, columns = columns](example::integer j, example::integer k) {
                   return scale_b[k * pitch(columns) + j];
                 });
      });
}
