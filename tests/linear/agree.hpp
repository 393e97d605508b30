// Does each operation on linear maps agree with walking through all inputs? Null, or the words for what does not.
#pragma once

#include "linear/walk.hpp"

#include <axe/linear/compose.hpp>
#include <axe/linear/divide.hpp>
#include <axe/linear/invert.hpp>
#include <axe/linear/invert_and_compose.hpp>
#include <axe/linear/multiply.hpp>
#include <axe/linear/part.hpp>

namespace axe_test {

/// Is the result the map with these images, on the same axes on both sides?
constexpr bool has_images(linear_map const& m, axe::linear_axes const& in, axe::linear_axes const& out,
                          words const& images) {
  return axe::check(m).which == axe::rule::none && m.in == in && m.out == out && walk(m) == images;
}

constexpr char const* compose_disagreement(linear_map const& a, linear_map const& b) {
  words const of_a = walk(a);
  words expected;
  bool inside = true;
  for (bit_word const y : walk(b)) {
    bit_word x = 0;
    inside = inside && renamed(b.out, y, a.in, x);
    if (inside) expected.push_back(of_a[x]);
  }
  axe::outcome<linear_map> const c = axe::try_compose(a, b);
  if (static_cast<bool>(c) != inside) return c ? "compose: B leaves A" : "compose: refused without need";
  if (!c) return c.why.which == axe::rule::linear_inner_leaves ? nullptr : "compose: another reason";
  return has_images(c.value, b.in, a.out, expected) ? nullptr : "compose";
}

constexpr char const* backward_disagreement(linear_map const& m) {
  words const images = walk(m);
  bit_word const outputs = bit_word{1} << m.matrix.rows;
  bit_word const inputs = images.size();
  words least(outputs, inputs);  // of each output; `inputs` where it is not reached
  bit_word reached = 0;
  for (bit_word x = inputs; x-- > 0;) least[images[x]] = x;
  for (bit_word const x : least) reached += x < inputs ? 1u : 0u;
  if (bit_word{1} << axe::rank(m) != reached) return "rank";
  words zeros;
  for (bit_word x = 0; x < inputs; ++x)
    if (images[x] == m.offset) zeros.push_back(x);
  linear_map const k = axe::kernel(m);
  words spanned = walk(k);
  std::sort(spanned.begin(), spanned.end());
  if (spanned != zeros || !(k.out == m.in)) return "kernel";
  linear_map const p = axe::pseudo_invert(m);
  words const back = walk(p);
  if (!(p.in == m.out) || !(p.out == m.in)) return "pseudo_invert: its axes";
  for (bit_word y = 0; y < outputs; ++y)
    if (least[y] < inputs && back[y] != least[y]) return "pseudo_invert is not the least input";
  bool const onto = reached == outputs;
  bool const one_to_one = zeros.size() == 1;
  axe::outcome<linear_map> const inverse = axe::try_invert(m);
  if (static_cast<bool>(inverse) != (onto && one_to_one)) return "invert: is there an inverse?";
  if (inverse && !has_images(inverse.value, m.out, m.in, least)) return "invert";
  axe::outcome<linear_map> const all = axe::try_preimage(m);
  if (static_cast<bool>(all) != onto) return "preimage: is it onto?";
  if (!all) {  // no two places may differ by the witness alone
    axe::term const alone{all.why.numbers[0], all.why.axes[0]};
    bit_word flip = 0;
    renamed(axe::linear_axes({{alone.on, 62}}), static_cast<bit_word>(alone.n), m.out, flip);
    for (bit_word const y : images)
      if (least[y ^ flip] < inputs) return "preimage: the witness does not show it";
    return nullptr;
  }
  words const members = walk(all.value);
  std::vector<words> of(outputs);
  for (bit_word x = 0; x < members.size(); ++x) of[x % outputs].push_back(members[x]);
  for (bit_word y = 0; y < outputs; ++y) {
    std::sort(of[y].begin(), of[y].end());
    words expected;
    for (bit_word x = 0; x < inputs; ++x)
      if (images[x] == y) expected.push_back(x);
    if (of[y] != expected) return "preimage";
  }
  return nullptr;
}

constexpr char const* invert_and_compose_disagreement(linear_map const& a, linear_map const& b) {
  words const of_a = walk(a);
  words const of_b = walk(b);
  words expected;
  for (bit_word x = 0; x < of_b.size(); ++x) {
    bit_word itself = 0;  // x as far as A counts it
    bit_word unit = 1;
    for (axe::linear_axis const& axis : a.in.axes) {
      itself += unit * (static_cast<bit_word>(component(b.in, axis.on, x)) % (bit_word{1} << axis.bits));
      unit <<= axis.bits;
    }
    bit_word nearest = of_a.size();
    bit_word wanted = 0;
    if (renamed(b.out, of_b[x], a.out, wanted))
      for (bit_word y = 0; y < of_a.size(); ++y)
        if (of_a[y] == wanted && (nearest == of_a.size() || (y ^ itself) < (nearest ^ itself))) nearest = y;
    if (nearest == of_a.size()) break;
    expected.push_back(nearest);
  }
  axe::outcome<linear_map> const c = axe::try_invert_and_compose(a, b);
  bool const exists = expected.size() == of_b.size();
  if (static_cast<bool>(c) != exists)
    return c ? "invert_and_compose: there is none" : "invert_and_compose: refused without need";
  return !c || has_images(c.value, b.in, a.in, expected) ? nullptr : "invert_and_compose: not the nearest";
}

/// The components of a product's place: A's low part and B's high part on every axis.
constexpr bool is_product_of(linear_map const& whole, linear_map const& a, linear_map const& b) {
  words const of_a = walk(a);
  words const of_b = walk(b);
  words const of_whole = walk(whole);
  for (bit_word x = 0; x < of_whole.size(); ++x) {
    bit_word low = 0;
    bit_word high = 0;
    bit_word unit = 1;
    for (axe::linear_axis const& axis : a.in.axes) {
      low += unit * (static_cast<bit_word>(component(whole.in, axis.on, x)) % (bit_word{1} << axis.bits));
      unit <<= axis.bits;
    }
    unit = 1;
    for (axe::linear_axis const& axis : b.in.axes) {
      high += unit * (static_cast<bit_word>(component(whole.in, axis.on, x)) >> a.in.bits_on(axis.on));
      unit <<= axis.bits;
    }
    for (axe::linear_axis const& axis : whole.out.axes)
      if (component(whole.out, axis.on, of_whole[x]) !=
          component(a.out, axis.on, of_a[low]) +
              (component(b.out, axis.on, of_b[high]) << a.out.bits_on(axis.on)))
        return false;
  }
  return true;
}

constexpr char const* multiply_disagreement(linear_map const& a, linear_map const& b) {
  linear_map const whole = axe::multiply(a, b);
  if (axe::check(whole).which != axe::rule::none) return "multiply: no linear map";
  for (axe::linear_axis const& axis : whole.in.axes)
    if (axis.bits != a.in.bits_on(axis.on) + b.in.bits_on(axis.on)) return "multiply: its axes";
  if (!is_product_of(whole, a, b)) return "multiply";
  axe::outcome<linear_map> const right = axe::try_divide_left(whole, a);
  if (!right || !axe::equivalent(axe::multiply(a, right.value), whole)) return "divide_left of a product";
  axe::outcome<linear_map> const left = axe::try_divide_right(whole, b);
  if (!left || !axe::equivalent(axe::multiply(left.value, b), whole)) return "divide_right of a product";
  return nullptr;
}

/// Is `factor` a factor of `whole`? Every map on what is left of the axes is tried, bit by bit of the only candidate: what the whole does
/// beside the factor.
constexpr char const* divide_disagreement(linear_map const& whole, linear_map const& factor, bool from_left) {
  bool fits = true;
  axe::linear_axes in;
  axe::linear_axes out;
  for (axe::linear_axis const& f : factor.in.axes) fits = fits && f.bits <= whole.in.bits_on(f.on);
  for (axe::linear_axis const& f : factor.out.axes) fits = fits && f.bits <= whole.out.bits_on(f.on);
  for (axe::linear_axis const& w : whole.in.axes)
    if (w.bits > factor.in.bits_on(w.on)) in.axes.push({w.on, w.bits - factor.in.bits_on(w.on)});
  for (axe::linear_axis const& w : whole.out.axes)
    if (w.bits > factor.out.bits_on(w.on)) out.axes.push({w.on, w.bits - factor.out.bits_on(w.on)});
  axe::outcome<linear_map> const x =
      from_left ? axe::try_divide_left(whole, factor) : axe::try_divide_right(whole, factor);
  if (x) {
    if (!fits || !(x.value.in == in) || !(x.value.out == out)) return "divide: its axes";
    return is_product_of(whole, from_left ? factor : x.value, from_left ? x.value : factor) ? nullptr
                                                                                            : "divide";
  }
  if (!fits) return x.why.which == axe::rule::linear_factor_is_larger ? nullptr : "divide: another reason";
  linear_map candidate(in, out);
  int const entries = candidate.matrix.rows * (candidate.matrix.columns + 1);
  if (entries > 8) return nullptr;  // decided on smaller ones
  for (unsigned n = 0; n < 1u << entries; ++n) {
    unsigned rest = n;
    bit_word const all = (bit_word{1} << candidate.matrix.rows) - 1;
    for (int c = 0; c < candidate.matrix.columns; ++c, rest >>= candidate.matrix.rows)
      candidate.matrix.column[c] = rest & all;
    candidate.offset = rest;
    if (is_product_of(whole, from_left ? factor : candidate, from_left ? candidate : factor))
      return "divide: refused without need";
  }
  return nullptr;
}

constexpr char const* part_disagreement(linear_map const& m, axe::axis_list const& ins,
                                        axe::axis_list const& outs) {
  axe::outcome<linear_map> const p = axe::try_part(m, ins, outs);
  bool named = true;
  for (axe::axis a : ins) named = named && m.in.names(a);
  for (axe::axis a : outs) named = named && m.out.names(a);
  if (static_cast<bool>(p) != named) return "part: are the axes there?";
  if (!p) return nullptr;
  words const of_m = walk(m);
  words const of_p = walk(p.value);
  for (bit_word x = 0; x < of_p.size(); ++x) {
    bit_word whole = 0;
    renamed(p.value.in, x, m.in, whole);
    for (axe::axis a : outs)
      if (component(p.value.out, a, of_p[x]) != component(m.out, a, of_m[whole])) return "part";
  }
  bool zero = true;
  for (bit_word const y : of_m) zero = zero && y == 0;
  return axe::is_zero(m) == zero ? nullptr : "is_zero";
}

/// Does the map keep the axes' components, and do the other components not depend on them?
constexpr char const* quotient_disagreement(linear_map const& m, axe::axis_list const& kept) {
  words const of_m = walk(m);
  bool exists = true;
  for (axe::axis a : kept)
    exists = exists && (m.in.names(a) || m.out.names(a)) && m.in.bits_on(a) == m.out.bits_on(a);
  for (bit_word x = 0; exists && x < of_m.size(); ++x) {
    bit_word without = 0;  // the input with the kept components at 0
    bit_word unit = 1;
    for (axe::linear_axis const& axis : m.in.axes) {
      if (!axe::detail::holds_axis(kept, axis.on))
        without += unit * static_cast<bit_word>(component(m.in, axis.on, x));
      unit <<= axis.bits;
    }
    for (axe::linear_axis const& axis : m.out.axes) {
      oracle::number const here = component(m.out, axis.on, of_m[x]);
      exists = exists &&
               here == (axe::detail::holds_axis(kept, axis.on) ? component(m.in, axis.on, x)
                                                               : component(m.out, axis.on, of_m[without]));
    }
  }
  axe::outcome<linear_map> const q = axe::try_quotient(m, kept);
  if (static_cast<bool>(q) != exists) return q ? "quotient: there is none" : "quotient: refused without need";
  if (!q) return nullptr;
  words const of_q = walk(q.value);
  for (bit_word x = 0; x < of_q.size(); ++x) {
    bit_word whole = 0;
    renamed(q.value.in, x, m.in, whole);
    for (axe::linear_axis const& axis : q.value.out.axes)
      if (component(q.value.out, axis.on, of_q[x]) != component(m.out, axis.on, of_m[whole]))
        return "quotient";
  }
  return nullptr;
}

constexpr char const* equivalent_disagreement(linear_map const& a, linear_map const& b) {
  words const of_a = walk(a);
  words const of_b = walk(b);
  bool same = of_a.size() == of_b.size();
  for (axe::linear_axis const& axis : a.in.axes) same = same && b.in.bits_on(axis.on) == axis.bits;
  for (bit_word x = 0; same && x < of_a.size(); ++x) {
    bit_word there = 0;
    renamed(a.in, x, b.in, there);
    for (axe::linear_axes const* side : {&a.out, &b.out})
      for (axe::linear_axis const& axis : side->axes)
        same = same && component(a.out, axis.on, of_a[x]) == component(b.out, axis.on, of_b[there]);
  }
  if (axe::equivalent(a, b) != same) return same ? "one map is not equivalent" : "two maps are equivalent";
  return axe::equivalent(b, a) == same ? nullptr : "equivalent is not symmetric";
}

}  // namespace axe_test
