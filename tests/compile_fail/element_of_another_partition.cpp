// A copy, element by element, from a tile with registers along rows to one with registers along
// columns.
// expect: two pieces of one partition
#include <axe/axe.hpp>
#include <axe/cuda/view.hpp>

using namespace axe::literals;
using axe::given;
using matrix = axe::pitched<given(0), given(1), given(2)>;
using by_rows = axe::carrier<"S[(4,4):(4@reg,1@reg)]"_axe>;
using by_columns = axe::carrier<"S[(4,4):(1@reg,4@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using written = by_columns;
#else
using written = by_rows;
#endif
void copy_one(axe::global_view<float, matrix> in, axe::global_view<float, matrix> out) {
  auto const from = in.tile<4, 4>(0u, 0u).mine<by_rows>(0);
  auto const to = out.tile<4, 4>(0u, 0u).mine<written>(0);
  auto const e = from.element(axe::constant<1>{});
  to.element(e).store(e.load());
}
