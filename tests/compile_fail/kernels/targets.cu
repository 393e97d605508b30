// Calls of instructions that the target of the case lacks.
#include "setup.hpp"

#include <axe/cuda/mma/tcgen05.hpp>
#include <axe/cuda/mma/wgmma.hpp>

using halves_16 = axe::tensor<__half const, axe::row_major<2>, axe::aligned<16>>;
struct in_128 {
  static constexpr axe::layout value =
      axe::mma_shared_layout(16, axe::swizzle_mode::bytes_128, {64, 64});
};
using sums_of_wgmma = axe::carrier<axe::wgmma_atom<64, 16>::accumulator>;

__global__ void targets(__grid_constant__ axe::tensor_map const map, halves_16 x) {
  __shared__ axe::shared_tile<__half, square> staged;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
  __shared__ axe::shared_tile<__half, in_128, axe::extents<64, 64>> a, b;
  axe::fragment<float, sums_of_wgmma, axe::extents<64, 64>> c;
  held.fill(0), c.fill(0);
  (void)staged, (void)bars, (void)a, (void)b;
#if !MISTAKE
  axe::mma(c, a, axe::transposed(b));
#endif

#if MISTAKE == 1  // (sm_80) fence_proxy_async needs sm_90 or later
  axe::fence_proxy_async();
#elif MISTAKE == 2   // (sm_89) mbarrier::wait needs sm_90 or later
  bars[0].wait(0);
#elif MISTAKE == 3   // (sm_89) the instruction needs sm_90 or later
  axe::copy_async(axe::mapped(map, axe::tile<32, 32>(x, 0, 0)), staged, bars[0], axe::thread);
#elif MISTAKE == 4   // (sm_80) bulk_commit needs sm_90 or later
  axe::bulk_commit();
#elif MISTAKE == 5   // (sm_80) wgmma_fence exists on sm_90a only
  axe::wgmma_fence(held);
#elif MISTAKE == 6   // (sm_100a) wgmma_commit exists on sm_90a only
  axe::wgmma_commit();
#elif MISTAKE == 7   // (sm_90) increase_registers needs sm_90a
  axe::increase_registers<240>();
#elif MISTAKE == 8   // (sm_90a) tensor_memory needs tensor memory
  __shared__ unsigned tmem_address;
  axe::tensor_memory<32> const memory(tmem_address);
#elif MISTAKE == 9   // (sm_86) cta_in_cluster needs sm_90 or later
  held[0] = axe::cta_in_cluster<2>();
#elif MISTAKE == 10  // (sm_120a) tcgen05_fence_after needs tensor memory
  axe::tcgen05_fence_after();
#elif MISTAKE == 11  // (sm_80) a cluster barrier needs sm_90 or later
  axe::cluster_sync();
#elif MISTAKE == 13  // (sm_90) the instruction exists on sm_90a only
  axe::mma(c, a, axe::transposed(b));
#elif MISTAKE == 14  // (sm_100a) the instruction exists on sm_90a only
  axe::mma(c, a, axe::transposed(b));
#elif MISTAKE == 15  // (sm_103a) tcgen05_mma of integers exists on sm_100a and sm_110a only
  axe::tcgen05_mma<axe::mma_types{axe::element_type::s8, axe::element_type::s8,
                                  axe::element_type::s32}>(0u, 0u, std::uint64_t{}, 0u, true);
#elif MISTAKE == 16  // (sm_90a) tcgen05_mma needs tensor memory
  axe::tcgen05_mma<axe::mma_types{}>(0u, 0u, std::uint64_t{}, 0u, true);
#elif MISTAKE == 17  // (sm_90a) tile_scheduler needs cluster launch control
  __shared__ axe::tile_scheduler_storage<1> answer;
  axe::tile_scheduler<1>(answer).fetch();
#elif MISTAKE == 18  // (sm_100) with several CTAs a target with suffix a or f
  __shared__ axe::tile_scheduler_storage<2> answers;
  axe::tile_scheduler<2>(answers).fetch();
#elif MISTAKE == 19  // (sm_90a) of_pair needs tensor memory
  axe::of_pair(bars[0]);
#elif MISTAKE == 20  // (sm_100a) takes no options
  axe::copy_async<axe::to_ctas<3>>(axe::mapped(map, axe::tile<64, 64>(x, 0, 0)), a,
                                   axe::of_pair(bars[0]), axe::thread);
#endif
}
