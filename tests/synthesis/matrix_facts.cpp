// Facts about conflict_free_matrix.
#include <axe/construct/literal.hpp>
#include <axe/synthesis/conflict_free_matrix.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr auto tile32 = "S[(32,32):(32,1)]"_axe;

/// The matrix of a swizzle on n address bits.
constexpr bit_matrix of_swizzle(axe::swizzle f, int n) {
  bit_matrix m(n, n);
  for (int b = 0; b < n; ++b) m.column[b] = static_cast<bit_word>(f(integer{1} << b));
  return m;
}

// Accesses for which a matrix without conflicts exists. In three cases it is the matrix of a
// swizzle.
constexpr auto of_blocks = conflict_free_matrix(tile32, row_blocks<32>, column_blocks<32>);
static_assert(of_blocks && of_blocks.matrix == of_swizzle({2, 3, 5}, 10));
static_assert(conflict_free_matrix("S[(64,64):(64,1)]"_axe, ldmatrix_rows<16>, rows_of_128_bits<16>)
                  .matrix == of_swizzle(swizzle_128B<16>, 12));
static_assert(conflict_free_matrix(tile32, rows_of_128_bits<32>).matrix == bit_matrix::identity(10),
              "there are no conflicts to remove");
static_assert(conflict_free_matrix(tile32, rows_of_elements<32>, columns_of_elements<32>).matrix ==
              of_swizzle({0, 5, 5}, 10));

// A 16-byte vector keeps four neighbouring words in four neighbouring banks. So a column of words
// has 4 wavefronts with every matrix.
constexpr auto mixed = conflict_free_matrix(tile32, columns_of_elements<32>, rows_of_128_bits<32>);
static_assert(!mixed && mixed.conflicts == 4 && rank(mixed.matrix) == 10);

// Rows, columns and blocks of 4 rows of 8 words: a matrix is free of conflicts, but no swizzle is.
constexpr auto three = conflict_free_matrix(tile32, rows_of_elements<32>, columns_of_elements<32>,
                                            access_pattern{"S[(8,4,4,8):(128,8,32,1)]"_axe, 32, 1});
static_assert(three && rank(three.matrix) == three.matrix.columns);

template <class... Forms>
constexpr refusal why_not(layout const& l, shape const& s, Forms const&... forms) {
  return try_conflict_free_matrix(l, s, access_list{access_on(forms, s)...}).why;
}
static_assert(why_not("S[(24,40):(40,1)]"_axe, {24, 40}, rows_of_elements<32>) ==
              refusal{rule::access_is_not_linear, {0}});
static_assert(why_not("S[(64,64):(1,64)]"_axe, {64, 64}, rows_of_128_bits<16>).which ==
              rule::access_not_contiguous);
static_assert(why_not(tile32, {32, 32}).which == rule::no_access);
static_assert(why_not(tile32, {32, 32}, rows_of_elements<32>, rows_of_elements<16>) ==
              refusal{rule::accesses_of_two_widths, {32, 16}});

}  // namespace
