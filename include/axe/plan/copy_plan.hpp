// SPDX-License-Identifier: MIT
// copy_plan: the instruction, threads, addresses and registers of a copy.
//
//     element of the tile   =  sum over modes of step_k * c_k,       0 <= c_k < extent_k
//     c_k                   =  values_k * (threads_k * issue digit + thread digit) + value digit
//
// A mode is an iter of the tile in which both sides and the threads are linear. If 128 threads copy
// (64,64) of f16 in vectors of 16 bytes, 8 threads access a row, and the mode of the rows has 16
// threads and 4 issues. Numbers count elements unless named bytes.
#pragma once

#include <axe/plan/cache_hint.hpp>
#include <axe/plan/tma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Source elements out of bounds are skipped or become 0.
enum class copy_outside : unsigned char { skip, zero };

struct copy_mode {
  int dimension = -1;           // -1: several dimensions, or replicas
  integer coordinate_step = 0;  // one step along `dimension`
  integer step = 0;  // in row-major elements; for replicas 0, or at least the tile's size
  integer extent = 0;
  integer values = 1;  // elements of one access
  integer threads = 1;
  integer issues = 1;         // accesses of a thread
  integer thread_stride = 0;  // the digit of thread t is t / thread_stride mod threads
  integer issue_stride = 0;

  AXE_FN constexpr integer accesses() const { return (extent - 1) / values + 1; }
  AXE_FN constexpr bool padded() const { return threads * issues != accesses(); }
  AXE_FN constexpr integer covered() const { return issues * threads * values; }
  constexpr bool operator==(copy_mode const&) const = default;
};

/// A digit of the value or issue number. It adds `stride` times its value to the register number.
struct register_digit {
  integer extent = 0;
  integer stride = 0;

  constexpr bool operator==(register_digit const&) const = default;
};

namespace detail {

/// The part of a plan that threads execute. It is small, because nvcc reads all of it for each use.
struct copy_steps {
  static constexpr int most_modes = 12;

  copy_instruction instruction = copy_instruction::any;
  memory_space from_space{}, to_space{};
  architecture target{};
  int bits = 0;         // the width of an element of the plan
  int packed = 1;       // elements of the tile in an element of the plan
  integer tile = 0;     // elements of the plan in the tile
  integer values = 0;   // of one access
  integer bytes = 0;    // contiguous bytes at one address
  integer issues = 0;   // of a thread
  integer threads = 1;  // threads that have accesses
  integer scope = 1;    // threads that call the copy
  axis thread = axis::tid;
  bool cut = false;  // an access may cross the end of the tensor or tile
  copy_outside outside = copy_outside::skip;
  cache_hint cache = cache_hint::none;
  bool from_by_element = false;  // copy_plan::from maps element numbers instead of modes
  bool to_by_element = false;

  list<copy_mode, most_modes> modes{};                      // slowest first
  list<register_digit, most_modes> of_value{}, of_issue{};  // slowest first
  // A thread stores only if its digits in these replicas are 0.
  list<iter, capacity::replicas> stores_once{};

  AXE_FN constexpr integer register_of(integer issue, integer value) const {
    return sum_of_digits(of_value, value) + sum_of_digits(of_issue, issue);
  }
  /// The index in mode k at which access `issue` of thread 0 begins.
  AXE_FN constexpr integer issue_step(int k, integer issue) const {
    copy_mode const& m = modes[k];
    return m.issues == 1 ? 0 : issue / m.issue_stride % m.issues * m.threads * m.values;
  }
  AXE_FN constexpr bool predicated() const {
    for (copy_mode const& m : modes)
      if (m.padded()) return true;
    return cut;
  }
  /// True if accesses have one element, but could be wider.
  AXE_FN constexpr bool one_by_one() const {
    return is_vector(instruction) && values == 1 && bytes < 16;
  }
  AXE_FN constexpr bool asynchronous() const { return is_asynchronous(instruction); }

  constexpr bool operator==(copy_steps const&) const = default;
};

}  // namespace detail

struct copy_plan : detail::copy_steps {
  // From modes to addresses. A side in registers maps to threads and reg.
  layout from{}, to{};
  layout access_partition{};  // (accesses of each mode) -> thread, and the issue on reg
  layout partition{};         // (elements of each mode) -> thread, register

  tma_plan tensor{};

  candidate_list<copy_instruction> candidates{};

  constexpr bool operator==(copy_plan const&) const = default;
};

enum class copy_side : unsigned char { from, to };

namespace detail {

struct planned_side {
  char const* name;
  layout const& where;
  memory_space space;
  bool by_element;
  bool by_stride;  // each mode is one iter
};
AXE_LAZY_FN constexpr planned_side planned_side_of(copy_plan const& plan, copy_side which) {
  bool const from = which == copy_side::from;
  layout const& where = from ? plan.from : plan.to;
  bool const by_element = from ? plan.from_by_element : plan.to_by_element;
  return {from ? "from" : "to", where, from ? plan.from_space : plan.to_space, by_element,
          !by_element && where.shards.count == plan.modes.count};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
