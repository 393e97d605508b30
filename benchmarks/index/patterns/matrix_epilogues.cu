// Epilogues: stmatrix into swizzled tiles, and fragments of mma and wgmma to global memory with a
// run-time pitch.
#include "../pattern.hpp"

namespace pattern {

/// stmatrix.x4 of a warpgroup's 64x128 accumulator of 16-bit elements, into swizzled panels of 16,
/// 32 or 64 columns. Lane t addresses row t mod 16 of its warp.
template <int B> struct stmatrix_tile {
  struct arguments {
    word stage;
  };
  static constexpr int columns = 8 << B;
  static constexpr int panel_count = 128 / columns;
  // Each panel has 64 rows of `columns` columns.
  using layout = axe::carrier<axe::compose(
      axe::swizzle{3, B, 3}, axe::S({64, panel_count, columns}, {columns, 64 * columns, 1}))>;
  using shape = axe::extents<64, 128>;

  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const t = axe::on<axe::axis::tid, 128>(i.thread);
    auto const tile = axe::bind_address<layout, shape, 2>(
                          axe::constant<16>{} * t.template bits<5, 2>() + t.template bits<0, 4>(),
                          axe::constant<8>{} * t.template bits<4, 1>())
                          .from(i.shared + a.stage * 16384);
    each<8>(
        [&](auto column) { stmatrix(sink, tile.template at<0, 16 * decltype(column)::value>()); });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    using panels = Layout<Shape<_64, Shape<Int<columns>, Int<panel_count>>>,
                          Stride<Int<columns>, Stride<_1, Int<64 * columns>>>>;
    int const t = static_cast<int>(i.thread);
    auto const thread_tile = cute_blocks<64, 16>(composition(Swizzle<B, 3, 3>{}, panels{}),
                                                 (t >> 5) * 16 + (t & 15), (t >> 4 & 1) * 8);
    word const base = i.shared + a.stage * 16384;
    each<8>([&](auto column) {
      sink.template stmatrix<0>(base + 2 * thread_tile(0, decltype(column)::value));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer block = 0; block < 8; ++block) {
      integer const row = i.thread / 32 * 16 + i.thread % 16;
      integer const column = 16 * block + i.thread / 16 % 2 * 8;
      integer const at = column / columns * 64 * columns + row * columns + column % columns;
      integer const chunk = at / 8;
      bytes.push_back(i.shared + a.stage * 16384 +
                      2 * ((chunk ^ (chunk / 8 % (1 << B))) * 8 + at % 8));
    }
  }
  static std::vector<launch<arguments>> launches() { return {{{0}, 128}, {{2}, 128}}; }
};

struct stmatrix_128B : stmatrix_tile<3> {
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const row = (t >> 5) * 16 + (t & 15);
    word const x = i.shared + a.stage * 16384 + (row * 128 + ((((t >> 4) & 1) ^ (t & 7)) << 4));
    each<2>([&](auto half) {
      constexpr int at = 8192 * decltype(half)::value;
      sink.template stmatrix<at>(x);
      sink.template stmatrix<at>(x ^ 32);
      sink.template stmatrix<at>(x ^ 64);
      sink.template stmatrix<at>(x ^ 96);
    });
  }
};
struct stmatrix_64B : stmatrix_tile<2> {
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const row = (t >> 5) * 16 + (t & 15);
    word const chunk = (((t >> 4) & 1) ^ ((t >> 1) & 3)) << 4;
    word const x = i.shared + a.stage * 16384 + row * 64 + chunk;
    each<4>([&](auto panel) {
      constexpr int at = 4096 * decltype(panel)::value;
      sink.template stmatrix<at>(x);
      sink.template stmatrix<at>(x ^ 32);
    });
  }
};
struct stmatrix_32B : stmatrix_tile<1> {
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const row = (t >> 5) * 16 + (t & 15);
    word const x = i.shared + a.stage * 16384 + ((t << 2 ^ t) & 16) + row * 32;
    each<8>([&](auto panel) { sink.template stmatrix<2048 * decltype(panel)::value>(x); });
  }
};

/// 4-byte elements of a row-major matrix, stored in pairs. Rows, columns and pitch are known at run
/// time.
struct global_matrix {
  using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24), axe::dynamic(1).below(1 << 24),
                                     axe::dynamic(2).below(1 << 24)>;
  struct arguments {
    wide* data;  // pairs of 4-byte elements are stored as 8 bytes
    matrix sizes;
  };
  static std::vector<launch<arguments>> launches() {
    wide* const data = reinterpret_cast<wide*>(std::uintptr_t{1} << 42);
    return {{{data, matrix(256, 512, 512)}, 128, 4, 4},
            {{data, matrix(10000, 12000, 12008)}, 128, 3, 5}};
  }
};

/// The pointer advanced by `bytes`.
AXE_FN inline wide* bytes_further(char* p, integer bytes) {
  return reinterpret_cast<wide*>(p + bytes);
}
/// The accumulator of wgmma m64n128; each thread has 32 pairs. Source: PTX ISA, "Register Fragments
/// for wgmma.mma_async.m64nNk16".
struct wgmma_to_global : global_matrix {
  using accumulator =
      axe::carrier<"S[(4,2,8,16,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
  using tile = axe::extents<64, 128>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const row = i.block_y * 64 + (t >> 2) +
                     ((t >> 2) & ~7u);  // 16 * warp + lane / 4; the second row is 8 below
    word const pitch = a.sizes.number<2>() * 4;
    char* const p = reinterpret_cast<char*>(a.data + (i.block_x * 64 + (t & 3))) +
                    wide{row} * pitch;  // pairs of columns
    char* const q = p + wide{pitch} * 8;
    each<16>([&](auto j) {
      sink.global(bytes_further(p, 32 * decltype(j)::value));
      sink.global(bytes_further(q, 32 * decltype(j)::value));
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const thread_tile =
        axe::thread_tile<accumulator, tile>(i.thread, [&](auto row, auto column) {
          return axe::bind_pointer(reinterpret_cast<word*>(a.data), a.sizes,
                                   axe::constant<64>{} * axe::any(i.block_y) + row,
                                   axe::constant<128>{} * axe::any(i.block_x) + column);
        });
    each<32>([&](auto pair) {
      sink.global(reinterpret_cast<wide*>(thread_tile.template at<2 * decltype(pair)::value>()));
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const c =
        local_tile(cute_matrix(reinterpret_cast<word*>(a.data), a.sizes), Shape<_64, _128>{},
                   make_coord(static_cast<int>(i.block_y), static_cast<int>(i.block_x)));
    using accumulator_layout = Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, _16>>,
                                      Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;
    auto const thread_tile = c.compose(accumulator_layout{})(static_cast<int>(i.thread), _);
    each<16>([&](auto j) {
      each<2>([&](auto h) {
        sink.global(reinterpret_cast<wide*>(&thread_tile(
            make_coord(make_coord(0, int{decltype(h)::value}, int{decltype(j)::value})))));
      });
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const base = static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.data));
    for (integer j = 0; j < 16; ++j)
      for (integer h = 0; h < 2; ++h) {
        integer const row =
            i.block_y * integer{64} + i.thread / 32 * 16 + i.thread % 32 / 4 + 8 * h;
        integer const column = i.block_x * integer{128} + i.thread % 4 * 2 + 8 * j;
        bytes.push_back(base + 4 * (row * integer{a.sizes.number<2>()} + column));
      }
  }
};

/// A warp has two by four accumulators of mma.m16n8: 32 rows, 32 columns. Source: PTX ISA, "Matrix
/// Fragments for mma.m16n8k16".
struct mma_to_global : global_matrix {
  using accumulators =
      axe::carrier<"S[(2,2,8,4,4,2):(16@reg,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
  using tile = axe::extents<32, 32>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    // Bit 6 of t selects 32 rows. Bit 5 selects 32 columns, which are 16 pairs.
    word const row = i.block_y * 64 + ((t >> 1 & 32) | (t >> 2 & 7));
    word const pairs = i.block_x * 32 + ((t >> 1 & 16) | (t & 3));
    word const pitch = a.sizes.number<2>() * 4;
    char* const p = reinterpret_cast<char*>(a.data + pairs) + wide{row} * pitch;
    each<4>([&](auto down) {
      char* const q = p + wide{pitch} * (8 * decltype(down)::value);
      each<4>([&](auto j) { sink.global(reinterpret_cast<wide*>(q + 32 * decltype(j)::value)); });
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    using warps = axe::carrier<"S[(2,2):(2@warp,1@warp)]"_axe>;
    using block = decltype(axe::tile(warps{}, axe::extents<2, 2>{}, accumulators{}, tile{}));
    auto const thread_tile =
        axe::thread_tile<block, axe::extents<64, 64>>(i.thread, [&](auto row, auto column) {
          return axe::bind_pointer(reinterpret_cast<word*>(a.data), a.sizes,
                                   axe::constant<64>{} * axe::any(i.block_y) + row,
                                   axe::constant<64>{} * axe::any(i.block_x) + column);
        });
    each<4>([&](auto down) {
      each<4>([&](auto j) {
        constexpr int register_pair = 16 * (decltype(down)::value / 2) +
                                      2 * (decltype(down)::value % 2) + 4 * decltype(j)::value;
        sink.global(reinterpret_cast<wide*>(thread_tile.template at<register_pair>()));
      });
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    int const t = static_cast<int>(i.thread);
    auto const block =
        local_tile(cute_matrix(reinterpret_cast<word*>(a.data), a.sizes), Shape<_64, _64>{},
                   make_coord(static_cast<int>(i.block_y), static_cast<int>(i.block_x)));
    auto const warp = local_tile(block, Shape<_32, _32>{}, make_coord(t >> 6, t >> 5 & 1));
    using atom =
        Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>;
    each<4>([&](auto down) {
      each<4>([&](auto j) {
        auto const c =
            local_tile(warp, Shape<_16, _8>{},
                       make_coord(int{decltype(down)::value / 2}, int{decltype(j)::value}));
        auto const thread_tile = c.compose(atom{})(t & 31, _);
        sink.global(reinterpret_cast<wide*>(
            &thread_tile(make_coord(make_coord(0, int{decltype(down)::value % 2})))));
      });
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const base = static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.data));
    for (integer down = 0; down < 4; ++down)
      for (integer j = 0; j < 4; ++j) {
        integer const row =
            i.block_y * integer{64} + i.thread / 64 * 32 + i.thread % 32 / 4 + 8 * down;
        integer const column =
            i.block_x * integer{64} + i.thread / 32 % 2 * 32 + i.thread % 4 * 2 + 8 * j;
        bytes.push_back(base + 4 * (row * integer{a.sizes.number<2>()} + column));
      }
  }
};

AXE_PATTERN(stmatrix_128B)
AXE_PATTERN(stmatrix_64B)
AXE_PATTERN(stmatrix_32B)
AXE_PATTERN(wgmma_to_global)
AXE_PATTERN(mma_to_global)

}  // namespace pattern
