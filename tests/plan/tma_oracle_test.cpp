// Compares plans of tensor copies with an oracle, for random tensors, tiles and shared layouts.
// The copies are loads, multicasts, stores and reductions. Every box is executed byte
// by byte (tma_oracle.hpp), and every byte of the tile is compared. If a tile is rejected, it must
// not be possible to copy it row by row, with one box for each part of a row.

#include "plan/random_tma.hpp"
#include "plan/tma_map.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <map>
#include <set>

namespace {

using namespace random_tma;

axe::element_type type_of(int bits) {
  using enum axe::element_type;
  switch (bits) {
    case 4: return u4;
    case 8: return u8;
    case 16: return bf16;
    case 32: return f32;
    case 64: return f64;
    default: return b128;
  }
}

/// An element of the tile: its position in shared memory without swizzle, and in the tensor.
struct element {
  number shared = 0, global = 0;
  bool in_bounds = true;
};
std::vector<element> elements_of(problem const& p, std::vector<number> const& tile_indices) {
  std::vector<element> all;
  number size = 1;
  for (number t : p.tile) size *= t;
  for (number left = 0; left < size; ++left) {
    element e{p.shared_offset, p.global_offset};
    number rest = left;
    for (std::size_t d = p.tile.size(); d-- > 0; rest /= p.tile[d]) {
      number const c = rest % p.tile[d], whole = tile_indices[d] * p.tile[d] + c;
      e.in_bounds = e.in_bounds && whole < tma_oracle::extent_of(p.global[d]);
      e.shared += tma_oracle::position(p.shared[d], c);
      e.global += tma_oracle::position(p.global[d], whole);
    }
    all.push_back(e);
  }
  return all;
}
std::vector<element> elements_of_first(problem const& p) {
  return elements_of(p, std::vector<number>(p.tile.size()));
}

/// The address of each element of the tile in shared memory, and in the tensor. A pair of 4-bit
/// elements is one byte.
tma_oracle::image expected(problem const& p, std::vector<number> const& tile_indices, number base) {
  tma_oracle::image all;
  number const each = p.bits < 8 ? 8 / p.bits : 1, bytes = p.bits < 8 ? 1 : p.bits / 8;
  for (element const& e : elements_of(p, tile_indices))
    for (number b = 0; e.shared % each == 0 && b < bytes; b += std::min(bytes, number{8}))
      all.emplace_back(base + tma_oracle::swizzled(e.shared / each * bytes + b, p.swizzle),
                       e.in_bounds ? e.global / each * bytes + b : tma_oracle::out_of_bounds);
  return all;
}

/// True if two elements of the first tile that are in bounds have the same address in the tensor.
bool overlaps(problem const& p) {
  std::set<number> seen;
  for (element const& e : elements_of_first(p))
    if (e.in_bounds && !seen.insert(e.global).second) return true;
  return false;
}

/// True if the copy writes to the tensor.
bool writes(axe::tma_kind k) { return k == axe::tma_kind::store || k == axe::tma_kind::reduce; }
/// True if the length of a digit of stride 1 is not a multiple of 16 bytes. Stores reject it.
bool ends_inside_16_bytes(problem const& p) {
  for (auto const& dimension : p.global)
    for (tma_oracle::digit const& d : dimension)
      if (d.stride == 1 && d.extent * p.bits % 128 != 0) return true;
  return false;
}

/// True if the tile can be copied row by row: each digit of the tensor is a dimension of the map,
/// and a box is a part of one row, which begins at a multiple of 128 bytes of shared memory.
bool has_boxes_of_rows(problem const& p) {
  if (p.bits < 8 || p.bits > 64) return false;
  number const line = 1024 / p.bits, unit = 128 / p.bits;
  std::size_t digits = 0;
  if (p.global_offset % unit != 0) return false;
  number row = p.tile.back();
  for (std::size_t d = 0; d < p.tile.size(); ++d)
    for (std::size_t k = 0; k < p.global[d].size(); ++k, ++digits) {
      auto const& [extent, stride] = p.global[d][k];
      bool const fastest = d + 1 == p.tile.size() && k + 1 == p.global[d].size();
      if (k > 0 && extent % p.tile[d] != 0 && p.tile[d] % extent != 0) return false;
      if (fastest ? stride != 1 : stride <= 0 || stride % unit != 0) return false;
      if (fastest && k > 0) row = std::min(row, extent);
    }
  if (digits > 5) return false;
  std::vector<element> const all = elements_of_first(p);
  for (number width = std::min(row, number{256}); width >= unit; --width) {
    if (row % width != 0 || width % unit != 0) continue;
    if (p.swizzle != 0 && width * p.bits != 8 * p.swizzle) continue;
    bool fits = true;
    for (std::size_t x = 0; x < all.size() && fits; ++x)
      fits = (all[x].shared - static_cast<number>(x) % width) % line == 0;
    if (fits) return true;
  }
  return false;
}

/// Executes all boxes of one tile, whose shared memory begins at `base`. The map begins `offset`
/// bytes after the start of the tensor.
tma_oracle::image copied_boxes(axe::tma_plan const& plan, tma_oracle::map const& m, number offset,
                               std::vector<number> const& tile_indices, number base) {
  std::vector<number> start(static_cast<std::size_t>(plan.rank()));
  for (axe::tma_move const& move : plan.moves)
    start[static_cast<std::size_t>(move.to)] +=
        move(tile_indices[static_cast<std::size_t>(move.dimension)]);
  tma_oracle::image found;
  for (axe::integer k = 0; k < plan.issues; ++k) {
    axe::tma_box const box = box_of(plan, k);
    REQUIRE(box.shared % 128 == 0);
    std::vector<number> at = start;
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += box.coordinates[d];
    REQUIRE(tma_oracle::begins_legally(m, at, writes(plan.kind)));
    tma_oracle::copy_box(m, at, base + box.shared, found);
  }
  for (auto& [shared, global] : found)
    if (global != tma_oracle::out_of_bounds) global += offset;
  return found;
}

/// The cases that a run has seen.
struct coverage {
  std::map<int, int> ranks;
  std::map<axe::tma_kind, int> kinds;
  int planned = 0, strided = 0, several_boxes = 0, declined_boxes = 0, in_rows = 0;
  std::set<axe::rule> rejected;
};

bool is_static(problem const& p) { return p.numbers.size() == 1; }

void check_refusal(problem const& p, axe::refusal const& why) {
  CAPTURE(name_of(why.which));
  // If digits of the tensor and of shared memory have no common refinement, there is no box
  // (docs/plans.md). The planner does not know how many elements along a dynamic extent are in
  // bounds.
  if (why.which == axe::rule::tma_overlap)
    CHECK((overlaps(p) || !is_static(p)));
  else if (why.which == axe::rule::tma_store_end)
    CHECK((why.numbers[0] % 16 != 0 && writes(p.kind) && ends_inside_16_bytes(p)));
  else if (why.which != axe::rule::tma_digits_cross)
    CHECK(!has_boxes_of_rows(p));
}

void check_kind(problem const& p, axe::tma_plan const& plan) {
  if (p.kind == axe::tma_kind::store && is_static(p)) CHECK(!overlaps(p));
  std::set<number> ctas;
  for (number k = 0; k < 32; ++k)
    if (plan.ctas >> k & 1) ctas.insert(k);
  CHECK(ctas == ctas_of(p));
  bool const several_ctas = p.kind == axe::tma_kind::load && !ctas.empty();
  CHECK(plan.kind == (several_ctas ? axe::tma_kind::multicast : p.kind));
}

/// Copies a random tile of the tensor.
void check_bytes(problem const& p, axe::tma_plan const& plan, tma_oracle::map const& m,
                 number offset, dice& random) {
  std::vector<number> tile_indices;
  for (std::size_t d = 0; d < p.tile.size(); ++d) {
    number const tiles = (tma_oracle::extent_of(p.global[d]) + p.tile[d] - 1) / p.tile[d];
    tile_indices.push_back(random.below(tiles));
  }
  number const base = plan.alignment() * random.below(3);
  tma_oracle::image found = copied_boxes(plan, m, offset, tile_indices, base);
  CHECK(static_cast<number>(found.size()) * m.bytes == plan.bytes());
  tma_oracle::image expected_image = expected(p, tile_indices, base);
  std::sort(found.begin(), found.end());
  std::sort(expected_image.begin(), expected_image.end());
  CHECK((found == expected_image));
}

void check_plan(problem const& p, axe::tma_plan const& plan, coverage& seen, dice& random) {
  check_kind(p, plan);
  seen.in_rows += has_boxes_of_rows(p);
  ++seen.kinds[plan.kind];
  auto const made = axe::try_tma_arguments(plan, p.numbers.data());
  if (!made) {
    // A stride or an extent is dynamic, and its value in this case is not legal for a map.
    bool const of_end = made.why.which == axe::rule::tma_store_end;
    CHECK((of_end ? writes(p.kind) && ends_inside_16_bytes(p)
                  : made.why.which == axe::rule::tma_stride));
    return;
  }
  tma_oracle::map const m = axe_test::map_of(plan, made.value);
  REQUIRE(tma_oracle::broken_limit(m) == "");
  CHECK((!writes(plan.kind) || m.extents[0] * m.bytes % 16 == 0));
  ++seen.planned;
  ++seen.ranks[plan.rank()];
  for (int d = 0; d < plan.rank(); ++d) seen.strided += plan.dimensions[d].element_stride > 1;
  seen.several_boxes += plan.issues > 1;
  seen.declined_boxes += plan.candidates.size() > 1;
  check_bytes(p, plan, m, made.value.offset, random);
}

void check_problem(problem const& p, coverage& seen, dice& random) {
  CAPTURE(p.bits, p.swizzle, p.tile, p.shared_offset, p.global_offset, name_of(p.kind),
          name_of(p.options.reduction), ctas_of(p));
  axe::shape tile;
  for (number t : p.tile) tile.append(t);
  auto const result =
      axe::try_plan_tma(p.kind, type_of(p.bits), p.tensor, tile, shared_layout(p), p.options);
  if (!result) seen.rejected.insert(result.why.which);
  if (!has_instruction(p))
    CHECK(!result);
  else if (!result)
    check_refusal(p, result.why);
  else
    check_plan(p, result.value, seen, random);
}

/// The plans must include all ranks, strided boxes, several boxes for a tile, and larger boxes that
/// were declined.
void check_coverage(coverage& seen) {
  CAPTURE(seen.planned, seen.strided, seen.several_boxes, seen.declined_boxes, seen.in_rows);
  CHECK(seen.planned > axe_test::drawn(4000));
  for (int rank = 1; rank <= 5; ++rank) {
    CAPTURE(rank, seen.ranks[rank]);
    CHECK(seen.ranks[rank] > axe_test::drawn(40));
  }
  using enum axe::tma_kind;
  for (axe::tma_kind const k : {load, multicast, store, reduce})
    CHECK(seen.kinds[k] > axe_test::drawn(250));
  CHECK((seen.strided > axe_test::drawn(30) && seen.several_boxes > axe_test::drawn(800) &&
         seen.declined_boxes > axe_test::drawn(500) && seen.in_rows > axe_test::drawn(800)));
  using enum axe::rule;
  for (axe::rule const r :
       {tma_row, tma_not_adjacent, tma_shared_start, tma_stride, tma_row_of_swizzle, tma_overlap,
        tma_cta, tma_one_cta, tma_no_replicas, tma_reduction, tma_store_end})
    CHECK(seen.rejected.count(r) == 1);
}

}  // namespace

TEST_CASE("every byte of random tiles is moved once, to its place") {
  dice random(20261120);
  coverage seen;
  for (int round = 0; round < axe_test::drawn(25000); ++round) {
    CAPTURE(round);
    check_problem(make(random), seen, random);
  }
  check_coverage(seen);
}
