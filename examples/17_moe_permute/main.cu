// Permutes tokens by an index in which a token may occur several times, as in a mixture of experts.
#include "kernel.cuh"

#include "support/bench.hpp"

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"moe_permute", {"rows", "columns"}, "9x1032 64x2048"}, [](example::problem& p) {
        auto const [rows, columns] = p.size<2>();
        p.require(columns % 8 == 0, "the number of columns must be a multiple of 8");
        example::integer const token_count = (rows + 1) / 2, width = columns;
        auto const tokens = p.normal<bf16>({token_count, columns});
        auto const source = p.filled<unsigned>({rows}, [&](auto k) {
          return static_cast<unsigned>((k * 7919 + k / 3) % token_count);
        });
        auto const out = p.poisoned<bf16>({rows, columns});
        dim3 const grid = axe::grid_of<1024, 8>(columns, rows);
        matrix<bf16 const> const from{tokens.data(), token_count, columns};
        list_of_rows const index{source.data(), rows};
        matrix<bf16> const to{out.data(), rows, columns};
        auto const launch = [&] {
          example::check(axe::launch(moe_permute, grid, axe::cta<256>, from, index, to));
        };
        launch();
        p.expect("out", out, [&](auto k) {
          return tokens[static_cast<example::integer>(source[k / width]) * width + k % width];
        });
        // Each row is read once and written once; the index is read too.
        example::measure(p, "16-byte accesses",
                         {.bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns) +
                                   4.0 * static_cast<double>(rows)},
                         launch);
      });
}
