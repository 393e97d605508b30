// to_axe(L), from_axe(L): the same map in the other notation. The only place where the order of
// modes turns around.
//
//     to_axe((4,2):(1,4))                   S[(2,4):(4,1)]                 CuTe's first mode is axe's last digit
//     to_axe(((2,4),8):((1,16),2))          S[((8),(4,2)):((2),(16,1))]    modes become the blocks of a grouped layout
//     from_axe(S[(2,4):(4,1)])              (4,2):(1,4)
//     from_axe(S[8:4@lane] + 3@lane)        Sw<0,0,1> o 3 o 8:4            any one axis; from there on it is numbers
//
// Index i is the same element on both sides: L(i) first mode fastest there, D(i) last digit fastest
// here. A coordinate turns around with the modes: (i,j) of (4,2) is (j,i) of the shape (2,4).
// Nesting below the second level is lost on the way to axe; the digits are kept as they are,
// extents of 1 too.
// Refused on the way back: several axes, replicas.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

AXE_FN constexpr outcome<axe::layout> try_to_axe(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  axe::layout done;
  done.swizzle = l.swizzle;
  for (int k = l.leaves.size() - 1; k >= 0; --k) {
    leaf const& d = l.leaves[k];
    done.shards.push({d.extent, d.stride, d.stride == 0 ? axis::null : axis::m});
  }
  if (l.offset != 0) done.offsets.push({l.offset, axis::m});
  bool nested = false;
  for (int i = 1; i < l.profile.size(); ++i) nested = nested || l.profile[i] != leaf_node;
  if (nested)
    for (int k = rank(l) - 1; k >= 0; --k) {
      detail::cursor const at = detail::entry(l, {}, k);
      done.blocks.push(detail::skip(l, at).leaf - at.leaf);
    }
  if (refusal const bad = axe::check(done)) return bad;
  return done;
}
AXE_FN constexpr axe::layout to_axe(layout const& l) {
  outcome<axe::layout> const result = try_to_axe(l);
  if (!result) detail::stop_on(result.why, "to_axe", {});
  return *result;
}

AXE_FN constexpr outcome<layout> try_from_axe(axe::layout const& l) {
  if (refusal const bad = axe::check(l)) return bad;
  axis_list const axes = axes_of(l);
  if (axes.size() > 1) return refusal{rule::cute_counts_one_axis, {}, {axes[0], axes[1]}};
  if (!l.replicas.empty()) return refusal{rule::cute_has_no_replicas};
  layout done;
  done.swizzle = l.swizzle;
  if (!axes.empty()) done.offset = l.offset(axes[0]);
  int const last = l.shards.size() - 1;
  if (!l.grouped()) {
    leaf_list leaves;
    for (int k = last; k >= 0; --k) leaves.push({l.shards[k].extent, l.shards[k].stride});
    detail::add_mode(done, leaves);
  } else {
    detail::add_group(done, l.blocks.size());
    int next = last;
    for (int b = l.blocks.size() - 1; b >= 0; --b) {
      leaf_list leaves;
      for (int k = 0; k < l.blocks[b]; ++k, --next)
        leaves.push({l.shards[next].extent, l.shards[next].stride});
      detail::add_mode(done, leaves);
    }
  }
  if (refusal const bad = check(done)) return bad;
  return done;
}
AXE_FN constexpr layout from_axe(axe::layout const& l) {
  outcome<layout> const result = try_from_axe(l);
  if (!result) detail::stop_on(result.why, "from_axe", {&l});
  return *result;
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
