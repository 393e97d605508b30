// Facts about address plans of host code. Host code adds registers before it shifts their sum:
// 1024*y + 2048*x is 1024*(y + 2*x). It leaves bits in place that need no shift, and computes 7*x
// as 8*x - x. Every value is compared with addresses written out by hand.
#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// With 4-byte elements the strides of x, y, z and t are 2^18, 2^16, 2^15 and 4 bytes. Host code
// adds x to y and y to z before it shifts, because an addressing mode scales by up to 8.
using boxes = carrier<"S[(3,2,2,256):(65536,16384,8192,1)]"_axe>;
using box = extents<3, 2, 2, 256>;
constexpr auto bound_box(unsigned x, unsigned y, unsigned z, unsigned t) {
  return bind_address<boxes, box, 4>(below<3>(x), below<2>(y), below<2>(z), below<256>(t));
}
using boxed = decltype(bound_box(0, 0, 0, 0));
static_assert(!counts_as_host || (joined_register(boxed::plan::value, 0) == 1 &&
                                  joined_register(boxed::plan::value, 1) == 2));
static_assert(joined_register(boxed::plan::value, 2) == -1 &&
              joined_register(boxed::plan::value, 3) == -1);
constexpr bool boxes_hold() {
  for (unsigned k = 0; k < 12; ++k)
    for (unsigned t : {0u, 1u, 255u})
      if (bound_box(k / 4, k / 2 % 2, k % 2, t).at<0, 0, 0, 0>() !=
          4 * (k / 4 * 65536 + k / 2 % 2 * 16384 + k % 2 * 8192 + t))
        return false;
  return true;
}
static_assert(boxes_hold());

// Register a is not joined to b: the ratio of their strides is 32, and addressing modes scale by up
// to 8.
using fans = carrier<"S[(5,5,5,5):(32768,1024,512,64)]"_axe>;
constexpr auto bound_fan(unsigned a, unsigned b, unsigned c, unsigned d) {
  return bind_address<fans, extents<5, 5, 5, 5>, 1>(below<5>(a), below<5>(b), below<5>(c),
                                                    below<5>(d));
}
using fan = decltype(bound_fan(0, 0, 0, 0));
static_assert(joined_register(fan::plan::value, 0) == -1);
constexpr bool fans_hold() {
  for (unsigned k = 0; k < 625; k += 7)
    if (bound_fan(k / 125, k / 25 % 5, k / 5 % 5, k % 5).at<0, 0, 0, 0>() !=
        k / 125 * 32768 + k / 25 % 5 * 1024 + k / 5 % 5 * 512 + k % 5 * 64)
      return false;
  return true;
}
static_assert(fans_hold());

// No register is joined to one that an addressing mode can scale by itself.
using small = decltype(bind_address<carrier<"S[(4,4):(8,4)]"_axe>, extents<4, 4>, 1>(below<4>(0),
                                                                                     below<4>(0)));
static_assert(joined_register(small::plan::value, 0) == -1 &&
              joined_register(small::plan::value, 1) == -1);

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

// The addresses of stmatrix for a warpgroup under the 128-byte swizzle. Bit 4 of the thread is bit
// 4 of the address and needs no shift; four other bits are shifted.
using panels = carrier<"swizzle(3,3,3) o S[(64,2,64):(64,4096,1)]"_axe>;
constexpr auto bound_panel(unsigned thread) {
  auto const t = on<axis::tid, 128>(thread);
  return bind_address<panels, extents<64, 128>, 2>(constant<16>{} * t.bits<5, 2>() + t.bits<0, 4>(),
                                                   constant<8>{} * t.bits<4, 1>());
}
static_assert(!counts_as_host || bits_in_place(decltype(bound_panel(0))::plan::value, 0) >= 0);
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

// Without a swizzle, another register may overlap the bits that stay in place. The two are then
// added with carries.
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
