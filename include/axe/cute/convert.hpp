// SPDX-License-Identifier: MIT
// to_axe(L), from_axe(L): convert between CuTe and axe layouts. Elements keep their numbers.
//
//     to_axe((4,2):(1,4))                S[(2,4):(4,1)]
//
// to_axe drops nesting below the second level.
#pragma once

#include <axe/algebra/canonicalize.hpp>
#include <axe/cute/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

AXE_FN constexpr outcome<axe::layout> try_to_axe(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  axe::layout done = l.map;
  bool const nested = l.profile.size() > 1 + l.leaf_count();
  for (int k = rank(l) - 1; nested && k >= 0; --k) done.blocks.push(mode(l, k).leaf_count());
  return done;
}
AXE_FN constexpr axe::layout to_axe(layout const& l) {
  return detail::stop_on(try_to_axe(l), "to_axe");
}

AXE_FN constexpr outcome<layout> try_from_axe(axe::layout const& l) {
  using namespace detail;
  outcome<axe::layout> const form = try_canonicalize(l);
  if (form.why) return form.why;
  axis_list const axes = axes_of(*form);
  if (axes.size() > 1) return refusal{rule::cute_counts_one_axis, {}, {axes[0], axes[1]}};
  if (!form->replicas.empty()) return refusal{rule::cute_has_no_replicas};
  layout done;
  if (l.grouped()) add_group(done, l.blocks.size());
  for (int b = l.blocks.size() - 1; b >= 0; --b) add_mode(done, iters_of_block(l, b));
  if (!l.grouped()) add_mode(done, l.shards);
  done.map.swizzle = l.swizzle;
  if (!axes.empty()) done.set_offset(l.offset(axes[0]));
  return checked(done);
}
AXE_FN constexpr layout from_axe(axe::layout const& l) {
  return detail::stop_on(try_from_axe(l), "from_axe", {&l});
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
