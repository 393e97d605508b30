// Operations per second at run time, one entry an operation, on layouts of real kernels.
//
//     ./run bench algebra --benchmark_filter=slice
//
// items_per_second is the figure. Arguments change from turn to turn, so that nothing is computed once and kept.
#include <axe/axe.hpp>

#include <benchmark/benchmark.h>

using namespace axe;
using namespace axe::literals;

namespace {

layout const accumulator = "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe;  // mma m16n8, C
layout const warps = "S[(2,4):(4@warp,1@warp)]"_axe;
layout const shared = "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe;
layout const padded[] = {"S[(128,96):(104,1)]"_axe, "S[(128,96):(100,1)]"_axe,
                         "S[(128,96):(97,1)] + R[4:13000]"_axe, "S[(2,64,96):(6208,97,1)]"_axe};
layout const tiled = tile(warps, {2, 4}, accumulator, {16, 8});
layout const threads_of_tile = "S[(2,64,32):(2048@tid,32@tid,1@tid)] + 4096@tid"_axe;

/// Runs an operation on layouts in turn; it answers an outcome that must be one.
template <class Operation> void measure(benchmark::State& state, Operation const& operation) {
  int turn = 0;
  for (auto _ : state) {
    auto const result = operation(padded[turn++ % 4]);
    if (!result) state.SkipWithError(sentence(result.why).c_str());
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations());
}

/// The compiler must not know the text, or it reads it once.
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
AXE_MEASURE(cosize, try_cosize(l));
AXE_MEASURE(places, try_places(l, {128, 96}, {77, 5}));
AXE_MEASURE(canonicalize, try_canonicalize(l));
AXE_MEASURE(equivalent, try_equivalent(l, padded[0]));
AXE_MEASURE(group, try_group(l, {2, 64, 12, 8}));
AXE_MEASURE(group_many, try_group_many(l, {shape{128, 96}, shape{2, 64, 96}}));
AXE_MEASURE(is_injective, try_is_injective(l));
AXE_MEASURE(permute, try_permute(l, {128, 96}, {1, 0}));
AXE_MEASURE(broadcast, try_broadcast(l, {128, 96}, 1, 4));
AXE_MEASURE(slice, try_slice(l, {128, 96}, {{32, 64}, {8, 24}}));
AXE_MEASURE(tile, try_tile(warps, {2, 4}, l, {128, 96}));
AXE_MEASURE(tile_outer, (static_cast<void>(l), try_tile_outer(tiled, {32, 32}, accumulator, {16, 8})));
AXE_MEASURE(tile_inner, (static_cast<void>(l), try_tile_inner(tiled, {32, 32}, warps, {2, 4})));
AXE_MEASURE(direct_sum, try_direct_sum("S[(2,2):(100000,50000)]"_axe, {2, 2}, l, {128, 96}));
AXE_MEASURE(rewrite, (static_cast<void>(l), try_to_lane_warp(threads_of_tile)));
AXE_MEASURE(unpack, try_unpack(l, 2, axis::m));
AXE_MEASURE(pack, (static_cast<void>(l), try_pack(shared, 8, axis::m)));
AXE_MEASURE(compose, try_compose(l, "S[(32,3):(96,8)]"_axe));
AXE_MEASURE(inverse, (static_cast<void>(l), try_inverse(accumulator, [] {
                        axis_list a;
                        a.push(axis::lane);
                        a.push(axis::reg);
                        return a;
                      }())));
}  // namespace run

BENCHMARK_MAIN();
