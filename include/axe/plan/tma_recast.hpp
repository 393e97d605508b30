// Element sizes of tensor maps are 1, 2, 4 and 8 bytes: narrower elements are counted in bytes,
// wider ones in halves.
//
//     4-bit elements, rows of 128, 64 of them in a box        bytes, rows of 64, 32 in a box
//
// Source: CUDA driver API, CUtensorMapDataType. Definition: docs/plans.md, "Tensor maps".
#pragma once

#include <axe/plan/tma_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The atom that is contiguous in both memories, or -1.
AXE_LAZY_FN constexpr int adjacent_atom(tma_digits const& d) {
  for (int k = 0; k < d.atoms.size(); ++k) {
    tma_atom const& a = d.atoms[k];
    if (a.shared != 1 || a.run < 0 || a.step != 1) continue;
    tma_number const& stride = d.runs[a.run].stride;
    if (stride.known() && stride.value() == 1) return k;
  }
  return -1;
}

/// Merges each `each` elements into one unit.
AXE_LAZY_FN constexpr refusal pack_digits(tma_digits& d, integer each) {
  int const row = adjacent_atom(d);
  if (row < 0 || d.atoms[row].extent % each != 0) return {rule::tma_narrow, {each}};
  int const along = d.atoms[row].run;
  for (int r = 0; r < d.runs.size(); ++r) {
    tma_run& run = d.runs[r];
    if (run.gone) continue;
    if (r != along) {
      if (run.stride.divisor() % each != 0) return {rule::tma_narrow, {each}};
      run.stride = run.stride.divided(each);
      continue;
    }
    if (run.extent.divisor() % each != 0) return {rule::tma_extent, {run.extent.divisor(), each}};
    run.extent = run.extent.divided(each);
    run.taken /= each;
    for (tma_move& m : run.moves) m.factor /= each;
  }
  for (int k = 0; k < d.atoms.size(); ++k) {
    tma_atom& a = d.atoms[k];
    if (k == row) {
      a.extent /= each;
      continue;
    }
    if (a.shared % each != 0 || (a.run == along && a.step % each != 0))
      return {rule::tma_narrow, {each}};
    a.shared /= each;
    if (a.run == along) a.step /= each;
  }
  return {};
}

/// Splits each element into `each` units.
AXE_LAZY_FN constexpr refusal unpack_digits(tma_digits& d, integer each) {
  int const row = adjacent_atom(d);
  int const along = row < 0 ? -1 : d.atoms[row].run;
  for (int r = 0; r < d.runs.size(); ++r) {
    tma_run& run = d.runs[r];
    if (r != along) {
      run.stride = run.stride.multiplied(each);
      continue;
    }
    run.extent = run.extent.multiplied(each);
    run.taken *= each;
    for (tma_move& m : run.moves) m.factor *= each;
  }
  for (int k = 0; k < d.atoms.size(); ++k) {
    tma_atom& a = d.atoms[k];
    if (k == row) {
      a.extent *= each;
      continue;
    }
    a.shared *= each;
    if (a.run == along) a.step *= each;
  }
  if (row >= 0) return {};
  d.atoms.push({d.runs.size(), each, 1, 1});
  if (!d.runs.push({tma_number(each), tma_number(integer{1}), each, false, {}}))
    return {rule::too_many_shards, {d.runs.size() + 1}};
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
