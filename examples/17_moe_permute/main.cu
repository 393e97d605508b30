// Permutes tokens by an index of rows in which some come several times and others never, as experts
// ask for them.
#include "kernel.cuh"

#include "support/bench.hpp"

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"moe_permute", {"rows", "columns"}, "9x1032 64x2048"}, [](example::problem& p) {
        auto const [rows, columns] = p.size<2>();
        p.require(columns % 8 == 0, "the columns are a multiple of 8");
        example::integer const tokens_there = (rows + 1) / 2, width = columns;
        auto const tokens = p.normal<bf16>({tokens_there, columns});
        auto const source = p.filled<unsigned>({rows}, [&](auto k) {
          return static_cast<unsigned>((k * 7919 + k / 3) % tokens_there);
        });
        auto const out = p.poisoned<bf16>({rows, columns});
        example::launch_shape const shape{.grid = {static_cast<unsigned>((rows + 7) / 8),
                                                   static_cast<unsigned>((columns + 1023) / 1024)},
                                          .block = {256}};
        axe::global_view<bf16 const, matrix, 16> const from{tokens.data(),
                                                            matrix(tokens_there, columns, columns)};
        axe::global_view<unsigned const, list_of_rows> const index{source.data(),
                                                                   list_of_rows(rows)};
        axe::global_view<bf16, matrix, 16> const to{out.data(), matrix(rows, columns, columns)};
        auto const launch = [&] { example::launch(moe_permute, shape, from, index, to); };
        launch();
        p.expect("out", out, [&](auto k) {
          return tokens[static_cast<example::integer>(source[k / width]) * width + k % width];
        });
        // Each row of the output read once and written once, and the index.
        example::measure(p, "16-byte accesses",
                         {.bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns) +
                                   4.0 * static_cast<double>(rows)},
                         launch);
      });
}
