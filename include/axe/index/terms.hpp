// SPDX-License-Identifier: MIT
// The term of a register t in an address: the sum over j of weight_j * floor(t / boundary_j).
//
//     digits (7,48):(100,1), x below 336                         1*x + 52*floor(x/48)
//
// Definition: docs/index_code.md, "Quotients and carries".
#pragma once

#include <axe/index/coordinate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// weight * floor(t / boundary). No initialisers: compilers would evaluate thousands.
struct quotient_term {
  integer boundary;
  integer weight;
};
using quotient_sum = list<quotient_term, 2 * capacity::shards>;

struct part_data {
  int dimension = 0;
  stl::uint64_t name = 0;  // parts of one name share a register; 0: shares none
  integer range = 0;       // the register is below this; 0: any number
  integer step = 0;
  integer divisor = 0;
  integer extent = 0;  // 0: no modulo
  integer first = 0;   // of the name

  AXE_FN constexpr bool whole() const { return divisor == 1 && extent == 0; }
  AXE_FN constexpr bool shares_register(part_data const& other) const {
    return name != 0 && name == other.name && first == other.first;
  }
  /// True if the modulo changes nothing.
  AXE_FN constexpr bool needs_no_modulo() const {
    return extent == 0 || (range != 0 && divisor * extent >= range);
  }
  /// The number of the digit's values, or 0 if it has no bound.
  AXE_FN constexpr integer values() const {
    integer const quotients = range == 0 ? 0 : (range - 1) / divisor + 1;
    if (extent == 0) return quotients;
    return quotients == 0 || quotients > extent ? extent : quotients;
  }
};

struct coordinate_parts {
  part_data const* parts;
  int count;
  integer const* constants;
};
inline constexpr int most_parts = 32;
using part_list = list<part_data, most_parts>;

/// Keeps boundaries ascending and drops terms of weight 0. False if the sum is full.
AXE_FN constexpr bool add_term(quotient_sum& sum, integer boundary, integer weight) {
  if (weight == 0) return true;
  int at = 0;
  while (at < sum.count && sum[at].boundary < boundary) ++at;
  if (at < sum.count && sum[at].boundary == boundary) {
    sum[at].weight += weight;
    if (sum[at].weight == 0) sum.erase(at);
    return true;
  }
  return sum.insert(at, {boundary, weight});
}

/// An upper bound of step * v mod boundary for v < values.
AXE_FN constexpr integer largest_remainder(integer step, integer values, integer boundary) {
  if (step % boundary == 0) return 0;
  integer const all = step * (values - 1);
  if (all < boundary) return all;
  return boundary - greatest_common_divisor(step, boundary);
}

/// Consecutive dimensions that share digits, with one row-major index.
struct dimension_run {
  integer extent = 1;
  int first = 0;
  int count = 0;
  int first_digit = 0;
  int digits = 0;
  bool added_up = false;  // parts may carry, so one register holds their sum

  AXE_FN constexpr bool holds(int dimension) const {
    return dimension >= first && dimension < first + count;
  }
};

/// The digits of a run. d(x) is the address of row-major index x.
struct run_digits {
  iter const* fastest_first;
  int count;
  integer extent;
};

/// Adds the terms of d(step * v) for v < values. False if that is not a sum of quotients of v.
AXE_FN constexpr bool terms_of_part(run_digits const& d, integer step, integer values,
                                    quotient_sum& out) {
  integer divisor = 1;
  for (int k = 0; k < d.count; ++k) {
    iter const digit = d.fastest_first[k];
    bool const slowest = k + 1 == d.count;
    if (step % divisor == 0) {
      integer const turns = step / divisor;  // the digit is turns * v mod extent
      if (slowest || turns * (values - 1) < digit.extent) {
        add_term(out, 1, turns * digit.stride);
      } else if (turns % digit.extent != 0) {
        if (digit.extent % turns != 0) return false;
        integer const period = digit.extent / turns;
        add_term(out, 1, turns * digit.stride);
        add_term(out, period, -digit.extent * digit.stride);
      }
    } else if (divisor % step == 0) {
      integer const boundary = divisor / step;  // the least v whose digit is 1
      if (values <= boundary) break;
      add_term(out, boundary, digit.stride);
      if (!slowest && values > boundary * digit.extent)
        add_term(out, boundary * digit.extent, -digit.extent * digit.stride);
    } else if (step * (values - 1) >= divisor) {
      return false;
    }
    if (!slowest) divisor *= digit.extent;
  }
  return true;
}

/// divisors[k] is the product of the k + 1 fastest extents. sums[k] adds up the largest values of
/// `part mod divisors[k]`.
struct largest_remainders {
  list<integer, capacity::shards> divisors;
  list<integer, capacity::shards> sums;

  AXE_FN constexpr bool may_carry(integer constant) const {
    for (int k = 0; k < divisors.count; ++k)
      if (constant - floor_divide(constant, divisors[k]) * divisors[k] + sums[k] >= divisors[k])
        return true;
    return false;
  }
};
AXE_FN constexpr largest_remainders remainders_of(run_digits const& d, part_list const& parts) {
  largest_remainders result;
  integer divisor = 1;
  for (int k = 0; k + 1 < d.count; ++k) {
    divisor *= d.fastest_first[k].extent;
    integer sum = 0;
    for (part_data const& p : parts)
      sum += largest_remainder(p.step, p.values() == 0 ? d.extent : p.values(), divisor);
    result.divisors.push(divisor);
    result.sums.push(sum);
  }
  return result;
}

/// Returns d(x). A negative x is divided with floor: -1 in digits (4,8) is (-1,7).
AXE_FN constexpr integer address_at(run_digits const& d, integer x) {
  integer at = 0;
  for (int k = 0; k < d.count; ++k) {
    iter const digit = d.fastest_first[k];
    bool const slowest = k + 1 == d.count;
    integer const above = slowest ? 0 : floor_divide(x, digit.extent);
    at += (x - above * digit.extent) * digit.stride;
    x = above;
  }
  return at;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
