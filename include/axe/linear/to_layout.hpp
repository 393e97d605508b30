// SPDX-License-Identifier: MIT
// to_layout(M): a linear map as a layout in canonical form. `replica` becomes R.
//
//     {dim0: 1 -> (5), 2 -> (10); dim1: 1 -> (1), 2 -> (2)} to (m: 16)
//         swizzle(M=0,B=2,S=2) o S[16:1]
#pragma once

#include <axe/linear/from_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Element bit i XORs step[i] to a place. Steps of the replicas follow, one for each basis vector.
struct step_form {
  bit_word start = 0;
  bit_word step[64]{};
  int column[64]{};  // in M; replicas have the first column of `replica`
  int element_steps = 0;
  int count = 0;
  bit_word contested = 0;  // bits that two steps change
};

/// `form` gets M's steps before the swizzle f. False if two steps change one bit. Unless f is the
/// identity, `form` is then incomplete.
AXE_FN constexpr bool steps_of(linear_map const& m, axe::swizzle const& f, step_form& form) {
  element_bits const bits(m.in);
  int const first_replica = m.in.first_bit(axes::replica);
  bit_space replicas;
  for (int k = 0; k < m.in.bits_on(axes::replica); ++k)
    replicas.add(undo(f, m.matrix.column[first_replica + k]));
  bit_word changed = 0;
  auto const add = [&](int column, bit_word change) {
    form.column[form.count] = column;
    form.step[form.count++] = change;
    form.contested |= changed & change;
    changed |= change;
    return form.contested == 0 || f.none();
  };
  for (int i = 0; i < bits.count; ++i)
    if (!add(bits.of[i], replicas.remainder(undo(f, m.matrix.column[bits.of[i]])))) return false;
  form.element_steps = form.count;
  for (bit_word left = replicas.leading; left != 0; left &= left - 1)
    if (!add(first_replica, replicas.with_leading[lowest_bit(left)])) return false;
  form.start = replicas.remainder(undo(f, m.offset));
  return form.contested == 0;
}

/// Finds a swizzle that separates the steps. Without replicas it must change all contested bits.
AXE_FN constexpr bool undo_swizzle(linear_map const& m, step_form& form, int bits,
                                   axe::swizzle& found) {
  bool const replicated = form.count > form.element_steps;
  int const low = replicated ? bits : lowest_bit(form.contested);
  int const high = replicated ? 0 : highest_bit(form.contested);
  for (int b = high > low ? high - low + 1 : 1; b < bits; ++b)
    for (int s = 1; s + b <= bits; ++s)
      for (int chunk = 0; chunk + s + b <= bits; ++chunk)
        for (int sign = 1; sign >= -1; sign -= 2) {
          int const lowest_changed = sign > 0 ? chunk : chunk + s;
          if (lowest_changed > low || lowest_changed + b <= high) continue;
          step_form undone;
          axe::swizzle const f{chunk, b, sign * s};
          if (!steps_of(m, f, undone)) continue;
          form = undone;
          found = f;
          return true;
        }
  return false;
}

/// `step` gets the distance from `start` to start ^ change. False if `change` is on two axes.
AXE_FN constexpr bool step_on_one_axis(linear_axes const& out, bit_word start, bit_word change,
                                       term& step) {
  step = {};
  for (linear_axis const& a : out.axes) {
    if (out.on(a.on, change) == 0) continue;
    if (step.n != 0) return false;
    step = {static_cast<integer>(out.on(a.on, start ^ change)) -
                static_cast<integer>(out.on(a.on, start)),
            a.on};
  }
  return true;
}

/// Finds the steps of M, and a swizzle f if two steps change one bit without it.
AXE_FN constexpr refusal separate(linear_map const& m, step_form& form, axe::swizzle& f) {
  if (steps_of(m, {}, form)) return {};
  bool memory_alone = true;
  for (linear_axis const& a : m.out.axes)
    memory_alone = memory_alone && (a.on == axis::m || a.bits == 0);
  if (memory_alone && undo_swizzle(m, form, static_cast<int>(smaller(m.out.bits(), 48)), f))
    return {};
  int one = 0, two = 0;  // `two` becomes the first step that shares a bit with an earlier one
  while (one == two || (form.step[one] & form.step[two]) == 0) {
    if (++one < two) continue;
    one = 0;
    ++two;
  }
  term const first = m.in.bit_at(form.column[one]);
  term const second = m.in.bit_at(form.column[two]);
  return {rule::linear_overlap, {first.n, second.n}, {first.on, second.on}};
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_to_layout(linear_map const& m) {
  using namespace detail;
  if (refusal const bad = check(m)) return bad;
  step_form form;
  layout l;
  if (refusal const bad = separate(m, form, l.swizzle)) return bad;
  linear_axes out = m.out;
  if (!l.swizzle.none()) out = linear_axes({{axis::m, 62}});
  digit_builder digits, replicas;
  for (int i = form.count - 1; i >= 0; --i) {
    term step;
    if (!step_on_one_axis(out, form.start, form.step[i], step)) {
      term const at = m.in.bit_at(form.column[i]);
      return refusal{rule::linear_two_axes, {at.n}, {at.on, step.on}};
    }
    (i < form.element_steps ? digits : replicas).push({2, step.n, step.on});
  }
  for (iter const& r : replicas.done)
    if (!l.replicas.push(r)) return refusal{rule::too_many_replicas};
  if (refusal const bad = digits.finish(l.shards)) return bad;
  for (linear_axis const& a : out.axes) {
    integer const at = static_cast<integer>(out.on(a.on, form.start));
    if (at != 0 && !l.offsets.push({at, a.on})) return refusal{rule::too_many_offsets};
  }
  order_offsets(l);
  return try_canonicalize(l);
}
AXE_FN constexpr layout to_layout(linear_map const& m) {
  return detail::stop_on(try_to_layout(m), "linear.to_layout");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
