// Decoding with a paged cache. A split is a range of the pages of a sequence. A warp computes one
// split for all queries that share a head of the cache, and keeps two pages in flight. For each
// query it writes its result and the logarithm of the sum of its weights. combine() combines the
// splits.
#pragma once

#include "pages.cuh"

inline constexpr float lowest = -1e30f;

template <class Cache> __device__ void decode(Cache const& from, decoding const& arguments) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  auto& ring = reinterpret_cast<stage(*)[stages]>(bytes)[axe::warp_id()];
  unsigned const head = axe::block_x(), sequence = axe::block_z(),
                 unit = sequence * gridDim.x + head;
  unsigned const split = warps * axe::block_y() + axe::warp_id(),
                 first = split * arguments.pages_per_split;
  unsigned const keys = arguments.keys(sequence),
                 last = min(first + arguments.pages_per_split, (keys + 15) / 16);
  if (first >= last) return;
  auto const fill = [&](unsigned p) {
    unsigned const k = (p - first) % stages;
    if (p < last) from.fill(ring[k], k, arguments.pages(sequence, p), head);
    from.commit();
  };
  fill(first);
  fill(first + 1);

  rows<bf16 const> const queries{arguments.queries + 128 * arguments.group * unit, arguments.group};
  axe::fragment<bf16, a_lanes<128>, axe::extents<16, 128>> q;
  axe::copy<axe::zero_fill>(axe::tile<16, 128>(queries, 0, 0), q, axe::warp);
  by_query<float, 16> score, total;
  by_query<bf16, 16> weight;
  by_query<float, 128> sum;
  axe::reduced<decltype(score), 1> largest, new_largest, factor;
  total.fill(0);
  sum.fill(0);
  largest.fill(float{lowest});
  axe::pipeline_state<stages> at;
#pragma unroll 1
  for (unsigned p = first; p < last; ++p, at.advance()) {
    from.wait(at);
    fill(p + 2);
    auto const& page = ring[at.stage];
    axe::mma(score, q, axe::load<b_lanes<128, 16>>(axe::transposed(page.keys), axe::warp), false);
    auto values = axe::load<b_lanes<16, 128>>(page.values, axe::warp);
    unsigned const left = keys - 16 * p;
    if (left < 16) {  // unused rows may hold NaN, and 0 * NaN is not 0
      axe::for_each(score, axe::warp, [=](auto& x, auto, auto k) { x = k < left ? x : lowest; });
      axe::for_each(values, axe::warp, [=](auto& x, auto k, auto) { x = k < left ? x : bf16(0); });
    }
    axe::reduce<1>(axe::maximum{}, score, new_largest, axe::warp);
    axe::elementwise([&](float m, float x) { return fmaxf(m, arguments.scale * x); }, new_largest,
                     largest, new_largest);
    axe::elementwise([](float m, float s) { return __expf(m - s); }, factor, largest, new_largest);
    largest = new_largest;
    axe::elementwise([&](float x, float m) { return __expf(x * arguments.scale - m); }, score,
                     score, new_largest);
    axe::elementwise([](auto t, auto x, auto f) { return t * f + x; }, total, total, score, factor);
    axe::elementwise([](float x, float f) { return x * f; }, sum, sum, factor);
    axe::cast(score, weight);
    axe::mma(sum, axe::reinterpret<a_lanes<16>>(weight), values);
  }
  axe::reduced<decltype(score), 1> weights;
  axe::reduce<1>(axe::plus{}, total, weights, axe::warp);
  axe::elementwise([](float x, float w) { return x / w; }, sum, sum, weights);
  axe::elementwise([](float m, float w) { return m + __logf(w); }, largest, largest, weights);
  unsigned const row = arguments.group * (split * gridDim.x * gridDim.z + unit);
  axe::tensor<float, axe::row_major<2>> const logs{arguments.logs + row, arguments.group, 1};
  axe::copy(sum,
            axe::tile<16, 128>(rows<float>{arguments.results + 128 * row, arguments.group}, 0, 0),
            axe::warp);
  axe::copy(largest, axe::tile<16, 1>(logs, 0, 0), axe::warp);
}
