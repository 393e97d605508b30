// Uses axe's layout policy of a carrier in a kernel, through cuda::std::mdspan.
#include <axe/axe.hpp>
#include <axe/bridge/mdspan.hpp>

#include <cuda/std/mdspan>

using namespace axe::literals;

using swizzled = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using square = cuda::std::extents<int, 64, 64>;
using tile = cuda::std::mdspan<float, square, axe::mdspan_layout<swizzled>>;

__global__ void read(float* memory, float* out, int* size) {
  tile const t(memory, tile::mapping_type{});
  out[threadIdx.x] = t(threadIdx.x, 3);
  *size = t.mapping().required_span_size() + static_cast<int>(axe::size(t.mapping().value()));
}
