// One case of the fuzzer: an operation and its operands. A case can be printed, shrunk and judged
// again.
//
//     slice(S[(8,8):(100,1)], (64), (4:20))
//
// judge() runs the operation of the library and compares the answer with expected.hpp. Verdicts: a
// right answer (accepted), a right refusal (rejected), a failure (wrong, missed), or not judged.
#pragma once

#include "fuzz/expected_pairs.hpp"

#include <axe/algebra/factor.hpp>
#include <axe/algebra/window.hpp>
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
  axe::layout a, b;     // for compose_swizzle, b has the swizzle that is applied to a
  axe::layout missing;  // for factors: the other operand of T, if T was composed
  shape s_a, s_b;
  std::vector<range> box;
  shape order;                  // for permute; the second shape of group_many; a window's extents
  number where = 0;             // a broadcast's position; storage, threads or devices to project on
  number extent = 1;            // for broadcast, pack and unpack
  axe::axis on = axe::axis::m;  // for pack, unpack and on_axis
  std::vector<axe::axis> named;   // for inverse and coverage; the axes of an owner
  std::vector<number> at;         // positions on the axes `named`; for coverage the number of each
  axe::axis_composition made_of;  // for rewrite
};

enum class verdict { accepted, rejected, undecided, capacity, skipped, wrong, missed };

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
/// The simplest case with the same failure. Each step simplifies one part of the case.
test_case shrink(test_case c, verdict failing);

/// An operation that is judged with a changed answer or expectation, to test the fuzzer; op(-1) for
/// none.
extern op broken;
/// An operation that answers with a refusal, to test the fuzzer; op(-1) for none.
extern op refusing;

}  // namespace fuzz
