// Tests the figures of examples (support/figures.hpp): medians, the better baseline, the ratio for
// each round, and the line of JSON.
#include "support/figures.hpp"

#include "../support/catch.hpp"

using example::figure_of;
using example::quantile;

TEST_CASE("quantiles are interpolated between sorted values") {
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({4, 1, 2, 3}, 0.5) == 2.5);
  CHECK(quantile({10, 0}, 0.1) == 1);
  CHECK(quantile({7}, 0.9) == 7);
  CHECK(quantile({}, 0.5) == 0);
}

TEST_CASE("the ratio is taken round by round against the better baseline") {
  // The machine slows down from round to round. This leaves the ratio of medians unchanged, but it
  // would change a ratio of means.
  auto const f =
      figure_of({"transpose", "64x64", "tma", "a GPU"}, {.bytes = 8e6}, {"ours", {10, 20, 40}},
                {{"slow", {30, 60, 100}}, {"copy \"kernel\"", {9, 18, 44}}});
  CHECK(f.best_baseline == "copy \"kernel\"");
  CHECK(f.ratio == Approx(0.9));
  CHECK(example::to_words(f) ==
        "20.0 us (p10 12.0, p90 36.0), 0.400 TB/s, 0.900 of copy \"kernel\"");
  CHECK(
      example::to_json(f) ==
      R"({"example":"transpose","size":"64x64","what":"tma","device":"a GPU","bytes":8e+06,"operations":0,"batch":1,"working_set":0,)"
      R"("in_cache":false,"simulated":false,"ours":{"name":"ours","median_us":20,"p10_us":12,"p90_us":36,"rounds":3},)"
      R"("baselines":[{"name":"slow","median_us":60,"p10_us":36,"p90_us":92,"rounds":3},)"
      R"({"name":"copy \"kernel\"","median_us":18,"p10_us":10.8,"p90_us":38.8,"rounds":3}],)"
      R"("best_baseline":"copy \"kernel\"","ratio":0.9})");
}

TEST_CASE(
    "without a baseline there is no ratio; a simulated run is labelled as not a measurement") {
  auto f =
      figure_of({"gemm", "1x1x1", "mma", "PTX machine"}, {.operations = 4e9}, {"ours", {1000}}, {});
  f.simulated = true;
  CHECK(f.best_baseline.empty());
  CHECK(f.ratio == 0);
  CHECK(example::to_words(f) ==
        "1000.0 us (p10 1000.0, p90 1000.0), 4.0 TFLOP/s, on the PTX machine: not a measurement");
}
