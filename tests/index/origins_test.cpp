// Tests origins that may be negative, strides that are multiples of dynamic numbers, and offsets
// that several pointers share.
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/index/bind_offset.hpp>
#include <axe/plan/tma_tensor.hpp>

#include "support/catch.hpp"

#include <utility>
#include <vector>

using namespace axe::literals;
using axe::digit, axe::dimension, axe::dynamic;

namespace {

std::vector<float> numbered(std::size_t count) {
  std::vector<float> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = static_cast<float>(i);
  return v;
}

/// Pages of 16 tokens. The stride of a page is 16 times that of a token.
using pages = axe::dynamic_layout<
    dimension<digit<dynamic(0).below(1 << 20), 16 * dynamic(1).multiple_of(4).below(1 << 20)>>,
    dimension<digit<16, dynamic(1)>>, dimension<digit<8, 1>>>;
constexpr pages three(3, 12);
static_assert(pages::slots == 2 && to_layout(three) == "S[(3,16,8):(192,12,1)]"_axe);
constexpr auto as_map = axe::tma_tensor_of<pages>();
constexpr axe::integer numbers[]{3, 12};
static_assert(as_map.digits[0].stride.value_for(numbers).value == 192 &&
              as_map.digits[0].stride.divisor() == 64);

/// The difference of a block number and a number is signed, so a tile there may begin below 0.
template <class Origin>
constexpr bool may_begin_below_0 =
    axe::detail::may_be_negative<decltype(axe::detail::as_origin(std::declval<Origin>()))>;
constexpr auto block = axe::any(0u);
static_assert(8 * block - 1 == -1 && may_begin_below_0<decltype(8 * block - 1)> &&
              may_begin_below_0<decltype(block - axe::constant<1>{})> &&
              may_begin_below_0<decltype(5 - block)> && may_begin_below_0<decltype(block - block)>);
static_assert(!may_begin_below_0<decltype(8 * block)> && !may_begin_below_0<decltype(block + 1)>);

/// local_partition rejects tiles for which this is true.
template <class... Origins>
constexpr bool tile_may_begin_below_0 = axe::detail::may_begin_below_0<decltype(axe::tile_at<4, 4>(
    std::declval<axe::tensor<float, axe::row_major<2>>>(), std::declval<Origins>()...))>;
static_assert(tile_may_begin_below_0<int, unsigned> && tile_may_begin_below_0<unsigned, int> &&
              !tile_may_begin_below_0<unsigned, unsigned>);

}  // namespace

TEST_CASE("the stride of a page is 16 times that of a token") {
  using whole_page = axe::carrier<"S[(1,16,8):(1@reg,8@reg,1@reg)]"_axe>;
  std::vector<float> v = numbered(3 * 192);
  axe::tensor<float, pages> const t(v.data(), three);
  int wrong = 0;
  for (unsigned i = 0; i < 3; ++i) {
    auto const page = axe::local_partition<whole_page>(axe::tile<1, 16, 8>(t, i, 0, 0), 0);
    axe::for_each_register<128>([&](auto r) {
      constexpr unsigned at = decltype(r)::value;
      float const expected = static_cast<float>(i * 192 + at / 8 * 12 + at % 8);
      wrong += page.load(r) != expected || t(i, at / 8, at % 8) != expected;
    });
  }
  CHECK(wrong == 0);
  auto moving = axe::bind_pointer(v.data(), three, 0u, 0u, 0u);
  moving.advance<0>();
  CHECK(*moving.at<1, 1, 0>() == 396);
  moving.advance<1, 2>(3);
  CHECK(*moving.at<0, 1, 1>() == 192 + 7 * 12 + 1);
}

TEST_CASE("one offset serves two tensors of one size") {
  std::vector<float> v = numbered(3 * 192);
  std::vector<unsigned> w(3 * 192);
  for (unsigned i = 0; i < w.size(); ++i) w[i] = 2 * i;
  int wrong = 0;
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 15; ++j) {
      auto const at = axe::bind_offset<float>(three, i, j, axe::constant<2>{});
      auto const p = at.from(v.data());
      auto other = at.from(w.data());
      wrong += *p.at<>() != static_cast<float>(i * 192 + j * 12 + 2);
      wrong += *other.at<0, 1, 3>() != 2 * (i * 192 + j * 12 + 17);
      other.advance<1>();
      wrong += *other.at<>() != 2 * (i * 192 + j * 12 + 14) || other.coordinate<1>() != j;
    }
  CHECK(wrong == 0);
}
