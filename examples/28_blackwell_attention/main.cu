// Compares attention with a reference in double, without a mask and with a causal mask. Q is
// (batch, heads, queries, 128); K and V are (batch, kv_heads, keys, 128). Each head of K and V
// serves heads / kv_heads heads of Q.
#include "kernel.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using example::integer;

namespace {

using example::number;

/// The expected output, computed one row at a time, because a row needs all scores of its query.
struct reference {
  example::array<bf16> const& q;
  example::array<bf16> const& k;
  example::array<bf16> const& v;
  integer queries, keys, group;
  bool causal;
  integer row = -1;
  double out[128]{};

  float operator()(integer at) {
    if (at / 128 != row) compute(at / 128);
    return static_cast<float>(out[at % 128]);
  }
  void compute(integer of) {
    row = of;
    integer const kv = of / queries / group * keys;
    integer const used = causal ? std::min(keys, of % queries + 1 + keys - queries) : keys;
    std::vector<double> scores;
    double largest = -INFINITY, sum = 0;
    for (integer j = 0; j < used; ++j) {
      double score = 0;
      for (integer d = 0; d < 128; ++d)
        score += number(q[of * 128 + d]) * number(k[(kv + j) * 128 + d]);
      scores.push_back(score / std::sqrt(128.0));
      largest = std::max(largest, scores.back());
    }
    for (double& each : out) each = 0;
    for (double const score : scores) sum += std::exp(score - largest);
    for (integer j = 0; j < used; ++j)
      for (integer d = 0; d < 128; ++d)
        out[d] += std::exp(scores[static_cast<std::size_t>(j)] - largest) / sum *
                  number(v[(kv + j) * 128 + d]);
  }
};

mapped_heads mapped(example::array<bf16> const& of) {
  return axe::mapped_for<rows_of_head>(heads(of.data(), of.shape[0], of.shape[1], 128));
}

template <class Kernel>
void check(example::problem& p, char const* name, Kernel kernel, reference expected) {
  auto const o = p.poisoned<bf16>(expected.q.shape);
  float const scale = static_cast<float>(std::log2(std::exp(1.0)) / std::sqrt(128.0));
  auto const attend = [&] {
    example::launch(kernel,
                    {.grid = {static_cast<unsigned>((expected.queries + 255) / 256),
                              static_cast<unsigned>(expected.q.shape[0])},
                     .block = {512},
                     .shared = sizeof(shared_memory)},
                    inputs{mapped(expected.q), mapped(expected.k), mapped(expected.v)}, o.data(),
                    static_cast<unsigned>(expected.queries), static_cast<unsigned>(expected.keys),
                    static_cast<unsigned>(expected.group), scale);
  };
  attend();
  // The weights are rounded to bf16, and so is the result.
  p.expect(
      name, o, [&](integer at) { return expected(at); },
      {.relative = 1.0 / 128, .absolute = 1.0 / 128}, expected.keys);
  // Two dot products of 128 elements for each pair of a query and a key that it may use.
  double const pairs = static_cast<double>(expected.queries) * static_cast<double>(expected.keys);
  double const share = expected.causal ? 0.5 : 1;
  example::measure(
      p, name, {.operations = 4.0 * 128 * share * pairs * static_cast<double>(expected.q.shape[0])},
      attend);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv,
      {"blackwell_attention", {"batch", "heads", "kv_heads", "queries", "keys"}, "1x4x2x264x392"},
      [](example::problem& p) {
        auto const [batch, heads_q, heads_kv, queries, keys] = p.size<5>();
        p.require(heads_q % heads_kv == 0, "the heads of Q must be a multiple of those of K and V");
        // Every other query has large scores, which often exceed its shift by more than 8 (see
        // softmax.cuh). The other queries spread their weight over many keys.
        auto const spread = example::normal<float>(batch * heads_q * queries * 128, 1);
        auto const q = p.filled<bf16>({batch * heads_q, queries, 128}, [&](integer n) {
          return bf16(spread[static_cast<std::size_t>(n)] * (n / 128 % 2 == 0 ? 24.0f : 2.0f));
        });
        auto const k = p.normal<bf16>({batch * heads_kv, keys, 128});
        auto const v = p.normal<bf16>({batch * heads_kv, keys, 128});
        integer const group = heads_q / heads_kv;
        check(p, "full", attention<false>, {q, k, v, queries, keys, group, false});
        check(p, "causal", attention<true>, {q, k, v, queries, keys, group, true});
      });
}
