// Sequences of different lengths lie one after the other: Q and O are (tokens, heads * D), K and V
// (tokens, kv_heads * D). The logarithms of the sums of exponentials are (tokens, heads); the
// logarithms of one head are contiguous.
#pragma once

#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/online_softmax.hpp>

#include <cuda_bf16.h>

using bf16 = __nv_bfloat16;

inline constexpr axe::leaf count = axe::dynamic(0).below(1 << 30);
template <int D> inline constexpr axe::leaf width = axe::dynamic(1).multiple_of(D).below(1 << 30);
template <int D> struct sizes_of_heads {
  using rows = axe::dimension<axe::digit<count, width<D>>>;
  using type = axe::dynamic_layout<rows, axe::dimension<axe::digit<width<D>, 1>>>;
};
template <class T, int D>
using heads = axe::tensor<T, typename sizes_of_heads<D>::type, axe::aligned<16>>;
using logarithms = axe::tensor<float, axe::column_major<2>>;

/// The tensor without the tokens from `end` on.
template <class Heads> __device__ __forceinline__ Heads until(Heads const& all, unsigned end) {
  return {all.data, end, axe::extent<1>(all)};
}

/// The first token of each sequence, followed by the number of tokens.
struct sequences {
  unsigned const *queries, *keys;
};
/// The tokens of a sequence: queries [first, end), and `keys` keys.
struct sequence {
  unsigned first, end, first_key, keys;

  __device__ __forceinline__ sequence(sequences const& all, unsigned n)
      : first(all.queries[n]),
        end(all.queries[n + 1]),
        first_key(all.keys[n]),
        keys(all.keys[n + 1] - first_key) {}
  /// The number of keys that query `token` may use. With Causal, the last query may use all keys,
  /// and every other query one key less than the next query.
  template <bool Causal> __device__ __forceinline__ unsigned keys_of(unsigned token) const {
    if (!Causal || token >= end) return keys;
    return token + 1 + keys < end ? 0 : token + 1 + keys - end;
  }

  /// Masks the keys that a query may not use. s has the scores of the queries from token `row` on
  /// with the keys from token `key` on.
  template <bool Causal, class Scores, class Scope>
  __device__ __forceinline__ void mask(Scores& s, unsigned row, unsigned key, Scope scope) const {
    auto const first = axe::any(Causal ? key + end : key);
    auto const last = axe::any(first_key + keys + (Causal ? row : 0));
    axe::for_each(s, scope, [&](float& score, auto i, auto j) {
      if (Causal ? first + j > last + i : first + j >= last)
        score = axe::online_softmax<Scores>::masked();
    });
  }
};
