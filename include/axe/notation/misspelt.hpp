// The axis that somebody meant: the known name nearest to a misspelt one.
//
//     lnae -> lane      gpu -> gpuid      cta -> cta_x, the first of the nearest      depth -> none
//
// Distance: insertions, deletions, replacements and swaps of neighbours. A name is near when fewer
// than a third of its characters, and two, are wrong.
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The longest name that is compared; built-in ones have at most 13 characters.
inline constexpr int longest_compared = 15;

/// What turns name a into b, at most `longest_compared` characters each.
AXE_FN constexpr int name_distance(char const* a, int a_length, char const* b, int b_length) {
  int rows[3][longest_compared + 1]{};  // the one before the last, the last, this one
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

/// The axis whose name is nearest, a built-in one or one of `more`; null where none is near.
AXE_FN constexpr axis nearest_axis(char const* name, int length, axis const* more, int more_count) {
  axis nearest = axis::null;
  if (length > longest_compared) return nearest;
  int best = length / 3 + 2;
  auto const offer = [&](axis a, char const* known, int known_length) {
    int const longer = known_length > length ? known_length : length;
    int const away = name_distance(name, length, known, known_length);
    if (away >= best || away >= longer) return;
    best = away;
    nearest = a;
  };
  for (int i = 1; i < built_in_axes; ++i) {
    axis const a = static_cast<axis>(i);
    text<longest_compared> known;
    print_name(known, a);
    offer(a, known.c_str(), known.size());
  }
  for (int i = 0; i < more_count; ++i) {
    text<longest_compared> known;
    print_name(known, more[i]);
    offer(more[i], known.c_str(), known.size());
  }
  return nearest;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
