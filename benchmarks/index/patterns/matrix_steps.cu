// Swizzled tiles with steps that are not powers of two, read with ldmatrix: stages of 96 rows with
// the stage as a coordinate, and 48 rows for each warp. Steps are multiples of the swizzle's period
// (8 rows) and share address bits with the rows. They are added after the swizzle.
#include "../pattern.hpp"

namespace pattern {

/// Reads `Rows` rows of 64 columns with the 128-byte swizzle, in steps of 16 rows and 16 columns.
template <int Rows> struct ldmatrix_steps {
  template <class At, class Sink> AXE_FN static void read(At const& at, Sink& sink) {
    each<Rows / 16>([&](auto row) {
      each<4>([&](auto column) {
        ldmatrix(sink, at(axe::constant<16 * decltype(row)::value>{},
                          axe::constant<16 * decltype(column)::value>{}));
      });
    });
  }
  template <class Sink> AXE_FN static void read_by_hand(word x, Sink& sink) {
    each<Rows / 16>([&](auto row) {
      constexpr int down = 2048 * decltype(row)::value;
      sink.template ldmatrix<down>(x);
      sink.template ldmatrix<down>(x ^ 32);
      sink.template ldmatrix<down>(x ^ 64);
      sink.template ldmatrix<down>(x ^ 96);
    });
  }
#ifdef AXE_WITH_CUTE
  /// `Steps` steps of `Rows` rows in one tensor, tiled by rows.
  template <int Steps, class Sink>
  AXE_FN static void read_by_cute(word shared, word step, word lane, Sink& sink) {
    using namespace cute;
    using tile = Layout<Shape<Int<Steps * Rows>, _64>, Stride<_64, _1>>;
    auto const all = cute_offsets(composition(Swizzle<3, 3, 3>{}, tile{}));
    auto const rows =
        local_tile(all, Shape<Int<Rows>, _64>{}, make_coord(static_cast<int>(step), 0));
    auto const thread_tile = zipped_divide(rows, Shape<_16, _16>{})(
        make_coord(static_cast<int>(lane & 15), static_cast<int>((lane >> 4) * 8)),
        make_coord(_, _));
    each<Rows / 16>([&](auto row) {
      each<4>([&](auto column) {
        sink.template ldmatrix<0>(shared +
                                  2 * static_cast<word>(thread_tile(int{decltype(row)::value},
                                                                    int{decltype(column)::value})));
      });
    });
  }
#endif
  static void expect(word shared, word step, word lane, std::vector<integer>& bytes) {
    for (integer row = 0; row < Rows; row += 16)
      for (integer column = 0; column < 8; column += 2) {
        integer const r = step * integer{Rows} + row + lane % 16;
        bytes.push_back(shared + r * 128 + ((column + lane / 16) ^ (r % 8)) * 16);
      }
  }
};

struct ldmatrix_stages_of_96 : ldmatrix_steps<96> {
  struct arguments {
    word stage;
  };
  using layout = axe::carrier<"swizzle(3,3,3) o S[(3,96,64):(6144,64,1)]"_axe>;
  using shape = axe::extents<3, 96, 64>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const chunks = ((t & 7) ^ (t >> 4)) | ((t & 15) << 3);
    read_by_hand(i.shared + a.stage * 12288 + (chunks << 4), sink);
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const lane = axe::on<axe::axis::lane, 32>(i.thread);
    auto const tile = axe::bind_address<layout, shape, 2>(axe::below<3>(a.stage), lane.bits<0, 4>(),
                                                          axe::constant<8>{} * lane.bits<4, 1>())
                          .from(i.shared);
    read([&](auto row, auto column) { return tile.template at<0, row.value, column.value>(); },
         sink);
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    read_by_cute<3>(i.shared, a.stage, i.thread, sink);
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    expect(i.shared, a.stage, i.thread, bytes);
  }
  static std::vector<launch<arguments>> launches() { return {{{0}, 32}, {{1}, 32}, {{2}, 32}}; }
};

struct ldmatrix_warps_of_48 : ldmatrix_steps<48> {
  struct arguments {};
  using layout = axe::carrier<"swizzle(3,3,3) o S[(192,64):(64,1)]"_axe>;
  using shape = axe::extents<192, 64>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const&, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    // 128 bytes for each lane of a half warp, 16 for the second half, 6144 for each warp. The sum
    // needs no mask and is swizzled once.
    word const plain = t * 128 - (t >> 4) * 2032 + (t >> 5) * 6112;
    read_by_hand(i.shared + (plain ^ (plain >> 3 & 112)), sink);
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const&, thread_index const& i, Sink& sink) {
    auto const t = axe::on<axe::axis::tid, 128>(i.thread);
    auto const tile =
        axe::bind_address<layout, shape, 2>(axe::constant<48>{} * t.bits<5, 2>() + t.bits<0, 4>(),
                                            axe::constant<8>{} * t.bits<4, 1>())
            .from(i.shared);
    read([&](auto row, auto column) { return tile.template at<row.value, column.value>(); }, sink);
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const&, thread_index const& i, Sink& sink) {
    read_by_cute<4>(i.shared, i.thread >> 5, i.thread & 31, sink);
  }
#endif
  static void expected(arguments const&, thread_index const& i, std::vector<integer>& bytes) {
    expect(i.shared, i.thread / 32, i.thread % 32, bytes);
  }
  static std::vector<launch<arguments>> launches() { return {{{}, 128}}; }
};

AXE_PATTERN(ldmatrix_stages_of_96)
AXE_PATTERN(ldmatrix_warps_of_48)

}  // namespace pattern
