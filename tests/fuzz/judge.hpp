// Numbers the axes of a case, and converts values of the library to those of the oracle. The files
// judge*.cpp use it.
#pragma once

#include "fuzz/case.hpp"

namespace fuzz {

/// The axes of a case in a fixed order. m is first, because swizzles act on axis 0 of the oracle.
struct axis_numbers {
  std::vector<axe::axis> known;

  int of(axe::axis a) const {
    if (a == axe::axis::null) return oracle::nowhere;
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i] == a) return static_cast<int>(i);
    throw out_of_range();
  }
  void note(axe::axis a) {
    if (a != axe::axis::null && std::find(known.begin(), known.end(), a) == known.end())
      known.push_back(a);
    if (known.size() > axes) throw out_of_range();
  }
  explicit axis_numbers(test_case const& c) {
    bool const joined_of_three = c.what == op::rewrite && c.made_of.parts.size() > 2;
    if (!joined_of_three) note(axe::axis::m);
    for (axe::layout const* l : {&c.a, &c.b})
      for (axe::axis a : axe::axes_of(*l)) note(a);
    if (c.what == op::rewrite) {
      note(c.made_of.whole);
      for (axe::term const& t : c.made_of.parts) note(t.on);
    }
    if (c.what == op::pack || c.what == op::unpack || c.what == op::on_axis) note(c.on);
    for (axe::axis a : c.named) note(a);
  }

  layout plain(axe::layout const& l) const {
    layout out;
    for (axe::iter const& i : l.shards) out.d.push_back({i.extent, i.stride, of(i.on)});
    for (axe::iter const& i : l.replicas) out.r.push_back({i.extent, i.stride, of(i.on)});
    for (axe::term const& t : l.offsets) out.o.at(static_cast<std::size_t>(of(t.on))) = t.n;
    out.f = {l.swizzle.M, l.swizzle.B, l.swizzle.S};
    return out;
  }
  map operator()(axe::layout const& l) const { return map_of(plain(l)); }
};

inline axe::shape to_axe(shape const& s) {
  axe::shape out;
  for (number e : s) out.append(axe::tree(e));
  return out;
}

/// Judges windows, projections, owners and coverage (judge_places.cpp).
judgement judge_places(test_case const& c, axis_numbers const& in, axe::shape const& s);

/// Judges measures, the places of elements, and the elements at a place (judge_questions.cpp).
judgement judge_questions(test_case const& c, axis_numbers const& in, axe::shape const& s);

}  // namespace fuzz
