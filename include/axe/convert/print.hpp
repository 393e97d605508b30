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

template <class Out> AXE_FN constexpr void print_number_of(Out& out, integer n, char const* one) {
  out.put(n);
  out.put(' ');
  out.put(one);
  if (n != 1) out.put('s');
}

template <class Out> AXE_FN constexpr void print_lanes(Out& out, register_word lanes) {
  for (int i = 0; i < 31; ++i)
    if (int const bits = parity(i); odd_lanes(bits) == lanes) {
      out.put((bits & (bits - 1)) == 0 ? "lane & " : "odd bits of lane & ");
      return out.put(integer{bits});
    }
  out.put("lane in ");
  print_hexadecimal(out, lanes, 8);
}

template <class Out> AXE_FN constexpr void print_map(Out& out, lane_map const& map) {
  out.put("lane");
  if (int const mask = map.butterfly(); mask >= 0) {
    out.put(" ^ ");
    return out.put(integer{mask});
  }
  for (int l = 0; l < warp_lanes; ++l) {
    out.put(' ');
    out.put(integer{map(l)});
  }
}

/// How much further on than a plan's words the names begin: of steps that run once, where that run
/// is.
AXE_LAZY_FN constexpr conversion_repeat named_from(conversion_plan const& plan) {
  return plan.repeats.size() == 1 ? plan.repeats[0] : conversion_repeat{};
}

template <class Out>
AXE_FN constexpr void print_value(Out& out, conversion_plan const& plan, int value) {
  bool const input = value < plan.inputs.size();
  out.put(input ? 's' : 'v');
  out.put(input ? integer{plan.inputs[value] + named_from(plan).source}
                : integer{value - plan.inputs.size()});
}

template <class Out>
AXE_FN constexpr void print_target(Out& out, conversion_plan const& plan,
                                   conversion_output const& o) {
  out.put('t');
  out.put(integer{o.word + named_from(plan).target});
}

template <class Out>
AXE_FN constexpr void print_step(Out& out, conversion_plan const& plan, conversion_step const& s) {
  char const* const name[] = {"select(", "shuffle(", "permute(", "selector("};
  out.put(name[static_cast<int>(s.op)]);
  switch (s.op) {
    case conversion_op::select:
      print_lanes(out, s.lanes);
      out.put(" ? ");
      print_value(out, plan, s.a);
      out.put(" : ");
      print_value(out, plan, s.b);
      break;
    case conversion_op::shuffle:
      print_value(out, plan, s.a);
      out.put(" from ");
      print_map(out, plan.maps[s.map]);
      break;
    case conversion_op::permute:
      print_value(out, plan, s.a);
      out.put(", ");
      print_value(out, plan, s.b);
      out.put(", ");
      if (s.by > 0)
        print_value(out, plan, s.by);
      else
        print_hexadecimal(out, s.first, 4);
      break;
    case conversion_op::selector:
      print_lanes(out, s.lanes);
      out.put(" ? ");
      print_hexadecimal(out, s.first, 4);
      out.put(" : ");
      if (s.b > 0)
        print_value(out, plan, s.b);
      else
        print_hexadecimal(out, s.second, 4);
      break;
  }
  out.put(')');
}

template <class Out> AXE_FN constexpr void print_shared(Out& out, conversion_plan const& plan) {
  shared_step const& s = plan.shared;
  out.put("; ");
  out.put(s.bytes);
  out.put(" bytes of shared memory as ");
  print(out, s.place);
  out.put(": stores of ");
  out.put(integer{s.store_bits});
  out.put(" bits (conflict ");
  out.put(s.store_conflict);
  out.put("), loads of ");
  out.put(integer{s.load_bits});
  out.put(" bits (conflict ");
  out.put(s.load_conflict);
  out.put(')');
}

}  // namespace detail

/// The kind in one word.
AXE_LAZY_FN constexpr char const* name_of(conversion_kind k) {
  constexpr char const* names[] = {"nothing", "registers", "lanes", "warps"};
  return names[static_cast<int>(k)];
}

/// The first line: kind and counts.
template <class Out> AXE_FN constexpr void print_summary(Out& out, conversion_plan const& plan) {
  out.put(name_of(plan.kind));
  out.put(": ");
  out.put(integer{plan.source_words});
  out.put(" to ");
  detail::print_number_of(out, plan.target_words, "register");
  out.put(" of ");
  out.put(integer{plan.width});
  out.put("-bit elements");
  if (plan.kind == conversion_kind::warps) return detail::print_shared(out, plan);
  if (plan.steps.empty()) return;
  out.put("; ");
  detail::print_number_of(out, plan.shuffles(), "shuffle");
  if (plan.shuffles() > 0) {
    out.put(" (");
    if (plan.shuffles() == plan.shuffle_bound) {
      out.put("no plan has fewer)");
    } else {
      out.put("no plan has fewer than ");
      out.put(integer{plan.shuffle_bound});
      out.put(')');
    }
  }
  out.put(", ");
  detail::print_number_of(out, plan.selects(), "select");
  out.put(", ");
  detail::print_number_of(out, plan.permutes(), "byte permute");
  out.put(", ");
  detail::print_number_of(out, plan.selectors(), "selector");
}

template <class Out> AXE_FN constexpr void print(Out& out, conversion_plan const& plan) {
  print_summary(out, plan);
  if (plan.kind == conversion_kind::warps || plan.kind == conversion_kind::nothing) return;
  if (plan.repeats.size() > 1) {
    out.put("\n");
    detail::print_number_of(out, plan.repeats.size(), "time");
    out.put(", source and target words shifted by");
    for (conversion_repeat const& r : plan.repeats) {
      out.put(' ');
      out.put(integer{r.source});
      out.put(',');
      out.put(integer{r.target});
    }
  }
  int value = plan.inputs.size();
  for (conversion_step const s : plan.steps) {
    out.put("\n");
    detail::print_value(out, plan, value++);
    out.put(" = ");
    detail::print_step(out, plan, s);
  }
  for (conversion_output const& o : plan.outputs) {
    out.put("\n");
    detail::print_target(out, plan, o);
    out.put(" = ");
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
