// Facts about tensor copies as candidates of a copy: when they are chosen, why they are declined,
// and their plans.
#include <axe/construct/literal.hpp>
#include <axe/plan/plan_copy.hpp>
#include <axe/plan/print/print_copy.hpp>

#include "../support/catch.hpp"

using namespace axe;
using namespace axe::literals;
using enum memory_space;
using enum copy_instruction;

namespace {

constexpr layout tile = "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, rows = "S[(64,64):(4096,1)]"_axe;
constexpr tma_tensor matrix = tma_tensor_of("S[(4096,4096):(4096,1)]"_axe, {4096, 4096});

/// A load by one thread from a tensor for which a tensor map exists.
constexpr copy_request load = [] {
  copy_request r{rows, global, tile, shared, {64, 64}, 16, 1, architecture::sm_90a, {}};
  r.options.asynchronous = r.options.mapped = true;
  r.options.to_alignment = 1024;
  return r;
}();
template <class Change> constexpr copy_request changed(copy_request r, Change const& change) {
  change(r);
  return r;
}
constexpr refusal why_declined(copy_request const& r) {
  outcome<copy_plan> const plan = try_plan_copy(r);
  return plan.value.candidates[0].instruction == tma ? plan.value.candidates[0].why
                                                     : refusal{rule::copy_not_between_these};
}

constexpr copy_plan plan = plan_copy(load, matrix);
static_assert(plan.instruction == tma && plan.asynchronous() && plan.threads == 1 &&
              plan.issues == 1);
static_assert(plan.bytes == 8192 && plan.values == 4096 && plan.candidates.size() == 1);
static_assert(plan.tensor == plan_tma(tma_kind::load, element_type::u16, matrix, {64, 64}, tile),
              "the plan of the copy contains that of plan_tma");
static_assert(plan_copy(load, matrix) == plan && !(plan_copy(load) == plan));
static_assert(plan_by_map(changed(load, [](auto& r) { r.from = layout{}; }), matrix)->tensor ==
                  plan.tensor,
              "plan_by_map needs no layout of the tile in the tensor");
static_assert(plan_copy(load).tensor.dimensions[1].extent == tma_number(64),
              "without a tensor, the tile is the whole tensor");
static_assert(try_copy_wavefronts(plan, copy_side::to).why.which ==
                  rule::copy_traffic_is_not_counted,
              "no lane computes an address");

// The tensor copy is declined with a reason, and the next candidate is chosen.
constexpr copy_request synchronous = changed(load, [](auto& r) { r.options.asynchronous = false; });
static_assert(why_declined(synchronous).which == rule::copy_or_copy_async);
static_assert(plan_copy(synchronous).instruction == vector_16);
constexpr copy_request without_map = changed(load, [](auto& r) { r.options.mapped = false; });
static_assert(why_declined(without_map).which == rule::copy_needs_map);
static_assert(plan_copy(without_map).instruction == cp_async_16);
static_assert(plan_copy(changed(without_map, [](auto& r) { r.options.force = tma; })).instruction ==
                  tma,
              "if the tensor copy is forced, the caller provides the map");
static_assert(plan_copy(changed(synchronous, [](auto& r) { r.options.force = tma; })).instruction ==
              tma);
static_assert(why_declined(changed(load, [](auto& r) { r.options.bulk = false; })).which ==
                  rule::copy_needs_map,
              "only copies that wait on an mbarrier (the option bulk) can be tensor copies");
static_assert(why_declined(changed(load, [](auto& r) { r.target = architecture::sm_80; })) ==
              refusal{rule::needs_sm_90});
static_assert(why_declined(changed(load, [](auto& r) { r.options.to_alignment = 128; })) ==
              refusal{rule::copy_shared_base, {1024, 128}});
static_assert(why_declined(changed(load, [](auto& r) { r.options.from_alignment = 8; })) ==
              refusal{rule::copy_base_not_aligned, {16, 8}});
static_assert(try_plan_copy(changed(load, [](auto& r) { r.options.from_alignment = 8; }), matrix)
                      .value.instruction == tma,
              "the alignment of a tensor is checked when its map is encoded");
static_assert(why_declined(changed(load, [](auto& r) { r.from = "S[(64,64):(4098,1)]"_axe; })) ==
              of_operand(1, {rule::tma_stride, {8196}}));
static_assert(
    why_declined(changed(load, [](auto& r) { r.to = "S[(64,64):(64,-1)] + 63"_axe; })).operand == 1,
    "the refusal names operand 1, the layout in shared memory");
static_assert(why_declined(changed(load, [](auto& r) {
                r.from = "S[(64,64):(1,4096)]"_axe;
              })).which == rule::tma_not_adjacent);
static_assert(why_declined(changed(load, [](auto& r) {
                r.options.partitioned = true;
                r.options.partition = "S[4096:1@reg]"_axe;
              })).which == rule::copy_not_between_these);
static_assert(try_plan_copy(changed(load, [](auto& r) {
                r.bits = 2;
                r.options.force = tma;
              })).why == refusal{rule::element_width, {2}});

// If the tensor may end inside a tile, loads need the option that stores zeros for elements out of
// bounds.
constexpr copy_request partial = changed(load, [](auto& r) { r.options.edges = {1, 8}; });
static_assert(why_declined(partial).which == rule::copy_fills_outside);
constexpr copy_plan filled =
    plan_copy(changed(partial, [](auto& r) { r.options.outside = copy_outside::zero; }));
static_assert(filled.instruction == tma &&
                  filled.tensor.dimensions[1].extent == tma_number(dynamic(0)) &&
                  filled.tensor.dimensions[0].extent == tma_number(dynamic(1).multiple_of(8)),
              "the map of a tile without a tensor has dynamic extents");

// Stores skip elements out of bounds. Only tensor copies can reduce, or write to several CTAs.
constexpr copy_request store = [] {
  copy_request r{tile, shared, rows, global, {64, 64}, 16, 128, architecture::sm_90a, {}};
  r.options.asynchronous = r.options.mapped = true;
  r.options.from_alignment = 1024;
  r.options.edges = {1, 8};
  return r;
}();
static_assert(plan_copy(store, matrix).tensor.kind == tma_kind::store &&
              plan_copy(store, matrix).scope == 128);
constexpr copy_request sum = changed(store, [](auto& r) {
  r.options.type = element_type::bf16;
  r.options.tensor.reduction = tma_reduction::add;
});
static_assert(plan_copy(sum, matrix).tensor.kind == tma_kind::reduce);
static_assert(plan_copy(changed(sum, [](auto& r) { r.options.cache = cache_hint::evict_first; }),
                        matrix)
                      .cache == cache_hint::evict_first,
              "a reduction can have a cache hint");
static_assert(try_plan_copy(changed(sum, [](auto& r) {
                r.options.type = element_type::u8;
              })).why.which == rule::element_width);
static_assert(try_plan_copy(changed(sum, [](auto& r) {
                r.options.type = element_type::u16;
              })).why.which == rule::tma_reduction);
static_assert(try_plan_copy(changed(sum, [](auto& r) { r.options.force = vector_16; })).why.which ==
                  rule::copy_not_between_these,
              "a vector copy cannot reduce");
constexpr copy_plan twice = plan_copy(
    changed(load, [](auto& r) { r.to = "S[(64,64):(64,1)] + R[2:1@cluster_cta_x]"_axe; }), matrix);
static_assert(twice.tensor.kind == tma_kind::multicast && twice.tensor.ctas == 3);
static_assert(
    plan_copy(changed(load, [](auto& r) { r.options.tensor.ctas = 5; }), matrix).tensor.ctas == 5);
static_assert(try_plan_copy(changed(synchronous, [](auto& r) { r.options.tensor.ctas = 5; }))
                      .why.which == rule::copy_or_copy_async,
              "only a tensor copy writes to several CTAs");

// Pairs of 4-bit elements are copied as bytes.
constexpr copy_plan nibbles = plan_copy(changed(load, [](auto& r) {
  r.bits = 4;
  r.from = "S[(64,64):(256,1)]"_axe;
  r.to = "S[(64,64):(64,1)]"_axe;
}));
static_assert(nibbles.instruction == tma && nibbles.tensor.unit == element_type::u8 &&
              nibbles.bytes == 2048);

}  // namespace

TEST_CASE("a tensor copy prints with its map") {
  text<2000> printed;
  print(printed, plan);
  CHECK(std::string(printed.c_str()) ==
        "tma: global to shared, 4096 elements of 16 bits\n"
        "  one thread issues\n"
        "tma.2d load: 1 box of 8192 bytes\n"
        "  map: {4096, 4096} elements of u16, strides {2, 8192} bytes, box {64, 64}, swizzle of "
        "128 bytes\n"
        "  shared memory at a multiple of 1024 bytes\n"
        "  coordinate 1: 64 * tile_number[0]\n"
        "  coordinate 0: 64 * tile_number[1]\n");
}
