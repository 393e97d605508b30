// Makes random tensors, tiles and layouts of shared memory for tensor copies.
//
//     problem p = make(dice)
//         a tensor of 30 x (4 x 128) bf16, tiles of 8 x 64, shared memory under a swizzle of 128
//         bytes, reduced to the tensor; or a multicast to the CTAs 1 and 3
#pragma once

#include "plan/tma_oracle.hpp"
#include "support/dice.hpp"

#include <axe/plan/plan_tma.hpp>

#include <algorithm>
#include <set>

namespace random_tma {

using tma_oracle::digit;
using tma_oracle::number;

struct problem {
  int bits = 8;
  // The digits of each dimension, slowest first. Strides count elements.
  std::vector<std::vector<digit>> global, shared;
  std::vector<number> tile;
  int swizzle = 0;                              // the mode, in bytes
  number shared_offset = 0, global_offset = 0;  // elements
  axe::tma_tensor tensor;
  std::vector<axe::integer> numbers;
  axe::tma_kind kind = axe::tma_kind::load;
  axe::tma_options options;
  // On cluster_cta_x.
  std::vector<digit> cta_replicas;
  number cta_offset = 0;
};

using dice = axe_test::dice<number>;

/// Gives all digits strides. The fastest digit of the last dimension is contiguous; the others
/// follow in random order unless `keep_order`. Padding enlarges some strides: by `pad` elements, or
/// to a multiple of `pad`.
inline void lay_out(dice& random, std::vector<std::vector<digit>>& dimensions, number pad,
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

inline number random_tile_extent(dice& random, int d, int rank) {
  if (d == rank - 1) return random.one_of<number>({32, 64, 64, 128, 48, 96, 256, 512, 520});
  if (d < rank - 4) return 1;
  return random.one_of<number>({1, 2, 3, 4, 6, 8, 12, 16});
}

/// Makes random extents of the tile, and random digits of the tensor and of shared memory.
inline void random_digits(dice& random, problem& p) {
  int const rank = 1 + static_cast<int>(random.below(random.one_in(3) ? 8 : 4));
  for (int d = 0; d < rank; ++d) {
    number const tile = random_tile_extent(random, d, rank);
    p.tile.push_back(tile);
    std::vector<digit> block;
    bool const two_digits = random.one_in(4);
    block.push_back({1 + random.below(3 * tile), 0});
    if (two_digits)
      block.push_back(
          {random.one_of<number>({tile, 2 * tile, tile % 2 == 0 ? tile / 2 : tile}), 0});
    p.global.push_back(block);
    std::vector<digit> inner;
    for (number f : random.factors(tile, 3)) inner.push_back({f, 0});
    p.shared.push_back(inner);
  }
}

/// Makes a random swizzle. If its width divides the rows of the tile, the rows are cut at that
/// width.
inline void random_swizzle(dice& random, problem& p) {
  p.swizzle = random.one_of<int>({32, 64, 128});
  number const row = p.swizzle * 8 / p.bits;
  if (p.tile.back() % row != 0) return;
  p.shared.back().clear();
  if (p.tile.back() > row) p.shared.back().push_back({p.tile.back() / row, 0});
  p.shared.back().push_back({row, 0});
}

/// Makes n a dynamic number of the problem. It is declared a multiple of n, or of the largest of 8,
/// 2 and 1 that divides n.
inline axe::tma_number declare(dice& random, problem& p, number n) {
  axe::leaf const declared = axe::dynamic(static_cast<int>(p.numbers.size()));
  p.numbers.push_back(n);
  if (random.one_in(2)) return axe::tma_number(declared.multiple_of(n));
  if (n % 8 == 0) return axe::tma_number(declared.multiple_of(8));
  return axe::tma_number(declared.multiple_of(n % 2 == 0 ? 2 : 1));
}

/// Makes the tensor. Some of its sizes are dynamic.
inline void declare_sizes(dice& random, problem& p) {
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

/// Makes the stride of a digit 0, negative or that of another digit.
inline void random_odd_stride(dice& random, problem& p) {
  digit& one = *random.one_of<digit*>({&p.global.front().front(), &p.global.back().front()});
  one.stride = random.one_of<number>({0, -one.stride, p.global.front().back().stride});
}

/// Makes the kind, the reduction, and the CTAs of shared memory. A kind other than a load seldom
/// has CTAs, and a multicast seldom has none.
inline void random_kind(dice& random, problem& p) {
  using enum axe::tma_kind;
  p.kind = random.one_of({load, load, load, multicast, store, store, reduce});
  using enum axe::tma_reduction;
  if (p.kind == reduce) p.options.reduction = random.one_of({add, add, min, max, inc, bit_or});
  if (!random.chance(p.kind == multicast ? 90 : p.kind == load ? 30 : 5)) return;
  if (random.one_in(2)) p.options.ctas = static_cast<unsigned>(1 + random.below(0xffff));
  if (random.one_in(12)) p.options.ctas |= 1u << random.between(16, 31);
  if (p.swizzle != 0) return;  // a swizzled layout lies on m only
  for (number k = random.below(3); k > 0; --k)
    p.cta_replicas.push_back({random.between(1, 4), random.between(1, 4)});
  if (random.one_in(2)) p.cta_offset = random.between(0, 7);
}

/// The CTAs that receive a load. Empty: the issuing CTA.
inline std::set<number> ctas_of(problem const& p) {
  std::set<number> held{p.cta_offset};
  for (digit const& r : p.cta_replicas) {
    std::set<number> more;
    for (number const at : held)
      for (number k = 0; k < r.extent; ++k) more.insert(at + k * r.stride);
    held = more;
  }
  if (held == std::set<number>{0}) held.clear();
  for (number k = 0; k < 32; ++k)
    if (p.options.ctas >> k & 1) held.insert(k);
  return held;
}

/// Source: PTX ISA, "cp.reduce.async.bulk.tensor", for the types of type_of.
inline bool has_reduction(problem const& p) {
  using enum axe::tma_reduction;
  switch (p.options.reduction) {
    case add: return p.bits == 16 || p.bits == 32;
    case min:
    case max: return p.bits == 16;
    default: return false;
  }
}

/// True if an instruction has the kind, the reduction and the CTAs.
inline bool has_instruction(problem const& p) {
  std::set<number> const ctas = ctas_of(p);
  if (!ctas.empty() && *ctas.rbegin() > 15) return false;
  if (p.kind == axe::tma_kind::reduce && !has_reduction(p)) return false;
  if (p.kind == axe::tma_kind::multicast) return !ctas.empty();
  return p.kind == axe::tma_kind::load || ctas.empty();
}

inline problem make(dice& random) {
  problem p;
  p.bits = random.one_of<int>({8, 16, 16, 32, 64, 4, 128});
  random_digits(random, p);
  number size = 1;
  for (number t : p.tile) size *= t;
  if (size > 8192) return make(random);
  lay_out(random, p.global,
          random.one_in(6) ? 1 : std::max(number{1}, number{128} / p.bits) * (1 + random.below(2)),
          random.one_in(2));
  if (p.bits >= 8 && p.bits <= 64 && random.one_in(2)) random_swizzle(random, p);
  number const line = 1024 / p.bits;
  lay_out(random, p.shared, random.one_in(6) ? line : 1, random.one_in(2));
  if (random.one_in(6)) p.shared_offset = line * random.below(3) / (random.one_in(4) ? 2 : 1);
  if (random.one_in(6)) p.global_offset = random.below(5) * std::max(number{1}, line / 8);
  if (random.one_in(20)) random_odd_stride(random, p);
  declare_sizes(random, p);
  p.tensor.offset = p.global_offset;
  random_kind(random, p);
  return p;
}

inline axe::layout shared_layout(problem const& p) {
  axe::layout l;
  for (auto const& block : p.shared)
    for (digit const& d : block) l.shards.push({d.extent, d.stride, axe::axis::m});
  if (p.shared_offset != 0) l.offsets.push({p.shared_offset, axe::axis::m});
  for (digit const& d : p.cta_replicas)
    l.replicas.push({d.extent, d.stride, axe::axis::cluster_cta_x});
  if (p.cta_offset != 0) l.offsets.push({p.cta_offset, axe::axis::cluster_cta_x});
  if (p.swizzle != 0)
    l.swizzle = {axe::detail::chunk_bits(p.bits), p.swizzle == 32 ? 1 : p.swizzle == 64 ? 2 : 3, 3};
  return l;
}

}  // namespace random_tma
