// SPDX-License-Identifier: MIT
// tiler: the right operand of composition, divides and products: a layout, or a tiler per mode.
//
//     (3, 8)                   by mode: 3 elements of the first mode, 8 of the second
//     <3:3, (2,4):(1,8)>       by mode: elements 0, 3, 6 of the first, 0, 1, 8, 9, … of the second
//
// As in CuTe, the shape (3,8) differs from the layout (3,8):(1,3). The integer n is n:1.
#pragma once

#include <axe/cute/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

struct tiler {
  layout as_layout;  // entries_of explains its profile

  constexpr tiler() = default;
  AXE_FN constexpr tiler(layout const& one) : as_layout(one) {}
  AXE_FN constexpr tiler(integer n) { detail::add_leaf(as_layout, {n, 1}); }
  template <axe::detail::static_integer C> AXE_FN constexpr tiler(C) : tiler(integer{C::value}) {}
  AXE_FN constexpr tiler(int_tuple const& shape) {
    if (shape.overflowed) as_layout.broken_rule = rule::cute_too_large;
    for (int i = 0; i < shape.nodes.count; ++i) {
      if (shape.nodes.is_group(i))
        detail::add_group(as_layout, -2 - shape.nodes.entries(i));
      else
        detail::add_leaf(as_layout, {shape.nodes.value(i), 1});
    }
  }
  AXE_FN constexpr tiler(initializer_list<tree_entry> shape) : tiler(int_tuple(shape)) {}

  AXE_FN constexpr bool by_mode() const {
    return !as_layout.profile.empty() && as_layout.profile[0] < leaf_node;
  }
  AXE_FN constexpr int modes() const { return detail::entries_of(as_layout.profile[0]); }
  AXE_FN constexpr tiler operator[](int k) const { return detail::plain_mode(as_layout, k); }
  constexpr bool operator==(tiler const&) const = default;
};

template <class... Tilers> AXE_FN constexpr tiler make_tile(Tilers const&... each) {
  tiler all;
  detail::add_group(all.as_layout, -2 - static_cast<int>(sizeof...(each)));
  (detail::add_part(all.as_layout, tiler(each).as_layout), ...);
  if (!(... && tiler(each).as_layout.plain())) all.as_layout.broken_rule = rule::cute_is_composed;
  return all;
}

namespace detail {

AXE_FN constexpr refusal check_tiler(tiler const& t) {
  if (!t.by_mode()) return check(t.as_layout);
  layout flat = t.as_layout;
  for (int& node : flat.profile) node = node < leaf_node ? entries_of(node) : node;
  return check(flat);
}

/// operation(mode, its tiler) for each mode, or operation(l, by) if `by` is one layout. `keep`: the
/// result has the modes without a tiler, too.
AXE_FN constexpr outcome<layout> each_checked_mode(layout const& l, tiler const& by, bool keep,
                                                   auto const& operation) {
  if (!by.by_mode()) return operation(l, by.as_layout);
  int const modes = rank(l);
  int const wanted = by.modes();
  if (wanted > modes) return refusal{rule::cute_too_many_modes, {wanted, modes}};
  layout done;
  add_group(done, keep ? modes : wanted);
  for (int k = 0; k < (keep ? modes : wanted); ++k) {
    layout part = plain_mode(l, k);
    if (k < wanted) {
      outcome<layout> const made = each_checked_mode(part, by[k], keep, operation);
      integer const* n = made.why.numbers;
      if (made.why.which == rule::no_layout_steps)
        return refusal{rule::cute_mode_is_not_a_layout, {k, n[1], n[2], n[3], n[4], n[5]}};
      if (!made) return made;
      part = *made;
    }
    add_part(done, part);
  }
  return checked(swizzled_like(done, l.map));
}
AXE_FN constexpr outcome<layout> each_mode(layout const& l, tiler const& by, bool keep,
                                           auto const& operation) {
  if (refusal const bad = check(l)) return bad;
  if (refusal const bad = check_tiler(by)) return bad;
  return each_checked_mode(l, by, keep, operation);
}

}  // namespace detail

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
