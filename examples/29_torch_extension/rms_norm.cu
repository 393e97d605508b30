// Chooses the width of accesses by the alignment of the rows, and the number of registers by the
// length of the rows.
#include "rms_norm.hpp"

#include "13_rms_norm/kernel.cuh"

#include <cstdint>
#include <initializer_list>

namespace {

struct rows_of_bf16 {
  void const* in;
  void const* weights;
  void* out;
  long rows, columns;
  float epsilon;
  cudaStream_t stream;

  template <int Columns, int Bytes> cudaError_t launch() const {
    matrix<bf16 const, Bytes> const x{static_cast<bf16 const*>(in), rows, columns};
    matrix<bf16 const, Bytes> const w{static_cast<bf16 const*>(weights), 1, columns};
    matrix<bf16, Bytes> const y{static_cast<bf16*>(out), rows, columns};
    rms_norm<Columns, Bytes><<<axe::grid_of<1>(rows), 256, 0, stream>>>(x, w, y, epsilon);
    return cudaGetLastError();
  }
  template <int Columns> cudaError_t launch() const {
    return is_aligned() ? launch<Columns, 16>() : launch<Columns, 2>();
  }
  /// True if all rows begin at multiples of 16 bytes. A view of a tensor may begin at any element.
  bool is_aligned() const {
    for (void const* p : {in, weights, static_cast<void const*>(out)})
      if (reinterpret_cast<std::uintptr_t>(p) % 16 != 0) return false;
    return columns % 8 == 0;
  }
};

}  // namespace

cudaError_t launch_rms_norm(void const* in, void const* weights, void* out, long rows, long columns,
                            float epsilon, cudaStream_t stream) {
  rows_of_bf16 const all{in, weights, out, rows, columns, epsilon, stream};
  return columns <= 2048 ? all.launch<2048>() : all.launch<8192>();
}
