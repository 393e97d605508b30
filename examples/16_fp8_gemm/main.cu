// Compares C = A B^T in e4m3 with blockwise scales with sums in double. A is (rows, depth), B
// (columns, depth), C (rows, columns).
#include "kernel.cuh"

#include "support/example.hpp"

#include <cmath>

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"fp8_gemm", {"rows", "columns", "depth"}, "136x200x384"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 16 == 0, "the depth is a multiple of 16: TMA's rows lie 16 bytes apart");
        p.require(columns % 2 == 0, "rows of C are stored in pairs of elements");
        example::integer const blocks = (depth + 127) / 128, wide = (columns + 127) / 128;
        auto const a = p.normal<e4m3>({rows, depth});
        auto const b = p.normal<e4m3>({columns, depth});
        // Scales as quantisation makes them: around 1, not powers of two.
        auto const scale_a = p.filled<float>(
            {blocks, rows}, [](auto k) { return 0.5f + static_cast<float>(k * 7 % 97) / 97; });
        auto const scale_b = p.filled<float>(
            {wide, blocks}, [](auto k) { return 0.5f + static_cast<float>(k * 5 % 31) / 31; });
        auto const c = p.poisoned<bf16>({rows, columns});
        dim3 const tiles = axe::grid_of<128, 128>(rows, columns);
        example::launch(
            fp8_gemm, {.grid = tiles, .block = {384}, .shared = 4 * sizeof(stage)},
            load::map(a.data(), factor(rows, depth)), load::map(b.data(), factor(columns, depth)),
            scales{scale_a.data(), rows, blocks}, block_scales{scale_b.data(), wide, blocks},
            product{c.data(), rows, columns}, static_cast<unsigned>(blocks));
        // Tensor cores may drop bits more than 14 below the largest product of a block. The result
        // is rounded once to bf16.
        double const error = 2e-3 * std::sqrt(static_cast<double>(blocks));
        p.expect(
            "c", c,
            [&, rows = rows, columns = columns, depth = depth](auto at) {
              example::integer const i = at / columns, j = at % columns;
              double sum = 0;
              for (example::integer d = 0; d < depth; ++d)
                sum += static_cast<double>(static_cast<float>(a[i * depth + d])) *
                       static_cast<double>(static_cast<float>(b[j * depth + d])) *
                       static_cast<double>(scale_a[d / 128 * rows + i]) *
                       static_cast<double>(scale_b[j / 128 * blocks + d / 128]);
              return static_cast<float>(sum);
            },
            {.relative = 1.0 / 256, .absolute = error}, depth);
      });
}
