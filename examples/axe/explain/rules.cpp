// Lists, for each function of the calculator, its section of docs/algebra.md and its rule in one
// sentence.
#include "explain/explain.hpp"

namespace explain {

namespace {

constexpr rule rules[] = {
    {"size", "D4", "the product of the extents of D"},
    {"span", "D4", "1 + the sum of (e-1)*|s| over the iters of D and R on the axis"},
    {"min", "D4", "the offset + the sum of (e-1)*min(s,0) over the iters on the axis"},
    {"max", "D4", "min + span - 1"},
    {"cosize", "D4", "max + 1, if no place is below 0"},
    {"on_axis", "D3", "every place keeps only its component on the axis"},
    {"places", "D3", "L(x) = D(x) + r + O for every sum r of replicas; D(x) adds digit*stride"},
    {"elements", "D8", "the coordinates with a place that agrees on the axes that are named"},
    {"owned_by", "D8", "the elements at the place, as disjoint pieces with layouts"},
    {"not_owned_by", "D8", "the elements that are not at the place, as disjoint pieces"},
    {"owner_has", "D8", "whether the element has a place that agrees with the given one"},
    {"coverage", "D8", "the first that applies of contested, holes, copies, once"},
    {"canonicalize", "D5",
     "D without extents of 1 and with neighbours (e1 : e2*s)(e2 : s) fused to (e1*e2 : s); R and O "
     "sorted and fused axis by axis"},
    {"gap_ok", "D5", "whether s(i+1) >= e(i)*s(i) for the sorted strides of R"},
    {"equivalent", "D6", "equal canonical D and O, and equal sets of replicas"},
    {"difference", "D6", "the first element whose sets of places differ"},
    {"group", "D7",
     "every boundary of the shape must lie between iters of the canonical D or cut one at a "
     "divisor"},
    {"group_many", "D7", "the boundaries of all shapes must form one chain of divisors"},
    {"is_injective", "D9", "no place holds two different elements; each axis is decided alone"},
    {"slice", "D10", "element y of the result is element begin + y of L, in its place"},
    {"window", "D10", "the layout that all slices of these extents share"},
    {"window_steps", "D10", "the multiples at which such slices may begin"},
    {"direct_sum", "D11", "the result at (p,q) is A(p) + B(q)"},
    {"tile", "D11",
     "the result at (p,q) is sigma*A(p) + B(q); sigma is the span of B on each axis"},
    {"tile_to", "D11", "B repeated row-major on m up to the shape"},
    {"tile_outer", "D12", "the A for which tile(A, S_T/S_B, B, S_B) is T"},
    {"tile_inner", "D12", "the B for which tile(A, S_A, B, S_T/S_A) is T"},
    {"sum_outer", "D12", "the A for which direct_sum(A, S_T/S_B, B, S_B) is T"},
    {"sum_inner", "D12", "the B for which direct_sum(A, S_A, B, S_T/S_A) is T"},
    {"permute", "D13", "the result at c[order] is L(c)"},
    {"broadcast", "D13", "a dimension with stride 0 is added: its coordinate does not matter"},
    {"storage", "D13", "only the components on memory axes stay"},
    {"threads", "D13", "only the components on thread axes stay"},
    {"devices", "D13", "only the components on device axes stay"},
    {"rewrite", "D14",
     "an axis is split into parts, or parts are joined; no digit may carry into the next part"},
    {"to_lane_warp", "D14", "tid = 32*warp + lane"},
    {"to_tid", "D14", "tid = 32*warp + lane, or 128*wg + tid_in_wg"},
    {"to_warp", "D14", "warp = 4*wg + wid_in_wg"},
    {"unpack", "D15", "element x becomes the elements n*x to n*x + n-1, neighbours on the axis"},
    {"pack", "D15", "n neighbours on the axis become one element"},
    {"compose", "D15", "the result at x is A(B(x)), the union over the replicas of B"},
    {"inverse", "D15", "the result at a place is the element that lies there"},
    {"conflicts", "D19", "the largest number of different words in one bank in one phase"},
    {"shared_memory", "D19", "wavefronts, phase by phase: each bank serves one word at a time"},
    {"global_memory", "D19", "the sectors of 32 bytes that an access touches"},
    {"widest_vector", "D19",
     "the largest power of two n for which every group of n elements is contiguous and aligned"},
    {"conflict_free_swizzle", "D20",
     "the first swizzle under which every access is free of conflicts"},
    {"conflict_free_pitch", "D20",
     "the least distance of rows under which every access is free of conflicts"},
    {"convert", "D21", "the shuffles that move every element to the lanes that need it"},
    {"cute.coalesce", "D22", "neighbouring modes fuse if stride(i+1) = extent(i)*stride(i)"},
    {"cute.composition", "D22", "the result at x is A(B(x)), mode by mode of B"},
    {"cute.complement", "D22",
     "R ascends from 0, and no place L(i) + R(j) belongs to two values of j"},
    {"cute.logical_divide", "D22", "A composed with (B, the complement of B)"},
    {"cute.zipped_divide", "D22", "the modes of logical_divide as ((tile, …), (tiles, …))"},
    {"cute.tiled_divide", "D22", "the modes of logical_divide as ((tile, …), tiles, …)"},
    {"cute.flat_divide", "D22", "the modes of logical_divide as (tile, …, tiles, …)"},
    {"cute.logical_product", "D22", "(A, the complement of A composed with B)"},
    {"cute.blocked_product", "D22", "logical_product, with A's and B's modes in pairs, A's first"},
    {"cute.raked_product", "D22", "logical_product, with A's and B's modes in pairs, B's first"},
    {"cute.zipped_product", "D22", "the modes of logical_product as ((block, …), (blocks, …))"},
    {"cute.right_inverse", "D22",
     "the R with L(R(k)) = k, for the longest run of places 0, 1, 2, … of L"},
    {"cute.left_inverse", "D22", "the R with R(L(k)) = k"},
};

/// Functions whose help is already the sentence of the rule, by the beginning of their names.
constexpr rule families[] = {
    {"linear", "D18", ""},     {"cute.", "D22", ""},           {"mma", "D23", ""},
    {"wgmma.", "D23", ""},     {"tcgen05.", "D23", ""},        {"trainium.", "D23", ""},
    {"ldmatrix.", "D23", ""},  {"ldmatrix_rows", "D19", ""},   {"rows_of", "D19", ""},
    {"columns_of", "D19", ""}, {"row_blocks", "D19", ""},      {"column_blocks", "D19", ""},
    {"access", "D19", ""},     {"fragment_access", "D19", ""}, {"alignment", "D19", ""},
    {"contiguity", "D19", ""}, {"conflict_free", "D20", ""},   {"to_", "D14", ""},
    {"relabel", "D21", ""},    {"reorder", "D21", ""},         {"redundancy", "D19", ""},
};

}  // namespace

rule const* rule_of(std::string_view function) {
  for (rule const& each : rules)
    if (function == each.function) return &each;
  for (rule const& each : families)
    if (function.starts_with(each.function)) return &each;
  return nullptr;
}

std::string rule_of_refusal(axe::refusal const& why) {
  std::string out = std::string("  rule ") + axe::name_of(why.which) + " (docs/refusals.md)";
  int const numbers = axe::detail::numbers_in(why.which);
  for (int k = 0; k < numbers; ++k)
    out += (k > 0          ? ", "
            : numbers == 1 ? ", number "
                           : ", numbers ") +
           std::to_string(why.numbers[k]);
  return out + "\n";
}

}  // namespace explain
