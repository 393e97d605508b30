// Common parts of programs of random kernels: the ways in which a tile is copied, and the check of
// the result. run.py writes the programs.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <cstdio>
#include <vector>

namespace copies {

using namespace axe::literals;

/// Where the tiles begin if their origins are run-time numbers.
struct origins {
  int in[3], out[3];
};

/// An option that also accepts slow plans, because random tensors seldom allow vectors.
inline constexpr auto zeros = axe::zero_fill | axe::allow_slow;

template <class T, class L, class S, class From, class To, class Scope>
__device__ void through_shared_memory(From const& from, To const& to, Scope scope) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::copy<zeros>(from, staged, scope);
  axe::sync(scope);
  axe::copy<axe::allow_slow>(staged, to, scope);
}
template <class T, class L, class S, class From, class To, class Scope>
__device__ void by_cp_async(From const& from, To const& to, Scope scope) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::copy_async<zeros>(from, staged, scope);
  axe::async_commit();
  axe::async_wait();
  axe::sync(scope);
  axe::copy<axe::allow_slow>(staged, to, scope);
}
template <class T, class L, class S, class From, class To, class Scope>
__device__ void transposed(From const& from, To const& to, Scope scope) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::copy<zeros>(from, staged, scope);
  axe::sync(scope);
  axe::copy<axe::allow_slow>(axe::transposed(staged), to, scope);
}
/// Decides if copy_if copies an element, by the sum of its coordinates with weights 5, 4 and 3.
struct choice {
  unsigned sum = 0, next = 5;

  __host__ __device__ void add(unsigned coordinate) { sum += next-- * coordinate; }
  __host__ __device__ bool holds() const { return sum % 7 != 2; }
};
template <class T, class L, class S, class From, class To, class Scope>
__device__ void of_chosen_elements(From const& from, To const& to, Scope scope) {
  __shared__ axe::shared_tile<T, L, S> staged;
  auto const chosen = [](auto... coordinates) {
    choice c;
    (c.add(coordinates), ...);
    return c.holds();
  };
  axe::copy_if<zeros>(from, staged, scope, chosen);
  axe::sync(scope);
  axe::copy_if<axe::allow_slow>(staged, to, scope, chosen);
}
template <class T, class L, class S, class P, class From, class To, class Scope>
__device__ void by_partition(From const& from, To const& to, Scope scope) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::copy_by<P, zeros>(from, staged, scope);
  axe::sync(scope);
  axe::copy_by<P, axe::allow_slow>(staged, to, scope);
}
template <class T, class P, class S, class From, class To, class Scope>
__device__ void through_registers(From const& from, To const& to, Scope scope) {
  axe::fragment<T, P, S> held;
  axe::copy<zeros>(from, held, scope);
  axe::copy<axe::allow_slow>(held, to, scope);
}
template <class T, class L, class P, class S, class From, class To, class Scope>
__device__ void through_both(From const& from, To const& to, Scope scope) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::fragment<T, P, S> held;
  axe::copy<zeros>(from, staged, scope);
  axe::sync(scope);
  axe::copy<axe::allow_slow>(staged, held, scope);
  axe::copy<axe::allow_slow>(held, to, scope);
}
/// `from` and `to` are the tiles of step 0.
template <class T, class L, class S, int Dimension, class From, class To, class Scope>
__device__ void prepared(From const& from, To const& to, Scope scope, int steps) {
  __shared__ axe::shared_tile<T, L, S> staged;
  auto const read = axe::prepare_copy<Dimension, zeros>(from, staged, scope);
  auto const write = axe::prepare_copy<Dimension, axe::allow_slow>(staged, to, scope);
  for (int i = 0; i < steps; ++i) {
    int const k = (i + steps / 2) % steps;  // not in order
    read(k);
    axe::sync(scope);
    write(k);
    axe::sync(scope);
  }
}
/// The same by cp.async, two tiles ahead, through a ring of three stages.
template <class T, class L, class S, int Dimension, class From, class To, class Scope>
__device__ void through_ring(From const& from, To const& to, Scope scope, int steps) {
  __shared__ axe::shared_tile<T, L, S> ring[3];
  auto const read = axe::prepare_copy_async<Dimension, zeros>(from, ring, scope);
  auto const write = axe::prepare_copy<Dimension, axe::allow_slow>(ring, to, scope);
  auto filled = axe::first_stage(ring), written = filled;
  for (int k = -2; k < steps; ++k) {
    if (k + 2 < steps) read(k + 2, filled);
    axe::async_commit();
    filled.advance();
    if (k < 0) continue;
    axe::async_wait<2>();
    axe::sync(scope);
    write(k, written);
    written.advance();
    axe::sync(scope);
  }
}
/// The row that row i of the result is read from. It may be negative.
__host__ __device__ inline int gathered_row(int i, int rows) {
  return (7 * i + 3) % (rows + 2) - 2;
}
/// The rows of a tile whose first row is `first`.
struct gathered_rows {
  int first, rows;

  __device__ int operator()(unsigned i) const {
    int const row = first + static_cast<int>(i);
    return row < rows ? gathered_row(row, rows) : -1;
  }
};
template <class T, class L, class S, int Along, class From, class To, class Scope>
__device__ void by_index(From const& from, To const& to, Scope scope, int first, int rows) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::gather<Along, zeros>(from, staged, scope, gathered_rows{first, rows});
  axe::sync(scope);
  axe::copy<axe::allow_slow>(staged, to, scope);
}
template <class T, class L, class S, int Along, class From, class To, class Scope>
__device__ void by_index_async(From const& from, To const& to, Scope scope, int first, int rows) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::gather_async<Along, zeros>(from, staged, scope, gathered_rows{first, rows});
  axe::async_commit();
  axe::async_wait();
  axe::sync(scope);
  axe::copy<axe::allow_slow>(staged, to, scope);
}
template <class T, class P, class S, int Along, class From, class To, class Scope>
__device__ void by_index_held(From const& from, To const& to, Scope scope, int first, int rows) {
  axe::fragment<T, P, S> held;
  axe::gather<Along, zeros>(from, held, scope, gathered_rows{first, rows});
  axe::copy<axe::allow_slow>(held, to, scope);
}
/// Writes the rows of the result in reversed order. The tile begins at row `first` of the source.
template <class T, class L, class S, int Along, class From, class To, class Scope>
__device__ void by_scatter(From const& from, To const& to, Scope scope, int first, int rows) {
  __shared__ axe::shared_tile<T, L, S> staged;
  axe::copy<zeros>(from, staged, scope);
  axe::sync(scope);
  axe::scatter<Along, axe::allow_slow>(staged, to, scope, [&](unsigned i) {
    int const row = first + static_cast<int>(i);
    return row < rows ? rows - 1 - row : -1;
  });
}
/// Writes the sums over the dimensions Folded to a tile that has extent 1 there.
template <class T, class P, class S, int... Folded, class From, class To, class Scope>
__device__ void summed(From const& from, To const& to, Scope scope) {
  using fragment = axe::fragment<T, P, S>;
  __shared__ axe::reduce_scratch<fragment, Folded...> scratch;
  fragment held;
  axe::copy<zeros>(from, held, scope);
  axe::reduced<fragment, Folded...> sums;
  axe::reduce<Folded...>(axe::plus{}, held, sums, scratch, scope);
  axe::copy<axe::allow_slow>(sums, to, scope);
}

template <class T, class In, class Out>
__device__ void copy_elements(In const& in, Out const& out) {
  axe::for_each_register<In::size>([&](auto r) {
    T const v = in.in_bounds(r) ? in.load(r) : T(0);
    if (out.in_bounds(r)) out.store(r, v);
  });
}
template <class T, class P, class From, class To>
__device__ void by_elements(From const& from, To const& to) {
  auto const stored = axe::local_partition<P>(to, threadIdx.x);
  if (!stored.any_in_bounds()) return;
  copy_elements<T>(axe::local_partition<P>(from, threadIdx.x), stored);
}
template <class In, class Held> __device__ void load_elements(In const& in, Held& held) {
  axe::for_each_register<In::size>(
      [&](auto r) { held[r] = in.in_bounds(r) ? in.load(r) : typename Held::value_type(0); });
}
/// Copies as by_elements does, but through a tile in shared memory.
template <class T, class L, class P, class S, class From, class To>
__device__ void by_shared_elements(From const& from, To const& to) {
  __shared__ axe::shared_tile<T, L, S> staged;
  auto const in_shared = axe::local_partition<P>(staged, threadIdx.x);
  axe::fragment<T, P, S> held;
  load_elements(axe::local_partition<P>(from, threadIdx.x), held);
  axe::for_each_register<held.size>([&](auto r) { in_shared.store(r, held[r]); });
  __syncthreads();
  copy_elements<T>(in_shared, axe::local_partition<P>(to, threadIdx.x));
}
/// How an element gets from one tensor to the other.
enum class way { plain, transposed, chosen, indexed, scattered, summed };

/// One dimension of the source: the extent of a tile, the extent, stride and origin of the tensor,
/// and the number of adjacent tiles. `target` is its dimension in the result, `folded` means that
/// the elements of a tile are added up there.
struct dimension {
  int tile, target, extent_in;
  long long stride_in;
  int origin_in, tiles;
  bool folded;
};
struct side {
  int extent;
  long long stride;
  int origin;
};
struct facts {
  way how;
  std::vector<dimension> in;
  std::vector<side> out;  // of the result, by its own dimensions
  long long first_in, size_in, first_out, size_out;
  std::size_t selected;  // the dimension whose rows are gathered or scattered
};

template <class T> T value(long long i) {
  return static_cast<T>((2654435761u * (static_cast<unsigned>(i) + 1u) >> 7) | 1);
}

/// Calls visit(from, to, inside, stored) for each chosen element. inside: the source has it.
/// stored: the result has it.
template <class Visit> void visit_elements(facts const& f, Visit const& visit) {
  std::vector<int> x(f.in.size(), 0);  // the element among those of all tiles
  for (;;) {
    long long from = f.first_in, to = f.first_out;
    bool inside = true, stored = true;
    choice chosen;
    for (std::size_t d = 0; d < x.size(); ++d) {
      dimension const& in = f.in[d];
      side const& out = f.out[static_cast<std::size_t>(in.target)];
      int source = in.origin_in + x[d];
      if (f.how == way::indexed && d == f.selected)
        source = source < in.extent_in ? gathered_row(source, in.extent_in) : -1;
      int target = out.origin + (in.folded ? x[d] / in.tile : x[d]);
      if (f.how == way::scattered && d == f.selected) target = out.extent - 1 - target;
      inside = inside && source >= 0 && source < in.extent_in;
      stored = stored && target >= 0 && target < out.extent;
      from += source * in.stride_in;
      to += target * out.stride;
      chosen.add(static_cast<unsigned>(x[d] % in.tile));
    }
    if (f.how != way::chosen || chosen.holds()) visit(from, to, inside, stored);
    std::size_t d = x.size();
    while (d > 0 && ++x[d - 1] == f.in[d - 1].tile * f.in[d - 1].tiles) x[--d] = 0;
    if (d == 0) return;
  }
}
/// The result that the tensor `out` must have, element by element.
template <class T> std::vector<T> expected(facts const& f, std::vector<T> result) {
  std::vector<bool> summed(result.size(), false);
  visit_elements(f, [&](long long from, long long to, bool inside, bool stored) {
    if (!stored) return;
    T const v = inside ? value<T>(from) : T(0);
    std::size_t const at = static_cast<std::size_t>(to);
    result[at] = f.how == way::summed && summed[at] ? static_cast<T>(result[at] + v) : v;
    summed[at] = true;
  });
  return result;
}

/// Prints a line if elements differ or the launch failed.
inline bool report(int number, int wrong, cudaError_t state) {
  if (state == cudaSuccess && wrong == 0) return true;
  std::printf("case %d is wrong: %d elements differ (%s)\n", number, wrong,
              cudaGetErrorString(state));
  return false;
}
/// check() for tensors of gigabytes, of which only the elements of the tile are in memory. Their
/// memory is not freed, because the machine would clear it.
template <class T, class Launch> bool check_far(int number, facts const& f, Launch launch) {
  T *in = nullptr, *out = nullptr;
  cudaMalloc(&in, sizeof(T) * static_cast<std::size_t>(f.size_in));
  cudaMalloc(&out, sizeof(T) * static_cast<std::size_t>(f.size_out));
  visit_elements(f, [&](long long from, long long, bool inside, bool) {
    T const v = value<T>(from);
    if (inside) cudaMemcpy(in + from, &v, sizeof(T), cudaMemcpyHostToDevice);
  });
  launch(in + f.first_in, out + f.first_out);
  cudaError_t const state = cudaDeviceSynchronize();
  int wrong = 0;
  visit_elements(f, [&](long long from, long long to, bool inside, bool stored) {
    if (!stored) return;
    T const wanted = inside ? value<T>(from) : T(0);
    T found = static_cast<T>(~wanted);
    cudaMemcpy(&found, out + to, sizeof(T), cudaMemcpyDeviceToHost);
    wrong += found != wanted;
  });
  return report(number, wrong, state);
}

/// Runs `launch(in, out)` and compares the result. Elements of `out` that no tile has must keep
/// their value.
template <class T, class Launch> bool check(int number, facts const& f, Launch launch) {
  if (f.size_in + f.size_out > 1 << 26) return check_far<T>(number, f, launch);
  auto const bytes = [](long long elements) {
    return sizeof(T) * static_cast<std::size_t>(elements);
  };
  std::vector<T> source(static_cast<std::size_t>(f.size_in));
  for (int i = 0; i < f.size_in; ++i) source[static_cast<std::size_t>(i)] = value<T>(i);
  std::vector<T> result(static_cast<std::size_t>(f.size_out), static_cast<T>(0xABABABABABABABAB));
  T *in = nullptr, *out = nullptr;
  cudaMalloc(&in, bytes(f.size_in));
  cudaMalloc(&out, bytes(f.size_out));
  cudaMemcpy(in, source.data(), bytes(f.size_in), cudaMemcpyHostToDevice);
  cudaMemcpy(out, result.data(), bytes(f.size_out), cudaMemcpyHostToDevice);
  std::vector<T> const wanted = expected(f, result);
  launch(in + f.first_in, out + f.first_out);
  cudaError_t const state = cudaDeviceSynchronize();
  cudaMemcpy(result.data(), out, bytes(f.size_out), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  int wrong = 0;
  for (std::size_t i = 0; i < result.size(); ++i) wrong += result[i] != wanted[i];
  return report(number, wrong, state);
}

}  // namespace copies
