// Dimensions with digits of dynamic extent: any number of channels, images of any width. A
// coordinate is divided by such an extent with a multiplication and a shift, which is exact. The
// factor of each extent is stored with the sizes, and the hand-written forms use the same factors.
#include "../pattern.hpp"

#include <axe/index/tensor_of.hpp>

namespace pattern {

/// x / d, x below 2^31: the high word of 2x * m, shifted. Source: Granlund and Montgomery, Division
/// by Invariant Integers using Multiplication, section 4.
template <class Divisor> AXE_FN constexpr word divide_by_hand(word x, Divisor const& d) {
  return high_product(x + x, d.multiplier) >> d.shift;
}

/// Adds bytes to a pointer.
template <class T> AXE_FN T* further(T* p, wide bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(p) + bytes);
}

/// NCHW to NHWC, for any number of channels and pixels. A thread writes `Together` neighbouring
/// elements of the output.
template <integer Multiple, int Together> struct nchw_to_nhwc_any_number {
  static constexpr axe::leaf images = axe::dynamic(0).below(1 << 16);
  static constexpr axe::leaf pixels = axe::dynamic(1).below(1 << 19);
  static constexpr axe::leaf channels = axe::dynamic(2).below(1 << 12).multiple_of(Multiple);
  static constexpr axe::leaf image = axe::dynamic(3).below(1 << 30).multiple_of(Multiple);
  // The addresses of (image, pixel and channel), the channel fastest, in NCHW and in NHWC.
  using planar = axe::dynamic_layout<
      axe::dimension<axe::digit<images, image>>,
      axe::dimension<axe::digit<pixels, 1>, axe::digit<channels, axe::dynamic(1)>>>;
  using interleaved = axe::dynamic_layout<
      axe::dimension<axe::digit<axe::dynamic(0).below(1 << 16),
                                axe::dynamic(2).below(1 << 30).multiple_of(Multiple)>>,
      axe::dimension<axe::digit<axe::dynamic(1).below(integer{1} << 31), 1>>>;
  struct vector {
    word elements[Together];
  };
  struct arguments {
    word* in;
    word* out;
    planar from;
    interleaved to;
  };

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const v = i.block_x * 256 + i.thread;
    word const x = v * Together;
    auto const& by_channels = a.from.template divisor<0>();
    word const pixel_count = a.from.template number<1>();
    word const pixel = divide_by_hand(x, by_channels);
    word const channel = x - pixel * by_channels.number;
    word const in_image = a.from.template number<3>() * 4,
               out_image = a.to.template number<2>() * 4;
    word* const in = further(a.in + (channel * pixel_count + pixel), wide{i.block_z} * in_image);
    each<Together>([&](auto k) { sink.global(in + wide{pixel_count} * decltype(k)::value); });
    sink.global(further(reinterpret_cast<word*>(reinterpret_cast<vector*>(a.out) + v),
                        wide{i.block_z} * out_image));
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const image = axe::any(i.block_z);
    auto const x = axe::constant<Together>{} * axe::any(i.block_x * 256 + i.thread);
    auto const from = axe::bind_pointer(a.in, a.from, image, x);
    each<Together>([&](auto k) { sink.global(from.template at<0, decltype(k)::value>()); });
    sink.global(axe::bind_pointer(a.out, a.to, image, x).template at<>());
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    int const pixel_count = static_cast<int>(a.from.template number<1>());
    int const channel_count = static_cast<int>(a.from.template number<2>());
    auto const from = make_tensor(
        make_gmem_ptr(a.in),
        make_layout(make_shape(make_shape(channel_count, pixel_count), a.from.template number<0>()),
                    make_stride(make_stride(pixel_count, _1{}),
                                static_cast<integer>(a.from.template number<3>()))));
    auto const to = make_tensor(
        make_gmem_ptr(a.out),
        make_layout(make_shape(channel_count * pixel_count, a.from.template number<0>()),
                    make_stride(_1{}, static_cast<integer>(a.to.template number<2>()))));
    int const x = static_cast<int>(i.block_x * 256 + i.thread) * Together;
    each<Together>([&](auto k) { sink.global(&from(x + int{decltype(k)::value}, i.block_z)); });
    sink.global(&to(x, i.block_z));
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const pixel_count = a.from.template number<1>();
    integer const channel_count = a.from.template number<2>();
    integer const v = i.block_x * integer{256} + i.thread;
    for (integer x = v * Together; x < (v + 1) * Together; ++x)
      bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.in)) +
                      4 * (i.block_z * integer{a.from.template number<3>()} +
                           x % channel_count * pixel_count + x / channel_count));
    bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.out)) +
                    4 * (i.block_z * integer{a.to.template number<2>()} + v * Together));
  }
  static std::vector<launch<arguments>> launches() {
    std::vector<launch<arguments>> all;
    auto const add = [&](integer image_count, integer pixel_count, integer channel_count,
                         word blocks) {
      word* const in = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
      word* const out = reinterpret_cast<word*>(std::uintptr_t{1} << 43);
      integer const each_image = pixel_count * channel_count;
      all.push_back({{in, out, planar(image_count, pixel_count, channel_count, each_image + 32),
                      interleaved(image_count, each_image, each_image + 64)},
                     256,
                     blocks,
                     1,
                     static_cast<word>(image_count)});
    };
    add(2, 56 * 56, 100, 1225 / Together);
    add(3, 32 * 24, 4, 12 / Together);
    add(1, (1 << 18) - 1, 4092, 4);  // the first blocks of a large image
    if (Multiple == 1) add(2, 40 * 32, 7, 35), add(2, 512, 1, 2), add(1, 768, 3, 9);
    return all;
  }
};
struct nchw_to_nhwc_any : nchw_to_nhwc_any_number<1, 1> {};
struct nchw_to_nhwc_fours : nchw_to_nhwc_any_number<4, 4> {};

/// A 2 x 2 filter on an image of dynamic width, whose pixels are counted row by row. A thread reads
/// a pixel and its neighbours to the right and below from rows that are padded to a pitch, and
/// writes to a dense result.
struct image_any_width {
  using padded = axe::dynamic_layout<
      axe::dimension<axe::digit<axe::dynamic(0).below(1 << 15), axe::dynamic(2).below(1 << 16)>,
                     axe::digit<axe::dynamic(1).below(1 << 16), 1>>,
      axe::dimension<axe::digit<2, axe::dynamic(2)>>, axe::dimension<axe::digit<2, 1>>>;
  using dense = axe::tensor_of<axe::carrier<"S[2147483648:1]"_axe>, axe::extents<integer{1} << 31>>;
  struct arguments {
    word* in;
    word* out;
    padded from;
  };
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const p = i.block_x * 256 + i.thread;
    word const pitch = a.from.number<2>();
    auto const& by_width = a.from.divisor<0>();
    word const y = divide_by_hand(p, by_width);
    word const x = p - y * by_width.number;
    word* const at = a.in + (y * pitch + x);
    word* const down = at + wide{pitch};
    sink.global(at);
    sink.global(at + 1);
    sink.global(down);
    sink.global(down + 1);
    sink.global(a.out + p);
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const pixel = axe::any(i.block_x * 256 + i.thread);
    auto const from =
        axe::bind_pointer(a.in, a.from, pixel, axe::constant<0>{}, axe::constant<0>{});
    sink.global(from.at<0, 0, 0>());
    sink.global(from.at<0, 0, 1>());
    sink.global(from.at<0, 1, 0>());
    sink.global(from.at<0, 1, 1>());
    sink.global(axe::bind_pointer(a.out, dense{}, pixel).at<>());
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    int const width = static_cast<int>(a.from.number<1>());
    int const height = static_cast<int>(a.from.number<0>());
    int const pitch = static_cast<int>(a.from.number<2>());
    auto const from = make_tensor(make_gmem_ptr(a.in),
                                  make_layout(make_shape(make_shape(width, height), _2{}, _2{}),
                                              make_stride(make_stride(_1{}, pitch), pitch, _1{})));
    int const p = static_cast<int>(i.block_x * 256 + i.thread);
    sink.global(&from(p, 0, 0));
    sink.global(&from(p, 0, 1));
    sink.global(&from(p, 1, 0));
    sink.global(&from(p, 1, 1));
    sink.global(a.out + p);
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const p = i.block_x * integer{256} + i.thread;
    integer const width = a.from.number<1>();
    integer const pitch = a.from.number<2>();
    for (integer dy = 0; dy < 2; ++dy)
      for (integer dx = 0; dx < 2; ++dx)
        bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.in)) +
                        4 * ((p / width + dy) * pitch + p % width + dx));
    bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.out)) + 4 * p);
  }
  static std::vector<launch<arguments>> launches() {
    word* const in = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
    word* const out = reinterpret_cast<word*>(std::uintptr_t{1} << 43);
    return {{{in, out, padded(1080, 1920, 1921)}, 256, 8100},
            {{in, out, padded(97, 256, 300)}, 256, 97},
            {{in, out, padded(512, 1, 2)}, 256, 2},
            {{in, out, padded(32767, 65535, 65535)}, 256, 300}};
  }
};

/// A batch of small matrices with dynamic strides. The declared bounds keep all offsets below 2^32
/// elements, so that addresses are summed in 32 bits.
struct batched_small {
  using tensor = axe::dynamic_layout<
      axe::dimension<axe::digit<axe::dynamic(0).below(1 << 8), axe::dynamic(3).below(1 << 22)>>,
      axe::dimension<axe::digit<axe::dynamic(1).below(1 << 11), axe::dynamic(4).below(1 << 11)>>,
      axe::dimension<axe::digit<axe::dynamic(2).below(1 << 11), axe::dynamic(5).below(1 << 11)>>>;
  struct arguments {
    word* data;
    tensor sizes;
  };
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const row = i.block_y * 64 + (i.thread >> 4);
    word const column = i.block_x * 16 + (i.thread & 15);
    word* const p = a.data + (i.block_z * a.sizes.number<3>() + row * a.sizes.number<4>() +
                              column * a.sizes.number<5>());
    each<4>(
        [&](auto k) { sink.global(p + wide{a.sizes.number<4>()} * (16 * decltype(k)::value)); });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    using threads = axe::carrier<"S[(4,16,16):(1@reg,16@tid,1@tid)]"_axe>;
    auto const thread_tile =
        axe::thread_tile<threads, axe::extents<64, 16>>(i.thread, [&](auto row, auto column) {
          return axe::bind_pointer(a.data, a.sizes, axe::any(i.block_z),
                                   axe::constant<64>{} * axe::any(i.block_y) + row,
                                   axe::constant<16>{} * axe::any(i.block_x) + column);
        });
    // The batch is not a dimension of the tile that the threads share.
    each<4>([&](auto k) {
      sink.global(thread_tile.bound.template at<0, 16 * decltype(k)::value, 0>());
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const all = make_tensor(
        make_gmem_ptr(a.data),
        make_layout(make_shape(a.sizes.number<1>(), a.sizes.number<2>(), a.sizes.number<0>()),
                    make_stride(a.sizes.number<4>(), a.sizes.number<5>(), a.sizes.number<3>())));
    auto const tile =
        local_tile(all(_, _, i.block_z), Shape<_64, _16>{}, make_coord(i.block_y, i.block_x));
    auto const thread_tile =
        local_partition(tile, Layout<Shape<_16, _16>, Stride<_16, _1>>{}, i.thread);
    each<4>([&](auto k) { sink.global(&thread_tile(int{decltype(k)::value}, 0)); });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer k = 0; k < 4; ++k)
      bytes.push_back(
          static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.data)) +
          4 * (i.block_z * integer{a.sizes.number<3>()} +
               (i.block_y * integer{64} + 16 * k + i.thread / 16) * a.sizes.number<4>() +
               (i.block_x * integer{16} + i.thread % 16) * a.sizes.number<5>()));
  }
  static std::vector<launch<arguments>> launches() {
    word* const data = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
    return {{{data, tensor(3, 256, 64, 16384, 64, 1)}, 256, 4, 4, 3},
            {{data, tensor(255, 1024, 1024, (1 << 22) - 1, 2047, 2)}, 256, 2, 16, 255}};
  }
};

AXE_PATTERN(nchw_to_nhwc_any)
AXE_PATTERN(nchw_to_nhwc_fours)
AXE_PATTERN(image_any_width)
AXE_PATTERN(batched_small)

}  // namespace pattern
