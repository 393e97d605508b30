// Elements are copied one by one between thread tiles of different partitions: registers along
// rows, and along columns.
// expect: both thread tiles must have the same partition
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix = axe::dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using by_rows = axe::carrier<"S[(4,4):(4@reg,1@reg)]"_axe>;
using by_columns = axe::carrier<"S[(4,4):(1@reg,4@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using written = by_columns;
#else
using written = by_rows;
#endif
void copy_one(axe::tensor<float, matrix> in, axe::tensor<float, matrix> out) {
  auto const from = axe::local_partition<by_rows>(axe::tile<4, 4>(in, 0u, 0u), 0);
  auto const to = axe::local_partition<written>(axe::tile<4, 4>(out, 0u, 0u), 0);
  auto const e = from.element(axe::constant<1>{});
  to.element(e).store(e.load());
}
