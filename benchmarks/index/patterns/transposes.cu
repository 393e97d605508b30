// Address computations of transposes through shared memory, with padded rows and with XOR-swizzled
// rows, and of a vector copy.
#include "../pattern.hpp"

namespace pattern {

/// 256 threads transpose a 32x32 tile of 4-byte elements. Each thread has four elements, 8 rows
/// apart. The tile is written by rows from global memory and read by columns.
struct transpose_arguments {
  using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24), axe::dynamic(1).below(1 << 24),
                                     axe::dynamic(2).below(1 << 24)>;
  word* in;
  word* out;
  matrix from, to;
};
inline std::vector<launch<transpose_arguments>> transposes() {
  word* const in = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
  word* const out = reinterpret_cast<word*>(std::uintptr_t{1} << 43);
  using matrix = transpose_arguments::matrix;
  return {{{in, out, matrix(320, 96, 96), matrix(96, 320, 320)}, 256, 3, 10},
          {{in, out, matrix(3000, 999, 1003), matrix(999, 3000, 3008)}, 256, 4, 7}};
}

template <class Layout> struct transpose_tile {
  using arguments = transpose_arguments;
  using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
  using square = axe::extents<32, 32>;
  using turned = decltype(axe::permute(Layout{}, square{}, axe::static_coordinate<1, 0>{}));

  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const from = axe::thread_tile<by_rows, square>(i.thread, [&](auto row, auto column) {
      return axe::bind_pointer(a.in, a.from, axe::constant<32>{} * axe::any(i.block_y) + row,
                               axe::constant<32>{} * axe::any(i.block_x) + column);
    });
    each<4>([&](auto r) { sink.global(from.template at<decltype(r)::value>()); });
    auto const written = axe::thread_tile<by_rows, square>(i.thread, [&](auto row, auto column) {
      return axe::bind_address<Layout, square, 4>(row, column).from(i.shared);
    });
    auto const read = axe::thread_tile<by_rows, square>(i.thread, [&](auto row, auto column) {
      return axe::bind_address<turned, square, 4>(row, column).from(i.shared);
    });
    each<4>([&](auto r) { shared(sink, written.template at<decltype(r)::value>()); });
    each<4>([&](auto r) { shared(sink, read.template at<decltype(r)::value>()); });
    auto const to = axe::thread_tile<by_rows, square>(i.thread, [&](auto row, auto column) {
      return axe::bind_pointer(a.out, a.to, axe::constant<32>{} * axe::any(i.block_x) + row,
                               axe::constant<32>{} * axe::any(i.block_y) + column);
    });
    each<4>([&](auto r) { sink.global(to.template at<decltype(r)::value>()); });
  }
#ifdef AXE_WITH_CUTE
  /// `by_rows` partitions the tile as it is written, `by_columns` as it is read.
  template <class ByRows, class ByColumns, class Sink>
  AXE_FN static void with_cute(arguments const& a, thread_index const& i, Sink& sink,
                               ByRows const& by_rows, ByColumns const& by_columns) {
    using namespace cute;
    using threads = cute::Layout<Shape<_8, _32>, Stride<_32, _1>>;
    auto const in =
        local_tile(cute_matrix(a.in, a.from), Shape<_32, _32>{}, make_coord(i.block_y, i.block_x));
    auto const out =
        local_tile(cute_matrix(a.out, a.to), Shape<_32, _32>{}, make_coord(i.block_x, i.block_y));
    auto const from = local_partition(in, threads{}, i.thread);
    auto const to = local_partition(out, threads{}, i.thread);
    auto const written = local_partition(cute_offsets(by_rows), threads{}, i.thread);
    auto const read = local_partition(cute_offsets(by_columns), threads{}, i.thread);
    each<4>([&](auto r) { sink.global(&from(int{decltype(r)::value}, 0)); });
    each<4>([&](auto r) {
      sink.template shared<0>(i.shared +
                              4 * static_cast<word>(written(int{decltype(r)::value}, 0)));
    });
    each<4>([&](auto r) {
      sink.template shared<0>(i.shared + 4 * static_cast<word>(read(int{decltype(r)::value}, 0)));
    });
    each<4>([&](auto r) { sink.global(&to(int{decltype(r)::value}, 0)); });
  }
#endif
  template <class Place>
  static void expect(arguments const& a, thread_index const& i, std::vector<integer>& bytes,
                     Place const& place) {
    integer const x = i.thread % 32;
    integer const y = i.thread / 32;
    auto const global = [&](word* p, auto const& m, integer row, integer column) {
      bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(p)) +
                      4 * (row * integer{m.template number<2>()} + column));
    };
    for (integer r = 0; r < 4; ++r)
      global(a.in, a.from, i.block_y * integer{32} + 8 * r + y, i.block_x * integer{32} + x);
    for (integer r = 0; r < 4; ++r) bytes.push_back(i.shared + 4 * place(8 * r + y, x));
    for (integer r = 0; r < 4; ++r) bytes.push_back(i.shared + 4 * place(x, 8 * r + y));
    for (integer r = 0; r < 4; ++r)
      global(a.out, a.to, i.block_x * integer{32} + 8 * r + y, i.block_y * integer{32} + x);
  }
  static std::vector<launch<arguments>> launches() { return transposes(); }
  /// The global addresses of the hand-written forms: one pointer, then rows 8 pitches apart.
  template <class Sink>
  AXE_FN static void global_by_hand(word* p, word pitch, word row, word column, Sink& sink) {
    word const bytes = pitch * 4;
    char* const q = reinterpret_cast<char*>(p + column) + wide{row} * bytes;
    each<4>([&](auto r) {
      sink.global(reinterpret_cast<word*>(q + wide{bytes} * (8 * decltype(r)::value)));
    });
  }
};

struct transpose_padded : transpose_tile<axe::carrier<"S[(32,32):(33,1)]"_axe>> {
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const x = i.thread & 31;
    word const y = i.thread >> 5;
    global_by_hand(a.in, a.from.number<2>(), i.block_y * 32 + y, i.block_x * 32 + x, sink);
    word const written = i.shared + (i.thread + y) * 4;  // 33*y + x = t + y
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
    // sm_80 and x86-64 scale a register inside an address.
    word const read = i.shared + (x * 33 + y) * 4;
#else
    word const read = i.shared + i.thread * 132 - y * 4220;  // 33*x + y = 33*t - 1055*y
#endif
    each<4>([&](auto r) { sink.template shared<1056 * decltype(r)::value>(written); });
    each<4>([&](auto r) { sink.template shared<32 * decltype(r)::value>(read); });
    global_by_hand(a.out, a.to.number<2>(), i.block_x * 32 + y, i.block_y * 32 + x, sink);
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    with_cute(a, i, sink, Layout<Shape<_32, _32>, Stride<Int<33>, _1>>{},
              Layout<Shape<_32, _32>, Stride<_1, Int<33>>>{});
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    expect(a, i, bytes, [](integer row, integer column) { return 33 * row + column; });
  }
};

/// Element (r, c) at column c ^ r: conflict-free without padding.
struct transpose_swizzled : transpose_tile<axe::carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>> {
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const x = i.thread & 31;
    word const y = i.thread >> 5;
    global_by_hand(a.in, a.from.number<2>(), i.block_y * 32 + y, i.block_x * 32 + x, sink);
    word const written = i.shared + ((i.thread ^ y) << 2);  // 32*y + (x ^ y)
    word const read = i.shared + ((x * 33 ^ y) << 2);       // 32*x + (x ^ y)
    each<4>([&](auto r) {
      sink.template shared<1024 * decltype(r)::value>(written ^ (32 * decltype(r)::value));
    });
    each<4>([&](auto r) { sink.template shared<0>(read ^ (32 * decltype(r)::value)); });
    global_by_hand(a.out, a.to.number<2>(), i.block_x * 32 + y, i.block_y * 32 + x, sink);
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    with_cute(a, i, sink,
              composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{}),
              composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_1, _32>>{}));
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    expect(a, i, bytes, [](integer row, integer column) { return 32 * row + (column ^ row); });
  }
};

/// 256 threads copy 128x64 elements of 16 bits from a global matrix into a tile without a swizzle,
/// 16 bytes per access.
struct vector_copy {
  using matrix = transpose_arguments::matrix;
  struct vector {
    wide low, high;
  };
  struct arguments {
    std::uint16_t* in;
    matrix from;
    word stage;
  };
  using tile = axe::carrier<"S[(128,64):(64,1)]"_axe>;
  using by_vectors = axe::carrier<"S[(4,32,8,8):(8@reg,8@tid,1@tid,1@reg)]"_axe>;
  using box = axe::extents<128, 64>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const row = t >> 3;
    word const eights = i.block_x * 8 + (t & 7);
    word const elements = a.from.number<2>();
    wide const pitch = elements * 2;
    char* const p = reinterpret_cast<char*>(reinterpret_cast<vector*>(a.in) + eights) +
                    wide{i.block_y * 128 + row} * pitch;
    word const buffer = i.shared + a.stage * 16384;
    word const s = buffer + t * 16;  // 128 bytes per row, 16 per thread
    each<4>([&](auto r) {
      sink.global(reinterpret_cast<wide*>(p + pitch * (32 * decltype(r)::value)));
      sink.template shared<4096 * decltype(r)::value>(s);
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const from = axe::thread_tile<by_vectors, box>(i.thread, [&](auto row, auto column) {
      return axe::bind_pointer(a.in, a.from, axe::constant<128>{} * axe::any(i.block_y) + row,
                               axe::constant<64>{} * axe::any(i.block_x) + column);
    });
    auto const to = axe::thread_tile<by_vectors, box>(i.thread, [&](auto row, auto column) {
      return axe::bind_address<tile, box, 2>(row, column).from(i.shared + a.stage * 16384);
    });
    each<4>([&](auto r) {
      constexpr int R = 8 * decltype(r)::value;
      sink.global(reinterpret_cast<wide*>(from.template at<R>()));
      shared(sink, to.template at<R>());
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const copy =
        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, std::uint16_t>{},
                        Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
    auto const thread_tile = copy.get_slice(static_cast<int>(i.thread));
    auto const all = cute_matrix(a.in, a.from);
    auto const from = thread_tile.partition_S(
        local_tile(all, Shape<Int<128>, _64>{}, make_coord(i.block_y, i.block_x)));  // (8, 4, 1)
    auto const to =
        thread_tile.partition_D(cute_offsets(Layout<Shape<Int<128>, _64>, Stride<_64, _1>>{}));
    word const base = i.shared + a.stage * 16384;
    each<4>([&](auto r) {
      sink.global(reinterpret_cast<wide*>(&from(0, int{decltype(r)::value}, 0)));
      sink.template shared<0>(base + 2 * static_cast<word>(to(0, int{decltype(r)::value}, 0)));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer r = 0; r < 4; ++r) {
      integer const row = 32 * r + i.thread / 8;
      integer const column = i.thread % 8 * 8;
      integer const pitch = a.from.number<2>();
      bytes.push_back(
          static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.in)) +
          2 * ((i.block_y * integer{128} + row) * pitch + i.block_x * integer{64} + column));
      bytes.push_back(i.shared + a.stage * 16384 + 2 * (64 * row + column));
    }
  }
  static std::vector<launch<arguments>> launches() {
    std::uint16_t* const in = reinterpret_cast<std::uint16_t*>(std::uintptr_t{1} << 42);
    return {{{in, matrix(1280, 640, 648), 0}, 256, 10, 10},
            {{in, matrix(1280, 640, 640), 3}, 256, 2, 2}};
  }
};

AXE_PATTERN(transpose_padded)
AXE_PATTERN(transpose_swizzled)
AXE_PATTERN(vector_copy)

}  // namespace pattern
