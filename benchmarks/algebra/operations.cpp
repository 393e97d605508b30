// Measures how many times per second each operation runs, at run time.
//
//     ./run bench algebra --benchmark_filter=slice
//
// The figure is items_per_second. The layout `l` of an operation changes in every iteration.
#include <axe/algebra/factor.hpp>
#include <axe/algebra/window.hpp>
#include <axe/axe.hpp>

#include <benchmark/benchmark.h>

using namespace axe;
using namespace axe::literals;

namespace {

// The accumulator of an mma of shape m16n8.
layout const accumulator = "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe;
layout const warps = "S[(2,4):(4@warp,1@warp)]"_axe;
layout const shared = "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe;
layout const padded[] = {"S[(128,96):(104,1)]"_axe, "S[(128,96):(100,1)]"_axe,
                         "S[(128,96):(97,1)] + R[4:13000]"_axe, "S[(2,64,96):(6208,97,1)]"_axe};
layout const tiled = tile(warps, {2, 4}, accumulator, {16, 8});
layout const far_apart = "S[(2,2):(100000,50000)]"_axe;
layout const patch = "S[8:1]"_axe;
layout const rows_of_patches = "S[(128,12):(104,8)]"_axe;
layout const every_eighth = "S[(32,3):(96,8)]"_axe;
layout const odd = "S[(2,6):(100,1)]"_axe;
layout const of_warpgroups = "S[(2,4,32):(1@wg,1@wid_in_wg,1@lane)]"_axe;
layout const in_warpgroup = "S[(4,32,8):(32@tid_in_wg,1@tid_in_wg,1)]"_axe;
place const owner = 8 * axis::lane + 3 * axis::warp;
layout const threads_of_tile = "S[(2,64,32):(2048@tid,32@tid,1@tid)] + 4096@tid"_axe;

/// Runs an operation on the layouts of `padded` in turn. Every answer must be a result, not a
/// refusal.
template <class Operation> void measure(benchmark::State& state, Operation const& operation) {
  int turn = 0;
  for (auto _ : state) {
    auto const result = operation(padded[turn++ % 4]);
    if (!result) state.SkipWithError(sentence(result.why).c_str());
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations());
}

/// Hides the text from the compiler, which could parse it only once otherwise.
outcome<layout> read(layout const&) {
  char const* text = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp";
  benchmark::DoNotOptimize(text);
  return try_parse(text);
}

}  // namespace

#define AXE_MEASURE(NAME, ...)                                   \
  static void NAME(benchmark::State& state) {                    \
    measure(state, [](layout const& l) { return __VA_ARGS__; }); \
  }                                                              \
  BENCHMARK(NAME)

namespace run {
AXE_MEASURE(parse, read(l));
AXE_MEASURE(size, try_size(l));
AXE_MEASURE(min, (try_min)(l, axis::m));
AXE_MEASURE(max, (try_max)(l, axis::m));
AXE_MEASURE(span, try_span(l, axis::m));
AXE_MEASURE(cosize, try_cosize(l));
AXE_MEASURE(places, try_places(l, {128, 96}, {77, 5}));
AXE_MEASURE(elements, (static_cast<void>(l), try_elements(tiled, {32, 32}, owner)));
AXE_MEASURE(owner_has, (static_cast<void>(l), try_owner_has(tiled, {32, 32}, owner, {17, 9})));
AXE_MEASURE(owned_by, (static_cast<void>(l), try_owned_by(tiled, {32, 32}, owner)));
AXE_MEASURE(not_owned_by, (static_cast<void>(l), try_not_owned_by(tiled, {32, 32}, owner)));
AXE_MEASURE(coverage, try_coverage(l, {{axis::m, 128 * 104}}));
AXE_MEASURE(on_axis, (static_cast<void>(l), try_on_axis(tiled, axis::lane)));
AXE_MEASURE(storage, (static_cast<void>(l), try_storage(tiled)));
AXE_MEASURE(threads, (static_cast<void>(l), try_threads(tiled)));
AXE_MEASURE(devices, (static_cast<void>(l), try_devices(tiled)));
AXE_MEASURE(canonicalize, try_canonicalize(l));
AXE_MEASURE(gap_ok, try_gap_ok(l));
AXE_MEASURE(equivalent, try_equivalent(l, padded[0]));
AXE_MEASURE(difference, try_difference(l, padded[0]));
AXE_MEASURE(group, try_group(l, {2, 64, 12, 8}));
AXE_MEASURE(group_many, try_group_many(l, {shape{128, 96}, shape{2, 64, 96}}));
AXE_MEASURE(is_injective, try_is_injective(l));
AXE_MEASURE(permute, try_permute(l, {128, 96}, {1, 0}));
AXE_MEASURE(broadcast, try_broadcast(l, {128, 96}, 1, 4));
AXE_MEASURE(slice, try_slice(l, {128, 96}, {{32, 64}, {8, 24}}));
AXE_MEASURE(slice_by_table, (static_cast<void>(l), try_slice(odd, {3, 4}, {{1, 3}, {0, 2}})));
AXE_MEASURE(window, try_window(l, {128, 96}, {16, 16}));
AXE_MEASURE(tile, try_tile(warps, {2, 4}, l, {128, 96}));
AXE_MEASURE(tile_to, try_tile_to(l, {128, 96}, {512, 960}));
AXE_MEASURE(tile_outer,
            (static_cast<void>(l), try_tile_outer(tiled, {32, 32}, accumulator, {16, 8})));
AXE_MEASURE(tile_inner, (static_cast<void>(l), try_tile_inner(tiled, {32, 32}, warps, {2, 4})));
AXE_MEASURE(direct_sum, try_direct_sum(far_apart, {2, 2}, l, {128, 96}));
AXE_MEASURE(sum_outer, try_sum_outer(l, {128, 96}, patch, {1, 8}));
AXE_MEASURE(sum_inner, (static_cast<void>(l),
                        try_sum_inner(padded[0], {128, 96}, rows_of_patches, {128, 12})));
AXE_MEASURE(rewrite,
            (static_cast<void>(l), try_rewrite(threads_of_tile, compositions::tid_of_warp_lane())));
AXE_MEASURE(to_lane_warp, (static_cast<void>(l), try_to_lane_warp(threads_of_tile)));
AXE_MEASURE(to_wg, (static_cast<void>(l), try_to_wg(threads_of_tile)));
AXE_MEASURE(to_tid, (static_cast<void>(l), try_to_tid(tiled)));
AXE_MEASURE(to_warp, (static_cast<void>(l), try_to_warp(of_warpgroups)));
AXE_MEASURE(to_tid_in_wg, (static_cast<void>(l), try_to_tid_in_wg(of_warpgroups)));
AXE_MEASURE(to_wg_wid_in_wg, (static_cast<void>(l), try_to_wg_wid_in_wg(warps)));
AXE_MEASURE(to_wid_in_wg, (static_cast<void>(l), try_to_wid_in_wg(in_warpgroup)));
AXE_MEASURE(unpack, try_unpack(l, 2, axis::m));
AXE_MEASURE(pack, (static_cast<void>(l), try_pack(shared, 8, axis::m)));
AXE_MEASURE(compose, try_compose(l, every_eighth));
AXE_MEASURE(compose_swizzle, (static_cast<void>(l), try_compose(swizzle{3, 3, 3}, padded[0])));
AXE_MEASURE(inverse, (static_cast<void>(l), try_inverse(accumulator, {axis::lane, axis::reg})));
}  // namespace run

BENCHMARK_MAIN();
