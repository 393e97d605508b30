// Compositions of fragments: several blocks of wgmma, and an accumulator as operand A of the next
// product. Also compares the swizzle modes of TMA with the ISA.
#include "support/catch.hpp"

#include "atoms/formulas.hpp"

#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/convert/relabel.hpp>
#include <axe/map/places.hpp>

using namespace axe;
using namespace axe::literals;

TEST_CASE("several blocks of wgmma are tiles of its accumulator") {
  for (integer n : {8, 64, 256}) {
    layout const d = wgmma_fragment(mma_operand::accumulator, n, 16);
    // One warpgroup holds three blocks of 64 rows in registers that are N / 2 apart. Two warpgroups
    // hold 128 rows.
    layout const blocks = tile("S[(3,1):(1@reg,0)]"_axe, {3, 1}, d, {64, n});
    layout const warpgroups = tile("S[(2,1):(1@wg,0)]"_axe, {2, 1}, d, {64, n});
    for (int t = 0; t < 128; ++t)
      for (int i = 0; i < n / 2; ++i) {
        isa::element const e = isa::d_wgmma(t, i);
        place const at = t % 32 * axis::lane + t / 32 * axis::wid_in_wg;
        for (integer block = 0; block < 3; ++block)
          REQUIRE(places(blocks, {192, n}, {64 * block + e.row, e.column}) ==
                  place_set{at + (block * n / 2 + i) * axis::reg});
        for (integer group = 0; group < 2; ++group)
          REQUIRE(places(warpgroups, {128, n}, {64 * group + e.row, e.column}) ==
                  place_set{at + i * axis::reg + group * axis::wg});
      }
  }
}

TEST_CASE("a 16-bit accumulator is A of the next product, step by step") {
  layout const d = wgmma_atom<64, 16>::accumulator;
  for (integer step = 0; step < 4; ++step) {
    layout part = slice(d, {64, 64}, {{0, 64}, {16 * step, 16 * step + 16}});
    CHECK(part.offset(axis::reg) == 8 * step);
    part.offsets = {};
    CHECK(equivalent(part, wgmma_atom<64, 16>::a));
  }
}

TEST_CASE("an 8-bit accumulator becomes A by two shuffles per 64 bits, or by reordering K") {
  layout const d = slice(wgmma_atom<32, 8>::accumulator, {64, 32}, {{0, 16}, {0, 32}});
  layout const a = slice(wgmma_atom<32, 8>::a, {64, 32}, {{0, 16}, {0, 32}});
  auto const exchange = plan_convert(d, a, 8);
  CHECK(exchange.kind == conversion_kind::lanes);
  CHECK(exchange.shuffles() == 4);  // two for 64 bits, and a lane holds 16 bytes
  CHECK(exchange.shuffles() == exchange.shuffle_bound);
  layout const order = relabel(d, a, {16, 32}, 1);
  CHECK(order == "S[(2,2,4,2):(16,2,4,1)]"_axe);
  CHECK(plan_convert(d, reorder(a, {16, 32}, 1, order), 8).kind == conversion_kind::registers);
}

TEST_CASE("the modes of TMA agree with the ISA at every address below 4096 bytes") {
  auto const agree = [](swizzle const& mode, int bits, int span) {
    for (long long at = 0; at < 4096 * 8 / bits; ++at)
      if (mode(at) * bits / 8 != isa::swizzled_byte(at * bits / 8, span)) return false;
    return true;
  };
  CHECK((agree(swizzle_32B<8>, 8, 32) && agree(swizzle_64B<8>, 8, 64) &&
         agree(swizzle_128B<8>, 8, 128)));
  CHECK((agree(swizzle_32B<16>, 16, 32) && agree(swizzle_64B<16>, 16, 64) &&
         agree(swizzle_128B<16>, 16, 128)));
  CHECK((agree(swizzle_32B<32>, 32, 32) && agree(swizzle_64B<32>, 32, 64) &&
         agree(swizzle_128B<32>, 32, 128)));
  CHECK((agree(swizzle_32B<64>, 64, 32) && agree(swizzle_64B<64>, 64, 64) &&
         agree(swizzle_128B<64>, 64, 128)));
  CHECK(swizzle_128B<8>.M == 4);
  CHECK(swizzle_128B<64>.M == 1);
}
