// Runs cuBLASLt as a baseline of matrix products. It is loaded at run time, so no example needs it.
//
//     example::measure(p, "wgmma", {.operations = 2.0 * m * n * k}, ours,
//                      example::cublaslt(p, {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c}));
//
// C (m,n) = A (m,k) B, row-major; B is stored as (n,k) or (k,n). Sums are fp32, the workspace is 32
// MiB, and the fastest of the heuristic's eight algorithms runs. If the library, its header or an
// algorithm is missing, a message says so. The PTX machine does not run this baseline.
#pragma once

#include "bench.hpp"

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#include <dlfcn.h>
#define EXAMPLE_HAS_CUBLASLT 1
#else
#define EXAMPLE_HAS_CUBLASLT 0
#endif

#include <memory>

namespace example {

struct product {
  integer m = 0, n = 0, k = 0;
  void const* a = nullptr;
  void const* b = nullptr;
  void* c = nullptr;
  cudaDataType_t in = CUDA_R_16BF, out = CUDA_R_16BF;
  bool b_by_k = true;  // false: B is stored as (k,n)
  // The scales of 8-bit floats: one for 1x128 elements of A and one for 128x128 of B (cuBLAS
  // library, "1D and 2D block scaling for FP8").
  float const* a_scale = nullptr;
  float const* b_scale = nullptr;
};

#if EXAMPLE_HAS_CUBLASLT

namespace detail {

/// The functions of cuBLASLt that are used, found by name in the library.
struct cublaslt_library {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtMatmulDescCreate) make_product = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) set = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) make_matrix = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) make_preference = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) prefer = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmul) multiply = nullptr;
  cublasLtHandle_t handle = nullptr;
  std::string missing;

  cublaslt_library() {
    void* const library = dlopen("libcublasLt.so.13", RTLD_NOW);
    if (library == nullptr) {
      missing = "libcublasLt.so.13 is not found";
      return;
    }
    find(library, "cublasLtCreate", create);
    find(library, "cublasLtMatmulDescCreate", make_product);
    find(library, "cublasLtMatmulDescSetAttribute", set);
    find(library, "cublasLtMatrixLayoutCreate", make_matrix);
    find(library, "cublasLtMatmulPreferenceCreate", make_preference);
    find(library, "cublasLtMatmulPreferenceSetAttribute", prefer);
    find(library, "cublasLtMatmulAlgoGetHeuristic", heuristic);
    find(library, "cublasLtMatmul", multiply);
    if (missing.empty() && create(&handle) != CUBLAS_STATUS_SUCCESS)
      missing = "cublasLtCreate fails";
  }
  template <class F> void find(void* library, char const* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (function == nullptr) missing = std::string(name) + " is not in libcublasLt.so.13";
  }
};

/// One product. Its workspace is not freed before the program ends.
struct cublaslt_product {
  cublaslt_library& lt;
  product what;
  cublasLtMatmulDesc_t description{};
  cublasLtMatrixLayout_t first{}, second{}, result{};
  void* workspace = nullptr;
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
  cublasLtMatmulHeuristicResult_t chosen{};

  template <class T> bool attribute(cublasLtMatmulDescAttributes_t which, T const& value) {
    return lt.set(description, which, &value, sizeof(T)) == CUBLAS_STATUS_SUCCESS;
  }

  /// cuBLASLt is column-major. The row-major C (m,n) is a column-major (n,m), so B is cuBLASLt's
  /// first operand.
  bool describe() {
    auto const m = static_cast<std::uint64_t>(what.m), n = static_cast<std::uint64_t>(what.n),
               k = static_cast<std::uint64_t>(what.k);
    bool good =
        lt.make_product(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS;
    good = good && attribute(CUBLASLT_MATMUL_DESC_TRANSA, what.b_by_k ? CUBLAS_OP_T : CUBLAS_OP_N);
    good = good && attribute(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    if (what.a_scale != nullptr && what.b_scale != nullptr) {
      good = good && attribute(CUBLASLT_MATMUL_DESC_A_SCALE_MODE,
                               CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F);
      good = good &&
             attribute(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
      good = good && attribute(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, what.b_scale);
      good = good && attribute(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, what.a_scale);
    }
    auto const ld = static_cast<std::int64_t>(what.b_by_k ? what.k : what.n);
    good = good && lt.make_matrix(&first, what.in, what.b_by_k ? k : n, what.b_by_k ? n : k, ld) ==
                       CUBLAS_STATUS_SUCCESS;
    good = good && lt.make_matrix(&second, what.in, k, m, what.k) == CUBLAS_STATUS_SUCCESS;
    return good && lt.make_matrix(&result, what.out, n, m, what.n) == CUBLAS_STATUS_SUCCESS;
  }

  cublasStatus_t run(cublasLtMatmulAlgo_t const& algorithm) {
    float const one = 1, zero = 0;
    return lt.multiply(lt.handle, description, &one, what.b, first, what.a, second, &zero, what.c,
                       result, what.c, result, &algorithm, workspace, workspace_bytes, nullptr);
  }

  bool choose() {
    cublasLtMatmulPreference_t preference{};
    std::size_t const bytes = workspace_bytes;
    if (lt.make_preference(&preference) != CUBLAS_STATUS_SUCCESS) return false;
    lt.prefer(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof(bytes));
    check(cudaMalloc(&workspace, workspace_bytes));
    cublasLtMatmulHeuristicResult_t found[8];
    int count = 0;
    if (lt.heuristic(lt.handle, description, first, second, result, result, preference, 8, found,
                     &count) != CUBLAS_STATUS_SUCCESS)
      return false;
    double best = 0;
    stop_watch watch;
    for (int k = 0; k < count; ++k) {
      if (found[k].state != CUBLAS_STATUS_SUCCESS || run(found[k].algo) != CUBLAS_STATUS_SUCCESS)
        continue;
      double const time = watch.time({"", [&] { run(found[k].algo); }}, 3);
      if (best == 0 || time < best) best = time, chosen = found[k];
    }
    return best > 0;
  }
};

}  // namespace detail

inline std::vector<contender> cublaslt(problem const& p, product const& what) {
  if (!p.bench() || on_machine()) return {};
  static detail::cublaslt_library library;
  if (!library.missing.empty()) {
    std::printf("%s: no cuBLASLt: %s\n", p.example_name(), library.missing.c_str());
    return {};
  }
  auto const made = std::make_shared<detail::cublaslt_product>(library, what);
  if (!made->describe() || !made->choose()) {
    std::printf("%s: cuBLASLt has no algorithm for %s\n", p.example_name(), p.size_text().c_str());
    return {};
  }
  return {{"cuBLASLt", [made] {
             if (made->run(made->chosen.algo) == CUBLAS_STATUS_SUCCESS) return;
             std::fprintf(stderr, "cublasLtMatmul failed\n");
             std::exit(wrong);
           }}};
}

#else

inline std::vector<contender> cublaslt(problem const& p, product const&) {
  if (p.bench()) std::printf("%s: no cuBLASLt: built without cublasLt.h\n", p.example_name());
  return {};
}

#endif

}  // namespace example
