// Common parts of programs of random kernels with tensor copies (TMA) and atomic additions.
// run.py writes the programs.
#pragma once

#include "fragments.hpp"

namespace tensors {

using fragments::buffer;

/// Where the tiles begin: numbers of tiles, or the coordinates of their first elements.
struct origins {
  int in[4], out[4];
};
/// One dimension of a tensor, and the first element of the tile along it.
struct dimension {
  int extent, stride, origin;
};
struct side {
  std::vector<dimension> dimensions;
  int first, size;

  /// The place of the element at `at` in the tile, or -1 if it is out of bounds.
  int place(std::vector<int> const& at) const {
    int to = first;
    for (std::size_t d = 0; d < at.size(); ++d) {
      int const x = dimensions[d].origin + at[d];
      if (x < 0 || x >= dimensions[d].extent) return -1;
      to += x * dimensions[d].stride;
    }
    return to;
  }
};

template <class T> T value(int i) { return fragments::from_int<T>(fragments::small(i) + i % 7); }

template <class S, class Tile, int... D>
__device__ auto& element(Tile& tile, int x, axe::detail::indices<D...>) {
  constexpr int rank = sizeof...(D);
  unsigned at[rank];
  for (int d = rank; d-- > 0;) {
    int const extents[]{static_cast<int>(S::value.extent(D))...};
    at[d] = static_cast<unsigned>(x % extents[d]);
    x /= extents[d];
  }
  return tile(at[D]...);
}

/// Copies one tile after the other along a dimension into a stage of shared memory, and from there
/// to `to` and to `image`, which keeps every element of every tile.
template <class T, class L, class S, int Along, int Threads, axe::copy_how Store, class From,
          class To>
__device__ void move_tiles(axe::tensor_map const& from_map, axe::tensor_map const& to_map,
                           From const& from, To const& to, T* image, int steps) {
  constexpr auto scope = axe::cta<Threads>;
  constexpr int size = static_cast<int>(axe::detail::product_below(S::value, 0));
  __shared__ axe::shared_tile<T, L, S> ring[2];
  __shared__ axe::mbarrier_storage<2> full;
  if (threadIdx.x == 0) {
    full[0].init(1);
    full[1].init(1);
    axe::fence_mbarrier_init();
  }
  __syncthreads();
  auto const fill = axe::prepare_copy_async<Along>(axe::mapped(from_map, from), ring, scope);
  auto const drain = axe::prepare_copy_async<Along, Store>(ring, axe::mapped(to_map, to), scope);
  for (unsigned k = 0; k < static_cast<unsigned>(steps); ++k) {
    if (threadIdx.x == 0)
      full[k % 2].arrive_and_expect_tx(axe::bytes_of_tile<axe::shared_tile<T, L, S>>);
    fill(k, k % 2, full[k % 2]);
    full[k % 2].wait(k / 2 % 2);
    for (int x = static_cast<int>(threadIdx.x); x < size; x += Threads)
      image[static_cast<int>(k) * size + x] =
          element<S>(ring[k % 2], x, axe::detail::indices_to<From::rank>{});
    drain(k, k % 2);
    if (threadIdx.x == 0) {
      axe::bulk_commit();
      axe::bulk_wait<0>();
    }
    __syncthreads();
  }
}
/// The same for one tile, by copies that are not prepared.
template <class T, class L, class S, int Along, int Threads, axe::copy_how Store, class From,
          class To>
__device__ void move_one_tile(axe::tensor_map const& from_map, axe::tensor_map const& to_map,
                              From const& from, To const& to, T* image, int) {
  constexpr auto scope = axe::cta<Threads>;
  constexpr int size = static_cast<int>(axe::detail::product_below(S::value, 0));
  __shared__ axe::shared_tile<T, L, S> staged;
  __shared__ axe::mbarrier_storage<1> full;
  if (threadIdx.x == 0) {
    full[0].init(1);
    axe::fence_mbarrier_init();
    full[0].arrive_and_expect_tx(axe::bytes_of_tile<decltype(staged)>);
  }
  __syncthreads();
  axe::copy_async(axe::mapped(from_map, from), staged, full[0], scope);
  full[0].wait(0);
  for (int x = static_cast<int>(threadIdx.x); x < size; x += Threads)
    image[x] = element<S>(staged, x, axe::detail::indices_to<From::rank>{});
  axe::copy_async<Store>(staged, axe::mapped(to_map, to), scope);
  if (threadIdx.x == 0) {
    axe::bulk_commit();
    axe::bulk_wait<0>();
  }
}
template <class T, class Launch>
bool check_move(int number, std::vector<int> const& tile, int along, int steps, side const& from,
                side const& to, bool adds, Launch const& launch) {
  int size = 1;
  for (int const e : tile) size *= e;
  std::vector<T> source, result;
  for (int i = 0; i < from.size; ++i) source.push_back(value<T>(i));
  for (int i = 0; i < to.size; ++i) result.push_back(value<T>(i + 3));
  buffer<T> const in(source), out(result);
  buffer<T> const image(std::vector<T>(static_cast<std::size_t>(size * steps)));
  launch(in.data, out.data, image.data);
  std::vector<T> wanted;
  for (int k = 0; k < steps; ++k)
    for (int x = 0; x < size; ++x) {
      std::vector<int> at = fragments::coordinates(tile, x);
      at[static_cast<std::size_t>(along)] += k * tile[static_cast<std::size_t>(along)];
      int const here = from.place(at), there = to.place(at);
      wanted.push_back(here < 0 ? T(0) : source[static_cast<std::size_t>(here)]);
      if (there < 0) continue;
      T& element = result[static_cast<std::size_t>(there)];
      element = adds ? static_cast<T>(element + wanted.back()) : wanted.back();
    }
  int wrong = 0;
  std::vector<T> const seen = image.values(), stored = out.values();
  for (std::size_t k = 0; k < seen.size(); ++k) wrong += seen[k] != wanted[k];
  for (std::size_t k = 0; k < stored.size(); ++k) wrong += stored[k] != result[k];
  return fragments::report(number, wrong);
}

/// Adds a fragment to a tile twice.
template <class F, int First, class To, class Scope>
__device__ void add_twice(typename F::value_type const* in, To const& to, Scope scope) {
  int const thread = fragments::this_thread<First>();
  if (thread < 0) return;
  F f;
  fragments::fetch(f, in, thread);
  axe::atomic_add(f, to, scope);
  axe::atomic_add(f, to, scope);
}
/// Adds a fragment to a tile in shared memory twice. All groups of threads add to the same tile.
template <class F, class L, int First, class Scope>
__device__ void add_twice_in_shared(typename F::value_type const* in, typename F::value_type* out,
                                    Scope scope) {
  using T = typename F::value_type;
  using S = typename F::shape_type;
  constexpr int size = static_cast<int>(axe::detail::product_below(S::value, 0));
  constexpr auto dimensions = axe::detail::indices_to<S::value.rank()>{};
  __shared__ axe::shared_tile<T, L, S> staged;
  int const first = static_cast<int>(threadIdx.x), all = static_cast<int>(blockDim.x);
  for (int x = first; x < size; x += all) element<S>(staged, x, dimensions) = T(0);
  __syncthreads();
  if (int const thread = fragments::this_thread<First>(); thread >= 0) {
    F f;
    fragments::fetch(f, in, thread);
    axe::atomic_add(f, staged, scope);
    axe::atomic_add(f, staged, scope);
  }
  __syncthreads();
  for (int x = first; x < size; x += all) out[x] = element<S>(staged, x, dimensions);
}
template <class T, class Launch>
bool check_shared_addition(int number, fragments::held const& h, fragments::threads const& t,
                           Launch const& launch) {
  auto const small = [](int x, int group) { return fragments::small(x + 1000 * group); };
  buffer<T> const in(fragments::registers_of<T>(
      h, t, [&](int x, int group) { return fragments::from_int<T>(small(x, group)); }));
  buffer<T> const out(std::vector<T>(static_cast<std::size_t>(fragments::product(h.digits))));
  launch(in.data, out.data);
  std::vector<T> const found = out.values();
  int wrong = 0;
  for (std::size_t x = 0; x < found.size(); ++x) {
    int wanted = 0;
    for (int group = 0; group < t.groups; ++group) wanted += 2 * small(static_cast<int>(x), group);
    wrong += !fragments::same(found[x], fragments::from_int<T>(wanted));
  }
  return fragments::report(number, wrong);
}
template <class T, class Launch>
bool check_addition(int number, fragments::held const& h, std::vector<int> const& tile,
                    side const& to, fragments::threads const& t, Launch const& launch) {
  auto const small = [](int x, int group) { return fragments::small(x + 1000 * group); };
  buffer<T> const in(fragments::registers_of<T>(
      h, t, [&](int x, int group) { return fragments::from_int<T>(small(x, group)); }));
  std::vector<int> wanted;
  std::vector<T> result;
  for (int i = 0; i < to.size; ++i) {
    wanted.push_back(fragments::small(i + 3));
    result.push_back(fragments::from_int<T>(wanted.back()));
  }
  buffer<T> const out(result);
  launch(in.data, out.data);
  for (int x = 0; x < fragments::product(h.digits); ++x)
    if (int const there = to.place(fragments::coordinates(tile, x)); there >= 0)
      for (int group = 0; group < t.groups; ++group)
        wanted[static_cast<std::size_t>(there)] += 2 * small(x, group);
  int wrong = 0;
  std::vector<T> const found = out.values();
  for (std::size_t k = 0; k < found.size(); ++k)
    wrong += !fragments::same(found[k], fragments::from_int<T>(wanted[k]));
  return fragments::report(number, wrong);
}

}  // namespace tensors
