// The functions for layouts that matrix instructions prescribe, and for tiles of Trainium.
#include "eval/function.hpp"

#include <axe/atoms.hpp>

namespace calculator {

using axe::integer;
using axe::layout;
using axe::mma_operand;
using axe::outcome;
using axe::refusal;
using axe::shape;

namespace {

using arguments = std::vector<argument>;

integer number(arguments const& given, std::size_t i) { return std::get<integer>(given[i].held); }

template <mma_operand Operand> function of_mma(char const* name, char const* what) {
  return {name, "m, n, k, bits",
          [](integer m, integer n, integer k, integer bits) {
            return axe::try_mma_fragment(Operand, m, n, k, bits);
          },
          what,
          [](arguments const& given) -> shape {
            integer const m = number(given, 0), n = number(given, 1), k = number(given, 2);
            if (Operand == mma_operand::a) return {m, k};
            if (Operand == mma_operand::b) return {k, n};
            return {m, n};
          }};
}

template <bool Transposed> function of_ldmatrix(char const* name, char const* what) {
  return {name, "matrices",
          [](integer matrices) { return axe::try_ldmatrix_fragment(matrices, Transposed); }, what,
          [](arguments const& given) -> shape { return {number(given, 0), 8, 8}; }};
}

template <axe::operand_major Major> function of_descriptor(char const* name, char const* what) {
  return {name, "bits, mode, S, LBO, SBO",
          [](integer bits, integer mode, shape const& s, integer leading,
             integer stride) -> outcome<layout> {
            if (mode < 0 || mode > 128) return refusal{axe::rule::mma_swizzle_mode, {mode}};
            return axe::try_shared_operand(bits, static_cast<axe::swizzle_mode>(mode), Major, s,
                                           leading, stride);
          },
          what, [](arguments const& given) { return parameter<shape>::take(given[2].held); }};
}

template <axe::tmem_shape Shape> function of_tensor_memory(char const* name, char const* what) {
  return {name, "repeat",
          [](integer repeat) { return axe::try_tensor_memory_fragment(Shape, repeat); }, what,
          [](arguments const& given) { return axe::detail::shape_of(Shape, number(given, 0)); }};
}

template <axe::data_path Path, integer Rows>
function of_data_path(char const* name, char const* what) {
  return {name, "n", [](integer n) { return axe::try_accumulator_in_tensor_memory(Path, n); }, what,
          [](arguments const& given) -> shape { return {Rows, number(given, 0)}; }};
}

shape rows_and_columns(arguments const& given) { return {number(given, 0), number(given, 1)}; }
shape columns_and_rows(arguments const& given) { return {number(given, 1), number(given, 0)}; }

}  // namespace

std::vector<function> mma_functions() {
  return {
      of_mma<mma_operand::a>("mma.a",
                             "A of mma.sync, shape (m,k): lane and register of each element"),
      of_mma<mma_operand::b>("mma.b",
                             "B of mma.sync, shape (k,n): lane and register of each element"),
      of_mma<mma_operand::accumulator>(
          "mma.accumulator", "C and D of mma.sync, shape (m,n): lane and register of each element"),
      of_ldmatrix<false>("ldmatrix.fragment",
                         "the fragment of ldmatrix and stmatrix, shape (matrices,8,8)"),
      of_ldmatrix<true>("ldmatrix.transposed",
                        "the fragment of ldmatrix.trans and stmatrix.trans, (matrices,8,8)"),
      {"wgmma.a", "bits",
       [](integer bits) { return axe::try_wgmma_fragment(mma_operand::a, 8, bits); },
       "A of wgmma from registers, shape (64, 256/bits)",
       [](arguments const& given) -> shape { return {64, 256 / number(given, 0)}; }},
      {"wgmma.accumulator", "n",
       [](integer n) { return axe::try_wgmma_fragment(mma_operand::accumulator, n, 16); },
       "the accumulator of wgmma, shape (64,n)",
       [](arguments const& given) -> shape { return {64, number(given, 0)}; }},
      of_descriptor<axe::operand_major::k>("wgmma.k_major",
                                           "an operand (rows,K) in shared memory, adjacent along "
                                           "K, from LBO and SBO of its descriptor in bytes"),
      of_descriptor<axe::operand_major::mn>("wgmma.mn_major",
                                            "an operand (rows,K) in shared memory, adjacent along "
                                            "M or N, from LBO and SBO of its descriptor in bytes"),
      of_tensor_memory<axe::tmem_shape::lanes_32_bits_32>(
          "tcgen05.ld_32x32b", "the fragment of tcgen05.ld and tcgen05.st, shape (32,repeat)"),
      of_tensor_memory<axe::tmem_shape::lanes_16_bits_64>(
          "tcgen05.ld_16x64b", "the fragment of tcgen05.ld and tcgen05.st, shape (16,2*repeat)"),
      of_tensor_memory<axe::tmem_shape::lanes_16_bits_128>(
          "tcgen05.ld_16x128b", "the fragment of tcgen05.ld and tcgen05.st, shape (16,4*repeat)"),
      of_tensor_memory<axe::tmem_shape::lanes_16_bits_256>(
          "tcgen05.ld_16x256b", "the fragment of tcgen05.ld and tcgen05.st, shape (16,8*repeat)"),
      of_tensor_memory<axe::tmem_shape::lanes_16_bits_32_twice>(
          "tcgen05.ld_16x32bx2", "the fragment of tcgen05.ld and tcgen05.st, shape (16,2,repeat)"),
      of_data_path<axe::data_path::A, 128>(
          "tcgen05.layout_A",
          "the accumulator of tcgen05.mma, M = 256 on two CTAs: (128,n) on each"),
      of_data_path<axe::data_path::B, 64>(
          "tcgen05.layout_B",
          "the accumulator of tcgen05.mma, M = 128 on two CTAs: (64,n) on each"),
      of_data_path<axe::data_path::C, 64>(
          "tcgen05.layout_C",
          "the accumulator of sparse tcgen05.mma, M = 128 on two CTAs: (64,n) on each"),
      of_data_path<axe::data_path::D, 128>("tcgen05.layout_D",
                                           "the accumulator of tcgen05.mma, M = 128: (128,n)"),
      of_data_path<axe::data_path::E, 64>("tcgen05.layout_E",
                                          "the accumulator of tcgen05.mma.ws, M = 64: (64,n)"),
      of_data_path<axe::data_path::F, 64>("tcgen05.layout_F",
                                          "the accumulator of tcgen05.mma, M = 64: (64,n)"),
      of_data_path<axe::data_path::G, 32>("tcgen05.layout_G",
                                          "the accumulator of tcgen05.mma.ws, M = 32: (32,n)"),
      {"tcgen05.scale_factors", "n",
       [](integer n) { return axe::try_scale_factors_in_tensor_memory(n); },
       "scale factors (32,n) in tensor memory, replicated in each quarter of the lanes",
       [](arguments const& given) -> shape { return {32, number(given, 0)}; }},
      {"trainium.sbuf", "rows, columns [, bits]",
       [](integer rows, integer columns, std::optional<integer> bits) {
         return axe::try_sbuf_tile(rows, columns, bits.value_or(32));
       },
       "a tile in SBUF, rows on partitions", rows_and_columns},
      {"trainium.sbuf_transposed", "rows, columns [, bits]",
       [](integer rows, integer columns, std::optional<integer> bits) {
         return axe::try_sbuf_tile_transposed(rows, columns, bits.value_or(32));
       },
       "the same tile as (columns,rows)", columns_and_rows},
      {"trainium.psum", "rows, columns",
       [](integer rows, integer columns) { return axe::try_psum_tile(rows, columns); },
       "a tile of 32-bit floats in PSUM, in banks of 512 floats", rows_and_columns},
      {"trainium.matmul", "k, m, n",
       [](integer k, integer m, integer n) -> outcome<bool> {
         if (refusal const bad = axe::check_trainium_matmul(k, m, n); bad.which != axe::rule::none)
           return bad;
         return true;
       },
       "true if one instruction multiplies (k,m), transposed, by (k,n)"},
  };
}

}  // namespace calculator
