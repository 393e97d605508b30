// Compile-time facts about address plans and bound addresses. All lanes or threads of small tiles
// are compared with digits written out by hand.
#include <axe/construct/literal.hpp>
#include <axe/index/bind_address.hpp>

#include <cstddef>
#include <type_traits>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// Addresses for every coordinate, in digits of any extent, with constants that carry or do not.
template <integer Constant> constexpr bool padded_holds() {
  using padded = carrier<"S[(7,48):(100,1)]"_axe>;
  for (unsigned x = 0; x + Constant < 336; ++x)
    if (bind_address<padded, extents<336>, 4>(below<336 - Constant>(x)).template at<Constant>() !=
        4 * ((x + Constant) / 48 * 100 + (x + Constant) % 48))
      return false;
  return true;
}
static_assert(padded_holds<0>() && padded_holds<1>() && padded_holds<48>() && padded_holds<49>());

/// The digit may have 2^31 values, more than the dimension has. The coordinate used, 3 * 11, is in
/// bounds.
static_assert(bind_address<carrier<"S[(5,7):(100,1)]"_axe>, extents<35>, 4>(
                  constant<3>{} * any(11).digit<1, integer{1} << 31>())
                  .at<>() == 4 * (4 * 100 + 5));

/// Computing the span of this layout takes many steps. The plan must fit clang's limit of steps in
/// a constant expression all the same.
using costly_reach =
    carrier<"swizzle(1,4,5) o S[(16,32,16,2,16,2):(-16,16388,1,8194,256,4096)] + 245"_axe>;
static_assert(bind_address<costly_reach, extents<8192, 64>, 16>(any(2375), any(6)).at<>() ==
              16 * swizzle{1, 4,
                           5}(245 - 16 * 4 + 16388 * 20 + 1 * 7 + 8194 * 0 + 256 * 3 + 4096 * 0));

constexpr bool three_digits_hold() {
  using blocks = carrier<"S[(5,7,3):(1000,-100,7)] + 600"_axe>;
  for (unsigned x = 0; x < 105; ++x)
    if (bind_address<blocks, extents<105>, 1>(below<105>(x)).at<0>() !=
        600 + x / 21 * 1000 - x / 3 % 7 * 100 + x % 3 * 7)
      return false;
  return true;
}
static_assert(three_digits_hold());

constexpr bool
steps_hold() {  // 4 * v alternates between the values 0 and 4 of the fast digit, whose extent is 8
  using blocks = carrier<"S[(4,8):(100,1)]"_axe>;
  for (unsigned v = 0; v < 7; ++v)
    if (bind_address<blocks, extents<32>, 1>(constant<4>{} * below<7>(v)).at<0>() !=
        v / 2 * 100 + v % 2 * 4)
      return false;
  return true;
}
static_assert(steps_hold());

template <integer Row, integer Column> constexpr bool blocked_holds() {
  using blocked =
      carrier<"S[(4,6,3,8):(1000,16,300,2)] + 40"_axe>;  // a 24 x 24 tile in blocks of 6 x 8
  for (unsigned t = 0; t < 96; ++t) {
    auto const thread = on<axis::tid, 96>(t);
    auto const at = bind_address<blocked, extents<24, 24>, 2>(
        constant<2>{} * thread.digit<8, 12>() + constant<1>{} * below<1>(0), thread.digit<1, 8>());
    unsigned const row = t / 8 * 2 + Row, column = t % 8 + Column;
    if (at.template at<Row, Column>() !=
        2 * (40 + row / 6 * 1000 + row % 6 * 16 + column / 8 * 300 + column % 8 * 2))
      return false;
  }
  return true;
}
static_assert(blocked_holds<0, 0>() && blocked_holds<1, 8>() && blocked_holds<0, 16>() &&
              blocked_holds<1, 3>());

// Address ranges beyond 32 bits are computed in 64 bits, all others in 32.
using large = carrier<"S[(65536,65536):(65537,1)]"_axe>;
constexpr auto far_away = bind_address<large, extents<65536, 65536>, 4>(
    below<65536>(65000), constant<16>{} * below<4096>(4000));
static_assert(far_away.at<0, 15>() == 4 * (65000ull * 65537 + 64015) &&
              sizeof(far_away.at<0, 15>().base) == 8);
static_assert(far_away.at<500, 16>() == 4 * (65500ull * 65537 + 64016));
using wide_blocks = carrier<"S[(1024,7):(8000000007,3)]"_axe>;
constexpr auto far_digits = bind_address<wide_blocks, extents<7168>, 2>(below<7160>(7159));
static_assert(far_digits.at<0>() == 2 * (7159ull / 7 * 8000000007ull + 7159 % 7 * 3));
static_assert(far_digits.at<8>() == 2 * (7167ull / 7 * 8000000007ull + 7167 % 7 * 3));

// Rows of 6 elements in blocks of 8: row 1 begins at element 6, and row 2 at element 12, in the
// second block.
template <class... Parts> constexpr unsigned in_blocks_of_8(Parts... parts) {
  return bind_address<carrier<"S[(3,8):(100,1)]"_axe>, extents<4, 6>, 1>(parts...)
      .template at<0, 0>();
}
static_assert(in_blocks_of_8(below<4>(1), constant<0>{}) == 6 &&
              in_blocks_of_8(below<4>(2), constant<0>{}) == 104 &&
              in_blocks_of_8(below<4>(3), constant<0>{}) == 202);

// A swizzle acts on address bits only if the size of an element is a power of two of bytes, so 12
// bytes are rejected.
constexpr integer no_constants[1]{};
static_assert(plan_address("swizzle(1,1,2) o S[16:1]"_axe, 16, 12, {nullptr, 0, no_constants})
                  .why.which == rule::swizzle_packs_powers_of_two);
static_assert(plan_address("swizzle(1,1,2) o S[16:1]"_axe, 16, 8, {nullptr, 0, no_constants})
                  .why.which == rule::none);
static_assert(plan_address("S[16:1]"_axe, 16, 12, {nullptr, 0, no_constants}).why.which ==
              rule::none);

// A negative stride added to a 64-bit base must be sign-extended. The base is added before or after
// the constant, and one digit runs down while another runs up.
template <class L, int Extent, class Expected> constexpr bool runs_down(Expected const& expected) {
  constexpr unsigned long long base = 1ull << 40;
  for (unsigned x = 0; x + 2 < Extent; ++x) {
    auto const f = bind_address<L, extents<Extent>, 4>(any(x));
    if (static_cast<unsigned long long>(f.from(base).template at<2>()) !=
            base + 4ull * expected(x + 2) ||
        static_cast<unsigned long long>(f.template at<2>().from(base)) !=
            base + 4ull * expected(x + 2) ||
        f.template at<2>() != 4 * expected(x + 2) ||
        static_cast<unsigned>(f.from(4096u).template at<2>()) != 4096 + 4 * expected(x + 2))
      return false;
  }
  return true;
}
AXE_FN constexpr unsigned downwards(unsigned x) { return 63 - x; }
AXE_FN constexpr unsigned down_in_rows(unsigned x) { return 28 + x / 8 - 4 * (x % 8); }
static_assert(runs_down<carrier<"S[64:-1] + 63"_axe>, 64>(downwards));
static_assert(runs_down<carrier<"S[(4,8):(1,-4)] + 28"_axe>, 32>(down_in_rows));
// A signed index of 32 bits reaches -2^31 bytes. One element more needs 64 bits. An unsigned index
// reaches byte 2^32 - 1. One byte more needs 64 bits.
template <class L, integer Extent, integer Bytes = 4>
constexpr int index_bytes =
    sizeof(decltype(bind_address<L, extents<Extent>, Bytes>(any(0)).template at<0>().base));
static_assert(index_bytes<carrier<"S[536870913:-1] + 536870912"_axe>, 536870913> == 4 &&
              index_bytes<carrier<"S[536870914:-1] + 536870913"_axe>, 536870914> == 8 &&
              index_bytes<carrier<"S[1073741824:1]"_axe>, 1073741824> == 4 &&
              index_bytes<carrier<"S[2:4294967295]"_axe>, 2, 1> == 4 &&
              index_bytes<carrier<"S[2:4294967296]"_axe>, 2, 1> == 8);

// A constant is rejected if no value of the parts is in bounds. The tile has 64 rows and columns,
// and the row is 2 to 5. So row + 62, row - 6 and column + 64 are rejected; row + 61, row - 5 and
// column - 70 may be in bounds.
using in_rows =
    constants_within<shape_ends<extents<64, 64>>, decltype(as_sum(below<4>(0) + constant<2>{})),
                     decltype(as_sum(any(0)))>;
template <integer Row, integer Column>
constexpr int left_dimension = in_rows::find({{Row, Column}}).dimension;
static_assert(left_dimension<61, 0> == -1 && left_dimension<62, 0> == 0 &&
              left_dimension<0, 63> == -1 && left_dimension<0, 64> == 1 &&
              left_dimension<-5, 0> == -1 && left_dimension<-6, 0> == 0 &&
              left_dimension<0, -70> == -1);

// Sums of parts that carry across digits have 32 bits, so dimensions of more than 2^32 elements are
// rejected.
constexpr part_data carrying[]{{0, 0, 0, 96, 1, 0}, {0, 0, 96, 1, 1, 0}};
static_assert(plan_address("S[(65536,65536):(65537,1)]"_axe, integer{1} << 32, 1,
                           {carrying, 2, no_constants})
                  .why.which == rule::none);
static_assert(plan_address("S[(65536,65537):(65538,1)]"_axe, integer{65536} * 65537, 1,
                           {carrying, 2, no_constants})
                  .why.which == rule::coordinate_sum_has_32_bits);

}  // namespace
