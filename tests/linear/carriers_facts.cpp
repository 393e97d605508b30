// Tests linear maps as types: the result of an operation on carriers carries the result of the same
// operation on their values.
#include <axe/construct/literal.hpp>
#include <axe/linear.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr layout rows = "S[(8,8):(1@lane,1@reg)]"_axe, columns = "S[(8,8):(1@reg,1@lane)]"_axe;
using tile = extents<8, 8>;
constexpr shape s = tile::value;

constexpr auto A = linear(carrier<rows>{}, tile{});
constexpr auto B = linear(carrier<columns>{}, tile{});
static_assert(A.value == linear(rows, s) && carries_linear_map<decltype(A)> &&
              !carries_layout<decltype(A)>);
static_assert(A == linear(rows, s), "a carrier converts to its value");
static_assert(rank(A) == 6);

// The result of one operation is an operand of the next.
constexpr auto conversion = invert_and_compose(B, A);
static_assert(conversion.value == invert_and_compose(B.value, A.value));
static_assert(compose(B, conversion).value == A.value);
static_assert(invert(A).value == invert(A.value) &&
              compose(A, invert(A)).value == compose(A.value, invert(A.value)));
static_assert(pseudo_invert(A).value == invert(A.value),
              "A is one to one and onto, so this is its inverse");

constexpr auto replicated = linear(carrier<"S[8:1@lane] + R[4:8@lane]"_axe>{}, extents<8>{});
static_assert(preimage(A).value == preimage(A.value) &&
              kernel(replicated).value == kernel(replicated.value));
static_assert(pseudo_invert(replicated).value == pseudo_invert(replicated.value));

constexpr auto whole = multiply(A, B);
static_assert(whole.value == multiply(A.value, B.value));
static_assert(divide_left(whole, A).value == B.value && divide_right(whole, B).value == A.value);
static_assert(part(A, static_axes<axes::dim<0>>{}, static_axes<axis::lane>{}).value ==
              part(A.value, {axes::dim<0>}, {axis::lane}));
constexpr auto warps = linear(carrier<"S[(4,8):(1@warp,1@lane)]"_axe>{}, extents<4, 8>{});
constexpr auto identity = compose(warps, invert(warps));
static_assert(quotient(identity, static_axes<axis::warp>{}).value ==
              quotient(identity.value, {axis::warp}));
static_assert(owner_map(carrier<rows>{}, tile{}).value == owner_map(rows, s));

// to_layout of a carrier gives the carrier of the layout.
static_assert(decltype(to_layout(A))::value == to_layout(A.value));
static_assert(decltype(to_layout(carry<linear(rows, s)>()))::value == rows);

}  // namespace
