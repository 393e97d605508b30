// Decodes one token of each sequence by cp.async and by TMA, and compares the results with sums in
// double. The cache has pages of 16 keys in any order. Q is (sequences, kv_heads, group, 128).
// Sequences have different lengths, up to `keys`, and the second one is empty.
#include "ampere.cuh"
#include "combine.cuh"
#include "hopper.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace {
using example::integer;
using example::number;

/// Computes attention with sums in double. `lengths` has the number of keys of each sequence.
/// `table` has, for each sequence, the page of keys 16 * i to 16 * i + 15 in column i.
struct reference {
  example::array<bf16> const &Q, &K, &V;
  example::array<unsigned> const &table, &lengths;
  integer kv_heads, group;

  /// The first element of key k of a sequence, in K and V.
  integer key_at(integer sequence, integer kv_head, integer k) const {
    integer const page = table[sequence * table.shape[1] + k / 16];
    return ((16 * page + k % 16) * kv_heads + kv_head) * 128;
  }
  /// The output of query `row`, counted over all sequences and heads.
  std::array<double, 128> output(integer row) const {
    integer const heads = kv_heads * group, sequence = row / heads, kv_head = row % heads / group;
    std::array<double, 128> sum{};
    double total = 0;
    for (integer k = 0; k < lengths[sequence]; ++k) {
      integer const key = key_at(sequence, kv_head, k);
      double score = 0;
      for (integer d = 0; d < 128; ++d) score += number(Q[row * 128 + d]) * number(K[key + d]);
      double const weight = std::exp(score / std::sqrt(128.0));
      total += weight;
      for (integer d = 0; d < 128; ++d)
        sum[static_cast<std::size_t>(d)] += weight * number(V[key + d]);
    }
    for (double& each : sum) each = total == 0 ? 0 : each / total;
    return sum;
  }
};
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"paged_decode", {"sequences", "kv_heads", "group", "keys"}, "3x2x8x333"},
      [](example::problem& p) {
        auto const [sequences, kv_heads, group, keys] = p.size<4>();
        p.require(group <= 16, "a head of the cache must have at most 16 queries");
        integer const heads = kv_heads * group, pages = (keys + 15) / 16;
        std::vector<unsigned> length;
        for (integer s = 0; s < sequences; ++s)
          length.push_back(static_cast<unsigned>(keys * (3 * s % 7 + 1) / 8));
        length[0] = static_cast<unsigned>(keys);
        if (sequences > 1) length[1] = 0;
        // The pages of a sequence are scattered over the cache, which also has unused pages.
        integer const pages_of_cache = sequences * pages + 3;
        integer step = pages_of_cache * 5 / 8 + 1;
        while (std::gcd(step, pages_of_cache) != 1) ++step;
        auto const table = p.filled<unsigned>({sequences, pages}, [&](integer k) {
          unsigned const used = (length[static_cast<std::size_t>(k / pages)] + 15) / 16;
          return static_cast<unsigned>(k % pages < used ? k * step % pages_of_cache : 0xffffffff);
        });
        auto const lengths = p.filled<unsigned>(
            {sequences}, [&](integer s) { return length[static_cast<std::size_t>(s)]; });
        // Rows that no key uses hold NaN.
        std::vector<bool> used(static_cast<std::size_t>(16 * pages_of_cache));
        for (integer s = 0; s < sequences; ++s)
          for (unsigned k = 0; k < length[static_cast<std::size_t>(s)]; ++k)
            used[16 * table[s * pages + k / 16] + k % 16] = true;
        auto const filled = [&, kv_heads = kv_heads](unsigned seed) {
          auto const values = example::normal<bf16>(16 * pages_of_cache * kv_heads * 128, seed);
          return p.filled<bf16>({16 * pages_of_cache, kv_heads, 128}, [&](integer k) {
            return used[static_cast<std::size_t>(k / (128 * kv_heads))]
                       ? values[static_cast<std::size_t>(k)]
                       : bf16(NAN);
          });
        };
        auto const K = filled(11), V = filled(12);
        auto const Q = p.normal<bf16>({sequences, heads, 128});

        // Long sequences have more splits than short ones. A full split has at least eight pages,
        // which use each stage at least twice.
        integer const pages_per_split = std::clamp<integer>(pages / 8, 8, 64);
        integer const blocks = (pages + pages_per_split * warps - 1) / (pages_per_split * warps),
                      splits = blocks * warps;
        auto const parts = p.poisoned<float>({splits, sequences, heads, 128});
        auto const logs = p.poisoned<float>({splits, sequences, heads});
        decoding const arguments{Q.data(),
                                 {table.data(), sequences, pages},
                                 {lengths.data(), sequences},
                                 parts.data(),
                                 logs.data(),
                                 static_cast<unsigned>(group),
                                 static_cast<unsigned>(pages_per_split),
                                 1 / std::sqrt(128.0f)};
        dim3 const grid{static_cast<unsigned>(kv_heads), static_cast<unsigned>(blocks),
                        static_cast<unsigned>(sequences)};
        example::launch_shape const shape{
            .grid = grid, .block = {32 * warps}, .shared = warps * stages * sizeof(stage)};
        auto const join = [&, sequences = sequences](example::array<bf16> const& out) {
          integer const all = sequences * heads;
          example::check(axe::launch(combine, axe::grid_of<8>(all), axe::cta<256>, arguments,
                                     rows<bf16>{out.data(), all}, static_cast<unsigned>(heads)));
        };
        auto const by_cp_async = p.poisoned<bf16>({sequences, heads, 128});
        auto const by_tma = p.poisoned<bf16>({sequences, heads, 128});
        cache const key_cache{K.data(), 16 * pages_of_cache, kv_heads * 128};
        cache const value_cache{V.data(), 16 * pages_of_cache, kv_heads * 128};
        auto const with_cp_async = [&] {
          example::launch(paged_decode, shape, pages_by_cp_async{key_cache, value_cache},
                          arguments);
          join(by_cp_async);
        };
        auto const with_tma = [&] {
          example::launch(paged_decode_tma, shape, load_page::map(K.data(), key_cache.sizes),
                          load_page::map(V.data(), value_cache.sizes), arguments);
          join(by_tma);
        };

        reference const in_double{Q, K, V, table, lengths, kv_heads, group};
        std::vector<float> expected;
        for (integer row = 0; row < sequences * heads; ++row)
          for (double const element : in_double.output(row))
            expected.push_back(static_cast<float>(element));
        auto const output = [&](integer k) { return expected[static_cast<std::size_t>(k)]; };
        // The weights are rounded to bf16 before the product, and the result is rounded once.
        example::tolerance const within{.relative = 1.0 / 128, .absolute = 4e-3};
        with_cp_async();
        p.expect("by cp.async", by_cp_async, output, within);
        with_tma();
        p.expect("by TMA", by_tma, output, within);
        auto const used_keys =
            static_cast<double>(std::accumulate(length.begin(), length.end(), integer{0}));
        double const bytes = 512.0 * static_cast<double>(kv_heads) * used_keys +
                             512.0 * static_cast<double>(sequences * heads);
        example::measure(p, "cp.async", {.bytes = bytes}, with_cp_async);
        example::measure(p, "TMA", {.bytes = bytes}, with_tma);
      });
}
