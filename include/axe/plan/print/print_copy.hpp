// Prints a plan of a copy for people.
//
//     vector.16: global to shared, 4096 elements of 16 bits
//       128 threads, 4 accesses each of 8 elements, 16 bytes
//       from: 4096*(t/8 mod 16) + 8*(t mod 8) + 65536*i        t: the thread, i: its access
//       declined cp.async.16: …
//
// Several digits of a thread or an access are in brackets, [t/8 mod 16].
#pragma once

#include <axe/plan/copy_traffic.hpp>
#include <axe/plan/print/print_declined.hpp>
#include <axe/plan/print/print_tma.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// `n plural`, or `1 singular`.
template <class Out>
AXE_FN constexpr void print_counted(Out& out, integer n, char const* singular, char const* plural) {
  out.put(n);
  out.put(' ');
  out.put(n == 1 ? singular : plural);
}

/// ` + 64*(t/8 mod 16)`: a digit of t or i. `last` omits the modulo.
template <class Out>
AXE_FN constexpr void print_digit(Out& out, bool& first, integer weight, char of, integer divisor,
                                  integer extent, bool last) {
  if (weight == 0 || extent == 1) return;
  out.put(first ? "" : weight < 0 ? " - " : " + ");
  if (first && weight < 0) out.put('-');
  first = false;
  integer const by = weight < 0 ? -weight : weight;
  if (by != 1) {
    out.put(by);
    out.put('*');
  }
  bool const plain = divisor == 1 && last;
  if (!plain) out.put('(');
  out.put(of);
  if (divisor != 1) {
    out.put('/');
    out.put(divisor);
  }
  if (!last) {
    out.put(" mod ");
    out.put(extent);
  }
  if (!plain) out.put(')');
}

template <class Out> AXE_FN constexpr void print_hint(Out& out, copy_plan const& plan) {
  if (plan.cache == cache_hint::none) return;
  out.put(", ");
  out.put(name_of(plan.cache));
}

/// The address of an access on a side in memory, in elements. Prints nothing for registers.
template <class Out>
AXE_FN constexpr void print_address(Out& out, copy_plan const& plan, copy_end end) {
  planned_side const planned = planned_side_of(plan, end);
  if (planned.space == memory_space::registers) return;
  layout const& side = planned.where;
  out.put("\n  ");
  out.put(planned.name);
  out.put(": ");
  if (planned.by_element || side.shards.size() != plan.modes.size()) {
    print(out, side);
    out.put(" at ");
  } else if (!side.swizzle.none()) {
    out.put("swizzle(M=");
    out.put(integer{side.swizzle.M});
    out.put(",B=");
    out.put(integer{side.swizzle.B});
    out.put(",S=");
    out.put(integer{side.swizzle.S});
    out.put(") o ");
  }
  bool const by_stride = !planned.by_element && side.shards.size() == plan.modes.size();
  auto const weight = [&](int k) { return by_stride ? side.shards[k].stride : plan.modes[k].step; };
  bool first = true;
  for (int k = 0; k < plan.modes.size(); ++k) {
    copy_mode const& m = plan.modes[k];
    print_digit(out, first, weight(k) * m.values, 't', m.thread_stride, m.threads,
                m.thread_stride * m.threads >= plan.threads);
  }
  for (int k = 0; k < plan.modes.size(); ++k) {
    copy_mode const& m = plan.modes[k];
    print_digit(out, first, weight(k) * m.values * m.threads, 'i', m.issue_stride, m.issues,
                m.issue_stride * m.issues >= plan.issues);
  }
  integer const offset = by_stride ? side.offset(axis::m) : 0;
  if (offset != 0 || first) {
    out.put(first ? "" : offset < 0 ? " - " : " + ");
    out.put(first || offset > 0 ? offset : -offset);
  }
}

template <class Out>
AXE_FN constexpr void print_traffic(Out& out, copy_plan const& plan, copy_end end, bool& first) {
  auto const begin = [&] {
    out.put(first ? "\n  " : "; ");
    out.put(planned_side_of(plan, end).name);
    out.put(": ");
    first = false;
  };
  if (outcome<shared_traffic> const t = try_copy_wavefronts(plan, end)) {
    begin();
    if (t->conflicts == 1) return out.put("no bank conflict");
    if (plan.predicated()) out.put("at most ");
    out.put(t->conflicts);
    out.put(" wavefronts where 1 would do, ");
    out.put(t->wavefronts);
    out.put(" for ");
    return out.put(t->phases);
  }
  outcome<global_traffic> const t = try_copy_sectors(plan, end);
  if (!t) return;
  begin();
  if (plan.predicated()) out.put("at most ");
  print_counted(out, t->sectors, "sector", "sectors");
  if (t->sectors == t->least_sectors) return out.put(", the fewest");
  out.put(", the fewest would be ");
  out.put(t->least_sectors);
}

}  // namespace detail

/// `about` has the layouts and the shape of the plan, for the sentences of declined candidates.
template <class Out>
AXE_FN constexpr void print(Out& out, copy_plan const& plan, operands const& about = {}) {
  out.put(name_of(plan.instruction));
  out.put(": ");
  out.put(name_of(plan.from_space));
  out.put(" to ");
  out.put(name_of(plan.to_space));
  out.put(", ");
  detail::print_counted(out, plan.tile, "element", "elements");
  out.put(" of ");
  detail::print_counted(out, plan.bits, "bit", "bits");
  if (plan.packed > 1) {
    out.put(", each ");
    out.put(integer{plan.packed});
    out.put(" of the tile's");
  }
  out.put("\n  ");
  if (plan.instruction == copy_instruction::tma) {
    out.put("one thread issues");
    detail::print_hint(out, plan);
    out.put('\n');
    print(out, plan.tensor, about);
    return detail::print_declined(out, plan.candidates, about);
  }
  detail::print_counted(out, plan.threads, "thread", "threads");
  if (plan.threads != plan.scope) {
    out.put(" of ");
    out.put(plan.scope);
  }
  out.put(", ");
  detail::print_counted(out, plan.issues, "access", "accesses");
  out.put(plan.threads == 1 ? " of " : " each of ");
  detail::print_counted(out, plan.values, "element", "elements");
  out.put(", ");
  detail::print_counted(out, plan.bytes, "byte", "bytes");
  if (is_matrix(plan.instruction)) out.put(" a row");
  if (plan.one_by_one()) out.put(", one element at a time");
  if (plan.predicated()) out.put(plan.cut ? ", predicated, cut at the ends" : ", predicated");
  detail::print_hint(out, plan);
  detail::print_address(out, plan, copy_end::from);
  detail::print_address(out, plan, copy_end::to);
  bool first = true;
  detail::print_traffic(out, plan, copy_end::from, first);
  detail::print_traffic(out, plan, copy_end::to, first);
  out.put("\n  held: ");
  print(out, plan.partition);
  out.put('\n');
  detail::print_declined(out, plan.candidates, about);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
