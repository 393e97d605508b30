// Loops: the pipeline stage changes in every iteration, and only that may cost an instruction.
#include "../pattern.hpp"

namespace pattern {

/// ldmatrix of a 64x64 tile in the 128-byte swizzle, a ring of four stages, in a loop of unknown
/// length: 4 x 4 matrices per iteration.
struct ldmatrix_loop {
  struct arguments {
    word iterations;
  };
  using layout = axe::carrier<axe::compose(axe::swizzle{3, 3, 3}, axe::S({64, 64}, {64, 1}))>;
  static constexpr word stage_bytes = 8192;
  static constexpr word ring_bytes = 4 * stage_bytes;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const d = i.shared + ((((t & 7) ^ (t >> 4)) | ((t & 15) << 3)) << 4);
    word stage = 0;
#pragma unroll 1
    for (word k = 0; k < a.iterations; ++k) {
      each<4>([&](auto row) {
        constexpr int down = 2048 * decltype(row)::value;
        sink.template ldmatrix<down>(d + stage);
        sink.template ldmatrix<down>((d ^ 32) + stage);
        sink.template ldmatrix<down>((d ^ 64) + stage);
        sink.template ldmatrix<down>((d ^ 96) + stage);
      });
      stage += stage_bytes;
      if (stage == ring_bytes) stage = 0;
    }
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const lane = axe::on<axe::axis::lane, 32>(i.thread);
    auto const tile = axe::bind_address<layout, axe::extents<64, 64>, 2>(
                          lane.bits<0, 4>(), axe::constant<8>{} * lane.bits<4, 1>())
                          .from(i.shared);
    word stage = 0;
#pragma unroll 1
    for (word k = 0; k < a.iterations; ++k) {
      each<4>([&](auto row) {
        each<4>([&](auto column) {
          ldmatrix(sink,
                   tile.template at<16 * decltype(row)::value, 16 * decltype(column)::value>().from(
                       stage));
        });
      });
      stage += stage_bytes;
      if (stage == ring_bytes) stage = 0;
    }
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    using ring = Layout<Shape<_64, _64, _4>, Stride<_64, _1, Int<4096>>>;
    int const t = static_cast<int>(i.thread);
    auto const blocks =
        zipped_divide(cute_offsets(composition(Swizzle<3, 3, 3>{}, ring{})), Shape<_16, _16, _1>{});
    auto const thread_tile =
        blocks(make_coord(t & 15, (t >> 4) * 8, 0), make_coord(_, _, _));  // (4, 4, stages)
    int stage = 0;
#pragma unroll 1
    for (word k = 0; k < a.iterations; ++k) {
      each<4>([&](auto row) {
        each<4>([&](auto column) {
          sink.template ldmatrix<0>(
              i.shared + 2 * static_cast<word>(thread_tile(int{decltype(row)::value},
                                                           int{decltype(column)::value}, stage)));
        });
      });
      ++stage;
      if (stage == 4) stage = 0;
    }
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (word k = 0; k < a.iterations; ++k)
      for (integer row = 0; row < 64; row += 16)
        for (integer column = 0; column < 64; column += 16) {
          integer const r = row + i.thread % 16;
          integer const chunk = (column / 8 + i.thread / 16) ^ (r % 8);
          bytes.push_back(i.shared + k % 4 * stage_bytes + r * 128 + chunk * 16);
        }
  }
  static std::vector<launch<arguments>> launches() { return {{{9}, 32}}; }
};

/// A and B of one warp's 32x32x64 step in the 128-byte swizzle, both by ldmatrix.x4: rows of A, and
/// columns of B (stored as rows of K).
struct warp_tiles {
  struct arguments {
    word stage;
  };
  using layout = axe::carrier<axe::compose(axe::swizzle{3, 3, 3}, axe::S({128, 64}, {64, 1}))>;
  using behind =
      axe::carrier<"swizzle(3,3,3) o S[(128,64):(64,1)] + 8192"_axe>;  // B, 16 KiB after A
  using box = axe::extents<128, 64>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word const base = i.shared + a.stage * 32768;
    // x addresses A at row t mod 16 + 32 * (bit 6 of t) and 16-byte chunk (bit 4 of t). y addresses
    // B at row t mod 8 + 8 * (bit 4) + 32 * (bit 5) and chunk (bit 3). `down` adds the 16 KiB from
    // A to B.
    word const x = base + (((t << 4 & 112) ^ (t & 16)) + ((t >> 6 << 5 | (t & 15)) << 7));
    word const y = base + ((((t >> 1 & 8) | (t & 39)) << 7) + (((t >> 3 & 1) ^ (t & 7)) << 4));
    each<2>([&](auto row) {
      constexpr int down = 2048 * decltype(row)::value;
      sink.template ldmatrix<down>(x);
      sink.template ldmatrix<down>(x ^ 32);
      sink.template ldmatrix<down>(x ^ 64);
      sink.template ldmatrix<down>(x ^ 96);
    });
    each<2>([&](auto row) {
      constexpr int down = 16384 + 2048 * decltype(row)::value;
      sink.template ldmatrix<down>(y);
      sink.template ldmatrix<down>(y ^ 32);
      sink.template ldmatrix<down>(y ^ 64);
      sink.template ldmatrix<down>(y ^ 96);
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const t = axe::on<axe::axis::tid, 128>(i.thread);
    word const base = i.shared + a.stage * 32768;
    auto const left =
        axe::bind_address<layout, box, 2>(axe::constant<32>{} * t.bits<6, 1>() + t.bits<0, 4>(),
                                          axe::constant<8>{} * t.bits<4, 1>())
            .from(base);
    auto const right =
        axe::bind_address<behind, box, 2>(axe::constant<32>{} * t.bits<5, 1>() + t.bits<0, 3>() +
                                              axe::constant<8>{} * t.bits<4, 1>(),
                                          axe::constant<8>{} * t.bits<3, 1>())
            .from(base);
    each<2>([&](auto row) {
      each<4>([&](auto k) {
        ldmatrix(sink, left.template at<16 * decltype(row)::value, 16 * decltype(k)::value>());
      });
    });
    each<2>([&](auto row) {
      each<4>([&](auto k) {
        ldmatrix(sink, right.template at<16 * decltype(row)::value, 16 * decltype(k)::value>());
      });
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    using tile = Layout<Shape<Int<128>, _64>, Stride<_64, _1>>;
    int const t = static_cast<int>(i.thread & 31);
    int const warp = static_cast<int>(i.thread >> 5);
    auto const all = cute_offsets(composition(Swizzle<3, 3, 3>{}, tile{}));
    word const base = i.shared + a.stage * 32768;
    auto const side = [&](word start, int of_rows, int row_in_block, int half) {
      auto const rows = local_tile(all, Shape<_32, _64>{}, make_coord(of_rows, 0));
      auto const thread_tile = zipped_divide(rows, Shape<_16, _16>{})(
          make_coord(row_in_block, half * 8), make_coord(_, _));
      each<2>([&](auto row) {
        each<4>([&](auto k) {
          sink.template ldmatrix<0>(start +
                                    2 * static_cast<word>(thread_tile(int{decltype(row)::value},
                                                                      int{decltype(k)::value})));
        });
      });
    };
    side(base, warp >> 1, t & 15, t >> 4);
    side(base + 16384, warp & 1, (t & 7) + (t >> 4) * 8, t >> 3 & 1);
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const t = i.thread % 32;
    integer const warp = i.thread / 32;
    for (integer side = 0; side < 2; ++side)
      for (integer row = 0; row < 2; ++row)
        for (integer k = 0; k < 4; ++k) {
          integer const r = side == 0 ? warp / 2 * 32 + t % 16 + 16 * row
                                      : warp % 2 * 32 + t % 8 + t / 16 * 8 + 16 * row;
          integer const half = side == 0 ? t / 16 : t / 8 % 2;
          bytes.push_back(i.shared + a.stage * 32768 + side * 16384 + r * 128 +
                          ((2 * k + half) ^ (r % 8)) * 16);
        }
  }
  static std::vector<launch<arguments>> launches() { return {{{0}, 128}, {{1}, 128}}; }
};

/// Scales of 1x128 blocks of an activation matrix, column-major (rows contiguous), read in a loop
/// over K.
struct quantisation_scales {
  using scales = axe::dynamic_layout<
      axe::dimension<axe::digit<axe::dynamic(0).below(1 << 24), 1>>,
      axe::dimension<axe::digit<axe::dynamic(1).below(1 << 16), axe::dynamic(2).below(1 << 24)>>>;
  struct arguments {
    word* data;
    scales sizes;
    word blocks;
  };
  using accumulator_rows = axe::carrier<"S[(4,2,8):(32@tid,1@reg,4@tid)] + R[4:1@tid]"_axe>;
  using rows = axe::extents<64>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    word* p = a.data + (i.block_y * 64 + (t >> 2) + ((t >> 2) & ~7u));
    wide const step = wide{a.sizes.number<2>()} * 4;  // widened first: one IMAD.WIDE per iteration
#pragma unroll 1
    for (word k = 0; k < a.blocks; ++k) {
      sink.global(p);
      sink.global(p + 8);
      p = reinterpret_cast<word*>(reinterpret_cast<char*>(p) + step);
    }
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto thread_tile = axe::thread_tile<accumulator_rows, rows>(i.thread, [&](auto row) {
      return axe::bind_pointer(a.data, a.sizes, axe::constant<64>{} * axe::any(i.block_y) + row,
                               axe::constant<0>{});
    });
#pragma unroll 1
    for (word k = 0; k < a.blocks; ++k) {
      sink.global(thread_tile.bound.template at<0, 0>());
      sink.global(thread_tile.bound.template at<8, 0>());
      thread_tile.bound.template advance<1>();
    }
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const all =
        make_tensor(make_gmem_ptr(a.data),
                    make_layout(make_shape(a.sizes.number<0>(), a.sizes.number<1>()),
                                make_stride(_1{}, static_cast<integer>(a.sizes.number<2>()))));
    auto const tile =
        local_tile(all, Shape<_64, _1>{}, make_coord(i.block_y, _));  // (64, 1, blocks)
    // Threads with the same four rows read the same scales: a stride of 0.
    using rows_of_threads = Layout<Shape<Shape<_4, _8, _4>, _2>, Stride<Stride<_0, _1, _16>, _8>>;
#pragma unroll 1
    for (word k = 0; k < a.blocks; ++k) {
      auto const thread_tile = tile(_, 0, k).compose(rows_of_threads{})(i.thread, _);
      sink.global(&thread_tile(0));
      sink.global(&thread_tile(1));
    }
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (word k = 0; k < a.blocks; ++k)
      for (integer h = 0; h < 2; ++h)
        bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.data)) +
                        4 * (i.block_y * integer{64} + i.thread / 32 * 16 + i.thread % 32 / 4 +
                             8 * h + k * integer{a.sizes.number<2>()}));
  }
  static std::vector<launch<arguments>> launches() {
    word* const data = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
    return {{{data, scales(4096, 32, 4096), 32}, 128, 1, 4},
            {{data, scales(1000, 7, 1001), 7}, 128, 1, 15}};
  }
};

AXE_PATTERN(ldmatrix_loop)
AXE_PATTERN(warp_tiles)
AXE_PATTERN(quantisation_scales)

}  // namespace pattern
