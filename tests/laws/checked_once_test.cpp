// Tests that each public operation checks each operand exactly once.
//
// CMake compiles this file with copies of the headers that define `check`, in which `check` calls
// note_check. The operands have an iter of extent 1. Results lack it, so that checks of results are
// not counted.
#include "support/catch.hpp"

#include <axe/algebra/factor.hpp>
#include <axe/algebra/window.hpp>
#include <axe/analysis.hpp>
#include <axe/axe.hpp>
#include <axe/convert.hpp>
#include <axe/cute.hpp>
#include <axe/linear.hpp>
#include <axe/plan.hpp>
#include <axe/synthesis.hpp>

#include <vector>

using namespace axe;

namespace {

template <class Operand> std::vector<Operand> checked;

template <class Operand> int checks_of(Operand const& operand) {
  int n = 0;
  for (Operand const& seen : checked<Operand>) n += seen == operand;
  return n;
}

/// Runs an operation and tests that each operand was checked once.
template <class Operand, class Run>
void once(char const* name, std::vector<Operand> const& operands, Run const& run) {
  CAPTURE(name);
  checked<Operand>.clear();
  auto const result = run();
  CAPTURE(name_of(result.why.which));
  CHECK(result);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    CAPTURE(k);
    CHECK(checks_of(operands[k]) == 1);
  }
}
template <class Run>
void once(char const* name, std::vector<layout> const& operands, Run const& run) {
  once<layout>(name, operands, run);
}

layout read(char const* text) {
  layout l = parse(text);
  l.shards.push({1, 0, axis::null});
  return l;
}

}  // namespace

void note_check(layout const& l) { checked<layout>.push_back(l); }
void note_check(linear_map const& m) { checked<linear_map>.push_back(m); }
void note_check(cute::layout const& l) { checked<cute::layout>.push_back(l); }

TEST_CASE("operations of the algebra check each operand once") {
  layout const a = read("S[(2,4):(12,3)] + 5"), b = read("S[(2,4):(4,1)] + 7");
  layout const l = read("S[(4,2,8):(16,8,1)] + 8");
  layout const swizzled = read("swizzle(3,3,3) o S[(8,8,8):(64,8,1)]");
  layout const fragment = read("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp");
  shape const s{4, 16}, part{2, 4}, of_fragment{8, 16};
  place const at{{8, axis::lane}, {6, axis::warp}};
  once("canonicalize", {l}, [&] { return try_canonicalize(l); });
  once("gap_ok", {l}, [&] { return try_gap_ok(l); });
  once("slice", {l}, [&] { return try_slice(l, s, {{0, 2}, {0, 8}}); });
  once("slice", {swizzled}, [&] { return try_slice(swizzled, {8, 64}, {{1, 3}, {0, 8}}); });
  once("group", {l}, [&] { return try_group(l, s); });
  once("group_many", {l}, [&] { return try_group_many(l, s, shape{8, 8}); });
  once("permute", {l}, [&] { return try_permute(l, s, {1, 0}); });
  once("broadcast", {l}, [&] { return try_broadcast(l, s, 1, 3); });
  once("difference", {a, b}, [&] { return try_difference(a, b); });
  once("equivalent", {a, b}, [&] { return try_equivalent(a, b); });
  once("direct_sum", {a, b}, [&] { return try_direct_sum(a, part, b, part); });
  once("tile", {a, b}, [&] { return try_tile(a, part, b, part); });
  once("tile_to", {b}, [&] { return try_tile_to(b, part, {4, 8}); });
  layout tiled = tile(a, part, b, part), sum = direct_sum(a, part, b, part);
  for (layout* t : {&tiled, &sum}) t->shards.push({1, 0, axis::null});
  once("tile_outer", {tiled, b}, [&] { return try_tile_outer(tiled, s, b, part); });
  once("tile_inner", {tiled, a}, [&] { return try_tile_inner(tiled, s, a, part); });
  once("sum_outer", {sum, b}, [&] { return try_sum_outer(sum, s, b, part); });
  once("sum_inner", {sum, a}, [&] { return try_sum_inner(sum, s, a, part); });
  once("compose", {l, a}, [&] { return try_compose(l, a); });
  once("compose", {l}, [&] { return try_compose(axe::swizzle{3, 1, 3}, l); });
  axis_list memory;
  memory.push(axis::m);
  once("inverse", {l}, [&] { return try_inverse(l, memory); });
  once("is_injective", {l}, [&] { return try_is_injective(l); });
  once("pack", {l}, [&] { return try_pack(l, 2, axis::m); });
  once("pack", {swizzled}, [&] { return try_pack(swizzled, 8, axis::m); });
  once("unpack", {l}, [&] { return try_unpack(l, 2, axis::m); });
  once("storage", {fragment}, [&] { return try_storage(fragment); });
  once("threads", {fragment}, [&] { return try_threads(fragment); });
  once("devices", {fragment}, [&] { return try_devices(fragment); });
  once("window", {l}, [&] { return try_window(l, s, {2, 8}); });
  once("owned_by", {fragment}, [&] { return try_owned_by(fragment, of_fragment, at); });
  once("not_owned_by", {fragment}, [&] { return try_not_owned_by(fragment, of_fragment, at); });
}

TEST_CASE("rewriting axes checks the operand once") {
  layout const warps = read("S[(2,2,16):(1@warp,16@lane,1@lane)] + 3@warp");
  layout const groups = read("S[(2,2,2,16):(1@wg,1@wid_in_wg,16@lane,1@lane)] + 3@wg");
  layout const threads = read("S[(2,2,32):(64@tid,32@tid,1@tid)]");
  once("to_tid", {warps}, [&] { return try_to_tid(warps); });
  once("to_tid", {groups}, [&] { return try_to_tid(groups); });
  once("to_warp", {groups}, [&] { return try_to_warp(groups); });
  once("to_tid_in_wg", {groups}, [&] { return try_to_tid_in_wg(groups); });
  once("rewrite", {warps}, [&] { return try_rewrite(warps, compositions::tid_of_warp_lane()); });
  once("to_lane_warp", {threads}, [&] { return try_to_lane_warp(threads); });
  once("to_wg", {threads}, [&] { return try_to_wg(threads); });
}

TEST_CASE("questions about the map check the operand once") {
  layout const fragment = read("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp");
  shape const s{8, 16};
  place const at{{8, axis::lane}, {6, axis::warp}};
  once("elements", {fragment}, [&] { return try_elements(fragment, s, at); });
  once("owner_has", {fragment}, [&] { return try_owner_has(fragment, s, at, {2, 8}); });
  once("places", {fragment}, [&] { return try_places(fragment, s, {2, 8}); });
  once("places", {fragment}, [&] { return try_places(fragment, 7); });
  once("size", {fragment}, [&] { return try_size(fragment); });
  once("span", {fragment}, [&] { return try_span(fragment, axis::lane); });
  once("min", {fragment}, [&] { return (try_min)(fragment, axis::lane); });
  once("max", {fragment}, [&] { return (try_max)(fragment, axis::lane); });
  once("cosize", {fragment}, [&] { return try_cosize(fragment, axis::warp); });
  once("on_axis", {fragment}, [&] { return try_on_axis(fragment, axis::lane); });
  box const of_warp{{axis::lane, 32}, {axis::reg, 2}};
  once("coverage", {fragment}, [&] { return try_coverage(fragment, of_warp); });
}

TEST_CASE("analysis and synthesis check each operand once") {
  layout const tile = read("S[(8,8,64):(512,64,1)]");
  layout const fragment = read("S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]");
  shape const s{64, 64};
  access_pattern access = access_on(ldmatrix_rows<16>, s);
  access.elements.shards.push({1, 0, axis::null});
  layout const& elements = access.elements;
  once("contiguity", {tile}, [&] { return try_contiguity(tile); });
  once("alignment", {tile}, [&] { return try_alignment(tile); });
  once("widest_vector", {tile}, [&] { return try_widest_vector(tile, 16); });
  once("redundancy", {fragment}, [&] { return try_redundancy(fragment); });
  once("shared_memory", {tile, elements}, [&] { return try_shared_memory(tile, s, access); });
  once("global_memory", {tile, elements}, [&] { return try_global_memory(tile, s, access); });
  once("conflicts", {tile, elements}, [&] { return try_conflicts(tile, s, access); });
  once("conflicts", {tile}, [&] { return try_conflicts(tile, s, ldmatrix_rows<16>); });
  once("fragment_access", {fragment},
       [&] { return try_fragment_access(fragment, {16, 8}, s, 16, 2); });
  access_list const all{access_on(ldmatrix_rows<16>, s)};
  once("conflict_free_swizzle", {tile}, [&] { return try_conflict_free_swizzle(tile, s, all); });
  once("conflict_free_matrix", {tile}, [&] { return try_conflict_free_matrix(tile, s, all); });
  once("conflict_free_layout", {tile},
       [&] { return try_conflict_free_layout(tile, s, ldmatrix_rows<16>); });
}

TEST_CASE("operations on linear maps check each operand once") {
  layout const l = read("S[(2,2,4):(4,8,1)]");
  once("linear", {l}, [&] { return try_linear(l, {4, 4}); });
  once("owner_map", {l}, [&] { return try_owner_map(l, {4, 4}); });
  auto const of = [](char const* name, std::vector<linear_map> const& operands, auto const& run) {
    once<linear_map>(name, operands, run);
  };
  linear_map const a = linear(l, {4, 4});
  linear_map b = linear(parse("S[16:1] + 16"), 16);
  b.in = a.out;
  linear_map const product = try_multiply(a, a).value;
  linear_map same_ends = a;
  same_ends.offset ^= 1;
  axis_list ins, outs;
  ins.push(a.in.axes[0].on);
  outs.push(axis::m);
  of("rank", {a}, [&] { return try_rank(a); });
  of("kernel", {a}, [&] { return try_kernel(a); });
  of("invert", {a}, [&] { return try_invert(a); });
  of("pseudo_invert", {a}, [&] { return try_pseudo_invert(a); });
  of("preimage", {a}, [&] { return try_preimage(a); });
  of("to_layout", {a}, [&] { return try_to_layout(a); });
  of("apply", {a}, [&] { return try_apply(a, {}); });
  of("part", {a}, [&] { return try_part(a, ins, outs); });
  of("compose", {b, a}, [&] { return try_compose(b, a); });
  of("equivalent", {b, a}, [&] { return try_equivalent(b, a); });
  of("multiply", {b, a}, [&] { return try_multiply(b, a); });
  of("invert_and_compose", {a, same_ends}, [&] { return try_invert_and_compose(a, same_ends); });
  of("divide_left", {product, a}, [&] { return try_divide_left(product, a); });
  of("divide_right", {product, a}, [&] { return try_divide_right(product, a); });
}

TEST_CASE("conversions check each operand once") {
  layout const from = read("S[(8,2,2,2,2):(4@lane,1@reg,2@lane,1@lane,2@reg)]");
  layout const to = read("S[(2,4,2,4,2):(2@reg,1@lane,1@reg,4@lane,16@lane)]");
  once("plan_convert", {from, to}, [&] { return try_plan_convert(from, to, 16); });
  layout const warps = read("S[(4,32,2,4):(1@warp,1@lane,1@reg,2@reg)]");
  layout const other_warps = read("S[(8,32,2,2):(1@reg,1@lane,2@warp,1@warp)]");
  once("plan_convert", {warps, other_warps},
       [&] { return try_plan_convert(warps, other_warps, 32); });
  layout const lanes = read("S[(2,2):(1@lane,2@lane)]"),
               reversed = read("S[(2,2):(2@lane,1@lane)]");
  layout const order = read("S[(2,2):(1,2)]");
  once("relabel", {lanes, reversed}, [&] { return try_relabel(lanes, reversed, 4, 0); });
  once("reorder", {reversed, order}, [&] { return try_reorder(reversed, 4, 0, order); });
}

TEST_CASE("plans of copies check each operand once") {
  shape const s{64, 64};
  layout const rows = read("S[(8,8,64):(32768,4096,1)]");
  layout const tile = read("swizzle(3,3,3) o S[(8,8,64):(512,64,1)]");
  using enum memory_space;
  copy_request const vectors{rows, global, tile, shared, s, 16, 128, architecture::sm_90a, {}};
  once("plan_copy", {rows, tile}, [&] { return try_plan_copy(vectors); });
  layout const half = read("swizzle(3,3,3) o S[(4,8,64):(512,64,1)]");
  layout const fragment =
      read("S[(2,2,8,2,2,2,4,2):(1@warp,2@reg,4@lane,16@reg,8@reg,4@reg,1@lane,1@reg)]");
  copy_request const matrices{
      half, shared, fragment, registers, {32, 64}, 16, 64, architecture::sm_90a, {}};
  once("plan_copy", {half, fragment}, [&] { return try_plan_copy(matrices); });
  once("tma_tensor_of", {rows}, [&] { return try_tma_tensor_of(rows, s); });
  tma_tensor const matrix = tma_tensor_of(parse("S[(4096,4096):(4096,1)]"), {4096, 4096});
  once("plan_tma", {tile},
       [&] { return try_plan_tma(tma_kind::load, element_type::bf16, matrix, s, tile, {}); });
}

TEST_CASE("plans of products check each operand once") {
  using enum memory_space;
  using atom = mma_atom<16, 8, 16, 16>;
  mma_types const types{element_type::bf16, element_type::bf16, element_type::f32};
  shape const s{64, 64}, tall{128, 64};
  layout fragments[] = {atom::a, atom::b, atom::accumulator};
  for (layout& f : fragments) f.shards.push({1, 0, axis::null});
  auto const& [a, b, c] = fragments;
  once("plan_mma", {a, b, c}, [&] {
    return try_plan_mma(types, {a, {16, 16}}, {b, {16, 8}}, {c, {16, 8}}, architecture::sm_80);
  });
  layout const rows = read("swizzle(3,3,3) o S[(8,8,64):(512,64,1)]");
  layout const columns = read("swizzle(3,3,3) o S[(64,8,8):(1,512,64)]");
  layout const sums = read("S[(4,2,8,8,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)]");
  once("plan_mma", {rows, columns, sums}, [&] {
    return try_plan_mma(types, {rows, s, shared}, {columns, s, shared}, {sums, s},
                        architecture::sm_90a);
  });
  layout const tall_rows = read("swizzle(3,3,3) o S[(16,8,64):(512,64,1)]");
  layout const columns_of_sums = read("S[(2,64,64):(64@TLane,1@TLane,1@TCol)]");
  once("plan_mma", {tall_rows, columns, columns_of_sums}, [&] {
    return try_plan_mma(types, {tall_rows, tall, shared}, {columns, s, shared},
                        {columns_of_sums, tall, tensor}, architecture::sm_100a);
  });
  once("plan_shared_operand", {rows}, [&] { return try_plan_shared_operand(rows, s, 16, 64); });
  layout const row_per_thread = read("S[(2,2,32,64):(2@wid_in_wg,1@wid_in_wg,1@lane,1@reg)]");
  once("plan_tensor_memory", {columns_of_sums, row_per_thread},
       [&] { return try_plan_tensor_memory(columns_of_sums, row_per_thread, tall, 32); });
  layout const stationary = read("S[(2,128,2,64):(128@F,1@P,64@F,1@F)]");
  layout const moving = read("S[(2,128,2,512):(1024@F,1@P,512@F,1@F)]");
  layout const banks = read("S[(2,64,2,512):(64@P,1@P,1@Bank,1@F)]");
  once("plan_trainium_matmul", {stationary, moving, banks}, [&] {
    return try_plan_trainium_matmul(stationary, {256, 128}, moving, {256, 1024}, banks,
                                    {128, 1024});
  });
}

TEST_CASE("plans of reductions check each operand once") {
  layout const tile = read("S[(2,2,8,4,2):(1@warp,2@reg,4@lane,1@lane,1@reg)]");
  once("plan_reduce", {tile}, [&] { return try_plan_reduce(tile, {32, 8}, {1}); });
  layout const sums = read("S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]");
  layout const rows = read("S[(2,8):(1@reg,4@lane)] + R[4:1@lane]");
  once("match_registers", {sums, rows},
       [&] { return try_match_registers(sums, {16, 8}, rows, {16, 1}); });
}

TEST_CASE("CuTe's operations check each operand once") {
  auto const of = [](char const* name, std::vector<cute::layout> const& operands, auto const& run) {
    once<cute::layout>(name, operands, run);
  };
  cute::layout const l = cute::parse("(2,4,8):(1,4,16)"), tile = cute::parse("(2,2):(1,2)");
  cute::layout const block = cute::parse("(4,8):(1,4)"), by = cute::parse("(2,4):(1,2)");
  cute::tiler const modes{2, 2, 4};
  of("coalesce", {l}, [&] { return cute::try_coalesce(l); });
  of("complement", {tile}, [&] { return cute::try_complement(tile, 16); });
  of("composition", {l, tile}, [&] { return cute::try_composition(l, tile); });
  of("composition", {l}, [&] { return cute::try_composition(l, modes); });
  of("logical_divide", {l, tile}, [&] { return cute::try_logical_divide(l, tile); });
  of("zipped_divide", {l}, [&] { return cute::try_zipped_divide(l, modes); });
  of("tiled_divide", {l}, [&] { return cute::try_tiled_divide(l, modes); });
  of("flat_divide", {l}, [&] { return cute::try_flat_divide(l, modes); });
  of("logical_product", {l, tile}, [&] { return cute::try_logical_product(l, tile); });
  of("zipped_product", {l, tile}, [&] { return cute::try_zipped_product(l, tile); });
  of("blocked_product", {block, by}, [&] { return cute::try_blocked_product(block, by); });
  of("raked_product", {block, by}, [&] { return cute::try_raked_product(block, by); });
  of("tile_to_shape", {block}, [&] { return cute::try_tile_to_shape(block, {8, 16}); });
  of("right_inverse", {block}, [&] { return cute::try_right_inverse(block); });
  of("left_inverse", {block}, [&] { return cute::try_left_inverse(block); });
  of("max_common_vector", {block, by}, [&] { return cute::try_max_common_vector(block, by); });
  of("max_common_layout", {block, by}, [&] { return cute::try_max_common_layout(block, by); });
  of("recast", {block}, [&] { return cute::try_recast(block, 16, 32); });
  of("upcast", {block}, [&] { return cute::try_upcast(block, 2); });
  of("downcast", {block}, [&] { return cute::try_downcast(block, 2); });
  of("to_axe", {block}, [&] { return cute::try_to_axe(block); });
  of("size", {block}, [&] { return cute::try_size(block); });
  of("cosize", {block}, [&] { return cute::try_cosize(block); });
  of("at", {block}, [&] { return cute::try_at(block, {1, 1}); });
  of("index_of", {block}, [&] { return cute::try_index_of(block, {1, 1}); });
  of("coordinate_of", {block}, [&] { return cute::try_coordinate_of(block, 3); });
}
