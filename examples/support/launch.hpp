// Launches a kernel and checks for errors. The kernel may use more than 48 KiB of dynamic shared
// memory, and clusters.
//
//     example::launch(transpose<float>, {.grid = {8, 4}, .block = {256}}, in, out);
//     example::launch(gemm, {.grid = {132}, .block = {384}, .shared = n, .cluster = {2, 1}}, map);
//
// The launch is asynchronous, as in CUDA. Arguments are converted to the kernel's parameters.
#pragma once

#include "device.hpp"

namespace example {

struct launch_shape {
  dim3 grid = {1, 1, 1}, block = {1, 1, 1};
  std::size_t shared = 0;
  dim3 cluster = {1, 1, 1};
};

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), launch_shape const& how, Arguments&&... arguments) {
  if (how.shared > 48 * 1024)
    check(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(how.shared)));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = how.cluster.x;
  attribute.val.clusterDim.y = how.cluster.y;
  attribute.val.clusterDim.z = how.cluster.z;
  cudaLaunchConfig_t config{};
  config.gridDim = how.grid;
  config.blockDim = how.block;
  config.dynamicSmemBytes = how.shared;
  config.attrs = &attribute;
  config.numAttrs = how.cluster.x * how.cluster.y * how.cluster.z > 1 ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

}  // namespace example
