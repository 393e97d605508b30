// Explains CuTe's compositions, divides and products, element by element.
//
//     logical_divide(A, B), element 5      t = 1, r = 2: A(B(1) + B*(2)), B* the complement of B
//     logical_product(A, B), element 5     a = 1, b = 1: A(1) + A*(B(1)), A* the complement of A
#include "explain/correspondence.hpp"

#include <axe/cute.hpp>

#include <algorithm>
#include <array>

namespace explain {

namespace {

namespace cute = axe::cute;

/// A mode of A and its tiler `by`.
struct part {
  cute::layout mode, by;
  cute::layout rest;   // in a divide the complement of `by`, in a product that of the mode
  bool tiled = true;   // false if the mode has no tiler
  integer weight = 1;  // the elements of A in one step of the mode
  integer of_by = 1;   // the elements of B in one step of `by`
};

/// A digit of the result's element numbers. It belongs to one half of parts[of].
struct slot {
  std::size_t of;
  int half;  // 0: the element in a tile or block; 1: the tile or block
};

integer at(cute::layout const& l, integer i) { return cute::detail::address_at(l.map, i); }

void add_parts(std::vector<part>& out, cute::layout const& a, integer weight,
               cute::tiler const& by) {
  if (!by.by_mode()) return out.push_back({a, by.as_layout, {}, true, weight, 1});
  for (int k = 0; k < cute::rank(a); ++k) {
    cute::layout const mode = cute::detail::plain_mode(a, k);
    if (k < by.modes())
      add_parts(out, mode, weight, by[k]);
    else
      out.push_back({mode, {}, {}, false, weight, 1});
    weight *= cute::detail::size_of(mode);
  }
}

struct tiled {
  cute::layout a;
  std::optional<cute::layout> b;  // set if B is one layout, not one for each mode
  std::vector<part> parts;
  std::vector<slot> order;
  bool product = false;

  integer extent(slot const& s) const {
    part const& p = parts[s.of];
    if (!p.tiled) return cute::detail::size_of(p.mode);
    bool const of_tiler = product ? s.half == 1 : s.half == 0;
    return cute::detail::size_of(of_tiler ? p.by : product ? p.mode : p.rest);
  }
  extents all() const {
    extents out;
    for (slot const& s : order) out.push_back(extent(s));
    return out;
  }
  /// The digits of element x, as digits[part][half].
  std::vector<std::array<integer, 2>> digits(integer x) const {
    std::vector<std::array<integer, 2>> out(parts.size());
    for (slot const& s : order) {
      integer const e = extent(s);
      out[s.of][static_cast<std::size_t>(s.half)] = x % e;
      x /= e;
    }
    return out;
  }
  integer in_a(integer x) const {
    auto const d = digits(x);
    integer element = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      part const& p = parts[k];
      bool const plain = product || !p.tiled;
      element += p.weight * (plain ? d[k][0] : at(p.by, d[k][0]) + at(p.rest, d[k][1]));
    }
    return element;
  }
  integer in_b(integer x) const {
    auto const d = digits(x);
    integer element = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) element += parts[k].of_by * d[k][1];
    return element;
  }
  /// In a product, the distance by which B moves the block for element x.
  integer moved(integer x) const {
    auto const d = digits(x);
    integer sum = 0;
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (parts[k].tiled) sum += at(parts[k].rest, at(parts[k].by, d[k][1]));
    return sum;
  }
};

/// Orders the digits: both halves of each part in turn, or one half of all parts before the other.
/// `first` is the half that comes first.
void order_slots(tiled& t, bool in_turn, int first = 0) {
  for (std::size_t k = 0; k < t.parts.size(); ++k) {
    if (in_turn || t.parts[k].tiled) t.order.push_back({k, t.parts[k].tiled ? first : 0});
    if (in_turn && t.parts[k].tiled) t.order.push_back({k, 1 - first});
  }
  for (std::size_t k = 0; k < t.parts.size() && !in_turn; ++k)
    t.order.push_back({k, t.parts[k].tiled ? 1 : 0});
}

correspondence written(tiled const& t, std::optional<axe::layout> const& result) {
  correspondence c;
  extents const all = t.all();
  c.result = result;
  c.shape = {product_of(all)};
  c.operands = {{"A", t.a.map, {cute::detail::size_of(t.a)}, [t](integer x) { return t.in_a(x); }}};
  if (t.b && t.product)
    c.operands.push_back(
        {"B", t.b->map, {cute::detail::size_of(*t.b)}, [t](integer x) { return t.in_b(x); }});
  c.by_definition = [t](integer x) {
    integer const a = t.in_a(x);
    if (!t.product) {
      std::string numbers;
      auto const d = t.digits(x);
      for (std::size_t k = 0; k < t.parts.size(); ++k) {
        part const& p = t.parts[k];
        std::string const weight = p.weight == 1 ? "" : std::to_string(p.weight) + "*";
        numbers += (k == 0 ? "" : " + ") + weight;
        if (!p.tiled) {
          numbers += std::to_string(d[k][0]);
          continue;
        }
        numbers += "(B(" + std::to_string(d[k][0]) + ") = " + std::to_string(at(p.by, d[k][0]));
        if (!p.rest.profile.empty())
          numbers +=
              ", B*(" + std::to_string(d[k][1]) + ") = " + std::to_string(at(p.rest, d[k][1]));
        numbers += ")";
      }
      return computed{"A(" + std::to_string(a) + "), from " + numbers, places_of(t.a.map, a)};
    }
    axe::layout plain = t.a.map;
    plain.swizzle = {};
    some_points const block = places_of(plain, a);
    integer const far = t.moved(x);
    std::string const of_b = t.b ? "B(" + std::to_string(t.in_b(x)) + ")" : "B";
    return computed{"A(" + std::to_string(a) + ") + A*(" + of_b + ") = " + words(block, "A") +
                        " + " + std::to_string(far) + (t.a.swizzle().none() ? "" : ", swizzled"),
                    each(block, [&](point const& p) {
                      integer const sum = component(p, axe::axis::m) + far;
                      return single(t.a.swizzle()(sum), axe::axis::m);
                    })};
  };
  return c;
}

/// Sets `out` to the complement of the block, long enough for the repetitions `by`. False if there
/// is none.
bool make_room(cute::layout block, cute::layout const& by, cute::layout& out) {
  block.map.swizzle = {};
  axe::outcome<integer> const reach = cute::try_cosize(cute::detail::without_idle_swizzle(by));
  if (!reach) return false;
  axe::outcome<cute::layout> const room = cute::detail::complement_with(block, *reach, {});
  if (room) out = *room;
  return static_cast<bool>(room);
}

std::optional<correspondence> divided(arguments const& given, cute::tiler const& by, bool in_turn,
                                      bool rests) {
  tiled t{given.cute(0), {}, {}, {}, false};
  add_parts(t.parts, t.a, 1, by);
  for (part& p : t.parts) {
    if (!p.tiled || !rests) continue;
    axe::outcome<cute::layout> const rest = cute::try_complement(
        cute::detail::without_idle_swizzle(p.by), cute::detail::size_of(p.mode));
    if (!rest) return {};
    p.rest = *rest;
  }
  if (!rests) {  // a composition has no rests, and drops modes that have no tiler
    for (part& p : t.parts) p.rest = {};
    std::erase_if(t.parts, [](part const& p) { return !p.tiled; });
    for (std::size_t k = 0; k < t.parts.size(); ++k) t.order.push_back({k, 0});
  } else {
    order_slots(t, in_turn);
  }
  correspondence c = written(t, given.result());
  integer const size = cute::detail::size_of(t.a);
  for (integer x = 0; x < std::min<integer>(c.size(), 4096); ++x)
    if (integer const from = t.in_a(x); from < 0 || from >= size) return {};
  return c;
}

std::optional<correspondence> multiplied(arguments const& given, cute::tiler const& by,
                                         bool in_turn) {
  tiled t{given.cute(0), {}, {}, {}, true};
  if (!by.by_mode()) t.b = by.as_layout;
  add_parts(t.parts, t.a, 1, by);
  for (part& p : t.parts)
    if (p.tiled && !make_room(by.by_mode() ? p.mode : t.a, p.by, p.rest)) return {};
  order_slots(t, in_turn);
  return written(t, given.result());
}

/// The correspondence of blocked_product and raked_product, which pair modes of the block and the
/// tiler.
std::optional<correspondence> paired(cute::layout const& block, cute::layout const& tiler,
                                     int first, std::optional<axe::layout> const& result) {
  int const modes = std::max(cute::rank(block), cute::rank(tiler));
  cute::layout const a = cute::detail::padded(block, modes);
  cute::layout const b = cute::detail::padded(tiler, modes);
  cute::layout room;
  if (!make_room(a, b, room)) return {};
  tiled t{a, b, {}, {}, true};
  integer of_a = 1, of_b = 1;
  for (int k = 0; k < modes; ++k) {
    part p{cute::mode(a, k), cute::mode(b, k), {}, true, of_a, of_b};
    of_a *= cute::detail::size_of(p.mode);
    of_b *= cute::detail::size_of(p.by);
    t.parts.push_back(p);
  }
  order_slots(t, true, first);
  // The complement is that of the whole block, so it is applied once, to the sum of the places of
  // B's modes.
  correspondence c = written(t, result);
  c.by_definition = [t, room](integer x) {
    integer const far = at(room, at(*t.b, t.in_b(x)));
    axe::layout plain = t.a.map;
    plain.swizzle = {};
    some_points const inside = places_of(plain, t.in_a(x));
    return computed{"A(" + std::to_string(t.in_a(x)) + ") + A*(B(" + std::to_string(t.in_b(x)) +
                        ")) = " + words(inside, "A") + " + " + std::to_string(far) +
                        (t.a.swizzle().none() ? "" : ", swizzled"),
                    each(inside, [&](point const& p) {
                      return single(t.a.swizzle()(component(p, axe::axis::m) + far), axe::axis::m);
                    })};
  };
  return c;
}

std::optional<correspondence> repeated(arguments const& given) {
  cute::layout const block = given.cute(0);
  axe::outcome<cute::layout> const whole = cute::try_make_layout(given.get<cute::int_tuple>(1));
  if (!whole || cute::rank(block) > cute::rank(*whole)) return {};
  cute::layout const full = cute::detail::padded(block, cute::rank(*whole));
  axe::list<integer, 48> repeats, ranks;
  for (int k = 0; k < cute::rank(*whole); ++k) {
    integer const have = cute::detail::size_of(cute::mode(full, k));
    integer const wanted = cute::detail::size_of(cute::mode(*whole, k));
    if (wanted % have != 0) return {};
    repeats.push(wanted / have);
    ranks.push(k);
  }
  if (given.count() > 2) {
    ranks.clear();
    cute::int_tuple const order = given.get<cute::int_tuple>(2);
    for (int k = 0; k < order.nodes.count; ++k)
      if (order.nodes.is_integer(k)) ranks.push(order.nodes.value(k));
  }
  if (ranks.size() != repeats.size()) return {};
  return paired(full, cute::detail::ordered(repeats, ranks), 0, given.result());
}

}  // namespace

std::optional<correspondence> of_cute_modes(arguments const& given) {
  std::string_view const name = given.name();
  if (!name.starts_with("cute.")) return {};
  std::string_view const own = name.substr(5);
  if (own == "tile_to_shape") return repeated(given);
  if (own == "blocked_product" || own == "raked_product")
    return paired(given.cute(0), given.cute(1), own[0] == 'b' ? 0 : 1, given.result());
  bool const divides = own.ends_with("divide"), multiplies = own.ends_with("product");
  if (!divides && !multiplies && own != "composition") return {};
  cute::tiler const by = given.get<cute::tiler>(1);
  if (own == "composition") return divided(given, by, true, false);
  bool const in_turn = own.starts_with("logical");
  return divides ? divided(given, by, in_turn, true) : multiplied(given, by, in_turn);
}

}  // namespace explain
