// Reads an expression and computes its value. Tuples are read in eval/tuple.cpp, and calls of
// functions in eval/call.cpp.
#include "eval/expression.hpp"

#include "text/shortened.hpp"
#include "text/sink.hpp"

#include <axe/bridge/tirx.hpp>
#include <axe/bridge/triton.hpp>

namespace calculator {

namespace {

// Nesting has a limit, because each level takes some kilobytes of stack.
constexpr int deepest = 100;

/// The names of the swizzles of 32, 64 and 128 bytes, for which B is 1, 2 and 3.
constexpr std::string_view hardware_modes[] = {"swizzle_32B", "swizzle_64B", "swizzle_128B"};

/// True if the text is malformed. False if it is well-formed and its layout is rejected, for
/// example because it is too large.
bool is_about_the_text(axe::rule which) {
  return std::string_view(axe::words_of(which)).starts_with("position {0}");
}

std::string shown(char c) {
  auto const byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7f) return std::string("'") + c + "'";
  constexpr char const* hex = "0123456789abcdef";
  return std::string("the byte 0x") + hex[byte >> 4] + hex[byte & 15];
}

}  // namespace

bool expression::fail(int position, std::string const& words) {
  if (failed()) return false;
  complained_at = position;
  complaint = "position " + std::to_string(position) + ": " + words;
  return false;
}

bool expression::fail_unexpected(std::string const& wanted) {
  bool const end = at_end();
  return fail(in.position, "expected " + wanted + ", not " +
                               (end ? "the end" : shown(in.characters[in.position])));
}

void expression::refuse(std::string_view operation, axe::refusal const& why,
                        axe::operands const& about) {
  if (refused()) return;
  refused_call refusal{why, std::string(operation), ""};
  text::sink to(refusal.sentence);
  axe::print(to, why, about);
  refusals.push_back(std::move(refusal));
}

bool expression::reader_failed() {
  axe::refusal const why = in.refusal;
  in.refusal = {};
  if (!is_about_the_text(why.which)) {
    refuse("", why, {});
    return false;
  }
  std::string words;
  text::sink to(words);
  axe::print(to, why, {});
  complained_at = static_cast<int>(why.numbers[0]);
  if (!failed()) complaint = words;
  return false;
}

void expression::note(char const* notation, axe::layout const& l) {
  notes.push_back(std::string(notation) + "'s notation for " + text::printed(l));
}

std::string_view expression::word() {
  int n = in.name_length();
  while (n > 0 && in.position + n + 1 < in.length && in.characters[in.position + n] == '.') {
    axe::reader rest = in;
    rest.position += n + 1;
    int const start = rest.position;
    int const more = rest.name_length();
    if (more == 0 || rest.position != start) break;
    n += 1 + more;
  }
  return {in.characters + in.position, static_cast<std::size_t>(n)};
}

bool expression::read(value& out) {
  if (++depth > deepest)
    return fail(in.position, "nested more than " + std::to_string(deepest) + " deep");
  bool good = operand(out);
  if (good && in.next() == ':') {
    int const colon = in.position;
    in.take(':');
    value right;
    good = operand(right) && combine(value(out), right, colon, out);
  }
  --depth;
  return good;
}

bool expression::operand(value& out) {
  char const c = in.next();
  if (c == '-' && axe::detail::triton::sees_linear_text(in)) return triton_layout(out);
  if (axe::detail::is_digit(c) || c == '-' || c == '+') return number_or_place(out);
  if (c == '(') return tuple(out);
  if (c == '{') return sees_linear_map() ? linear_map(out) : shape_list(out);
  if (c == '<') return tuple(out);
  if (c == '#' || c == '!' || in.sees("tensor", '<')) return triton_layout(out);
  if (!word().empty()) return name(out);
  return fail_unexpected("an expression");
}

/// Reads an integer, or a place with at least one '@' such as `8@lane + 6@warp`.
bool expression::number_or_place(value& out) {
  int const start = in.position;
  axe::integer n = 0;
  if (!in.read_integer(n, axe::rule::expected_a_number)) return reader_failed();
  char const c = in.next();
  if (c != '@' && c != '+' && c != '-') {
    out = value(std::in_place_type<axe::integer>, n);
    return true;
  }
  int const sign = in.position;
  in.position = start;
  axe::place p;
  if (!axe::read(in, p)) return reader_failed();
  std::string_view const text(in.characters + start, static_cast<std::size_t>(in.position - start));
  if (text.find('@') == text.npos)
    return fail(sign, "numbers are not added; a place names its axes, as in 8@lane + 6@warp");
  out = p;
  return true;
}

/// Reads a layout. Rejects a well-formed but invalid one, and goes on reading to find further
/// mistakes.
bool expression::layout(value& out) {
  axe::layout l;
  out = absent{kind::layout};
  if (axe::read(in, l)) {
    out = l;
    return true;
  }
  if (in.refusal != axe::check(l)) return reader_failed();
  refuse("", in.refusal, {&l});
  in.refusal = {};
  return true;
}

bool expression::layout_or_swizzle(value& out) {
  int const start = in.position;
  if (in.take_word("swizzle")) {
    axe::swizzle w;
    if (!axe::detail::read_swizzle(in, w)) return reader_failed();
    if (word() == "S") return fail_unexpected("'o' between the swizzle and the layout");
    if (word() != "o") {
      out = w;
      return true;
    }
    in.position = start;
  }
  return layout(out);
}

/// Reads a hardware swizzle or a layout with one. `swizzle_128B<16>` is the swizzle of 128 bytes
/// for elements of 16 bits, and `swizzle_128B<16> o S[…]` is a layout.
bool expression::hardware_swizzle(int swizzled_bits, value& out) {
  in.position += static_cast<int>(word().size());
  axe::integer width = 0;
  if (!in.take('<')) return fail_unexpected("'<' and the bits of an element, as swizzle_128B<16>");
  in.skip_spaces();
  int const at = in.position;
  if (!in.read_integer(width, axe::rule::expected_a_number)) return reader_failed();
  if (!in.take('>')) return fail_unexpected("'>'");
  if (width < 1 || width > 128 || (width & (width - 1)) != 0)
    return fail(
        at, "the width of an element is a power of two up to 128, not " + std::to_string(width));
  axe::swizzle const w{axe::detail::chunk_bits(static_cast<int>(width)), swizzled_bits, 3};
  out = w;
  if (word() == "S") return fail_unexpected("'o' between the swizzle and the layout");
  if (word() != "o") return true;
  in.take_word("o");
  if (!layout(out)) return false;
  axe::layout const* const l = std::get_if<axe::layout>(&out);
  if (l == nullptr) return true;  // the layout was rejected
  axe::outcome<axe::layout> const composed = axe::try_compose(w, *l);
  if (!composed)
    refuse("", composed.why, {l});
  else
    out = *composed;
  return true;
}

/// Reads TIRx's form, such as `T.TileLayout(T.S[(8, 2):(4 @ Axis.laneid, 1)])`.
bool expression::tirx_layout(value& out) {
  axe::layout l;
  if (!axe::read_tirx(in, l)) return reader_failed();
  out = absent{kind::layout};
  if (axe::refusal const bad = axe::check(l))
    refuse("", bad, {&l});
  else
    note("TIRx", l), out = l;
  return true;
}

/// Reads Triton's forms: `tensor<64x64xf16, #ttg.blocked<{…}>>`, or lines such as ` - lane=1 ->
/// (1)`.
bool expression::triton_layout(value& out) {
  axe::triton_tensor t;
  out = absent{kind::layout};
  if (tensor == nullptr ? !axe::read_triton(in, t) : !axe::read_triton(in, t, *tensor)) {
    if (is_about_the_text(in.refusal.which)) return reader_failed();
    refuse("", in.refusal, {nullptr, nullptr, &t.extents});
    in.refusal = {};
    return true;
  }
  axe::outcome<axe::layout> const l = axe::try_to_layout(t);
  if (!l) return refuse("", l.why, {}), true;
  note("Triton", l.value);
  out = l.value;
  shape_of_last = t.extents;
  return true;
}

bool expression::name(value& out) {
  std::string_view const w = word();
  int const start = in.position;
  for (std::string_view tirx : {"T.TileLayout", "TileLayout", "T.ComposeLayout", "ComposeLayout",
                                "T.TileLayout.from_iters", "TileLayout.from_iters"})
    if (w == tirx && scope.find(w) == nullptr) return tirx_layout(out);
  for (int bits = 1; bits <= 3; ++bits)
    if (w == hardware_modes[bits - 1]) return hardware_swizzle(bits, out);
  if (w == "S" || w == "R" || w == "swizzle") return layout_or_swizzle(out);
  if (in.sees("Sw", '<')) return cute_layout(out);
  in.position += static_cast<int>(w.size());
  if (in.next() == '(') return call(w, start, out);
  if (value const* known = scope.find(w)) {
    out = *known;
    return true;
  }
  if (w == "true" || w == "false") {
    out = value(std::in_place_type<bool>, w == "true");
    return true;
  }
  if (std::optional<axe::axis> const a = scope.find_axis(w)) {
    if (!in.take('=')) {
      out = *a;
      return true;
    }
    axe::axis_composition c;
    if (!read_sum(*a, c)) return false;
    out = c;
    return true;
  }
  if (function_range const same = functions_called(w); !same.empty())
    return fail(start, std::string(w) + " is a function: " + same.first->name + "(" +
                           same.first->parameters + ")");
  if (w[0] == '_' && w.size() > 1 && axe::detail::is_digit(w[1])) {  // CuTe prints a static 4 as _4
    in.position = start + 1;
    return number_or_place(out);
  }
  return fail(start, "nothing is called " + text::shortened(w) + scope.suggestion(w, false));
}

bool expression::read_sum(axe::axis whole, axe::axis_composition& out) {
  axe::place sum;
  do {
    axe::integer n = 1;
    in.skip_spaces();
    if (word().empty()) {
      if (!in.read_integer(n, axe::rule::expected_a_number))
        return fail_unexpected("a sum of axes, as 4*mesh_y + mesh_x");
      if (!in.take('*')) return fail_unexpected("'*' and an axis, as 4*mesh_y + mesh_x");
    }
    in.skip_spaces();
    int const at = in.position;
    axe::axis part{};
    if (!in.read_axis(part)) return reader_failed();
    if (sum.names(part)) return fail(at, text::printed(part) + " stands in the sum twice");
    if (!sum.add({n, part})) return fail(at, "a sum has at most 16 axes");
  } while (in.take('+'));
  out = axe::axis_composition(whole, sum);
  if (axe::refusal const bad = axe::check(out); bad.which != axe::rule::none) refuse("", bad, {});
  return true;
}

}  // namespace calculator
