// Compares the output of a layer of a mixture of experts (SwiGLU, the best 8 of `experts` for each
// token) with sums in double. The benchmarks use the layer of Qwen3-30B-A3B: hidden 2048, inner
// 768, 128 experts.
#include "layer.cuh"
#include "route.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace {
using example::integer;
using example::number;

/// The sum over k of a[at_a + k] b[at_b + k].
double product(example::array<bf16> const& a, integer at_a, example::array<bf16> const& b,
               integer at_b, integer depth) {
  double sum = 0;
  for (integer k = 0; k < depth; ++k) sum += number(a[at_a + k]) * number(b[at_b + k]);
  return sum;
}

/// The layer with sums in double.
struct reference {
  example::array<bf16> const &x, &up, &down;
  example::array<float> const& scores;
  integer hidden, inner, experts;

  float score(integer token, integer expert) const { return scores[token * experts + expert]; }
  /// The `top` experts with the highest scores.
  std::vector<integer> chosen(integer token) const {
    std::vector<integer> order(static_cast<std::size_t>(experts));
    std::iota(order.begin(), order.end(), integer{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](integer a, integer b) { return score(token, a) > score(token, b); });
    order.resize(top);
    return order;
  }
  /// A row of the first product after SwiGLU, rounded to bf16: the input of the second product.
  std::vector<double> middle(integer token, integer expert) const {
    std::vector<double> row;
    integer const first = 2 * inner * expert;
    for (integer j = 0; j < inner; ++j) {
      double const gate = product(x, token * hidden, up, (first + j) * hidden, hidden);
      double const linear = product(x, token * hidden, up, (first + inner + j) * hidden, hidden);
      row.push_back(number(bf16(static_cast<float>(gate / (1 + std::exp(-gate)) * linear))));
    }
    return row;
  }
  /// The row of the output for a token.
  std::vector<double> row(integer token) const {
    std::vector<integer> const best = chosen(token);
    double total = 0;
    for (integer const e : best) total += std::exp(double{score(token, e)});
    std::vector<double> sum(static_cast<std::size_t>(hidden));
    for (integer const e : best) {
      double const weight = std::exp(double{score(token, e)}) / total;
      std::vector<double> const factors = middle(token, e);
      for (integer j = 0; j < hidden; ++j) {
        double value = 0;
        for (integer k = 0; k < inner; ++k)
          value +=
              factors[static_cast<std::size_t>(k)] * number(down[(hidden * e + j) * inner + k]);
        sum[static_cast<std::size_t>(j)] += weight * value;
      }
    }
    return sum;
  }
  /// Compares at most 128 rows of the output, spread evenly over all tokens.
  void check(example::problem& p, example::array<float> const& out) const {
    integer const tokens = out.shape[0], apart = (tokens + 127) / 128;
    integer const compared = (tokens + apart - 1) / apart;
    auto const some = p.poisoned<float>({compared, hidden});
    std::vector<float> expected;
    for (integer n = 0; n < compared; ++n) {
      example::check(cudaMemcpy(some.data() + n * hidden, out.data() + n * apart * hidden,
                                static_cast<std::size_t>(hidden) * 4, cudaMemcpyDeviceToDevice));
      for (double const v : row(n * apart)) expected.push_back(static_cast<float>(v));
    }
    p.expect("out", some, [&](integer k) { return expected[static_cast<std::size_t>(k)]; },
             {.relative = 1e-2, .absolute = 4e-3});
  }
  /// The bytes of the weights of every expert that has a token, and of each token and each result.
  double bytes(integer tokens) const {
    std::set<integer> used;
    for (integer token = 0; token < tokens; ++token)
      for (integer const expert : chosen(token)) used.insert(expert);
    return 6 * static_cast<double>((static_cast<integer>(used.size()) * inner + tokens) * hidden);
  }
};

/// The number of blocks: at most two per multiprocessor, all resident at once, because a block
/// waits for tiles of other blocks. On the PTX machine two, so that one waits for the other.
unsigned blocks_at_once(example::problem const& p) {
  if (example::on_machine()) return 2;
  int shared = 0;
  example::check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  auto const fit = static_cast<unsigned>(shared) / static_cast<unsigned>(3 * sizeof(stage) + 4096);
  p.require(fit > 0, "a multiprocessor of this device has too little shared memory");
  return example::multiprocessors() * std::min(fit, 2u);
}
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"moe_layer", {"tokens", "hidden", "inner", "experts"}, "70x256x128x12"},
      [](example::problem& p) {
        auto const [tokens, hidden, inner, experts] = p.size<4>();
        p.require(hidden % 128 == 0 && inner % 64 == 0,
                  "hidden must be a multiple of 128, inner of 64");
        p.require(experts >= top && experts <= most_experts && experts % 4 == 0,
                  "the number of experts must be a multiple of 4 from 8 to 128");
        float const shrink = 1 / std::sqrt(static_cast<float>(hidden));
        auto const x = p.normal<bf16>({tokens, hidden});
        auto const up = p.normal<bf16>({experts, 2, inner, hidden}, shrink);
        auto const down = p.normal<bf16>({experts, hidden, inner}, shrink);
        auto const scores = p.normal<float>({tokens, experts});
        auto const middle = p.poisoned<bf16>({tokens, top, inner});
        auto const out = p.poisoned<float>({tokens, hidden});
        auto const chosen_by = p.poisoned<unsigned>({experts, tokens});
        auto const weights = p.poisoned<float>({tokens, top});
        // Counters: the number of tokens of each expert, the number of finished tiles in each row
        // of tiles, and the number of tiles that blocks have taken after their first.
        integer const rows_of_tiles = tokens * top / 64 + experts + 1;
        auto const counters = p.poisoned<unsigned>({experts + rows_of_tiles + 1});
        layer const moe{{x.data(), tokens, hidden},
                        {up.data(), experts * 2 * inner, hidden},
                        {down.data(), experts * hidden, inner},
                        {middle.data(), tokens * top, inner},
                        {out.data(), tokens, hidden},
                        {scores.data(), tokens, experts},
                        {chosen_by.data(), experts, tokens},
                        weights.data(),
                        counters.data(),
                        counters.data() + experts,
                        counters.data() + experts + rows_of_tiles};
        unsigned const blocks = blocks_at_once(p);
        auto const launch = [&, tokens = tokens] {
          example::check(cudaMemsetAsync(counters.data(), 0,
                                         static_cast<std::size_t>(counters.size()) * 4, nullptr));
          example::check(axe::launch(route, axe::grid_of<8>(tokens), axe::cta<256>, moe));
          example::launch(moe_layer,
                          {.grid = {blocks}, .block = {128}, .shared = 3 * sizeof(stage)}, moe);
        };
        launch();
        reference const layer_in_double{x, up, down, scores, hidden, inner, experts};
        layer_in_double.check(p, out);
        example::measure(p, "layer", {.bytes = layer_in_double.bytes(tokens)}, launch);
      });
}
