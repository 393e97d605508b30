// Tests descriptors that are derived from layouts: by the ISA's formulas (tests/atoms/formulas.hpp)
// they give the addresses of the layout, and a layout is rejected only if no descriptor fits.
#include "atoms/formulas.hpp"
#include "support/catch.hpp"

#include <axe/atoms.hpp>
#include <axe/map/places.hpp>
#include <axe/notation/print.hpp>
#include <axe/plan/plan_shared_operand.hpp>

#include <random>
#include <vector>

using namespace axe;

namespace {

/// The byte address of each element of the tile, computed from the layout.
std::vector<long long> addresses_of(layout const& l, int rows, int k, int bits) {
  std::vector<long long> out;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < k; ++c)
      out.push_back(places(l, {rows, k}, {r, c}).first()[axis::m] * bits / 8);
  return out;
}

/// The byte address of element (row, k) for a descriptor with these fields.
long long address_by_fields(long long start, int row, int k, int bytes, int width, bool by_k,
                            long long lbo, long long sbo) {
  long long const plain =
      start +
      (by_k ? isa::k_major_byte(row, k, bytes, width, static_cast<int>(lbo), static_cast<int>(sbo))
            : isa::mn_major_byte(row, k, bytes, width, static_cast<int>(lbo),
                                 static_cast<int>(sbo)));
  return width == 0 ? plain : isa::swizzled_byte(plain, width);
}

/// How many elements of the tile the plan's descriptors put at a wrong address.
int misplaced(shared_operand_plan const& p, layout const& l, int rows, int k, int bits) {
  auto const expected = addresses_of(l, rows, k, bits);
  int count = 0;
  for (int i = 0; i < p.blocks; ++i)
    for (int j = 0; j < p.k_steps; ++j)
      for (int r = 0; r < p.rows; ++r)
        for (int c = 0; c < p.k; ++c) {
          matrix_descriptor const d = p.descriptor(0, i, j);
          auto const row = static_cast<std::size_t>(i * p.rows + r),
                     column = static_cast<std::size_t>(j * p.k + c);
          count += address_by_fields(d.start, r, c, bits / 8, static_cast<int>(d.mode),
                                     p.major == operand_major::k, d.leading, d.stride) !=
                   expected[row * static_cast<std::size_t>(k) + column];
        }
  return count;
}

/// True if descriptors with some mode, major, leading and stride, and some start of each block,
/// give all addresses of the tile. Tries every mode and major.
bool some_descriptor_fits(layout const& l, int rows, int k, int bits, int block) {
  auto const at = addresses_of(l, rows, k, bits);
  int const bytes = bits / 8, depth = 32 / bytes;
  auto const address = [&](int r, int c) { return at[static_cast<std::size_t>(r * k + c)]; };
  auto const plain = [](long long a, int width) {
    return width == 0 ? a : isa::swizzled_byte(a, width);
  };
  for (int width : {0, 32, 64, 128})
    for (bool by_k : {true, false}) {
      if (!by_k && bits != 16) continue;
      int const span = (width == 0 ? 16 : width) / bytes;
      // The smallest row and k whose addresses depend on the leading and the stride byte offset.
      // plain() undoes the swizzle, because the XOR is its own inverse.
      int const far_row = by_k ? 8 : span, far_k = by_k ? (width == 0 ? span : depth) : 8;
      auto const start = plain(address(0, 0), width);
      long long const by_row = far_row < block ? plain(address(far_row, 0), width) - start : 16;
      long long const across = far_k < depth ? plain(address(0, far_k), width) - start : 16;
      bool const leads_by_row = !by_k && width != 0;
      long long const lbo = leads_by_row ? by_row : across, sbo = leads_by_row ? across : by_row;
      bool fits =
          lbo >= 0 && sbo >= 0 && lbo < 1 << 18 && sbo < 1 << 18 && lbo % 16 == 0 && sbo % 16 == 0;
      for (int i = 0; fits && i < rows / block; ++i)
        for (int j = 0; fits && j < k / depth; ++j) {
          auto const begin = plain(address(i * block, j * depth), width);
          fits = begin % 16 == 0;
          for (int r = 0; fits && r < block; ++r)
            for (int c = 0; fits && c < depth; ++c)
              fits = address_by_fields(begin, r, c, bytes, width, by_k, lbo, sbo) ==
                     address(i * block + r, j * depth + c);
        }
      if (fits) return true;
    }
  return false;
}

}  // namespace

TEST_CASE("descriptors are right for tiles as TMA writes them: every mode, width and size") {
  int tiles = 0;
  for (int bits : {8, 16, 32})
    for (swizzle_mode mode : {swizzle_mode::none, swizzle_mode::bytes_32, swizzle_mode::bytes_64,
                              swizzle_mode::bytes_128})
      for (runs_along along : {runs_along::columns, runs_along::rows})
        for (int rows : {64, 192})
          for (int k : {256 / bits, 1024 / bits, 2048 / bits})
            for (int block : {64, 8, 192}) {
              outcome<layout> const l = try_mma_shared_layout(bits, mode, {rows, k}, along);
              if (!l || rows % block != 0) continue;
              CAPTURE(bits, static_cast<int>(mode), rows, k, block, along == runs_along::rows);
              outcome<shared_operand_plan> const p =
                  try_plan_shared_operand(*l, {rows, k}, bits, block);
              if (!p) {
                REQUIRE(!some_descriptor_fits(*l, rows, k, bits, block));
                continue;
              }
              REQUIRE(misplaced(*p, *l, rows, k, bits) == 0);
              ++tiles;
            }
  CHECK(tiles > 100);
}

TEST_CASE("random tiles: derived descriptors are right, and rejected tiles fit no mode") {
  std::mt19937 random(7);
  auto const one_of = [&](std::initializer_list<integer> all) {
    return all.begin()[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
  };
  int derived = 0, rejected = 0;
  for (int sample = 0; sample < 600; ++sample) {
    int const bits = static_cast<int>(one_of({8, 16, 16, 32})), chunk = 128 / bits,
              deep = 256 / bits;
    int const b = static_cast<int>(one_of({0, 1, 2, 3})), wide = chunk << b, rows = 32,
              k = 2 * deep;
    layout l;
    bool const mn_major = bits == 16 && sample % 3 == 0;
    // The iters of rows and of K. No descriptor has some of these strides.
    integer const odd = one_of({0, 0, 0, 1, 8});
    if (mn_major) {
      integer const width = wide < rows ? wide : rows;
      l.shards.push({rows / width, one_of({integer{wide} * k, 2048, 4096}), axis::m});
      l.shards.push({width, 1, axis::m});
      l.shards.push({k / 8, wide * 8 + odd, axis::m});
      l.shards.push({8, one_of({integer{wide}, wide, 64}), axis::m});
    } else {
      l.shards.push({rows / 8, one_of({integer{wide} * 8, 1024, wide * 16}) + odd, axis::m});
      l.shards.push({8, one_of({integer{wide}, wide, 64}), axis::m});
      l.shards.push({k / chunk, one_of({integer{chunk}, chunk, 512, 4096}), axis::m});
      l.shards.push({chunk, 1, axis::m});
    }
    if (sample % 5 == 0) l.offsets.push({one_of({chunk, 64, 1024, 3}), axis::m});
    int const shift = bits == 8 ? 4 : bits == 16 ? 3 : 2;
    if (b != 0)
      l.swizzle = {static_cast<int>(one_of({shift, shift, shift, 2})), b,
                   static_cast<int>(one_of({3, 3, 3, 4}))};
    int const block = static_cast<int>(one_of({8, 16, 32}));
    CAPTURE(sample, bits, block);
    outcome<shared_operand_plan> const p = try_plan_shared_operand(l, {rows, k}, bits, block);
    if (p) {
      REQUIRE(misplaced(*p, l, rows, k, bits) == 0);
      ++derived;
    } else {
      CAPTURE(to_text(l).c_str(), sentence(p.why).c_str());
      REQUIRE(!some_descriptor_fits(l, rows, k, bits, block));
      ++rejected;
    }
  }
  CHECK(derived > 50);
  CHECK(rejected > 50);
}
