// Makes the kernel of 13_rms_norm an operator of PyTorch, torch.ops.axe.rms_norm.
//
//     torch.ops.load_library("libaxe_torch.so")
//     y = torch.ops.axe.rms_norm(x, weight, 1e-6)
//
// The Meta implementation gives the shape of the result, so that torch.compile and torch.export
// accept the operator. It reads sizes as SymInt, so that they can stay dynamic. Source: PyTorch,
// "Custom C++ and CUDA Operators".
#include "rms_norm.hpp"

#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

namespace {

constexpr long most_columns = 8192;  // the longest row that a block keeps in registers

void check_arguments(at::Tensor const& x, at::Tensor const& weight) {
  TORCH_CHECK(x.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16,
              "rms_norm takes tensors of bfloat16, not ", x.scalar_type(), " and ",
              weight.scalar_type());
  TORCH_CHECK(x.dim() >= 1 && weight.dim() == 1 && weight.sym_size(0) == x.sym_size(-1),
              "rms_norm needs a weight for each column: x is ", x.sym_sizes(), ", weight is ",
              weight.sym_sizes());
  c10::SymInt const columns = x.sym_size(-1);
  TORCH_CHECK(columns >= 1 && columns <= most_columns, "rms_norm takes rows of 1 to ", most_columns,
              " columns, not ", columns);
  TORCH_CHECK(x.device() == weight.device(), "rms_norm needs both tensors on one device");
}

at::Tensor shape_of_rms_norm(at::Tensor const& x, at::Tensor const& weight, double) {
  check_arguments(x, weight);
  return at::empty_like(x, at::MemoryFormat::Contiguous);
}

at::Tensor rms_norm(at::Tensor const& x, at::Tensor const& weight, double epsilon) {
  at::Tensor const out = shape_of_rms_norm(x, weight, epsilon);
  if (x.numel() == 0) return out;
  c10::cuda::CUDAGuard const guard(x.device());
  at::Tensor const in = x.contiguous();
  at::Tensor const by = weight.contiguous();
  long const columns = x.size(-1);
  cudaError_t const error = launch_rms_norm(
      in.const_data_ptr(), by.const_data_ptr(), out.mutable_data_ptr(), x.numel() / columns,
      columns, static_cast<float>(epsilon), c10::cuda::getCurrentCUDAStream());
  TORCH_CHECK(error == cudaSuccess, "rms_norm: ", cudaGetErrorString(error));
  return out;
}

}  // namespace

TORCH_LIBRARY(axe, library) {
  library.def("rms_norm(Tensor x, Tensor weight, float epsilon) -> Tensor");
}
TORCH_LIBRARY_IMPL(axe, CUDA, library) { library.impl("rms_norm", rms_norm); }
TORCH_LIBRARY_IMPL(axe, Meta, library) { library.impl("rms_norm", shape_of_rms_norm); }
