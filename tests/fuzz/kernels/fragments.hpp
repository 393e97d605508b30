// Functions for programs of random kernels on fragments, which run.py writes. Device functions are
// the bodies of the kernels. Host functions compute the element in each register by plain loops.
//
// Register r of thread t is in[t * registers + r]. Threads are counted from the first of the scope.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/online_softmax.hpp>
#include <axe/cuda/permute.hpp>
#include <axe/cuda/reduce.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

namespace fragments {

using namespace axe::literals;

/// One digit of a tile, or a replica: its extent, and its strides on threads and registers.
struct digit {
  int extent, thread, reg;
};
/// A layout of a tile on the threads and registers of a group, from thread `offset` of the group.
/// Digits are slowest first.
struct held {
  std::vector<digit> digits, replicas;
  int registers, offset;
};

/// The threads that execute a call: groups of `size` threads, from thread `first` of the block on.
struct threads {
  int first, size, groups;
};

inline int product(std::vector<digit> const& digits) {
  int all = 1;
  for (digit const& d : digits) all *= d.extent;
  return all;
}
/// The element in each register of each thread of one group, or -1.
inline std::vector<int> elements(held const& h, int threads) {
  std::vector<int> at(static_cast<std::size_t>(threads * h.registers), -1);
  for (int x = 0; x < product(h.digits); ++x)
    for (int r = 0; r < product(h.replicas); ++r) {
      int thread = h.offset, reg = 0, left = x, replica = r;
      for (auto d = h.digits.rbegin(); d != h.digits.rend(); left /= d->extent, ++d)
        thread += left % d->extent * d->thread, reg += left % d->extent * d->reg;
      for (digit const& d : h.replicas)
        thread += replica % d.extent * d.thread, reg += replica % d.extent * d.reg,
            replica /= d.extent;
      at[static_cast<std::size_t>(thread * h.registers + reg)] = x;
    }
  return at;
}
/// The coordinates of element x of a tile.
inline std::vector<int> coordinates(std::vector<int> const& extents, int x) {
  std::vector<int> at(extents.size());
  for (std::size_t d = extents.size(); d-- > 0; x /= extents[d]) at[d] = x % extents[d];
  return at;
}
inline int number(std::vector<int> const& extents, std::vector<int> const& at) {
  int x = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) x = x * extents[d] + at[d];
  return x;
}
/// The element of an operand that elementwise uses for element x of a tile. It broadcasts
/// dimensions of extent 1.
inline int broadcast(std::vector<int> const& extents, std::vector<int> const& operand, int x) {
  std::vector<int> at = coordinates(extents, x);
  for (std::size_t d = 0; d < at.size(); ++d)
    if (operand[d] == 1) at[d] = 0;
  return number(operand, at);
}

inline unsigned mixed(int i) { return 2654435761u * (static_cast<unsigned>(i) + 17u); }
/// Returns arbitrary bits.
template <class T> T pattern(int i) {
  unsigned words[4]{mixed(i), mixed(i) ^ 0x5bd1e995u, mixed(i + 1), ~mixed(i)};
  words[0] = words[0] >> 16 | words[0] << 16;
  T value;
  memcpy(&value, words, sizeof(T));
  return value;
}
/// An integer from 0 to 4, which all types hold exactly.
inline int small(int i) { return static_cast<int>((mixed(i) >> 20) % 5); }
template <class T> T from_int(int i) { return static_cast<T>(static_cast<float>(i)); }

/// Memory of the device with the values of a vector.
template <class T> struct buffer {
  T* data = nullptr;
  std::size_t size;

  explicit buffer(std::vector<T> const& values) : size(values.size()) {
    cudaMalloc(&data, size * sizeof(T));
    cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice);
  }
  buffer(buffer const&) = delete;
  ~buffer() { cudaFree(data); }
  std::vector<T> values() const {
    std::vector<T> all(size);
    cudaMemcpy(all.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost);
    return all;
  }
};

/// Prints a line if elements are wrong or the launch failed.
inline bool report(int number, int wrong) {
  cudaError_t const state = cudaDeviceSynchronize();
  if (state == cudaSuccess && wrong == 0) return true;
  std::printf("case %d is wrong: %d elements differ (%s)\n", number, wrong,
              cudaGetErrorString(state));
  return false;
}
template <class T> bool same(T const& a, T const& b) { return memcmp(&a, &b, sizeof(T)) == 0; }

/// The registers of all threads: value(element, group) where a thread holds an element.
template <class T, class Value>
std::vector<T> registers_of(held const& h, threads const& t, Value const& value) {
  std::vector<int> const at = elements(h, t.size);
  std::vector<T> all;
  for (int group = 0; group < t.groups; ++group)
    for (int const x : at) all.push_back(x < 0 ? T{} : value(x, group));
  return all;
}
/// Counts the registers that hold another value than value(element, group).
template <class T, class Value>
int differences(std::vector<T> const& found, held const& h, threads const& t, Value const& value) {
  std::vector<int> const at = elements(h, t.size);
  int wrong = 0;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (int const x = at[k % at.size()]; x >= 0)
      wrong += !same(found[k], value(x, static_cast<int>(k / at.size())));
  return wrong;
}

/// The number of this thread, counted from the first of the scope.
template <int First> __device__ int this_thread() { return static_cast<int>(threadIdx.x) - First; }
template <class F> __device__ void fetch(F& f, typename F::value_type const* in, int thread) {
  axe::for_each_register<F::size>([&](auto r) { f[r] = in[thread * F::size + r.value]; });
}
template <class F> __device__ void put(F const& f, typename F::value_type* out, int thread) {
  axe::for_each_register<F::size>([&](auto r) { out[thread * F::size + r.value] = f[r]; });
}

/// Converts From, permuted, to To. Dimension Order[k] of From is dimension k of To.
template <class From, class To, int First, int Size, int Groups, int... Order, class Scope>
__device__ void converted(typename From::value_type const* in, typename To::value_type* out,
                          Scope scope) {
  using turned = decltype(axe::permuted<Order...>(From{}));
  __shared__ axe::convert_scratch<turned, To> scratch[Groups];
  int const thread = this_thread<First>();
  if (thread < 0) return;
  From from;
  To to{};
  fetch(from, in, thread);
  axe::convert(axe::permuted<Order...>(from), to, scratch[thread / Size], scope);
  put(to, out, thread);
}
template <class T, class Launch>
bool check_conversion(int number_of_case, held const& from, std::vector<int> const& extents,
                      held const& to, std::vector<int> const& order, threads const& t,
                      Launch const& launch) {
  auto const value = [](int x, int group) { return pattern<T>(x + 5000 * group); };
  buffer<T> const in(registers_of<T>(from, t, value));
  buffer<T> const out(std::vector<T>(static_cast<std::size_t>(t.size * t.groups * to.registers)));
  launch(in.data, out.data);
  std::vector<int> permuted;
  for (int const d : order) permuted.push_back(extents[static_cast<std::size_t>(d)]);
  int const wrong = differences(out.values(), to, t, [&](int x, int group) {
    std::vector<int> const at = coordinates(permuted, x);
    std::vector<int> source(at.size());
    for (std::size_t d = 0; d < at.size(); ++d) source[static_cast<std::size_t>(order[d])] = at[d];
    return value(number(extents, source), group);
  });
  return report(number_of_case, wrong);
}

/// c = 2 * a + b for operands with broadcast dimensions, then a cast of c.
template <class A, class B, class C, class D, int First>
__device__ void combined(typename A::value_type const* in_a, typename B::value_type const* in_b,
                         typename D::value_type* out) {
  int const thread = this_thread<First>();
  if (thread < 0) return;
  A a;
  B b;
  C c;
  D d;
  fetch(a, in_a, thread);
  fetch(b, in_b, thread);
  axe::elementwise(
      [](typename A::value_type x, typename B::value_type y) {
        return static_cast<typename C::value_type>(2 * static_cast<float>(x) +
                                                   static_cast<float>(y));
      },
      c, a, b);
  axe::cast(c, d);
  put(d, out, thread);
}
template <class A, class B, class D, class Launch>
bool check_combination(int number_of_case, std::vector<int> const& extents, held const& a,
                       std::vector<int> const& of_a, held const& b, std::vector<int> const& of_b,
                       held const& d, threads const& t, Launch const& launch) {
  auto const value = [](int x, int group) { return small(x + 1000 * group); };
  buffer<A> const in_a(
      registers_of<A>(a, t, [&](int x, int group) { return from_int<A>(value(x, group)); }));
  buffer<B> const in_b(
      registers_of<B>(b, t, [&](int x, int group) { return from_int<B>(value(x + 9, group)); }));
  buffer<D> const out(std::vector<D>(static_cast<std::size_t>(t.size * t.groups * d.registers)));
  launch(in_a.data, in_b.data, out.data);
  int const wrong = differences(out.values(), d, t, [&](int x, int group) {
    return from_int<D>(2 * value(broadcast(extents, of_a, x), group) +
                       value(broadcast(extents, of_b, x) + 9, group));
  });
  return report(number_of_case, wrong);
}

/// A structure of three words, which hold an integer times 1, 2 and 3.
struct triple {
  float one, two, three;

  triple() = default;
  __host__ __device__ explicit triple(float x) : one(x), two(2 * x), three(3 * x) {}
  friend __host__ __device__ triple operator+(triple a, triple const& b) {
    a.one += b.one, a.two += b.two, a.three += b.three;
    return a;
  }
};

enum class fold { reduce, accumulate, in_two_steps };
struct exclusive_or {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <class F, int... D>
__device__ int element_number(unsigned thread, int r, axe::detail::indices<D...>) {
  int x = 0;
  axe::for_each_register<F::size>([&](auto k) {
    if (k.value == r)
      ((x = x * static_cast<int>(F::shape_type::value.extent(D)) +
            static_cast<int>(F::template coordinate<D>(k, thread))),
       ...);
  });
  return x;
}
/// Writes each result and the number of its element. `Begin` is the first thread on the layout's
/// axis.
template <class F, fold How, int First, int Size, int Groups, int Begin, int... Dims, class Op,
          class Scope>
__device__ void reduced(Op op, typename F::value_type const* in, typename F::value_type* out,
                        int* at, typename F::value_type start, Scope scope) {
  using sums_type = axe::reduced<F, Dims...>;
  __shared__ axe::reduce_scratch<F, Dims...> scratch[Groups];
  int const thread = this_thread<First>();
  if (thread < 0) return;
  F x;
  sums_type sums;
  fetch(x, in, thread);
  if constexpr (How == fold::in_two_steps) {
    sums.fill(start);
    axe::accumulate_registers<Dims...>(op, x, sums);
    axe::accumulate_registers<Dims...>(op, x, sums);
    axe::combine_lanes<F, Dims...>(op, sums, scope);
  } else if constexpr (How == fold::accumulate) {
    sums.fill(start);
    axe::accumulate<Dims...>(op, x, sums, scratch[thread / Size], scope);
  } else {
    axe::reduce<Dims...>(op, x, sums, scratch[thread / Size], scope);
  }
  put(sums, out, thread);
  for (int r = 0; r < sums_type::size; ++r)
    at[thread * sums_type::size + r] =
        element_number<sums_type>(static_cast<unsigned>(thread % Size + Begin), r,
                                  axe::detail::indices_to<sums_type::partition_type::rank>{});
}
/// Every thread that holds an operand of a result must have this result.
template <class T, class Op, class Launch>
bool check_reduction(int number_of_case, fold how, held const& h, std::vector<int> const& extents,
                     std::vector<int> const& sums, int results, threads t, int most, T const& start,
                     Op const& op, Launch const& launch) {
  auto const value = [&](int x, int group) {
    return from_int<T>(small(x + 1000 * group) % (most + 1));
  };
  buffer<T> const in(registers_of<T>(h, t, value));
  std::size_t const size = static_cast<std::size_t>(t.size * t.groups * results);
  buffer<T> const out((std::vector<T>(size)));
  buffer<int> const at(std::vector<int>(size, -1));
  launch(in.data, out.data, at.data);
  std::vector<T> const found = out.values();
  std::vector<int> const place = at.values();
  std::vector<int> const held_by = elements(h, t.size);
  int const all = product(h.digits);
  int wrong = 0;
  for (int group = 0; group < t.groups; ++group) {
    std::vector<T> wanted(static_cast<std::size_t>(all));
    std::vector<bool> begun(static_cast<std::size_t>(all), false);
    auto const add = [&](int to, T const& v) {
      std::size_t const k = static_cast<std::size_t>(to);
      wanted[k] = begun[k] ? static_cast<T>(op(wanted[k], v)) : v;
      begun[k] = true;
    };
    for (int x = 0; x < all; ++x) {
      int const to = broadcast(extents, sums, x);
      add(to, value(x, group));
      if (how == fold::in_two_steps) add(to, value(x, group));
    }
    for (int thread = 0; thread < t.size; ++thread)
      for (int r = 0; r < h.registers; ++r) {
        int const x = held_by[static_cast<std::size_t>(thread * h.registers + r)];
        if (x < 0) continue;
        int const to = broadcast(extents, sums, x);
        bool there = false;
        for (int k = 0; k < results; ++k) {
          std::size_t const here =
              static_cast<std::size_t>((group * t.size + thread) * results + k);
          if (place[here] != to) continue;
          there = true;
          T last = wanted[static_cast<std::size_t>(to)];
          if (how == fold::accumulate) last = static_cast<T>(op(start, last));
          wrong += !same(found[here], last);
        }
        wrong += !there;
      }
  }
  return report(number_of_case, wrong);
}

struct sum {
  template <class A, class B> __host__ __device__ auto operator()(A a, B b) const { return a + b; }
};
struct largest {
  template <class A, class B> __host__ __device__ auto operator()(A a, B b) const {
    return a < b ? b : a;
  }
};
/// Folds the registers of each thread into a fragment that may have several registers for a result.
template <class F, class To, int First, int... Dims, class Op>
__device__ void spread(Op op, typename F::value_type const* in,
                       typename To::value_type const* start, typename To::value_type* out) {
  int const thread = this_thread<First>();
  if (thread < 0) return;
  F x;
  To y;
  fetch(x, in, thread);
  fetch(y, start, thread);
  axe::accumulate_registers<Dims...>(op, x, y);
  put(y, out, thread);
}
template <class T, class Result, class Op, class Launch>
bool check_spread(int number_of_case, held const& h, std::vector<int> const& extents,
                  std::vector<int> const& sums, held const& to, std::vector<int> const& of_to,
                  threads const& t, Op const& op, Launch const& launch) {
  auto const value = [](int x, int group) { return small(x + 1000 * group); };
  buffer<T> const in(
      registers_of<T>(h, t, [&](int x, int group) { return from_int<T>(value(x, group)); }));
  std::size_t const registers = static_cast<std::size_t>(t.size * t.groups * to.registers);
  std::vector<Result> wanted;
  for (std::size_t k = 0; k < registers; ++k)
    wanted.push_back(from_int<Result>(small(static_cast<int>(k) + 3)));
  buffer<Result> const start(wanted), out((std::vector<Result>(registers)));
  launch(in.data, start.data, out.data);
  std::vector<int> const here = elements(h, t.size), there = elements(to, t.size);
  std::vector<Result> const found = out.values();
  int wrong = 0;
  for (std::size_t k = 0; k < registers; ++k) {
    std::size_t const thread = k / static_cast<std::size_t>(to.registers);
    int const y = there[k % there.size()], group = static_cast<int>(k / there.size());
    if (y < 0) continue;
    std::vector<int> at = coordinates(of_to, y);
    for (std::size_t d = 0; d < at.size(); ++d)
      if (sums[d] == 1) at[d] = 0;
    std::vector<bool> folded(static_cast<std::size_t>(product(h.digits)), false);
    for (int r = 0; r < h.registers; ++r) {
      std::size_t const from = thread * static_cast<std::size_t>(h.registers);
      int const x = here[(from + static_cast<std::size_t>(r)) % here.size()];
      if (x < 0 || folded[static_cast<std::size_t>(x)]) continue;
      if (broadcast(extents, sums, x) != number(sums, at)) continue;
      folded[static_cast<std::size_t>(x)] = true;
      wanted[k] = static_cast<Result>(op(wanted[k], from_int<T>(value(x, group))));
    }
    wrong += !same(found[k], wanted[k]);
  }
  return report(number_of_case, wrong);
}

/// The weights of the second of two blocks, and for each row 1 / sum and the log-sum-exp of both.
template <class F, int First, int Size, int Groups, int Begin, class Scope>
__device__ void softmaxed(float const* in, float* weights, float* rows, int* at, Scope scope) {
  int const thread = this_thread<First>();
  if (thread < 0) return;
  axe::online_softmax<F> softmax(0.5f);
  F s;
  fetch(s, in, thread);
  softmax.weigh(s, scope);
  fetch(s, in + Size * Groups * F::size, thread);
  softmax.weigh(s, scope);
  put(s, weights, thread);
  auto const inverse = softmax.finish(scope);
  using of_rows = typename axe::online_softmax<F>::rows;
  for (int r = 0; r < of_rows::size; ++r) {
    int const k = thread * of_rows::size + r;
    rows[2 * k] = inverse[r];
    rows[2 * k + 1] = softmax.sum[r];
    at[k] = element_number<of_rows>(static_cast<unsigned>(thread % Size + Begin), r,
                                    axe::detail::indices_to<of_rows::partition_type::rank>{});
  }
}
template <class Launch>
bool check_softmax(int number_of_case, held const& h, std::vector<int> const& extents, int results,
                   threads const& t, Launch const& launch) {
  auto const score = [](int block, int x, int group) {
    return static_cast<float>(small(x + 1000 * group + 7000 * block)) * 3;
  };
  std::vector<float> both;
  for (int block : {0, 1})
    for (float v :
         registers_of<float>(h, t, [&](int x, int group) { return score(block, x, group); }))
      both.push_back(v);
  std::size_t const all = static_cast<std::size_t>(t.size * t.groups);
  buffer<float> const in(both), weights(std::vector<float>(both.size() / 2)),
      rows(std::vector<float>(all * static_cast<std::size_t>(2 * results)));
  buffer<int> const at(std::vector<int>(all * static_cast<std::size_t>(results), -1));
  launch(in.data, weights.data, rows.data, at.data);
  std::vector<float> const weight = weights.values(), of_rows = rows.values();
  std::vector<int> const place = at.values(), here = elements(h, t.size);
  auto const differ = [](double a, double b) {
    return !(std::abs(a - b) <= 1e-4 * (1 + std::abs(b)));
  };
  int wrong = 0;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    int const x = here[k % here.size()], group = static_cast<int>(k / here.size());
    if (x < 0) continue;
    int const columns = extents[1], row = x / columns;
    double largest = -1e30, total = 0;
    for (int block : {0, 1})
      for (int j = 0; j < columns; ++j)
        largest =
            std::fmax(largest, 0.5 * static_cast<double>(score(block, row * columns + j, group)));
    for (int block : {0, 1})
      for (int j = 0; j < columns; ++j)
        total +=
            std::exp2(0.5 * static_cast<double>(score(block, row * columns + j, group)) - largest);
    wrong += differ(static_cast<double>(weight[k]),
                    std::exp2(0.5 * static_cast<double>(score(1, x, group)) - largest));
    bool found = false;
    std::size_t const thread = k / static_cast<std::size_t>(h.registers);
    for (std::size_t r = 0; r < static_cast<std::size_t>(results); ++r) {
      std::size_t const of = thread * static_cast<std::size_t>(results) + r;
      if (place[of] != row) continue;
      found = true;
      wrong += differ(static_cast<double>(of_rows[2 * of]), 1 / total) ||
               differ(static_cast<double>(of_rows[2 * of + 1]),
                      0.693147180559945 * (largest + std::log2(total)));
    }
    wrong += !found;
  }
  return report(number_of_case, wrong);
}

/// C += A * B from the registers of all threads.
template <class A, class B, class C, int First>
__device__ void multiplied(typename A::value_type const* in_a, typename B::value_type const* in_b,
                           typename C::value_type const* in_c, typename C::value_type* out,
                           bool accumulate) {
  int const thread = this_thread<First>();
  if (thread < 0) return;
  A a;
  B b;
  C c;
  fetch(a, in_a, thread);
  fetch(b, in_b, thread);
  fetch(c, in_c, thread);
  if (accumulate)
    axe::mma(c, a, b);
  else
    axe::mma(c, a, b, false);
  put(c, out, thread);
}
template <class A, class B, class C, class Launch>
bool check_product(int number_of_case, int n, int k, held const& a, held const& b, held const& c,
                   threads const& t, bool accumulate, Launch const& launch) {
  auto const value = [](int x, int group) { return small(x + 1000 * group) % 4; };
  buffer<A> const in_a(
      registers_of<A>(a, t, [&](int x, int group) { return from_int<A>(value(x, group)); }));
  buffer<B> const in_b(
      registers_of<B>(b, t, [&](int x, int group) { return from_int<B>(value(x + 7, group)); }));
  buffer<C> const in_c(
      registers_of<C>(c, t, [&](int x, int group) { return from_int<C>(value(x + 5, group)); }));
  buffer<C> const out((std::vector<C>(in_c.size)));
  launch(in_a.data, in_b.data, in_c.data, out.data);
  int const wrong = differences(out.values(), c, t, [&](int x, int group) {
    int sum = accumulate ? value(x + 5, group) : 0;
    for (int j = 0; j < k; ++j)
      sum += value(x / n * k + j, group) * value(j * n + x % n + 7, group);
    return from_int<C>(sum);
  });
  return report(number_of_case, wrong);
}

/// Stores a fragment to tile (I, J) of a tile of shape Whole in shared memory, writes the elements
/// out, and loads them again.
template <class F, class L, class Whole, int I, int J, int First, int Size, int Groups, class Scope>
__device__ void staged(typename F::value_type const* in, typename F::value_type* tiles,
                       typename F::value_type* out, Scope scope) {
  using T = typename F::value_type;
  using S = typename F::shape_type;
  __shared__ axe::shared_tile<T, L, Whole> staged[Groups];
  int const thread = this_thread<First>();
  if (thread < 0) return;
  constexpr int rows = static_cast<int>(S::value.extent(0)),
                columns = static_cast<int>(S::value.extent(1));
  auto& whole = staged[thread / Size];
  unsigned const i = I + threadIdx.y, j = J + threadIdx.y;
  auto const tile = axe::tile<rows, columns>(whole, i, j);
  F from, to;
  fetch(from, in, thread);
  axe::copy<axe::allow_slow>(from, tile, scope);
  axe::sync(scope);
  for (int x = thread % Size; x < rows * columns; x += Size)
    tiles[thread / Size * rows * columns + x] =
        whole(rows * i + static_cast<unsigned>(x / columns),
              columns * j + static_cast<unsigned>(x % columns));
  axe::copy<axe::allow_slow>(tile, to, scope);
  put(to, out, thread);
}
template <class T, class Launch>
bool check_staging(int number_of_case, held const& h, threads const& t, Launch const& launch) {
  auto const value = [](int x, int group) { return pattern<T>(x + 5000 * group); };
  buffer<T> const in(registers_of<T>(h, t, value));
  int const all = product(h.digits);
  buffer<T> const tiles(std::vector<T>(static_cast<std::size_t>(all * t.groups)));
  buffer<T> const out((std::vector<T>(in.size)));
  launch(in.data, tiles.data, out.data);
  int wrong = differences(out.values(), h, t, value);
  std::vector<T> const found = tiles.values();
  for (std::size_t k = 0; k < found.size(); ++k)
    wrong += !same(found[k], value(static_cast<int>(k) % all, static_cast<int>(k) / all));
  return report(number_of_case, wrong);
}

/// for_each passes the coordinates of each element. G has the same elements in other registers.
template <class F, class G, int First, class Scope>
__device__ void numbered(int* out, Scope scope) {
  int const thread = this_thread<First>();
  if (thread < 0) return;
  F f;
  axe::for_each(f, scope, [](int& x, auto... at) {
    x = 0;
    ((x = 1000 * x + static_cast<int>(static_cast<unsigned>(at()))), ...);
  });
  put(axe::reinterpret<typename G::layout_type>(f), out, thread);
}
template <class Launch>
bool check_numbers(int number_of_case, held const& h, std::vector<int> const& extents,
                   threads const& t, Launch const& launch) {
  buffer<int> const out(
      std::vector<int>(static_cast<std::size_t>(t.size * t.groups * h.registers)));
  launch(out.data);
  int const wrong = differences(out.values(), h, t, [&](int x, int) {
    int wanted = 0;
    for (int const c : coordinates(extents, x)) wanted = 1000 * wanted + c;
    return wanted;
  });
  return report(number_of_case, wrong);
}

}  // namespace fragments
