// Repeats some facts of transpose_facts.cpp and matrix_facts.cpp at run time and on carriers.
#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/synthesis.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr auto tile32 = "S[(32,32):(32,1)]"_axe;

}  // namespace

TEST_CASE("matrices are the same at run time") {
  found_matrix const found = conflict_free_matrix(tile32, row_blocks<32>, column_blocks<32>);
  CHECK(found);
  CHECK(try_conflict_free_matrix(tile32, {32, 32},
                                 access_list{access_on(rows_of_elements<32>, {32, 32}),
                                             access_on(columns_of_elements<32>, {32, 32})},
                                 step_limit(2))
            .why.which == rule::undecided);
}

TEST_CASE("syntheses are the same at run time") {
  constexpr auto halves = "S[(64,64):(64,1)]"_axe;
  layout const l = halves;
  CHECK(conflict_free_swizzle(l, row_blocks<16>, column_blocks<16>).swizzle == swizzle{3, 3, 6});
  CHECK(conflict_free_swizzle(carry<halves>(), row_blocks<16>, column_blocks<16>).swizzle ==
        swizzle{3, 3, 6});
  CHECK(try_conflict_free_swizzle("S[(96,100):(100,1)]"_axe, {96, 100},
                                  access_list{access_on(columns_of_elements<32>, {96, 100})},
                                  step_limit(100))
            .why.which == rule::undecided);
  CHECK(conflict_free_layout(l, {64, 64}, row_blocks<16>, column_blocks<16>).swizzle ==
        swizzle{3, 3, 6});
}
