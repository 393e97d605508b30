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

/// The keys and values of all sequences. The pages of a sequence are scattered over the cache,
/// which also has three unused pages.
struct paged_cache {
  example::problem& p;
  integer sequences, kv_heads, keys, pages = (keys + 15) / 16, all_pages = sequences * pages + 3;
  /// The number of keys of each sequence.
  example::array<unsigned> lengths = p.filled<unsigned>({sequences}, [this](integer s) {
    return static_cast<unsigned>(s == 0 ? keys : s == 1 ? 0 : keys * (3 * s % 7 + 1) / 8);
  });
  /// For each sequence, the page of keys 16 * i to 16 * i + 15 in column i.
  example::array<unsigned> table = p.filled<unsigned>({sequences, pages}, [this](integer k) {
    bool const used = k % pages < (lengths[k / pages] + 15) / 16;
    return static_cast<unsigned>(used ? k * step() % all_pages : 0xffffffff);
  });
  example::array<bf16> K = filled(11), V = filled(12);

  /// The smallest number above 5/8 of all_pages that has no common divisor with all_pages.
  integer step() const {
    integer found = all_pages * 5 / 8 + 1;
    while (std::gcd(found, all_pages) != 1) ++found;
    return found;
  }
  /// Random numbers in the rows of keys, NaN in all other rows.
  example::array<bf16> filled(unsigned seed) const {
    std::vector<bool> used(static_cast<std::size_t>(16 * all_pages));
    for (integer s = 0; s < sequences; ++s)
      for (integer k = 0; k < lengths[s]; ++k) used[static_cast<std::size_t>(row_of(s, k))] = true;
    auto const values = example::normal<bf16>(16 * all_pages * kv_heads * 128, seed);
    return p.filled<bf16>({16 * all_pages, kv_heads, 128}, [&](integer k) {
      return used[static_cast<std::size_t>(k / (128 * kv_heads))]
                 ? values[static_cast<std::size_t>(k)]
                 : bf16(NAN);
    });
  }
  cache tensor_of(example::array<bf16> const& of) const {
    return {of.data(), 16 * all_pages, kv_heads * 128};
  }
  /// The row of key k of a sequence, in K and V.
  integer row_of(integer sequence, integer k) const {
    return 16 * integer{table[sequence * pages + k / 16]} + k % 16;
  }
  /// The output of query n of Q with sums in double. n counts the queries of all sequences.
  std::array<double, 128> output(example::array<bf16> const& Q, integer group, integer n) const {
    integer const heads = kv_heads * group, sequence = n / heads, kv_head = n % heads / group;
    std::array<double, 128> sum{};
    double total = 0;
    for (integer k = 0; k < lengths[sequence]; ++k) {
      integer const key = (row_of(sequence, k) * kv_heads + kv_head) * 128;
      double score = 0;
      for (integer d = 0; d < 128; ++d) score += number(Q[n * 128 + d]) * number(K[key + d]);
      double const weight = std::exp(score / std::sqrt(128.0));
      total += weight;
      for (integer d = 0; d < 128; ++d)
        sum[static_cast<std::size_t>(d)] += weight * number(V[key + d]);
    }
    for (double& each : sum) each = total == 0 ? 0 : each / total;
    return sum;
  }
};

/// One token of each sequence.
struct decode_step {
  paged_cache const& all;
  integer group;
  example::problem& p = all.p;
  integer heads = all.kv_heads * group, queries = all.sequences * heads;
  // Long sequences have more splits than short ones. A full split has at least eight pages, which
  // use each stage at least twice.
  integer pages_per_split = std::clamp<integer>(all.pages / 8, 8, 64);
  integer blocks = (all.pages + pages_per_split * warps - 1) / (pages_per_split * warps);
  example::array<bf16> Q = p.normal<bf16>({all.sequences, heads, 128});
  std::vector<float> expected = outputs();

  std::vector<float> outputs() const {
    std::vector<float> made;
    for (integer n = 0; n < queries; ++n)
      for (double const element : all.output(Q, group, n))
        made.push_back(static_cast<float>(element));
    return made;
  }
  example::launch_shape shape() const {
    dim3 const grid{static_cast<unsigned>(all.kv_heads), static_cast<unsigned>(blocks),
                    static_cast<unsigned>(all.sequences)};
    return {.grid = grid, .block = {32 * warps}, .shared = warps * stages * sizeof(stage)};
  }
  /// The bytes of K, V, Q and the results.
  double bytes() const {
    double const keys = std::accumulate(all.lengths.host.begin(), all.lengths.host.end(), 0.0);
    return 512.0 * static_cast<double>(all.kv_heads) * keys + 512.0 * static_cast<double>(queries);
  }

  /// Decodes, combines the splits, compares the results and measures both kernels.
  template <class Decode> void check(char const* name, Decode const& decode) const {
    auto const parts = p.poisoned<float>({blocks * warps, queries, 128});
    auto const logs = p.poisoned<float>({blocks * warps, queries});
    auto const out = p.poisoned<bf16>({all.sequences, heads, 128});
    decoding const arguments{Q.data(),
                             {all.table.data(), all.sequences, all.pages},
                             {all.lengths.data(), all.sequences},
                             parts.data(),
                             logs.data(),
                             static_cast<unsigned>(group),
                             static_cast<unsigned>(pages_per_split),
                             1 / std::sqrt(128.0f)};
    auto const launch = [&] {
      decode(arguments);
      example::check(axe::launch(combine, axe::grid_of<8>(queries), axe::cta<256>, arguments,
                                 rows<bf16>{out.data(), queries}, static_cast<unsigned>(heads)));
    };
    launch();
    // The weights are rounded to bf16 before the product, and the result is rounded once.
    p.expect((std::string("by ") + name).c_str(), out,
             [&](integer k) { return expected[static_cast<std::size_t>(k)]; },
             {.relative = 1.0 / 128, .absolute = 4e-3});
    example::measure(p, name, {.bytes = bytes()}, launch);
  }
};
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"paged_decode", {"sequences", "kv_heads", "group", "keys"}, "3x2x8x333"},
      [](example::problem& p) {
        auto const [sequences, kv_heads, group, keys] = p.size<4>();
        p.require(group <= 16, "a head of the cache must have at most 16 queries");
        paged_cache const all{p, sequences, kv_heads, keys};
        cache const k = all.tensor_of(all.K), v = all.tensor_of(all.V);
        decode_step const step{all, group};
        step.check("cp.async", [&](decoding const& arguments) {
          example::launch(paged_decode, step.shape(), pages_by_cp_async{k, v}, arguments);
        });
        step.check("TMA", [&](decoding const& arguments) {
          example::launch(paged_decode_tma, step.shape(), axe::mapped_for<page_buffer>(k),
                          axe::mapped_for<page_buffer>(v), arguments);
        });
      });
}
