// Patterns of 128-bit accesses:
//
//     vectors_by_pitch      the leading dimension is declared a multiple of 8, the pointer aligned
//     vectors_partial       the same for a partial tile
//     vectors_known_layout  the layout of the tensor is static
//     vectors_with_tail     the end of the tensor may cut the last vector
#include "../pattern.hpp"

#include <axe/cuda/local_partition.hpp>
#include <axe/index/tensor_of.hpp>

namespace pattern {

using half_word = std::uint16_t;
using by_eights = axe::carrier<"S[(4,32,8,8):(8@reg,8@tid,1@tid,1@reg)]"_axe>;  // of a 128x64 tile

/// The 16 bytes that begin at a register of a thread tile, as one access.
template <class Register> AXE_FN quad* quad_at(auto const& thread_tile, Register r) {
  return reinterpret_cast<quad*>(thread_tile.pointer(r));
}

/// True if the hand-written form computes each pointer as the previous one plus a constant. g++
/// makes such additions itself from a product, and needs one more move if they are written out.
#if defined(__CUDA_ARCH__) ? __CUDA_ARCH__ >= 1000 : defined(__clang__)
inline constexpr bool chained = true;
#else
inline constexpr bool chained = false;
#endif

/// A 128x64 tile of 16-bit elements, of a matrix whose width and pitch are multiples of 8. Each of
/// 256 threads accesses four vectors of eight elements. If Partial, the tile may be partial.
template <bool Partial> struct vector_tile {
  using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24),
                                     axe::dynamic(1).below(1 << 24).multiple_of(8),
                                     axe::dynamic(2).below(1 << 24).multiple_of(8)>;
  struct arguments {
    axe::tensor<half_word, matrix, axe::aligned<16>> tensor;
  };

  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const row = i.block_y * 128 + (i.thread >> 3);
    word const eights = i.block_x * 8 + (i.thread & 7);
    auto const& sizes = a.tensor.sizes;
    half_word* const data = a.tensor.data;
    word const elements = sizes.template number<2>();
    wide const pitch = elements * 2;
    char* const p =
        reinterpret_cast<char*>(reinterpret_cast<quad*>(data) + eights) + wide{row} * pitch;
    int const left = static_cast<int>(sizes.template number<0>()) - static_cast<int>(row);
    int const column = static_cast<int>(eights * 8);
    char* next = p;
    each<4>([&](auto r) {
      constexpr int down = 32 * decltype(r)::value;
      if (!Partial || (down < left && column < static_cast<int>(sizes.template number<1>())))
        sink.global(reinterpret_cast<quad*>(chained ? next : p + pitch * down));
      if constexpr (chained) next += pitch * 32;
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const tile = axe::tile<128, 64>(a.tensor, axe::any(i.block_y), axe::any(i.block_x));
    auto const thread_tile = axe::local_partition<by_eights>(tile, i.thread);
    each<4>([&](auto v) {
      constexpr axe::constant<8 * decltype(v)::value> first{};
      if (!Partial || thread_tile.in_bounds(first)) sink.global(quad_at(thread_tile, first));
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    half_word* const data = a.tensor.data;
    auto const all = cute_matrix(data, a.tensor.sizes);
    auto const number = make_coord(i.block_y, i.block_x);
    auto const copy =
        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_word>{},
                        Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
    auto const threads = copy.get_slice(static_cast<int>(i.thread));
    using box = Shape<Int<128>, _64>;
    auto const thread_tile = threads.partition_S(local_tile(all, box{}, number));  // (8, 4, 1)
    auto const where =
        threads.partition_S(local_tile(make_identity_tensor(shape(all)), box{}, number));
    each<4>([&](auto r) {
      if (!Partial || elem_less(where(0, int{decltype(r)::value}, 0), shape(all)))
        sink.global(reinterpret_cast<quad*>(&thread_tile(0, int{decltype(r)::value}, 0)));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    half_word* const data = a.tensor.data;
    auto const& sizes = a.tensor.sizes;
    for (integer r = 0; r < 4; ++r) {
      integer const row = i.block_y * integer{128} + 32 * r + i.thread / 8;
      integer const column = i.block_x * integer{64} + i.thread % 8 * 8;
      if (Partial && (row >= sizes.template number<0>() || column >= sizes.template number<1>()))
        continue;
      bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(data)) +
                      2 * (row * integer{sizes.template number<2>()} + column));
    }
  }
  static std::vector<launch<arguments>> launches() {
    half_word* const data = reinterpret_cast<half_word*>(std::uintptr_t{1} << 42);
    std::vector<launch<arguments>> all{{{{data, matrix(1280, 640, 648)}}, 256, 10, 10},
                                       {{{data, matrix(16000000, 128, 16000000)}}, 256, 2, 3}};
    if (Partial) {
      all.push_back({{{data, matrix(129, 72, 80)}}, 256, 2, 2});
      all.push_back({{{data, matrix(1, 8, 8)}}, 256, 1, 1});
      all.push_back({{{data, matrix(300, 200, 200)}}, 256, 4, 3});
    }
    return all;
  }
};
struct vectors_by_pitch : vector_tile<false> {};
struct vectors_partial : vector_tile<true> {};

/// A tile of a tensor whose layout is static: 256 x 512 elements in row-major blocks of 64 columns.
struct vectors_known_layout {
  using blocks =
      axe::tensor_of<axe::carrier<"S[(256,8,64):(64,16384,1)]"_axe>, axe::extents<256, 512>>;
  struct arguments {
    axe::tensor<half_word, blocks, axe::aligned<16>> tensor;
  };
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    half_word* const data = a.tensor.data;
    word const tile = i.block_y * 1024 + i.block_x * 2048;
    quad* const p = reinterpret_cast<quad*>(data) + (tile + i.thread);
    each<4>([&](auto r) { sink.global(p + 256 * decltype(r)::value); });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const tile =
        axe::tile<128, 64>(a.tensor, axe::below<2>(i.block_y), axe::below<8>(i.block_x));
    auto const thread_tile = axe::local_partition<by_eights>(tile, i.thread);
    each<4>([&](auto v) {
      sink.global(quad_at(thread_tile, axe::constant<8 * decltype(v)::value>{}));
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    half_word* const data = a.tensor.data;
    using layout =
        cute::Layout<Shape<Int<256>, Shape<_64, _8>>, Stride<_64, Stride<_1, Int<16384>>>>;
    auto const all = make_tensor(make_gmem_ptr(data), layout{});
    auto const copy =
        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_word>{},
                        Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
    auto const thread_tile =
        copy.get_slice(static_cast<int>(i.thread))
            .partition_S(local_tile(all, Shape<Int<128>, _64>{}, make_coord(i.block_y, i.block_x)));
    each<4>([&](auto r) {
      sink.global(reinterpret_cast<quad*>(&thread_tile(0, int{decltype(r)::value}, 0)));
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    half_word* const data = a.tensor.data;
    for (integer r = 0; r < 4; ++r)
      bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(data)) +
                      2 * (i.block_x * integer{16384} +
                           (i.block_y * 128 + 32 * r + i.thread / 8) * 64 + i.thread % 8 * 8));
  }
  static std::vector<launch<arguments>> launches() {
    return {{{{reinterpret_cast<half_word*>(std::uintptr_t{1} << 42), blocks{}}}, 256, 8, 2}};
  }
};

/// Any number of 4-byte elements, two vectors of four for each thread. The vector that the end cuts
/// is stored element by element.
struct vectors_with_tail {
  using line = axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0).at_most(1 << 30), 1>>>;
  using by_fours = axe::carrier<"S[(2,256,4):(4@reg,1@tid,1@reg)]"_axe>;
  struct arguments {
    axe::tensor<word, line, axe::aligned<16>> tensor;
  };
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word* const data = a.tensor.data;
    word const x = i.block_x * 512 + i.thread;  // in vectors of four
    int const left = static_cast<int>(a.tensor.sizes.number<0>()) - static_cast<int>(x * 4);
    quad* const p = reinterpret_cast<quad*>(data) + x;
    each<2>([&](auto v) {
      constexpr int first = 1024 * decltype(v)::value;
      quad* const at = p + first / 4;
      auto const tail = [&] {
        each<3>([&](auto k) {  // the fourth is out of bounds
          if (first + decltype(k)::value < left) sink.global(&at->words[decltype(k)::value]);
        });
      };
      // The order of the branches decides between predicates and jumps. For sm_100 ptxas needs
      // another order than for earlier targets.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
      if (first + 3 < left)
        sink.global(at);
      else
        tail();
#else
      if (first + 3 >= left)
        tail();
      else
        sink.global(at);
#endif
    });
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const thread_tile =
        axe::local_partition<by_fours>(axe::tile<2048>(a.tensor, axe::any(i.block_x)), i.thread);
    each<2>([&](auto v) {
      constexpr int first = 4 * decltype(v)::value;
      if (thread_tile.in_bounds(axe::constant<first + 3>{}))
        sink.global(quad_at(thread_tile, axe::constant<first>{}));
      else
        each<3>([&](auto k) {
          constexpr axe::constant<first + decltype(k)::value> r{};
          if (thread_tile.in_bounds(r)) sink.global(thread_tile.pointer(r));
        });
    });
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    word* const data = a.tensor.data;
    auto const all =
        make_tensor(make_gmem_ptr(data), make_layout(make_shape(a.tensor.sizes.number<0>())));
    auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, word>{},
                                      Layout<Int<256>>{}, Layout<_4>{});
    auto const threads = copy.get_slice(static_cast<int>(i.thread));
    auto const thread_tile =
        threads.partition_S(local_tile(all, Shape<Int<2048>>{}, make_coord(i.block_x)));  // (4, 2)
    auto const where = threads.partition_S(
        local_tile(make_identity_tensor(shape(all)), Shape<Int<2048>>{}, make_coord(i.block_x)));
    each<2>([&](auto v) {
      constexpr int V = decltype(v)::value;
      if (elem_less(where(3, V), shape(all))) {
        sink.global(reinterpret_cast<quad*>(&thread_tile(0, V)));
      } else {
        each<3>([&](auto k) {
          if (elem_less(where(int{decltype(k)::value}, V), shape(all)))
            sink.global(&thread_tile(int{decltype(k)::value}, V));
        });
      }
    });
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    word* const data = a.tensor.data;
    integer const count = a.tensor.sizes.number<0>();
    for (integer v = 0; v < 2; ++v) {
      integer const x = i.block_x * integer{2048} + v * 1024 + i.thread * 4;
      for (integer k = 0; k < (x + 4 <= count ? 1 : 4); ++k)
        if (x + k < count)
          bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(data)) +
                          4 * (x + k));
    }
  }
  static std::vector<launch<arguments>> launches() {
    word* const data = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
    std::vector<launch<arguments>> all;
    for (integer n : {4096, 4095, 4094, 4093, 1, 3, 1023, 1027, 2049})
      all.push_back({{{data, line(n)}}, 256, static_cast<word>(n + 2047) / 2048});
    return all;
  }
};

AXE_PATTERN(vectors_by_pitch)
AXE_PATTERN(vectors_partial)
AXE_PATTERN(vectors_known_layout)
AXE_PATTERN(vectors_with_tail)

}  // namespace pattern
