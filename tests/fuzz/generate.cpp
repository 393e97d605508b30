// Makes random cases of every operation.
#include "fuzz/generate.hpp"

namespace fuzz {

namespace {

int random_rank(dice& d) { return d.between(1, 4); }

range random_range(dice& d, number extent) {
  int const how = d.between(0, 9);
  if (how < 3) return {0, extent};
  if (how < 5) {
    number const b = d.between(0, static_cast<int>(extent) - 1);
    return {b, std::min<number>(extent, b + d.between(1, 2))};
  }
  if (how < 8) {  // whole blocks of g elements
    std::vector<number> divisors;
    for (number g = 1; g <= extent; ++g)
      if (extent % g == 0) divisors.push_back(g);
    number const g = d.pick(divisors);
    number const b = d.between(0, static_cast<int>(extent / g) - 1);
    return {b * g, d.between(static_cast<int>(b) + 1, static_cast<int>(extent / g)) * g};
  }
  number const b = d.between(0, static_cast<int>(extent) - 1);
  return {b, d.between(static_cast<int>(b) + 1, static_cast<int>(extent))};
}

void choose_one(dice& d, test_case& c, int grouping = 70) {
  c.a = random_layout(d);
  c.s_a = random_shape(d, c.a, random_rank(d), grouping);
}

void choose_two(dice& d, test_case& c, int swizzled) {
  std::vector<axe::axis> const on = random_axes(d, 3);
  c.b = random_layout(d, {.largest = 24, .digits = 4, .swizzled = swizzled}, on);
  c.a = random_layout(d, {.largest = 24, .digits = 4, .swizzled = 1},
                      c.b.swizzle.none() ? on : std::vector{axe::axis::m});
  // With larger strides of A, the sum with the swizzled B is more often a layout.
  if (!c.b.swizzle.none() && d.chance(70))
    for (axe::iter& i : c.a.shards) i.stride *= number{1} << d.between(1, 5);
  int const rank = random_rank(d);
  c.s_a = random_shape(d, c.a, rank, 80);
  c.s_b = random_shape(d, c.b, rank, 80);
}

/// Makes two small random operands with replicas, where the swizzle of b changes most of its
/// places. The condition of D12 then often admits places that the missing factor does not have.
void choose_entangled(dice& d, test_case& c) {
  auto const small = [&](axe::layout& l, shape& s) {
    l = axe::layout{};
    s = {1};
    for (int n = d.between(0, 2); n > 0; --n) {
      l.shards.push(
          {d.between(2, 3), d.pick(std::vector<number>{0, 1, 2, 3, 4, 6, 8}), axe::axis::m});
      s[0] *= l.shards.back().extent;
    }
    if (l.shards.empty()) l.shards.push({1, 0, axe::axis::m});
    for (int n = d.between(0, 2); n > 0; --n)
      l.replicas.push({d.between(2, 4), d.between(1, 8) * (d.chance(80) ? 1 : -1), axe::axis::m});
    if (d.chance(25)) l.offsets.push({d.between(1, 9), axe::axis::m});
  };
  small(c.a, c.s_a);
  small(c.b, c.s_b);
  c.b.swizzle = {d.between(0, 2), d.between(1, 2), d.between(1, 2) * (d.chance(70) ? 1 : -1)};
}

/// Makes a random T as the composition of two operands, of which one is unknown. If a swizzle is
/// involved, T is seldom a layout, so up to 8 are tried.
void choose_factor(dice& d, test_case& c, bool tiled, bool known_is_inner) {
  axe::outcome<axe::layout> t;
  bool swizzled = true;
  bool const entangled = d.chance(6);
  for (int attempts = 0; swizzled && (attempts == 0 || !t) && attempts < 8; ++attempts) {
    if (entangled)
      choose_entangled(d, c);
    else
      choose_two(d, c, attempts == 0 ? 6 : 100);
    swizzled = !c.b.swizzle.none();
    axe::shape s_a, s_b;
    for (number e : c.s_a) s_a.append(axe::tree(e));
    for (number e : c.s_b) s_b.append(axe::tree(e));
    t = tiled ? axe::try_tile(c.a, s_a, c.b, s_b) : axe::try_direct_sum(c.a, s_a, c.b, s_b);
  }
  axe::layout const known = known_is_inner ? c.b : c.a;
  if (t) c.missing = known_is_inner ? c.a : c.b;
  shape const s_known = known_is_inner ? c.s_b : c.s_a;
  shape whole;
  for (std::size_t k = 0; k < c.s_a.size(); ++k) whole.push_back(c.s_a[k] * c.s_b[k]);
  if (t) {
    c.a = *t;
  } else {  // a random layout of the size of T
    c.a = axe::layout{};
    for (number e : whole) c.a.shards.push({e, loose_stride(d), axe::axis::m});
  }
  c.b = known;
  c.s_a = whole;
  c.s_b = s_known;
  if (d.chance(20)) perturb(d, c.a);
  if (d.chance(10)) perturb(d, c.b);
}

/// Makes a random B inside A. Its digits are those of A's element numbers, reordered, split and
/// dropped, or those of a small random layout.
void choose_composition(dice& d, test_case& c) {
  c.a = random_layout(d);
  number const size = size_of(c.a);
  c.b = axe::layout{};
  std::vector<axe::iter> positions;
  number weight = size;
  for (axe::iter const& i : c.a.shards) {
    weight /= i.extent;
    if (i.extent % 2 == 0 && i.extent > 2 && d.chance(30)) {
      positions.push_back({i.extent / 2, 2 * weight, axe::axis::m});
      positions.push_back({2, weight, axe::axis::m});
    } else {
      positions.push_back({i.extent, weight, axe::axis::m});
    }
  }
  if (d.chance(65)) {
    if (d.chance(50)) d.shuffle(positions);
    number left = size - 1;
    for (axe::iter i : positions) {
      int const use = d.between(0, 9);
      if (use < 2) continue;
      if (use == 2) i.extent = d.between(1, static_cast<int>(i.extent));
      if (use == 3 && i.stride > 1) i.stride = d.between(1, static_cast<int>(i.stride));
      left -= (i.extent - 1) * i.stride;
      if (d.chance(30) && c.b.replicas.size() < 2)
        c.b.replicas.push(i);
      else
        c.b.shards.push(i);
    }
    if (d.chance(30) && left > 0)
      add_offset(c.b, axe::axis::m, d.between(0, static_cast<int>(left)));
  } else {
    c.b = random_layout(d, {.largest = 24, .digits = 3, .zero = 2, .swizzled = 8, .loose = 80},
                        {axe::axis::m});
    c.b.offsets.clear();
    number least = 0;
    for (axe::iter const& i : c.b.shards) least += std::min<number>(0, (i.extent - 1) * i.stride);
    for (axe::iter const& i : c.b.replicas) least += std::min<number>(0, (i.extent - 1) * i.stride);
    add_offset(c.b, axe::axis::m, -least + (d.chance(30) ? d.between(0, 5) : 0));
  }
  if (d.chance(25) && !c.b.shards.empty()) {  // reverse one digit
    axe::iter& i = c.b.shards[d.between(0, c.b.shards.size() - 1)];
    add_offset(c.b, axe::axis::m, (i.extent - 1) * i.stride);
    i.stride = -i.stride;
  }
  if (d.chance(3)) perturb(d, c.b);
  if (d.chance(20) && c.b.swizzle.none()) {  // count elements on another axis than m
    for (axe::iter& i : c.b.shards) i.on = i.on == axe::axis::null ? i.on : axe::axis::lane;
    for (axe::iter& i : c.b.replicas) i.on = i.on == axe::axis::null ? i.on : axe::axis::lane;
    for (axe::term& t : c.b.offsets) t.on = axe::axis::lane;
  }
}

/// Makes a random layout whose places usually have no holes.
void choose_inverse(dice& d, test_case& c) {
  std::vector<axe::axis> on = random_axes(d, 2);
  c.a =
      random_layout(d, {.largest = 72, .replicas = 40, .zero = 1, .swizzled = 10, .loose = 8}, on);
  if (d.chance(15)) perturb(d, c.a);
  d.shuffle(on);
  c.named = on;
  if (d.chance(4) && std::find(on.begin(), on.end(), axe::axis::warp) == on.end())
    c.named.push_back(axe::axis::warp);
  if (d.chance(4)) c.named.erase(c.named.begin());
  if (c.named.empty()) c.named = on;
}

axe::axis_composition random_composition(dice& d) {
  namespace known = axe::compositions;
  constexpr axe::axis x = axe::device_axis("mesh_x"), y = axe::device_axis("mesh_y"),
                      z = axe::device_axis("mesh_z");
  switch (d.between(0, 6)) {
    case 0: return known::tid_of_warp_lane();
    case 1: return known::tid_of_wg();
    case 2: return known::tid_in_wg_of_lane();
    case 3: return known::warp_of_wg();
    case 4: return {axe::axis::gpuid, axe::place{{d.between(2, 6), y}, {1, x}}};
    default: {
      number const low = d.between(2, 4);
      return {axe::axis::gpuid, axe::place{{low * d.between(2, 4), z}, {low, y}, {1, x}}};
    }
  }
}

/// Makes random digits inside the ranges of the parts of an axis, written on the part axes or on
/// the whole axis.
void choose_rewrite(dice& d, test_case& c) {
  c.made_of = random_composition(d);
  auto const& parts = c.made_of.parts;
  bool const on_whole = d.chance(55);
  c.a = axe::layout{};
  std::vector<std::pair<axe::iter, bool>> iters;  // true: the iter is a replica
  for (int i = 0; i < parts.size(); ++i) {
    number const room = i == 0 ? 6 : parts[i - 1].n / parts[i].n;
    number next = 1;
    number used = 0;
    for (int n = d.between(d.chance(70) ? 1 : 0, 3); n > 0; --n) {
      number const e = d.chance(40) ? d.between(2, 3) : random_extent(d);
      number stride = d.chance(15) ? d.between(1, 3) : next;
      if (used + (e - 1) * stride >= room || e * size_of(c.a) > 96) continue;
      used += (e - 1) * stride;
      next = std::max(next, stride * e);
      bool const negative = d.chance(22);
      if (negative) add_offset(c.a, parts[i].on, (e - 1) * stride);
      iters.push_back({{e, negative ? -stride : stride, parts[i].on}, d.chance(25)});
    }
    if (d.chance(25) && room - 1 > used)
      add_offset(c.a, parts[i].on,
                 d.between(0, static_cast<int>(std::min<number>(room - 1 - used, 40))));
  }
  if (d.chance(15)) add_offset(c.a, parts[0].on, d.between(-4, 9));
  if (parts.size() == 2 && d.chance(50))
    iters.push_back({{random_extent(d), d.between(1, 3), axe::axis::m}, d.chance(20)});
  if (d.chance(60)) d.shuffle(iters);
  for (auto const& [i, is_replica] : iters)
    if (is_replica && c.a.replicas.size() < 3)
      c.a.replicas.push(i);
    else if (size_of(c.a) * i.extent <= 128)
      c.a.shards.push(i);
  if (on_whole) {
    axe::layout whole = c.a;
    whole.offsets.clear();
    number o = 0;
    for (axe::term const& part : parts) {
      for (axe::iter& i : whole.shards)
        if (i.on == part.on) i = {i.extent, i.stride * part.n, c.made_of.whole};
      for (axe::iter& i : whole.replicas)
        if (i.on == part.on) i = {i.extent, i.stride * part.n, c.made_of.whole};
      o += part.n * c.a.offset(part.on);
    }
    if (o != 0) whole.offsets.push({o, c.made_of.whole});
    c.a = d.chance(70) ? axe::canonicalize(whole) : whole;
  }
  if (d.chance(20)) perturb(d, c.a);
  axe::detail::order_offsets(c.a);
}

void choose_pack(dice& d, test_case& c) {
  c.on = d.chance(60) ? axe::axis::m : axe::axis::reg;
  c.extent = d.between(1, 8);
  std::vector<axe::axis> on = random_axes(d, 3);
  c.a = random_layout(d, {.largest = 48}, on);
  if (!c.a.swizzle.none() && d.chance(80))
    c.extent = number{1} << d.between(0, 3), c.on = axe::axis::m;
  if (c.what == op::unpack) return;
  if (!c.a.swizzle.none()) c.on = axe::axis::m;
  number const n = c.extent;
  for (axe::iter& i : c.a.shards) i.stride *= i.on == c.on ? n : 1;
  for (axe::iter& i : c.a.replicas) i.stride *= i.on == c.on ? n : 1;
  for (axe::term& t : c.a.offsets) t.n *= t.on == c.on ? n : 1;
  c.a.shards.push({n, 1, c.on});
  if (!c.a.swizzle.none()) c.a.swizzle.M += d.between(0, 3);
  if (d.chance(20)) perturb(d, c.a);
  axe::detail::order_offsets(c.a);
}

void choose_tile_to(dice& d, test_case& c) {
  c.a = random_layout(d, {.largest = 64, .digits = 5, .negative = 20});
  int const rank = random_rank(d);
  c.s_a = random_shape(d, c.a, rank, 80);
  number size = 1;
  for (number e : c.s_a) {
    number times = d.between(1, 4);
    if (size * times > 12) times = 1;
    size *= times;
    c.order.push_back(e * times + (d.chance(2) ? 1 : 0));
  }
}

/// Makes a random window. Its extents usually are whole digits of the dimensions, sometimes larger
/// than the dimension, and sometimes any number.
void choose_window(dice& d, test_case& c) {
  c.a = random_layout(d, {.digits = 4});
  c.s_a = random_shape(d, c.a, random_rank(d), 92);
  for (number e : c.s_a) {
    std::vector<number> lengths{1, e};
    for (number w = 2; w < e; ++w)
      if (e % w == 0) lengths.push_back(w);
    c.order.push_back(d.chance(85) ? d.pick(lengths)
                                   : d.between(1, static_cast<int>(e) + (d.chance(10) ? 1 : 0)));
  }
}

/// Makes a random place on one or two of the axes. Usually an element is there.
void choose_owner(dice& d, test_case& c) {
  std::vector<axe::axis> on = random_axes(d, 3);
  c.a = random_layout(d, {.largest = 64}, on);
  c.s_a = random_shape(d, c.a, random_rank(d), 80);
  d.shuffle(on);
  on.resize(std::min<std::size_t>(on.size(), d.chance(70) ? 1 : 2));
  int const x = d.between(0, static_cast<int>(size_of(c.a)) - 1);
  axe::place at = axe::places(c.a, x).first();
  for (axe::axis a : on) {
    c.named.push_back(a);
    c.at.push_back(at[a] + (d.chance(5) ? d.between(-2, 2) : 0));
  }
}

void choose_equivalent(dice& d, test_case& c) {
  c.a = random_layout(d);
  c.b = d.chance(60) ? d.neighbour(c.a) : axe::canonicalize(c.a);
  if (d.chance(20)) perturb(d, c.b);
  if (axe::check(c.b).which != axe::rule::none) c.b = c.a;
}

void choose_group_many(dice& d, test_case& c) {
  choose_one(d, c, 80);
  c.order = random_shape(d, c.a, random_rank(d), 80);
}

void choose_permute(dice& d, test_case& c) {
  choose_one(d, c, 75);
  for (std::size_t k = 0; k < c.s_a.size(); ++k) c.order.push_back(static_cast<number>(k));
  d.shuffle(c.order);
}

void choose_broadcast(dice& d, test_case& c) {
  choose_one(d, c, 70);
  c.where = d.between(0, static_cast<int>(c.s_a.size()) + (d.chance(1) ? 1 : 0));
  c.extent = d.between(1, 4);
}

void choose_slice(dice& d, test_case& c) {
  choose_one(d, c, 70);
  for (number e : c.s_a) c.box.push_back(random_range(d, e));
}

void choose_compose_swizzle(dice& d, test_case& c) {
  c.a = random_layout(d, {.swizzled = 25, .axes = 1},
                      {d.chance(90) ? axe::axis::m : axe::axis::lane});
  c.b.swizzle = {d.between(0, 3), d.between(1, 3), d.between(1, 3) * (d.chance(50) ? 1 : -1)};
  if (d.chance(30) && !c.a.swizzle.none()) c.b.swizzle = c.a.swizzle;
}

void choose_on_axis(dice& d, test_case& c) {
  c.a = random_layout(d);
  c.on = d.pick(random_axes(d, 2));
}

/// Makes a layout that has devices in place of warps.
void choose_project(dice& d, test_case& c) {
  c.a = random_layout(d);
  c.where = d.between(0, 2);
  auto const replace_warps = [](auto& entries) {
    for (auto& each : entries)
      if (each.on == axe::axis::warp) each.on = axe::axis::gpuid;
  };
  replace_warps(c.a.shards);
  replace_warps(c.a.replicas);
  replace_warps(c.a.offsets);
}

void choose_coverage(dice& d, test_case& c) {
  c.a = random_layout(d);
  c.named = random_axes(d, 2);
  for (axe::axis a : c.named)
    c.at.push_back(d.chance(70) ? std::max<number>(1, (axe::max)(c.a, a) + 1) : d.between(1, 40));
}

}  // namespace

test_case random_case(dice& d, op what) {
  test_case c;
  c.what = what;
  switch (what) {
    case op::canonicalize:
    case op::is_injective:
    case op::measures: c.a = random_layout(d); break;
    case op::equivalent: choose_equivalent(d, c); break;
    case op::group: choose_one(d, c); break;
    case op::group_many: choose_group_many(d, c); break;
    case op::permute: choose_permute(d, c); break;
    case op::broadcast: choose_broadcast(d, c); break;
    case op::slice: choose_slice(d, c); break;
    case op::tile:
    case op::direct_sum: choose_two(d, c, 4); break;
    case op::tile_to: choose_tile_to(d, c); break;
    case op::tile_outer: choose_factor(d, c, true, true); break;
    case op::tile_inner: choose_factor(d, c, true, false); break;
    case op::sum_outer: choose_factor(d, c, false, true); break;
    case op::sum_inner: choose_factor(d, c, false, false); break;
    case op::compose: choose_composition(d, c); break;
    case op::compose_swizzle: choose_compose_swizzle(d, c); break;
    case op::inverse: choose_inverse(d, c); break;
    case op::rewrite: choose_rewrite(d, c); break;
    case op::pack:
    case op::unpack: choose_pack(d, c); break;
    case op::window: choose_window(d, c); break;
    case op::on_axis: choose_on_axis(d, c); break;
    case op::project: choose_project(d, c); break;
    case op::coverage: choose_coverage(d, c); break;
    case op::owned_by:
    case op::not_owned_by:
    case op::elements:
    case op::owner_has: choose_owner(d, c); break;
    case op::places: choose_one(d, c, 70); break;
  }
  return c;
}

}  // namespace fuzz
