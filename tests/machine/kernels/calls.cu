// Functions that are called: recursion, pointers to functions, 128-bit division, sine of large
// arguments, printf.
#include <cstdio>

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void recursion(int* out) {
  out[threadIdx.x] = fibonacci(static_cast<int>(threadIdx.x) % 12);
}

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negate(int x) { return -x; }
using function = int (*)(int);
__device__ function const functions[3] = {twice, square, negate};

extern "C" __global__ void through_pointers(int* out, int const* which) {
  out[threadIdx.x] = functions[which[threadIdx.x]](static_cast<int>(threadIdx.x));
}

extern "C" __global__ void divide(unsigned long long* out, unsigned long long const* in) {
  unsigned const i = threadIdx.x;
  unsigned __int128 const a = static_cast<unsigned __int128>(in[4 * i]) << 64 | in[4 * i + 1];
  unsigned __int128 const b = static_cast<unsigned __int128>(in[4 * i + 2]) << 64 | in[4 * i + 3];
  unsigned __int128 const quotient = a / b;
  unsigned __int128 const remainder = a % b;
  out[6 * i] = static_cast<unsigned long long>(quotient >> 64);
  out[6 * i + 1] = static_cast<unsigned long long>(quotient);
  out[6 * i + 2] = static_cast<unsigned long long>(remainder >> 64);
  out[6 * i + 3] = static_cast<unsigned long long>(remainder);
  out[6 * i + 4] = in[4 * i + 1] / (in[4 * i + 3] | 1u);
  out[6 * i + 5] = static_cast<unsigned long long>(static_cast<long long>(in[4 * i]) %
                                                   static_cast<long long>(in[4 * i + 3] | 1u));
}

extern "C" __global__ void functions_of_float(float* out, float const* in, double* wide) {
  unsigned const i = threadIdx.x;
  float const x = in[i];
  out[4 * i] = sinf(x);
  out[4 * i + 1] = expf(x * 0.00001f);
  out[4 * i + 2] = powf(fabsf(x), 0.25f);
  out[4 * i + 3] = x / 3.0f;
  wide[2 * i] = cos(static_cast<double>(x));
  wide[2 * i + 1] = log(fabs(static_cast<double>(x)) + 1.0);
}

extern "C" __global__ void prints(int n) {
  if (threadIdx.x < 2)
    printf("thread %d of %d: %5.2f|%-6s|%08x|%lld %c%%\n", static_cast<int>(threadIdx.x), n,
           1.5 * threadIdx.x, "text", 0xbeefu + threadIdx.x, -5'000'000'000ll, 'x');
}
