// Plain and strided tensors: row- and column-major tiles, batches with dynamic strides (64 and 32
// bits), blocks of odd extents, partial tiles, gathers.
#include "../pattern.hpp"

#include <axe/cuda/local_partition.hpp>
#include <axe/index/tensor_of.hpp>

namespace pattern {

inline std::uintptr_t constexpr tensor_base = std::uintptr_t{1} << 42;
template <class T> integer byte_of(T const* p) {
  return static_cast<integer>(reinterpret_cast<std::uintptr_t>(p));
}

/// A 64x96 tile of 4-byte elements in shared memory. 256 threads have 24 elements each; a warp has
/// 32 neighbours of a row. RowStep and ColumnStep are the distances of rows and of columns in
/// elements.
template <class Layout, int RowStep, int ColumnStep> struct shared_tile {
  struct arguments {
    word stage;
  };
  using box = axe::extents<64, 96>;
  using threads = axe::carrier<"S[(8,8,3,32):(3@reg,32@tid,1@reg,1@tid)]"_axe>;

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    // x = t - 32*y: the column needs no mask.
    word const across = 4 * ColumnStep, down = static_cast<word>(4 * RowStep - 128 * ColumnStep);
    word const steps = i.thread * across;
    word const y = i.thread >> 5;
    word const base = i.shared + a.stage * 32768;
    word const p = base + steps + y * down;
    each<24>([&](auto r) {
      constexpr int at =
          (8 * RowStep * (decltype(r)::value / 3) + 32 * ColumnStep * (decltype(r)::value % 3)) * 4;
      sink.template shared<at>(p);
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const thread_tile = axe::thread_tile<threads, box>(i.thread, [&](auto row, auto column) {
      return axe::bind_address<Layout, box, 4>(row, column).from(i.shared + a.stage * 32768);
    });
    each<24>([&](auto r) { shared(sink, thread_tile.template at<decltype(r)::value>()); });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using tile = cute::Layout<cute::Shape<cute::_64, cute::_96>,
                              cute::Stride<cute::Int<RowStep>, cute::Int<ColumnStep>>>;
    int const t = static_cast<int>(i.thread);
    auto const thread_tile = cute_blocks<8, 32>(tile{}, t >> 5, t & 31);
    word const base = i.shared + a.stage * 32768;
    each<24>([&](auto r) {
      sink.template shared<0>(base +
                              4 * thread_tile(decltype(r)::value / 3, decltype(r)::value % 3));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer r = 0; r < 24; ++r) {
      integer const row = r / 3 * 8 + i.thread / 32;
      integer const column = r % 3 * 32 + i.thread % 32;
      bytes.push_back(i.shared + a.stage * 32768 + 4 * (row * RowStep + column * ColumnStep));
    }
  }
  static std::vector<launch<arguments>> launches() { return {{{0}, 256}, {{1}, 256}}; }
};
struct row_major_tile : shared_tile<axe::carrier<"S[(64,96):(96,1)]"_axe>, 96, 1> {};
struct column_major_tile : shared_tile<axe::carrier<"S[(64,96):(1,64)]"_axe>, 1, 64> {};
struct padded_tile : shared_tile<axe::carrier<"S[(64,96):(100,1)]"_axe>, 100, 1> {};

/// A batch of matrices with three dynamic strides; each thread has 4 elements, 16 rows apart.
/// Sizes is strided<3>, or a type whose strides fit in 32 bits, the width of Step.
template <class Sizes, class Step> struct batched {
  struct arguments {
    axe::tensor<word, Sizes> tensor;
  };

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    auto const& sizes = a.tensor.sizes;
    Step const b = static_cast<Step>(sizes.template number<3>()) * 4;
    Step const r = static_cast<Step>(sizes.template number<4>()) * 4;
    Step const c = static_cast<Step>(sizes.template number<5>()) * 4;
    char* const p = reinterpret_cast<char*>(a.tensor.data) + wide{i.block_z} * b +
                    wide{i.block_y * 64 + (i.thread >> 4)} * r +
                    wide{i.block_x * 16 + (i.thread & 15)} * c;
    each<4>([&](auto k) {
      sink.global(reinterpret_cast<word*>(p + wide{r} * (16 * decltype(k)::value)));
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    using threads = axe::carrier<"S[(4,16,16):(1@reg,16@tid,1@tid)]"_axe>;
    auto const tile = axe::tile<1, 64, 16>(a.tensor, i.block_z, i.block_y, i.block_x);
    auto const thread_tile = axe::local_partition<threads>(tile, i.thread);
    each<4>([&](auto k) { sink.global(thread_tile.pointer(k)); });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const all = make_tensor(
        make_gmem_ptr(a.tensor.data),
        make_layout(
            make_shape(a.tensor.sizes.template number<1>(), a.tensor.sizes.template number<2>(),
                       a.tensor.sizes.template number<0>()),
            make_stride(static_cast<integer>(a.tensor.sizes.template number<4>()),
                        static_cast<integer>(a.tensor.sizes.template number<5>()),
                        static_cast<integer>(a.tensor.sizes.template number<3>()))));
    auto const tile =
        local_tile(all(_, _, i.block_z), Shape<_64, _16>{}, make_coord(i.block_y, i.block_x));
    auto const thread_tile =
        local_partition(tile, Layout<Shape<_16, _16>, Stride<_16, _1>>{}, i.thread);
    each<4>([&](auto k) { sink.global(&thread_tile(int{decltype(k)::value}, 0)); });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    for (integer k = 0; k < 4; ++k)
      bytes.push_back(byte_of(a.tensor.data) +
                      4 * (i.block_z * static_cast<integer>(a.tensor.sizes.template number<3>()) +
                           (i.block_y * integer{64} + 16 * k + i.thread / 16) *
                               static_cast<integer>(a.tensor.sizes.template number<4>()) +
                           (i.block_x * integer{16} + i.thread % 16) *
                               static_cast<integer>(a.tensor.sizes.template number<5>())));
  }
  static std::vector<launch<arguments>> launches() {
    word* const data = reinterpret_cast<word*>(tensor_base);
    return {{{{data, 3, 256, 64, 16384, 64, 1}}, 256, 4, 4, 3},
            {{{data, 5, 300, 70, 21001, 3, 301}}, 256, 4, 4, 5}};
  }
};
template <int D>
using short_stride =
    axe::dimension<axe::digit<axe::dynamic(D), axe::dynamic(3 + D).below(1 << 28)>>;
struct batched_64 : batched<axe::strided<3>, wide> {};
struct batched_32
    : batched<axe::dynamic_layout<short_stride<0>, short_stride<1>, short_stride<2>>, word> {};

/// 7x48 blocks of 4-byte elements, rows padded to 49 and blocks to 350: by a linear index, and by
/// coordinates.
struct blocked_linear {
  struct arguments {
    word* data;
  };
  using blocks = axe::carrier<"S[(64,7,48):(350,49,1)]"_axe>;
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const x = i.block_x * 256 + i.thread;
    word const row = high_product(x, 89478486);    // x / 48
    word const block = high_product(x, 12782641);  // x / 336
    // A row of 48 takes 49 elements, and a block of 343 takes 350.
    sink.global(a.data + (x + row + block * 7));
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const x = axe::below<64 * 336>(i.block_x * 256 + i.thread);
    sink.global(
        axe::bind_pointer(a.data, axe::tensor_of<blocks, axe::extents<64 * 336>>{}, x).at<>());
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    sink.global(a.data + Layout<Shape<_48, _7, _64>, Stride<_1, Int<49>, Int<350>>>{}(
                             i.block_x * 256 + i.thread));
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const x = i.block_x * integer{256} + i.thread;
    bytes.push_back(byte_of(a.data) + 4 * (x / 336 * 350 + x / 48 % 7 * 49 + x % 48));
  }
  static std::vector<launch<arguments>> launches() {
    return {{{reinterpret_cast<word*>(tensor_base)}, 256, 84}};
  }
};
struct blocked_coordinates {
  struct arguments {
    word* data;
  };
  // (448, 48) in blocks of 7 rows.
  using blocks = axe::carrier<"S[(64,7,48):(350,49,1)]"_axe>;
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const row = i.block_x * 4 + (i.thread >> 6);
    word const column = i.thread & 63;
    word const block = high_product(row, 613566757);  // row / 7
    sink.global(a.data + (row * 49 + block * 7 + column));
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const t = axe::on<axe::axis::tid, 256>(i.thread);
    sink.global(axe::bind_pointer(a.data, axe::tensor_of<blocks, axe::extents<448, 48>>{},
                                  axe::constant<4>{} * axe::below<112>(i.block_x) + t.bits<6, 2>(),
                                  t.bits<0, 6>())
                    .at<>());
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    using rows_in_blocks =
        Layout<Shape<Shape<_7, _64>, _48>, Stride<Stride<Int<49>, Int<350>>, _1>>;
    sink.global(a.data + rows_in_blocks{}(i.block_x * 4 + (i.thread >> 6), i.thread & 63));
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const row = i.block_x * integer{4} + i.thread / 64;
    bytes.push_back(byte_of(a.data) + 4 * (row / 7 * 350 + row % 7 * 49 + i.thread % 64));
  }
  static std::vector<launch<arguments>> launches() {
    return {{{reinterpret_cast<word*>(tensor_base)}, 256, 112}};
  }
};

/// Rows from an index array, 8 elements (16 bytes) for each thread. The row number is loaded from
/// the array; the layout gives the rest of the address.
struct gather_rows {
  struct arguments {
    axe::tensor<std::uint16_t, axe::row_major<2>, axe::aligned<16>> tensor;
    word picked;
  };
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    struct vector {
      std::uint16_t elements[8];
    };
    std::uint16_t* const data = a.tensor.data;
    word const eights = i.block_x * 32 + (i.thread & 31);
    wide const row = a.picked + (i.thread >> 5);
    sink.global(
        reinterpret_cast<wide*>(reinterpret_cast<char*>(reinterpret_cast<vector*>(data) + eights) +
                                row * a.tensor.sizes.bytes<2>()));
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const t = axe::on<axe::axis::tid, 256>(i.thread);
    auto& first =
        a.tensor(axe::any(a.picked) + t.bits<5, 3>(),
                 axe::constant<256>{} * axe::any(i.block_x) + axe::constant<8>{} * t.bits<0, 5>());
    sink.global(reinterpret_cast<wide*>(&first));
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    std::uint16_t* const data = a.tensor.data;
    auto const all = cute_matrix(data, a.tensor.sizes);
    sink.global(reinterpret_cast<wide*>(
        &all(a.picked + (i.thread >> 5), i.block_x * 256 + (i.thread & 31) * 8)));
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    std::uint16_t* const data = a.tensor.data;
    bytes.push_back(byte_of(data) +
                    2 * ((a.picked + integer{i.thread / 32}) * integer{a.tensor.sizes.number<2>()} +
                         i.block_x * integer{256} + i.thread % 32 * 8));
  }
  static std::vector<launch<arguments>> launches() {
    std::uint16_t* const data = reinterpret_cast<std::uint16_t*>(tensor_base);
    return {{{{data, 1 << 24, 4096, 4096}, 123456}, 256, 16},
            {{{data, 2000000000, 4096, 4104}, 1900000000}, 256, 16}};
  }
};

/// The part of device g of a 2x4 mesh in a sharded row-major matrix: 32x16 of 64x64, one element
/// for each thread, the device at run time.
struct sharded {
  struct arguments {
    axe::tensor<word, axe::row_major<2>> tensor;
    word device;
  };
  using by_rows = axe::carrier<"S[(32,16):(16@tid,1@tid)]"_axe>;
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const row = (a.device >> 2) * 32 + (i.thread >> 4);
    word const column = (a.device & 3) * 16 + (i.thread & 15);
    word const pitch = a.tensor.sizes.bytes<2>();
    sink.global(reinterpret_cast<word*>(reinterpret_cast<char*>(a.tensor.data + column) +
                                        wide{row} * pitch));
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const g = axe::on<axe::axis::gpuid, 8>(a.device);
    auto const tile = axe::tile<32, 16>(a.tensor, g.digit<4, 2>(), g.digit<1, 4>());
    sink.global(axe::local_partition<by_rows>(tile, i.thread).pointer(axe::constant<0>{}));
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const shard = local_tile(cute_matrix(a.tensor.data, a.tensor.sizes), Shape<_32, _16>{},
                                  make_coord(a.device >> 2, a.device & 3));
    sink.global(&shard(i.thread >> 4, i.thread & 15));
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const row = a.device / 4 * integer{32} + i.thread / 16;
    integer const column = a.device % 4 * integer{16} + i.thread % 16;
    bytes.push_back(byte_of(a.tensor.data) +
                    4 * (row * integer{a.tensor.sizes.number<2>()} + column));
  }
  static std::vector<launch<arguments>> launches() {
    std::vector<launch<arguments>> all;
    for (word g = 0; g < 8; ++g)
      all.push_back({{{reinterpret_cast<word*>(tensor_base), 64, 64, 68}, g}, 512});
    return all;
  }
};

AXE_PATTERN(row_major_tile)
AXE_PATTERN(column_major_tile)
AXE_PATTERN(padded_tile)
AXE_PATTERN(batched_64)
AXE_PATTERN(batched_32)
AXE_PATTERN(blocked_linear)
AXE_PATTERN(blocked_coordinates)
AXE_PATTERN(gather_rows)
AXE_PATTERN(sharded)

}  // namespace pattern
