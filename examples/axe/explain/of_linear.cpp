// Makes statements about linear maps over F2, most of them about three inputs. R is the result.
//
//     linear.compose(A, B)      B(1@reg + 1@lane) = 3@m, A(3@m) = 2@m, R(1@reg + 1@lane) = 2@m
#include "explain/correspondence.hpp"
#include "explain/explain.hpp"

#include "text/sink.hpp"

#include <axe/linear.hpp>

namespace explain {

namespace {

using axe::linear_map;

point image_of(linear_map const& m, axe::place const& p) {
  axe::outcome<axe::place> const found = axe::try_apply(m, p);
  return found ? point_of(*found) : point{{axe::axis::null, -1}};
}
std::string word(point const& p) { return p.empty() ? "0" : text::printed(place_of(p)); }
std::string word(axe::place const& p) { return word(point_of(p)); }
std::string applied(char const* of, axe::place const& to, point const& is) {
  return of + ("(" + word(to) + ") = ") + word(is);
}

/// Three inputs of a map: the first, a middle one and the last.
std::vector<axe::place> inputs(axe::linear_axes const& side) {
  std::vector<axe::place> out;
  int const bits = side.bits();
  for (integer const x : three_of(integer{1} << std::min(bits, 40)))
    out.push_back(side.place_of(static_cast<axe::bit_word>(x)));
  return out;
}

/// The components of a place on the axes of one side of a map.
axe::place on_side(axe::place const& p, axe::linear_axes const& side) {
  axe::place out;
  for (axe::term const& t : p.terms)
    if (side.names(t.on)) out.add(t);
  return out;
}

/// Splits a place into low and high bits on each axis. `low` tells how many bits are low.
std::pair<axe::place, axe::place> split(axe::place const& p, axe::linear_axes const& low) {
  axe::place below, above;
  for (axe::term const& t : p.terms) {
    integer const size = integer{1} << low.bits_on(t.on);
    below.add({t.n % size, t.on});
    above.add({t.n / size, t.on});
  }
  return {below, above};
}

std::vector<statement> of_product(linear_map const& low, linear_map const& high,
                                  linear_map const& whole, char const* names[3]) {
  std::vector<statement> out;
  for (axe::place const& x : inputs(whole.in)) {
    auto const [below, above] = split(x, low.in);
    point const a = image_of(low, on_side(below, low.in)),
                b = image_of(high, on_side(above, high.in));
    point want = a;
    for (auto const& [on, n] : b) want[on] += n << low.out.bits_on(on);
    point const have = image_of(whole, x);
    out.push_back({"low bits: " + applied(names[0], on_side(below, low.in), a) +
                       ", high bits: " + applied(names[1], on_side(above, high.in), b) +
                       ", together: " + applied(names[2], x, have),
                   want == have});
  }
  return out;
}

/// States how R agrees with the maps from which it is computed. For an inverse, A(R(x)) = x.
std::vector<statement> of_map(arguments const& given, std::string_view name, linear_map const& r) {
  auto const a = given.get<linear_map>(0);
  std::vector<statement> out;
  char const* of_product_names[] = {"A", "B", "R"};
  char const* of_left_names[] = {"A", "R", "T"};
  char const* of_right_names[] = {"R", "A", "T"};
  if (name == "multiply") return of_product(a, given.get<linear_map>(1), r, of_product_names);
  if (name == "divide_left") return of_product(given.get<linear_map>(1), r, a, of_left_names);
  if (name == "divide_right") return of_product(r, given.get<linear_map>(1), a, of_right_names);
  bool const two = name == "compose" || name == "invert_and_compose";
  std::optional<linear_map> const b = two ? given.get<linear_map>(1) : std::optional<linear_map>();
  bool const of_inverse = name == "invert" || name == "pseudo_invert" || name == "preimage";
  for (axe::place const& x : inputs(name == "pseudo_invert" ? a.in : r.in)) {
    if (name == "pseudo_invert") {
      point const y = image_of(a, x), back = image_of(r, place_of(y));
      out.push_back({applied("A", x, y) + ", " + applied("R", place_of(y), back) + ", " +
                         applied("A", place_of(back), image_of(a, place_of(back))),
                     image_of(a, place_of(back)) == y});
      continue;
    }
    point const there = image_of(r, x);
    std::string const first = applied("R", x, there);
    axe::place const next = on_side(place_of(there), a.in);
    if (of_inverse) {
      point const again = image_of(a, next);
      out.push_back(
          {first + ", " + applied("A", next, again), again == point_of(on_side(x, a.out))});
    } else if (name == "kernel") {
      out.push_back({first + ", " + applied("A", next, image_of(a, next)),
                     image_of(a, next) == image_of(a, {})});
    } else if (name == "compose") {
      point const inner = image_of(*b, x);
      out.push_back(
          {applied("B", x, inner) + ", " +
               applied("A", place_of(inner), image_of(a, on_side(place_of(inner), a.in))) + ", " +
               first,
           image_of(a, on_side(place_of(inner), a.in)) == there});
    } else if (name == "invert_and_compose") {
      out.push_back({first + ", " + applied("A", next, image_of(a, next)) + ", " +
                         applied("B", x, image_of(*b, x)),
                     image_of(a, next) == image_of(*b, x)});
    } else {  // the operations part and quotient
      point whole = image_of(a, x);
      std::erase_if(whole, [&](auto const& t) { return !r.out.names(t.first); });
      out.push_back({applied("A", x, image_of(a, x)) + ", " + first, whole == there});
    }
  }
  return out;
}

std::vector<statement> of_layout(linear_map const& m, axe::layout const& l, extents const& shape) {
  std::vector<statement> out;
  for (integer const x : three_of(axe::size(l))) {
    extents const at = coordinate_of(x, shape);
    axe::place p;
    for (std::size_t d = 0; d < at.size(); ++d)
      if (axe::axis const on = axe::dimension_axis(static_cast<int>(d)); m.in.names(on))
        p.add({at[d], on});
    some_points const places = places_of(l, x);
    point const image = image_of(m, p);
    out.push_back(
        {"L" + words(at) + " = " + words(places, "many places") + ", " + applied("M", p, image),
         !places || places->count(image) == 1});
  }
  return out;
}

std::vector<statement> of_owner(linear_map const& m, axe::layout const& l, axe::shape const& s) {
  std::vector<statement> out;
  extents const shape = extents_of(s);
  for (integer const x : three_of(axe::size(l))) {
    extents const at = coordinate_of(x, shape);
    axe::place const p = axe::places(l, x).first();
    point const image = image_of(m, p);
    bool same = true;
    for (std::size_t d = 0; d < at.size(); ++d)
      same = same && component(image, axe::dimension_axis(static_cast<int>(d))) == at[d];
    out.push_back({"L" + words(at) + " has " + word(p) + ", " + applied("M", p, image), same});
  }
  return out;
}

/// States that the places of a layout are the images of a map. The first input axis is the slowest
/// digit.
std::vector<statement> of_to_layout(linear_map const& m, axe::layout const& l) {
  std::vector<statement> out;
  extents all;
  for (axe::linear_axis const& a : m.in.axes)
    if (a.on != axe::axes::replica) all.push_back(integer{1} << a.bits);
  if (product_of(all) != axe::size(l)) return out;
  for (integer const x : three_of(axe::size(l))) {
    extents const at = coordinate_of(x, all);
    axe::place p;
    std::size_t k = 0;
    for (axe::linear_axis const& a : m.in.axes)
      if (a.on != axe::axes::replica) p.add({at[k++], a.on});
    some_points const places = places_of(l, x);
    point const image = image_of(m, p);
    out.push_back({applied("A", p, image) + ", element " + std::to_string(x) + " is at " +
                       words(places, "many places"),
                   !places || places->count(image) == 1});
  }
  return out;
}

/// States the image of each bit of an input, and that their XOR is the answer.
std::vector<statement> of_apply(linear_map const& m, axe::place const& p,
                                axe::place const& answer) {
  axe::bit_word sum = m.offset;
  std::string words = m.offset == 0 ? "" : word(m.out.place_of(m.offset));
  std::vector<statement> out;
  for (int c = 0; c < m.in.bits(); ++c) {
    axe::term const bit = m.in.bit_at(c);
    if ((p[bit.on] & bit.n) == 0) continue;
    sum ^= m.matrix.column[c];
    words += (words.empty() ? "" : " ^ ") + word(m.out.place_of(m.matrix.column[c]));
    out.push_back(
        {text::printed(axe::place(bit)) + " gives " + word(m.out.place_of(m.matrix.column[c])),
         true});
  }
  out.push_back({words + " = " + word(answer), m.out.place_of(sum) == answer});
  return out;
}

std::vector<statement> of_rank(linear_map const& m, integer rank) {
  std::vector<statement> out;
  axe::bit_space seen;
  for (int c = 0; c < m.in.bits(); ++c) {
    bool const fresh = seen.add(m.matrix.column[c]);
    out.push_back({text::printed(axe::place(m.in.bit_at(c))) + " gives " +
                       word(m.out.place_of(m.matrix.column[c])) +
                       (fresh ? ", which is not an XOR of earlier images"
                              : ", which is an XOR of earlier images"),
                   true});
  }
  if (out.empty()) out.push_back({"there is no bit", true});
  out.back().holds = seen.dimension() == rank;
  return out;
}

}  // namespace

std::vector<statement> of_linear(calculator::recorded_call const& call) {
  using calculator::shared;
  arguments const given{call};
  if (!given.name().starts_with("linear")) return {};
  std::string_view const name = given.name() == "linear" ? "linear" : given.name().substr(7);
  auto const* r = std::get_if<shared<linear_map>>(&call.result);
  if (name == "linear" && given.is<axe::layout>(0))
    return of_layout(**r, given.layout(0), given.shape(1));
  if (name == "linear") {
    auto const f = given.get<axe::swizzle>(0);
    std::vector<statement> out;
    for (axe::place const& x : inputs((*r)->in))
      out.push_back({"f(" + word(x) + ") = " + std::to_string(f(x[axe::axis::m])) + ", " +
                         applied("M", x, image_of(**r, x)),
                     image_of(**r, x) == single(f(x[axe::axis::m]), axe::axis::m)});
    return out;
  }
  if (name == "owner") return of_owner(**r, given.layout(0), given.get<axe::shape>(1));
  auto const a = given.get<linear_map>(0);
  if (name == "layout") return of_to_layout(a, *given.result());
  if (name == "apply")
    return of_apply(a, given.get<axe::place>(1), *std::get_if<axe::place>(&call.result));
  if (name == "rank") return of_rank(a, *std::get_if<integer>(&call.result));
  if (name == "matrix" || name == "equivalent") {
    bool const same = name == "matrix" || *std::get_if<bool>(&call.result);
    linear_map const b = name == "matrix"
                             ? (*std::get_if<shared<calculator::matrix>>(&call.result))->of
                             : given.get<linear_map>(1);
    std::vector<statement> out;
    for (axe::place const& x : inputs(a.in)) {
      point const in_a = image_of(a, x), in_b = image_of(b, on_side(x, b.in));
      out.push_back({applied("A", x, in_a) + ", " + applied(name == "matrix" ? "M" : "B", x, in_b),
                     !same || in_a == in_b});
    }
    return out;
  }
  return r == nullptr ? std::vector<statement>() : of_map(given, name, **r);
}

}  // namespace explain
