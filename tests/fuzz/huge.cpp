// Tests numbers near the limits of 64 bits: every operation must return a result or a refusal, and
// never overflow, trap or hang. The program has no oracle. It checks that results are valid
// layouts, and the preset asan reports overflows.
//
//     fuzz_huge --cases 200000 --seed 7
#include "fuzz/generate.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace fuzz;

number huge(dice& d) {
  static std::vector<number> const ends{INT64_MAX,     INT64_MAX - 1, INT64_MIN,    INT64_MIN + 1,
                                        INT64_MAX / 2, INT64_MIN / 2, INT64_MAX / 3};
  if (d.chance(30)) return d.pick(ends);
  number const n = (number{1} << d.between(20, 62)) + d.between(-3, 3);
  return d.chance(50) ? n : -n;
}

void enlarge(dice& d, axe::layout& l) {
  auto const some = [&](axe::iter& i) {
    if (i.stride != 0 && d.chance(40)) i.stride = huge(d);
    if (d.chance(8)) i.extent = number{1} << d.between(10, 62);
  };
  for (axe::iter& i : l.shards) some(i);
  for (axe::iter& i : l.replicas) some(i);
  for (axe::term& t : l.offsets)
    if (d.chance(40)) t.n = huge(d);
}

axe::shape to_axe(shape const& s) {
  axe::shape out;
  for (number e : s) out.append(axe::tree(e));
  return out;
}

/// The extents of the layout's digits as a shape, with entries 1 added up to `rank` entries.
shape digits_as_shape(axe::layout const& l, std::size_t rank) {
  shape s;
  for (axe::iter const& i : l.shards) s.push_back(i.extent);
  while (s.size() < rank) s.push_back(1);
  return s;
}

long answers = 0, refusals = 0;

bool fine(axe::outcome<axe::layout> const& got) {
  ++(got ? answers : refusals);
  return !got || axe::check(*got).which == axe::rule::none;
}

std::size_t rank_of(test_case const& c) {
  int const digits = std::max(c.a.shards.size(), c.b.shards.size());
  return static_cast<std::size_t>(std::max(digits, 1));
}

axe::step_limit const few(2000);

/// The shapes of both layouts, and other operands with numbers near the limits.
struct operands {
  dice& d;
  test_case const& c;
  std::size_t rank = rank_of(c);
  shape whole = digits_as_shape(c.a, rank);
  axe::shape s_a = to_axe(whole), s_b = to_axe(digits_as_shape(c.b, rank));

  axe::coordinate reversed() const {
    axe::shape order;
    for (std::size_t k = rank; k > 0; --k) order.append(axe::tree(static_cast<number>(k - 1)));
    return axe::coordinate(order);
  }
  axe::coordinate first() const { return axe::coordinate(to_axe(shape(rank, 0))); }

  axe::region region() {
    axe::region r;
    for (number e : whole) {
      number const b = d.chance(50) ? 0 : e / 3;
      r.ranges.push({b, d.chance(50) ? e : b + 1});
    }
    return r;
  }
  number width() { return d.chance(70) ? c.extent : huge(d); }
  axe::axis_list axes() const {
    axe::axis_list named;
    for (axe::axis a : c.named) named.push(a);
    return named;
  }
  axe::box box() {
    axe::box made;
    for (axe::axis a : c.named) made.axes.push({a, huge(d)});
    return made;
  }
  axe::place owner() {
    axe::place at;
    for (axe::axis a : c.named) at.add({huge(d), a});
    return at;
  }
};

/// Asks a question whose answer is not a layout.
void ask(operands& o) {
  test_case const& c = o.c;
  switch (c.what) {
    case op::equivalent:
      (void)axe::try_equivalent(c.a, c.b, few);
      (void)axe::try_difference(c.a, c.b, few);
      break;
    case op::is_injective: (void)axe::try_is_injective(c.a, few); break;
    case op::window: (void)axe::try_window(c.a, o.s_a, o.s_a); break;
    case op::coverage: (void)axe::try_coverage(c.a, o.box(), few); break;
    case op::owned_by:
    case op::not_owned_by: {
      axe::place const at = o.owner();
      (void)axe::try_owned_by(c.a, o.s_a, at);
      (void)axe::try_not_owned_by(c.a, o.s_a, at);
      break;
    }
    case op::measures:
      for (axe::axis a : {axe::axis::m, axe::axis::lane}) {
        (void)axe::try_span(c.a, a);
        (void)axe::try_cosize(c.a, a);
      }
      break;
    case op::places: (void)axe::try_places(c.a, o.s_a, o.first()); break;
    case op::elements:
    case op::owner_has: {
      axe::place const at = o.owner();
      (void)axe::try_elements(c.a, o.s_a, at, few);
      (void)axe::try_owner_has(c.a, o.s_a, at, o.first(), few);
      break;
    }
    default: break;
  }
}

bool run(dice& d, test_case const& c) {
  operands o{d, c};
  switch (c.what) {
    case op::canonicalize: return fine(axe::try_canonicalize(c.a));
    case op::group: return fine(axe::try_group(c.a, o.s_a));
    case op::group_many: return fine(axe::try_group_many(c.a, {o.s_a, to_axe({o.whole[0], 1})}));
    case op::permute: return fine(axe::try_permute(c.a, o.s_a, o.reversed(), few));
    case op::broadcast:
      return fine(axe::try_broadcast(c.a, o.s_a, d.between(0, 2), d.chance(50) ? 3 : huge(d), few));
    case op::slice: return fine(axe::try_slice(c.a, o.s_a, o.region(), few));
    case op::tile: return fine(axe::try_tile(c.a, o.s_a, c.b, o.s_b, few));
    case op::direct_sum: return fine(axe::try_direct_sum(c.a, o.s_a, c.b, o.s_b, few));
    case op::tile_to: return fine(axe::try_tile_to(c.a, o.s_a, o.s_b, few));
    case op::tile_outer: return fine(axe::try_tile_outer(c.a, o.s_a, c.b, o.s_b, few));
    case op::tile_inner: return fine(axe::try_tile_inner(c.a, o.s_a, c.b, o.s_b, few));
    case op::sum_outer: return fine(axe::try_sum_outer(c.a, o.s_a, c.b, o.s_b, few));
    case op::sum_inner: return fine(axe::try_sum_inner(c.a, o.s_a, c.b, o.s_b, few));
    case op::compose: return fine(axe::try_compose(c.a, c.b, few));
    case op::compose_swizzle: return fine(axe::try_compose(c.b.swizzle, c.a, few));
    case op::inverse: return fine(axe::try_inverse(c.a, o.axes(), few));
    case op::rewrite: return fine(axe::try_rewrite(c.a, c.made_of));
    case op::pack: return fine(axe::try_pack(c.a, o.width(), c.on, few));
    case op::unpack: return fine(axe::try_unpack(c.a, o.width(), c.on, few));
    case op::on_axis: return fine(axe::try_on_axis(c.a, c.on));
    case op::project:
      return fine(axe::try_storage(c.a)) && fine(axe::try_threads(c.a)) &&
             fine(axe::try_devices(c.a));
    case op::equivalent:
    case op::is_injective:
    case op::window:
    case op::coverage:
    case op::owned_by:
    case op::not_owned_by:
    case op::measures:
    case op::places:
    case op::elements:
    case op::owner_has: ask(o); break;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  long cases = 200'000;
  unsigned long long seed = 20260303;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--cases") == 0) cases = std::strtol(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  std::printf("fuzz_huge: %ld cases, --seed %llu\n", cases, seed);
  std::fflush(stdout);
  bool const tell = std::getenv("AXE_FUZZ_TELL") !=
                    nullptr;  // print each case before it runs, to see which one crashes
  long wrong = 0;
  for (long i = 0; i < cases; ++i) {
    dice d{{seed * 0x9e3779b97f4a7c15u + static_cast<unsigned long long>(i)}};
    test_case c = random_case(d, static_cast<op>(i % operations));
    enlarge(d, c.a);
    enlarge(d, c.b);
    if (tell) std::fprintf(stderr, "case %ld: %s\n", i, text_of(c).c_str());
    if (run(d, c)) continue;
    if (wrong++ == 0)
      std::printf("WRONG: case %ld: %s: the answer is an invalid layout\n", i, text_of(c).c_str());
  }
  std::printf("%ld answers, %ld refusals, %ld invalid layouts\n", answers, refusals, wrong);
  return wrong == 0 ? 0 : 1;
}
