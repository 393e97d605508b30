// Normalises rows of bf16 of any length up to 8192. The host chooses accesses of 16 or 2 bytes and
// the number of registers for the length.
#include "kernel.cuh"

#include "support/bench.hpp"

#include <cmath>

namespace {

template <int Columns, int Bytes> void normalise(example::problem& p) {
  auto const [rows, columns] = p.size<2>();
  auto const in = p.normal<bf16>({rows, columns});
  auto const weights = p.normal<bf16>({1, columns});
  auto const out = p.poisoned<bf16>({rows, columns});
  float const epsilon = 1e-6f;
  dim3 const grid = axe::grid_of<1>(rows);
  matrix<bf16 const, Bytes> const x{in.data(), rows, columns}, w{weights.data(), 1, columns};
  matrix<bf16, Bytes> const y{out.data(), rows, columns};
  auto const launch = [&] {
    example::check(axe::launch(rms_norm<Columns, Bytes>, grid, axe::cta<256>, x, w, y, epsilon));
  };
  launch();
  std::vector<double> scales;
  for (example::integer r = 0; r < rows; ++r) {
    double sum = 0;
    for (example::integer c = 0; c < columns; ++c) {
      double const v = example::number(in[r * columns + c]);
      sum += v * v;
    }
    scales.push_back(1 / std::sqrt(sum / static_cast<double>(columns) + 1e-6));
  }
  // The tolerance allows for one rounding to bf16 (2^-8), and for the sums and the root in f32.
  p.expect("out", out,
           [&, columns = columns](auto k) {
             return example::number(in[k]) * scales[static_cast<std::size_t>(k / columns)] *
                    example::number(weights[k % columns]);
           },
           {.relative = 1.0 / 250, .absolute = 1e-6});
  example::measure(p, std::to_string(Bytes) + "-byte accesses",
                   {.bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns)},
                   launch);
}

template <int Columns> void choose_width(example::problem& p) {
  auto const [rows, columns] = p.size<2>();
  if (columns % 8 == 0)
    normalise<Columns, 16>(p);
  else
    normalise<Columns, 2>(p);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, {"rms_norm", {"rows", "columns"}, "7x2560 3x1001"},
                      [](example::problem& p) {
                        auto const [rows, columns] = p.size<2>();
                        p.require(columns <= 8192, "rows must have at most 8192 columns");
                        if (columns <= 2048)
                          choose_width<2048>(p);
                        else if (columns <= 4096)
                          choose_width<4096>(p);
                        else
                          choose_width<8192>(p);
                      });
}
