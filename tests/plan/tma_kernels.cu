// Kernels with planned TMA copies. `through` loads a tile, writes out its bytes in shared memory,
// and stores it. The other kernels reduce, multicast, use a ring of stages, and use the barriers of
// a pair of CTAs.
#include <axe/axe.hpp>
#include <axe/cuda/pipeline.hpp>

#include "tma_kernels.hpp"

using axe::tensor_map;

namespace {

/// Calls issue with the index of the tile along each dimension.
template <int Rank, class Issue>
__device__ void with_tile_indices(tensors::tiles const& t, Issue const& issue) {
  unsigned b = blockIdx.x, n[5]{};
  for (int d = Rank - 1; d >= 0; --d) n[d] = b % t.counts[d], b /= t.counts[d];
  if constexpr (Rank == 1) issue(n[0]);
  if constexpr (Rank == 2) issue(n[0], n[1]);
  if constexpr (Rank == 3) issue(n[0], n[1], n[2]);
  if constexpr (Rank == 4) issue(n[0], n[1], n[2], n[3]);
  if constexpr (Rank == 5) issue(n[0], n[1], n[2], n[3], n[4]);
}

template <class Case, int Rank>
__device__ void through(tensor_map const& in, tensor_map const& out, unsigned char* image,
                        tensors::tiles const& t) {
  using load = typename Case::load;
  using store = typename Case::store;
  __shared__ axe::mbarrier_storage<1> bars;
  __shared__ __align__(1024) unsigned char buffer[load::bytes];
  unsigned const shared = axe::shared_address(buffer);
  axe::mbarrier const full = bars[0];
  if (threadIdx.x == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(load::bytes);
    with_tile_indices<Rank>(t, [&](auto... n) { load::load(in, shared, full, n...); });
  }
  __syncthreads();
  full.wait(0);
  for (unsigned k = threadIdx.x; k < load::bytes; k += blockDim.x)
    image[blockIdx.x * load::bytes + k] = buffer[k];
  if (threadIdx.x == 0) {
    with_tile_indices<Rank>(t, [&](auto... n) { store::store(out, shared, n...); });
    axe::bulk_commit();
    axe::bulk_wait_read();
  }
}

}  // namespace

#define THROUGH(NAME, RANK)                                                           \
  extern "C" __global__ void through_##NAME(__grid_constant__ tensor_map const in,    \
                                            __grid_constant__ tensor_map const out,   \
                                            unsigned char* image, tensors::tiles t) { \
    through<tensors::NAME, RANK>(in, out, image, t);                                  \
  }
THROUGH(line, 1)
THROUGH(plane, 2)
THROUGH(strided, 2)
THROUGH(split, 2)
THROUGH(bytes, 2)
THROUGH(block, 3)
THROUGH(nhwc, 4)
THROUGH(five, 5)

/// Copies values to a tile in shared memory and combines it with the tensor by a TMA reduction.
template <class Case, axe::tma_reduction How, class T>
__device__ void combine(tensor_map const& out, T const* values) {
  using reduce =
      tensors::tensor_transfer<axe::tma_kind::reduce, Case::element, typename Case::global,
                               typename Case::tile, typename Case::shared, axe::tma_options{How}>;
  __shared__ __align__(128) T buffer[256];
  for (int k = static_cast<int>(threadIdx.x); k < 256; k += static_cast<int>(blockDim.x))
    buffer[k] = values[k];
  axe::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    reduce::store(out, axe::shared_address(buffer), blockIdx.y, blockIdx.x);
    axe::bulk_commit();
    axe::bulk_wait();
  }
}
#define COMBINE(HOW)                                                              \
  extern "C" __global__ void reduce_##HOW(__grid_constant__ tensor_map const out, \
                                          unsigned const* values) {               \
    combine<tensors::words, axe::tma_reduction::HOW>(out, values);                \
  }
COMBINE(add)
COMBINE(min)
COMBINE(max)
COMBINE(inc)
COMBINE(dec)
COMBINE(bit_and)
COMBINE(bit_or)
COMBINE(bit_xor)
extern "C" __global__ void reduce_bf16(__grid_constant__ tensor_map const out,
                                       unsigned short const* values) {
  combine<tensors::halves, axe::tma_reduction::add>(out, values);
}

/// CTA 0 of each cluster loads the tile of both CTAs by a multicast.
extern "C" __global__ void multicast(__grid_constant__ tensor_map const in, unsigned char* image) {
  using load = tensors::twice;
  __shared__ axe::mbarrier_storage<1> bars;
  __shared__ __align__(1024) unsigned char buffer[load::bytes];
  axe::mbarrier const full = bars[0];
  if (threadIdx.x == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(load::bytes);
  }
  axe::cluster_sync();
  if (threadIdx.x == 0 && blockIdx.x % 2 == 0)
    load::load(in, axe::shared_address(buffer), full, blockIdx.y, blockIdx.x / 2);
  full.wait(0);
  unsigned char* const to = image + (blockIdx.y * gridDim.x + blockIdx.x) * load::bytes;
  for (unsigned k = threadIdx.x; k < load::bytes; k += blockDim.x) to[k] = buffer[k];
  axe::cluster_sync();
}

/// One producer thread and two consumer warps. Each consumer thread adds up its 32-bit words of a
/// row of tiles.
extern "C" __global__ void ring(__grid_constant__ tensor_map const in, unsigned* sums,
                                unsigned tiles) {
  using load = tensors::words::load;
  constexpr int stages = 3;
  __shared__ axe::pipeline_storage<stages> storage;
  __shared__ __align__(128) unsigned buffer[stages][256];
  axe::pipeline<stages> const pipe(storage);
  if (threadIdx.x == 0) pipe.init(2);
  __syncthreads();
  axe::pipeline_state<stages> at;
  if (threadIdx.x / 32 == 2) {
    if (threadIdx.x % 32 == 0) {
      for (unsigned k = 0; k < tiles; ++k, at.advance()) {
        pipe.wait_until_empty(at);
        unsigned const to = axe::shared_address(buffer[at.stage]);
        axe::mbarrier const full = pipe.fill(at, load::bytes);
        if (k % 2 == 0)
          tensors::hinted_words<axe::cache_hint::evict_first>::load(in, to, full, blockIdx.x, k);
        else
          tensors::hinted_words<axe::cache_hint::evict_last>::load(in, to, full, blockIdx.x, k);
      }
      pipe.drain(at);
    }
  } else {
    unsigned sum = 0;
    for (unsigned k = 0; k < tiles; ++k, at.advance()) {
      pipe.wait_until_full(at);
      for (int j = 0; j < 4; ++j) sum += buffer[at.stage][threadIdx.x + 64 * j];
      __syncwarp();
      if (threadIdx.x % 32 == 0) pipe.release(at);
    }
    sums[blockIdx.x * 64 + threadIdx.x] = sum;
  }
}

/// One mbarrier counts the bytes of a load. The other gets arrivals
/// from both CTAs of a cluster.
extern "C" __global__ void barriers_of_a_pair(__grid_constant__ tensor_map const in,
                                              unsigned* out) {
  using load = tensors::words::load;
  __shared__ axe::mbarrier_storage<2> bars;
  __shared__ __align__(128) unsigned buffer[256];
  axe::mbarrier const full = bars[0], of_pair = bars[1];
  if (threadIdx.x == 0) {
    full.init(1);
    of_pair.init(2);
    axe::fence_mbarrier_init();
  }
  axe::cluster_sync();
  if (threadIdx.x == 0) {
    full.arrive_and_expect_tx(load::bytes);
    load::load(in, axe::shared_address(buffer), full, blockIdx.x, 0u);
  }
  full.wait(0);
  for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) out[blockIdx.x * 256 + k] = buffer[k];
  __syncthreads();
  if (threadIdx.x == 0) {
    of_pair.arrive_in(0);
    of_pair.arrive_in(1);
  }
  of_pair.wait_for_cluster(0);
  axe::cluster_sync();
}
