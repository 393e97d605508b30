// SPDX-License-Identifier: MIT
// Prints the plan of a conversion, here of S[2:1@lane] to S[2:-1@lane] + 1@lane:
//
//     lanes: 1 register of 32-bit elements; 1 shuffle (no plan has fewer), 0 selects, …
//     v0 = shuffle(s0 from lane ^ 1)
//     t0 = v0
//
// s are source words, t target words, v results of steps.
#pragma once

#include <axe/convert/engine/program.hpp>
#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr void print_hexadecimal(auto& out, register_word n, int digits) {
  out.put("0x");
  for (int d = digits - 1; d >= 0; --d) {
    register_word const nibble = n >> (4 * d) & 15;
    out.put(static_cast<char>(nibble < 10 ? '0' + nibble : 'a' + (nibble - 10)));
  }
}

struct printed_lanes {
  register_word lanes;
};
AXE_FN constexpr void print(auto& out, printed_lanes const& set) {
  for (int i = 0; i < 31; ++i)
    if (int const bits = parity_mask(i); odd_lanes(bits) == set.lanes)
      return print_all(out, (bits & (bits - 1)) == 0 ? "lane & " : "odd bits of lane & ", bits);
  out.put("lane in ");
  print_hexadecimal(out, set.lanes, 8);
}

AXE_FN constexpr void print_map(auto& out, lane_map const& map) {
  out.put("lane");
  if (int const mask = map.butterfly(); mask >= 0) return print_all(out, " ^ ", mask);
  for (int l = 0; l < warp_lanes; ++l) print_all(out, ' ', map(l));
}

/// The word offsets of a single repeat, or 0: `print` lists the offsets of several repeats.
AXE_LAZY_FN constexpr conversion_repeat printed_offsets(conversion_plan const& plan) {
  return plan.repeats.size() == 1 ? plan.repeats[0] : conversion_repeat{};
}

struct printed_value {
  conversion_plan const& plan;
  int value;
};
AXE_FN constexpr void print(auto& out, printed_value const& v) {
  int const step = v.value - v.plan.inputs.size();
  if (step < 0)
    print_all(out, 's', v.plan.inputs[v.value] + printed_offsets(v.plan).source);
  else
    print_all(out, 'v', step);
}

AXE_FN constexpr void print_step(auto& out, conversion_plan const& plan, conversion_step const& s) {
  printed_value const a{plan, s.a}, b{plan, s.b};
  auto const print_selector = [&](int value, register_word otherwise) {
    value > 0 ? print(out, printed_value{plan, value}) : print_hexadecimal(out, otherwise, 4);
  };
  switch (s.op) {
    case conversion_op::select:
      print_all(out, "select(", printed_lanes{s.lanes}, " ? ", a, " : ", b);
      break;
    case conversion_op::shuffle:
      print_all(out, "shuffle(", a, " from ");
      print_map(out, plan.maps[s.map]);
      break;
    case conversion_op::permute:
      print_all(out, "permute(", a, ", ", b, ", ");
      print_selector(s.by, s.first);
      break;
    case conversion_op::selector:
      print_all(out, "selector(", printed_lanes{s.lanes}, " ? ");
      print_selector(0, s.first);
      out.put(" : ");
      print_selector(s.b, s.second);
  }
  out.put(')');
}

}  // namespace detail

AXE_LAZY_FN constexpr char const* name_of(conversion_kind k) {
  return detail::name_at(k, {"nothing", "registers", "lanes", "warps"});
}

AXE_FN constexpr void print_summary(auto& out, conversion_plan const& plan) {
  using namespace detail;
  print_all(out, name_of(plan.kind), ": ", counted{plan.source_words, "register"}, " of ",
            plan.width, "-bit elements");
  if (plan.target_words != plan.source_words) print_all(out, " into ", plan.target_words);
  if (plan.kind == conversion_kind::warps) {
    shared_step const& s = plan.shared;
    print_all(out, "; ", s.bytes, " bytes of shared memory as ", s.place, ": stores of ",
              s.store_bits, " bits (conflict ", s.store_conflict, "), loads of ", s.load_bits,
              " bits (conflict ", s.load_conflict, ')');
  }
  if (plan.steps.count == 0) return;
  print_all(out, "; ", counted{plan.shuffles(), "shuffle"});
  if (plan.shuffles() > plan.shuffle_bound)
    print_all(out, " (no plan has fewer than ", plan.shuffle_bound, ')');
  else if (plan.shuffles() > 0)
    out.put(" (no plan has fewer)");
  print_all(out, ", ", counted{plan.selects(), "select"}, ", ",
            counted{plan.permutes(), "byte permute"}, ", ", counted{plan.selectors(), "selector"});
}

AXE_FN constexpr void print(auto& out, conversion_plan const& plan) {
  using namespace detail;
  print_summary(out, plan);
  if (plan.kind == conversion_kind::nothing) return;
  if (plan.repeats.size() > 1) {
    print_all(out, '\n', counted{plan.repeats.size(), "time"},
              ", source and target words shifted by");
    for (conversion_repeat const& r : plan.repeats) print_all(out, ' ', r.source, ',', r.target);
  }
  int value = plan.inputs.size();
  for (conversion_step const s : plan.steps) {
    out.put('\n');
    print(out, printed_value{plan, value++});
    out.put(" = ");
    print_step(out, plan, s);
  }
  for (conversion_output const& o : plan.outputs) {
    print_all(out, "\nt", o.word + printed_offsets(plan).target, " = ",
              printed_value{plan, o.value});
  }
}

/// The first 16,383 characters. `print` prints all.
AXE_LAZY_FN constexpr text<16383> to_text(conversion_plan const& plan) {
  text<16383> out;
  print(out, plan);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
