// Compares the layouts of axe/bridge/cute.hpp with CuTe's own: both must give the same number for
// every index, and a layout converted to the other library and back must be the same again.
#include <axe/bridge/cute.hpp>
#include <axe/cute/coordinates.hpp>
#include <axe/cute/notation.hpp>

#include <cstdio>
#include <type_traits>

namespace {

using namespace axe::cute::literals;
namespace ours = axe::cute;
using ::cute::_0;
using ::cute::_1;
using ::cute::_2;
using ::cute::_4;
using ::cute::Int;
using ::cute::Layout;
using ::cute::Shape;
using ::cute::Stride;

int failures = 0;
int compared = 0;

template <class Theirs>
void same(char const* what, Theirs const& theirs, ours::layout const& mine) {
  ours::layout const l = ours::from_cute(theirs);
  if (l != mine) {
    std::printf("%s: from_cute answers %s, not %s\n", what, ours::to_text(l).c_str(),
                ours::to_text(mine).c_str());
    ++failures;
  }
  if (static_cast<axe::integer>(::cute::size(theirs)) != ours::size(l)) ++failures;
  for (int i = 0; i < static_cast<int>(::cute::size(theirs)); ++i, ++compared)
    if (static_cast<axe::integer>(theirs(i)) != *ours::try_at(l, i)) {
      std::printf("%s: index %d\n", what, i);
      ++failures;
      break;
    }
}

/// Converts a layout to CuTe and back at compile time.
template <ours::layout L> void there_and_back(char const* what) {
  constexpr auto theirs = ours::to_cute<L>();
  static_assert(ours::from_cute(theirs) == L);
  same(what, theirs, L);
}

static_assert(std::is_same_v<decltype(ours::to_cute<"(4,2):(1,4)"_cute>()),
                             Layout<Shape<_4, _2>, Stride<_1, _4>>>);
static_assert(std::is_same_v<decltype(ours::to_cute<"6:3"_cute>()), Layout<Int<6>, Int<3>>>);
static_assert(
    std::is_same_v<decltype(ours::to_cute<"((2,4),8):((1,16),2)"_cute>()),
                   Layout<Shape<Shape<_2, _4>, Int<8>>, Stride<Stride<_1, Int<16>>, _2>>>);
static_assert(
    std::is_same_v<decltype(ours::to_cute<"Sw<3,4,3> o 0 o (8,128):(128,1)"_cute>()),
                   ::cute::ComposedLayout<::cute::Swizzle<3, 4, 3>, _0,
                                          Layout<Shape<Int<8>, Int<128>>, Stride<Int<128>, _1>>>>);

// An atom of GMMA: the swizzle acts on bytes of shared memory, and the layout counts elements.
template <int Bits> constexpr auto atom() {
  return ::cute::upcast<Bits>(
      ::cute::ComposedLayout<::cute::Swizzle<3, 4, 3>, ::cute::smem_ptr_flag,
                             Layout<Shape<Int<8>, Int<1024>>, Stride<Int<1024>, _1>>>{});
}
static_assert(ours::from_cute(atom<8>()) == "Sw<3,4,3> o 0 o (8,128):(128,1)"_cute &&
              ours::from_cute(atom<16>()) == "Sw<3,3,3> o 0 o (8,64):(64,1)"_cute &&
              ours::from_cute(atom<32>()) == "Sw<3,2,3> o 0 o (8,32):(32,1)"_cute);

using half_static = Layout<Shape<int, _2>, Stride<_1, int>>;
static_assert(ours::try_to_cute<half_static>("(4,2):(1,4)"_cute).why.which == axe::rule::none);
static_assert(ours::try_to_cute<half_static>("(4,3):(1,4)"_cute).why.which ==
                  axe::rule::cute_does_not_fit_the_type &&
              ours::try_to_cute<half_static>("8:1"_cute).why.which ==
                  axe::rule::cute_does_not_fit_the_type &&
              ours::try_to_cute<half_static>("(4,2,1):(1,4,0)"_cute).why.which ==
                  axe::rule::cute_does_not_fit_the_type &&
              ours::try_to_cute<half_static>(ours::make_layout({4, 2}, {1, axe::integer{1} << 40}))
                      .why.which == axe::rule::cute_does_not_fit_the_type &&
              ours::try_to_cute<half_static>("Sw<0,0,1> o 1 o (4,2):(1,4)"_cute).why.which ==
                  axe::rule::cute_is_composed);

}  // namespace

int main() {
  there_and_back<"6:3"_cute>("a leaf");
  there_and_back<"(6):(3)"_cute>("a group of one");
  there_and_back<"(4,2):(1,4)"_cute>("column-major");
  there_and_back<"((2,3),(5,(7,2))):((1,60),(2,(10,30)))"_cute>("nested");
  there_and_back<"(3,4):(-1,0)"_cute>("negative and zero strides");
  there_and_back<"Sw<3,4,3> o 0 o (8,128):(128,1)"_cute>("128-byte swizzle of bytes");
  there_and_back<"Sw<2,1,3> o 12 o (8,(4,2)):(8,(1,4))"_cute>("a swizzle with an offset");
  there_and_back<"Sw<2,1,-3> o 0 o (16,16):(16,1)"_cute>("an outer swizzle");
  there_and_back<"Sw<0,0,1> o 5 o 4:2"_cute>("an offset alone");
  same("an atom of GMMA", ::cute::as_position_independent_swizzle_layout(atom<16>()),
       ours::from_cute(atom<16>()));
  for (int m = 1; m < 6; ++m)
    for (int n = 1; n < 6; ++n) {
      auto const theirs =
          ::cute::make_layout(::cute::make_shape(m, ::cute::make_shape(n, 3)),
                              ::cute::make_stride(n, ::cute::make_stride(1, m * n + 2)));
      same("at run time", theirs, ours::make_layout({m, {n, 3}}, {n, {1, m * n + 2}}));
      auto const back =
          ours::to_cute<Layout<Shape<int, Shape<int, int>>, Stride<int, Stride<int, int>>>>(
              ours::from_cute(theirs));
      for (int i = 0; i < ::cute::size(theirs); ++i, ++compared)
        if (back(i) != theirs(i)) ++failures;
    }
  std::printf("%d indices compared, %d layouts wrong\n", compared, failures);
  return failures > 0 || compared < 1000 ? 1 : 0;
}
