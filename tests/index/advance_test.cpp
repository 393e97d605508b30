// Tests pointers that advance along a dimension in a loop: after n steps every register has the
// same address as with a pointer that is bound n steps further. If a constant carries from one
// digit to the next, the address is computed again.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/construct/literal.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/pointer.hpp>

namespace {

using namespace axe;
using namespace axe::literals;

short* const base = axe_test::far_pointer<short>;
using axe_test::elements_from;

using by_rows = carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;

template <class Matrix, int D, integer Steps>
void check_advancing(integer pitch, integer column_stride) {
  for (unsigned t = 0; t < 256; t += 5) {
    Matrix const a = [&] {
      if constexpr (Matrix::slots == 4)
        return Matrix(4000, 4000, pitch, column_stride);
      else
        return Matrix(4000, 4000, pitch);
    }();
    auto registers = thread_tile<by_rows, extents<32, 32>>(t, [&](auto row, auto column) {
      return bind_pointer(base, a, any(7) + row, column + constant<64>{});
    });
    for (integer n = 0; n < 20; ++n) {
      integer const row = 7 + t / 32 + (D == 0 ? n * Steps : 0);
      integer const column = 64 + t % 32 + (D == 1 ? n * Steps : 0);
      for_each_register<4>([&](auto r) {
        CHECK(elements_from(base, registers.template at<decltype(r)::value>()) ==
              (row + 8 * decltype(r)::value) * pitch + column * column_stride);
      });
      registers.bound.template advance<D, Steps>();
    }
  }
}

TEST_CASE("a thread tile moves with its pointer") {
  check_advancing<dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>, 0, 32>(4096, 1);
  check_advancing<dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>, 1, 32>(4096, 1);
  check_advancing<dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).below(1 << 16)>, 0, 1>(4001, 1);
  check_advancing<dynamic_matrix<dynamic(0), dynamic(1), dynamic(2)>, 0, 64>(integer{1} << 40, 1);
  using both = dynamic_layout<dimension<digit<dynamic(0), dynamic(2)>>,
                              dimension<digit<dynamic(1), dynamic(3)>>>;
  check_advancing<both, 1, 8>(3, 1000);
}

TEST_CASE("an address that is computed again includes the steps so far") {
  using blocked = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>>,
                                 dimension<digit<dynamic(2), 3200>, digit<32, 2>>>;
  blocked const a(100, 100000, 7);
  for (unsigned column = 0; column < 180; ++column) {
    auto p = bind_pointer(base, a, any(3), any(column));
    static_assert(decltype(p)::step_of({{0, 7}}).again);
    for (integer n = 0; n < 4; ++n) {
      integer const c = column + 7;
      CHECK(elements_from(base, p.at<2, 7>()) == (5 + 2 * n) * 100000 + c / 32 * 3200 + c % 32 * 2);
      p.advance<0, 2>();
    }
  }
}

}  // namespace
