// Facts about addresses that are sums of several registers' terms. Every value is compared with
// addresses written out by hand.
#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// Rows are 63 elements apart, and each block of 7 rows is followed by 7 elements of padding. So the
// address is 63 * row + 7 * (row / 7) + column.
using blocks = carrier<"S[(9,7,56):(448,63,1)]"_axe>;
constexpr bool sevens_hold() {
  for (unsigned row = 0; row < 63; ++row)
    if (bind_address<blocks, extents<63, 56>, 1>(below<63>(row), below<56>(row % 56)).at<0, 0>() !=
        row / 7 * 448 + row % 7 * 63 + row % 56)
      return false;
  return true;
}
static_assert(sevens_hold());

// The addresses of stmatrix for a warpgroup under the 128-byte swizzle.
using panels = carrier<"swizzle(3,3,3) o S[(64,2,64):(64,4096,1)]"_axe>;
constexpr auto bound_panel(unsigned thread) {
  auto const t = on<axis::tid, 128>(thread);
  return bind_address<panels, extents<64, 128>, 2>(constant<16>{} * t.bits<5, 2>() + t.bits<0, 4>(),
                                                   constant<8>{} * t.bits<4, 1>());
}
constexpr bool panels_hold() {
  for (unsigned t = 0; t < 128; ++t) {
    unsigned const row = t / 32 * 16 + t % 16;
    unsigned const chunk = t / 16 % 2;
    if (bound_panel(t).at<0, 0>() != row * 128 + (chunk ^ row % 8) * 16 ||
        bound_panel(t).from(1024u).at<0, 80>() !=
            1024 + 8192 + row * 128 + ((chunk + 2) ^ row % 8) * 16)
      return false;
  }
  return true;
}
static_assert(panels_hold());

// Without a swizzle, the terms of two registers may overlap. They are then added with carries.
template <class L, int A, int B, int Bytes> constexpr bool carries() {
  for (unsigned y = 0; y < A; ++y)
    for (unsigned x = 0; x < B; ++x) {
      integer rest = integer{y} * B + x;
      integer address = 0;
      for (int k = L::value.shards.size() - 1; k >= 0; --k) {
        address += rest % L::value.shards[k].extent * L::value.shards[k].stride * Bytes;
        rest /= L::value.shards[k].extent;
      }
      auto const bound =
          bind_address<L, extents<A, B>, Bytes>(on<axis::warp, A>(y), on<axis::lane, B>(x));
      if (integer{bound.template at<0, 0>().from(0u)} != address) return false;
    }
  return true;
}
static_assert(carries<carrier<"S[(5,2,2,2,2):(10,64,4,2,32)]"_axe>, 5, 16, 1>());
static_assert(carries<carrier<"S[(5,2,2,2,2,2):(12,64,16,4,8,32)]"_axe>, 5, 32, 1>());
static_assert(carries<carrier<"S[(5,2,2,2,2,2,2):(12,128,16,4,8,32,64)]"_axe>, 5, 64, 1>());
static_assert(carries<carrier<"S[(3,2,4,4,2):(10,64,8,1,32)]"_axe>, 3, 64, 2>());
static_assert(carries<carrier<"S[(3,2,4,4,2):(10,64,2,16,1)]"_axe>, 3, 64, 4>());

}  // namespace
