// Compares a layer of a mixture of experts (SwiGLU, the best 8 of `experts` for each token) with
// sums in double. The full size is that of Qwen3-30B-A3B: hidden 2048, inner 768, 128 experts.
#include "layer.cuh"
#include "route.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {
using example::integer;
double number(bf16 x) { return static_cast<double>(static_cast<float>(x)); }

/// The sum over k of a[at_a + k] b[at_b + k].
double product(example::array<bf16> const& a, integer at_a, example::array<bf16> const& b,
               integer at_b, integer depth) {
  double sum = 0;
  for (integer k = 0; k < depth; ++k) sum += number(a[at_a + k]) * number(b[at_b + k]);
  return sum;
}
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"moe_layer", {"tokens", "hidden", "inner", "experts"}, "70x256x128x12"},
      [](example::problem& p) {
        auto const [tokens, hidden, inner, experts] = p.size<4>();
        p.require(hidden % 128 == 0 && inner % 64 == 0, "hidden is a multiple of 128, inner of 64");
        p.require(experts >= top && experts <= most_experts && experts % 4 == 0,
                  "there are 8 to 128 experts, a multiple of 4");
        float const shrink = 1 / std::sqrt(static_cast<float>(hidden));
        auto const x = p.normal<bf16>({tokens, hidden});
        auto const up = p.normal<bf16>({experts, 2, inner, hidden}, shrink);
        auto const down = p.normal<bf16>({experts, hidden, inner}, shrink);
        auto const scores = p.normal<float>({tokens, experts});
        auto const middle = p.poisoned<bf16>({tokens, top, inner});
        auto const out = p.poisoned<float>({tokens, hidden});
        auto const chosen_by = p.poisoned<unsigned>({experts, tokens});
        auto const weights = p.poisoned<float>({tokens, top});
        // Counters: the tokens of each expert, the finished tiles of each 64 rows, and the number
        // of tiles that have begun.
        integer const rows_of_tiles = tokens * top / 64 + experts + 1;
        auto const counters = p.poisoned<unsigned>({experts + rows_of_tiles + 1});
        layer const of{{x.data(), tokens, hidden},
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
        // The first tile of each block is fixed, so all blocks must run at once: at most two on a
        // multiprocessor. The PTX machine runs two blocks. The first waits for the tile with which
        // the second begins.
        int blocks = 2;
        if (!example::on_machine()) {
          int processors = 0, shared = 0;
          example::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
          example::check(
              cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
          int const fit = shared / static_cast<int>(3 * sizeof(stage) + 4096);
          p.require(fit > 0, "a multiprocessor of this device has too little shared memory");
          blocks = processors * std::min(fit, 2);
        }
        auto const launch = [&, tokens = tokens] {
          example::check(cudaMemsetAsync(counters.data(), 0,
                                         static_cast<std::size_t>(counters.size()) * 4, nullptr));
          example::check(axe::launch(route, axe::grid_of<8>(tokens), axe::cta<256>, of));
          example::launch(moe_layer,
                          {.grid = {static_cast<unsigned>(blocks)},
                           .block = {128},
                           .shared = 3 * sizeof(stage)},
                          of);
        };
        launch();

        // At most 128 tokens are compared. If there are more, they are spread evenly.
        integer const apart = (tokens + 127) / 128, compared = (tokens + apart - 1) / apart;
        auto const some = p.poisoned<float>({compared, hidden});
        for (integer n = 0; n < compared; ++n)
          example::check(cudaMemcpyAsync(some.data() + n * hidden, out.data() + n * apart * hidden,
                                         static_cast<std::size_t>(hidden) * 4,
                                         cudaMemcpyDeviceToDevice, nullptr));
        std::vector<float> expected(static_cast<std::size_t>(compared * hidden));
        std::vector<bool> used(static_cast<std::size_t>(experts));
        for (integer row = 0; row < compared; ++row) {
          integer const t = row * apart;
          std::vector<integer> order(static_cast<std::size_t>(experts));
          std::iota(order.begin(), order.end(), integer{0});
          auto const score = [&, experts = experts](integer e) { return scores[t * experts + e]; };
          std::stable_sort(order.begin(), order.end(),
                           [&](integer a, integer b) { return score(a) > score(b); });
          double total = 0;
          for (unsigned n = 0; n < top; ++n) total += std::exp(double{score(order[n])});
          std::vector<double> sum(static_cast<std::size_t>(hidden));
          for (unsigned n = 0; n < top; ++n) {
            integer const e = order[n];
            used[static_cast<std::size_t>(e)] = true;
            std::vector<double> middle_row;
            for (integer j = 0; j < inner; ++j) {
              double const gate = product(x, t * hidden, up, (2 * inner * e + j) * hidden, hidden);
              double const above =
                  product(x, t * hidden, up, (2 * inner * e + inner + j) * hidden, hidden);
              middle_row.push_back(
                  number(bf16(static_cast<float>(gate / (1 + std::exp(-gate)) * above))));
            }
            for (integer j = 0; j < hidden; ++j) {
              double value = 0;
              for (integer k = 0; k < inner; ++k)
                value += middle_row[static_cast<std::size_t>(k)] *
                         number(down[(hidden * e + j) * inner + k]);
              sum[static_cast<std::size_t>(j)] += std::exp(double{score(e)}) / total * value;
            }
          }
          std::transform(sum.begin(), sum.end(), expected.begin() + row * hidden,
                         [](double v) { return static_cast<float>(v); });
        }
        p.expect("out", some, [&](integer k) { return expected[static_cast<std::size_t>(k)]; },
                 {.relative = 1e-2, .absolute = 4e-3});
        // The bytes: the weights of every expert that has a token, each token and each result once.
        double const experts_used = static_cast<double>(std::count(used.begin(), used.end(), true));
        double const bytes = 6 * experts_used * static_cast<double>(hidden * inner) +
                             6 * static_cast<double>(tokens * hidden);
        example::measure(p, "one launch", {.bytes = bytes}, launch);
      });
}
