// Compares both copies with their input. A test compares their PTX.
#include "kernel.cuh"

#include "support/example.hpp"

int main(int argc, char** argv) {
  return example::run(argc, argv, {"one_copy_two_ways", {"rows", "columns"}, "32x64 96x192"},
                      [](example::problem& p) {
                        auto const [rows, columns] = p.size<2>();
                        p.require(rows % 32 == 0 && columns % 64 == 0,
                                  "the matrix must consist of whole tiles of 32 x 64");
                        auto const in = p.normal<float>({rows, columns});
                        auto const first = p.poisoned<float>({rows, columns});
                        auto const second = p.poisoned<float>({rows, columns});
                        input const from(in.data(), rows, columns);

                        dim3 const tiles(static_cast<unsigned>(columns / 64),
                                         static_cast<unsigned>(rows / 32));
                        together<<<tiles, 128>>>(from, {first.data(), rows, columns});
                        example::check(cudaGetLastError());
                        through_registers<<<tiles, 128>>>(from, {second.data(), rows, columns});
                        example::check(cudaGetLastError());

                        p.expect("together", first, [&](auto k) { return in[k]; });
                        p.expect("through_registers", second, [&](auto k) { return in[k]; });
                      });
}
