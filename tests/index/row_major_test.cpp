// Tests row_major, column_major and strided tensors: their sizes, the checks of sizes, and the
// width of their arithmetic.
#include "support/catch.hpp"

#include <axe/axe.hpp>
#include <axe/cuda/tensor.hpp>

#include <cstring>
#include <string>
#include <typeinfo>

using namespace axe;
using namespace axe::literals;

namespace {

template <class T, class Shape, class Declaration = aligned<0>>
using sizes = typename tensor<T, Shape, Declaration>::sizes_type;

using matrix = sizes<float, row_major<2>>;
static_assert(to_layout(matrix(40, 50)) == "S[(40,50):(50,1)]"_axe);
static_assert(to_layout(matrix(40, 50, 64)) == "S[(40,50):(64,1)]"_axe);
static_assert(to_layout(sizes<float, row_major<1>>(7)) == "S[7:1]"_axe);
static_assert(to_layout(sizes<float, row_major<3>>(4, 5, 6)) == "S[(4,5,6):(30,6,1)]"_axe);
static_assert(to_layout(sizes<float, row_major<3>>(4, 5, 6, 40, 8)) == "S[(4,5,6):(40,8,1)]"_axe);
static_assert(to_layout(sizes<float, column_major<2>>(40, 50)) == "S[(40,50):(1,40)]"_axe);
static_assert(to_layout(sizes<float, column_major<3>>(4, 5, 6)) == "S[(4,5,6):(1,4,20)]"_axe);
static_assert(to_layout(sizes<float, column_major<3>>(4, 5, 6, 8, 50)) ==
              "S[(4,5,6):(1,8,50)]"_axe);
static_assert(to_layout(sizes<float, strided<2>>(4, 5, 3, 100)) == "S[(4,5):(3,100)]"_axe);
// Static extents are given for the last dimensions, and 0 stands for a dynamic one. Dimensions
// after the last dynamic extent are contiguous.
using heads = sizes<float, row_major<3, 128>>;
static_assert(to_layout(heads(4, 5)) == "S[(4,5,128):(640,128,1)]"_axe);
static_assert(to_layout(heads(4, 5, 700)) == "S[(4,5,128):(700,128,1)]"_axe);
static_assert(heads::takes(2) && heads::takes(3) && !heads::takes(1) && !heads::takes(4));
static_assert(to_layout(sizes<float, row_major<2, 64>>(4)) == "S[(4,64):(64,1)]"_axe);
static_assert(to_layout(sizes<float, row_major<3, 2, 0>>(4, 6)) == "S[(4,2,6):(12,6,1)]"_axe);
static_assert(to_layout(sizes<float, row_major<3, 2, 0>>(4, 6, 100, 8)) ==
              "S[(4,2,6):(100,8,1)]"_axe);
static_assert(to_layout(sizes<float, row_major<5, 2, 0, 2, 0>>(4, 3, 6)) ==
              "S[(4,2,3,2,6):(72,36,12,6,1)]"_axe);
static_assert(to_layout(sizes<float, row_major<4, 3, 0, 8>>(4, 5)) ==
              "S[(4,3,5,8):(120,40,8,1)]"_axe);

// Declarations are checked: the tensor checks its pointer, and the sizes check their numbers, which
// are the extents and then the strides.
using declared = sizes<short, row_major<2>, aligned<16>>;
static_assert(!declared::why(5, 16, 24));
static_assert(declared::why(5, 12, 16) ==
              refusal{rule::dynamic_extent_is_not_a_multiple, {1, 12, 8, 1}});
static_assert(declared::why(5, 16, 20) ==
              refusal{rule::dynamic_stride_is_not_a_multiple, {2, 20, 8, 0}});
using rows_declared = sizes<short, row_major<2>, aligned_rows<16>>;
static_assert(!rows_declared::why(5, 13, 16) &&
              rows_declared::why(5, 13, 13) ==
                  refusal{rule::dynamic_stride_is_not_a_multiple, {2, 13, 8, 0}});
using columns = sizes<float, column_major<2>, aligned<16>>;
static_assert(!columns::why(8, 5, 12) &&
              columns::why(6, 5, 12) ==
                  refusal{rule::dynamic_extent_is_not_a_multiple, {0, 6, 4, 0}});
// An element that is wider than the declared alignment is aligned to its own size.
static_assert(!sizes<double, row_major<2>, aligned<4>>::why(3, 3, 3));
// 16 elements of 3 bytes, and 4 of 12 bytes, are a multiple of 16 bytes.
using pixels = sizes<unsigned char[3], row_major<2>, aligned<16>>;
static_assert(!pixels::why(5, 16, 16) &&
              pixels::why(5, 16, 20) ==
                  refusal{rule::dynamic_stride_is_not_a_multiple, {2, 20, 16, 0}});
static_assert(sizes<float[3], row_major<2>, aligned<16>>::why(5, 8, 10) ==
              refusal{rule::dynamic_stride_is_not_a_multiple, {2, 10, 4, 0}});

// Extents fit an int with room for a partial tile. The leading dimension in bytes fits 32 bits, and
// outer strides have 64 bits.
constexpr integer narrow = (integer{1} << 31) - (integer{1} << 20);
static_assert(!matrix::why(narrow, narrow, 1) &&
              matrix::why(narrow + 1, 1, 1) ==
                  refusal{rule::dynamic_extent_is_not_below, {0, narrow + 1, narrow + 1, 0}});
static_assert(!matrix::why(1, 1, (1 << 30) - 1) &&
              matrix::why(1, 1, 1 << 30) ==
                  refusal{rule::dynamic_stride_is_not_below, {2, 1 << 30, 1 << 30, 0}});
static_assert(!sizes<float, row_major<3>>::why(2, 1, 1, integer{1} << 40, 1));
static_assert(!heads::why(2, 1, (1 << 30) - 1) &&
              heads::why(2, 1, 1 << 30) ==
                  refusal{rule::dynamic_stride_is_not_below, {2, 1 << 30, 1 << 30, 0}});
static_assert(sizes<short, row_major<2, 0>, aligned<16>>::why(5, 12, 16) ==
              refusal{rule::dynamic_extent_is_not_a_multiple, {1, 12, 8, 1}});
static_assert(sizeof(tensor<float, row_major<2>>) == 24);

// Functions that ask for sizes of a tensor.
constexpr tensor<float, row_major<2>> a(nullptr, 40, 50, 64);
static_assert(extent<0>(a) == 40 && extent<1>(a) == 50 && stride<0>(a) == 64 && stride<1>(a) == 1);
static_assert(tiles<0, 32>(a) == 2 && tiles<1, 25>(a) == 2 && tiles<1, 64>(a) == 1);
static_assert(std::is_same_v<decltype(extent<0>(a)), unsigned>);

// Kernels multiply with strides in bytes. A leading dimension may follow from the extents, have the
// largest value, or be that of a column-major tensor. Other strides have 64 bits.
template <int Slot, class Tensor> constexpr integer bytes_of(Tensor const& of) {
  return static_cast<integer>(of.sizes.template bytes<Slot>());
}
static_assert(bytes_of<2>(a) == 256 &&
              bytes_of<2>(tensor<double, row_major<2>>(nullptr, 40, 50)) == 400);
static_assert(bytes_of<2>(tensor<float, row_major<2>>(nullptr, 1, 1, (1 << 30) - 1)) ==
              (integer{1} << 32) - 4);
static_assert(bytes_of<2>(tensor<short, row_major<3, 128>>(nullptr, 7, 9, 1280)) == 2560);
static_assert(bytes_of<3>(tensor<short, column_major<3>>(nullptr, 3, 4, 5, 8, 100)) == 16);
static_assert(bytes_of<3>(tensor<float, row_major<3>>(nullptr, 2, 1, 1, integer{1} << 40, 1)) ==
                  integer{1} << 42 &&
              bytes_of<3>(tensor<short, strided<2>>(nullptr, 40, 50, 64, 3)) == 6);
// Elements of another size are multiplied in elements.
using planes = sizes<float, row_major<3>>::plain;
static_assert(detail::multiplies_bytes<int, planes, 3> &&
              !detail::multiplies_bytes<short, planes, 3> &&
              !detail::multiplies_bytes<int, planes, 4>);

// A plain number may be added to a part or multiplied with it. The result has the value, but no
// bound. A difference is a signed number.
constexpr auto part = below<8>(5u);
static_assert((part + 3)() == 8 && (3 + part)() == 8 && (part + -2)() == 3 && part - 2 == 3 &&
              9 - part == 4 && part - 6 == -1 && (64 * part)() == 320 && (part * 64)() == 320 &&
              (part * part)() == 25 && (part * constant<4>{})() == 20);
static_assert(part < 6 && part / 2 == 2u && part % 2 == 1u);
static_assert(std::is_same_v<decltype(part + 3), index_part<unnamed, 0>>);
static_assert(std::is_same_v<decltype(part * constant<4>{}), index_part<unnamed, 8, 4>>);

}  // namespace

template <class... Parameters> std::size_t length_of_name(void (*)(Parameters...)) {
  return std::strlen(typeid(void (*)(Parameters...)).name());
}
template <class T> void kernel(T) {}
struct named_rows : dynamic_layout<dimension<digit<dynamic(0), dynamic(1).multiple_of(8)>>,
                                   dimension<digit<128, 1>>> {
  using dynamic_layout::dynamic_layout;
};

// The mangled type of a kernel's parameter contains the order and the declaration, but not the
// types for which these names stand.
TEST_CASE("the mangled names of tensors are short") {
  CHECK(length_of_name(&kernel<tensor<float const, row_major<2>, aligned<16>>>) < 120);
  CHECK(length_of_name(&kernel<tensor<double, column_major<3>, aligned_rows<16>>>) < 120);
  CHECK(length_of_name(&kernel<tensor<unsigned char, strided<4>>>) < 120);
  CHECK(length_of_name(&kernel<tensor<float const, named_rows, aligned<16>>>) < 120);
  int data[2 * 128]{};
  CHECK(&tensor<int, named_rows>(data, 1, 128)(0, 5) == data + 5);
}

TEST_CASE("operator() returns the element at the place that the layout gives") {
  std::vector<int> data(3 * 4 * 8);
  for (int i = 0; i < static_cast<int>(data.size()); ++i) data[static_cast<std::size_t>(i)] = i;
  tensor<int, row_major<3>> const rows(data.data(), 3, 4, 8);
  tensor<int, column_major<3>> const columns_first(data.data(), 8, 4, 3);
  tensor<int, strided<2>> const apart(data.data(), 3, 4, 5, 16);
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 4; ++j) {
      CHECK(apart(i, j) == static_cast<int>(5 * i + 16 * j));
      for (unsigned k = 0; k < 8; ++k) {
        CHECK(rows(i, j, k) == static_cast<int>(32 * i + 8 * j + k));
        CHECK(columns_first(k, j, i) == static_cast<int>(k + 8 * j + 32 * i));
      }
    }
}

TEST_CASE("the error for a misaligned pointer names the tensor") {
  alignas(16) float data[8]{};
  std::string message;
  try {
    tensor<float, row_major<1>, aligned<16>> const t(data + 1, 4);
  } catch (refused const& error) { message = error.what(); }
  CHECK(message ==
        "tensor: the pointer is declared as aligned to 16 bytes, but it is 4 bytes past a "
        "multiple");
}
