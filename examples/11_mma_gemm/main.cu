// Compares C = A B^T in bf16 (sums in f32) with sums in double. A is (rows, depth), B (columns,
// depth), C (rows, columns), all row-major.
#include "kernel.cuh"

#include "support/cublaslt.hpp"

#include <cuda_bf16.h>

#include <cmath>

using bf16 = __nv_bfloat16;

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"mma_gemm", {"rows", "columns", "depth"}, "136x200x72"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 8 == 0,
                  "the depth must be a multiple of 8: cp.async copies 16 bytes of a row");
        auto const a = p.normal<bf16>({rows, depth});
        auto const b = p.normal<bf16>({columns, depth});
        auto const c = p.poisoned<float>({rows, columns});
        factor<bf16> const A{a.data(), rows, depth}, B{b.data(), columns, depth};
        product const C{c.data(), rows, columns};
        dim3 const tiles = axe::grid_of<128, 128>(rows, columns);
        auto const launch = [&] {
          example::check(axe::launch(mma_gemm<bf16>, tiles, axe::cta<256>, A, B, C));
        };
        launch();
        // A sum of `depth` products of size 1 in f32: errors grow with its square root.
        double const error = 1e-6 * std::sqrt(static_cast<double>(depth));
        p.expect(
            "c", c,
            [&, columns = columns, depth = depth](auto k) {
              double sum = 0;
              for (example::integer d = 0; d < depth; ++d)
                sum += static_cast<double>(static_cast<float>(a[k / columns * depth + d])) *
                       static_cast<double>(static_cast<float>(b[k % columns * depth + d]));
              return static_cast<float>(sum);
            },
            {.relative = 1e-6, .absolute = error}, depth);
        auto const peers = p.poisoned<float>({rows, columns});
        double const operations = 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
                                  static_cast<double>(depth);
        example::measure(p, "mma.sync", {.operations = operations}, launch,
                         example::cublaslt(p, {.m = rows,
                                               .n = columns,
                                               .k = depth,
                                               .a = a.data(),
                                               .b = b.data(),
                                               .c = peers.data(),
                                               .out = CUDA_R_32F}));
      });
}
