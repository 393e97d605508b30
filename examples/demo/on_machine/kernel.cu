// Copies a 64x64 tile of 16-bit elements through shared memory: writes rows and reads columns, in
// pieces of 16 bytes. The address of each piece is computed at compile time from the layout.
//
//     nvcc -std=c++20 -arch=sm_90a -lineinfo -I ../../../include -ptx kernel.cu
//
// Transposes the pieces: piece (row, p) of `in` becomes piece (p, row) of `out`.
#include "layouts.hpp"

struct piece_table {
  unsigned short at[64][8];
};

template <class Layout> constexpr piece_table places_of_pieces() {
  piece_table made{};
  for (int row = 0; row < 64; ++row)
    for (int p = 0; p < 8; ++p)
      made.at[row][p] = static_cast<unsigned short>(
          2 * axe::places(Layout::value, {64, 64}, {row, 8 * p}).first()[axe::axis::m]);
  return made;
}

template <class Layout> __device__ constexpr piece_table pieces = places_of_pieces<Layout>();

template <class Layout> __device__ void transpose_pieces(uint4* out, uint4 const* in) {
  __shared__ __align__(1024) unsigned char tile[64 * 64 * 2];
  for (unsigned k = threadIdx.x; k < 512; k += blockDim.x)
    *reinterpret_cast<uint4*>(tile + pieces<Layout>.at[k / 8][k % 8]) = in[k];
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 512; k += blockDim.x)
    out[k] = *reinterpret_cast<uint4 const*>(tile + pieces<Layout>.at[k % 64][k / 64]);
}

extern "C" __global__ void transpose_plain(uint4* out, uint4 const* in) {
  transpose_pieces<axe::carrier<demo::plain>>(out, in);
}
extern "C" __global__ void transpose_swizzled(uint4* out, uint4 const* in) {
  transpose_pieces<axe::carrier<demo::swizzled>>(out, in);
}
