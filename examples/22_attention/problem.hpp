// An attention problem: sequences of random queries, keys and values, and a check against double.
//
//     attention_problem problem(p, 128);
//     problem.check("causal", true, [&](bf16* outputs, float* logarithms) { … launch … });
//
// Lengths decrease from sequence to sequence. Every third sequence has no keys.
#pragma once

#include "tensors.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using example::integer;

/// The first token of each sequence. The last entry is the number of all tokens.
struct lengths {
  std::vector<unsigned> begins{0};
  void add(integer n) { begins.push_back(begins.back() + static_cast<unsigned>(n)); }
  integer total() const { return begins.back(); }
  integer of(std::size_t sequence) const { return begins[sequence + 1] - begins[sequence]; }
};

struct attention_problem {
  example::problem& p;
  integer batch, heads_q, heads_kv, most_queries, dimension;
  lengths queries, keys;
  example::array<bf16> q, k, v;
  example::array<unsigned> first_query, first_key;

  attention_problem(example::problem& p_, integer dimension_)
      : p(p_),
        batch(p.size<5>()[0]),
        heads_q(p.size<5>()[1]),
        heads_kv(p.size<5>()[2]),
        most_queries(p.size<5>()[3]),
        dimension(dimension_),
        queries(shrinking(most_queries, false)),
        keys(shrinking(p.size<5>()[4], true)),
        // Half of the queries have large scores, so that the largest score grows from block to
        // block. The other half spreads its weight over many keys.
        q(p.filled<bf16>({queries.total(), heads_q, dimension},
                         [&, spread = example::normal<float>(queries.total() * heads_q * dimension,
                                                             1)](integer n) {
                           return bf16(spread[static_cast<std::size_t>(n)] *
                                       (n / dimension / heads_q % 2 == 0 ? 24.0f : 2.0f));
                         })),
        k(p.normal<bf16>({std::max(keys.total(), integer{1}), heads_kv, dimension})),
        v(p.normal<bf16>({std::max(keys.total(), integer{1}), heads_kv, dimension})),
        first_query({batch + 1}, queries.begins),
        first_key({batch + 1}, keys.begins) {}

  /// The lengths of the sequences of the batch. The first is n, and they decrease. With some_empty,
  /// every third length is 0, and the others are more than n / 2.
  lengths shrinking(integer n, bool some_empty) const {
    integer const parts = some_empty ? 2 * batch : batch;
    lengths all;
    for (integer b = 0; b < batch; ++b) all.add(some_empty && b % 3 == 2 ? 0 : n - b * n / parts);
    return all;
  }
  sequences begins() const { return {first_query.data(), first_key.data()}; }
  /// The scale of the scores. It contains log2(e), because the kernels compute powers of two.
  float scale() const {
    return static_cast<float>(std::log2(std::exp(1.0)) / std::sqrt(static_cast<double>(dimension)));
  }
  /// The number of keys that query `i` of a sequence may use.
  integer used(std::size_t sequence, integer i, bool causal) const {
    integer const n = keys.of(sequence);
    return causal ? std::clamp(i + 1 + n - queries.of(sequence), integer{0}, n) : n;
  }
  /// Checks a kernel. attend(o, l) writes the outputs (tokens, heads, dimension) and the logarithms
  /// (heads, tokens).
  template <class Attend> void check(char const* name, bool causal, Attend const& attend);
};

namespace detail {

/// The outputs of one query and head. compute() does nothing if query and head have not changed.
struct one_query {
  attention_problem const& problem;
  bool causal;
  integer query = -1, number_of_head = -1;
  std::vector<double> out{};
  double logarithm = 0;

  void compute(integer token, integer head) {
    if (token == query && head == number_of_head) return;
    query = token, number_of_head = head;
    auto const& begins = problem.queries.begins;
    auto const sequence = static_cast<std::size_t>(
        std::upper_bound(begins.begin(), begins.end(), static_cast<unsigned>(token)) -
        begins.begin() - 1);
    integer const d = problem.dimension,
                  used = problem.used(sequence, token - begins[sequence], causal);
    integer const kv = head / (problem.heads_q / problem.heads_kv);
    auto const row = [&](integer key) {
      return ((problem.keys.begins[sequence] + key) * problem.heads_kv + kv) * d;
    };
    std::vector<double> scores;
    double largest = -INFINITY, sum = 0;
    for (integer j = 0; j < used; ++j) {
      double score = 0;
      for (integer e = 0; e < d; ++e)
        score += example::number(problem.q[(token * problem.heads_q + head) * d + e]) *
                 example::number(problem.k[row(j) + e]);
      scores.push_back(score / std::sqrt(static_cast<double>(d)));
      largest = std::max(largest, scores.back());
    }
    out.assign(static_cast<std::size_t>(d), 0);
    for (double const score : scores) sum += std::exp(score - largest);
    for (integer j = 0; j < used; ++j)
      for (integer e = 0; e < d; ++e)
        out[static_cast<std::size_t>(e)] +=
            std::exp(scores[static_cast<std::size_t>(j)] - largest) / sum *
            example::number(problem.v[row(j) + e]);
    logarithm = used > 0 ? largest + std::log(sum) : -INFINITY;
  }
};

}  // namespace detail

template <class Attend>
void attention_problem::check(char const* name, bool causal, Attend const& attend) {
  auto const o = p.poisoned<bf16>(q.shape);
  auto const l = p.poisoned<float>({heads_q, queries.total()});
  attend(o.data(), l.data());
  detail::one_query expected{*this, causal};
  integer const most_keys = p.size<5>()[4];
  // The tolerance allows for weights and results that are rounded to bf16.
  p.expect(
      name, o,
      [&](integer at) {
        expected.compute(at / dimension / heads_q, at / dimension % heads_q);
        return static_cast<float>(expected.out[static_cast<std::size_t>(at % dimension)]);
      },
      {.relative = 1.0 / 128, .absolute = 1.0 / 128}, most_keys);
  p.expect(
      "logarithms", l,
      [&](integer at) {
        expected.compute(at % queries.total(), at / queries.total());
        return static_cast<float>(expected.logarithm);
      },
      {.relative = 1e-5, .absolute = 1e-5}, dimension * most_keys);
  double pairs = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch); ++b)
    for (integer i = 0; i < queries.of(b); ++i) pairs += static_cast<double>(used(b, i, causal));
  example::measure(p, name, {.operations = 4.0 * static_cast<double>(dimension * heads_q) * pairs},
                   [&] { attend(o.data(), l.data()); });
}
