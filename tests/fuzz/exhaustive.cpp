// Tests every small layout with every shape and every region, instead of random ones.
//
//     fuzz_exhaustive --part 3/64
//         D up to 3 digits, extents 2 to 4, strides -3 to 8, on one axis: part 3 of 64
//
// Each D is tested with every slice, window, order, broadcast position, pair of shapes, owner and
// small inner digit, and with rewriting along tid = 4*warp + lane at every offset. The exit code is
// 1 if a result is wrong or a legal case is rejected.
#include "fuzz/case.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {

using namespace fuzz;

struct tally {
  long cases = 0, accepted = 0, rejected = 0, undecided = 0, capacity = 0, bad = 0;
};
std::map<op, tally> tallies;
std::map<std::string, int> shown;

void test(test_case const& c) {
  judgement const j = judge(c);
  tally& t = tallies[c.what];
  ++t.cases;
  t.accepted += j.is == verdict::accepted;
  t.rejected += j.is == verdict::rejected;
  t.undecided += j.is == verdict::undecided;
  t.capacity += j.is == verdict::capacity || j.is == verdict::skipped;
  if (!failed(j)) return;
  ++t.bad;
  if (shown[std::string(name_of(c.what)) + j.why]++ > 0) return;
  std::printf("%s: %s: %s\n", j.is == verdict::wrong ? "WRONG" : "VALID, BUT REJECTED",
              text_of(shrink(c, j.is)).c_str(), j.why);
}

/// Appends every ordered list of factors of n, from 2 up.
void shapes_of(number n, shape begun, std::vector<shape>& out) {
  if (n == 1) {
    out.push_back(begun.empty() ? shape{1} : begun);
    return;
  }
  for (number e = 2; e <= n; ++e) {
    if (n % e != 0) continue;
    begun.push_back(e);
    shapes_of(n / e, begun, out);
    begun.pop_back();
  }
}
std::vector<shape> const& shapes_of(number n) {
  static std::map<number, std::vector<shape>> known;
  std::vector<shape>& out = known[n];
  if (out.empty()) shapes_of(n, {}, out);
  return out;
}

void every_region(test_case& c, std::size_t dimension) {
  if (dimension == c.s_a.size()) return test(c);
  for (number b = 0; b < c.s_a[dimension]; ++b)
    for (number e = b + 1; e <= c.s_a[dimension]; ++e) {
      c.box[dimension] = {b, e};
      every_region(c, dimension + 1);
    }
}

void every_window(test_case& c, std::size_t dimension) {
  if (dimension == c.s_a.size()) return test(c);
  for (number w = 1; w <= c.s_a[dimension]; ++w) {
    c.order[dimension] = w;
    every_window(c, dimension + 1);
  }
}

void every_shape(axe::layout const& l, number size, bool slices) {
  test_case c;
  c.a = l;
  for (shape const& s : shapes_of(size)) {
    c.s_a = s;
    if (slices) {
      c.what = op::slice;
      c.box.assign(s.size(), {});
      every_region(c, 0);
      c.box.clear();
      c.what = op::window;
      c.order.assign(s.size(), 1);
      every_window(c, 0);
    }
    for (op what : {op::group, op::places}) {
      c.what = what;
      test(c);
    }
    c.what = op::group_many;
    for (shape const& other : shapes_of(size)) {
      if (other.size() > 2) continue;
      c.order = other;
      test(c);
    }
    c.what = op::tile_to;
    c.order = s;
    c.order.back() *= 2;
    test(c);
    c.what = op::permute;
    c.order.clear();
    for (std::size_t k = 0; k < s.size(); ++k) c.order.push_back(static_cast<number>(k));
    do test(c);
    while (std::next_permutation(c.order.begin(), c.order.end()));
    c.order.clear();
    c.what = op::broadcast;
    c.extent = 3;
    for (c.where = 0; c.where <= static_cast<number>(s.size()); ++c.where) test(c);
  }
}

void every_other_operation(axe::layout const& l) {
  test_case c;
  c.a = l;
  for (op what : {op::canonicalize, op::is_injective, op::measures}) {
    c.what = what;
    test(c);
  }
  c.named = {axe::axis::m};
  c.s_a = {axe::size(l)};
  for (number at = (axe::min)(l, axe::axis::m) - 1; at <= (axe::max)(l, axe::axis::m) + 1; ++at)
    for (op what : {op::elements, op::owner_has, op::owned_by, op::not_owned_by}) {
      c.what = what;
      c.at = {at};
      test(c);
    }
  c.what = op::coverage;
  c.at = {(axe::max)(l, axe::axis::m) + 1};
  test(c);
  c.at.clear();
  c.s_a.clear();
  c.what = op::inverse;
  c.named = {axe::axis::m};
  test(c);
  c.named.clear();
  for (number n = 2; n <= 4; ++n) {
    c.extent = n;
    c.what = op::pack;
    test(c);
    c.what = op::unpack;
    test(c);
  }
  c.what = op::compose;
  for (number e = 2; e <= 4; ++e)
    for (number stride = 0; stride <= 8; ++stride) {
      c.b = axe::layout{};
      c.b.shards.push({e, stride, axe::axis::m});
      test(c);
    }
  c.b = axe::layout{};
  c.what = op::on_axis;
  for (axe::axis a : {axe::axis::m, axe::axis::lane}) {
    c.on = a;
    test(c);
  }
  c.what = op::rewrite;
  c.made_of = {axe::axis::tid, axe::place{{4, axe::axis::warp}, {1, axe::axis::lane}}};
  for (axe::iter& i : c.a.shards) i.on = axe::axis::tid;
  for (number o = 0; o < 4; ++o) {
    c.a.offsets.clear();
    if (o != 0) c.a.offsets.push({o, axe::axis::tid});
    test(c);
  }
}

}  // namespace

int main(int argc, char** argv) {
  long part = 0, parts = 1;
  bool slices = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-slices") == 0) {
      slices = false;
    } else if (std::strcmp(argv[i], "--part") != 0 || i + 1 == argc ||
               std::sscanf(argv[++i], "%ld/%ld", &part, &parts) != 2 || parts < 1) {
      std::fprintf(stderr, "usage: fuzz_exhaustive [--part K/N] [--no-slices]\n");
      return 2;
    }
  }
  constexpr int extents = 3, strides = 12, digits = extents * strides;
  long number_of = 0;
  auto last_report = std::chrono::steady_clock::now();
  for (int length = 1; length <= 3; ++length) {
    std::vector<int> picked(static_cast<std::size_t>(length), 0);
    for (bool more = true; more;) {
      if (number_of++ % parts == part % parts) {
        axe::layout l;
        for (int n : picked) l.shards.push({n % extents + 2, n / extents - 3, axe::axis::m});
        every_shape(l, axe::size(l), slices);
        every_other_operation(l);
        if (std::chrono::steady_clock::now() - last_report > std::chrono::seconds(10)) {
          last_report = std::chrono::steady_clock::now();
          std::fprintf(stderr, "fuzz_exhaustive: list %ld of 47988\n", number_of);
        }
      }
      std::size_t k = picked.size();
      while (k > 0 && ++picked[k - 1] == digits) picked[--k] = 0;
      more = k > 0;
    }
  }
  long bad = 0;
  std::printf("%-14s %12s %12s %12s %10s %10s %8s\n", "operation", "cases", "accepted", "rejected",
              "undecided", "capacity", "failures");
  for (auto const& [what, t] : tallies) {
    std::printf("%-14s %12ld %12ld %12ld %10ld %10ld %8ld\n", name_of(what), t.cases, t.accepted,
                t.rejected, t.undecided, t.capacity, t.bad);
    bad += t.bad;
  }
  return bad == 0 ? 0 : 1;
}
