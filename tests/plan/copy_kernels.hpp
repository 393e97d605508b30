// The tensors and layouts that the copy kernels and their test share.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda/view.hpp>
#include <axe/index.hpp>

namespace copies {

using namespace axe::literals;

inline constexpr axe::leaf rows = axe::given(0).below(1 << 24);
/// Any row-major matrix whose rows begin at multiples of 16 elements; and one of which nothing is
/// known.
using lined =
    axe::pitched<rows, axe::given(1).below(1 << 24), axe::given(2).below(1 << 24).multiple_of(16)>;
using any = axe::pitched<rows, axe::given(1).below(1 << 24), axe::given(2).below(1 << 24)>;
/// Rows in groups of 8, the groups 8 * pitch + 32 apart.
using grouped_rows = axe::sized<
    axe::dimension<axe::digit<axe::given(0).below(1 << 20), axe::given(2).below(1 << 24)>,
                   axe::digit<8, axe::given(1).below(1 << 24)>>,
    axe::dimension<axe::digit<24, 1>>>;
/// Elements of 4 bits: rows of whole words.
using of_words = axe::pitched<rows, axe::given(1).below(1 << 24).multiple_of(8),
                              axe::given(2).below(1 << 24).multiple_of(32)>;
/// A whole number of tiles of 16 by 32.
using whole = axe::pitched<rows.multiple_of(16), axe::given(1).below(1 << 24).multiple_of(32),
                           axe::given(2).below(1 << 24).multiple_of(16)>;

template <class T, class Matrix> struct operands {
  axe::global_view<T const, Matrix, 16> in;
  axe::global_view<T, Matrix, 16> out;
};

}  // namespace copies
