// Tests pointers into tensors with static strides: where terms of 64 bits are split, and where a
// coordinate is one product.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/index/pointer.hpp>

namespace {

using namespace axe;

float* const base = axe_test::far_pointer<float>;
using axe_test::elements_from;

TEST_CASE("static strides with terms above and below 32 bits give the right pointer") {
  constexpr integer far = integer{3} << 31;
  using rows = dynamic_layout<dimension<digit<dynamic(0), far>>, dimension<digit<64, 1>>>;
  rows const sizes(1 << 20);
  for (unsigned row : {0u, 1u, 2u, 1000u, (1u << 20) - 1})
    for (unsigned t = 0; t < 128; ++t) {
      auto const thread = on<axis::tid, 128>(t);
      auto const p = bind_pointer(base, sizes, any(row), constant<4>{} * thread.bits<0, 4>());
      CHECK(elements_from(base, p.at<>()) == far * row + 4 * (t & 15));
      CHECK(elements_from(base, p.at<0, 3>()) == far * row + 4 * (t & 15) + 3);
    }
}

TEST_CASE("pointers are right whether rows and columns share a multiplication or not") {
  using rows = dynamic_layout<dimension<digit<dynamic(0), 100>>, dimension<digit<100, 1>>>;
  rows const sizes(integer{1} << 31);
  for (unsigned block : {0u, 1u, (1u << 29) - 1})
    for (unsigned t = 0; t < 128; ++t) {
      auto const thread = on<axis::tid, 128>(t);
      auto const p = bind_pointer(base, sizes, constant<4>{} * any(block) + thread.bits<5, 2>(),
                                  constant<3>{} * thread.bits<0, 5>());
      integer const row = integer{4} * block + (t >> 5);
      CHECK(elements_from(base, p.at<>()) == 100 * row + 3 * (t & 31));
    }
}

TEST_CASE("pointers are right if a sum follows more dimensions than have a run-time coordinate") {
  using one = dimension<digit<2, 640>>;
  using sizes_type = dynamic_layout<one, one, one, dimension<digit<dynamic(0), 1048576>>,
                                    dimension<digit<8, 64>, digit<8, 3>>>;
  sizes_type const sizes(16);
  for (unsigned n : {0u, 7u, 15u})
    for (unsigned i = 0; i < 61; ++i) {
      constant<0> const zero{};
      auto const p = bind_pointer(base, sizes, zero, zero, zero, any(n), constant<3>{} + any(i));
      integer const x = i + 3;
      CHECK(elements_from(base, p.at<>()) == integer{1048576} * n + 64 * (x / 8) + 3 * (x % 8));
    }
}

TEST_CASE("pointers to elements of 12 bytes include each constant once") {
  struct point {
    float x, y, z;
  };
  point* const points = axe_test::far_pointer<point>;
  using rows = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>>,
                              dimension<digit<dynamic(2).below(integer{1} << 31), 1>>>;
  rows const sizes(100, (1 << 30) + 7, 1 << 30);
  for (unsigned block : {0u, 1u, (1u << 25) - 1})
    for (unsigned t = 0; t < 32; ++t) {
      auto const column = constant<32>{} * any(block) + on<axis::tid, 32>(t) + constant<5>{};
      integer const at = integer{32} * block + t + 5;
      auto const check = [&](auto const& row, integer pitches) {
        auto const p = bind_pointer(points, sizes, row, column);
        CHECK(elements_from(points, p.template at<>()) == pitches * ((1 << 30) + 7) + at);
        CHECK(elements_from(points, p.template at<1, -6>()) ==
              (pitches + 1) * ((1 << 30) + 7) + at - 6);
      };
      check(constant<0>{}, 0);
      check(any(block % 7), block % 7);
      check(any(block % 7) + constant<2>{}, block % 7 + 2);
    }
}

}  // namespace
