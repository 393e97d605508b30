// A product C = A B^T of bf16: random operands, the result with sums in double, and cuBLASLt.
//
//     example::gemm const gemm(p);            p has the size rows x columns x depth
//     gemm.check("pipelined", [&](auto* c) { … launch …; });
//
// A is (rows, depth), B (columns, depth), C (rows, columns), all row-major.
#pragma once

#include "cublaslt.hpp"

#include <axe/cuda/copy/tensor_copy.hpp>
#include <axe/cuda/launch.hpp>

#include <cuda_bf16.h>

#include <cmath>

namespace example {

struct gemm {
  problem& p;
  integer rows, columns, depth;
  array<__nv_bfloat16> a, b;

  explicit gemm(problem& problem_)
      : p(problem_),
        rows(p.size<3>()[0]),
        columns(p.size<3>()[1]),
        depth(p.size<3>()[2]),
        a(p.normal<__nv_bfloat16>({rows, depth})),
        b(p.normal<__nv_bfloat16>({columns, depth})) {}

  /// Element `at` of C.
  float expected(integer at) const {
    double sum = 0;
    for (integer d = 0; d < depth; ++d)
      sum += static_cast<double>(static_cast<float>(a[at / columns * depth + d])) *
             static_cast<double>(static_cast<float>(b[at % columns * depth + d]));
    return static_cast<float>(sum);
  }
  double operations() const {
    return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(depth);
  }
  /// A bound of the error of sums in f32, whose magnitude is about sqrt(depth). The error grows
  /// faster on an H200, as if each of the depth / 16 instructions truncated the sum
  /// (benchmarks/results/nvidia-h200-2026-11-27.md). The factor 1 + depth / 250 allows this.
  double error_of_sums() const {
    double const d = static_cast<double>(depth);
    return 1e-6 * std::sqrt(d) * (1 + d / 250);
  }

  /// Runs a kernel whose C is bf16, compares C, and measures the kernel beside cuBLASLt.
  template <class Launch> void check(char const* name, Launch const& launch) const {
    auto const c = p.poisoned<__nv_bfloat16>({rows, columns});
    launch(c.data());
    // The relative error of rounding to bf16 is at most 2^-8.
    p.expect(
        name, c, [&](auto at) { return expected(at); },
        {.relative = 1.0 / 256, .absolute = error_of_sums()}, depth);
    auto const of_cublaslt = p.poisoned<__nv_bfloat16>({rows, columns});
    example::measure(
        p, name, {.operations = operations()}, [&] { launch(c.data()); },
        cublaslt(p, {.m = rows,
                     .n = columns,
                     .k = depth,
                     .a = a.data(),
                     .b = b.data(),
                     .c = of_cublaslt.data()}));
  }
};

/// A and B with their tensor maps, and C. `Tile<Rows>::buffer` holds a tile of `Rows` rows.
template <class Matrix, template <int> class Tile> struct gemm_operands {
  using operand = axe::mapped_tensor<Matrix>;
  example::gemm gemm;
  unsigned k = static_cast<unsigned>(gemm.depth);

  template <int Rows> operand a() const {
    return axe::mapped_for<typename Tile<Rows>::buffer>(
        Matrix(gemm.a.data(), gemm.rows, gemm.depth));
  }
  template <int Rows> operand b() const {
    return axe::mapped_for<typename Tile<Rows>::buffer>(
        Matrix(gemm.b.data(), gemm.columns, gemm.depth));
  }
  Matrix c(__nv_bfloat16* data) const { return {data, gemm.rows, gemm.columns}; }
  template <int Rows, int Columns> dim3 grid() const {
    return axe::grid_of<Rows, Columns>(gemm.rows, gemm.columns);
  }
};

}  // namespace example
