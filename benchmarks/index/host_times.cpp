// Measures the time of each form of every pattern as host code with Google Benchmark, hand-written
// and axe in one process: ./run bench index_host.
//
// One iteration runs up to 64 threads of the first block of a pattern's first launch, and as many
// of the last block. The forms of a pattern run in random order, so that other load affects both
// alike.
#include "host_forms.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace pattern {

template <class Pattern, bool Axe> void measure(benchmark::State& state) {
  auto const launch = Pattern::launches().front();
  for (auto _ : state) {
    for_threads(launch, [](auto const& arguments, thread_index const& i) {
      if constexpr (Axe)
        form_axe<Pattern>(arguments, i);
      else
        form_hand<Pattern>(arguments, i);
    });
    benchmark::ClobberMemory();
  }
}

template <class Pattern> bool check(char const* name) {
  benchmark::RegisterBenchmark((std::string(name) + "/hand").c_str(), measure<Pattern, false>);
  benchmark::RegisterBenchmark((std::string(name) + "/axe").c_str(), measure<Pattern, true>);
  return true;
}

}  // namespace pattern

#include "patterns/edges.cu"
#include "patterns/images.cu"
#include "patterns/lines.cu"
#include "patterns/loops.cu"
#include "patterns/matrix_epilogues.cu"
#include "patterns/matrix_steps.cu"
#include "patterns/matrix_tiles.cu"
#include "patterns/sizes.cu"
#include "patterns/tensors.cu"
#include "patterns/transposes.cu"
#include "patterns/vectors.cu"

BENCHMARK_MAIN();
