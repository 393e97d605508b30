// Index code for images: NCHW to NHWC for 3, 7, 48 and 100 channels, and the nine taps of a 3x3
// im2col. Threads are numbered in the order of the output. One layout on the flat index gives the
// source of each element, with one division by C and one by H*W.
#include "../pattern.hpp"

#include <axe/index/tensor_of.hpp>

namespace pattern {

/// Element x of the output, (n, hw, c) with c fastest, is at n*C*HW + c*HW + hw of the input. Each
/// thread has PerThread neighbouring elements.
template <integer C, integer HW, integer N, int PerThread> struct nchw_to_nhwc {
  struct arguments {
    word const* in;
    word* out;
  };
  using source = axe::carrier<axe::S({N, HW, C}, {C * HW, integer{1}, HW})>;
  using packed = axe::carrier<axe::S({N * HW * C}, {1})>;
  using flat = axe::extents<N * HW * C>;
  static constexpr word total = static_cast<word>(N * HW * C / PerThread);

  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const x =
        axe::constant<PerThread>{} * axe::below<N * HW * C / PerThread>(i.block_x * 256 + i.thread);
    auto const from = axe::bind_pointer(a.in, axe::tensor_of<source, flat>{}, x);
    auto const to = axe::bind_pointer(a.out, axe::tensor_of<packed, flat>{}, x);
    each<PerThread>(
        [&](auto k) { sink.global(const_cast<word*>(from.template at<decltype(k)::value>())); });
    sink.global(to.template at<0>());
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    using channels_last = Layout<Shape<Int<C>, Int<HW>, Int<N>>, Stride<Int<HW>, _1, Int<C * HW>>>;
    word const x = (i.block_x * 256 + i.thread) * PerThread;
    each<PerThread>([&](auto k) {
      sink.global(const_cast<word*>(a.in) + channels_last{}(x + word{decltype(k)::value}));
    });
    sink.global(a.out + wide{i.block_x * 256 + i.thread} * PerThread);
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer k = 0; k < PerThread; ++k) {
      integer const x = (i.block_x * integer{256} + i.thread) * PerThread + k;
      integer const c = x % C;
      integer const hw = x / C % HW;
      integer const n = x / C / HW;
      bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.in)) +
                      4 * (n * C * HW + c * HW + hw));
    }
    bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.out)) +
                    4 * PerThread * (i.block_x * integer{256} + i.thread));
  }
  static std::vector<launch<arguments>> launches() {
    return {{{reinterpret_cast<word const*>(std::uintptr_t{1} << 42),
              reinterpret_cast<word*>(std::uintptr_t{1} << 43)},
             256,
             total / 256}};
  }
  /// With q = x / C and n = q / HW, the address (x - C*q)*HW + q + n*(C - 1)*HW needs no remainder.
  /// For these sizes `high_product` computes both quotients exactly.
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    struct vector {
      word elements[PerThread];
    };
    word const v = i.block_x * 256 + i.thread;
    word const q = high_product(v, static_cast<word>((wide{1} << 32) / (C / PerThread) + 1));
    word const n =
        C == 7 ? high_product(q, static_cast<word>((wide{1} << 32) / HW + 1))
               : high_product(v, static_cast<word>((wide{1} << 32) / (C / PerThread * HW) + 1));
    word const at = v * word{PerThread * HW} - q * word{C * HW - 1} + n * word{(C - 1) * HW};
    word const* const in = a.in + at;
    each<PerThread>([&](auto k) { sink.global(const_cast<word*>(in + decltype(k)::value * HW)); });
    sink.global(reinterpret_cast<word*>(reinterpret_cast<vector*>(a.out) + v));
  }
};

struct nchw_to_nhwc_3 : nchw_to_nhwc<3, 64 * 64, 32, 1> {};
struct nchw_to_nhwc_7 : nchw_to_nhwc<7, 56 * 56, 32, 1> {};
struct nchw_to_nhwc_48 : nchw_to_nhwc<48, 28 * 28, 32, 4> {};
struct nchw_to_nhwc_100 : nchw_to_nhwc<100, 14 * 14, 128, 4> {};

/// A 3x3 im2col of NHWC images (56x56, 48 channels of 16 bits, padding 1). A thread has 8 channels
/// of the nine taps of one output position.
struct im2col_3x3 {
  static constexpr integer H = 56, W = 56, C = 48, N = 16;
  struct arguments {
    std::uint16_t const* in;
  };
  // (n, y, x, c) of the padded image: 58 x 58 positions.
  using image = axe::carrier<axe::S({N, H, W, C}, {58 * 58 * C, 58 * C, C, integer{1}})>;
  // The taps may be in the padding, so their layout includes it.
  using taps = axe::carrier<axe::S({N, H + 2, W + 2, C}, {58 * 58 * C, 58 * C, C, integer{1}})>;
  using flat = axe::extents<N * H * W * C>;

  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const x = axe::constant<8>{} * axe::below<N * H * W * C / 8>(i.block_x * 256 + i.thread);
    auto const* const p =
        axe::bind_pointer(a.in, axe::tensor_of<image, flat>{}, x).template at<0>();
    axe::tensor_of<taps, axe::extents<N, H + 2, W + 2, C>> const padded;
    each<3>([&](auto y) {
      each<3>([&](auto z) {
        auto const* const tap =
            axe::bind_pointer(p, padded, axe::constant<0>{}, y, z, axe::constant<0>{})
                .template at<>();
        sink.global(reinterpret_cast<wide*>(const_cast<std::uint16_t*>(tap)));
      });
    });
  }
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const v = i.block_x * 256 + i.thread;
    // A row has 336 threads, an image 56 rows. Padding adds 2 columns to a row and 2 rows to an
    // image, in units of eight elements.
    struct vector {
      std::uint16_t elements[8];
    };
    word const row = high_product(v, 12782641);  // v / 336
    word const n = high_product(row, 76695845);  // row / 56
    word const at = v + row * (2 * 48 / 8) + n * (2 * 58 * 48 / 8);
    std::uint16_t const* const p = (reinterpret_cast<vector const*>(a.in) + at)->elements;
    each<3>([&](auto y) {
      each<3>([&](auto z) {
        sink.global(reinterpret_cast<wide*>(const_cast<std::uint16_t*>(
            p + 58 * 48 * decltype(y)::value + 48 * decltype(z)::value)));
      });
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    using positions = Layout<Shape<Int<C>, Int<W>, Int<H>, Int<N>>,
                             Stride<_1, Int<C>, Int<58 * C>, Int<58 * 58 * C>>>;
    using window = Layout<Shape<_3, _3>, Stride<Int<58 * C>, Int<C>>>;
    std::uint16_t const* const p = a.in + positions{}((i.block_x * 256 + i.thread) * 8);
    each<3>([&](auto y) {
      each<3>([&](auto z) {
        sink.global(reinterpret_cast<wide*>(const_cast<std::uint16_t*>(
            p + window{}(int{decltype(y)::value}, int{decltype(z)::value}))));
      });
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const v = i.block_x * integer{256} + i.thread;
    integer const c = v % 6 * 8;
    integer const x = v / 6 % W;
    integer const y = v / 6 / W % H;
    integer const n = v / 6 / W / H;
    for (integer dy = 0; dy < 3; ++dy)
      for (integer dx = 0; dx < 3; ++dx)
        bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.in)) +
                        2 * (((n * 58 + y + dy) * 58 + x + dx) * 48 + c));
  }
  static std::vector<launch<arguments>> launches() {
    return {{{reinterpret_cast<std::uint16_t const*>(std::uintptr_t{1} << 42)},
             256,
             N * H * W * C / 8 / 256}};
  }
};

AXE_PATTERN(nchw_to_nhwc_3)
AXE_PATTERN(nchw_to_nhwc_7)
AXE_PATTERN(nchw_to_nhwc_48)
AXE_PATTERN(nchw_to_nhwc_100)
AXE_PATTERN(im2col_3x3)

}  // namespace pattern
