// Loops whose lanes leave at different times, and a switch that becomes a table of branches.
extern "C" __global__ void collatz(int* steps, unsigned const* start) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = start[i];
  int count = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++count;
  }
  steps[i] = count;
}

extern "C" __global__ void choose(int* out, int const* in) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  switch (x) {
    case 0: x = out[i] + 17; break;
    case 1: x = out[i] * 3; break;
    case 2: x = out[i] ^ 0x55; break;
    case 3: x = out[i] >> 2; break;
    case 4: x = -out[i]; break;
    case 5: x = out[i] / 7; break;
    case 6: x = out[i] | 64; break;
    case 7: x = out[i] % 11; break;
    default: x = -1;
  }
  out[i] = x;
}
