// Tests tensors with dynamic sizes. A bound pointer points to the address that the layout with
// these sizes gives. Declared bounds and multiples are checked.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/construct/literal.hpp>
#include <axe/index/pointer.hpp>
#include <axe/map/places.hpp>
#include <axe/notation/print.hpp>

#include <random>

namespace {

using namespace axe;
using namespace axe::literals;

std::string sentence_of(refusal const& why) { return sentence(why).c_str(); }

float* const base = axe_test::far_pointer<float>;
using axe_test::elements_from;

using matrix = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>;
using small_matrix = dynamic_matrix<dynamic(0).below(1 << 16), dynamic(1).below(1 << 16),
                                    dynamic(2).multiple_of(8).below(1 << 16)>;

template <class Matrix> void check_matrix(integer rows, integer columns, integer pitch) {
  Matrix const a(rows, columns, pitch);
  layout const l = to_layout(a);
  REQUIRE(std::string(to_text(l).c_str()) == "S[(" + std::to_string(rows) + "," +
                                                 std::to_string(columns) + "):(" +
                                                 std::to_string(pitch) + ",1)]");
  std::mt19937_64 random(static_cast<std::uint64_t>(rows * 7 + pitch));
  for (int n = 0; n < 200; ++n) {
    unsigned const t = static_cast<unsigned>(random() % 128);
    unsigned const block =
        static_cast<unsigned>(random() % static_cast<std::uint64_t>((rows - 64) / 64 + 1));
    auto const thread = on<axis::tid, 128>(t);
    auto const p = bind_pointer(
        base, a,
        constant<64>{} * any(block) + constant<16>{} * thread.bits<5, 2>() + thread.bits<2, 3>(),
        constant<2>{} * thread.bits<0, 2>());
    integer const row = integer{block} * 64 + 16 * (t >> 5) + (t >> 2 & 7);
    integer const column = 2 * (t & 3);
    CHECK(elements_from(base, p.template at<>()) ==
          places(l, shape_of(a), {row, column}).first()[axis::m]);
    CHECK(elements_from(base, p.template at<8, 0>()) ==
          places(l, shape_of(a), {row + 8, column}).first()[axis::m]);
    CHECK(elements_from(base, p.template at<8, 25>()) ==
          places(l, shape_of(a), {row + 8, column + 25}).first()[axis::m]);
  }
}

TEST_CASE("a matrix with a pitch has its pointers where its layout has its elements") {
  check_matrix<matrix>(128, 64, 64);
  check_matrix<matrix>(4096, 4000, 4096);
  check_matrix<matrix>(1000, 77, 80);
  check_matrix<matrix>(integer{1} << 20, integer{1} << 18, integer{1} << 33);  // 2^53 elements
  check_matrix<small_matrix>(1000, 77, 80);
  check_matrix<small_matrix>(65535, 32000, 65528);
}

TEST_CASE("pointers with several dynamic strides are right, also with static digits inside") {
  // `batched` has batches, rows and columns, each with a dynamic stride. `blocked` has channels in
  // blocks of 32 (NCHW with C/32 outermost).
  using batched = dynamic_layout<dimension<digit<dynamic(0), dynamic(3)>>,
                                 dimension<digit<dynamic(1), dynamic(4)>>,
                                 dimension<digit<dynamic(2), dynamic(5)>>>;
  using blocked = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>, digit<32, 1>>,
                                 dimension<digit<dynamic(2), 32>>>;
  batched const b(7, 100, 50, 100000, 200, 3);
  blocked const c(5, 32 * 49, 49);
  std::mt19937_64 random(3);
  for (int n = 0; n < 2000; ++n) {
    unsigned const i = static_cast<unsigned>(random() % 7);
    unsigned const j = static_cast<unsigned>(random() % 90);
    unsigned const k = static_cast<unsigned>(random() % 40);
    auto const p = bind_pointer(base, b, any(i), any(j), any(k));
    CHECK(elements_from(base, p.at<0, 9, 5>()) ==
          places(to_layout(b), shape_of(b), {i, j + 9, k + 5}).first()[axis::m]);
    unsigned const channel = static_cast<unsigned>(random() % 128);
    unsigned const pixel = static_cast<unsigned>(random() % 49);
    auto const q = bind_pointer(base, c, any(channel), any(pixel));
    using bound = std::remove_const_t<decltype(q)>;
    static_assert(bound::step_of({{8, 0}}).again);  // the channel may carry into the next block
    CHECK(elements_from(base, q.at<8, 0>()) ==
          places(to_layout(c), shape_of(c), {channel + 8, pixel}).first()[axis::m]);
    auto const r = bind_pointer(
        base, c, constant<32>{} * below<4>(channel / 32) + below<32>(channel % 32), any(pixel));
    using bound_by_blocks = std::remove_const_t<decltype(r)>;
    static_assert(!bound_by_blocks::step_of({{32, 0}}).again);
    CHECK(elements_from(base, r.at<32, 0>()) ==
          places(to_layout(c), shape_of(c), {channel + 32, pixel}).first()[axis::m]);
  }
}

TEST_CASE("a stride with a small bound is multiplied in 32 bits") {
  static_assert(sizeof(matrix) == 16);  // 4 + 4 bytes of extents, and 8 of a pitch without a bound
  static_assert(sizeof(small_matrix) == 12);
  auto const wide = bind_pointer(base, matrix(8, 8, 8), any(0), any(0));
  auto const narrow = bind_pointer(base, small_matrix(8, 8, 8), any(0), any(0));
  static_assert(sizeof(wide.strides.bytes<2>()) == 8 && sizeof(narrow.strides.bytes<2>()) == 4);
}

TEST_CASE("only sums proved below 2^32 elements are computed in 32 bits") {
  using detail::is_narrow;
  using up_to_the_end = dynamic_matrix<dynamic(0).at_most(65536), 1,
                                       dynamic(2).at_most(65537)>;  // 65535 * 65537 = 2^32 - 1
  using one_too_many = dynamic_matrix<dynamic(0).at_most(65536), 2, dynamic(2).at_most(65537)>;
  using below_zero = dynamic_layout<dimension<digit<8, -1>>,
                                    dimension<digit<dynamic(0).below(9), dynamic(1).below(9)>>>;
  static_assert(is_narrow<up_to_the_end, 2> && !is_narrow<up_to_the_end, 0> &&
                !is_narrow<one_too_many, 2>);
  static_assert(!is_narrow<matrix, 2> && is_narrow<small_matrix, 2> && !is_narrow<below_zero, 1>);
  up_to_the_end const a(65536, 7, 65537);
  auto const last = bind_pointer(base, a, any(65535), any(0));
  CHECK(elements_from(base, last.at<>()) == 65535LL * 65537);
  CHECK(elements_from(base, bind_pointer(base, a, any(65534), any(0)).at<1, 0>()) ==
        65535LL * 65537);
  one_too_many const b(65536, 7, 65537);
  CHECK(elements_from(base, bind_pointer(base, b, any(65535), any(1)).at<>()) ==
        65535LL * 65537 + 1);
  // The terms of the last two dimensions each fit in 32 bits, but their sum does not. The smaller
  // term is computed in 32 bits. The stride of the first dimension has no bound.
  using three = dynamic_layout<dimension<digit<dynamic(0), dynamic(3)>>,
                               dimension<digit<dynamic(1).at_most(3), dynamic(4).below(1 << 30)>>,
                               dimension<digit<dynamic(2).at_most(5), dynamic(5).below(1 << 30)>>>;
  static_assert(is_narrow<three, 4> && !is_narrow<three, 5> && !is_narrow<three, 3>);
  integer const stride = (1 << 30) - 1;
  three const c(9, 3, 5, integer{1} << 35, stride, stride);
  auto const p = bind_pointer(base, c, any(8), any(2), any(3));
  CHECK(elements_from(base, p.at<>()) == (integer{8} << 35) + 5 * stride);
  CHECK(elements_from(base, p.at<0, 0, 1>()) == (integer{8} << 35) + 6 * stride);
  CHECK(elements_from(base, bind_pointer(base, c, any(8), any(1), any(3)).at<0, 1, 1>()) ==
        (integer{8} << 35) + 6 * stride);
}

TEST_CASE("sizes that break their declaration are rejected") {
  CHECK(sentence_of(small_matrix::why(10, 10, 12)) ==
        "a stride of dimension 0, dynamic(2), is 12, but aligned<...> or .multiple_of(8) declares "
        "it as a multiple of 8");
  CHECK(sentence_of(small_matrix::why(10, 65536, 16)) ==
        "dynamic(1), an extent of dimension 1, is 65536, but it must be below 65536");
  CHECK(sentence_of(small_matrix::why(0, 10, 16)) ==
        "dynamic(0), an extent of dimension 0, is 0, but it must be at least 1");
  CHECK(sentence_of(matrix::why(integer{1} << 32, 10, 16)) ==
        "dynamic(0), an extent of dimension 0, is 4294967296, but an extent must be below 2^32 "
        "because coordinates have 32 bits");
  CHECK(matrix::why(10, 10, 0).which == rule::none);  // with stride 0 all rows share elements
  CHECK_THROWS(small_matrix(10, 10, 12));
}

}  // namespace
