// Compares mma_shared_layout at run time with the swizzle of the PTX ISA, element by element.
#include "support/catch.hpp"

#include <axe/atoms/shared_layout.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/places.hpp>

using namespace axe;

namespace {

integer address(layout const& l, shape const& s, integer i, integer j) {
  return places(l, s, {i, j}).first()[axis::m];
}

}  // namespace

TEST_CASE("mma_shared_layout agrees with the ISA at run time, element by element") {
  for (integer bits : {8, 16, 32})
    for (swizzle_mode mode : {swizzle_mode::none, swizzle_mode::bytes_32, swizzle_mode::bytes_64,
                              swizzle_mode::bytes_128}) {
      integer const bytes = mode == swizzle_mode::none ? 16 : static_cast<integer>(mode),
                    w = bytes * 8 / bits;
      integer const rows = 24, columns = 3 * w, in_chunk = 128 / bits;
      layout const l = mma_shared_layout(bits, mode, {rows, columns});
      layout const along_rows = mma_shared_layout(bits, mode, {columns, rows}, runs_along::rows);
      for (integer r = 0; r < rows; ++r)
        for (integer c = 0; c < columns; ++c) {
          // The ISA XORs the number of the 16-byte chunk in a 128-byte line with bits of the line's
          // number.
          integer const plain = c / w * rows * w + r * w + c % w;
          integer const chunk = plain / in_chunk, line = chunk / 8;
          integer const moved = mode == swizzle_mode::none ? 0 : line % (bytes / 16);
          integer const expected = (chunk ^ moved) * in_chunk + plain % in_chunk;
          if (address(l, {rows, columns}, r, c) != expected)
            FAIL("bits " << bits << " bytes " << bytes << " at " << r << "," << c);
          if (address(along_rows, {columns, rows}, c, r) != expected)
            FAIL("along rows, at " << c << "," << r);
        }
      CHECK(size(l) == rows * columns);
    }
}
