// Partial tiles with predicates, offsets and replicas.
#include "../pattern.hpp"

#include <axe/cuda/local_partition.hpp>

namespace pattern {

/// A 64x32 tile of a matrix of any size. Each of 256 threads accesses eight rows, if they are in
/// bounds.
struct partial_tile {
  struct arguments {
    axe::tensor<word, axe::row_major<2>> tensor;
  };
  using by_rows = axe::carrier<"S[(8,8,32):(1@reg,32@tid,1@tid)]"_axe>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    auto const& sizes = a.tensor.sizes;
    word const row = i.block_y * 64 + (i.thread >> 5);
    word const column = i.block_x * 32 + (i.thread & 31);
    word const pitch = a.tensor.sizes.bytes<2>();
    int const left = column < sizes.number<1>()
                         ? static_cast<int>(sizes.number<0>()) - static_cast<int>(row)
                         : 0;
    char* const p = reinterpret_cast<char*>(a.tensor.data + column) + wide{row} * pitch;
    each<8>([&](auto r) {
      if (8 * decltype(r)::value < left)
        sink.global(reinterpret_cast<word*>(p + wide{pitch} * (8 * decltype(r)::value)));
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const tile = axe::tile<64, 32>(a.tensor, i.block_y, i.block_x);
    auto const thread_tile = axe::local_partition<by_rows>(tile, i.thread);
    each<8>([&](auto r) {
      if (thread_tile.in_bounds(r)) sink.global(thread_tile.pointer(r));
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const all = cute_matrix(a.tensor.data, a.tensor.sizes);
    auto const coordinates = make_identity_tensor(shape(all));
    auto const number = make_coord(i.block_y, i.block_x);
    using threads = Layout<Shape<_8, _32>, Stride<_32, _1>>;
    auto const thread_tile =
        local_partition(local_tile(all, Shape<_64, _32>{}, number), threads{}, i.thread);
    auto const where =
        local_partition(local_tile(coordinates, Shape<_64, _32>{}, number), threads{}, i.thread);
    each<8>([&](auto r) {
      if (elem_less(where(int{decltype(r)::value}, 0), shape(all)))
        sink.global(&thread_tile(int{decltype(r)::value}, 0));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer r = 0; r < 8; ++r) {
      integer const row = i.block_y * integer{64} + 8 * r + i.thread / 32;
      integer const column = i.block_x * integer{32} + i.thread % 32;
      auto const& sizes = a.tensor.sizes;
      if (row < integer{sizes.number<0>()} && column < integer{sizes.number<1>()})
        bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(a.tensor.data)) +
                        4 * (row * integer{sizes.number<2>()} + column));
    }
  }
  static std::vector<launch<arguments>> launches() {
    word* const data = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
    return {{{{data, 129, 257, 260}}, 256, 9, 3},
            {{{data, 64, 32, 32}}, 256, 1, 1},
            {{{data, 1, 1, 4}}, 256, 1, 1},
            {{{data, 136, 200, 200}}, 256, 7, 3}};
  }
};

/// Warps 4 to 7 read a 32x64 tile that begins 512 elements into the buffer. Two warps read the
/// first half, two the second (replicas).
struct replicated_offset {
  struct arguments {
    word stage;
  };
  using warps = axe::carrier<
      "S[(2,8,2,4,16):(2@warp,1@reg,16@lane,8@reg,1@lane)] + R[2:1@warp] + 4@warp"_axe>;
  using layout = axe::carrier<"S[(32,64):(64,1)] + 512"_axe>;
  using tile = axe::extents<32, 64>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const t = i.thread;
    // Bit 6 of t selects the half of the rows, and bit 4 one of two rows. Bits 0 to 3 are the
    // column. A row has 64 elements.
    word const p = i.shared + a.stage * 16384 + (((t << 4 & 1024) | (t << 2 & 64) | (t & 15)) << 2);
    each<32>([&](auto r) {
      sink.template shared<2048 + 512 * (decltype(r)::value % 8) + 64 * (decltype(r)::value / 8)>(
          p);
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const thread_tile = axe::thread_tile<warps, tile>(i.thread, [&](auto row, auto column) {
      return axe::bind_address<layout, tile, 4>(row, column).from(i.shared + a.stage * 16384);
    });
    each<32>([&](auto r) { shared(sink, thread_tile.template at<decltype(r)::value>()); });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    // Thread (column, row of two, replica, half), register (row, column) -> element of the tile,
    // rows fastest. CuTe layouts have no offset.
    using owned = Layout<Shape<Shape<_16, _2, _2, _2>, Shape<_8, _4>>,
                         Stride<Stride<_32, _1, _0, _16>, Stride<_2, Int<512>>>>;
    auto const tile = cute_offsets(Layout<Shape<_32, _64>, Stride<_64, _1>>{});
    auto const thread_tile = tile.compose(owned{})(i.thread - 128, _);
    word const base = i.shared + a.stage * 16384 + 2048;
    each<32>([&](auto r) {
      sink.template shared<0>(base + 4 * static_cast<word>(thread_tile(int{decltype(r)::value})));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const half = i.thread / 64 - 2;
    for (integer r = 0; r < 32; ++r) {
      integer const row = half * 16 + r % 8 * 2 + i.thread / 16 % 2;
      integer const column = r / 8 * 16 + i.thread % 16;
      bytes.push_back(i.shared + a.stage * 16384 + 4 * (512 + 64 * row + column));
    }
  }
  static std::vector<launch<arguments>> launches() {
    return {{{0}, 256, 1, 1, 1, 128}, {{1}, 256, 1, 1, 1, 128}};
  }
};

AXE_PATTERN(partial_tile)
AXE_PATTERN(replicated_offset)

}  // namespace pattern
