// Reads tiles in shared memory by ldmatrix.x4, all from one base address. A tile has 64 rows of
// 64, 32 or 16 elements of 16 bits, as many as the swizzle is wide. The stage is a run-time number.
#include "../pattern.hpp"

namespace pattern {

/// The ldmatrix.x4 address of lane t: row t mod 16, half t / 16 of 16 columns. Stages are
/// `stage_bytes` apart.
template <int B> struct ldmatrix_tile {
  struct arguments {
    word stage;
  };
  static constexpr int columns = 8 << B;  // one swizzle atom wide: 64, 32, 16 elements of 16 bits
  using layout =
      axe::carrier<axe::compose(axe::swizzle{3, B, 3}, axe::S({64, columns}, {columns, 1}))>;
  using shape = axe::extents<64, columns>;
  static constexpr word stage_bytes = 64 * columns * 2;

  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const lane = axe::on<axe::axis::lane, 32>(i.thread);
    auto const tile =
        axe::bind_address<layout, shape, 2>(lane.template bits<0, 4>(),
                                            axe::constant<8>{} * lane.template bits<4, 1>())
            .from(i.shared + a.stage * stage_bytes);
    each<4>([&](auto row) {
      each<columns / 16>([&](auto column) {
        ldmatrix(sink, tile.template at<16 * decltype(row)::value, 16 * decltype(column)::value>());
      });
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const tile = composition(Swizzle<B, 3, 3>{},
                                  Layout<Shape<_64, Int<columns>>, Stride<Int<columns>, _1>>{});
    int const t = static_cast<int>(i.thread);
    auto const thread_tile = cute_blocks<16, 16>(tile, t & 15, (t >> 4) * 8);
    word const base = i.shared + a.stage * stage_bytes;
    each<4>([&](auto row) {
      each<columns / 16>([&](auto column) {
        sink.template ldmatrix<0>(base +
                                  2 * thread_tile(decltype(row)::value, decltype(column)::value));
      });
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer row = 0; row < 64; row += 16)
      for (integer column = 0; column < columns; column += 16) {
        integer const at = (row + i.thread % 16) * columns + column + i.thread / 16 * 8;
        integer const chunk = at / 8;
        integer const swizzled = (chunk ^ (chunk / 8 % (1 << B))) * 8 + at % 8;
        bytes.push_back(i.shared + a.stage * stage_bytes + 2 * swizzled);
      }
  }
  static std::vector<launch<arguments>> launches() { return {{{0}, 32}, {{1}, 32}, {{3}, 32}}; }
};

struct ldmatrix_128B : ldmatrix_tile<3> {
  // Rows have 128 bytes, and the chunk is XORed with the row. Three XORs with the base give the
  // other columns, and immediates the other rows.
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const x = i.shared + a.stage * 8192 + ((((t & 7) ^ (t >> 4)) | ((t & 15) << 3)) << 4);
    each<4>([&](auto row) {
      constexpr int down = 2048 * decltype(row)::value;
      sink.template ldmatrix<down>(x);
      sink.template ldmatrix<down>(x ^ 32);
      sink.template ldmatrix<down>(x ^ 64);
      sink.template ldmatrix<down>(x ^ 96);
    });
  }
};

struct ldmatrix_64B : ldmatrix_tile<2> {
  // Two rows of 64 bytes share a 128-byte line. Bits 1 and 2 of the row are XORed into the
  // chunk.
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const x = i.shared + a.stage * 4096 + (((t << 3 & 48) ^ (t & 16)) | (t << 6 & 960));
    each<4>([&](auto row) {
      constexpr int down = 1024 * decltype(row)::value;
      sink.template ldmatrix<down>(x);
      sink.template ldmatrix<down>(x ^ 32);
    });
  }
};

struct ldmatrix_32B : ldmatrix_tile<1> {
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const x = i.shared + a.stage * 2048 + (((t << 2 ^ t) & 16) | (t << 5 & 480));
    each<4>([&](auto row) { sink.template ldmatrix<512 * decltype(row)::value>(x); });
  }
};

AXE_PATTERN(ldmatrix_128B)
AXE_PATTERN(ldmatrix_64B)
AXE_PATTERN(ldmatrix_32B)

}  // namespace pattern
