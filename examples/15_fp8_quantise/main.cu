// Quantises a matrix of bf16. The number of columns is a multiple of 128. Elements and scales must
// equal those of the same arithmetic on the CPU, bit by bit.
#include "kernel.cuh"

#include "support/bench.hpp"

#include <cmath>

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"fp8_quantise", {"rows", "columns"}, "9x128 133x1408"}, [](example::problem& p) {
        auto const [rows, columns] = p.size<2>();
        p.require(columns % 128 == 0, "the number of columns must be a multiple of 128");
        example::integer const blocks = columns / 128, width = columns, pitch = (rows + 3) / 4 * 4;
        auto const in = p.normal<bf16>({rows, columns});
        auto const out = p.poisoned<e4m3>({rows, columns});
        auto const scales = p.filled<float>({blocks, pitch}, [](auto) { return -1.0f; });
        dim3 const grid = axe::grid_of<8, 4>(rows, blocks);
        blocked<bf16 const> const x{in.data(), matrix(rows, blocks, columns)};
        blocked<e4m3> const y{out.data(), matrix(rows, blocks, columns)};
        scale_columns const s{scales.data(), columns_of_scales(rows, blocks, pitch)};
        auto const launch = [&] {
          example::check(axe::launch(fp8_quantise, grid, axe::cta<256>, x, y, s));
        };
        launch();
        auto const scale_of = [&](example::integer row, example::integer block) {
          float most = 1e-30f;
          for (example::integer c = 0; c < 128; ++c)
            most = std::max(most, std::fabs(static_cast<float>(in[row * width + block * 128 + c])));
          return most / 448;
        };
        std::vector<float> expected;
        for (example::integer b = 0; b < blocks; ++b)
          for (example::integer r = 0; r < pitch; ++r)
            expected.push_back(r < rows ? scale_of(r, b) : -1.0f);
        p.expect("scales", scales, [&](auto k) { return expected[static_cast<std::size_t>(k)]; });
        p.expect("out", out, [&](auto k) {
          auto const block = k % width / 128, row = k / width;
          return e4m3(static_cast<float>(in[k]) /
                      expected[static_cast<std::size_t>(block * pitch + row)]);
        });
        example::measure(p, "16-byte accesses",
                         {.bytes = 3.0 * static_cast<double>(rows) * static_cast<double>(columns) +
                                   4.0 * static_cast<double>(rows) * static_cast<double>(blocks)},
                         launch);
      });
}
