// Uses axe's layout policy in the mdspan of a library, and converts that library's own layouts. The
// library is std::mdspan (C++23), cuda::std::mdspan with -D AXE_TEST_CUDA_MDSPAN, or the Kokkos
// reference with -D AXE_TEST_KOKKOS_MDSPAN.
#include <axe/axe.hpp>

#include "bridge/mdspan_mapping.hpp"

#if defined(AXE_TEST_CUDA_MDSPAN)
#include <cuda/std/mdspan>
namespace lib = cuda::std;
#elif defined(AXE_TEST_KOKKOS_MDSPAN)
#define MDSPAN_USE_PAREN_OPERATOR 1
#include <mdspan/mdspan.hpp>
namespace lib = Kokkos;
#else
#include <mdspan>
namespace lib = std;
#endif

#include <array>
#include <cstdio>
#include <type_traits>
#include <vector>

using namespace axe::literals;

namespace {

#ifdef AXE_TEST_CUDA_MDSPAN
using array_of_two = lib::array<int, 2>;
#else
using array_of_two = std::array<int, 2>;
#endif

constexpr auto swizzled = "swizzle(0,2,2) o S[(4,16):(16,1)]"_axe;
using static_extents = lib::extents<int, 4, 16>;
using policy = axe::mdspan_layout<axe::carrier<swizzled>>;
using mapping = policy::mapping<static_extents>;
using at_run_time = axe::mdspan_layout<>::mapping<lib::dextents<int, 2>>;

static_assert(std::is_nothrow_copy_constructible_v<mapping> &&
              std::is_nothrow_move_assignable_v<mapping>);
static_assert(std::is_same_v<mapping::layout_type::mapping<static_extents>, mapping>);
static_assert(lib::mdspan<int, static_extents, policy>::is_always_unique());

static_assert(axe::from_mdspan(lib::layout_left::mapping<lib::extents<int, 4, 8>>{}) ==
              "S[((4),(8)):((1),(4))]"_axe);
static_assert(axe::from_mdspan(lib::layout_right::mapping<lib::extents<int, 4, 8>>{}) ==
              "S[((4),(8)):((8),(1))]"_axe);
static_assert(axe::from_mdspan(lib::layout_right::mapping<lib::extents<int>>{}) == "S[]"_axe);

bool strided() {
  lib::layout_stride::mapping<lib::dextents<int, 2>> const theirs(lib::dextents<int, 2>(4, 5),
                                                                  array_of_two{7, 1});
  axe::layout const ours = axe::from_mdspan(theirs);
  at_run_time const again(lib::dextents<int, 2>(4, 5), ours);
  bool same = ours == "S[((4),(5)):((7),(1))]"_axe && axe_test::keeps_the_requirements(again);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) same = same && theirs(i, j) == again(i, j);
  return same;
}

bool elements() {
  std::vector<int> memory(64);
  lib::mdspan<int, static_extents, policy> const tile(memory.data(), mapping{});
  lib::mdspan<int, lib::dextents<int, 2>, axe::mdspan_layout<>> const same(
      memory.data(), at_run_time(lib::dextents<int, 2>(4, 16), swizzled));
  bool right = static_cast<int>(tile.size()) == 64;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 16; ++j) {
#if defined(__cpp_multidimensional_subscript)
      tile[i, j] = 100 * i + j;
      right = right && same[i, j] == 100 * i + j;
#else
      tile(i, j) = 100 * i + j;
      right = right && same(i, j) == 100 * i + j;
#endif
      auto const at = axe::places(swizzled, {4, 16}, {i, j}).first()[axe::axis::m];
      right = right && memory[static_cast<std::size_t>(at)] == 100 * i + j;
    }
  return right;
}

}  // namespace

int main() {
  bool const right = strided() && elements() && axe_test::keeps_the_requirements(mapping{});
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
