// C = A * B in f32, tile 64 x 64 x 16, 256 threads with 4 x 4 sums each; extents are multiples of
// the tile.
extern "C" __global__ void sgemm(float* c, float const* a, float const* b, int m, int n, int k) {
  __shared__ float sa[16][64 + 4], sb[16][64];
  int const x = static_cast<int>(threadIdx.x) % 16, y = static_cast<int>(threadIdx.x) / 16;
  int const row = static_cast<int>(blockIdx.y) * 64, column = static_cast<int>(blockIdx.x) * 64;
  float d[4][4] = {};
  for (int at = 0; at < k; at += 16) {
    for (int i = static_cast<int>(threadIdx.x); i < 64 * 16; i += 256) {
      sa[i % 16][i / 16] = a[(row + i / 16) * k + at + i % 16];
      sb[i / 64][i % 64] = b[(at + i / 64) * n + column + i % 64];
    }
    __syncthreads();
    for (int step = 0; step < 16; ++step)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) d[i][j] += sa[step][y * 4 + i] * sb[step][x * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (row + y * 4 + i < m) c[(row + y * 4 + i) * n + column + x * 4 + j] = d[i][j];
}
