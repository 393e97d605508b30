// A user's functions may have the names of axe's functions if axe's do not accept the arguments.
// The kernel calls each of the user's functions: their return type, `called`, shows which one is
// chosen.
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/mma/mma.hpp>

#include <cuda_runtime.h>

namespace {

using namespace axe;
using namespace axe::literals;

using matrix = tensor<float, row_major<2>>;
using lanes = carrier<"S[(32,32):(1@lane,1@reg)]"_axe>;
using rows = fragment<float, lanes, extents<32, 32>>;

/// A type of the user. Its template argument makes axe an associated namespace.
template <class T> struct field {};
using user_type = field<matrix>;
struct called {};

// Templates as general as those of axe.
template <class X> __device__ called print(X const&) { return {}; }
template <class X> __device__ called transposed(X const&) { return {}; }
template <int D, class X> __device__ called size(X const&) { return {}; }
template <int I, int J, class X> __device__ called tile(X const&, int, int) { return {}; }
template <int I, int J, class X> __device__ called tile_at(X const&) { return {}; }
template <class P, class X> __device__ called local_partition(X const&) { return {}; }
template <class X> __device__ called async_wait(X) { return {}; }
template <class X, class Y> __device__ called mma(X const&, Y const&) { return {}; }
template <class X, class Y> __device__ called copy(X const&, Y&&, cta_scope<32>, int) { return {}; }
__device__ called copy(user_type const&, user_type&, warp_unit) { return {}; }
__device__ called copy(matrix const&, rows&, cta_scope<16>) { return {}; }
template <class P> __device__ called copy_by(user_type const&, user_type&, warp_unit) { return {}; }
template <int Vector, class X> __device__ called load(X const*) { return {}; }
__device__ called copy_async(user_type const&, user_type&, warp_unit) { return {}; }
__device__ called cast(user_type const&, user_type&) { return {}; }
__device__ called elementwise(plus, rows&, user_type const&) { return {}; }

// Each has a type that axe rejects as a tile, a fragment, a scope or a function object.
template <int D> __device__ called reduce(plus, rows const&, user_type&, warp_unit) { return {}; }
template <int D> __device__ called reduce(plus, rows const&, rows&, user_type&) { return {}; }
template <int D> __device__ called reduce(user_type, rows const&, rows&, warp_unit) { return {}; }
template <int D> __device__ called accumulate(plus, user_type const&, rows&, warp_unit) {
  return {};
}
template <int D> __device__ called gather(matrix const&, rows&, warp_unit, int) { return {}; }
template <int D> __device__ called gather(rows const&, rows&, user_type, int) { return {}; }
template <int D> __device__ called gather_async(user_type, rows&, warp_unit, int) { return {}; }
template <int D> __device__ called scatter(rows const&, user_type&, warp_unit, int) { return {}; }
__device__ called copy_if(rows const&, user_type&, warp_unit, int) { return {}; }
__device__ called prepare_copy(rows const&, user_type&, warp_unit) { return {}; }
__device__ called convert(rows const&, user_type&, warp_unit) { return {}; }
__device__ called mma(rows&, user_type const&, rows const&) { return {}; }

__global__ void call(matrix x) {
  user_type m;
  rows r;
  called all[] = {print(m),
                  transposed(m),
                  size<0>(m),
                  tile<8, 8>(m, 1, 2),
                  tile_at<8, 8>(m),
                  local_partition<lanes>(m),
                  async_wait(m),
                  mma(m, m),
                  copy(r, m, cta<32>, 1),
                  copy(m, m, warp),
                  copy(x, r, cta<16>),
                  copy_by<lanes>(m, m, warp),
                  load<4>(&m),
                  copy_async(m, m, warp),
                  cast(m, m),
                  elementwise(plus{}, r, m),
                  reduce<1>(plus{}, r, m, warp),
                  reduce<1>(plus{}, r, r, m),
                  reduce<1>(m, r, r, warp),
                  accumulate<1>(plus{}, m, r, warp),
                  gather<0>(x, r, warp, 1),
                  gather<0>(r, r, m, 1),
                  gather_async<0>(m, r, warp, 1),
                  scatter<0>(r, m, warp, 1),
                  copy_if(r, m, warp, 1),
                  prepare_copy(r, m, warp),
                  convert(r, m, warp),
                  mma(r, m, r)};
  (void)all;
}

/// An operation of the user, with a function beside it that axe must not call.
struct increment {
  __device__ float operator()(float x) const { return x + 1; }
};
template <class Sources, int... Source>
__device__ void apply(increment const&, float&, Sources, detail::indices<Source...>,
                      rows const&) = delete;
__global__ void increment_rows() {
  rows r;
  r.fill(0);
  elementwise(increment{}, r, r);
}

}  // namespace

int main(int argc, char**) {
  if (argc < 2) return 0;  // compiled and linked
  if (launch(increment_rows, dim3(1), cta<32>) != cudaSuccess) return 1;
  return launch(call, dim3(1), cta<32>, matrix(nullptr, 0, 0)) == cudaSuccess ? 0 : 1;
}
