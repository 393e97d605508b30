// owned_by(L, S, place): what a thread, warp, CTA or device holds, as pieces: each a region or strided set of coordinates, and a layout
// from the piece's own shape to the remaining axes.
//
//     tile = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp, shape (8,16)
//     owned_by(tile, {8,16}, 8*lane + 6*warp)      one piece: (2:3, 8:10), shape (1,2), layout S[((),(2)):((),(1@reg))]
//
//     S[(4,2,8):(8,1@warp,1)], shape (4,16), 1*warp  one piece: (0:4, 8:16), layout S[((4),(8)):((8),(1))]
//
// The digits on axes that the place names are fixed, the others are the piece. Every solution of the fixed digits is one piece, so pieces
// are disjoint and together they are `elements(L, S, place)`; replicas on remaining axes stay in the layout. Along dimension d the piece
// takes coordinates origin_d + steps_d(i), i in [0, shape_d). Where S does not group D, the piece counts flattened elements, as rank 1.
// Refused: a shape of another size.
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/map/elements.hpp>

namespace axe::inline AXE_NAMESPACE {

/// Part of what one owner holds.
struct piece {
  shape extents;        // the piece's own shape: one entry a dimension
  coordinate origin;    // its first element; one integer, row-major, when `flattened`
  layout steps;         // grouped by dimension: how far along its dimension each digit goes
  layout held;          // from the piece's shape to the axes that the place does not name, grouped alike
  bool flattened = false;

  /// Is dimension d a range, begin to begin + extent?
  AXE_FN constexpr bool contiguous(int d) const {
    int first = 0;
    for (int b = 0; b < d; ++b) first += steps.blocks[b];
    if (steps.blocks[d] == 0) return true;
    detail::iter_list block;
    for (int k = first; k < first + steps.blocks[d]; ++k) block.push(steps.shards[k]);
    block = detail::canonical_shards(block);
    return block.empty() || (block.size() == 1 && block[0].stride == 1);
  }
  AXE_FN constexpr bool is_region() const {
    for (int d = 0; d < steps.blocks.size(); ++d)
      if (!contiguous(d)) return false;
    return !flattened || steps.blocks.empty();
  }
};

class ownership {
 public:
  struct iterator {
    ownership const* of = nullptr;
    detail::digit_search found;
    bool done = true;

    AXE_FN constexpr piece operator*() const { return of->piece_at(found.at); }
    AXE_FN constexpr iterator& operator++() {
      done = !(found.step() && found.find());
      return *this;
    }
    AXE_FN friend constexpr bool operator==(iterator const& a, iterator const& b) {
      return a.done == b.done && (a.done || a.found.at == b.found.at);
    }
  };
  AXE_FN constexpr iterator begin() const {
    iterator i{this, fixed, false};
    i.done = !reachable || !i.found.find();
    return i;
  }
  AXE_FN constexpr iterator end() const { return {this, detail::digit_search{}, true}; }
  AXE_FN constexpr bool empty() const { return begin() == end(); }
  /// The first one; only when there is one.
  AXE_FN constexpr piece front() const { return *begin(); }
  /// Counts the pieces.
  AXE_FN constexpr integer size() const {
    integer n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

  constexpr ownership() = default;
  AXE_FN constexpr ownership(layout const& grouped, shape const& s, place const& p, bool flat) : l(grouped), seen_as(s), flattened(flat) {
    reachable = detail::aim(l, p, fixed);
    for (iter const& i : l.shards) {
      bool const is_fixed = fixed.target_of(i) >= 0;
      if (is_fixed) {
        fixed.digits.push(i);
        fixed.at.push(0);
      }
      stands.push(is_fixed);
    }
    names = p;
  }

 private:
  /// Splits every dimension into fixed digits (the origin) and free ones (the piece).
  AXE_FN constexpr piece piece_at(detail::digit_list const& solution) const {
    piece out;
    out.flattened = flattened;
    out.held = l;
    out.held.shards.clear();
    out.held.blocks.clear();
    out.held.replicas.clear();
    out.held.offsets.clear();
    list<integer, capacity::shards> weights = weights_within_dimensions();
    detail::extent_list begins;
    detail::extent_list extents;
    int k = 0;
    int next_fixed = 0;
    for (int held_here : l.blocks) {
      integer begin = 0;
      integer extent = 1;
      int free = 0;
      for (int last = k + held_here; k < last; ++k) {
        if (stands[k]) {
          begin += solution[next_fixed++] * weights[k];
          continue;
        }
        extent *= l.shards[k].extent;
        out.steps.shards.push({l.shards[k].extent, weights[k], axis::m});
        out.held.shards.push(l.shards[k]);
        ++free;
      }
      out.steps.blocks.push(free);
      out.held.blocks.push(free);
      begins.push(begin);
      extents.push(extent);
    }
    if (flattened) {
      out.extents = shape(extents[0]);
      out.origin = coordinate(begins[0]);
    } else {
      out.extents = shape(detail::with_leaves(seen_as, extents));
      out.origin = coordinate(detail::with_leaves(seen_as, begins));
    }
    keep_remaining(out.held);
    return out;
  }

  AXE_FN constexpr list<integer, capacity::shards> weights_within_dimensions() const {
    list<integer, capacity::shards> weights;
    for (int k = 0; k < l.shards.size(); ++k) weights.push(1);
    int last = l.shards.size();
    for (int d = l.blocks.size() - 1; d >= 0; --d) {
      integer below = 1;
      for (int j = last - 1; j >= last - l.blocks[d]; --j) {
        weights[j] = below;
        below *= l.shards[j].extent;
      }
      last -= l.blocks[d];
    }
    return weights;
  }

  /// Digits of stride 0 on a named axis stay in the piece but lose the axis; replicas and offsets there go.
  AXE_FN constexpr void keep_remaining(layout& held) const {
    for (iter& i : held.shards)
      if (names.names(i.on)) i = {i.extent, 0, axis::null};
    for (iter const& r : l.replicas)
      if (!names.names(r.on)) held.replicas.push(r);
    for (term const& t : l.offsets)
      if (!names.names(t.on)) held.offsets.push(t);
    detail::order_offsets(held);
    if (names.names(axis::m)) held.swizzle = {};
  }

  layout l;             // grouped
  shape seen_as;
  place names;
  detail::digit_search fixed;
  list<bool, capacity::shards> stands;   // is the digit fixed by the place?
  bool flattened = false;
  bool reachable = true;
};

AXE_FN constexpr outcome<ownership> try_owned_by(layout const& l, shape const& s, place const& p) {
  outcome<layout> const by_dimension = try_group(l, s);
  if (by_dimension) return ownership(*by_dimension, s, p, false);
  if (by_dimension.why.which != rule::does_not_group) return by_dimension.why;
  outcome<layout> const flat = try_group(l, shape(detail::product_of_extents(l.shards)));
  if (!flat) return flat.why;
  return ownership(*flat, s, p, true);
}

AXE_FN constexpr ownership owned_by(layout const& l, shape const& s, place const& p) {
  outcome<ownership> const result = try_owned_by(l, s, p);
  detail::stop_on(result.why, "owned_by", {&l, nullptr, &s});
  return *result;
}

}  // namespace axe::inline AXE_NAMESPACE
