// Sums the columns of a matrix through three tiles of shared memory that differ only in layout:
// plain rows, padded rows, swizzled rows.
#include "kernel.cuh"

#include "support/bench.hpp"

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"conflict_and_cure", {"rows", "columns"}, "129x257 64x200"},
      [](example::problem& p) {
        auto const [rows, columns] = p.size<2>();
        // Values use all 32 bits, so that sums wrap.
        auto const in = p.filled<int>({rows, columns}, [](example::integer k) {
          return static_cast<int>(static_cast<unsigned>(k) * 2654435761u);
        });
        auto out = p.poisoned<int>({1, columns});
        std::vector<unsigned> sums(static_cast<std::size_t>(columns));
        for (example::integer r = 0; r < rows; ++r)
          for (example::integer c = 0; c < columns; ++c)
            sums[static_cast<std::size_t>(c)] += static_cast<unsigned>(in[r * columns + c]);
        input const from{in.data(), rows, columns};
        output const to{out.data(), 1, columns};
        dim3 const grid = axe::grid_of<32>(columns);
        double const bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns);
        auto const run = [&](char const* name, void (*kernel)(input, output)) {
          out.poison_again();
          auto const launch = [&] {
            example::check(axe::launch(kernel, grid, axe::cta<256>, from, to));
          };
          launch();
          p.expect(name, out,
                   [&](auto k) { return static_cast<int>(sums[static_cast<std::size_t>(k)]); });
          example::measure(p, name, {.bytes = bytes}, launch);
        };
        run("plain", sums_plain);
        run("padded", sums_padded);
        run("swizzled", sums_swizzled);
      });
}
