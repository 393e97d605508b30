// Compares each operation on linear maps with a table of all inputs (linear/expected.hpp). The
// functions return null or name the operation that is wrong.
#pragma once

#include "linear/expected.hpp"
#include "linear/random_maps.hpp"

#include <axe/linear/compose_maps.hpp>
#include <axe/linear/divide.hpp>
#include <axe/linear/invert.hpp>

namespace axe_test {

/// True if the result has these images and these axes on both sides.
constexpr bool has_images(linear_map const& m, axe::linear_axes const& in,
                          axe::linear_axes const& out, oracle::words const& images) {
  return axe::check(m).which == axe::rule::none && m.in == in && m.out == out &&
         walk(to_oracle(m)) == images;
}

constexpr char const* compose_disagreement(linear_map const& a, linear_map const& b) {
  oracle::images_or_none const expected = composed(to_oracle(a), to_oracle(b));
  axe::outcome<linear_map> const c = axe::try_compose(a, b);
  if (static_cast<bool>(c) != expected.exists)
    return c ? "compose: B leaves A" : "compose: a legal case is rejected";
  if (!c)
    return c.why.which == axe::rule::linear_inner_leaves ? nullptr : "compose: another reason";
  return has_images(c.value, b.in, a.out, expected.images) ? nullptr : "compose";
}

constexpr char const* preimage_disagreement(linear_map const& m, oracle::inputs_of const& of) {
  axe::outcome<linear_map> const all = axe::try_preimage(m);
  bool const onto = of.reached == of.least.size();
  if (static_cast<bool>(all) != onto) return "preimage: wrong about being onto";
  if (!all) {  // flipping the named bits of a reached output gives an unreached one
    axe::term const alone{all.why.numbers[0], all.why.axes[0]};
    oracle::word flip = 0;
    renamed({{bit_axis_number(alone.on), 62}}, static_cast<oracle::word>(alone.n), to_oracle(m.out),
            flip);
    for (oracle::word y = 0; y < of.least.size(); ++y)
      if (of.least[y] < of.inputs && of.least[y ^ flip] < of.inputs)
        return "preimage: the witness is wrong";
    return nullptr;
  }
  oracle::words const members = walk(to_oracle(all.value));
  std::vector<oracle::words> found(of.least.size());
  for (oracle::word x = 0; x < members.size(); ++x) found[x % found.size()].push_back(members[x]);
  for (oracle::words& inputs : found) std::sort(inputs.begin(), inputs.end());
  return found == of.members ? nullptr : "preimage";
}

constexpr char const* backward_disagreement(linear_map const& m) {
  oracle::inputs_of const of = backward(to_oracle(m));
  if (oracle::word{1} << axe::rank(m) != of.reached) return "rank";
  linear_map const k = axe::kernel(m);
  oracle::words spanned = walk(to_oracle(k));
  std::sort(spanned.begin(), spanned.end());
  if (spanned != of.zeros || !(k.out == m.in)) return "kernel";
  linear_map const p = axe::pseudo_invert(m);
  oracle::words const back = walk(to_oracle(p));
  if (!(p.in == m.out) || !(p.out == m.in)) return "pseudo_invert: wrong axes";
  for (oracle::word y = 0; y < of.least.size(); ++y)
    if (of.least[y] < of.inputs && back[y] != of.least[y])
      return "pseudo_invert is not the least input";
  axe::outcome<linear_map> const inverse = axe::try_invert(m);
  bool const exists = of.reached == of.least.size() && of.zeros.size() == 1;
  if (static_cast<bool>(inverse) != exists)
    return "invert: wrong about the existence of an inverse";
  if (inverse && !has_images(inverse.value, m.out, m.in, of.least)) return "invert";
  return preimage_disagreement(m, of);
}

constexpr char const* invert_and_compose_disagreement(linear_map const& a, linear_map const& b) {
  oracle::images_or_none const expected = nearest(to_oracle(a), to_oracle(b));
  axe::outcome<linear_map> const c = axe::try_invert_and_compose(a, b);
  if (static_cast<bool>(c) != expected.exists)
    return c ? "invert_and_compose: a result that does not exist"
             : "invert_and_compose: a legal case is rejected";
  return !c || has_images(c.value, b.in, a.in, expected.images)
             ? nullptr
             : "invert_and_compose: not the nearest replica";
}

constexpr char const* multiply_disagreement(linear_map const& a, linear_map const& b) {
  linear_map const whole = axe::multiply(a, b);
  if (axe::check(whole).which != axe::rule::none) return "multiply: not a linear map";
  for (axe::linear_axis const& axis : whole.in.axes)
    if (axis.bits != a.in.bits_on(axis.on) + b.in.bits_on(axis.on)) return "multiply: wrong axes";
  if (!is_product_of(to_oracle(whole), to_oracle(a), to_oracle(b))) return "multiply";
  axe::outcome<linear_map> const right = axe::try_divide_left(whole, a);
  if (!right || !axe::equivalent(axe::multiply(a, right.value), whole))
    return "divide_left of a product is not the factor";
  axe::outcome<linear_map> const left = axe::try_divide_right(whole, b);
  if (!left || !axe::equivalent(axe::multiply(left.value, b), whole))
    return "divide_right of a product is not the factor";
  return nullptr;
}

constexpr char const* divide_disagreement(linear_map const& whole, linear_map const& factor,
                                          bool from_left) {
  oracle::bit_map const w = to_oracle(whole);
  oracle::bit_map const f = to_oracle(factor);
  bool const fits = oracle::fits(f.in, w.in) && oracle::fits(f.out, w.out);
  axe::outcome<linear_map> const x =
      from_left ? axe::try_divide_left(whole, factor) : axe::try_divide_right(whole, factor);
  if (x) {
    oracle::bit_map const found = to_oracle(x.value);
    if (!fits || found.in != beside(w.in, f.in) || found.out != beside(w.out, f.out))
      return "divide: wrong axes";
    return is_product_of(w, from_left ? f : found, from_left ? found : f) ? nullptr : "divide";
  }
  if (!fits)
    return x.why.which == axe::rule::linear_factor_is_larger ? nullptr : "divide: another reason";
  return is_factor(w, f, from_left) == oracle::factor_found::yes
             ? "divide: a legal case is rejected"
             : nullptr;
}

constexpr char const* part_disagreement(linear_map const& m, axe::axis_list const& ins,
                                        axe::axis_list const& outs) {
  axe::outcome<linear_map> const p = axe::try_part(m, ins, outs);
  bool named = true;
  for (axe::axis a : ins) named = named && m.in.names(a);
  for (axe::axis a : outs) named = named && m.out.names(a);
  if (static_cast<bool>(p) != named) return "part: wrong about the existence of the axes";
  if (!p) return nullptr;
  return agrees_on(to_oracle(p.value), to_oracle(m), to_oracle(outs)) ? nullptr : "part";
}

constexpr char const* quotient_disagreement(linear_map const& m, axe::axis_list const& kept) {
  bool const exists = keeps(to_oracle(m), to_oracle(kept));
  axe::outcome<linear_map> const q = axe::try_quotient(m, kept);
  if (static_cast<bool>(q) != exists)
    return q ? "quotient: a result that does not exist" : "quotient: a legal case is rejected";
  if (!q) return nullptr;
  std::vector<int> outs;
  for (axe::linear_axis const& axis : q.value.out.axes) outs.push_back(bit_axis_number(axis.on));
  return agrees_on(to_oracle(q.value), to_oracle(m), outs) ? nullptr : "quotient";
}

constexpr char const* equivalent_disagreement(linear_map const& a, linear_map const& b) {
  bool const same = same_map(to_oracle(a), to_oracle(b));
  if (axe::equivalent(a, b) != same)
    return same ? "equal maps are not equivalent" : "different maps are equivalent";
  return axe::equivalent(b, a) == same ? nullptr : "equivalent is not symmetric";
}

}  // namespace axe_test
