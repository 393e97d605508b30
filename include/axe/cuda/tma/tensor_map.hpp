// SPDX-License-Identifier: MIT
// tensor_map: TMA's descriptor of a tensor, encoded by the driver.
//
//     tensor_map const map = make_tensor_map(plan, data, numbers);
//
// If the driver fails, the refusal holds its CUresult. Source: CUDA driver API 13.0, "Tensor Map
// Object Management". Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/plan/tma_arguments.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The 128 bytes of a CUtensorMap. Pass it to a kernel as `__grid_constant__ tensor_map const`.
struct alignas(128) tensor_map {
  detail::stl::uint64_t words[16]{};
};

}  // namespace AXE_NAMESPACE
}  // namespace axe

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include <cuda_runtime_api.h>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// cuTensorMapEncodeTiled with int for enumerations, because cuda.h is not included.
using encode_tiled = int (*)(void* map, int type, stl::uint32_t rank, void* address,
                             stl::uint64_t const* extents, stl::uint64_t const* strides,
                             stl::uint32_t const* box, stl::uint32_t const* element_strides,
                             int interleave, int swizzle, int promotion, int fill);

inline encode_tiled find_encode_tiled() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  cudaError_t const code = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                                            12000, cudaEnableDefault, &found);
  if (code != cudaSuccess || found != cudaDriverEntryPointSuccess) return nullptr;
  return reinterpret_cast<encode_tiled>(function);
}

}  // namespace detail

/// `data` is the tensor's device pointer. `numbers` are the dynamic extents and strides, by slot.
inline outcome<tensor_map> try_make_tensor_map(tma_plan const& plan, void const* data,
                                               integer const* numbers) {
  using namespace detail;
  outcome<tma_arguments> const made = try_tma_arguments(plan, numbers);
  if (made.why) return made.why;
  tma_arguments const& a = made.value;
  auto const address = reinterpret_cast<stl::uint64_t>(data) + static_cast<stl::uint64_t>(a.offset);
  if (address % 16 != 0) return refusal{rule::tma_base, {static_cast<integer>(address % 16)}};
  static encode_tiled const encode = find_encode_tiled();
  if (encode == nullptr) return refusal{rule::tma_driver, {-1}};
  tensor_map map;
  constexpr int no_interleave = 0, l2_128_bytes = 2, fill_zeros = 0;
  int const answer = encode(&map, a.type, static_cast<stl::uint32_t>(a.rank),
                            reinterpret_cast<void*>(address), a.extents, a.strides, a.box,
                            a.element_strides, no_interleave, a.swizzle, l2_128_bytes, fill_zeros);
  if (answer != 0) return refusal{rule::tma_driver, {answer}};
  return map;
}

/// Like try_make_tensor_map, but a refusal throws or traps.
inline tensor_map make_tensor_map(tma_plan const& plan, void const* data, integer const* numbers) {
  return detail::stop_on(try_make_tensor_map(plan, data, numbers), "tensor_map");
}

namespace detail {

template <class Global>
tensor_map map_of_sizes(tma_plan const& plan, void const* data, Global const& sizes) {
  integer numbers[Global::slots + 1]{};
  [&]<int... Slot>(integers<Slot...>) {
    ((numbers[Slot] = static_cast<integer>(sizes.template number<Slot>())), ...);
  }(integers_to<Global::slots>{});
  return make_tensor_map(plan, data, numbers);
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
