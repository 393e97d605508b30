// SPDX-License-Identifier: MIT
// Prints a plan of a copy.
//
//       from: 4096*(t/8) + 8*(t mod 8) + 65536*i        t: the thread, i: its access
#pragma once

#include <axe/plan/copy_slow.hpp>
#include <axe/plan/copy_traffic.hpp>
#include <axe/plan/print/print_tma.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr void print_digit(auto& out, bool& first_term, integer weight, char variable,
                                  integer divisor, integer extent, integer values) {
  if (weight == 0) return;
  out.put(weight < 0 ? first_term ? "-" : " - " : first_term ? "" : " + ");
  first_term = false;
  if (integer const by = magnitude(weight); by != 1) print_all(out, by, '*');
  bool const last = divisor * extent >= values, plain = divisor == 1 && last;
  print_all(out, plain ? "" : "(", variable);
  if (divisor != 1) print_all(out, '/', divisor);
  if (!last) print_all(out, " mod ", extent);
  if (!plain) out.put(')');
}

AXE_FN constexpr void print_address(auto& out, copy_plan const& plan, copy_side which) {
  auto const [name, side, space, by_element, by_stride] = planned_side_of(plan, which);
  if (space == memory_space::registers) return;
  print_all(out, "\n  ", name, ": ");
  if (!by_stride)
    print_all(out, side, " at ");
  else if (!side.swizzle.none())
    print_all(out, "swizzle(M=", side.swizzle.M, ",B=", side.swizzle.B, ",S=", side.swizzle.S,
              ") o ");
  bool first_term = true;
  for (bool const issues : {false, true})
    for (int k = 0; k < plan.modes.count; ++k) {
      copy_mode const& m = plan.modes[k];
      // The weight of a digit of extent 1 may not fit in 64 bits.
      if ((issues ? m.issues : m.threads) == 1) continue;
      integer const weight = m.values * (by_stride ? side.shards[k].stride : m.step);
      if (issues)
        print_digit(out, first_term, weight * m.threads, 'i', m.issue_stride, m.issues,
                    plan.issues);
      else
        print_digit(out, first_term, weight, 't', m.thread_stride, m.threads, plan.threads);
    }
  integer const offset = by_stride ? side.offset(axis::m) : 0;
  if (first_term)
    out.put(offset);
  else if (offset != 0)
    print_all(out, offset < 0 ? " - " : " + ", magnitude(offset));
}

AXE_FN constexpr void print_traffic(auto& out, copy_plan const& plan, copy_side which,
                                    bool& first_side) {
  outcome<shared_traffic> const shared = try_copy_wavefronts(plan, which);
  outcome<global_traffic> const global = try_copy_sectors(plan, which);
  if (!shared && !global) return;
  print_all(out, first_side ? "\n  " : "; ", planned_side_of(plan, which).name, ": ");
  first_side = false;
  char const* const most = plan.predicated() ? "at most " : "";
  if (shared && shared->conflicts == 1) return out.put("no bank conflict");
  if (shared)
    return print_all(out, most, shared->conflicts, " wavefronts where 1 would do, ",
                     shared->wavefronts, " for ", counted{shared->phases, "phase"});
  print_all(out, most, counted{global->sectors, "sector"}, ", the fewest");
  if (global->sectors != global->least_sectors) print_all(out, " would be ", global->least_sectors);
}

AXE_FN constexpr void print_faster(auto& out, copy_plan const& plan) {
  for (candidate<copy_instruction> const& c : plan.candidates) {
    if (!all_threads_issue(c.instruction) && !is_matrix(c.instruction)) continue;
    if (c.why.which == rule::copy_base_not_aligned)
      print_all(out, "  faster: ", c.instruction, " if the memory is aligned to ",
                counted{c.why.numbers[0], "byte"}, ", as aligned<", c.why.numbers[0],
                "> declares (--alignment ", c.why.numbers[0], ")\n");
    if (c.why.which == rule::vector_needs_a_multiple)
      print_all(out, "  faster: ", c.instruction, " if dynamic(", c.why.numbers[1],
                "), a stride, is a multiple of ", c.why.numbers[2], ": declare aligned<",
                c.why.numbers[0], ">, or .multiple_of(", c.why.numbers[2],
                ") in a dynamic_layout\n");
  }
  if (is_narrow_transpose(plan))
    out.put(
        "  faster: load<P>(from, scope), then copy the fragment: it is stored in vectors if P "
        "gives each thread adjacent elements of the destination\n");
  if (!all_threads_issue(plan.instruction) || plan.threads == plan.scope) return;
  bool const in_registers =
      plan.from_space == memory_space::registers || plan.to_space == memory_space::registers;
  print_all(out, "  faster: ", counted{plan.threads, "thread"}, " as the scope, or a ",
            in_registers ? "fragment" : "tile", " for all ", plan.scope, ": the other ",
            plan.scope - plan.threads, " do nothing\n");
}

}  // namespace detail

/// Prints the plan as `axe plan copy` does. Refusals name the operands `about`.
AXE_FN constexpr void print(auto& out, copy_plan const& plan, operands const& about = {}) {
  using namespace detail;
  print_all(out, plan.instruction, ": ", plan.from_space, " to ", plan.to_space, ", ",
            counted{plan.tile, "element"}, " of ", counted{plan.bits, "bit"});
  if (plan.packed > 1) print_all(out, ", each ", plan.packed, " of the tile's");
  bool const tma = plan.instruction == copy_instruction::tma;
  if (tma) {
    out.put("\n  one thread issues");
  } else {
    print_all(out, "\n  ", counted{plan.threads, "thread"});
    if (plan.threads != plan.scope) print_all(out, " of ", plan.scope);
    print_all(out, ", ", counted{plan.issues, "access", "es"},
              plan.threads == 1 ? " of " : " each of ", counted{plan.values, "element"}, ", ",
              counted{plan.bytes, "byte"}, is_matrix(plan.instruction) ? " a row" : "",
              plan.one_by_one() ? ", one element at a time" : "",
              plan.predicated() ? ", predicated" : "", plan.cut ? ", cut at the ends" : "");
    if (integer const first = plan.access_partition.offset(plan.thread); first != 0)
      print_all(out, ", t counts from thread ", first);
  }
  if (plan.cache != cache_hint::none) print_all(out, ", ", plan.cache);
  if (tma) {
    out.put('\n');
    print(out, plan.tensor, about);
  } else {
    print_address(out, plan, copy_side::from);
    print_address(out, plan, copy_side::to);
    bool first_side = true;
    print_traffic(out, plan, copy_side::from, first_side);
    print_traffic(out, plan, copy_side::to, first_side);
    print_all(out, "\n  partition: ", plan.partition, '\n');
  }
  print_declined(out, plan.candidates, about);
  print_faster(out, plan);
}

/// The printed plan, cut after `Characters` characters.
template <int Characters = 8191>
AXE_FN constexpr text<Characters> explain(copy_plan const& plan, operands const& about = {}) {
  text<Characters> out;
  print(out, plan, about);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
