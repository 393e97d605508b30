// fuzz_accesses --cases 10000000 --seed 1 --jobs 8: compares the counts of random accesses with
// warps that are simulated lane by lane.
//
// Job k uses seed S + k, so `--seed S --jobs 1` repeats one job of an earlier run. The exit code is
// 1 after the first disagreement.
#include "analysis/random_cases.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

using namespace axe_test;

namespace {

struct tally {
  std::atomic<long long> done{0}, counted{0}, rejected{0}, conflicting{0}, wrong{0};
};

void run(unsigned seed, long long cases, tally& total) {
  random_source d(seed);
  for (long long n = 0; n < cases && total.wrong == 0; ++n) {
    random_case const c = make_random_case(d);
    judged_case const j = judge(c);
    if (char const* wrong = disagreement(j)) {
      ++total.wrong;
      std::printf("seed %u, case %lld: %s: %s\n", seed, n, wrong, text_of(c).c_str());
    }
    ++(j.expected.legal ? total.counted : total.rejected);
    if (j.expected.legal && j.expected.conflicts > 1) ++total.conflicting;
    long long const so_far = ++total.done;
    if (so_far % 1'000'000 == 0) std::fprintf(stderr, "%lld cases\n", so_far);
  }
}

}  // namespace

int main(int argc, char** argv) {
  long long cases = 10'000'000, seed = 1, jobs = 1;
  for (int i = 1; i < argc; i += 2) {
    long long* const to = std::strcmp(argv[i], "--cases") == 0  ? &cases
                          : std::strcmp(argv[i], "--seed") == 0 ? &seed
                          : std::strcmp(argv[i], "--jobs") == 0 ? &jobs
                                                                : nullptr;
    char* end = nullptr;
    if (to != nullptr && i + 1 < argc) *to = std::strtoll(argv[i + 1], &end, 10);
    if (end == nullptr || *end != '\0' || *to < 1) {
      std::fprintf(stderr,
                   "usage: fuzz_accesses [--cases N] [--seed N] [--jobs N], each at least 1\n");
      return 2;
    }
  }
  tally total;
  std::vector<std::thread> threads;
  for (long long j = 0; j < jobs; ++j)
    threads.emplace_back(run, static_cast<unsigned>(seed + j), (cases + jobs - 1) / jobs,
                         std::ref(total));
  for (std::thread& t : threads) t.join();
  std::printf("%lld cases: %lld counted (%lld with conflicts), %lld rejected, %lld wrong\n",
              total.done.load(), total.counted.load(), total.conflicting.load(),
              total.rejected.load(), total.wrong.load());
  return total.wrong == 0 ? 0 : 1;
}
