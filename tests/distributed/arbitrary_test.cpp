// Makes random digits, strides, replicas and offsets. `check` must accept a layout if and only if
// it is a sharding by the definition and the distance between two summands is the same for every
// element. The plans of accepted shardings must be right.
#include "distributed/random_shardings.hpp"
#include "support/catch.hpp"

namespace {

using axe::integer;

axe::sharding arbitrary(random_shardings::random_source& d, std::vector<integer> const& extents,
                        int summands, axe::mesh const& m, axe::shape const& real) {
  axe::axis const axes[] = {axe::axis::m, random_shardings::y, random_shardings::x};
  axe::sharding s;
  s.devices = m;
  s.summands = summands;
  s.real = real;
  integer left = 1;
  for (integer e : extents) {
    left *= e;
    s.extents.append(e);
  }
  for (integer f : d.factors(left)) {
    axe::axis const on = axes[d.below(3)];
    integer const stride = 1 + d.below(on == axe::axis::m ? 6 : 3);
    s.places.shards.push({f, d.one_in(5) ? -1 : stride, on});
  }
  for (integer k = d.below(3); k > 0; --k)
    s.places.replicas.push({1 + d.below(3), d.one_in(4) ? -1 : 1 + d.below(3), axes[d.below(3)]});
  for (axe::axis on : axes)
    if (integer const o = d.one_in(2) ? d.below(4) : 0; o > 0) s.places.offsets.push({o, on});
  axe::detail::order_offsets(s.places);
  return s;
}

/// True if the places of real elements lie in the mesh, at addresses of at least 0, and no two
/// elements have the same address on the same device.
bool is_sharding(axe::sharding const& s) {
  axe::sharding whole = s;
  whole.summands = 0;
  oracle::problem const p(s, whole);
  std::map<std::pair<integer, integer>, integer> at;
  for (integer x = 0; x < p.summands * p.elements; ++x) {
    if (!p.is_real(x % p.elements)) continue;
    for (axe::place const& where : axe::places(s.places, x)) {
      for (auto const& a : s.devices.axes)
        if (where[a.on] < 0 || where[a.on] >= a.extent) return false;
      if (where[axe::axis::m] < 0) return false;
    }
    for (auto const& place : oracle::places_of(s, x))
      if (at.emplace(place, x).first->second != x) return false;
  }
  return true;
}

/// True if the distance from summand 0 to summand k is the same for every element.
bool has_uniform_summands(axe::sharding const& s, integer summands) {
  axe::layout digits = s.places;
  digits.replicas = {};
  auto const place = [&](integer x) { return axe::places(digits, x).first(); };
  integer const elements = axe::size(s.places) / summands;
  for (integer k = 1; k < summands; ++k)
    for (integer x = 0; x < elements; ++x)
      for (axe::axis on : axe::axes_of(digits))
        if (place(k * elements + x)[on] - place(x)[on] != place(k * elements)[on] - place(0)[on])
          return false;
  return true;
}

TEST_CASE(
    "arbitrary layouts are accepted only if they are shardings, and then resharded correctly") {
  random_shardings::random_source d(3);
  static constexpr integer sizes[] = {2, 3, 4, 6, 8, 12};
  int plans = 0;
  int split = 0;
  int pieces = 0;
  for (int round = 0; round < axe_test::drawn(40'000); ++round) {
    axe::mesh m;
    m.add(random_shardings::y, 1 + d.below(4));
    m.add(random_shardings::x, 1 + d.below(6));
    std::vector<integer> extents{sizes[d.below(6)]};
    if (d.one_in(3)) extents.push_back(sizes[d.below(3)]);
    axe::shape real{};
    if (d.one_in(3))
      for (integer e : extents) real.append(1 + d.below(e));
    std::vector<integer> with_summands = extents;
    int const summands = d.one_in(4) ? 1 : 0;
    if (summands > 0) with_summands.insert(with_summands.begin(), 2);
    axe::sharding const from = arbitrary(d, with_summands, summands, m, real);
    axe::mesh other = m;
    if (d.one_in(4)) {
      other = {};
      other.add(random_shardings::y, 1 + d.below(3));
      other.add(random_shardings::x, 1 + d.below(6));
    }
    axe::sharding const to = arbitrary(d, extents, 0, other, real);
    bool accepted = true;
    for (axe::sharding const& s : {from, to}) {
      axe::refusal const why = check(s);
      bool const right = is_sharding(s);
      bool const splits_summands = why.which == axe::rule::sharding_summands_split;
      split += splits_summands;
      accepted = accepted && !why;
      INFO(random_shardings::described({s, s, {}}));
      REQUIRE((!why == right || splits_summands));
      if (s.summands > 0) REQUIRE(splits_summands == !has_uniform_summands(s, 2));
    }
    if (!accepted) continue;
    ++plans;
    axe::reshard_options options;
    if (d.one_in(3)) options.scratch = 1 + d.below(10);
    if (other == m && d.one_in(3))
      options.levels.push(d.one_in(2) ? random_shardings::y : random_shardings::x);
    axe::outcome<axe::reshard_plan> const planned = axe::try_plan_reshard(from, to, options);
    if (planned.why.which == axe::rule::reshard_scratch) continue;
    axe::reshard_plan const& p = *planned;
    pieces += p.pieces > 1;
    oracle::problem const q(from, to);
    oracle::verdict const v = oracle::execute(q, oracle::printed(p));
    INFO(random_shardings::described({from, to, {}}));
    REQUIRE(v.wrong == "");
    REQUIRE(v.volume == q.least());
    REQUIRE(axe::volume(p) == v.volume);
    REQUIRE(axe::least_volume(p) == v.volume);
    REQUIRE(random_shardings::judge_devices(p, options.scratch) == "");
    REQUIRE(random_shardings::judge_largest_send(p, q) == "");
    REQUIRE(random_shardings::judge_collective(p) == "");
  }
  CHECK(plans > axe_test::drawn(30));
  CHECK(split > 0);
  CHECK(pieces > axe_test::drawn(30));
}

}  // namespace
