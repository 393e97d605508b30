// One kernel for each conversion of a fragment: threads load registers, convert, and store them.
// permute_kernels_test.cpp runs them.
#include <axe/construct/literal.hpp>
#include <axe/cuda/permute.hpp>

using namespace axe::literals;

namespace {

/// Register r of thread t is in[t * size + r], and that of the result out[t * size + r].
template <class F> __device__ void fetch(F& f, typename F::value_type const* in) {
  axe::for_each_register<F::size>([&](auto r) { f[r] = in[threadIdx.x * F::size + r.value]; });
}
template <class F> __device__ void put(F const& f, typename F::value_type* out) {
  axe::for_each_register<F::size>([&](auto r) { out[threadIdx.x * F::size + r.value] = f[r]; });
}

template <class From, class To, class T, class Scope>
__device__ void converted(T const* in, T* out, Scope scope) {
  __shared__ axe::convert_scratch<From, To> scratch;
  From from;
  To to{};
  fetch(from, in);
  axe::convert(from, to, scratch, scope);
  put(to, out);
}

}  // namespace

#define AXE_CONVERT(NAME, T, ROWS, COLUMNS, FROM, TO, THREADS, SCOPE)               \
  extern "C" __global__ void NAME(T const* in, T* out) {                            \
    using tile = axe::extents<ROWS, COLUMNS>;                                       \
    converted<axe::fragment<T, axe::carrier<FROM##_axe>, tile>,                     \
              axe::fragment<T, axe::carrier<TO##_axe>, tile>>(in, out, axe::SCOPE); \
  }
// Here the scope is written in the call. `converted` passes it on as a function parameter.
#define AXE_PERMUTE(NAME, T, ROWS, COLUMNS, FROM, TO, THREADS, SCOPE)                          \
  extern "C" __global__ void NAME(T const* in, T* out) {                                       \
    using from_type = axe::fragment<T, axe::carrier<FROM##_axe>, axe::extents<ROWS, COLUMNS>>; \
    using to_type = axe::fragment<T, axe::carrier<TO##_axe>, axe::extents<COLUMNS, ROWS>>;     \
    from_type from;                                                                            \
    to_type to{};                                                                              \
    fetch(from, in);                                                                           \
    auto const turned = axe::permuted<1, 0>(from);                                             \
    __shared__ axe::convert_scratch<decltype(turned), to_type> scratch;                        \
    axe::convert(turned, to, scratch, axe::SCOPE);                                             \
    put(to, out);                                                                              \
  }
#include "permutations.def"
