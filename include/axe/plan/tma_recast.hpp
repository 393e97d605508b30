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

/// Counts in units: `each` elements become one if `narrow`, else each element becomes `each`.
AXE_LAZY_FN constexpr refusal recast_digits(tma_digits& d, integer each, bool narrow) {
  integer const times = narrow ? 1 : each, over = narrow ? each : 1;
  int const row = adjacent_atom(d);
  if (narrow && row < 0) return {rule::tma_narrow, {each}};
  int const along = row < 0 ? -1 : d.atoms[row].run;
  bool whole = true;
  auto const scale = [&](integer& n) {
    whole = whole && n * times % over == 0;
    n = n * times / over;
  };
  auto const scale_number = [&](tma_number& n) {
    whole = whole && n.divisor() * times % over == 0;
    n = whole ? n.scaled(times, over) : n;
  };
  for (int k = 0; k < d.atoms.size(); ++k) {
    tma_atom& a = d.atoms[k];
    scale(k == row ? a.extent : a.shared);
    if (k != row && a.run == along) scale(a.step);
  }
  for (int r = 0; r < d.runs.size(); ++r) {
    tma_run& run = d.runs[r];
    if (run.gone) continue;
    if (r != along) {
      scale_number(run.stride);
      continue;
    }
    if (run.extent.divisor() * times % over != 0)
      return {rule::tma_extent, {run.extent.divisor(), each}};
    scale_number(run.extent);
    scale(run.taken);
    for (tma_move& m : run.moves) scale(m.factor);
  }
  if (!whole) return {rule::tma_narrow, {each}};
  if (row >= 0) return {};
  d.atoms.push({d.runs.size(), each, 1, 1});
  if (!d.runs.push({tma_number(each), tma_number(integer{1}), each, false, {}}))
    return {rule::too_many_shards, {d.runs.size() + 1}};
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
