// An oracle for operations on linear maps, which tries all inputs and outputs. It includes no
// header of the library.
//
//     composed(A, B)             A(B(x)) for every x, or nothing if A has no input B(x)
//     is_product_of(W, A, B)     on every axis W(a + b) = A(a) + B(b), A's bits below B's
#pragma once

#include "linear/walk.hpp"

namespace oracle {

constexpr images_or_none composed(bit_map const& a, bit_map const& b) {
  words const of_a = walk(a);
  words images;
  for (word const y : walk(b)) {
    word x = 0;
    if (!renamed(b.out, y, a.in, x)) return {};
    images.push_back(of_a[x]);
  }
  return {true, images};
}

/// The inputs of each output of a map. Outputs are indices into `least` and `members`.
struct inputs_of {
  words least;                 // the smallest input of each output, or `inputs` if it has none
  word inputs = 0;             // the number of inputs
  word reached = 0;            // the number of outputs that have an input
  words zeros;                 // the inputs with the same image as input 0
  std::vector<words> members;  // all inputs of each output
};
constexpr inputs_of backward(bit_map const& map) {
  words const images = walk(map);
  inputs_of found;
  found.inputs = images.size();
  found.members.resize(std::size_t{1} << bits_of(map.out));
  for (word x = 0; x < images.size(); ++x) {
    found.members[images[x]].push_back(x);
    if (images[x] == map.offset) found.zeros.push_back(x);
  }
  for (words const& inputs : found.members) {
    found.least.push_back(inputs.empty() ? found.inputs : inputs[0]);
    found.reached += inputs.empty() ? 0u : 1u;
  }
  return found;
}

/// For each x the nearest y with A(y) = B(x), which has the least y ^ x on A's input axes.
constexpr images_or_none nearest(bit_map const& a, bit_map const& b) {
  words const of_a = walk(a);
  words const of_b = walk(b);
  words images;
  for (word x = 0; x < of_b.size(); ++x) {
    word const itself = assembled(a.in, [&](int on) { return component(b.in, on, x); });
    word best = of_a.size();
    word wanted = 0;
    if (renamed(b.out, of_b[x], a.out, wanted))
      for (word y = 0; y < of_a.size(); ++y)
        if (of_a[y] == wanted && (best == of_a.size() || (y ^ itself) < (best ^ itself))) best = y;
    if (best == of_a.size()) return {};
    images.push_back(best);
  }
  return {true, images};
}

/// True if whole(a + b) has on every axis the bits of A(a), and above them those of B(b).
constexpr bool is_product_of(bit_map const& whole, bit_map const& a, bit_map const& b) {
  words const of_a = walk(a);
  words const of_b = walk(b);
  words const of_whole = walk(whole);
  for (word x = 0; x < of_whole.size(); ++x) {
    word const low = assembled(a.in, [&](int on) { return component(whole.in, on, x); });
    word const high =
        assembled(b.in, [&](int on) { return component(whole.in, on, x) >> bits_on(a.in, on); });
    for (bit_axis const& axis : whole.out)
      if (component(whole.out, axis.on, of_whole[x]) !=
          component(a.out, axis.on, of_a[low]) +
              (component(b.out, axis.on, of_b[high]) << bits_on(a.out, axis.on)))
        return false;
  }
  return true;
}

constexpr bool fits(bit_axes const& factor, bit_axes const& whole) {
  for (bit_axis const& f : factor)
    if (f.bits > bits_on(whole, f.on)) return false;
  return true;
}
/// The axes of `whole` without the bits that `factor` has. Axes without bits are left out.
constexpr bit_axes beside(bit_axes const& whole, bit_axes const& factor) {
  bit_axes rest;
  for (bit_axis const& w : whole)
    if (w.bits > bits_on(factor, w.on)) rest.push_back({w.on, w.bits - bits_on(factor, w.on)});
  return rest;
}

enum class factor_found { no, yes, too_many_to_try };

/// True if `whole` is a product with the factor on this side. Tries every other factor, entry by
/// entry.
constexpr factor_found is_factor(bit_map const& whole, bit_map const& factor, bool from_left) {
  bit_map candidate{beside(whole.in, factor.in), beside(whole.out, factor.out), {}, 0};
  int const rows = bits_of(candidate.out);
  int const columns = bits_of(candidate.in);
  if (rows * (columns + 1) > 8) return factor_found::too_many_to_try;
  for (word n = 0; n < word{1} << (rows * (columns + 1)); ++n) {
    candidate.rows.clear();
    for (int r = 0; r < rows; ++r)
      candidate.rows.push_back((n >> (r * columns)) & ((word{1} << columns) - 1));
    candidate.offset = n >> (rows * columns);
    if (from_left ? is_product_of(whole, factor, candidate)
                  : is_product_of(whole, candidate, factor))
      return factor_found::yes;
  }
  return factor_found::no;
}

/// True if the part has the components of the whole on these output axes, for inputs that are 0 on
/// all axes that the part does not name.
constexpr bool agrees_on(bit_map const& part, bit_map const& whole, std::vector<int> const& outs) {
  words const of_part = walk(part);
  words const of_whole = walk(whole);
  for (word x = 0; x < of_part.size(); ++x) {
    word there = 0;
    if (!renamed(part.in, x, whole.in, there)) return false;
    for (int on : outs)
      if (component(part.out, on, of_part[x]) != component(whole.out, on, of_whole[there]))
        return false;
  }
  return true;
}

/// True if the map keeps the components on these axes, and no other component depends on them.
constexpr bool keeps(bit_map const& map, std::vector<int> const& kept) {
  auto const is_kept = [&](int on) {
    return std::find(kept.begin(), kept.end(), on) != kept.end();
  };
  for (int on : kept)
    if ((!names(map.in, on) && !names(map.out, on)) || bits_on(map.in, on) != bits_on(map.out, on))
      return false;
  words const images = walk(map);
  for (word x = 0; x < images.size(); ++x) {
    word const without =
        assembled(map.in, [&](int on) { return is_kept(on) ? 0 : component(map.in, on, x); });
    for (bit_axis const& axis : map.out) {
      number const here = component(map.out, axis.on, images[x]);
      if (here != (is_kept(axis.on) ? component(map.in, axis.on, x)
                                    : component(map.out, axis.on, images[without])))
        return false;
    }
  }
  return true;
}

/// True if two maps have the same components, whatever the order of their axes.
constexpr bool same_map(bit_map const& a, bit_map const& b) {
  words const of_a = walk(a);
  words const of_b = walk(b);
  if (of_a.size() != of_b.size()) return false;
  for (bit_axis const& axis : a.in)
    if (bits_on(b.in, axis.on) != axis.bits) return false;
  for (word x = 0; x < of_a.size(); ++x) {
    word there = 0;
    renamed(a.in, x, b.in, there);
    for (bit_axes const* side : {&a.out, &b.out})
      for (bit_axis const& axis : *side)
        if (component(a.out, axis.on, of_a[x]) != component(b.out, axis.on, of_b[there]))
          return false;
  }
  return true;
}

}  // namespace oracle
