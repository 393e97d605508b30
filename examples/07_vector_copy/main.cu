// Copies a matrix of bf16 of any size. The host finds the widest access that the rows allow; each
// width has its own kernel.
#include "kernel.cuh"

#include "support/bench.hpp"

namespace {

template <int Bytes> void copy_by(example::problem& p) {
  auto const [rows, columns] = p.size<2>();
  auto const in = p.normal<bf16>({rows, columns});
  auto const out = p.poisoned<bf16>({rows, columns});
  matrix<bf16 const, Bytes> const from{in.data(), rows, columns};
  matrix<bf16, Bytes> const to{out.data(), rows, columns};
  dim3 const grid = axe::grid_of<8, 1024>(rows, columns);
  auto const launch = [&] {
    example::check(axe::launch(vector_copy<Bytes>, grid, axe::cta<256>, from, to));
  };
  launch();
  p.expect("out", out, [&](auto k) { return in[k]; });
  example::measure(p, std::to_string(Bytes) + "-byte accesses",
                   {.bytes = 4.0 * static_cast<double>(rows) * static_cast<double>(columns)},
                   launch);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, {"vector_copy", {"rows", "columns"}, "129x257 64x200"},
                      [](example::problem& p) {
                        auto const [rows, columns] = p.size<2>();
                        if (columns % 8 == 0)
                          copy_by<16>(p);
                        else if (columns % 4 == 0)
                          copy_by<8>(p);
                        else if (columns % 2 == 0)
                          copy_by<4>(p);
                        else
                          copy_by<2>(p);
                      });
}
