// The idioms of docs/guides/from_mdspan.md, written with mdspan and with axe; the comments have
// their numbers. The program exits with 0 if both agree. mdspan is cuda::std::mdspan or
// std::mdspan.
#include <axe/axe.hpp>
#include <axe/bridge/mdspan.hpp>
#include <axe/cuda/tensor.hpp>

#ifdef AXE_TEST_CUDA_MDSPAN
#include <cuda/std/mdspan>
namespace md = cuda::std;
#else
#include <mdspan>
namespace md = std;
#endif

#include <cstdio>
#include <vector>

using namespace axe::literals;
using namespace axe::axes;

namespace {

int wrong = 0;
template <class A, class B> void same(int idiom, A const& theirs, B const& ours) {
  if (static_cast<long long>(theirs) == static_cast<long long>(ours)) return;
  std::printf("idiom %d: mdspan has %lld, axe %lld\n", idiom, static_cast<long long>(theirs),
              static_cast<long long>(ours));
  ++wrong;
}

struct mdspan_side {
  // 1
  static auto matrix(float* p, int rows, int columns) {
    return md::mdspan<float, md::dextents<int, 2>>(p, rows, columns);
  }
  // 2
  static auto transposed(float* p, int rows, int columns) {
    return md::mdspan<float, md::dextents<int, 2>, md::layout_left>(p, rows, columns);
  }
  // 3
  static auto strided(float* p, int rows, int columns, int down, int across) {
    using extents = md::dextents<int, 2>;
    using mapping = md::layout_stride::mapping<extents>;
    return md::mdspan<float, extents, md::layout_stride>(
        p, mapping(extents(rows, columns), md::array<int, 2>{down, across}));
  }
  // 4
  template <class A> static auto rows(A const& a) { return a.extent(0); }
  // 5
  template <class A> static auto stride(A const& a) { return a.stride(0); }
  // 6
  template <class A> static auto offset(A const& a, int i, int j) { return a.mapping()(i, j); }
  // 7
  using square = md::layout_right::mapping<md::extents<int, 8, 16>>;
  static constexpr int span = square{}.required_span_size();
  // 8
  static constexpr bool unique = square{}.is_unique();
};

struct axe_side {
  // 1
  static auto matrix(float* p, int rows, int columns) {
    return axe::tensor<float, axe::row_major<2>>(p, rows, columns);
  }
  // 2
  static auto transposed(float* p, int rows, int columns) {
    return axe::tensor<float, axe::column_major<2>>(p, rows, columns);
  }
  // 3
  static auto strided(float* p, int rows, int columns, int down, int across) {
    return axe::tensor<float, axe::strided<2>>(p, rows, columns, down, across);
  }
  // 4
  template <class A> static auto rows(A const& a) { return axe::extent<0>(a); }
  // 5
  template <class A> static auto stride(A const& a) { return axe::stride<0>(a); }
  // 6
  template <class A> static auto offset(A const& a, int i, int j) { return &a(i, j) - a.data; }
  // 7
  static constexpr auto square = "S[(8,16):(16,1)]"_axe;
  static constexpr auto span = axe::cosize(square, m);
  // 8
  static constexpr bool unique = axe::is_injective(square);
};

// 9
using swizzled = axe::carrier<"swizzle(0,2,2) o S[(4,16):(16,1)]"_axe>;
using tile = md::mdspan<float, md::extents<int, 4, 16>, axe::mdspan_layout<swizzled>>;

// 10
constexpr auto from_theirs = axe::from_mdspan(md::layout_left::mapping<md::extents<int, 4, 8>>{});
static_assert(from_theirs == "S[((4),(8)):((1),(4))]"_axe);

}  // namespace

int main() {
  std::vector<float> memory(200);
  float* const p = memory.data();
  auto const compare = [&](int idiom, auto const& theirs, auto const& ours) {
    same(4, mdspan_side::rows(theirs), axe_side::rows(ours));
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 7; ++j)
        same(idiom, mdspan_side::offset(theirs, i, j), axe_side::offset(ours, i, j));
  };
  compare(1, mdspan_side::matrix(p, 6, 7), axe_side::matrix(p, 6, 7));
  compare(2, mdspan_side::transposed(p, 6, 7), axe_side::transposed(p, 6, 7));
  compare(3, mdspan_side::strided(p, 6, 7, 9, 2), axe_side::strided(p, 6, 7, 9, 2));
  same(5, mdspan_side::stride(mdspan_side::matrix(p, 6, 7)),
       axe_side::stride(axe_side::matrix(p, 6, 7)));
  same(7, mdspan_side::span, axe_side::span);
  same(8, mdspan_side::unique, axe_side::unique);
  tile const t(p);
  same(9, t.mapping()(3, 5), axe::places(swizzled::value, {4, 16}, {3, 5}).first()[m]);
  return wrong;
}
