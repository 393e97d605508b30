// Attention for sm_90a, in the structure of FlashAttention-3. A CTA has 128 queries of a head. One
// thread loads keys and values by TMA, in blocks of 128, the last block first. Each of two
// warpgroups computes 64 queries. It computes the softmax of one block of keys while the tensor
// cores multiply the weights and values of the block that it processed before.
#pragma once

#include "hopper_load.cuh"

template <int D, bool Causal>
__global__ void __launch_bounds__(384, 1)
    hopper_attention(__grid_constant__ hopper_inputs<D> const in, heads<bf16, D> O, logarithms L) {
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<hopper_memory<D>*>(memory);
  __shared__ axe::pipeline_storage<4> stages;
  axe::pipeline<4> const ring(stages);
  auto const [n_sequence, head, block] = axe::block<3>();
  sequence const tokens(in.begins, n_sequence());
  unsigned const begin = tokens.first + 128 * block();
  if (begin >= tokens.end) return;
  unsigned const blocks = (tokens.keys_of<Causal>(begin + 127) + 127) / 128;
  if (axe::thread_id() == 0) ring.init(2);
  __syncthreads();
  if (axe::thread_id() < 128) {
    axe::decrease_registers<24>();
    if (axe::thread_id() == 0 && blocks > 0) load(in, shared, ring, tokens, begin, head(), blocks);
    return;
  }
  axe::increase_registers<240>();
  auto const half = axe::uniform_warpgroup_id<384, 128>();
  auto const queries = axe::tile<64, D>(shared.queries, half, 0);
  auto const warp = axe::below<8>(axe::warp_id() - 4);
  // All queries of the block may use the first `whole` keys.
  unsigned const row = begin + 64 * half(), whole = tokens.keys_of<Causal>(begin);
  accumulator<float, D> o;
  accumulator<float, 128> s;
  accumulator<bf16, 128> p;
  axe::online_softmax<decltype(s)> softmax(in.scale);
  o.fill(0);
  auto const weigh = [&](unsigned n) {
    if (128 * n + 128 > whole)
      tokens.mask<Causal>(s, row, tokens.first_key + 128 * n, axe::warpgroup);
    return softmax.weigh(s, axe::warpgroup);
  };
  stage at;
  if (blocks > 0) {
    stage keys = ring.wait_and_advance(at);
    axe::mma_async(s, queries, axe::transposed(shared.stages[keys.stage]), false);
    axe::wgmma_wait<0>(s);
    ring.release(keys, axe::warpgroup);
    weigh(blocks - 1);
    axe::cast(s, p);
    for (unsigned n = blocks - 1; n-- > 0;) {
      keys = ring.wait_and_advance(at);
      axe::mma_async(s, queries, axe::transposed(shared.stages[keys.stage]), false);
      stage const values = ring.wait_and_advance(at);
      axe::mma_async(o, p, shared.stages[values.stage]);
      axe::wgmma_wait<1>(s);
      ring.release(keys, axe::warpgroup);
      auto const factor = weigh(n);
      axe::wgmma_wait<0>(o, p);
      ring.release(values, axe::warpgroup);
      axe::elementwise(axe::times{}, o, o, factor);
      axe::cast(s, p);
    }
    axe::mma_async(o, p, shared.stages[ring.wait_and_advance(at).stage]);
    axe::wgmma_wait<0>(o, p);
  }
  axe::elementwise(axe::times{}, o, o, softmax.finish(axe::warpgroup));
  accumulator<bf16, D> out;
  axe::cast(o, out);
  axe::copy(out, queries, axe::warpgroup);
  axe::sync(axe::warp);
  auto const column = axe::constant<D>{} * head;
  auto const to = axe::tile_at<16, D>(until(O, tokens.end), begin + 16 * warp(), column);
  axe::copy(axe::tile<16, D>(shared.queries, warp, 0), to, axe::warp);
  logarithms const all{L.data, tokens.end, axe::extent<1>(L), axe::stride<1>(L)};
  axe::copy(softmax.sum, axe::tile_at<64, 1>(all, row, head), axe::warpgroup);
}
