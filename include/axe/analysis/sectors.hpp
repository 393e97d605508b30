// SPDX-License-Identifier: MIT
// global_memory(L, S, access): how many 32-byte sectors and 128-byte lines of global memory an
// access transfers, and the fewest, for contiguous and aligned bytes.
//
//     S[(128,64):(64,1)], rows_of_128_bits<16>     16 sectors, 4 lines per instruction: the fewest
//
// Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".
#pragma once

#include <axe/analysis/conflicts.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct global_traffic {
  integer instructions = 0;
  integer sectors = 0;
  integer least_sectors = 0;
  integer lines = 0;
  integer least_lines = 0;

  constexpr bool operator==(global_traffic const&) const = default;
};

template <any_access Access>
AXE_FN constexpr outcome<global_traffic> try_global_memory(layout const& l, shape const& s,
                                                           Access const& access,
                                                           step_limit steps = {}) {
  using namespace detail;
  outcome<access_pattern> const resolved = access_of(l, s, access);
  if (resolved.why) return resolved.why;
  access_pattern const& a = *resolved;
  access_counts n;
  if (refusal const bad = check_access(a, product_of_extents(l.shards), n)) return bad;
  integer const line = 1024 / a.bits;
  global_traffic total;
  auto const insert_new = [](list<integer, 32>& seen, integer number) {
    if (!seen.contains(number)) seen.push(number);
  };
  auto const add_instruction = [&](integer, integer count, int lanes, integer const* addresses) {
    list<integer, 32> vectors, sectors, lines;  // each number once
    for (int lane = 0; lane < lanes; ++lane) {
      integer const address = addresses[lane];
      insert_new(vectors, address);
      insert_new(sectors, floor_divide(address, line / 4));
      insert_new(lines, floor_divide(address, line));
    }
    integer const bits = integer{vectors.size()} * n.vector_bits;
    bool const fits = add(total.instructions, count) &&
                      add_product(total.sectors, count, sectors.size()) &&
                      add_product(total.lines, count, lines.size()) &&
                      add_product(total.least_sectors, count, ceil_divide(bits, 256)) &&
                      add_product(total.least_lines, count, ceil_divide(bits, 1024));
    return fits ? refusal{} : refusal{rule::access_total_overflows};
  };
  if (refusal const bad = for_each_instruction(l, a, n, line, steps, add_instruction)) return bad;
  return total;
}

template <any_access Access>
AXE_FN constexpr global_traffic global_memory(layout const& l, shape const& s,
                                              Access const& access) {
  return detail::stop_on(try_global_memory(l, s, access), "global_memory", {&l, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
