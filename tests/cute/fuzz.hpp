// Helpers of the fuzzer fuzz.cpp: makes random layouts of two levels, converts between plain lists
// and axe::cute::layout, and counts the results of each operation.
//
//     random_layout(4, 8, 300)            up to 4 leaves of extents up to 8, 300 elements at most
//     note("coalesce", …)        counts right, wrong, rejected, and rejected although legal
#pragma once

#include "plain.hpp"

#include <axe/cute.hpp>

#include <random>

namespace {

namespace cute = axe::cute;
using plain::mode;
using plain::number;

struct tally {
  long asked = 0, accepted = 0, rejected = 0, undecided = 0, wrong = 0, missed = 0;
};
std::map<std::string, tally> counted;
std::string first_failures;

std::string text_of(plain::layout const& l) {
  std::string shape, stride;
  for (mode const& m : l) {
    std::string e, d;
    for (plain::leaf const& one : m) {
      e += (e.empty() ? "" : ",") + std::to_string(one.first);
      d += (d.empty() ? "" : ",") + std::to_string(one.second);
    }
    shape += (shape.empty() ? "" : ",") + (m.size() == 1 ? e : "(" + e + ")");
    stride += (stride.empty() ? "" : ",") + (m.size() == 1 ? d : "(" + d + ")");
  }
  if (l.size() == 1 && l[0].size() == 1) return shape + ":" + stride;
  return "(" + shape + "):(" + stride + ")";
}
cute::layout ours(plain::layout const& l) {
  std::string const words = text_of(l);
  return cute::parse(words.c_str());
}
mode leaves_of(cute::layout const& l) {
  mode all;
  for (int k = 0; k < l.leaf_count(); ++k) all.emplace_back(l[k].extent, l[k].stride);
  return all;
}
mode mode_of(cute::layout const& l, int k) { return leaves_of(cute::mode(l, k)); }

std::mt19937_64 engine;
number pick(number from, number to) {
  return from + static_cast<number>(engine() % static_cast<std::uint64_t>(to - from + 1));
}

/// Makes a random layout that is compact in some order, or has gaps, arbitrary strides or negative
/// strides.
plain::layout random_layout(number most_leaves, number most_extent, number most_size) {
  plain::layout l;
  do {
    l.clear();
    number const count = pick(1, most_leaves);
    mode all;
    for (number k = 0; k < count; ++k) all.emplace_back(pick(1, most_extent), 0);
    std::vector<std::size_t> order(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::shuffle(order.begin(), order.end(), engine);
    number const style = pick(0, 6);
    number next = style == 1 ? pick(1, 3) : 1;
    for (std::size_t k : order) {
      all[k].second = next;
      next *= all[k].first;
      if (style == 1) next += pick(0, 2) * (pick(0, 1) == 0 ? 1 : next);
      if (style == 2) all[k].second = pick(0, 7);
      if (style == 3 && pick(0, 3) == 0) all[k].second = 0;
      if (style == 6 && pick(0, 1) == 0) all[k].second = -all[k].second;
    }
    if (style == 0)
      std::sort(all.begin(), all.end(), [](auto a, auto b) { return a.second < b.second; });
    for (plain::leaf const& one : all) {
      if (l.empty() || pick(0, 2) > 0) l.emplace_back();
      l.back().push_back(one);
    }
  } while (plain::size(l) > most_size);
  return l;
}

/// Makes a random inner operand of composition: a layout whose places are at least 0 and below n.
plain::layout random_inside(number n, number most_leaves) {
  for (int turn = 0; turn < 40; ++turn) {
    plain::layout l = random_layout(most_leaves, 6, n);
    std::vector<number> const v = plain::values(l);
    if (*std::max_element(v.begin(), v.end()) < n && *std::min_element(v.begin(), v.end()) >= 0)
      return l;
  }
  return {{{1, 0}}};
}

void note(std::string const& name, std::string const& question, axe::refusal const& why, bool right,
          bool legal) {
  tally& t = counted[name];
  ++t.asked;
  bool failed = false;
  if (why.which == axe::rule::none) {
    ++t.accepted;
    failed = !right;
    t.wrong += failed;
  } else {
    ++t.rejected;
    bool const undecided = why.which == axe::rule::undecided;
    t.undecided += undecided;
    failed = legal && !undecided;
    t.missed += failed;
  }
  if (failed && first_failures.size() < 4000)
    first_failures += name + "(" + question + "): " +
                      (why.which == axe::rule::none ? "WRONG" : axe::sentence(why).c_str()) + "\n";
}

/// True if R has `size` elements and R(i) = wanted(i) for all i.
template <class Wanted> bool equals(cute::layout const& r, number size, Wanted const& wanted) {
  mode const all = leaves_of(r);
  if (plain::size(all) != size) return false;
  for (number i = 0; i < size; ++i)
    if (plain::at(all, i) != wanted(i)) return false;
  return true;
}

/// True if R has the modes of B, each with the same size.
bool refines(cute::layout const& r, plain::layout const& b) {
  bool const is_leaf = b.size() == 1 && b[0].size() == 1;
  if (!is_leaf && cute::rank(r) != static_cast<int>(b.size())) return false;
  for (std::size_t k = 0; k < b.size(); ++k) {
    cute::layout const part = is_leaf ? r : cute::mode(r, static_cast<int>(k));
    if (plain::size(leaves_of(part)) != plain::size(b[k])) return false;
    for (std::size_t j = 0; b[k].size() > 1 && j < b[k].size(); ++j)
      if (plain::size(mode_of(part, static_cast<int>(j))) != b[k][j].first) return false;
  }
  return true;
}

}  // namespace
