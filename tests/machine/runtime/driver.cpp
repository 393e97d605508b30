// Driver functions that programs fetch through the runtime: tensor maps and error texts.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "runtime/context.hpp"
#include "tensor/tensor_map.hpp"

namespace {

machine::tensor::map_arguments arguments_of(CUtensorMapDataType type, cuuint32_t rank, void* address,
                                            cuuint64_t const* extents, cuuint64_t const* strides,
                                            cuuint32_t const* element_strides,
                                            CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                            CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
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
  return made;
}

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                      cuuint64_t const* extents, cuuint64_t const* strides, cuuint32_t const* box,
                      cuuint32_t const* element_strides, CUtensorMapInterleave interleave,
                      CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                      CUtensorMapFloatOOBfill fill) {
  auto const what = arguments_of(type, rank, address, extents, strides, element_strides, interleave, swizzle,
                                 promotion, fill);
  auto const problem = machine::tensor::encode_tiled(map, what, box);
  if (!problem) return CUDA_SUCCESS;
  std::fprintf(stderr, "cuTensorMapEncodeTiled: %s\n", problem->c_str());
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult error_string(CUresult code, char const** text) {
  *text = code == CUDA_SUCCESS ? "no error" : "an error of the PTX machine's driver functions";
  return CUDA_SUCCESS;
}

cudaError_t entry_point(char const* symbol, void** function, cudaDriverEntryPointQueryResult* status) {
  *function = nullptr;
  if (std::strcmp(symbol, "cuTensorMapEncodeTiled") == 0) *function = reinterpret_cast<void*>(&encode_tiled);
  if (std::strcmp(symbol, "cuGetErrorString") == 0) *function = reinterpret_cast<void*>(&error_string);
  if (status != nullptr)
    *status = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(char const* symbol, void** function, unsigned,
                                             unsigned long long, cudaDriverEntryPointQueryResult* status) {
  return entry_point(symbol, function, status);
}
cudaError_t cudaGetDriverEntryPoint(char const* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return entry_point(symbol, function, status);
}

}  // extern "C"
