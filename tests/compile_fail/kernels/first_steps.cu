// Mistakes in a first kernel and its launch. The code before the cases shows the correct calls.
#include "setup.hpp"

using second_warp = axe::carrier<"S[32:1@tid] + 32@tid"_axe>;
/// Dimension 0 has two digits.
using row_pairs =
    axe::tensor<float const,
                axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(1)>,
                                                   axe::digit<axe::dynamic(2), axe::dynamic(3)>>,
                                    axe::dimension<axe::digit<axe::dynamic(4), 1>>>>;
struct host_matrix {
  float* data;
  int rows, columns;
};

__global__ void first(input in, output out, half_input halves, aligned_input wide, bytes_of bytes,
                      row_pairs pairs, host_matrix on_host, int row, float scale) {
  __shared__ axe::shared_tile<float, square> staged;
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
  axe::pipeline_state<3> at;
#if !MISTAKE
  axe::copy(axe::tile<32, 32>(in, row, 0), staged, axe::cta<256>);
  axe::copy(axe::tile_at<32, 32>(pairs, 5u, 0u), staged, axe::cta<256>);
  axe::copy(axe::tile_at<32, 32>(in, row, 0), held, axe::cta<256>);
  if (axe::thread_scope<second_warp>::holds(threadIdx.x))
    axe::sync(axe::thread_scope<second_warp>{});
  axe::copy(axe::tile_at<32, 32>(in, axe::constant<8>{} * axe::any_signed(row), 0), held,
            axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::sync(axe::warp);
  axe::sync(axe::thread_scope<axe::carrier<"S[16:1@lane] + 16@lane"_axe>>{});
  static_assert((axe::axes::warp < axe::axes::lane) != (axe::axes::lane < axe::axes::warp));
  static_assert(axe::axes::warp == axe::axis::warp && axe::axes::lane != axe::axis::warp);
  if (axe::lane_id() == 0 && axe::warp_id() < 8) staged(row, 0) = in(row, 1) * scale;
  axe::for_each_register<8>([&](auto r) {
    if (r < axe::warp_id<256>()) staged(axe::constant<4>{} * r + axe::constant<3>{} - r, 0) = 0;
    if (r % 2 == 0 && r < row) staged(4 * r + 1, r) = scale;
  });
  axe::for_each_register<8>([&](int r) { staged(r, 0) = 1; });
#endif
  at.advance();
  (void)out, (void)halves, (void)wide, (void)bytes, (void)on_host;

#if MISTAKE == 1  // a coordinate is an integer
  out(scale, 0) = 1;
#elif MISTAKE == 2   // a coordinate is an integer
  staged(0, scale) = 1;
#elif MISTAKE == 3   // expected an expression
  axe::copy(axe::tile<32, 32>(in, 0, 0), staged, axe::warp<8>);
#elif MISTAKE == 4   // no instance of function template "axe::.*sync"
  axe::sync(axe::block);
#elif MISTAKE == 5   // a fragment needs a static layout, written as a type
  axe::fragment<float, axe::extents<32, 32>, by_threads> wrong;
  wrong.fill(0);
#elif MISTAKE == 6   // expected a type specifier
  axe::sync(axe::thread_scope<256>{});
#elif MISTAKE == 7   // a pipeline_state moves to the next stage by at.advance\(\)
  at++;
#elif MISTAKE == 8   // a pipeline_state moves to the next stage by at.advance\(\)
  ++at;
#elif MISTAKE == 9   // a signed origin needs a dimension of one digit
  axe::copy(axe::tile_at<32, 32>(pairs, row, 0), staged, axe::cta<256>);
#elif MISTAKE == 10  // takes a tensor or a tile of shared memory as x
  axe::copy(axe::tile<32, 32>(on_host, row, 0), staged, axe::cta<256>);
#elif MISTAKE == 11  // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile(staged, 0, 0), axe::tile<16, 16>(out, 0, 0), axe::cta<256>);
#elif MISTAKE == 12  // got \{0 extents\} and \{1 coordinates\}, but it needs
  __shared__ axe::shared_tile<float, square> ring[3];
  auto const part = axe::tile<16>(ring, 0);
#elif MISTAKE == 13  // identifier "column" is undefined
  staged(row, column) = out(row, column);
#elif MISTAKE == 19  // axe::warp takes no number
  static_cast<void>(axe::warp < 8);
#elif MISTAKE == 21  // each extent of a tile must be at least 1
  axe::copy(axe::tile<0, 32>(in, row, 0), staged, axe::cta<256>);
#elif MISTAKE == 22  // each extent of a tile must be at least 1
  axe::copy(axe::tile_at<32, -32>(in, row, 0), staged, axe::cta<256>);
#elif MISTAKE == 32  // each extent of a tile must be at least 1
  axe::copy(axe::tile<0, 32>(staged, 0, 0), axe::tile<32, 32>(out, row, 0), axe::cta<256>);
#elif MISTAKE == 23  // a pipeline_state moves to the next stage by at.advance\(\)
  at += 1;
#elif MISTAKE == 24  // a warp has the lanes 0 to 31
  axe::sync(axe::thread_scope<axe::carrier<"S[64:1@lane]"_axe>>{});
#elif MISTAKE == 25  // a constant multiplies only a part
  axe::copy(axe::tile_at<32, 32>(in, axe::constant<8>{} * row, 0), staged, axe::cta<256>);
#elif MISTAKE == 20  // only a thread_scope takes the number of a barrier
  axe::sync<1>(axe::cta<256>);
#elif MISTAKE == 27  // an axis is not a number: kernels call axe::lane_id()
  if (axe::axes::lane == 0) out(0, 0) = 1;
#elif MISTAKE == 28  // an axis is not a number: kernels call axe::lane_id()
  if (axe::axes::tid < 32) out(0, 0) = 1;
#elif MISTAKE == 29  // an axis is not a number: kernels call axe::lane_id()
  if (0 != axe::axes::warp) out(0, 0) = 1;
#elif MISTAKE == 30  // and the number of a warp is axe::warp_id\(\)
  if (axe::warp < 8) out(0, 0) = 1;
#elif MISTAKE == 26  // a coordinate is an integer of at most 32 bits
  axe::copy(axe::tile_at<32, 32>(in, row, 0.5), staged, axe::cta<256>);
#endif
}
__global__ void by_reference(input const& in) { (void)in; }
__global__ void by_value(input const in) { (void)in; }

void host(float* data) {
  input const in(data, 64, 64);
  output const out(data, 64, 64);
  half_input const halves(nullptr, 64, 64);
  aligned_input const wide(data, 64, 64);
  bytes_of const bytes(nullptr, 64, 64);
  row_pairs const pairs(data, 8, 512, 8, 64, 64);
  axe::launch(first, axe::grid_of<32, 32>(64, 64), axe::cta<256>, in, out, halves, wide, bytes,
              pairs, host_matrix{data, 64, 64}, 0, 1.0f);
  axe::launch(first, {2, 2}, axe::cta<256>, in, out, halves, wide, bytes, pairs,
              host_matrix{data, 64, 64}, 0, 1.0f);
  axe::launch(by_value, 2, axe::cta<32>, in);
#if MISTAKE == 14  // launch takes one argument, without braces, for each parameter of the kernel
  axe::launch(first, dim3(2, 2), axe::cta<256>, in, out, halves, wide, bytes, pairs, 0, 1.0f);
#elif MISTAKE == 33  // for another stream write kernel<<<grid, 256, 0, stream>>>
  cudaStream_t stream = nullptr;
  axe::launch(by_value, 2, axe::cta<32>, stream, in);
#elif MISTAKE == 15  // launch takes the grid and then the threads of a block
  axe::launch(first, dim3(2, 2), axe::warp, in, out, halves, wide, bytes, pairs,
              host_matrix{data, 64, 64}, 0, 1.0f);
#elif MISTAKE == 16  // a kernel must take its parameters by value
  axe::launch(by_reference, dim3(2, 2), axe::cta<32>, in);
#elif MISTAKE == 17  // grid_of takes its sizes without braces
  dim3 const grid = axe::grid_of<32, 32>({64, 64});
#elif MISTAKE == 18  // identifier "output_of" is undefined
  axe::launch(first, dim3(2, 2), axe::cta<256>, in, output_of, halves, wide, bytes, pairs,
              host_matrix{data, 64, 64}, 0, 1.0f);
#endif
}
