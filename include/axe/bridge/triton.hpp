// SPDX-License-Identifier: MIT
// Reads Triton's encodings as layouts, and writes layouts as #ttg.linear and #ttg.shared_linear.
//
//     parse_triton("tensor<4x2xf16, #ttg.linear<…>>")                 S[(4,2):(1@lane,1@reg)]
//
// Triton's register, lane, warp, block and offset are the axes reg, lane, warp, cta_x and m.
// docs/cli.md lists the encodings.
#pragma once

#include <axe/bridge/triton/encoding_map.hpp>
#include <axe/bridge/triton/linear_text.hpp>
#include <axe/linear/invert.hpp>
#include <axe/linear/to_layout.hpp>
#include <axe/notation/read.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `owners` maps places to elements.
struct triton_tensor {
  shape extents;
  linear_map owners;
};

/// Rejects maps that no layout has, such as a swizzle over CTAs.
AXE_FN constexpr outcome<layout> try_to_layout(triton_tensor const& t) {
  outcome<linear_map> const all = try_preimage(t.owners);
  if (all.why) return all.why;
  return try_to_layout(all.value);
}

namespace detail::triton {

AXE_FN constexpr void skip_to_separator(reader& in) {
  for (int open = 0; in.position < in.length; ++in.position) {
    char const c = in.characters[in.position];
    open += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (open < 0 || (open == 0 && c == ',')) break;
  }
}

AXE_FN constexpr bool read_tensor_type(reader& in, numbers& extents) {
  extents.clear();
  for (char c = in.next(); is_digit(c) || c == '?' || c == '*' || c == '-'; c = in.next()) {
    integer n = 0;
    if (!in.read_extent(n)) return false;
    if (!extents.push(n)) return in.fail(rule::triton_too_large);
    if (in.position >= in.length || in.characters[in.position] != 'x')
      return in.fail(rule::expected_a_triton_encoding);
    ++in.position;
  }
  skip_to_separator(in);
  return in.require(',', rule::expected_a_triton_encoding);
}

/// Reads `, #smem, mutable>`, the end of a !ttg.memdesc.
AXE_FN constexpr bool skip_to_the_end(reader& in) {
  while (in.take(',')) skip_to_separator(in);
  return in.require('>', rule::expected_a_triton_encoding);
}

AXE_FN constexpr void print_bases(auto& out, linear_map const& m, axis holder, char const* name) {
  out.put(name);
  out.put(" = [");
  int const first = m.in.first_bit(holder);
  for (int k = 0; k < m.in.bits_on(holder); ++k) {
    out.put(k == 0 ? "[" : ", [");
    for (int d = 0; d < m.out.axes.size(); ++d) {
      if (d > 0) out.put(", ");
      out.put(static_cast<integer>(m.out.on(m.out.axes[d].on, m.matrix.column[first + k])));
    }
    out.put(']');
  }
  out.put(']');
}

/// If `given`, an encoding without a tensor type has the extents `tensor`.
AXE_FN constexpr bool read(reader& in, triton_tensor& out, shape const& tensor, bool given) {
  encoding e;
  numbers extents;
  bool typed = in.take_word("tensor");
  bool const memory = !typed && in.take('!');
  if (memory && (!(in.take_word("ttg") || in.take_word("triton_gpu")) || !in.take('.') ||
                 !in.take_word("memdesc")))
    return in.fail(rule::expected_a_triton_encoding);
  typed = typed || memory;
  if (typed &&
      (!in.require('<', rule::expected_a_triton_encoding) || !read_tensor_type(in, extents)))
    return false;
  if (!typed) skip_alias(in);
  if (!typed && in.next() == '-' ? !read_linear_text(in, e) : !read_encoding(in, e)) return false;
  if (typed && !skip_to_the_end(in)) return false;
  if (!typed && given) {
    extent_list sizes;
    if (axe::refusal const bad = dimensions_of(tensor, sizes)) return in.fail_with(bad);
    for (integer n : sizes)
      if (!extents.push(n)) return in.fail(rule::triton_too_large);
  }
  if (!typed && !given && !own_extents(e, extents))
    return in.fail_at(e.position, rule::triton_needs_a_shape);
  out.extents = shape();
  for (integer n : extents) out.extents.append(n);
  outcome<linear_map> const owners = map_of(e, extents);
  out.owners = owners.value;
  return owners ? true : in.fail_with(owners.why);
}

AXE_FN constexpr outcome<triton_tensor> read_all(source_text const& text, shape const& tensor,
                                                 bool given) {
  reader in{text.characters, text.length};
  triton_tensor out;
  if (read(in, out, tensor, given) && !in.at_end()) in.fail(rule::expected_no_more);
  if (in.refusal) return in.refusal;
  return out;
}

}  // namespace detail::triton

/// Without `tensor`, the text must determine the extents.
AXE_FN constexpr bool read_triton(reader& in, triton_tensor& out) {
  return detail::triton::read(in, out, {}, false);
}
AXE_FN constexpr bool read_triton(reader& in, triton_tensor& out, shape const& tensor) {
  return detail::triton::read(in, out, tensor, true);
}

AXE_FN constexpr outcome<triton_tensor> try_read_triton(char const* characters) {
  return detail::triton::read_all(characters, {}, false);
}
AXE_FN constexpr outcome<triton_tensor> try_read_triton(char const* characters,
                                                        shape const& tensor) {
  return detail::triton::read_all(characters, tensor, true);
}

AXE_FN constexpr outcome<layout> try_parse_triton(char const* characters) {
  outcome<triton_tensor> const read = try_read_triton(characters);
  if (read.why) return read.why;
  return try_to_layout(read.value);
}
AXE_FN constexpr outcome<layout> try_parse_triton(char const* characters, shape const& tensor) {
  outcome<triton_tensor> const read = try_read_triton(characters, tensor);
  if (read.why) return read.why;
  return try_to_layout(read.value);
}
AXE_FN constexpr layout parse_triton(char const* characters) {
  return detail::stop_on(try_parse_triton(characters), "parse_triton");
}
AXE_FN constexpr layout parse_triton(char const* characters, shape const& tensor) {
  return detail::stop_on(try_parse_triton(characters, tensor), "parse_triton",
                         {nullptr, nullptr, &tensor});
}

/// #ttg.shared_linear for a layout on m, else #ttg.linear. Rejects offsets, axes that Triton lacks,
/// and what owner_map rejects. A nested dimension is one dimension of Triton.
AXE_FN constexpr refusal try_print_triton(auto& out, layout const& l, shape const& tensor) {
  outcome<linear_map> const owners = try_owner_map(l, tensor);
  if (owners.why) return owners.why;
  linear_map const& m = owners.value;
  if (m.offset != 0) return {rule::triton_has_no_offset};
  bool const shared = m.in.bits_on(axis::m) > 0;
  for (linear_axis const& a : m.in.axes) {
    bool const distributed = a.on == axis::reg || a.on == axis::lane || a.on == axis::warp;
    bool const good = a.on == axis::cta_x || (shared ? a.on == axis::m : distributed);
    if (!good && a.bits > 0) return {rule::triton_has_no_axis, {}, {a.on}};
  }
  namespace t = detail::triton;
  out.put(shared ? "#ttg.shared_linear<{" : "#ttg.linear<{");
  t::print_bases(out, m, shared ? axis::m : axis::reg, shared ? "offset" : "register");
  if (!shared) {
    out.put(", ");
    t::print_bases(out, m, axis::lane, "lane");
    out.put(", ");
    t::print_bases(out, m, axis::warp, "warp");
  }
  out.put(", ");
  t::print_bases(out, m, axis::cta_x, "block");
  out.put(shared ? "}, alignment = 16>" : "}>");
  return {};
}

AXE_FN constexpr text<4095> to_triton(layout const& l, shape const& tensor) {
  text<4095> out;
  if (refusal const bad = try_print_triton(out, l, tensor))
    detail::stop_on(bad, "to_triton", {&l, nullptr, &tensor});
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
