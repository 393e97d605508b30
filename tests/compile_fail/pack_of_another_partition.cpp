// Vectors along rows are packed from a fragment with registers along columns.
// expect: the thread tile and the fragment must have the same partition
#include <axe/axe.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/local_partition.hpp>

using namespace axe::literals;
using axe::dynamic;
using matrix =
    axe::dynamic_matrix<dynamic(0), dynamic(1).multiple_of(4), dynamic(2).multiple_of(4)>;
using square = axe::extents<4, 4>;
using by_rows = axe::carrier<"S[(4,4):(4@reg,1@reg)]"_axe>;
using by_columns = axe::carrier<"S[(4,4):(1@reg,4@reg)]"_axe>;

#if defined(AXE_EXPECT_FAILURE)
using held = axe::fragment<float, by_columns, square>;
#else
using held = axe::fragment<float, by_rows, square>;
#endif
void store_first(axe::tensor<float, matrix, axe::aligned<16>> out, held const& c) {
  auto const to = axe::vectors(axe::local_partition<by_rows>(axe::tile<4, 4>(out, 0u, 0u), 0));
  to.store(axe::constant<0>{}, to.pack(axe::constant<0>{}, c));
}
