// Compares plans of tensor copies with an oracle, for random tensors, tiles and shared layouts.
// Every box is executed byte by byte (tma_played.hpp), and every byte of the tile is compared.

#include <algorithm>
#include <map>
#include <set>

#include "plan/tma_map.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

namespace {

using played::digit;
using played::number;

struct problem {
  int bits = 8;
  // The digits of each dimension, slowest first. Strides count elements.
  std::vector<std::vector<digit>> global, shared;
  std::vector<number> tile;
  int swizzle = 0;  // the mode, in bytes
  axe::tma_tensor tensor;
  std::vector<axe::integer> numbers;
};

using dice = axe_test::dice<number>;

std::vector<number> factors(dice& random, number n) {
  std::vector<number> found;
  while (n > 1) {
    std::vector<number> divisors;
    for (number d = 2; d <= n; ++d)
      if (n % d == 0) divisors.push_back(d);
    number const d = random.one_in(3) ? n : random.one_of(divisors);
    found.push_back(d);
    n /= d;
  }
  return found;
}

/// Gives all digits strides. The fastest digit of the last dimension is contiguous; the others
/// follow in random order unless `keep_order`. Padding enlarges some strides: by `pad` elements, or
/// to a multiple of `pad`.
void lay_out(dice& random, std::vector<std::vector<digit>>& dimensions, number pad,
             bool keep_order) {
  std::vector<digit*> order;
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d)
    for (auto k = d->rbegin(); k != d->rend(); ++k) order.push_back(&*k);
  if (!keep_order)
    for (std::size_t k = order.size(); k > 2; --k)
      std::swap(order[k - 1],
                order[1 + static_cast<std::size_t>(random.below(static_cast<number>(k - 1)))]);
  number next = 1;
  for (std::size_t k = 0; k < order.size(); ++k) {
    order[k]->stride = next;
    next *= order[k]->extent;
    if (k == 0 && pad > 1) next = (next + pad - 1) / pad * pad;
    if (k > 0 && pad > 1 && random.one_in(8)) next += pad;
  }
}

number draw_tile_extent(dice& random, int d, int rank) {
  if (d == rank - 1) return random.one_of<number>({32, 64, 64, 128, 48, 96, 256, 512, 520});
  if (d < rank - 4) return 1;
  return random.one_of<number>({1, 2, 3, 4, 6, 8, 12, 16});
}

/// Makes random extents of the tile, and random digits of the tensor and of shared memory.
void draw_digits(dice& random, problem& p) {
  int const rank = 1 + static_cast<int>(random.below(random.one_in(3) ? 8 : 4));
  for (int d = 0; d < rank; ++d) {
    number const tile = draw_tile_extent(random, d, rank);
    p.tile.push_back(tile);
    std::vector<digit> block;
    bool const two_digits = random.one_in(4);
    block.push_back({1 + random.below(3 * tile), 0});
    if (two_digits)
      block.push_back(
          {random.one_of<number>({tile, 2 * tile, tile % 2 == 0 ? tile / 2 : tile}), 0});
    p.global.push_back(block);
    std::vector<digit> inner;
    for (number f : factors(random, tile)) inner.push_back({f, 0});
    p.shared.push_back(inner);
  }
}

/// Makes a random swizzle. If its width divides the rows of the tile, the rows are cut at that
/// width.
void draw_swizzle(dice& random, problem& p) {
  p.swizzle = random.one_of<int>({32, 64, 128});
  number const row = p.swizzle * 8 / p.bits;
  if (p.tile.back() % row != 0) return;
  p.shared.back().clear();
  if (p.tile.back() > row) p.shared.back().push_back({p.tile.back() / row, 0});
  p.shared.back().push_back({row, 0});
}

/// Makes n a dynamic number of the problem. It is declared a multiple of n, or of the largest of 8,
/// 2 and 1 that divides n.
axe::tma_number declare(dice& random, problem& p, number n) {
  axe::leaf const declared = axe::dynamic(static_cast<int>(p.numbers.size()));
  p.numbers.push_back(n);
  if (random.one_in(2)) return axe::tma_number(declared.multiple_of(n));
  if (n % 8 == 0) return axe::tma_number(declared.multiple_of(8));
  return axe::tma_number(declared.multiple_of(n % 2 == 0 ? 2 : 1));
}

/// Makes the tensor. Some of its sizes are dynamic.
void declare_sizes(dice& random, problem& p) {
  for (auto const& block : p.global) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      axe::tma_tensor::digit d{axe::tma_number(block[k].extent), axe::tma_number(block[k].stride)};
      if (k == 0 && random.one_in(3)) d.extent = declare(random, p, block[k].extent);
      if (block[k].stride > 1 && random.one_in(3)) d.stride = declare(random, p, block[k].stride);
      p.tensor.digits.push(d);
    }
    p.tensor.blocks.push(static_cast<int>(block.size()));
  }
  p.numbers.push_back(0);
}

problem make(dice& random) {
  problem p;
  p.bits = random.one_of<int>({8, 16, 16, 32, 64, 4, 128});
  draw_digits(random, p);
  number size = 1;
  for (number t : p.tile) size *= t;
  if (size > 8192) return make(random);
  lay_out(random, p.global,
          random.one_in(6) ? 1 : std::max(number{1}, number{128} / p.bits) * (1 + random.below(2)),
          random.one_in(2));
  if (p.bits >= 8 && p.bits <= 64 && random.one_in(2)) draw_swizzle(random, p);
  lay_out(random, p.shared, 1, random.one_in(2));
  declare_sizes(random, p);
  return p;
}

axe::layout shared_layout(problem const& p) {
  axe::layout l;
  for (auto const& block : p.shared)
    for (digit const& d : block) l.shards.push({d.extent, d.stride, axe::axis::m});
  if (p.swizzle != 0)
    l.swizzle = {axe::detail::chunk_bits(p.bits), p.swizzle == 32 ? 1 : p.swizzle == 64 ? 2 : 3, 3};
  return l;
}

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

/// The address of each element of the tile in shared memory, and in the tensor. A pair of 4-bit
/// elements is one byte.
played::image expected(problem const& p, std::vector<number> const& tile_indices, number base) {
  played::image all;
  number size = 1;
  for (number t : p.tile) size *= t;
  number const each = p.bits < 8 ? 8 / p.bits : 1, bytes = p.bits < 8 ? 1 : p.bits / 8;
  number const unit = std::min(bytes, number{8});
  for (number k = 0; k < size; ++k) {
    number left = k, shared = 0, global = 0;
    bool in_bounds = true;
    for (std::size_t d = p.tile.size(); d-- > 0;) {
      number const c = left % p.tile[d];
      left /= p.tile[d];
      number const whole = tile_indices[d] * p.tile[d] + c;
      in_bounds = in_bounds && whole < played::extent_of(p.global[d]);
      shared += played::position(p.shared[d], c);
      global += played::position(p.global[d], whole);
    }
    if (shared % each != 0) continue;
    for (number b = 0; b < bytes; b += unit)
      all.emplace_back(base + played::swizzled(shared / each * bytes + b, p.swizzle),
                       in_bounds ? global / each * bytes + b : played::out_of_bounds);
  }
  return all;
}

/// Executes all boxes of one tile, whose shared memory begins at `base`.
played::image played_boxes(axe::tma_plan const& plan, played::map const& m,
                           std::vector<number> const& tile_indices, number base) {
  std::vector<number> start(static_cast<std::size_t>(plan.rank()));
  for (axe::tma_move const& move : plan.moves)
    start[static_cast<std::size_t>(move.to)] +=
        move(tile_indices[static_cast<std::size_t>(move.dimension)]);
  played::image found;
  for (axe::integer k = 0; k < plan.issues; ++k) {
    axe::tma_box const box = box_of(plan, k);
    REQUIRE(box.shared % 128 == 0);
    std::vector<number> at = start;
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += box.coordinates[d];
    played::play(m, at, base + box.shared, found);
  }
  return found;
}

}  // namespace

TEST_CASE("every byte of random tiles is moved once, to its place") {
  dice random(20261120);
  std::map<int, int> ranks;
  int planned = 0, strided = 0, several = 0, cut = 0;
  std::set<axe::rule> rejected;
  for (int round = 0; round < 20000; ++round) {
    problem const p = make(random);
    axe::layout const shared = shared_layout(p);
    axe::shape tile;
    for (number t : p.tile) tile.append(t);
    auto const result =
        axe::try_plan_tma(axe::tma_kind::load, type_of(p.bits), p.tensor, tile, shared);
    if (!result) {
      rejected.insert(result.why.which);
      continue;
    }
    axe::tma_plan const& plan = result.value;
    auto const made = axe::try_tma_arguments(plan, p.numbers.data());
    if (!made) {
      // The stride is dynamic, and its value in this case is not legal for a map.
      CHECK(made.why.which == axe::rule::tma_stride);
      continue;
    }
    CAPTURE(round, p.bits, p.swizzle, p.tile);
    played::map const m = axe_test::map_of(plan, made.value);
    REQUIRE(played::broken_limit(m) == "");
    ++planned;
    ++ranks[plan.rank()];
    for (int d = 0; d < plan.rank(); ++d) strided += plan.dimensions[d].element_stride > 1;
    several += plan.issues > 1;
    cut += plan.candidates.size() > 1;
    std::vector<number> tile_indices;
    for (std::size_t d = 0; d < p.tile.size(); ++d)
      tile_indices.push_back(
          random.below((played::extent_of(p.global[d]) + p.tile[d] - 1) / p.tile[d]));
    number const base = plan.alignment() * random.below(3);
    played::image found = played_boxes(plan, m, tile_indices, base);
    CHECK(static_cast<number>(found.size()) * m.bytes == plan.bytes());
    played::image expected_image = expected(p, tile_indices, base);
    std::sort(found.begin(), found.end());
    std::sort(expected_image.begin(), expected_image.end());
    CHECK((found == expected_image));
  }
  // The plans must include all ranks, strided boxes, several boxes for a tile, and larger boxes
  // that were declined.
  CAPTURE(planned, strided, several, cut);
  CHECK(planned > 4000);
  for (int rank = 1; rank <= 5; ++rank) {
    CAPTURE(rank, ranks[rank]);
    CHECK(ranks[rank] > 40);
  }
  CHECK((strided > 30 && several > 800 && cut > 500));
  for (axe::rule const r :
       {axe::rule::tma_row, axe::rule::tma_not_adjacent, axe::rule::tma_shared_start,
        axe::rule::tma_stride, axe::rule::tma_row_of_swizzle})
    CHECK(rejected.count(r) == 1);
}
