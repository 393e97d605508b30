// Encodes tensor maps on the host with the PTX machine's runtime, without libcuda. Some are
// rejected with a sentence.
#include <axe/construct/literal.hpp>
#include <axe/cuda/copy/tensor_copy.hpp>
#include <axe/cuda/permute.hpp>  // nvcc once rejected this header in host code

#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdio>
#include <cstring>
#include <string>

using namespace axe::literals;

// The plan's enumerators equal those of cuda.h.
static_assert(CU_TENSOR_MAP_DATA_TYPE_UINT8 == 0 && CU_TENSOR_MAP_DATA_TYPE_UINT16 == 1 &&
              CU_TENSOR_MAP_DATA_TYPE_UINT32 == 2 && CU_TENSOR_MAP_DATA_TYPE_INT32 == 3 &&
              CU_TENSOR_MAP_DATA_TYPE_UINT64 == 4 && CU_TENSOR_MAP_DATA_TYPE_INT64 == 5 &&
              CU_TENSOR_MAP_DATA_TYPE_FLOAT16 == 6 && CU_TENSOR_MAP_DATA_TYPE_FLOAT32 == 7 &&
              CU_TENSOR_MAP_DATA_TYPE_FLOAT64 == 8 && CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 == 9);
static_assert(CU_TENSOR_MAP_SWIZZLE_NONE == 0 && CU_TENSOR_MAP_SWIZZLE_32B == 1 &&
              CU_TENSOR_MAP_SWIZZLE_64B == 2 && CU_TENSOR_MAP_SWIZZLE_128B == 3);
static_assert(CU_TENSOR_MAP_L2_PROMOTION_NONE == 0 && CU_TENSOR_MAP_L2_PROMOTION_L2_64B == 1 &&
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B == 2 && CU_TENSOR_MAP_L2_PROMOTION_L2_256B == 3);
static_assert(CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE == 0 &&
              CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA == 1 &&
              CU_TENSOR_MAP_INTERLEAVE_NONE == 0);
static_assert(sizeof(axe::tensor_map) == sizeof(CUtensorMap) &&
              alignof(axe::tensor_map) >= alignof(CUtensorMap));

using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;
using stage =
    axe::shared_tile<__nv_bfloat16, axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>,
                     axe::extents<64, 64>>;
using static_stage = axe::shared_tile<float, axe::carrier<"S[1024:1]"_axe>, axe::extents<32, 32>>;

namespace {

int failed = 0;
void expect(bool holds, char const* fact) {
  if (holds) return;
  std::printf("wrong: %s\n", fact);
  ++failed;
}
axe::tensor_map map_of(unsigned char const* memory, matrix const& sizes) {
  using tensor = axe::tensor<__nv_bfloat16 const, matrix>;
  return axe::map_for<stage>(tensor{reinterpret_cast<__nv_bfloat16 const*>(memory), sizes});
}
template <class Act> std::string message_of(Act const& act) {
  try {
    act();
  } catch (axe::refused const& error) { return error.what(); }
  return "nothing";
}

}  // namespace

int main() {
  unsigned char* memory = nullptr;
  if (cudaMalloc(&memory, 1 << 20) != cudaSuccess) {
    std::printf("no GPU, and no PTX machine in its place\n");
    return 77;
  }
  axe::tensor_map const a = map_of(memory, matrix(100, 70, 72));
  axe::tensor_map const b = map_of(memory + 16, matrix(100, 70, 72));
  axe::tensor_map const empty{};
  expect(std::memcmp(&a, &empty, sizeof(a)) != 0 && std::memcmp(&a, &b, sizeof(a)) != 0,
         "maps of two tensors differ");
  axe::tensor_map const c = axe::map_for<static_stage>(
      axe::tensor<float, axe::dynamic_matrix<128, 32, 32>, axe::aligned<16>>{
          reinterpret_cast<float*>(memory), {}});
  expect(std::memcmp(&c, &empty, sizeof(c)) != 0, "a tensor without dynamic sizes has a map");
  constexpr axe::tma_plan plan =
      axe::plan_tma(axe::tma_kind::load, axe::element_type::bf16, axe::tma_tensor_of<matrix>(),
                    {64, 64}, "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe);
  axe::integer const numbers[]{100, 70, 72};
  axe::tensor_map const of_plan = axe::make_tensor_map(plan, memory, numbers);
  expect(std::memcmp(&a, &of_plan, sizeof(a)) == 0,
         "map_for a shared tile gives the map of the plan");
  expect(message_of([&] { map_of(memory + 2, matrix(100, 70, 72)); }) ==
             "tensor_map: the tensor must start at a multiple of 16 bytes, but it starts 2 bytes "
             "past one",
         "an address that is not a multiple of 16");
  expect(message_of([&] { map_of(memory, matrix(100, 70, 70)); }) ==
             "tensor_map: a dimension of the map has a stride of 140 bytes, but strides must be "
             "multiples of 16 from 16 to 2^40 - 16",
         "rows 140 bytes apart");
  expect(message_of(
             [&] { map_of(memory, matrix(100, axe::integer{1} << 31, axe::integer{1} << 39)); }) ==
             "tensor_map: a dimension of the map has a stride of 1099511627776 bytes, but strides "
             "must be multiples of 16 from 16 to 2^40 - 16",
         "rows 2^40 bytes apart");
  expect(
      message_of([&] { map_of(memory, matrix(0, 70, 72)); }) ==
          "dynamic_layout: dynamic(0), an extent of dimension 0, is 0, but it must be at least 1",
      "no rows");
  return failed == 0 ? 0 : 1;
}
