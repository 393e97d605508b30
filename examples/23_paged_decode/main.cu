// Decodes one token of each sequence by cp.async and by TMA, and compares the results with sums in
// double. The cache has pages of 16 keys in any order. Q is (sequences, kv_heads, group, 128).
// Sequences have different lengths, up to `keys`, and one is empty.
#include "ampere.cuh"
#include "combine.cuh"
#include "hopper.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {
using example::integer;
double number(bf16 x) { return static_cast<double>(static_cast<float>(x)); }
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"paged_decode", {"sequences", "kv_heads", "group", "keys"}, "3x2x8x333"},
      [](example::problem& p) {
        auto const [sequences, kv_heads, group, keys] = p.size<4>();
        p.require(group <= 16, "a head of the cache has at most 16 queries");
        integer const heads = kv_heads * group, pages = (keys + 15) / 16;
        std::vector<unsigned> length(static_cast<std::size_t>(sequences)), page_of;
        for (integer s = 0; s < sequences; ++s)
          length[static_cast<std::size_t>(s)] =
              static_cast<unsigned>(s == 0   ? keys
                                    : s == 1 ? 0
                                             : keys * (3 * s % 7 + 1) / 8);
        // Pages have no order. Pages that no table names are never read.
        integer const there = sequences * pages + 3;
        integer step = there * 5 / 8 + 1;
        while (std::gcd(step, there) != 1) ++step;
        auto const table = p.filled<unsigned>({sequences, pages}, [&](integer k) {
          unsigned const used = (length[static_cast<std::size_t>(k / pages)] + 15) / 16;
          return static_cast<unsigned>(k % pages < used ? k * step % there : 0xffffffff);
        });
        auto const lengths = p.filled<unsigned>(
            {sequences}, [&](integer s) { return length[static_cast<std::size_t>(s)]; });
        // Rows that no key uses hold NaN.
        std::vector<bool> used(static_cast<std::size_t>(16 * there));
        for (integer s = 0; s < sequences; ++s)
          for (unsigned k = 0; k < length[static_cast<std::size_t>(s)]; ++k)
            used[16 * table[s * pages + k / 16] + k % 16] = true;
        auto const filled = [&, kv_heads = kv_heads](unsigned seed) {
          auto const values = example::normal<bf16>(16 * there * kv_heads * 128, seed);
          return p.filled<bf16>({16 * there, kv_heads, 128}, [&](integer k) {
            return used[static_cast<std::size_t>(k / (128 * kv_heads))]
                       ? values[static_cast<std::size_t>(k)]
                       : bf16(NAN);
          });
        };
        auto const K = filled(11), V = filled(12);
        auto const Q = p.normal<bf16>({sequences, heads, 128});

        // Long sequences have more splits than short ones. Eight pages use each stage more than
        // twice.
        integer const each = std::clamp<integer>(pages / 8, 8, 64);
        integer const blocks = (pages + each * warps - 1) / (each * warps), splits = blocks * warps;
        auto const parts = p.poisoned<float>({splits, sequences, heads, 128});
        auto const logs = p.poisoned<float>({splits, sequences, heads});
        decoding const of{Q.data(),
                          {table.data(), sequences, pages},
                          {lengths.data(), sequences},
                          parts.data(),
                          logs.data(),
                          static_cast<unsigned>(group),
                          static_cast<unsigned>(each),
                          1 / std::sqrt(128.0f)};
        dim3 const grid{static_cast<unsigned>(kv_heads), static_cast<unsigned>(blocks),
                        static_cast<unsigned>(sequences)};
        example::launch_shape const shape{
            .grid = grid, .block = {32 * warps}, .shared = warps * stages * sizeof(stage)};
        auto const join = [&, sequences = sequences](example::array<bf16> const& out) {
          integer const all = sequences * heads;
          example::check(axe::launch(combine, axe::grid_of<8>(all), axe::cta<256>, of,
                                     rows<bf16>{out.data(), all}, static_cast<unsigned>(heads)));
        };
        auto const by_cp_async = p.poisoned<bf16>({sequences, heads, 128});
        auto const by_tma = p.poisoned<bf16>({sequences, heads, 128});
        cache const keys_there{K.data(), 16 * there, kv_heads * 128};
        cache const values_there{V.data(), 16 * there, kv_heads * 128};
        auto const with_cp_async = [&] {
          example::launch(paged_decode, shape, pages_by_cp_async{keys_there, values_there}, of);
          join(by_cp_async);
        };
        auto const with_tma = [&] {
          example::launch(paged_decode_tma, shape, load_page::map(K.data(), keys_there.sizes),
                          load_page::map(V.data(), values_there.sizes), of);
          join(by_tma);
        };

        std::vector<float> expected(static_cast<std::size_t>(sequences * heads * 128));
        double used_keys = 0;
        for (integer s = 0; s < sequences; ++s) {
          integer const n = length[static_cast<std::size_t>(s)];
          used_keys += static_cast<double>(n);
          std::vector<double> weight(static_cast<std::size_t>(n)), sum(128);
          for (integer h = 0; h < heads; ++h) {
            auto const row = [&, kv_heads = kv_heads, group = group](integer k) {
              return ((16 * table[s * pages + k / 16] + k % 16) * kv_heads + h / group) * 128;
            };
            double total = 0;
            std::fill(sum.begin(), sum.end(), 0.0);
            for (integer k = 0; k < n; ++k) {
              double score = 0;
              for (integer d = 0; d < 128; ++d)
                score += number(Q[(s * heads + h) * 128 + d]) * number(K[row(k) + d]);
              double const w = std::exp(score / std::sqrt(128.0));
              total += w;
              for (integer d = 0; d < 128; ++d)
                sum[static_cast<std::size_t>(d)] += w * number(V[row(k) + d]);
            }
            for (integer d = 0; d < 128; ++d)
              expected[static_cast<std::size_t>((s * heads + h) * 128 + d)] =
                  static_cast<float>(n == 0 ? 0 : sum[static_cast<std::size_t>(d)] / total);
          }
        }
        auto const reference = [&](integer k) { return expected[static_cast<std::size_t>(k)]; };
        // The weights are rounded to bf16 before the product, and the result is rounded once.
        example::tolerance const within{.relative = 1.0 / 128, .absolute = 4e-3};
        with_cp_async();
        p.expect("by cp.async", by_cp_async, reference, within);
        with_tma();
        p.expect("by TMA", by_tma, reference, within);
        double const bytes = 512.0 * static_cast<double>(kv_heads) * used_keys +
                             512.0 * static_cast<double>(sequences * heads);
        example::measure(p, "cp.async", {.bytes = bytes}, with_cp_async);
        example::measure(p, "TMA", {.bytes = bytes}, with_tma);
      });
}
