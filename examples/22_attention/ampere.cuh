// Attention for sm_80 and later, in the structure of FlashAttention-2. A CTA of four warps computes
// 128 queries of a head. cp.async loads keys and values in blocks of 64, the last block first. It
// loads the values while the scores are computed, and the next keys while the values are
// multiplied.
#pragma once

#include "ampere_tiles.cuh"

template <int D, bool Causal>
__global__ void __launch_bounds__(128)
    ampere_attention(heads<bf16 const, D> Q, heads<bf16 const, D> K, heads<bf16 const, D> V,
                     heads<bf16, D> O, logarithms L, sequences begins, float scale) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& shared = *reinterpret_cast<ampere_memory<D>*>(bytes);
  auto const [n_sequence, head, block] = axe::block<3>();
  sequence const tokens(begins, n_sequence());
  unsigned const begin = tokens.first + 128 * block();
  if (begin >= tokens.end) return;
  // All queries of the block may use the first `whole` keys.
  unsigned const whole = tokens.keys_of<Causal>(begin);
  unsigned const blocks = (tokens.keys_of<Causal>(begin + 127) + 63) / 64;
  auto const kv = axe::any(head() / (axe::extent<1>(Q) / axe::extent<1>(K)));
  auto const k = until(K, tokens.first_key + tokens.keys),
             v = until(V, tokens.first_key + tokens.keys);
  if (blocks > 0) {
    load<D>(until(Q, tokens.end), begin, head, shared.queries);
    load<D>(k, tokens.first_key + 64 * (blocks - 1), kv, shared.keys);
  }
  auto const warp = axe::warp_id<128>();
  unsigned const row = begin + 32 * warp();
  sums<float> o[D / 32];
  for (auto& part : o) part.fill(0);
  axe::online_softmax<scores> softmax(scale);
#pragma unroll 1
  for (unsigned n = blocks; n-- > 0;) {
    axe::async_wait<0>();
    axe::sync(axe::cta<128>);
    load<D>(v, tokens.first_key + 64 * n, kv, shared.values);
    scores s[4];
    for (auto& part : s) part.fill(0);
#pragma unroll
    for (int c = 0; c < D / 32; ++c) {
      auto const a = axe::load<query_lanes>(axe::tile<32, 32>(shared.queries, warp, c), axe::warp);
#pragma unroll
      for (int h = 0; h < 4; ++h) {
        auto const part = axe::transposed(axe::tile<16, 32>(shared.keys, h, c));
        axe::mma(s[h], a, axe::load<key_lanes>(part, axe::warp));
      }
    }
    if (64 * n + 64 > whole)
#pragma unroll
      for (unsigned h = 0; h < 4; ++h)
        tokens.mask<Causal>(s[h], row, tokens.first_key + 64 * n + 16 * h, axe::warp);
    axe::async_wait<0>();
    axe::sync(axe::cta<128>);
    auto const factor = softmax.weigh(s, axe::warp);
    weights p[4];
#pragma unroll
    for (int h = 0; h < 4; ++h) axe::cast(s[h], p[h]);
    if (n > 0) load<D>(k, tokens.first_key + 64 * (n - 1), kv, shared.keys);
    for (auto& part : o) axe::elementwise(axe::times{}, part, part, factor);
#pragma unroll
    for (int h = 0; h < 4; ++h)
#pragma unroll
      for (int c = 0; c < D / 32; ++c) {
        auto const part = axe::tile<16, 32>(shared.values, h, c);
        axe::mma(o[c], p[h], axe::load<value_lanes>(part, axe::warp));
      }
  }
  auto const inverse = softmax.finish(axe::warp);
  axe::for_each_register<D / 32>([&](auto c) {
    sums<bf16> part;
    axe::elementwise(axe::times{}, o[c.value], o[c.value], inverse);
    axe::cast(o[c.value], part);
    auto const to = axe::tile_at<32, 32>(until(O, tokens.end), row, column_of<D>(head, c.value));
    axe::copy(part, to, axe::warp);
  });
  logarithms const all{L.data, tokens.end, axe::extent<1>(L), axe::stride<1>(L)};
  axe::copy(softmax.sum, axe::tile_at<32, 1>(all, row, head), axe::warp);
}
