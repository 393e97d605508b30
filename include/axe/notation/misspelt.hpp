// SPDX-License-Identifier: MIT
// Finds the known name nearest to a misspelt one: lnae -> lane, gpu -> gpuid.
#pragma once

#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

inline constexpr int longest_compared = 40;

/// The optimal string alignment distance.
AXE_FN constexpr int name_distance(char const* a, int a_length, char const* b, int b_length) {
  // rows[2][j] is the distance between a's first i characters and b's first j. rows[1] and rows[0]
  // are those for i - 1 and i - 2.
  int rows[3][longest_compared + 1]{};
  for (int j = 0; j <= b_length; ++j) rows[1][j] = j;
  for (int i = 1; i <= a_length; ++i) {
    rows[2][0] = i;
    for (int j = 1; j <= b_length; ++j) {
      int best = rows[1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      if (rows[1][j] + 1 < best) best = rows[1][j] + 1;
      if (rows[2][j - 1] + 1 < best) best = rows[2][j - 1] + 1;
      bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && rows[0][j - 2] + 1 < best) best = rows[0][j - 2] + 1;
      rows[2][j] = best;
    }
    for (int j = 0; j <= b_length; ++j) {
      rows[0][j] = rows[1][j];
      rows[1][j] = rows[2][j];
    }
  }
  return rows[1][b_length];
}

struct nearest_name {
  char const* wanted;
  int length;
  int best = length / 3 + 2;

  /// True if near, and nearer than every name before.
  AXE_FN constexpr bool offer(char const* known, int known_length) {
    if (length > longest_compared || known_length > longest_compared) return false;
    int const longer = known_length > length ? known_length : length;
    int const away = name_distance(wanted, length, known, known_length);
    if (away >= best || 2 * away > longer) return false;
    best = away;
    return true;
  }
};

AXE_FN constexpr axis nearest_axis(char const* name, int length, axis const* more, int more_count) {
  nearest_name search{name, length};
  axis nearest = axis::null;
  auto const offer = [&](axis a) {
    text<longest_compared> known;
    print_name(known, a);
    if (search.offer(known.c_str(), known.size())) nearest = a;
  };
  for (int i = 1; i < built_in_axes; ++i) offer(static_cast<axis>(i));
  for (int i = 0; i < more_count; ++i) offer(more[i]);
  return nearest;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
