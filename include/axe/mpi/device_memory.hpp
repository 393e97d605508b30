// SPDX-License-Identifier: MIT
// is_device_memory(p): true for GPU memory that the host cannot access, if the program has loaded
// the CUDA driver. is_cuda_aware(): true if MPI can read GPU memory.
#pragma once

#include <axe/config.hpp>

#include <mpi.h>

#include <dlfcn.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

inline bool is_device_memory(void const* p) {
  using query = int(void*, int, unsigned long long);
  static query* const ask = [] {
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return reinterpret_cast<query*>(
        dlsym(driver == nullptr ? RTLD_DEFAULT : driver, "cuPointerGetAttribute"));
  }();
  constexpr int cu_pointer_attribute_memory_type = 2;
  constexpr int cu_pointer_attribute_is_managed = 8;
  constexpr unsigned cu_memorytype_device = 2;
  unsigned type = 0;
  unsigned managed = 0;
  auto const address = reinterpret_cast<unsigned long long>(p);
  if (ask == nullptr || p == nullptr ||
      ask(&type, cu_pointer_attribute_memory_type, address) != 0 || type != cu_memorytype_device)
    return false;
  return ask(&managed, cu_pointer_attribute_is_managed, address) != 0 || managed == 0;
}

inline bool is_cuda_aware() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
