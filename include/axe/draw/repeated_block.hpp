// SPDX-License-Identifier: MIT
// find_block: the block that a large layout repeats, drawn once with its repetitions.
//
//     S[(4,2,8,32,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)] in (64,256)
//         block (16,16); repeated 4 times along i, each + 1@wid_in_wg;
//         repeated 16 times along j, each + 8@reg
//
// A step of a digit outside the block moves all places of the block by the same distance. Under a
// swizzle, this distance is a multiple of the period.
#pragma once

#include <axe/draw/cells.hpp>

#include <axe/algebra/group.hpp>

#include <algorithm>
#include <optional>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

/// `count` blocks along a dimension, `stride` apart on an axis.
struct repetition {
  std::size_t dimension = 0;
  integer count = 1, stride = 0;
  axis on = axis::null;
};

struct repeated_block {
  subject block;
  std::vector<repetition> outer;  // slowest first
  integer times = 1;
};

struct block_limit {
  integer rows = 16, cells = 256;
};

namespace blocks {

inline integer largest_divisor_up_to(integer n, integer limit) {
  for (integer d = std::min(n, limit); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

/// Digits are slowest first.
struct dimension_cut {
  std::vector<iter> inner, outer;
  integer extent = 1;

  dimension_cut(std::vector<iter> const& digits, integer limit, integer period) {
    std::size_t above = digits.size();
    for (; above > 0 && extent * digits[above - 1].extent <= limit; --above)
      extent *= digits[above - 1].extent;
    inner.assign(digits.begin() + static_cast<std::ptrdiff_t>(above), digits.end());
    outer.assign(digits.begin(), digits.begin() + static_cast<std::ptrdiff_t>(above));
    if (above > 0 && 2 * extent < limit + 1) {
      iter& next = outer.back();
      integer const part = largest_divisor_up_to(next.extent, limit / extent);
      if (part > 1) {
        inner.insert(inner.begin(), {part, next.stride, next.on});
        extent *= part;
        next.extent /= part;
        next.stride *= part;
      }
    }
    auto const breaks_period = [&](iter const& i) { return i.stride % period != 0; };
    while (std::any_of(outer.begin(), outer.end(), breaks_period)) {
      inner.insert(inner.begin(), outer.back());
      extent *= outer.back().extent;
      outer.pop_back();
    }
  }
};

/// Empty if the layout does not group by the shape.
inline std::vector<std::vector<iter>> digits_of(subject const& drawn) {
  shape flat;
  for (integer extent : drawn.extents) flat.append(tree(extent));
  outcome<layout> const grouped = try_group(drawn.where, flat);
  std::vector<std::vector<iter>> out;
  if (!grouped) return out;
  int at = 0;
  for (int const count : grouped->blocks) {
    out.emplace_back();
    for (int k = 0; k < count; ++k) out.back().push_back(grouped->shards[at++]);
  }
  return out;
}

}  // namespace blocks

inline std::optional<repeated_block> find_block(subject const& drawn, block_limit const& limit) {
  std::vector<std::vector<iter>> const digits = blocks::digits_of(drawn);
  if (digits.empty()) return {};
  std::size_t const rank = digits.size();
  integer const period = drawn.where.swizzle.none() ? 1 : drawn.where.swizzle.period();
  repeated_block found{
      {drawn.where, {}, drawn.extents, drawn.most_cells, true, " of this block"}, {}, 1};
  layout& inner = found.block.where;
  inner.shards.clear();
  inner.blocks.clear();
  integer columns = limit.cells / 4;
  for (std::size_t d = 0; d < rank; ++d) {
    integer most = 1;
    if (d + 2 == rank) most = limit.rows;
    if (d + 1 == rank) most = columns;
    blocks::dimension_cut const cut(digits[d], most, period);
    if (d + 2 == rank) columns = limit.cells / std::max<integer>(cut.extent, 4);
    if (columns == 0) return {};
    for (iter const& i : cut.inner) inner.shards.push(i);
    found.block.extents[d] = cut.extent;
    found.block.seen_as.append(tree(cut.extent));
    for (iter const& i : cut.outer) {
      found.outer.push_back({d, i.extent, i.stride, i.on});
      found.times *= i.extent;
    }
  }
  if (found.times == 1) return {};
  return found;
}

inline std::string sentence_of(repetition const& r, std::size_t rank) {
  std::string name = joined("dimension ", r.dimension);
  if (rank == 1 || r.dimension + 2 == rank)
    name = "i";
  else if (r.dimension + 1 == rank)
    name = "j";
  std::string const out = "repeated " + with_commas(r.count) + " times along " + name;
  if (r.on == axis::null) return out + ", at the same places";
  return out + joined(r.stride < 0 ? ", each - " : ", each + ", detail::magnitude(r.stride), "@",
                      name_of_axis(r.on));
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
