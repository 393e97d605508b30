// Facts about plans of matrix products: the instruction, its repetitions and operands, and why
// other candidates are declined.
#include <axe/algebra/join_axes.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/plan/plan_mma.hpp>
#include <axe/plan/print/print_mma.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

using atom = mma_atom<16, 8, 16, 16>;
constexpr element_type bf16 = element_type::bf16, f32 = element_type::f32;
constexpr mma_types types{bf16, bf16, f32};
constexpr memory_space shared = memory_space::shared, tensor = memory_space::tensor;

// One warp needs one mma.sync.
constexpr mma_plan one = plan_mma(types, {atom::a, {16, 16}}, {atom::b, {16, 8}},
                                  {atom::accumulator, {16, 8}}, architecture::sm_80);
static_assert(one.instruction == mma_instruction{mma_kind::mma_sync, 16, 8, 16});
static_assert(one.m_steps == 1 && one.n_steps == 1 && one.k_steps == 1);
// tcgen05 and wgmma are declined, because they need other architectures. m16n8k16 is chosen.
static_assert(one.candidates.size() == 3 && one.candidates.back().why.which == rule::none);
static_assert(one.candidates[0].instruction.kind == mma_kind::tcgen05 &&
              one.candidates[0].why == refusal{rule::exists_on_sm_100a});
static_assert(one.candidates[1].why == refusal{rule::exists_on_sm_90a});

// The last dimension has the columns, the others have the rows.
static_assert(plan_mma(types, {atom::a, {1, 2, 8, 16}}, {atom::b, {16, 1, 8}},
                       {atom::accumulator, {1, 16, 8}}, architecture::sm_80) == one);

// Two fragments of m16n8k8 with adjacent registers are one of m16n8k16.
using shallow = mma_atom<16, 8, 8, 16>;
constexpr layout shallow_a = tile("S[2:1@reg]"_axe, {1, 2}, shallow::a, {16, 8});
constexpr layout shallow_b = tile("S[2:1@reg]"_axe, {2, 1}, shallow::b, {8, 8});
constexpr mma_plan eight = plan_mma(types, {shallow_a, {16, 16}}, {shallow_b, {16, 8}},
                                    {atom::accumulator, {16, 8}}, architecture::sm_80);
static_assert(eight.instruction.k == 16);
// With registers further apart they are not one fragment of m16n8k16, and it is declined. The
// reason names the first element that is elsewhere.
constexpr layout apart = tile("S[2:4@reg]"_axe, {1, 2}, shallow::a, {16, 8});
constexpr mma_plan two = plan_mma(types, {apart, {16, 16}}, {shallow_b, {16, 8}},
                                  {atom::accumulator, {16, 8}}, architecture::sm_80);
static_assert(two.instruction.k == 8 && two.k_steps == 2 &&
              detail::place_on(two.a, 1, axis::reg) == 16);
static_assert(two.candidates[2].why == refusal{rule::mma_a_is_not_a_fragment, {0, 8}});

// Four warps as 2 x 2: A is replicated along N and B along M. Every warp issues 2 x 4 x 2
// instructions.
constexpr layout cta_c =
    tile("S[(2,2):(2@warp,1@warp)]"_axe, {2, 2},
         tile("S[(2,4):(4@reg,1@reg)]"_axe, {2, 4}, atom::accumulator, {16, 8}), {32, 32});
constexpr layout cta_a =
    tile("S[(2,1):(2@warp,0)] + R[2:1@warp]"_axe, {2, 1},
         tile("S[(2,2):(2@reg,1@reg)]"_axe, {2, 2}, atom::a, {16, 16}), {32, 32});
constexpr layout cta_b =
    tile("S[(1,2):(0,1@warp)] + R[2:2@warp]"_axe, {1, 2},
         tile("S[(2,4):(4@reg,1@reg)]"_axe, {2, 4}, atom::b, {16, 8}), {32, 32});
constexpr mma_plan cta =
    plan_mma(types, {cta_a, {64, 32}}, {cta_b, {32, 64}}, {cta_c, {64, 64}}, architecture::sm_80);
static_assert(cta.m_steps == 2 && cta.n_steps == 4 && cta.k_steps == 2);
static_assert(detail::place_on(cta.c, 5, axis::reg) == 20 &&
              detail::place_on(cta.a, 1, axis::reg) == 8 &&
              detail::place_on(cta.b, 4, axis::reg) == 16);

// Fragments may name threads by tid or tid_in_wg.
static_assert(plan_mma(types, {to_tid(cta_a), {64, 32}}, {to_tid(cta_b), {32, 64}},
                       {to_tid(cta_c), {64, 64}}, architecture::sm_80)
                  .c == cta.c);
static_assert(try_plan_mma(types, {atom::a, {16, 16}}, {atom::b, {16, 8}},
                           {"S[(16,4,2):(4@tid,1@tid,1@tid)] + 1@lane"_axe, {16, 8}},
                           architecture::sm_80)
                  .why == refusal{rule::names_whole_and_part, {}, {axis::tid, axis::lane}, 2});

// The replicas of A are on other warps than the columns of B.
constexpr layout misplaced_a =
    tile("S[(2,1):(2@warp,0)] + R[2:4@warp]"_axe, {2, 1},
         tile("S[(2,2):(2@reg,1@reg)]"_axe, {2, 2}, atom::a, {16, 16}), {32, 32});
static_assert(try_plan_mma(types, {misplaced_a, {64, 32}}, {cta_b, {32, 64}}, {cta_c, {64, 64}},
                           architecture::sm_80)
                  .why.which == rule::mma_warps);
// K is split over warps, but no warp would add the partial sums, so this is rejected.
constexpr layout split_a = tile("S[(1,2):(0,1@warp)]"_axe, {1, 2}, atom::a, {16, 16});
constexpr layout split_b = tile("S[(2,1):(1@warp,0)]"_axe, {2, 1}, atom::b, {16, 8});
static_assert(try_plan_mma(types, {split_a, {16, 32}}, {split_b, {32, 8}},
                           {atom::accumulator, {16, 8}}, architecture::sm_80)
                  .why.which == rule::mma_warps);

// wgmma has the largest n that divides N.
constexpr mma_tile stage_a{"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, {64, 64}, shared};
constexpr mma_tile stage_b{"swizzle(3,3,3) o S[(64,256):(1,64)]"_axe, {64, 256}, shared};
constexpr mma_plan group = plan_mma(
    types, stage_a, stage_b, {wgmma_atom<256, 16>::accumulator, {64, 256}}, architecture::sm_90a);
static_assert(group.instruction == mma_instruction{mma_kind::wgmma, 64, 256, 16});
static_assert(plan_mma(types, {stage_a.where, {1, 64, 64}, shared},
                       {stage_b.where, {1, 64, 256}, shared},
                       {wgmma_atom<256, 16>::accumulator, {1, 64, 256}},
                       architecture::sm_90a) == group);
static_assert(plan_mma(types, stage_a, stage_b,
                       {to_tid_in_wg(wgmma_atom<256, 16>::accumulator), {64, 256}},
                       architecture::sm_90a)
                  .c == group.c);
static_assert(group.k_steps == 4 && group.a_shared.start(0, 3) == 96 &&
              group.b_shared.start(0, 3) == 96);
static_assert(group.a_shared.major == operand_major::k &&
              group.b_shared.major == operand_major::k && group.b_shared.stride == 1024);
// B as TMA writes it from a row-major (K,N) matrix: N is contiguous.
constexpr mma_tile by_columns{
    mma_shared_layout(16, swizzle_mode::bytes_128, {64, 256}), {64, 256}, shared};
constexpr mma_plan n_major =
    plan_mma(types, stage_a, by_columns, {wgmma_atom<256, 16>::accumulator, {64, 256}},
             architecture::sm_90a);
static_assert(n_major.b_shared.major == operand_major::mn && n_major.b_shared.leading == 8192 &&
              n_major.b_shared.start(0, 1) == 2048);
// The fragment of a second warpgroup is the first one's with an offset of four warps.
static_assert(plan_mma(types, stage_a, stage_b,
                       {"S[(4,2,8,32,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)] + 4@warp"_axe,
                        {64, 256}},
                       architecture::sm_90a)
                  .c == group.c);
// mma.sync does not read operands from shared memory. wgmma does, on sm_90a only.
static_assert(try_plan_mma(types, stage_a, stage_b, {wgmma_atom<256, 16>::accumulator, {64, 256}},
                           architecture::sm_90)
                  .why == refusal{rule::exists_on_sm_90a});
static_assert(try_plan_mma(types, stage_a, stage_b,
                           {wgmma_atom<256, 16>::accumulator, {64, 256}, shared},
                           architecture::sm_80)
                  .why.which == rule::mma_memories);
static_assert(try_plan_mma(types, stage_a, stage_b, {wgmma_atom<256, 16>::accumulator, {64, 256}},
                           architecture::sm_90a, mma_choice::mma_sync)
                  .why.which == rule::mma_memories);
static_assert(try_plan_mma(types, stage_a, {"S[(64,256):(256,1)]"_axe, {64, 256}, shared},
                           {wgmma_atom<256, 16>::accumulator, {64, 256}}, architecture::sm_90a)
                  .why == of_operand(1, {rule::operand_line_step, {256, 8}}));

// tcgen05 has its accumulator in tensor memory.
constexpr mma_plan fifth = plan_mma(
    types, {mma_shared_layout(16, swizzle_mode::bytes_128, {128, 64}), {128, 64}, shared}, stage_b,
    {"S[(128,256):(1@TLane,1@TCol)] + 256@TCol"_axe, {128, 256}, tensor}, architecture::sm_100a);
static_assert(fifth.instruction == mma_instruction{mma_kind::tcgen05, 128, 256, 16} &&
              fifth.k_steps == 4);
static_assert(detail::place_on(fifth.c, 0, axis::TCol) == 256 && fifth.a_shared.stride == 1024);

// Types and architectures that each instruction supports.
constexpr mma_instruction wide{mma_kind::mma_sync, 16, 8, 32};
constexpr element_type e4m3 = element_type::e4m3, s8 = element_type::s8, s32 = element_type::s32,
                       f64 = element_type::f64;
static_assert(check_mma(wide, {e4m3, element_type::e5m2, f32}, architecture::sm_89) == refusal{});
static_assert(check_mma(wide, {e4m3, e4m3, f32}, architecture::sm_80) ==
              refusal{rule::needs_sm_89});
static_assert(check_mma({mma_kind::mma_sync, 16, 8, 8}, {f64, f64, f64}, architecture::sm_89) ==
              refusal{rule::needs_sm_90});
static_assert(check_mma({mma_kind::mma_sync, 8, 8, 4}, {f64, f64, f64}, architecture::sm_80) ==
              refusal{});
static_assert(check_mma(wide, {s8, element_type::u8, s32}, architecture::sm_80) == refusal{});
// m8n8k16 multiplies 8-bit integers, not 8-bit floats.
constexpr mma_instruction small{mma_kind::mma_sync, 8, 8, 16};
static_assert(check_mma(small, {s8, s8, s32}, architecture::sm_80) == refusal{});
static_assert(check_mma(small, {e4m3, e4m3, f32}, architecture::sm_89).which == rule::mma_types);
using small_atom = mma_atom<8, 8, 16, 8>;
static_assert(try_plan_mma({e4m3, e4m3, f32}, {small_atom::a, {8, 16}}, {small_atom::b, {16, 8}},
                           {small_atom::accumulator, {8, 8}}, architecture::sm_89)
                  .why == refusal{rule::mma_does_not_divide, {8, 16}});
static_assert(check_mma(wide, {s8, s8, f32}, architecture::sm_80).which == rule::mma_types);
static_assert(check_mma({mma_kind::mma_sync, 16, 8, 16}, {bf16, element_type::f16, f32},
                        architecture::sm_80)
                  .which == rule::mma_types);
static_assert(check_mma({mma_kind::mma_sync, 16, 8, 64}, types, architecture::sm_90a) ==
              refusal{rule::mma_no_such_shape, {16, 8, 64, 16}});
static_assert(check_mma({mma_kind::wgmma, 64, 40, 32}, {s8, s8, s32}, architecture::sm_90a) ==
              refusal{rule::wgmma_columns, {40}});
static_assert(check_mma({mma_kind::wgmma, 64, 40, 32}, {e4m3, e4m3, f32}, architecture::sm_90a) ==
              refusal{});
static_assert(check_mma({mma_kind::wgmma, 64, 24, 32}, {s8, s8, s32}, architecture::sm_90a) ==
              refusal{});
static_assert(check_mma({mma_kind::wgmma, 64, 64, 32}, types, architecture::sm_90a) ==
              refusal{rule::mma_depth, {32, 16, 16}});
static_assert(check_mma({mma_kind::tcgen05, 128, 64, 32}, types, architecture::sm_100a) ==
              refusal{rule::mma_depth, {32, 16, 16}});
static_assert(check_mma({mma_kind::wgmma, 128, 64, 16}, types, architecture::sm_90a) ==
              refusal{rule::wgmma_rows, {128}});
static_assert(check_mma({mma_kind::wgmma, 64, 64, 16}, types, architecture::sm_90) ==
              refusal{rule::exists_on_sm_90a});
static_assert(check_mma({mma_kind::wgmma, 64, 64, 16},
                        {element_type::f16, element_type::f16, element_type::f16},
                        architecture::sm_90a) == refusal{});
static_assert(check_mma({mma_kind::wgmma, 64, 64, 16}, {bf16, bf16, bf16}, architecture::sm_90a)
                  .which == rule::mma_types);

// Shapes that do not multiply, accumulators in which elements share registers, and fragments that
// begin inside a register are rejected.
static_assert(try_plan_mma(types, {atom::a, {16, 16}}, {atom::b, {8, 16}},
                           {atom::accumulator, {16, 8}}, architecture::sm_80)
                  .why == refusal{rule::mma_shapes, {16, 16, 8, 16, 16, 8}});
static_assert(try_plan_mma(types, {atom::a, {16, 16}}, {atom::b, {16, 9}},
                           {atom::accumulator, {16, 8}}, architecture::sm_80)
                  .why == of_operand(1, {rule::shape_does_not_fit, {144, 128}}));
constexpr mma_tile nine_columns{atom::accumulator, {16, 9}};
constexpr mma_tile plain_a{atom::a, {16, 16}}, plain_b{atom::b, {16, 8}};
static_assert(
    sentence(try_plan_mma(types, plain_a, plain_b, nine_columns, architecture::sm_80).why,
             operands_of(plain_a, plain_b, nine_columns)) ==
    "the shape (16,9) has 144 elements, but the layout S[(2,32,2):(2@reg,1@lane,1@reg)] has 128");
static_assert(try_plan_mma(types, {tile("S[2:1@reg]"_axe, {2, 1}, atom::a, {16, 16}), {32, 16}},
                           {atom::b, {16, 8}},
                           {tile("S[2:0]"_axe, {2, 1}, atom::accumulator, {16, 8}), {32, 8}},
                           architecture::sm_80)
                  .why == of_operand(2, refusal{rule::mma_c_collides, {0, 128}}));
static_assert(
    try_plan_mma(types, {"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)] + 1@reg"_axe, {16, 16}},
                 {atom::b, {16, 8}}, {atom::accumulator, {16, 8}}, architecture::sm_80)
        .why == refusal{rule::mma_packed_registers, {1, 2}});
static_assert(try_plan_mma(types, {"S[(16,8,2):(2@lane,1@reg,1@lane)]"_axe, {16, 16}},
                           {atom::b, {16, 8}}, {atom::accumulator, {16, 8}}, architecture::sm_80)
                  .why == refusal{rule::mma_a_is_not_a_fragment, {0, 1}});

// Operands of one bit have no layout in shared memory, so they are rejected there.
static_assert(try_plan_mma({element_type::b1, element_type::b1, s32},
                           {"S[(64,256):(256,1)]"_axe, {64, 256}, shared},
                           {"S[(256,8):(1,256)]"_axe, {256, 8}, shared},
                           {wgmma_atom<8, 8>::accumulator, {64, 8}}, architecture::sm_90a)
                  .why == refusal{rule::operand_element_width, {1}});

// split_tile cuts a tile of shared memory into tiles: `outer` has their starts, and `inner` is one
// of them.
constexpr layout staged = "swizzle(3,3,3) o S[(128,64):(64,1)]"_axe;
constexpr detail::subtile_layouts halves = detail::split_tile(staged, {128, 64}, {64, 64});
static_assert(halves.why == refusal{} && halves.distance == 4096 &&
              halves.outer.shards[0] == iter{2, 4096, axis::m});
static_assert(canonicalize(halves.inner) == "swizzle(3,3,3) o S[4096:1]"_axe);
constexpr detail::subtile_layouts boxes = detail::split_tile(
    mma_shared_layout(16, swizzle_mode::bytes_128, {64, 128}), {64, 128}, {64, 64});
static_assert(boxes.outer.shards.size() == 1 && boxes.distance == 4096);
// Tiles of 4 rows or of half a row begin inside the pattern of the swizzle. Their accesses are not
// wider than 8 elements. 48 does not divide 128.
constexpr detail::subtile_layouts fours = detail::split_tile(staged, {128, 64}, {4, 64});
static_assert(!fours.why && fours.inside_dimensions == 1 && fours.distance == 8 &&
              fours.inside == "S[32:256]"_axe);
constexpr detail::subtile_layouts columns = detail::split_tile(staged, {128, 64}, {64, 32});
static_assert(!columns.why && columns.inside_dimensions == 2 && columns.distance == 8 &&
              columns.inside == "S[2:32]"_axe && columns.outer == "S[(2,2):(4096,32)]"_axe);
static_assert(halves.inside_dimensions == 0 && halves.inside == layout{});
static_assert(detail::split_tile(staged, {128, 64}, {48, 64}).why ==
              refusal{rule::extent_does_not_divide, {0, 48, 128}});
static_assert(detail::split_tile("S[(128,64):(72,1)]"_axe, {128, 64}, {16, 32}).distance == 32);
constexpr detail::subtile_layouts deep =
    detail::split_tile("S[(4,8,16):(128,16,1)]"_axe, {4, 8, 16}, {2, 4, 16});
static_assert(deep.distance == 64 && canonicalize(deep.outer) == "S[(2,2):(256,64)]"_axe &&
              deep.inner == "S[(2,4,16):(128,16,1)]"_axe);
static_assert(detail::split_tile("S[(4,8,16):(128,16,1)]"_axe, {4, 8, 16}, {2, 4, 3}).why ==
              refusal{rule::extent_does_not_divide, {2, 3, 16}});
// Tiles cut from a replicated tile are replicated, too. Where an address is needed, they are
// rejected.
static_assert(detail::split_tile("S[(8,8):(8,1)] + R[2:64]"_axe, {8, 8}, {4, 4}).inner ==
              "S[(4,4):(8,1)] + R[2:64]"_axe);

// The text of a printed plan.
constexpr auto words_of_group = [] {
  text<2000> out;
  print(out, group);
  return out;
}();
static_assert(words_of_group ==
              "wgmma.m64n256k16: bf16 by bf16 into f32, 1 along M, 1 along N, 4 along K\n"
              "  A: shared memory, K adjacent, swizzle of 128 bytes, leading 16 bytes, stride 1024 "
              "bytes; begins at multiples of 1024 bytes; "
              "1 x 4 instructions (rows, K) from byte S[4:32]\n"
              "  B: shared memory, K adjacent, swizzle of 128 bytes, leading 16 bytes, stride 1024 "
              "bytes; begins at multiples of 1024 bytes; "
              "1 x 4 instructions (rows, K) from byte S[4:32]\n"
              "  C: registers, from element 0\n"
              "  declined tcgen05.mma.m64n256k16: the instruction exists on sm_100a only\n");

}  // namespace
