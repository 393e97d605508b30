// 04: Why does ldmatrix take eight times the fewest possible wavefronts, and which layouts avoid
// it? The program counts the wavefronts of an access, and finds layouts without bank conflicts.
#include <axe/analysis.hpp>
#include <axe/axe.hpp>
#include <axe/synthesis.hpp>

#include <cstdio>

using namespace axe::literals;

// A row of 64 halves has 128 bytes and covers all 32 banks, so the elements of a column share a
// bank.
constexpr auto plain = "S[(64,64):(64,1)]"_axe;
constexpr auto swizzled = axe::compose(axe::swizzle_128B<16>, plain);

static_assert(axe::conflicts(plain, axe::ldmatrix_rows<16>) == 8);
static_assert(axe::conflicts(swizzled, axe::ldmatrix_rows<16>) == 1);
static_assert(axe::conflicts(swizzled, axe::rows_of_128_bits<16>) ==
              1);  // the stores of TMA, or of a warp with 16-byte stores

// A search finds the same swizzle.
constexpr auto found =
    axe::conflict_free_swizzle(plain, axe::ldmatrix_rows<16>, axe::rows_of_128_bits<16>);
static_assert(found && found.swizzle == axe::swizzle_128B<16>);

// In a transpose each lane owns an 8 x 8 block in registers. The hardware's swizzle does not
// help, but another swizzle does.
static_assert(axe::conflicts(swizzled, axe::column_blocks<16>) == 8);
constexpr auto transposed =
    axe::conflict_free_layout(plain, {64, 64}, axe::row_blocks<16>, axe::column_blocks<16>);
static_assert(transposed == "swizzle(M=3,B=3,S=6) o S[(64,64):(64,1)]"_axe);

// One access reads single words along columns, the other one 16 bytes along rows. No swizzle, no
// pitch and no matrix over F2 serves both without conflicts.
constexpr auto words = "S[(32,32):(32,1)]"_axe;
constexpr auto both =
    axe::conflict_free_matrix(words, axe::columns_of_elements<32>, axe::rows_of_128_bits<32>);
static_assert(!both && both.conflicts == 4);

int main() {
  struct candidate {
    char const* name;
    axe::layout of;
  };
  candidate const all[] = {{"plain", plain},
                           {"128-byte swizzle", swizzled},
                           {"swizzle(3,3,6)", transposed},
                           {"pitch 72", axe::parse("S[(64,64):(72,1)]")}};
  std::printf("%-18s %8s %10s %14s %10s\n", "", "ldmatrix", "rows", "column blocks", "bytes");
  bool as_expected = true;
  int const expected[][3] = {{8, 1, 8}, {1, 1, 8}, {8, 1, 1}, {1, 1, 8}};
  for (int i = 0; i < 4; ++i) {
    axe::layout const& l = all[i].of;
    auto const matrices = axe::conflicts(l, {64, 64}, axe::ldmatrix_rows<16>);
    auto const rows = axe::conflicts(l, {64, 64}, axe::rows_of_128_bits<16>);
    auto const blocks = axe::conflicts(l, {64, 64}, axe::column_blocks<16>);
    std::printf("%-18s %8d %10d %14d %10d\n", all[i].name, static_cast<int>(matrices),
                static_cast<int>(rows), static_cast<int>(blocks),
                static_cast<int>(2 * axe::cosize(l)));
    as_expected = as_expected && matrices == expected[i][0] && rows == expected[i][1] &&
                  blocks == expected[i][2];
  }
  auto const padded =
      axe::conflict_free_pitch({64, 64}, axe::ldmatrix_rows<16>, axe::rows_of_128_bits<16>);
  std::printf("least padding for ldmatrix: %s\n", axe::to_text(padded.padded).c_str());
  return as_expected && padded.pitch == 72 ? 0 : 1;
}
