// Implements the runtime's functions for device memory: allocations, copies in every direction,
// symbols.
#include <cstdlib>
#include <cstring>

#include "runtime/context.hpp"
#include "runtime/record.hpp"

using machine::runtime::context;
using machine::runtime::guarded;
using machine::runtime::memory_changes;
using machine::runtime::record_copy;

namespace {

std::uint64_t number(void const* p) { return reinterpret_cast<std::uint64_t>(p); }

/// Copies in the direction that the addresses give, as with unified addressing.
cudaError_t copy(void* to, void const* from, std::size_t bytes) {
  return guarded(cudaErrorInvalidValue, [&](context& all) {
    bool const into = all.memory.contains(number(to)), out_of = all.memory.contains(number(from));
    if (bytes == 0) return cudaSuccess;
    if (into && out_of)
      all.memory.copy(number(to), number(from), bytes);
    else if (into)
      all.memory.copy_in(number(to), from, bytes);
    else if (out_of)
      all.memory.copy_out(to, number(from), bytes);
    else
      std::memcpy(to, from, bytes);
    if (into != out_of)
      record_copy(into, into ? number(to) : number(from), into ? from : to, bytes);
    if (into) memory_changes();
    return cudaSuccess;
  });
}

cudaError_t fill(void* to, int value, std::size_t bytes) {
  return guarded(cudaErrorInvalidValue, [&](context& all) {
    all.memory.fill(number(to), static_cast<std::uint8_t>(value), bytes);
    memory_changes();
    return cudaSuccess;
  });
}

cudaError_t allocate(void** to, std::size_t bytes) {
  return guarded(cudaErrorMemoryAllocation, [&](context& all) {
    *to = bytes == 0 ? nullptr : reinterpret_cast<void*>(all.memory.allocate(bytes));
    return cudaSuccess;
  });
}

cudaError_t release(void* at) {
  return guarded(cudaErrorInvalidValue, [&](context& all) {
    memory_changes();
    return at == nullptr || all.memory.free(number(at)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

/// Finds the device address of a __device__ or __constant__ variable.
cudaError_t address_of(void const* symbol, std::uint64_t& at, std::size_t& bytes) {
  return guarded(cudaErrorInvalidSymbol, [&](context& all) {
    auto const found = all.variables.find(symbol);
    if (found == all.variables.end()) return cudaErrorInvalidSymbol;
    at = machine::runtime::code_of(all, *found->second.home)
             .variable_address(found->second.name)
             .begin;
    bytes = found->second.bytes;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** to, std::size_t bytes) { return allocate(to, bytes); }
cudaError_t cudaMallocAsync(void** to, std::size_t bytes, cudaStream_t) {
  return allocate(to, bytes);
}
cudaError_t cudaFree(void* at) { return release(at); }
cudaError_t cudaFreeAsync(void* at, cudaStream_t) { return release(at); }

/// Host and device share the memory. The machine does not see writes of the host, so all bytes
/// count as written.
cudaError_t cudaMallocManaged(void** to, std::size_t bytes, unsigned) {
  auto const code = allocate(to, bytes);
  return code != cudaSuccess ? code : fill(*to, 0, bytes);
}
cudaError_t cudaMallocHost(void** to, std::size_t bytes) { return cudaMallocManaged(to, bytes, 1); }
cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned) {
  return cudaMallocManaged(to, bytes, 1);
}
cudaError_t cudaFreeHost(void* at) { return release(at); }

cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind) {
  return copy(to, from, bytes);
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  return copy(to, from, bytes);
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) { return fill(to, value, bytes); }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
  return fill(to, value, bytes);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, void const* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind) {
  for (std::size_t row = 0; row < height; ++row)
    if (auto const code = copy(static_cast<char*>(to) + row * to_pitch,
                               static_cast<char const*>(from) + row * from_pitch, width);
        code != cudaSuccess)
      return code;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void** to, void const* symbol) {
  std::uint64_t at = 0;
  std::size_t bytes = 0;
  auto const code = address_of(symbol, at, bytes);
  if (code == cudaSuccess) *to = reinterpret_cast<void*>(at);
  return code;
}
cudaError_t cudaGetSymbolSize(std::size_t* to, void const* symbol) {
  std::uint64_t at = 0;
  return address_of(symbol, at, *to);
}
cudaError_t cudaMemcpyToSymbol(void const* symbol, void const* from, std::size_t bytes,
                               std::size_t offset, cudaMemcpyKind) {
  std::uint64_t at = 0;
  std::size_t size = 0;
  auto const code = address_of(symbol, at, size);
  return code != cudaSuccess ? code : copy(reinterpret_cast<void*>(at + offset), from, bytes);
}
cudaError_t cudaMemcpyFromSymbol(void* to, void const* symbol, std::size_t bytes,
                                 std::size_t offset, cudaMemcpyKind) {
  std::uint64_t at = 0;
  std::size_t size = 0;
  auto const code = address_of(symbol, at, size);
  return code != cudaSuccess ? code : copy(to, reinterpret_cast<void*>(at + offset), bytes);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return guarded(cudaErrorUnknown, [&](context& all) {
    *total = std::size_t{80} << 30;
    *free = *total - all.memory.bytes_in_use();
    return cudaSuccess;
  });
}

}  // extern "C"
