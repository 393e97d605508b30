// Copies a tile by a plan: cp.async from a matrix with a run-time pitch into shared memory with the
// 128-byte swizzle. axe's form is one call; the plan decides all addresses. No form of this pattern
// has host code. The PTX machine runs all forms (tests/codegen/copies_test.cpp), so each kernel
// writes its tile out at the end.
#include "../pattern.hpp"

#include <axe/cuda/copy/async.hpp>

#include "copies.hpp"

namespace pattern {

/// 64x64 elements of 16 bits by 128 threads, four 16-byte accesses each. No tile is partial.
struct copy_by_plan {
  using arguments = copied_tile;

  /// The same for all three forms: waits, and writes out the tile in its shared-memory order.
  __device__ __forceinline__ static void finish(thread_index const& i, device_sink& sink) {
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    quad* const out = reinterpret_cast<quad*>(sink.out) + i.thread;
    each<4>([&](auto k) {
      word a, b, c, d;
      asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4+%5];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "r"(i.shared + 16 * i.thread), "n"(2048 * decltype(k)::value)
                   : "memory");
      out[128 * decltype(k)::value] = {{a, b, c, d}};
    });
  }
  template <int Immediate>
  __device__ __forceinline__ static void cp_async(word to, void const* from) {
    asm volatile("cp.async.cg.shared.global [%0+%1], [%2], 16;" ::"r"(to), "n"(Immediate), "l"(from)
                 : "memory");
  }

  __device__ __forceinline__ static void by_hand(arguments const& a, thread_index const& i,
                                                 device_sink& sink) {
    word const t = i.thread;
    std::uint16_t const* const data = a.tensor.data;
    word const pitch = a.tensor.sizes.number<2>() * 2;
    char const* const p = reinterpret_cast<char const*>(reinterpret_cast<quad const*>(data) +
                                                        (i.block_x * 8 + (t & 7))) +
                          wide{i.block_y * 64 + (t >> 3)} * pitch;
    word const to = i.shared + ((t ^ (t >> 3 & 7)) << 4);
    each<4>([&](auto k) {
      cp_async<2048 * decltype(k)::value>(to, p + wide{pitch} * (16 * decltype(k)::value));
    });
    finish(i, sink);
  }
  __device__ __forceinline__ static void by_axe(arguments const& a, thread_index const& i,
                                                device_sink& sink) {
    using swizzled = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
    axe::shared_tile_ref<std::uint16_t, swizzled, axe::extents<64, 64>> const tile{i.shared};
    axe::copy_async(axe::tile<64, 64>(a.tensor, axe::any(i.block_y), axe::any(i.block_x)), tile,
                    axe::cta<128>);
    finish(i, sink);
  }
#ifdef AXE_WITH_CUTE
  __device__ __forceinline__ static void by_cute(arguments const& a, thread_index const& i,
                                                 device_sink& sink) {
    using namespace cute;
    extern __shared__ __align__(1024) unsigned char buffer[];
    std::uint16_t const* const data = a.tensor.data;
    auto const all = cute_matrix(data, a.tensor.sizes);
    auto const tile = make_tensor(
        make_smem_ptr(reinterpret_cast<std::uint16_t*>(buffer)),
        composition(Swizzle<3, 3, 3>{}, cute::Layout<Shape<_64, _64>, Stride<_64, _1>>{}));
    auto const tiled = make_tiled_copy(
        Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, std::uint16_t>{},
        cute::Layout<Shape<_16, _8>, Stride<_8, _1>>{}, cute::Layout<Shape<_1, _8>>{});
    auto const thread_tile = tiled.get_slice(static_cast<int>(i.thread));
    auto const from = thread_tile.partition_S(
        local_tile(all, Shape<_64, _64>{}, make_coord(i.block_y, i.block_x)));
    auto to = thread_tile.partition_D(tile);
    cute::copy(tiled, from, to);
    finish(i, sink);
  }
#endif
};

AXE_PATTERN(copy_by_plan)

}  // namespace pattern
