// SPDX-License-Identifier: MIT
// Prints values so that they read back: to_text("S[4:1@m]"_axe) == "S[4:1]".
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/base/text.hpp>
#include <axe/layout/layout.hpp>
#include <axe/layout/shape.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr void print_name(auto& out, axis a) {
  if (!is_declared(a)) return out.put(built_in(a).name);
  for (int i = 0; i < 9; ++i) {
    char const c = unpack_character(static_cast<unsigned>((number_of(a) >> (6 * i)) & 63));
    if (c != '\0') out.put(c);
  }
}

AXE_FN constexpr void print_stride(auto& out, integer stride, axis a) {
  out.put(stride);
  if (same(a, axis::null) || (same(a, axis::m) && stride != 0)) return;
  out.put('@');
  print_name(out, a);
}

AXE_FN constexpr void print_iters(auto& out, iter const* from, iter const* to, bool strides,
                                  bool parenthesised) {
  bool const parentheses = parenthesised || to - from != 1;
  if (parentheses) out.put('(');
  for (iter const* i = from; i != to; ++i) {
    if (i != from) out.put(',');
    if (strides)
      print_stride(out, i->stride, i->on);
    else
      out.put(i->extent);
  }
  if (parentheses) out.put(')');
}

AXE_FN constexpr void print_side(auto& out, layout const& l, bool strides) {
  iter const* from = l.shards.begin();
  if (!l.grouped()) return print_iters(out, from, l.shards.end(), strides, false);
  out.put('(');
  for (int b = 0; b < l.blocks.count; ++b) {
    if (b > 0) out.put(',');
    print_iters(out, from, from + l.blocks[b], strides, true);
    from += l.blocks[b];
  }
  out.put(')');
}

/// Returns the node after the subtree.
AXE_FN constexpr int print_node(auto& out, tree const& t, int i) {
  if (i >= t.nodes.count) return i;
  if (t.nodes.is_integer(i)) {
    out.put(t.nodes.value(i));
    return i + 1;
  }
  int const entries = t.nodes.entries(i++);
  out.put('(');
  for (int e = 0; e < entries; ++e) {
    if (e > 0) out.put(',');
    i = print_node(out, t, i);
  }
  out.put(')');
  return i;
}

}  // namespace detail

AXE_FN constexpr void print(auto& out, axis a) { detail::print_name(out, a); }

AXE_FN constexpr void print(auto& out, layout const& l) {
  using namespace detail;
  if (!l.swizzle.none()) {
    out.put("swizzle(M=");
    out.put(integer{l.swizzle.M});
    out.put(",B=");
    out.put(integer{l.swizzle.B});
    out.put(",S=");
    out.put(integer{l.swizzle.S});
    out.put(") o ");
  }
  out.put("S[");
  if (l.grouped() || l.shards.count != 0) {
    print_side(out, l, false);
    out.put(':');
    print_side(out, l, true);
  }
  out.put(']');
  for (iter const& r : l.replicas) {
    out.put(" + R[");
    out.put(r.extent);
    out.put(':');
    print_stride(out, r.stride, r.on);
    out.put(']');
  }
  for (term const& t : l.offsets) {
    out.put(t.n < 0 ? " - " : " + ");
    if (t.n == smallest)  // cannot be negated
      out.put("9223372036854775808");
    else
      out.put(magnitude(t.n));
    if (t.is_on(axis::m)) continue;
    out.put('@');
    print_name(out, t.on);
  }
}

AXE_FN constexpr void print(auto& out, place const& p) {
  if (p.terms.count == 0) return out.put('0');
  for (int i = 0; i < p.terms.count; ++i) {
    if (i > 0) out.put(" + ");
    out.put(p.terms[i].n);
    out.put('@');
    detail::print_name(out, p.terms[i].on);
  }
}

AXE_FN constexpr void print(auto& out, tree const& t) { detail::print_node(out, t, 0); }

namespace detail {
AXE_FN constexpr void print_part(auto& out, auto const& part) {
  if constexpr (requires { out.put(part); })
    out.put(part);
  else if constexpr (requires { name_of(part); })
    out.put(name_of(part));
  else if constexpr (requires { integer{part}; })
    out.put(integer{part});
  else
    print(out, part);
}
template <class... Parts> AXE_FN constexpr void print_all(auto& out, Parts const&... parts) {
  (print_part(out, parts), ...);
}

/// Prints `1 thread`, `4 threads`.
struct counted {
  integer n;
  char const* noun;
  char const* plural = "s";
};
AXE_FN constexpr void print(auto& out, counted const& c) {
  print_all(out, c.n, ' ', c.noun, c.n == 1 ? "" : c.plural);
}
}  // namespace detail

AXE_FN constexpr text<2559> to_text(auto const& value) {
  text<2559> out;
  print(out, value);
  return out;
}

namespace detail {
template <class X>
concept streamable = (__is_class(X) || stl::is_same_v<X, axis>) &&
                     requires(text<3>& out, X const& x) { print(out, x); };
}  // namespace detail

/// For std::cout << x. A template, so that this header needs no <ostream>.
AXE_CALLS_USER_CODE template <class Stream, detail::streamable X>
  requires requires(Stream& out) { out << ""; }
AXE_FN constexpr Stream& operator<<(Stream& out, X const& x) {
  out << to_text(x).c_str();
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
