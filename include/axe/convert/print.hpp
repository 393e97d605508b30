// Prints a plan.
//
//     lanes: 1 to 1 registers of 16-bit elements; 2 shuffles (no plan has fewer), 0 selects, …
//     v0 = shuffle(s0 from lane 0 8 16 24 4 12 20 28 1 9 17 25 5 13 21 29 2 …)
//     t0 = permute(v0, v1, v2)
//
// s: source words, t: target words, v: values between. Butterflies print as `lane ^ 1`, sets of
// lanes as a parity of lane bits or as a mask.
#pragma once

#include <axe/convert/interpret.hpp>
#include <axe/convert/program.hpp>
#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class Out>
AXE_FN constexpr void print_hexadecimal(Out& out, register_word n, int digits) {
  out.put("0x");
  for (int d = digits - 1; d >= 0; --d) {
    register_word const nibble = n >> (4 * d) & 15;
    out.put(static_cast<char>(nibble < 10 ? '0' + nibble : 'a' + (nibble - 10)));
  }
}

/// A number of things, as `2 selects`.
struct number_of_things {
  integer n;
  char const* one;
};
template <class Out> AXE_FN constexpr void print(Out& out, number_of_things const& c) {
  print_all(out, c.n, ' ', c.one, c.n == 1 ? "" : "s");
}

template <class Out> AXE_FN constexpr void print_lanes(Out& out, register_word lanes) {
  for (int i = 0; i < 31; ++i)
    if (int const bits = parity(i); odd_lanes(bits) == lanes)
      return print_all(out, (bits & (bits - 1)) == 0 ? "lane & " : "odd bits of lane & ", bits);
  out.put("lane in ");
  print_hexadecimal(out, lanes, 8);
}

template <class Out> AXE_FN constexpr void print_map(Out& out, lane_map const& map) {
  out.put("lane");
  if (int const mask = map.butterfly(); mask >= 0) return print_all(out, " ^ ", mask);
  for (int l = 0; l < warp_lanes; ++l) print_all(out, ' ', map(l));
}

/// How much further on than a plan's words the names begin: of steps that run once, where that run
/// is.
AXE_LAZY_FN constexpr conversion_repeat named_from(conversion_plan const& plan) {
  return plan.repeats.size() == 1 ? plan.repeats[0] : conversion_repeat{};
}

template <class Out>
AXE_FN constexpr void print_value(Out& out, conversion_plan const& plan, int value) {
  if (value < plan.inputs.size())
    print_all(out, 's', plan.inputs[value] + named_from(plan).source);
  else
    print_all(out, 'v', value - plan.inputs.size());
}

template <class Out>
AXE_FN constexpr void print_step(Out& out, conversion_plan const& plan, conversion_step const& s) {
  auto const put = [&](int value, char const* after) {
    print_value(out, plan, value);
    out.put(after);
  };
  auto const put_either = [&](int value, register_word selector, char const* after) {
    if (value > 0) return put(value, after);
    print_hexadecimal(out, selector, 4);
    out.put(after);
  };
  char const* const name[] = {"select(", "shuffle(", "permute(", "selector("};
  out.put(name[static_cast<int>(s.op)]);
  if (s.op == conversion_op::select || s.op == conversion_op::selector) {
    print_lanes(out, s.lanes);
    out.put(" ? ");
  }
  switch (s.op) {
    case conversion_op::select:
      put(s.a, " : ");
      put(s.b, ")");
      break;
    case conversion_op::shuffle:
      put(s.a, " from ");
      print_map(out, plan.maps[s.map]);
      out.put(')');
      break;
    case conversion_op::permute:
      put(s.a, ", ");
      put(s.b, ", ");
      put_either(s.by, s.first, ")");
      break;
    case conversion_op::selector:
      put_either(0, s.first, " : ");
      put_either(s.b, s.second, ")");
      break;
  }
}

}  // namespace detail

/// The kind in one word.
AXE_LAZY_FN constexpr char const* name_of(conversion_kind k) {
  constexpr char const* names[] = {"nothing", "registers", "lanes", "warps"};
  return names[static_cast<int>(k)];
}

/// The first line: kind and counts.
template <class Out> AXE_FN constexpr void print_summary(Out& out, conversion_plan const& plan) {
  detail::print_all(out, name_of(plan.kind), ": ", plan.source_words, " to ",
                    detail::number_of_things{plan.target_words, "register"}, " of ", plan.width,
                    "-bit elements");
  if (plan.kind == conversion_kind::warps) {
    shared_step const& s = plan.shared;
    detail::print_all(out, "; ", s.bytes, " bytes of shared memory as ", s.place, ": stores of ",
                      s.store_bits, " bits (conflict ", s.store_conflict, "), loads of ",
                      s.load_bits, " bits (conflict ", s.load_conflict, ')');
  }
  if (plan.steps.empty()) return;
  using detail::number_of_things;
  detail::print_all(out, "; ", number_of_things{plan.shuffles(), "shuffle"});
  if (plan.shuffles() > plan.shuffle_bound)
    detail::print_all(out, " (no plan has fewer than ", plan.shuffle_bound, ')');
  else if (plan.shuffles() > 0)
    out.put(" (no plan has fewer)");
  detail::print_all(out, ", ", number_of_things{plan.selects(), "select"}, ", ",
                    number_of_things{plan.permutes(), "byte permute"}, ", ",
                    number_of_things{plan.selectors(), "selector"});
}

template <class Out> AXE_FN constexpr void print(Out& out, conversion_plan const& plan) {
  print_summary(out, plan);
  if (plan.kind == conversion_kind::nothing) return;
  if (plan.repeats.size() > 1) {
    detail::print_all(out, '\n', detail::number_of_things{plan.repeats.size(), "time"},
                      ", source and target words shifted by");
    for (conversion_repeat const& r : plan.repeats)
      detail::print_all(out, ' ', r.source, ',', r.target);
  }
  int value = plan.inputs.size();
  for (conversion_step const s : plan.steps) {
    out.put("\n");
    detail::print_value(out, plan, value++);
    out.put(" = ");
    detail::print_step(out, plan, s);
  }
  for (conversion_output const& o : plan.outputs) {
    detail::print_all(out, "\nt", o.word + detail::named_from(plan).target, " = ");
    detail::print_value(out, plan, o.value);
  }
}

/// The printed form; one of more than 16,383 characters ends in "...", and `print` puts it out
/// whole.
AXE_LAZY_FN constexpr text<16383> to_text(conversion_plan const& plan) {
  text<16383> out;
  print(out, plan);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
