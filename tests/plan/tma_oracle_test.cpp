// Compares plans of tensor copies with an oracle, for random tensors, tiles and shared layouts.
// Every box is executed byte by byte (tma_played.hpp), and every byte of the tile is compared.
#include <axe/plan/plan_tma.hpp>
#include <axe/plan/tma_arguments.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "../support/catch.hpp"
#include "tma_played.hpp"

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

class chance {
 public:
  explicit chance(unsigned seed) : source(seed) {}
  number below(number n) { return static_cast<number>(source() % static_cast<std::uint64_t>(n)); }
  template <class T> T of(std::vector<T> const& all) {
    return all[static_cast<std::size_t>(below(static_cast<number>(all.size())))];
  }

 private:
  std::mt19937_64 source;
};

std::vector<number> factors(chance& random, number n) {
  std::vector<number> found;
  while (n > 1) {
    std::vector<number> divisors;
    for (number d = 2; d <= n; ++d)
      if (n % d == 0) divisors.push_back(d);
    number const d = random.below(3) == 0 ? n : random.of(divisors);
    found.push_back(d);
    n /= d;
  }
  return found;
}

/// Gives all digits strides in a random order. In most cases the fastest digit of the last
/// dimension is contiguous.
void lay_out(chance& random, std::vector<std::vector<digit>>& dimensions, number pad,
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
    if (k > 0 && pad > 1 && random.below(8) == 0) next += pad;
  }
}

problem make(chance& random) {
  problem p;
  p.bits = random.of<int>({8, 16, 16, 32, 64, 4, 128});
  int const rank = 1 + static_cast<int>(random.below(random.below(3) == 0 ? 8 : 4));
  for (int d = 0; d < rank; ++d) {
    bool const last = d == rank - 1;
    number const tile = last           ? random.of<number>({32, 64, 64, 128, 48, 96, 256, 512})
                        : d < rank - 4 ? number{1}
                                       : random.of<number>({1, 2, 3, 4, 6, 8, 12, 16});
    p.tile.push_back(tile);
    std::vector<digit> block;
    int const digits = random.below(4) == 0 ? 2 : 1;
    for (int k = 0; k < digits; ++k)
      block.push_back({k == 0
                           ? 1 + random.below(3 * tile)
                           : random.of<number>({tile, 2 * tile, tile % 2 == 0 ? tile / 2 : tile}),
                       0});
    p.global.push_back(block);
    std::vector<digit> inner;
    for (number f : factors(random, tile)) inner.push_back({f, 0});
    p.shared.push_back(inner);
  }
  number size = 1;
  for (number t : p.tile) size *= t;
  if (size > 8192) return make(random);
  lay_out(
      random, p.global,
      random.below(6) == 0 ? 1 : std::max(number{1}, number{128} / p.bits) * (1 + random.below(2)),
      random.below(2) == 0);
  bool const swizzles = p.bits >= 8 && p.bits <= 64 && random.below(2) == 0;
  if (swizzles) {
    p.swizzle = random.of<int>({32, 64, 128});
    number const row = p.swizzle * 8 / p.bits;
    if (p.tile.back() % row == 0) {
      p.shared.back().clear();
      if (p.tile.back() > row) p.shared.back().push_back({p.tile.back() / row, 0});
      p.shared.back().push_back({row, 0});
    }
  }
  lay_out(random, p.shared, 1, random.below(2) == 0);
  // Some sizes are dynamic and have declared multiples.
  for (auto const& block : p.global) {
    for (std::size_t k = 0; k < block.size(); ++k) {
      axe::tma_tensor::digit d{axe::tma_number(block[k].extent), axe::tma_number(block[k].stride)};
      auto const give = [&](number n) {
        axe::leaf const l = axe::dynamic(static_cast<int>(p.numbers.size()))
                                .multiple_of(random.below(2) == 0 ? n
                                             : n % 8 == 0         ? 8
                                             : n % 2 == 0         ? 2
                                                                  : 1);
        p.numbers.push_back(n);
        return axe::tma_number(l);
      };
      if (k == 0 && random.below(3) == 0) d.extent = give(block[k].extent);
      if (block[k].stride > 1 && random.below(3) == 0) d.stride = give(block[k].stride);
      p.tensor.digits.push(d);
    }
    p.tensor.blocks.push(static_cast<int>(block.size()));
  }
  p.numbers.push_back(0);
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
  return bits == 4    ? u4
         : bits == 8  ? u8
         : bits == 16 ? bf16
         : bits == 32 ? f32
         : bits == 64 ? f64
                      : b128;
}

played::map map_of(axe::tma_plan const& plan, axe::tma_arguments const& a) {
  played::map m;
  m.bytes = axe::bits_of(plan.unit) / 8;
  for (int d = 0; d < a.rank; ++d) {
    m.extents.push_back(static_cast<number>(a.extents[d]));
    if (d > 0) m.strides.push_back(static_cast<number>(a.strides[d - 1]));
    m.box.push_back(a.box[d]);
    m.steps.push_back(a.element_strides[d]);
  }
  m.swizzle = a.swizzle == 0 ? 0 : 16 << a.swizzle;
  return m;
}

/// The address of each element of the tile in shared memory, and in the tensor. A pair of 4-bit
/// elements is one byte.
played::image expected(problem const& p, std::vector<number> const& numbers, number base) {
  played::image all;
  number size = 1;
  for (number t : p.tile) size *= t;
  number const each = p.bits < 8 ? 8 / p.bits : 1, bytes = p.bits < 8 ? 1 : p.bits / 8;
  number const unit = std::min(bytes, number{8});
  for (number k = 0; k < size; ++k) {
    number left = k, shared = 0, global = 0;
    bool inside = true;
    for (std::size_t d = p.tile.size(); d-- > 0;) {
      number const c = left % p.tile[d];
      left /= p.tile[d];
      number const whole = numbers[d] * p.tile[d] + c;
      inside = inside && whole < played::extent_of(p.global[d]);
      shared += played::position(p.shared[d], c);
      global += played::position(p.global[d], whole);
    }
    if (shared % each != 0) continue;
    for (number b = 0; b < bytes; b += unit)
      all.emplace_back(base + played::swizzled(shared / each * bytes + b, p.swizzle),
                       inside ? global / each * bytes + b : played::outside);
  }
  return all;
}

}  // namespace

TEST_CASE("every byte of random tiles is moved once, to its place") {
  chance random(20261120);
  std::map<int, int> ranks;
  int planned = 0, strided = 0, several = 0, cut = 0;
  std::set<axe::rule> refused;
  for (int round = 0; round < 20000; ++round) {
    problem const p = make(random);
    axe::layout const shared = shared_layout(p);
    axe::shape tile;
    for (number t : p.tile) tile.append(t);
    auto const result =
        axe::try_plan_tma(axe::tma_kind::load, type_of(p.bits), p.tensor, tile, shared);
    if (!result) {
      refused.insert(result.why.which);
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
    played::map const m = map_of(plan, made.value);
    REQUIRE(played::broken_limit(m) == "");
    ++planned;
    ++ranks[plan.rank()];
    for (int d = 0; d < plan.rank(); ++d) strided += plan.dimensions[d].element_stride > 1;
    several += plan.issues > 1;
    cut += plan.candidates.size() > 1;
    std::vector<number> numbers;
    for (std::size_t d = 0; d < p.tile.size(); ++d)
      numbers.push_back(random.below((played::extent_of(p.global[d]) + p.tile[d] - 1) / p.tile[d]));
    std::vector<number> start(static_cast<std::size_t>(plan.rank()));
    for (axe::tma_move const& move : plan.moves)
      start[static_cast<std::size_t>(move.to)] +=
          move(numbers[static_cast<std::size_t>(move.dimension)]);
    number const base = plan.alignment() * random.below(3);
    played::image found;
    for (axe::integer k = 0; k < plan.issues; ++k) {
      axe::tma_box const box = box_of(plan, k);
      REQUIRE(box.shared % 128 == 0);
      std::vector<number> at = start;
      for (std::size_t d = 0; d < at.size(); ++d) at[d] += box.coordinates[d];
      played::play(m, at, base + box.shared, found);
    }
    CHECK(static_cast<number>(found.size()) * m.bytes == plan.bytes());
    played::image wanted = expected(p, numbers, base);
    std::sort(found.begin(), found.end());
    std::sort(wanted.begin(), wanted.end());
    CHECK((found == wanted));
  }
  // The cases must include all ranks, strided boxes, several boxes, and larger boxes that were
  // declined.
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
    CHECK(refused.count(r) == 1);
}
