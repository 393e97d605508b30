// Computes C = A B^T of bf16 matrices with sums in f32, and compares C with sums in double. A is
// (rows, depth), B (columns, depth), C (rows, columns), all row-major.
#include "kernel.cuh"

#include "support/gemm.hpp"

using bf16 = __nv_bfloat16;

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"mma_gemm", {"rows", "columns", "depth"}, "136x200x72"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 8 == 0,
                  "the depth must be a multiple of 8: cp.async copies 16 bytes of a row");
        example::gemm const gemm(p);
        auto const c = p.poisoned<float>({rows, columns});
        operand<bf16> const A{gemm.a.data(), rows, depth}, B{gemm.b.data(), columns, depth};
        product const C{c.data(), rows, columns};
        dim3 const tiles = axe::grid_of<128, 128>(rows, columns);
        auto const launch = [&] {
          example::check(axe::launch(mma_gemm<bf16>, tiles, axe::cta<256>, A, B, C));
        };
        launch();
        p.expect(
            "c", c, [&](auto at) { return gemm.expected(at); },
            {.relative = 1e-6, .absolute = gemm.error_of_sums()}, depth);
        auto const of_cublaslt = p.poisoned<float>({rows, columns});
        example::measure(p, "mma.sync", {.operations = gemm.operations()}, launch,
                         example::cublaslt(p, {.m = rows,
                                               .n = columns,
                                               .k = depth,
                                               .a = gemm.a.data(),
                                               .b = gemm.b.data(),
                                               .c = of_cublaslt.data(),
                                               .out = CUDA_R_32F}));
      });
}
