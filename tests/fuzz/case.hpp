// One case: an operation and its operands, which can be printed, shrunk and judged again.
//
//     slice(S[(8,8):(100,1)], (64), (4:20))
//
// judge() runs the library's operation and compares it with expected.hpp. It is accepted and right,
// rejected because there is no answer, or one of the failures.
#pragma once

#include "fuzz/expected_pairs.hpp"

#include <axe/axe.hpp>

#include <string>

namespace fuzz {

enum class op {
  canonicalize,
  equivalent,
  is_injective,
  group,
  group_many,
  permute,
  broadcast,
  slice,
  tile,
  tile_to,
  direct_sum,
  tile_outer,
  tile_inner,
  sum_outer,
  sum_inner,
  compose,
  compose_swizzle,
  inverse,
  rewrite,
  pack,
  unpack,
  window,
  on_axis,
  project,
  coverage,
  owned_by,
  not_owned_by,
  measures,
  places,
  elements,
  owner_has
};
inline constexpr int operations = static_cast<int>(op::owner_has) + 1;
char const* name_of(op what);

struct test_case {
  op what = op::canonicalize;
  axe::layout a, b;     // compose_swizzle: b holds the swizzle that is applied to a
  axe::layout missing;  // recognisers: the other operand, if T was composed
  shape s_a, s_b;
  std::vector<range> box;
  shape order;                    // permute; group_many: the second shape; window: its extents
  number where = 0;               // broadcast: position; project: storage, threads or devices
  number extent = 1;              // broadcast, pack, unpack
  axe::axis on = axe::axis::m;    // pack, unpack, on_axis
  std::vector<axe::axis> named;   // inverse, coverage; the axes of an owner
  std::vector<number> at;         // positions on the named axes; coverage: their number
  axe::axis_composition made_of;  // rewrite
};

enum class verdict { accepted, refused, undecided, capacity, skipped, wrong, missed };

struct judgement {
  verdict is = verdict::accepted;
  char const* why = "";
};
judgement judge(test_case const& c);
inline bool failed(judgement const& j) { return j.is == verdict::wrong || j.is == verdict::missed; }

/// True if the operation has two operands.
inline bool takes_two(op what) {
  switch (what) {
    case op::equivalent:
    case op::tile:
    case op::direct_sum:
    case op::tile_outer:
    case op::tile_inner:
    case op::sum_outer:
    case op::sum_inner:
    case op::compose: return true;
    default: return false;
  }
}

std::string text_of(test_case const& c);
/// The simplest case with the same failure, found by simplifying one thing at a time.
test_case shrink(test_case c, verdict failing);

/// Adds 1 to the last stride of one operation's answers, to test the fuzzer. Off for op(-1).
extern op broken;
/// Makes one operation answer with a refusal, to test the fuzzer. Off for op(-1).
extern op refusing;

}  // namespace fuzz
