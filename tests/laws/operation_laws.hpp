// Laws of operations: the result depends on the map of an operand, but not on its form. For these
// forms of L, all results must be the same map, or all must be refusals:
//
//     canonicalize(L)    L with split digits and iters of extent 1    L's map without a swizzle
//
// Example: with B = swizzle(0,1,1) o S[2:2] or B = S[2:3],
// tile(S[4:1@lane], (4), B, (2)) = S[(4,2):(1@lane,3)]. One exception: L may give a swizzled result
// although the form without a swizzle is rejected.
#pragma once

#include <axe/algebra/factor.hpp>
#include <axe/axe.hpp>

namespace axe_test {

using axe::layout;
using result = axe::outcome<layout>;

/// True if both are rejected, or both are layouts of the same map.
constexpr bool one_answer(result const& a, result const& b) {
  if (static_cast<bool>(a) != static_cast<bool>(b)) return false;
  return !a || axe::equivalent(*a, *b);
}

/// The same map with an iter of extent 1, a replica of stride 0, and some digits split in two.
constexpr layout loosened(layout const& l) {
  layout out;
  out.swizzle = l.swizzle;
  out.offsets = l.offsets;
  out.shards.push({1, 9, axe::axis::lane});
  for (axe::iter const& i : l.shards) {
    if (i.extent % 2 == 0 && i.extent > 2 && out.shards.size() < 12) {
      out.shards.push({i.extent / 2, 2 * i.stride, i.on});
      out.shards.push({2, i.stride, i.on});
    } else {
      out.shards.push(i);
    }
  }
  out.replicas = l.replicas;
  if (out.replicas.size() < 8) out.replicas.push({3, 0, axe::axis::warp});
  axe::detail::order_offsets(out);
  return out;
}

/// If the plain form has a result, the swizzled form has the same one. If the plain form is
/// rejected, the swizzled form may only have a swizzled result, which plain operands never give.
constexpr bool carries_over(result const& plain, result const& swizzled) {
  if (plain) return one_answer(plain, swizzled);
  return !swizzled || !axe::detail::unswizzled(swizzled).swizzle.none();
}

/// True if an operation has the same answer for every form of its operand.
template <class Operation> constexpr bool answers_alike(layout const& l, Operation op) {
  result const answer = op(l);
  layout const canonical = axe::canonicalize(l);
  result const of_canonical = op(canonical);
  if (!one_answer(answer, of_canonical)) return false;
  // Results are canonical. So a canonical operand gives the same value, not only the same map.
  if (answer && l == canonical && !(*answer == *of_canonical)) return false;
  return carries_over(op(axe::detail::unswizzled(axe::detail::valid_layout::proved(l))), answer) &&
         one_answer(answer, op(loosened(l)));
}

/// Applies every operation to forms of the layout, and names the first one whose answers differ.
/// Null if none does.
constexpr char const* operation_that_differs(layout const& l) {
  axe::integer const size = axe::size(l);
  axe::shape const flat(size);
  axe::integer half = size;
  for (axe::integer d = 2; d < size && half == size; ++d)
    if (size % d == 0) half = d;
  axe::shape const two{half, size / half};
  layout const small{axe::parse("S[3:1]")};
  layout const pair{axe::parse("S[2:1]")};
  layout const shifted{axe::parse("S[2:4] + R[2:1] + 1")};
  axe::axis_composition const halves{axe::axis::m,
                                     axe::place{{4, axe::axis::P}, {1, axe::axis::F}}};
  axe::axis_list memory;
  memory.push(axe::axis::m);
  axe::region rest;
  rest.ranges.push({0, half});
  rest.ranges.push({size / half > 1 ? 1 : 0, size / half});
  auto const alike = [&](auto op) { return answers_alike(l, op); };
  if (!alike([&](layout const& a) { return axe::try_canonicalize(a); })) return "canonicalize";
  if (!alike([&](layout const& a) { return axe::try_slice(a, two, rest); })) return "slice";
  if (!alike([&](layout const& a) { return axe::try_permute(a, two, {1, 0}); })) return "permute";
  if (!alike([&](layout const& a) { return axe::try_broadcast(a, two, 1, 3); })) return "broadcast";
  if (!alike([&](layout const& a) { return axe::try_tile(a, flat, small, 3); }))
    return "tile, outer";
  if (!alike([&](layout const& a) { return axe::try_tile(small, 3, a, flat); }))
    return "tile, inner";
  if (!alike([&](layout const& a) { return axe::try_tile(shifted, 2, a, flat); }))
    return "tile, inner with replicas";
  if (!alike([&](layout const& a) { return axe::try_direct_sum(a, flat, pair, 2); }))
    return "direct_sum, outer";
  if (!alike([&](layout const& a) { return axe::try_direct_sum(pair, 2, a, flat); }))
    return "direct_sum, inner";
  if (!alike([&](layout const& a) { return axe::try_tile_outer(a, two, pair, {1, 2}); }))
    return "tile_outer of the tile";
  if (!alike([&](layout const& a) { return axe::try_tile_inner(a, two, pair, {2, 1}); }))
    return "tile_inner of the tile";
  if (!alike([&](layout const& a) { return axe::try_sum_outer(a, two, pair, {1, 2}); }))
    return "sum_outer of the sum";
  if (!alike([&](layout const& a) { return axe::try_sum_inner(a, two, pair, {2, 1}); }))
    return "sum_inner of the sum";
  if (!alike([&](layout const& a) { return axe::try_compose(a, axe::layout(small)); }))
    return "compose, outer";
  if (!alike([&](layout const& a) { return axe::try_compose(axe::parse("S[(8,64):(64,1)]"), a); }))
    return "compose, inner";
  if (!alike([&](layout const& a) { return axe::try_compose(axe::swizzle{0, 1, 1}, a); }))
    return "compose with a swizzle";
  if (!alike([&](layout const& a) { return axe::try_inverse(a, memory); })) return "inverse";
  if (!alike([&](layout const& a) { return axe::try_rewrite(a, halves); })) return "rewrite";
  if (!alike([&](layout const& a) { return axe::try_unpack(a, 2, axe::axis::m); }))
    return "unpack by 2";
  if (!alike([&](layout const& a) { return axe::try_unpack(a, 3, axe::axis::reg); }))
    return "unpack by 3 on reg";
  if (!alike([&](layout const& a) { return axe::try_pack(a, 2, axe::axis::m); })) return "pack";
  if (!alike([&](layout const& a) { return axe::try_storage(a); })) return "storage";
  if (!alike([&](layout const& a) { return axe::try_threads(a); })) return "threads";
  return nullptr;
}

}  // namespace axe_test
