// Implements device queries, and streams and events, which are always complete. The answers are
// those of an H100. Programs with PTX for sm_100 see a B200's compute capability and number of
// multiprocessors.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "runtime/context.hpp"

using machine::runtime::context;
using machine::runtime::remember;

namespace {

struct attribute {
  cudaDeviceAttr which;
  int value;
};

constexpr attribute attributes[] = {{cudaDevAttrMaxThreadsPerBlock, 1024},
                                    {cudaDevAttrMaxBlockDimX, 1024},
                                    {cudaDevAttrMaxBlockDimY, 1024},
                                    {cudaDevAttrMaxBlockDimZ, 64},
                                    {cudaDevAttrMaxGridDimX, 0x7fffffff},
                                    {cudaDevAttrMaxGridDimY, 65535},
                                    {cudaDevAttrMaxGridDimZ, 65535},
                                    {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
                                    {cudaDevAttrWarpSize, 32},
                                    {cudaDevAttrMaxRegistersPerBlock, 65536},
                                    {cudaDevAttrClockRate, 1980000},
                                    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
                                    {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
                                    {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                                    {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
                                    {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
                                    {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
                                    {cudaDevAttrL2CacheSize, 52428800},
                                    {cudaDevAttrUnifiedAddressing, 1},
                                    {cudaDevAttrManagedMemory, 1},
                                    {cudaDevAttrConcurrentKernels, 1},
                                    {cudaDevAttrCooperativeLaunch, 1},
                                    {cudaDevAttrMemoryPoolsSupported, 1},
                                    {cudaDevAttrGlobalMemoryBusWidth, 5120},
                                    {cudaDevAttrMemoryClockRate, 2619000},
                                    {cudaDevAttrEccEnabled, 1}};

double now() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

cudaError_t done() { return context::instance().sticky; }

struct event {
  double at = 0;
};
event* of(cudaEvent_t handle) { return reinterpret_cast<event*>(handle); }

}  // namespace

extern "C" {

cudaError_t cudaGetDevice(int* to) { return *to = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int which) {
  return remember(which == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceCount(int* to) { return *to = 1, cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return done(); }
cudaError_t cudaDeviceReset() { return done(); }
cudaError_t cudaRuntimeGetVersion(int* to) { return *to = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* to) { return *to = CUDART_VERSION, cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* to, cudaDeviceAttr which, int) {
  if (which == cudaDevAttrMultiProcessorCount)
    return *to = context::instance().processors(), cudaSuccess;
  if (which == cudaDevAttrComputeCapabilityMajor)
    return *to = context::instance().architecture / 10, cudaSuccess;
  if (which == cudaDevAttrComputeCapabilityMinor)
    return *to = context::instance().architecture % 10, cudaSuccess;
  for (auto const& each : attributes)
    if (each.which == which) return *to = each.value, cudaSuccess;
  // Fails, because an answer of 0 would hide that the attribute is missing here.
  std::fprintf(stderr, "machine: device attribute %d is unknown\n", static_cast<int>(which));
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* to, int which) {
  if (which != 0) return remember(cudaErrorInvalidDevice);
  *to = cudaDeviceProp{};
  auto const& all = context::instance();
  to->major = all.architecture / 10;
  to->minor = all.architecture % 10;
  std::snprintf(to->name, sizeof(to->name), "PTX machine (compute capability %d.%d)", to->major,
                to->minor);
  to->totalGlobalMem = std::size_t{80} << 30;
  to->sharedMemPerBlock = 49152;
  to->regsPerBlock = 65536;
  to->warpSize = 32;
  to->maxThreadsPerBlock = 1024;
  to->maxThreadsDim[0] = to->maxThreadsDim[1] = 1024;
  to->maxThreadsDim[2] = 64;
  to->maxGridSize[0] = 0x7fffffff;
  to->maxGridSize[1] = to->maxGridSize[2] = 65535;
  to->totalConstMem = 65536;
  to->multiProcessorCount = all.processors();
  to->unifiedAddressing = to->managedMemory = to->concurrentKernels = to->cooperativeLaunch = 1;
  to->memoryBusWidth = 5120;
  to->l2CacheSize = 52428800;
  to->maxThreadsPerMultiProcessor = 2048;
  to->sharedMemPerMultiprocessor = 233472;
  to->regsPerMultiprocessor = 65536;
  to->sharedMemPerBlockOptin = 232448;
  to->reservedSharedMemPerBlock = 1024;
  to->maxBlocksPerMultiProcessor = 32;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute, int) {
  return remember(context::instance().kernels.contains(kernel) ? cudaSuccess
                                                               : cudaErrorInvalidDeviceFunction);
}
cudaError_t cudaFuncSetCacheConfig(void const*, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, void const* kernel) {
  return machine::runtime::guarded(cudaErrorInvalidDeviceFunction, [&](context& all) {
    auto const found = all.kernels.find(kernel);
    if (found == all.kernels.end()) return cudaErrorInvalidDeviceFunction;
    auto const code =
        machine::runtime::code_of(all, *found->second.home).decode(found->second.name);
    *to = cudaFuncAttributes{};
    to->sharedSizeBytes = code->static_shared_end - 1024;
    to->localSizeBytes = code->functions.front().stack;
    to->maxThreadsPerBlock = 1024;
    to->numRegs = 64;
    to->ptxVersion = to->binaryVersion = 90;
    to->maxDynamicSharedSizeBytes = static_cast<int>(232448 - to->sharedSizeBytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* to, void const*,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  int const by_threads = threads > 0 ? 2048 / threads : 0;
  int const by_shared = static_cast<int>(233472 / (shared + 1024));
  *to = by_threads < by_shared ? by_threads : by_shared;
  if (*to > 32) *to = 32;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* to, void const* kernel, int threads,
                                                          std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(to, kernel, threads, shared, 0);
}
cudaError_t cudaOccupancyMaxActiveClusters(int* to, void const*, cudaLaunchConfig_t const* how) {
  unsigned blocks = 1;
  for (unsigned i = 0; i < how->numAttrs; ++i)
    if (how->attrs[i].id == cudaLaunchAttributeClusterDimension)
      blocks = how->attrs[i].val.clusterDim.x * how->attrs[i].val.clusterDim.y *
               how->attrs[i].val.clusterDim.z;
  *to = context::instance().processors() / static_cast<int>(blocks == 0 ? 1 : blocks);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* to) { return *to = nullptr, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* to, unsigned) {
  return *to = nullptr, cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return done(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return done(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* to) {
  return *to = reinterpret_cast<cudaEvent_t>(new event), cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* to, unsigned) { return cudaEventCreate(to); }
cudaError_t cudaEventDestroy(cudaEvent_t which) { return delete of(which), cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t which, cudaStream_t) {
  return of(which)->at = now(), cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return done(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return done(); }
cudaError_t cudaEventElapsedTime(float* to, cudaEvent_t begin, cudaEvent_t end) {
  *to = static_cast<float>(of(end)->at - of(begin)->at);
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  auto& all = context::instance();
  auto const code = all.last;
  all.last = all.sticky;
  return code;
}
cudaError_t cudaPeekAtLastError() { return context::instance().last; }
char const* cudaGetErrorName(cudaError_t code) {
  switch (code) {
    case cudaSuccess: return "cudaSuccess";
    case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    default: return "cudaErrorUnknown";
  }
}
char const* cudaGetErrorString(cudaError_t code) {
  return code == cudaSuccess ? "no error"
         : code == cudaErrorLaunchFailure
             ? "the kernel failed on the PTX machine; its report is on standard error"
             : cudaGetErrorName(code);
}

}  // extern "C"
