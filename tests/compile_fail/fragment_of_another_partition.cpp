// A thread tile with registers along rows is loaded into a fragment with registers along columns.
// expect: the thread tile and the fragment must have the same partition
#include <axe/axe.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using square = axe::extents<4, 4>;
using by_rows = axe::carrier<"S[(4,4):(4@reg,1@reg)]"_axe>;
using by_columns = axe::carrier<"S[(4,4):(1@reg,4@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using held = axe::fragment<float, by_columns, square>;
#else
using held = axe::fragment<float, by_rows, square>;
#endif
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;
void load(axe::tensor<float, matrix> const& from, held& to) {
  axe::local_partition<by_rows>(axe::tile<4, 4>(from, 0u, 0u), 0).load_into(to);
}
