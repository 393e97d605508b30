// Makes random CuTe layouts of two levels, runs each operation of axe/cute.hpp and checks it with
// plain.hpp. There must be no wrong answer, and no refusal of a case for which plain.hpp finds an
// answer.
//
//     cute_fuzz --cases 200000 [--seed 1] [--only complement]
#include "fuzz.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void coalesce() {
  plain::layout const l = random_layout(5, 6, 400);
  auto const r = cute::try_coalesce(ours(l));
  std::vector<number> const v = plain::values(l);
  bool shortest = true;
  mode const flat = leaves_of(r.value);
  for (std::size_t k = 0; k + 1 < flat.size(); ++k)
    shortest =
        shortest && flat[k].first > 1 && flat[k].first * flat[k].second != flat[k + 1].second;
  note("coalesce", text_of(l), r.why,
       shortest && equals(r.value, plain::size(l),
                          [&](number i) { return v[static_cast<std::size_t>(i)]; }),
       true);
}

void composition() {
  plain::layout const a = random_layout(4, 8, 300);
  plain::layout const b =
      pick(0, 9) == 0 ? random_layout(3, 6, 60) : random_inside(plain::size(a), 3);
  auto const r = cute::try_composition(ours(a), ours(b));
  mode const fa = plain::flat(a);
  mode const fb = plain::flat(b);
  bool const right = r && refines(*r, b) && equals(*r, plain::size(b), [&](number i) {
                       return plain::at(fa, plain::at(fb, i));
                     });
  note("composition", text_of(a) + ", " + text_of(b), r.why, right, plain::composes(fa, fb));
}

/// True if R begins at 0 and ascends, and no two sums of a place of L and a value of R are equal.
/// If each stride of L is a multiple of extent times stride of the digit below, the sums must be
/// consecutive. Their number is then n rounded up to a multiple of extent times stride of the
/// slowest digit. Otherwise the sums need only reach n.
bool complements(mode const& l, mode const& r, number n) {
  std::vector<number> const v = plain::values(r);
  std::vector<number> places = plain::values(l);
  std::set<number> const different(places.begin(), places.end());
  std::set<number> sums;
  for (number j : v)
    for (number i : different) sums.insert(i + j);
  if (v.front() != 0 || !std::is_sorted(v.begin(), v.end()) ||
      std::adjacent_find(v.begin(), v.end()) != v.end())
    return false;
  if (sums.size() != different.size() * v.size()) return false;
  mode sorted;
  for (plain::leaf const& d : l)
    if (d.first > 1 && d.second != 0) sorted.emplace_back(std::abs(d.second), d.first);
  std::sort(sorted.begin(), sorted.end());
  number block = 1;
  bool divides = true;
  for (auto const& [stride, extent] : sorted) {
    divides = divides && stride % block == 0;
    block = stride * extent;
  }
  number const whole = (n + block - 1) / block * block;
  // The sums begin at the least place of L, which is below 0 for negative strides.
  number const least = *different.begin();
  if (divides)
    return static_cast<number>(sums.size()) == whole && *sums.rbegin() == whole - 1 + least;
  return v.back() + std::max(block, *different.rbegin() - least + 1) >= n;
}

void complement() {
  plain::layout const l = random_layout(4, 5, 100);
  number const n = pick(1, 200);
  auto const r = cute::try_complement(ours(l), n);
  note("complement", text_of(l) + ", " + std::to_string(n), r.why,
       r && complements(plain::flat(l), leaves_of(*r), n), plain::injective(plain::flat(l)));
}

bool runs_backwards(plain::layout const& l) {
  for (plain::leaf const& d : plain::flat(l))
    if (d.first > 1 && d.second < 0) return true;
  return false;
}
number floor_divide(number a, number n) { return a >= 0 ? a / n : -((-a + n - 1) / n); }

void right_inverse() {
  plain::layout const l = random_layout(4, 4, 24);
  auto const r = cute::try_right_inverse(ours(l));
  std::vector<number> const v = plain::values(l);
  std::vector<number> const back = plain::values(leaves_of(r.value));
  bool right = r.why.which == axe::rule::none;
  for (std::size_t i = 0; i < back.size() && right; ++i)
    right = back[i] >= 0 && back[i] < static_cast<number>(v.size()) &&
            v[static_cast<std::size_t>(back[i])] == static_cast<number>(i);
  // The oracle finds the longest right inverse of such layouts.
  bool const one_to_one = plain::injective(plain::flat(l)) && !runs_backwards(l);
  note(
      "right_inverse", text_of(l), r.why,
      right && (!one_to_one || static_cast<number>(back.size()) == plain::longest_right_inverse(v)),
      true);
}

/// True if CuTe's left_inverse accepts the strides.
bool strides_divide(plain::layout const& l) {
  std::set<number> strides;
  for (plain::leaf const& d : plain::flat(l))
    if (d.first > 1 && d.second != 0) strides.insert(std::abs(d.second));
  number before = 1;
  for (number stride : strides) {
    if (stride % before != 0) return false;
    before = stride;
  }
  return true;
}

void left_inverse() {
  plain::layout const l = random_layout(3, 4, 12);
  auto const r = cute::try_left_inverse(ours(l));
  std::vector<number> const v = plain::values(l);
  std::map<number, number> wanted;  // for each place, its first element
  for (std::size_t i = v.size(); i-- > 0;) wanted[v[i]] = static_cast<number>(i);
  number const largest = wanted.rbegin()->first;
  bool right = static_cast<bool>(r) && plain::size(leaves_of(r.value)) > largest;
  if (right)
    for (auto const& [place, element] : wanted)
      right = right && plain::at(leaves_of(*r), place) == element;
  bool const invertible = plain::injective(plain::flat(l)) && wanted.begin()->first >= 0;
  note("left_inverse", text_of(l), r.why, right, invertible && strides_divide(l));
}

void max_common() {
  plain::layout const a = random_layout(3, 4, 48);
  plain::layout const b = pick(0, 1) == 0 ? a : random_layout(3, 4, 48);
  auto const r = cute::try_max_common_layout(ours(a), ours(b));
  std::vector<number> const back = plain::values(leaves_of(r.value));
  mode const fa = plain::flat(a);
  mode const fb = plain::flat(b);
  bool right = true;
  for (std::size_t i = 0; i < back.size(); ++i)
    right = right && back[i] < plain::size(fa) &&
            plain::at(fa, back[i]) == static_cast<number>(i) &&
            plain::at(fb, back[i]) == static_cast<number>(i);
  note("max_common_layout", text_of(a) + ", " + text_of(b), r.why, right, true);
}

void logical_divide() {
  plain::layout const a = random_layout(3, 8, 200);
  plain::layout const b = random_inside(plain::size(a), 2);
  auto const rest = cute::try_complement(ours(b), plain::size(a));
  auto const r = cute::try_logical_divide(ours(a), ours(b));
  mode both = plain::flat(b);
  if (rest)
    for (plain::leaf const& d : leaves_of(*rest)) both.push_back(d);
  mode const fa = plain::flat(a);
  bool const right =
      r && cute::rank(*r) == 2 && refines(cute::mode(*r, 0), b) &&
      equals(*r, plain::size(both), [&](number i) { return plain::at(fa, plain::at(both, i)); });
  note("logical_divide", text_of(a) + ", " + text_of(b), r.why, right,
       rest && plain::composes(fa, both));
}

/// A complement of A with at least n elements. If A has gaps, this takes more than size * n places.
axe::outcome<cute::layout> room_for(plain::layout const& a, number n) {
  for (number places = plain::size(a) * n;; places *= 2) {
    auto const over = cute::try_complement(ours(a), places);
    if (!over || cute::size(*over) >= n) return over;
  }
}

void logical_product() {
  plain::layout const a = random_layout(3, 5, 40);
  plain::layout const b = random_layout(2, 5, 20);
  std::vector<number> const vb = plain::values(b);
  number const reach = *std::max_element(vb.begin(), vb.end()) + 1;
  auto const over = room_for(a, reach);
  auto const r = cute::try_logical_product(ours(a), ours(b));
  mode const fa = plain::flat(a);
  mode const fb = plain::flat(b);
  mode const fo = over ? leaves_of(*over) : mode{};
  bool const right =
      r && cute::rank(*r) == 2 && equals(*r, plain::size(a) * plain::size(b), [&](number i) {
        return plain::at(fa, i % plain::size(a)) + plain::at(fo, plain::at(fb, i / plain::size(a)));
      });
  note("logical_product", text_of(a) + ", " + text_of(b), r.why, right,
       over && plain::composes(fo, fb));
}

/// Splits a layout of one mode into a mode for each leaf. One in four of those with several leaves
/// stays as it is.
plain::layout by_modes(plain::layout const& l) {
  if (l.size() > 1 || (l[0].size() > 1 && pick(0, 3) == 0)) return l;
  plain::layout modes;
  for (plain::leaf const& one : l[0]) modes.push_back({one});
  return modes;
}

void blocked_product() {
  plain::layout const a = by_modes(random_layout(3, 4, 30));
  plain::layout b = by_modes(random_layout(3, 4, 20));
  while (b.size() < a.size()) b.push_back({{1, 0}});
  bool const raked = pick(0, 1) == 1;
  auto const r = raked ? cute::try_raked_product(ours(a), ours(b))
                       : cute::try_blocked_product(ours(a), ours(b));
  plain::layout block = a;
  while (block.size() < b.size()) block.push_back({{1, 0}});
  auto const both = cute::try_logical_product(ours(block), ours(b));
  bool right = r && both;
  if (right) {
    mode const fr = leaves_of(*r);
    mode const fp = leaves_of(*both);
    for (number i = 0; i < plain::size(fr) && right; ++i) {
      number rest = i, inside = 0, over = 0, weigh_inside = 1, weigh_over = 1;
      for (std::size_t k = 0; k < b.size(); ++k) {
        number const n = raked ? plain::size(b[k]) : plain::size(block[k]);
        number const m = raked ? plain::size(block[k]) : plain::size(b[k]);
        number const fast = rest % n, slow = rest / n % m;
        rest /= n * m;
        inside += (raked ? slow : fast) * weigh_inside;
        over += (raked ? fast : slow) * weigh_over;
        weigh_inside *= plain::size(block[k]);
        weigh_over *= plain::size(b[k]);
      }
      right = plain::at(fr, i) == plain::at(fp, inside + over * plain::size(block));
    }
  }
  note(raked ? "raked_product" : "blocked_product", text_of(a) + ", " + text_of(b), r.why, right,
       static_cast<bool>(both));
}

void upcast() {
  plain::layout const l = random_layout(3, 8, 100);
  number const n = pick(1, 6);
  auto const r = cute::try_upcast(ours(l), n);
  mode const f = plain::flat(l);
  // A wide element consists of `in_one` elements of a leaf (0: not of a whole number of them). The
  // upcast exists if in_one divides the extent of each leaf, and floor(L / n) is a function of the
  // quotients digit / in_one.
  bool legal = true;
  std::vector<number> cut;
  for (plain::leaf const& d : f) {
    number const in_one = d.first == 1 || d.second % n == 0 ? 1
                          : n % d.second != 0               ? 0
                                              : std::min(n / std::abs(d.second), d.first);
    legal = legal && in_one > 0 && d.first % in_one == 0;
    cut.push_back(in_one);
  }
  auto const coarse = [&](number i) {
    number j = 0, weight = 1;
    for (std::size_t k = 0; k < f.size(); ++k) {
      j += i % f[k].first / cut[k] * weight;
      weight *= f[k].first / cut[k];
      i /= f[k].first;
    }
    return j;
  };
  auto const agrees = [&](auto const& of) {
    for (number i = 0; i < plain::size(f); ++i)
      if (of(coarse(i)) != floor_divide(plain::at(f, i), n)) return false;
    return true;
  };
  if (legal) {
    std::map<number, number> first;
    for (number i = plain::size(f); i-- > 0;) first[coarse(i)] = floor_divide(plain::at(f, i), n);
    legal = agrees([&](number j) { return first[j]; });
  }
  bool const right = r && legal && agrees([&](number j) { return plain::at(leaves_of(*r), j); });
  note("upcast", text_of(l) + ", " + std::to_string(n), r.why, right, legal);
}

void downcast() {
  plain::layout const l = random_layout(3, 6, 60);
  number const n = pick(1, 5);
  auto const r = cute::try_downcast(ours(l), n);
  mode const f = plain::flat(l);
  bool legal = false;
  for (plain::leaf const& d : f) legal = legal || std::abs(d.second) == 1;
  std::multiset<number> wanted, found;
  for (number v : plain::values(f))
    for (number t = 0; t < n; ++t) wanted.insert(v * n + t);
  if (r)
    for (number v : plain::values(leaves_of(*r))) found.insert(v);
  bool right = r && legal && wanted == found;
  // n elements of the leaf that downcast extended are one wide element.
  std::size_t grown = 0;
  number weight = 1;
  if (right && n > 1) {
    mode const g = leaves_of(*r);
    while (grown < f.size() && g[grown].first == f[grown].first &&
           g[grown].second == n * f[grown].second)
      weight *= f[grown++].first;
    for (number i = 0; i < plain::size(g) && right; ++i)
      right =
          floor_divide(plain::at(g, i), n) == plain::at(f, i % weight + i / weight / n * weight);
  }
  note("downcast", text_of(l) + ", " + std::to_string(n), r.why, right, legal);
}

struct operation {
  char const* name;
  void (*run)();
};
constexpr operation operations[] = {{"coalesce", coalesce},
                                    {"composition", composition},
                                    {"complement", complement},
                                    {"right_inverse", right_inverse},
                                    {"left_inverse", left_inverse},
                                    {"max_common_layout", max_common},
                                    {"logical_divide", logical_divide},
                                    {"logical_product", logical_product},
                                    {"blocked_product", blocked_product},
                                    {"upcast", upcast},
                                    {"downcast", downcast}};

}  // namespace

int main(int argc, char** argv) {
  long cases = 100000;
  unsigned seed = 1;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::atol(argv[i + 1]);
    else if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<unsigned>(std::atol(argv[i + 1]));
    else if (std::strcmp(argv[i], "--only") == 0)
      only = argv[i + 1];
    else
      return std::fprintf(stderr, "usage: cute_fuzz [--cases N] [--seed S] [--only OPERATION]\n"),
             2;
  }
  for (operation const& o : operations) {
    if (!only.empty() && only != o.name) continue;
    engine.seed(seed);
    for (long i = 0; i < cases / static_cast<long>(std::size(operations)); ++i) o.run();
  }
  std::printf("%-18s %9s %9s %9s %9s %7s %7s\n", "operation", "asked", "accepted", "rejected",
              "undecided", "wrong", "missed");
  long failed = 0;
  bool idle = counted.empty();
  for (auto const& [name, t] : counted) {
    std::printf("%-18s %9ld %9ld %9ld %9ld %7ld %7ld\n", name.c_str(), t.asked, t.accepted,
                t.rejected, t.undecided, t.wrong, t.missed);
    failed += t.wrong + t.missed;
    idle = idle || t.accepted * 5 < t.asked;
  }
  std::fputs(first_failures.c_str(), stdout);
  if (idle) std::puts("an operation accepted less than a fifth of its cases");
  return failed > 0 || idle ? 1 : 0;
}
