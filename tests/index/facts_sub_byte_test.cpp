// Compile-time facts about elements of less than a byte.
#include <axe/construct/literal.hpp>
#include <axe/cuda/sub_byte.hpp>

#include <type_traits>

namespace {

using namespace axe;
using namespace axe::literals;
using namespace axe::detail;

// A pack of several elements in one integer. Element 0 is in the lowest bits.
constexpr packed<4, unsigned> word{0x76543210};
static_assert(word.get<0>() == 0 && word.get<3>() == 3 && word.get<7>() == 7 && word.get(6) == 6 &&
              word.size == 8);
constexpr unsigned changed(int which) {
  packed<2, unsigned char> p{0b11100100};
  if (which == 0) p.set<0>(3);
  if (which == 3) p.set<3>(0x14);
  return p.bits;
}
static_assert(changed(0) == 0b11100111 && changed(3) == 0b00100100 &&
              packed<1, unsigned short>{0x8001}.get<15>() == 1);

// The sizes of a matrix in packs of eight: columns, pitch and their declared multiples are divided
// by eight, and rows are not.
using matrix = dynamic_matrix<dynamic(0), dynamic(1).multiple_of(16).below(1 << 20),
                              dynamic(2).multiple_of(32)>;
using in_eights = packs_of<matrix, 8>;
static_assert(in_eights::why().which == rule::none);
static_assert(
    std::is_same_v<
        in_eights::type,
        dynamic_layout_from<
            leaf{},
            axe::dimension<digit<dynamic(0).below(coordinate_end), dynamic(1).multiple_of(4)>>,
            axe::dimension<digit<dynamic(2).multiple_of(2).below(1 << 17), 1>>>>);
constexpr auto converted =
    in_eights::convert(matrix(100, 64, 96), indices_to<in_eights::type::slots>{});
static_assert(to_layout(converted) == "S[(100,8):(12,1)]"_axe);
static_assert(packs_of<dynamic_matrix<dynamic(0), dynamic(1), 64>, 8>::why() ==
              refusal{rule::pack_needs_a_multiple, {8, 1, 8, 1}});
static_assert(packs_of<dynamic_matrix<dynamic(0), 60, 64>, 8>::why() ==
              refusal{rule::pack_does_not_divide, {8, 60}});
// Rows of 5 elements are not whole packs. The refusal names the row length 5, not the 0 packs that
// it has. Single elements can still be loaded.
static_assert(packs_of<dynamic_matrix<dynamic(0), 5, 64>, 8>::why() ==
              refusal{rule::pack_does_not_divide, {8, 5}});
static_assert(packs_of<dynamic_matrix<dynamic(0), 64, 68>, 8>::why() ==
              refusal{rule::pack_does_not_divide, {8, 68}});
static_assert(packs_of<dynamic_matrix<dynamic(0), 64, dynamic(1).multiple_of(4)>, 8>::why() ==
              refusal{rule::pack_needs_a_multiple, {8, 1, 8, 4}});
static_assert(
    packs_of<dynamic_layout<axe::dimension<digit<dynamic(0), 64>>, axe::dimension<digit<8, 8>>>,
             8>::why() == refusal{rule::pack_needs_one_unit, {8, 0}});
using moved = dynamic_layout_from<dynamic(0).multiple_of(16),
                                  axe::dimension<digit<dynamic(1).multiple_of(8), 1>>>;
constexpr auto moved_packs =
    packs_of<moved, 8>::convert(moved(48, 80), indices_to<packs_of<moved, 8>::type::slots>{});
static_assert(to_layout(moved_packs) == "S[10:1] + 6"_axe);
// A multiple declared for one use of dynamic(1) holds for every use: here the row length is also
// the pitch, which is declared a multiple of 32.
using square =
    packs_of<dynamic_matrix<dynamic(0), dynamic(1), dynamic(1).multiple_of(32)>, 8>::type;
static_assert(square::facts_of(2).multiple == 4 && square::facts_of(1).multiple == 4);

// The position of an element in its pack is a constant if all dynamic parts of its column are
// multiples of a pack.
template <class Part>
constexpr int column = position_in_pack<matrix::base::base, 8, 1, decltype(as_sum(Part{}))>();
static_assert(column<decltype(constant<8>{} * any(0) + constant<3>{})> == 3 &&
              column<decltype(any(0))> == -1);
static_assert(column<constant<13>> == 5 && column<decltype(constant<4>{} * any(0))> == -1);
static_assert(position_in_pack<matrix::base::base, 8, 0, decltype(as_sum(any(0)))>() == 0);

// The layout of a tile, counted in 32-bit words instead of elements.
static_assert(packed_layout<carrier<"swizzle(5,3,3) o S[(32,64):(64,1)]"_axe>, 8>::value ==
              "swizzle(2,3,3) o S[256:1]"_axe);

}  // namespace
