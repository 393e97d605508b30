// The softmax of rows of floats of any length up to 2048.
#include "kernel.cuh"

#include "support/bench.hpp"

#include <cmath>

namespace {

template <int Columns, int Bytes> void check_softmax(example::problem& p) {
  auto const [rows, columns] = p.size<2>();
  auto const in = p.normal<float>({rows, columns});
  auto const out = p.poisoned<float>({rows, columns});
  dim3 const grid = axe::grid_of<8>(rows);
  matrix<float const, Bytes> const x{in.data(), rows, columns};
  matrix<float, Bytes> const y{out.data(), rows, columns};
  auto const launch = [&] {
    example::check(axe::launch(softmax<Columns, Bytes>, grid, axe::cta<256>, x, y));
  };
  launch();
  std::vector<double> largest, sums;
  for (example::integer r = 0; r < rows; ++r) {
    double most = -INFINITY, sum = 0;
    for (example::integer c = 0; c < columns; ++c)
      most = std::max(most, static_cast<double>(in[r * columns + c]));
    for (example::integer c = 0; c < columns; ++c) sum += std::exp(in[r * columns + c] - most);
    largest.push_back(most);
    sums.push_back(sum);
  }
  p.expect("out", out,
           [&, columns = columns](auto k) {
             auto const r = static_cast<std::size_t>(k / columns);
             return std::exp(in[k] - largest[r]) / sums[r];
           },
           {.relative = 1e-5, .absolute = 1e-9});
  example::measure(p, std::to_string(Bytes) + "-byte accesses",
                   {.bytes = 8.0 * static_cast<double>(rows) * static_cast<double>(columns)},
                   launch);
}

template <int Columns> void choose_width(example::problem& p) {
  auto const [rows, columns] = p.size<2>();
  if (columns % 4 == 0)
    check_softmax<Columns, 16>(p);
  else
    check_softmax<Columns, 4>(p);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, {"softmax", {"rows", "columns"}, "9x1000 65x77"},
                      [](example::problem& p) {
                        auto const [rows, columns] = p.size<2>();
                        p.require(columns <= 2048, "rows must have at most 2048 columns");
                        if (columns <= 512)
                          choose_width<512>(p);
                        else if (columns <= 1024)
                          choose_width<1024>(p);
                        else
                          choose_width<2048>(p);
                      });
}
