// An oracle for CuTe's operations, which includes no header of the library. Layouts are plain lists
// of numbers, and the required answers are computed by brute force over all points.
//
//     layout {{{4, 1}, {2, 8}}, {{3, 4}}}   ((4,2),3):((1,8),4), two levels, first mode fastest
//     is_digit_list({0, 1, 10, 11})         true: some layout has these values
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace plain {

using number = long long;
using leaf = std::pair<number, number>;  // (extent, stride)
using mode = std::vector<leaf>;
using layout = std::vector<mode>;

inline number size(mode const& m) {
  number n = 1;
  for (leaf const& l : m) n *= l.first;
  return n;
}
inline mode flat(layout const& l) {
  mode all;
  for (mode const& m : l) all.insert(all.end(), m.begin(), m.end());
  return all;
}
inline number size(layout const& l) { return size(flat(l)); }
inline number at(mode const& m, number i) {
  number sum = 0;
  for (leaf const& l : m) {
    sum += i % l.first * l.second;
    i /= l.first;
  }
  return sum;
}
inline std::vector<number> values(mode const& m) {
  std::vector<number> all;
  for (number i = 0; i < size(m); ++i) all.push_back(at(m, i));
  return all;
}
inline std::vector<number> values(layout const& l) { return values(flat(l)); }

/// True if the values, of which the first is 0, are those of some list of extents and strides.
/// Tries every divisor as the first extent.
inline bool is_digit_list(std::vector<number> const& f) {
  if (f.front() != 0) return false;
  if (f.size() == 1) return true;
  for (std::size_t n = 2; n <= f.size(); ++n) {
    if (f.size() % n != 0) continue;
    bool repeats = true;
    for (std::size_t i = 0; i < f.size() && repeats; ++i)
      repeats = f[i] == f[i - i % n] + static_cast<number>(i % n) * f[1];
    if (!repeats) continue;
    std::vector<number> rest;
    for (std::size_t i = 0; i < f.size(); i += n) rest.push_back(f[i]);
    if (is_digit_list(rest)) return true;
  }
  return false;
}

/// True if there is an R with R(c) = A(B(c)) that has a mode for each leaf of B.
inline bool composes(mode const& a, mode const& b) {
  for (number v : values(b))
    if (v < 0 || v >= size(a)) return false;
  std::vector<std::vector<number>> parts;
  for (leaf const& l : b) {
    std::vector<number> part;
    for (number c = 0; c < l.first; ++c) part.push_back(at(a, c * l.second));
    if (!is_digit_list(part)) return false;
    parts.push_back(part);
  }
  for (number i = 0; i < size(b); ++i) {
    number sum = 0;
    number rest = i;
    for (std::size_t k = 0; k < b.size(); ++k) {
      sum += parts[k][static_cast<std::size_t>(rest % b[k].first)];
      rest /= b[k].first;
    }
    if (sum != at(a, at(b, i))) return false;
  }
  return true;
}

/// True if different coordinates have different places. Leaves of stride 0 are ignored.
inline bool injective(mode m) {
  for (leaf& l : m)
    if (l.second == 0) l.first = 1;
  std::vector<number> all = values(m);
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

/// The size of the longest R with L(R(i)) = i. Tries every digit of every stride.
inline number longest_right_inverse(std::vector<number> const& l,
                                    std::vector<number> const& r = {0}) {
  number best = static_cast<number>(r.size());
  for (number stride = 1; stride < static_cast<number>(l.size()); ++stride) {
    std::vector<number> more = r;
    for (number n = 2;; ++n) {
      bool good = true;
      for (std::size_t i = 0; i < r.size() && good; ++i) {
        number const element = r[i] + (n - 1) * stride;
        good = element < static_cast<number>(l.size()) &&
               l[static_cast<std::size_t>(element)] == static_cast<number>(more.size());
        more.push_back(element);
      }
      if (!good) break;
      best = std::max(best, longest_right_inverse(l, more));
    }
  }
  return best;
}

}  // namespace plain
