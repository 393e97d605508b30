// SPDX-License-Identifier: MIT
// Reads and prints layouts as CuTe prints them: shape:stride, or Sw<B,M,S> o offset o shape:stride.
//
//     "Sw<3,4,3> o 0 o (8,128):(128,1)"_cute         a mistake stops the build
//
// Also reads (_4,_2):(_1,_4), a shape without strides (compact), and a swizzle without offset. An
// offset without swizzle prints with Sw<0,0,1>.
#pragma once

#include <axe/construct/literal.hpp>
#include <axe/cute/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

AXE_FN constexpr bool read_number(reader& in, integer& n) {
  if (in.next() == '_') ++in.position;
  return in.read_integer(n, rule::expected_a_cute_layout);
}

AXE_FN constexpr bool read_swizzle(reader& in, layout& l) {
  if (!in.sees("Sw", '<')) return true;
  in.take_word("Sw");
  in.take('<');
  integer n[3]{};
  for (int k = 0; k < 3; ++k) {
    if (k > 0 && !in.require(',', rule::expected_a_cute_swizzle)) return false;
    if (!read_number(in, n[k])) return false;
    if (n[k] < -1000 || n[k] > 1000) return in.fail(rule::expected_a_cute_swizzle);
  }
  if (!in.require('>', rule::expected_a_cute_swizzle)) return false;
  if (!in.take_word("o")) return in.fail(rule::expected_the_composition_sign);
  if (n[0] != 0)
    l.map.swizzle = {static_cast<int>(n[1]), static_cast<int>(n[0]), static_cast<int>(n[2])};
  int const start = in.position;
  integer offset = 0;
  if (in.next() != '(' && read_number(in, offset) && in.take_word("o")) {
    l.set_offset(offset);
    return true;
  }
  in.position = start;
  in.refusal = {};
  return true;
}

}  // namespace detail

AXE_FN constexpr void print(auto& out, layout const& l) {
  if (!l.plain()) {
    axe::swizzle const f = l.swizzle();
    detail::print_all(out, "Sw<", f.B, ',', f.M, ',', f.none() ? 1 : f.S, "> o ", l.offset(),
                      " o ");
  }
  if (l.profile.empty()) return out.put("():()");
  print(out, shape_of(l));
  out.put(':');
  print(out, stride_of(l));
}

AXE_FN constexpr bool read(reader& in, layout& l) {
  l = {};
  if (!detail::read_swizzle(in, l)) return false;
  tree shape;
  if (!read(in, shape, rule::expected_a_cute_layout)) return false;
  if (in.take(':')) {
    tree stride;
    if (!read(in, stride, rule::expected_a_cute_layout)) return false;
    detail::pair_trees(l, shape, stride);
  } else {
    outcome<layout> const compact = try_make_layout(int_tuple(shape));
    if (!compact) return in.fail_with(compact.why);
    l = detail::swizzled_like(*compact, l.map);
  }
  if (refusal const bad = check(l)) return in.fail_with(bad);
  return true;
}

AXE_FN constexpr outcome<layout> try_parse(char const* characters, int length) {
  reader in{characters, length};
  layout l;
  if (read(in, l) && !in.at_end()) in.fail(rule::expected_the_end_of_a_cute_layout);
  if (in.refusal) return in.refusal;
  return l;
}
AXE_FN constexpr outcome<layout> try_parse(char const* characters) {
  return try_parse(characters, axe::detail::length_of(characters));
}
AXE_FN constexpr layout parse(char const* characters) {
  return detail::stop_on(try_parse(characters), "parse");
}

using axe::to_text;
using axe::operator<<;

namespace detail {

template <axe::detail::literal Text> struct read_literal {
  static constexpr outcome<layout> result = try_parse(Text.characters, Text.length);

  AXE_FN static constexpr refusal_text text() {
    refusal_text out;
    axe::detail::print_all(out, '"', Text.characters, "\": ");
    print(out, result.why, {});
    return out;
  }
};

}  // namespace detail

namespace literals {

template <axe::detail::literal Text> AXE_FN consteval layout operator""_cute() {
  using source = detail::read_literal<Text>;
  using stop [[maybe_unused]] = axe::detail::verdict<source>::stop;
  return source::result.value;
}

}  // namespace literals

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
