// Implements functions of the CUDA driver: tensor maps, memset and error texts. Programs get them
// from cudaGetDriverEntryPoint. All except cuTensorMapEncode* can also be linked.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "runtime/context.hpp"
#include "runtime/record.hpp"
#include "tensor/tensor_map.hpp"

namespace {

machine::tensor::map_arguments arguments_of(
    CUtensorMapDataType type, cuuint32_t rank, void* address, cuuint64_t const* extents,
    cuuint64_t const* strides, cuuint32_t const* element_strides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  machine::tensor::map_arguments made;
  made.type = static_cast<std::uint32_t>(type);
  made.rank = rank;
  made.address = reinterpret_cast<std::uint64_t>(address);
  made.extents = reinterpret_cast<std::uint64_t const*>(extents);
  made.strides = reinterpret_cast<std::uint64_t const*>(strides);
  made.element_strides = element_strides;
  made.interleave = static_cast<std::uint32_t>(interleave);
  made.swizzle = static_cast<std::uint32_t>(swizzle);
  made.promotion = static_cast<std::uint32_t>(promotion);
  made.fill = static_cast<std::uint32_t>(fill);
  made.is_blackwell = machine::runtime::context::instance().architecture >= 100;
  return made;
}

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                      cuuint64_t const* extents, cuuint64_t const* strides, cuuint32_t const* box,
                      cuuint32_t const* element_strides, CUtensorMapInterleave interleave,
                      CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                      CUtensorMapFloatOOBfill fill) {
  auto const what = arguments_of(type, rank, address, extents, strides, element_strides, interleave,
                                 swizzle, promotion, fill);
  auto const problem = machine::tensor::encode_tiled(map, what, box);
  if (!problem) return CUDA_SUCCESS;
  std::fprintf(stderr, "cuTensorMapEncodeTiled: %s\n", problem->c_str());
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult encode_im2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                       cuuint64_t const* extents, cuuint64_t const* strides, int const* lower,
                       int const* upper, cuuint32_t channels, cuuint32_t pixels,
                       cuuint32_t const* element_strides, CUtensorMapInterleave interleave,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                       CUtensorMapFloatOOBfill fill) {
  auto const what = arguments_of(type, rank, address, extents, strides, element_strides, interleave,
                                 swizzle, promotion, fill);
  auto const problem = machine::tensor::encode_im2col(map, what, lower, upper, channels, pixels);
  if (!problem) return CUDA_SUCCESS;
  std::fprintf(stderr, "cuTensorMapEncodeIm2col: %s\n", problem->c_str());
  return CUDA_ERROR_INVALID_VALUE;
}

template <class T> CUresult fill(CUdeviceptr to, T value, std::size_t count) {
  auto const code =
      machine::runtime::guarded(cudaErrorInvalidValue, [&](machine::runtime::context& all) {
        std::vector<T> const values(count, value);
        all.memory.copy_in(to, values.data(), count * sizeof(T));
        machine::runtime::memory_changes();
        return cudaSuccess;
      });
  return code == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t entry_point(char const* symbol, void** function,
                        cudaDriverEntryPointQueryResult* status) {
  *function = nullptr;
  struct known {
    char const* name;
    void* at;
  };
  for (known const& each :
       {known{"cuTensorMapEncodeTiled", reinterpret_cast<void*>(&encode_tiled)},
        known{"cuTensorMapEncodeIm2col", reinterpret_cast<void*>(&encode_im2col)},
        known{"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString)},
        known{"cuMemsetD8Async", reinterpret_cast<void*>(&cuMemsetD8Async)},
        known{"cuMemsetD16Async", reinterpret_cast<void*>(&cuMemsetD16Async)},
        known{"cuMemsetD32Async", reinterpret_cast<void*>(&cuMemsetD32Async)}})
    if (std::strcmp(symbol, each.name) == 0) *function = each.at;
  if (status != nullptr)
    *status =
        *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace

extern "C" {

CUresult cuGetErrorString(CUresult code, char const** text) {
  *text = code == CUDA_SUCCESS ? "no error" : "an error of the PTX machine's driver functions";
  return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream) {
  return fill(to, value, count);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream) {
  return fill(to, value, count);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream) {
  return fill(to, value, count);
}

cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return entry_point(symbol, function, status);
}
cudaError_t cudaGetDriverEntryPoint(char const* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return entry_point(symbol, function, status);
}

}  // extern "C"
