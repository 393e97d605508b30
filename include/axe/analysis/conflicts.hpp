// SPDX-License-Identifier: MIT
// conflicts(L, access): the most wavefronts of a phase in shared memory. 1 means no bank conflict.
//
//     conflicts(S[(64,64):(64,1)], ldmatrix_rows<16>)        8
//
// Assumes that address 0 is a multiple of 128 bytes and of the swizzle's period. Source: CUDA C++
// Programming Guide, "Shared Memory".
#pragma once

#include <axe/analysis/access_form.hpp>
#include <axe/analysis/addresses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct shared_traffic {
  integer conflicts = 1;
  integer wavefronts = 0;
  integer phases = 0;
  integer instruction = 0, phase = 0, bank = 0;  // the first with the most wavefronts

  constexpr bool operator==(shared_traffic const&) const = default;
};

namespace detail {

/// The units of a phase by bank. A unit is a 4-byte word, or a lane's vector if it is wider.
struct bank_queues {
  int banks;  // units in 128 bytes
  integer unit[32]{};
  int next[32]{};
  int head[32];
  int count[32]{};
  int unit_count = 0;

  AXE_FN constexpr explicit bank_queues(int bank_count) : banks(bank_count) {
    for (int b = 0; b < 32; ++b) head[b] = -1;
  }
  AXE_FN constexpr void add(integer number) {
    int const bank = static_cast<int>(number - floor_divide(number, banks) * banks);
    for (int i = head[bank]; i >= 0; i = next[i])
      if (unit[i] == number) return;
    unit[unit_count] = number;
    next[unit_count] = head[bank];
    head[bank] = unit_count++;
    ++count[bank];
  }
  AXE_FN constexpr int longest() const {
    int worst = 0;
    for (int b = 1; b < banks; ++b)
      if (count[b] > count[worst]) worst = b;
    return worst;
  }
};

AXE_LAZY_FN constexpr int elements_per_unit(int values, int bits) {
  return values * bits >= 32 ? values : 32 / bits;
}
AXE_LAZY_FN constexpr int phase_lanes(int vector_bits) {
  return vector_bits <= 32 ? 32 : 1024 / vector_bits;
}

/// Counting ends at `enough` conflicts.
AXE_LAZY_FN constexpr outcome<shared_traffic> count_traffic(layout const& l,
                                                            access_pattern const& a, integer enough,
                                                            step_limit& steps) {
  access_counts n;
  if (refusal const bad = check_access(a, product_of_extents(l.shards), n)) return bad;
  shared_traffic total;
  int const unit = elements_per_unit(a.values, a.bits);
  int const banks = 1024 / a.bits / unit;
  int const lanes_of_phase = phase_lanes(n.vector_bits);
  auto const add_instruction = [&](integer vector, integer count, int lanes,
                                   integer const* addresses) -> refusal {
    for (int from = 0; from < lanes; from += lanes_of_phase) {
      bank_queues queues(banks);
      for (int lane = from; lane < lanes && lane < from + lanes_of_phase; ++lane)
        queues.add(floor_divide(addresses[lane], unit));
      int const worst = queues.longest();
      integer const waves = queues.count[worst];
      if (!add(total.phases, count) || !add_product(total.wavefronts, count, waves))
        return {rule::access_total_overflows};
      if (waves <= total.conflicts) continue;
      total.conflicts = waves;
      total.instruction = vector / n.sweep * n.instructions_per_sweep + vector % n.sweep / a.lanes;
      total.phase = from / lanes_of_phase;
      total.bank = worst * (32 / banks);
      if (waves >= enough) return {rule::undecided};  // any refusal ends the loops
    }
    return {};
  };
  refusal const bad = for_each_instruction(l, a, n, unit, steps, add_instruction);
  if (bad && total.conflicts < enough) return bad;
  return total;
}

AXE_LAZY_FN constexpr refusal check_memory_tile(layout const& l, shape const& s) {
  if (refusal const bad = check(l)) return bad;
  if (refusal const bad = check_on_memory(l, rule::access_on_memory_only)) return bad;
  extent_list leaves;
  return admit_leaves(l, s, leaves);
}

AXE_FN constexpr outcome<access_pattern> access_of(layout const& l, shape const& s,
                                                   auto const& access) {
  if (refusal const bad = check_memory_tile(l, s)) return bad;
  return try_access(access, s);
}

}  // namespace detail

template <class T>
concept any_access =
    detail::stl::is_same_v<T, access_pattern> || detail::stl::is_same_v<T, access_form>;

/// Each vector that is counted takes one step of the limit.
template <any_access Access>
AXE_FN constexpr outcome<shared_traffic> try_shared_memory(layout const& l, shape const& s,
                                                           Access const& access,
                                                           step_limit steps = {}) {
  outcome<access_pattern> const a = detail::access_of(l, s, access);
  if (a.why) return a.why;
  return detail::count_traffic(l, *a, detail::largest, steps);
}

/// Each replica has its own instructions, as in a store.
template <any_access Access>
AXE_FN constexpr outcome<integer> try_conflicts(layout const& l, shape const& s,
                                                Access const& access, step_limit steps = {}) {
  outcome<shared_traffic> const total = try_shared_memory(l, s, access, steps);
  if (total.why) return total.why;
  return total->conflicts;
}
/// L's extents are the shape.
template <any_access Access>
AXE_FN constexpr outcome<integer> try_conflicts(layout const& l, Access const& access,
                                                step_limit steps = {}) {
  return try_conflicts(l, detail::written_shape(l), access, steps);
}

/// The default argument gives a call with {} a short error.
template <any_access Access = access_pattern>
AXE_FN constexpr shared_traffic shared_memory(layout const& l, shape const& s,
                                              Access const& access) {
  return detail::stop_on(try_shared_memory(l, s, access), "shared_memory", {&l, nullptr, &s});
}
template <any_access Access = access_pattern>
AXE_FN constexpr integer conflicts(layout const& l, shape const& s, Access const& access) {
  return detail::stop_on(try_conflicts(l, s, access), "conflicts", {&l, nullptr, &s});
}
template <any_access Access>
AXE_FN constexpr integer conflicts(layout const& l, Access const& access) {
  return conflicts(l, detail::written_shape(l), access);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
