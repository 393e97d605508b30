// Two lines without a length bound: they may end near 2^32, where a difference of coordinates
// exceeds a signed 32-bit integer.
#include "../pattern.hpp"

#include <axe/cuda/local_partition.hpp>

namespace pattern {

/// y = a * x + y in vectors of four: one comparison for both lines.
struct saxpy_vectors {
  using line = axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0).multiple_of(4), 1>>>;
  using by_fours = axe::carrier<"S[(256,4):(1@tid,1@reg)]"_axe>;
  struct arguments {
    axe::tensor<word, line, axe::aligned<16>> x, y;
  };
  template <class Sink>
  AXE_FN static void by_hand(arguments const& a, thread_index const& i, Sink& sink) {
    word const at = i.block_x * 1024 + i.thread * 4;
    if (at < a.y.sizes.number<0>()) {
      sink.global(reinterpret_cast<quad*>(a.x.data + wide{at}));
      sink.global(reinterpret_cast<quad*>(a.y.data + wide{at}));
    }
  }
  template <class Sink>
  AXE_FN static void by_axe(arguments const& a, thread_index const& i, Sink& sink) {
    auto const x =
        axe::local_partition<by_fours>(axe::tile<1024>(a.x, axe::any(i.block_x)), i.thread);
    auto const y =
        axe::local_partition<by_fours>(axe::tile<1024>(a.y, axe::any(i.block_x)), i.thread);
    if (y.in_bounds(axe::constant<0>{})) {
      sink.global(reinterpret_cast<quad*>(x.pointer(axe::constant<0>{})));
      sink.global(reinterpret_cast<quad*>(y.pointer(axe::constant<0>{})));
    }
  }
#ifdef AXE_WITH_CUTE
  template <class Sink>
  AXE_FN static void by_cute(arguments const& a, thread_index const& i, Sink& sink) {
    using namespace cute;
    auto const shape = make_shape(a.y.sizes.number<0>());
    auto const copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, word>{},
                                      Layout<Int<256>>{}, Layout<_4>{});
    auto const threads = copy.get_slice(static_cast<int>(i.thread));
    auto const thread_tile = [&](auto const& all) {
      return threads.partition_S(local_tile(all, Shape<Int<1024>>{}, make_coord(i.block_x)));
    };
    if (elem_less(thread_tile(make_identity_tensor(shape))(0), shape)) {
      sink.global(reinterpret_cast<quad*>(&thread_tile(
          make_tensor(make_gmem_ptr(static_cast<word*>(a.x.data)), make_layout(shape)))(0)));
      sink.global(reinterpret_cast<quad*>(&thread_tile(
          make_tensor(make_gmem_ptr(static_cast<word*>(a.y.data)), make_layout(shape)))(0)));
    }
  }
#endif
  static void expected(arguments const& a, thread_index const& i, std::vector<integer>& bytes) {
    integer const at = i.block_x * integer{1024} + i.thread * integer{4};
    if (at >= a.y.sizes.extent<0>()) return;
    for (word* data : {static_cast<word*>(a.x.data), static_cast<word*>(a.y.data)})
      bytes.push_back(static_cast<integer>(reinterpret_cast<std::uintptr_t>(data)) + 4 * at);
  }
  static std::vector<launch<arguments>> launches() {
    word* const x = reinterpret_cast<word*>(std::uintptr_t{1} << 42);
    word* const y = reinterpret_cast<word*>(std::uintptr_t{1} << 43);
    std::vector<launch<arguments>> all;
    for (integer n : {4096, 4092, 4, 3076})
      all.push_back({{{x, line(n)}, {y, line(n)}}, 256, static_cast<word>(n + 1023) / 1024});
    return all;
  }
};

AXE_PATTERN(saxpy_vectors)

}  // namespace pattern
