// Tests reductions on the PTX machine (tests/machine). Each thread to which the plan gives a result
// must have the result that the host computes.
#include "reduce_kernels.hpp"
#include "copy_check.hpp"
#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "support/targets.hpp"

#include <axe/plan/plan_reduce.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace reductions;

std::string text_of(std::string const& target) {
  return axe_test::ptx_of(AXE_PLAN_PTX, "reduce_kernels", target);
}

float value_of(std::size_t element) {
  return static_cast<float>(static_cast<int>(element * 37 % 101) - 50);
}

/// The position of a fragment's element in memory: register r of thread t is at t * size + r.
template <class F> std::size_t slot(oracle::place const& at) {
  return static_cast<std::size_t>(at[2]) * F::size + static_cast<std::size_t>(at[1]);
}

template <class F> std::vector<float> registers_with(int threads, float (*value)(std::size_t)) {
  std::vector<float> all(static_cast<std::size_t>(threads) * F::size, -9999);
  oracle::map_table const map = axe_test::places_of(F::layout_type::value);
  for (std::size_t x = 0; x < map.size(); ++x)
    for (oracle::place const& at : map[x]) all[slot<F>(at)] = value(x);
  return all;
}

/// The index of the result that element x is added to, if the dimensions `folded` are reduced.
std::size_t result_index(axe::shape const& s, axe::list<int, 24> const& folded, std::size_t x) {
  std::size_t number = 0, stride = 1;
  for (int d = s.rank() - 1; d >= 0; --d) {
    auto const extent = static_cast<std::size_t>(s.nodes.value(s.entry(d)));
    bool is_reduced = false;
    for (int f : folded) is_reduced = is_reduced || f == d;
    if (!is_reduced) {
      number += x % extent * stride;
      stride *= extent;
    }
    x /= extent;
  }
  return number;
}

template <class T>
std::vector<T> run(std::string const& target, char const* entry, std::vector<T> const& in,
                   int blocks, int threads, std::size_t results, unsigned seed) {
  machine::device device;
  machine::module program = machine::load(text_of(target), device);
  auto const from = device.allocate(4 * in.size()), to = device.allocate(4 * results);
  device.copy_in(from, in.data(), 4 * in.size());
  machine::launch_options options;
  options.strict = true;
  options.seed = seed;
  program.launch(entry, {static_cast<std::uint32_t>(blocks)}, {static_cast<std::uint32_t>(threads)},
                 {}, 0, {from, to}, options);
  std::vector<T> out(results);
  device.copy_out(out.data(), to, 4 * results);
  return out;
}

/// Runs a kernel, and returns how many results are wrong.
template <class F>
int wrong(std::string const& target, char const* entry, axe::list<int, 24> const& over, int threads,
          unsigned seed) {
  axe::shape const s = F::shape_type::value;
  axe::reduce_plan const plan = axe::plan_reduce(F::layout_type::value, s, over);
  oracle::map_table const map = axe_test::places_of(F::layout_type::value),
                          result = axe_test::places_of(plan.result);
  std::vector<float> sums(result.size());
  for (std::size_t x = 0; x < map.size(); ++x) sums[result_index(s, over, x)] += value_of(x);
  auto const per_thread = static_cast<std::size_t>(plan.results);
  auto const out = run(target, entry, registers_with<F>(threads, value_of), 1, threads,
                       static_cast<std::size_t>(threads) * per_thread, seed);
  int count = 0;
  for (std::size_t y = 0; y < result.size(); ++y)
    for (oracle::place const& at : result[y])
      count +=
          out[static_cast<std::size_t>(at[2]) * per_thread + static_cast<std::size_t>(at[1])] !=
          sums[y];
  return count;
}

}  // namespace

TEST_CASE("reductions by registers, lanes and warps have the host's results") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (unsigned seed : {0u, 1u, 2u}) {
      CAPTURE(target, seed);
      CHECK(wrong<mma_accumulator>(target, "rows_of_mma", {1}, 32, seed) == 0);
      CHECK(wrong<mma_accumulator>(target, "rows_in_two_steps", {1}, 32, seed) == 0);
      CHECK(wrong<mma_accumulator>(target, "columns_of_mma", {0}, 32, seed) == 0);
      CHECK(wrong<mma_accumulator>(target, "all_of_mma", {0, 1}, 32, seed) == 0);
      CHECK(wrong<three_lanes>(target, "three_lanes_each", {1}, 32, seed) == 0);
      CHECK(wrong<three_lanes>(target, "two_sums", {1}, 32, seed) == 0);
      CHECK(wrong<half_warp>(target, "columns_in_half_warps", {0}, 32, seed) == 0);
      CHECK(wrong<row>(target, "long_row", {0}, 256, seed) == 0);
      CHECK(wrong<sixes>(target, "uneven", {1}, 128, seed) == 0);
      CHECK(wrong<replicated_rows>(target, "replicated", {0}, 256, seed) == 0);
      CHECK(wrong<columns>(target, "sums_of_columns", {0}, 256, seed) == 0);
      CHECK(wrong<many_columns>(target, "sums_of_many_columns", {0}, 256, seed) == 0);
      CHECK(wrong<columns>(target, "sums_of_halves", {0}, 256, seed) == 0);
      CHECK(wrong<columns>(target, "sums_of_triples", {0}, 256, seed) == 0);
      CHECK(wrong<row>(target, "sum_of_triples", {0}, 256, seed) == 0);
    }
}

TEST_CASE("accumulate_registers adds a result to each register that it is broadcast to") {
  auto const in = registers_with<mma_accumulator>(32, value_of);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    auto const out = run(target, "sums_to_each_register", in, 1, 32, in.size(), 0);
    for (std::size_t k = 0; k < in.size(); ++k) CHECK(out[k] == 4 * in[k] + in[k ^ 1]);
  }
}

TEST_CASE("a partial warp and threads without elements reduce as the host does") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (unsigned seed : {0u, 1u, 2u}) {
      CAPTURE(target, seed);
      CHECK(wrong<fours_of_300>(target, "fours_in_partial_warps", {1}, 300, seed) == 0);
      CHECK(wrong<fours_of_300>(target, "columns_in_partial_warps", {0}, 300, seed) == 0);
      CHECK(wrong<row_of_300>(target, "row_in_partial_warps", {0}, 300, seed) == 0);
      CHECK(wrong<eights_of_296>(target, "eights_beside_idle_lanes", {1}, 300, seed) == 0);
      CHECK(wrong<threes_of_30>(target, "threes_beside_idle_lanes", {1}, 70, seed) == 0);
      CHECK(wrong<from_thread_101>(target, "rows_from_thread_101", {1}, 500, seed) == 0);
      CHECK(wrong<from_thread_101>(target, "columns_from_thread_101", {0}, 500, seed) == 0);
    }
}

TEST_CASE("a softmax of blocks of scores, some of them masked, is right") {
  using F = mma_accumulator;
  std::size_t const n = 32 * F::size;
  std::vector<float> in(2 * n);
  for (std::size_t k = 0; k < in.size(); ++k)
    in[k] = static_cast<float>((k * 37) % 101) / 8 + (k < n ? 0.0f : 4.0f);
  oracle::map_table const map = axe_test::places_of(F::layout_type::value);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    auto const out = run(target, "softmax_of_blocks", in, 1, 32, n + 192, 0);
    auto const none = run(target, "softmax_of_nothing", in, 1, 32, n + 192, 0);
    for (std::size_t row = 0; row < 16; ++row) {
      double first = -1e30, largest = -1e30, sum = 0;
      for (std::size_t x = 8 * row; x < 8 * row + 8; ++x) {
        std::size_t const at = slot<F>(*map[x].begin());
        first = std::max(first, 0.5 * static_cast<double>(in[at]));
        largest = std::max({largest, first, 0.5 * static_cast<double>(in[n + at])});
      }
      for (std::size_t x = 8 * row; x < 8 * row + 8; ++x) {
        std::size_t const at = slot<F>(*map[x].begin());
        double const weight = std::exp2(0.5 * static_cast<double>(in[n + at]) - largest);
        sum += std::exp2(0.5 * static_cast<double>(in[at]) - largest) + weight;
        CAPTURE(target, row, x);
        CHECK(static_cast<double>(out[at]) == Approx(weight).epsilon(1e-5));
        CHECK(none[at] == 0);
      }
      // Lane 4 * (row mod 8) holds the result of the row in register row / 8.
      std::size_t const at = n + 8 * (row % 8) + row / 8;
      CHECK(static_cast<double>(out[at]) == Approx(std::exp2(first - largest)).epsilon(1e-5));
      CHECK(static_cast<double>(out[at + 64]) == Approx(1 / sum).epsilon(1e-5));
      CHECK(static_cast<double>(out[at + 128]) ==
            Approx(std::log(2.0) * (largest + std::log2(sum))).epsilon(1e-5));
      CHECK(none[at] == 1);
      CHECK(none[at + 64] == 0);
      CHECK(none[at + 128] == -std::numeric_limits<float>::infinity());
    }
  }
}

TEST_CASE("a broadcast maximum, casts in both directions, and a sum with an initial value") {
  auto const in = registers_with<mma_accumulator>(32, value_of);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    auto const out = run(target, "softmax_like", in, 1, 32, 64, 0);
    for (std::size_t row = 0; row < 16; ++row) {
      float largest = -1000, sum = 100;
      for (std::size_t c = 0; c < 8; ++c) largest = std::max(largest, value_of(row * 8 + c));
      for (std::size_t c = 0; c < 8; ++c)
        sum += value_of(row * 8 + c) - largest;  // below 256: exact in bf16
      for (std::size_t lane = 0; lane < 4; ++lane) {
        CAPTURE(target, row, lane);
        CHECK(out[(row % 8 * 4 + lane) * 2 + row / 8] == sum);
      }
    }
  }
}

TEST_CASE("casts to narrow floats and back keep each value in its register") {
  // Two bits of mantissa, which every type represents.
  auto const in = registers_with<mma_accumulator>(32, [](std::size_t x) {
    float const size =
        std::ldexp(static_cast<float>(4 + x / 2 % 4), static_cast<int>(x / 8 % 8) - 6);
    return x % 2 == 0 ? size : -size;
  });
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    auto const out = run(target, "casts", in, 1, 32, 4 * in.size(), 0);
    for (std::size_t k = 0; k < out.size(); ++k) {
      CAPTURE(target, k);
      CHECK(out[k] == in[k % in.size()]);
    }
    CHECK(run(target, "casts_of_narrow_floats", in, 1, 32, in.size(), 0) == in);
  }
}

TEST_CASE("all values of 8-bit floats are widened as by CUDA") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    auto const out = run(target, "casts_of_all_bytes", std::vector<float>(1), 1, 32, 6 * 256, 0);
    for (std::size_t k = 0; k < 2 * 256; ++k)
      for (std::size_t form : {256, 512}) {
        float const expected = out[k / 256 * 768 + k % 256];
        float const found = out[k / 256 * 768 + form + k % 256];
        CAPTURE(target, k, form, expected, found);
        CHECK(std::isnan(found) == std::isnan(expected));
        if (!std::isnan(expected)) {
          CHECK(found == expected);
          CHECK(std::signbit(found) == std::signbit(expected));
        }
      }
    auto const nans = std::count_if(out.begin(), out.end(), [](float v) { return std::isnan(v); });
    CHECK(nans == 3 * (2 + 6));
  }
}

TEST_CASE("casts to bytes truncate and saturate, and change no value that was rounded before") {
  auto const in = registers_with<mma_accumulator>(
      32, [](std::size_t x) { return static_cast<float>(x * 37 % 511) / 2 - 127.5f; });
  std::size_t const n = in.size();
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    auto const out = run(target, "casts_to_bytes", in, 1, 32, 6 * n, 0);
    for (std::size_t k = 0; k < n; ++k) {
      CAPTURE(target, in[k]);
      CHECK(out[k] == std::trunc(in[k]));
      CHECK(out[n + k] == std::nearbyint(in[k]));
      CHECK(out[2 * n + k] == std::trunc(2 * std::abs(in[k])));
      CHECK(out[3 * n + k] == (in[k] > 0 ? 1 : 0));
      CHECK(out[4 * n + k] == std::clamp(4 * in[k], -128.0f, 127.0f));
      CHECK(out[5 * n + k] == std::clamp(4 * in[k], 0.0f, 255.0f));
    }
    // Unsigned bytes are widened from whole words: a conversion of 16 bits needs more SASS.
    CHECK(text_of(target).find("cvt.rn.f32.u16") == std::string::npos);
    CHECK(axe_test::times(text_of(target), "casts_to_bytes", "prmt.b32") == 0);
  }
}

namespace {

/// Values that use all 32 bits, so that sums wrap around and minima are negative.
template <class T> T spread(std::size_t i) {
  return static_cast<T>(static_cast<unsigned>(i) * 2654435761u);
}

/// Reduces rows of `width` elements of the fragment F, and returns how many results are wrong.
template <class F, class Op>
int wrong_rows(std::string const& target, char const* entry, int threads, Op const& op,
               std::size_t width, axe::layout const& result, unsigned seed,
               typename F::value_type begin) {
  using T = typename F::value_type;
  oracle::map_table const map = axe_test::places_of(F::layout_type::value),
                          rows = axe_test::places_of(result);
  std::vector<T> in(static_cast<std::size_t>(threads) * F::size), expected(rows.size(), begin);
  for (std::size_t x = 0; x < map.size(); ++x)
    for (oracle::place const& at : map[x]) in[slot<F>(at)] = spread<T>(x);
  for (std::size_t x = 0; x < map.size(); ++x)
    expected[x / width] = op(expected[x / width], spread<T>(x));
  std::size_t const per_thread = rows.size() * rows[0].size() / static_cast<std::size_t>(threads);
  auto const out =
      run(target, entry, in, 1, threads, static_cast<std::size_t>(threads) * per_thread, seed);
  int count = 0;
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (oracle::place const& at : rows[y])
      count +=
          out[static_cast<std::size_t>(at[2]) * per_thread + static_cast<std::size_t>(at[1])] !=
          expected[y];
  return count;
}

}  // namespace

TEST_CASE("reductions by redux.sync and by shuffles have the right results") {
  auto const add = [](auto a, auto b) {
    return static_cast<decltype(a)>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
  };
  auto const smallest = [](auto a, auto b) { return b < a ? b : a; };
  auto const largest = [](auto a, auto b) { return a < b ? b : a; };
  auto const bits = [](int a, int b) { return a | b; };
  axe::layout const rows =
                        axe::plan_reduce(warp_rows<int>::layout_type::value, {3, 64}, {1}).result,
                    all = axe::plan_reduce(long_row_of<unsigned>::layout_type::value, {512}, {0})
                              .result,
                    of_eights = axe::plan_reduce(eights::layout_type::value, {4, 8}, {1}).result;
  int const highest = 0x7fffffff;
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"}))
    for (unsigned seed : {0u, 1u}) {
      CAPTURE(target, seed);
      using I = warp_rows<int>;
      using U = warp_rows<unsigned>;
      CHECK(wrong_rows<I>(target, "int_plus", 32, add, 64, rows, seed, 0) == 0);
      CHECK(wrong_rows<I>(target, "int_minimum", 32, smallest, 64, rows, seed, highest) == 0);
      CHECK(wrong_rows<U>(target, "unsigned_maximum", 32, largest, 64, rows, seed, 0) == 0);
      CHECK(wrong_rows<I>(target, "int_or", 32, bits, 64, rows, seed, 0) == 0);
      CHECK(wrong_rows<eights>(target, "int_plus_of_eights", 32, add, 8, of_eights, seed, 0) == 0);
      CHECK(wrong_rows<long_row_of<unsigned>>(target, "unsigned_plus_over_warps", 256, add, 512,
                                              all, seed, 7) == 0);
      CHECK(wrong_rows<warp_rows<float>>(target, "float_maximum", 32, largest, 64, rows, seed,
                                         -1) == 0);
    }
}

TEST_CASE("a plan with redux.sync has one for each result of a thread, and no shuffle") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    std::string const ptx = text_of(target);
    auto const counts_of = [&](char const* entry) {
      return std::make_pair(axe_test::times(ptx, entry, "redux.sync."),
                            axe_test::times(ptx, entry, "shfl.sync."));
    };
    CHECK(counts_of("int_plus") == std::make_pair(3, 0));
    CHECK(axe_test::times(ptx, "int_minimum", "redux.sync.min.s32") == 3);
    CHECK(axe_test::times(ptx, "unsigned_maximum", "redux.sync.max.u32") == 3);
    CHECK(counts_of("unsigned_plus_over_warps") == std::make_pair(1, 0));
    CHECK(counts_of("int_or") == std::make_pair(0, 15));
    CHECK(counts_of("int_plus_of_eights") == std::make_pair(0, 3));
    // Only sm_100a has redux.sync for floating-point numbers.
    CHECK(counts_of("float_maximum") ==
          (target == std::string("sm_100a") ? std::make_pair(3, 0) : std::make_pair(0, 15)));
    CHECK(counts_of("rows_of_mma") == std::make_pair(0, 4));
  }
}

TEST_CASE("casts between narrow floats convert pairs") {
  for (char const* target : axe_test::compiled_for({"sm_90a", "sm_100a"})) {
    std::string const ptx = text_of(target), entry = "casts_of_narrow_floats";
    for (char const* pair : {"e4m3x2.f16x2 ", "f16x2.e4m3x2 ", "e5m2x2.f32 ", "f16x2.e5m2x2 "})
      CHECK(axe_test::times(ptx, entry, pair) == mma_accumulator::size / 2);
  }
}

TEST_CASE("from sm_100 on, elementwise adds pairs of floats and multiplies them by a column") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    CAPTURE(target);
    std::string const ptx = text_of(target);
    bool const pairs = target == std::string("sm_100a");
    auto const counts_of = [&](char const* entry, std::string const& operation) {
      return std::pair(axe_test::times(ptx, entry, operation + ".f32 "),
                       axe_test::times(ptx, entry, operation + ".rn.f32x2 "));
    };
    CHECK(counts_of("sums_of_four_columns", "add") == (pairs ? std::pair(0, 4) : std::pair(8, 0)));
    CHECK(counts_of("products_with_a_column", "mul") ==
          (pairs ? std::pair(0, 4) : std::pair(8, 0)));
    CHECK(counts_of("squares_of_four_columns", "mul") == std::pair(8, 0));
    CHECK(counts_of("sums_of_seven_columns", "add") == std::pair(7, 0));

    std::vector<float> in(32 * four_columns::size);
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = value_of(k) / 3;
    auto const sums = run(target, "sums_of_four_columns", in, 1, 32, in.size(), 0);
    auto const products = run(target, "products_with_a_column", in, 1, 32, in.size(), 0);
    auto const odd = run(target, "sums_of_seven_columns", in, 1, 32, 7 * 32, 0);
    for (std::size_t k = 0; k < in.size(); ++k) {
      CHECK(sums[k] == in[k] + in[k]);
      CHECK(products[k] == in[k] * in[k - k % 4]);
    }
    for (std::size_t k = 0; k < odd.size(); ++k) CHECK(odd[k] == in[k] + in[k]);
  }
}

TEST_CASE("a thread of a block finds its place in the scratch without superfluous masks") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    std::string const ptx = text_of(target);
    // The lane and the warp have adjacent places, so the thread number is one digit of the place.
    CHECK(axe_test::times(ptx, "sums_of_many_columns", "shr.u32") == 0);
  }
}

TEST_CASE(
    "a maximum of floats and halves ignores NaNs and prefers +0 to -0, by shuffles and by "
    "redux.sync") {
  using F = warp_rows<float>;
  float const nan = std::numeric_limits<float>::quiet_NaN();
  // Three rows of 64 elements: NaNs and two numbers, NaNs only, and zeros of both signs.
  std::vector<float> in(32 * F::size);
  oracle::map_table const map = axe_test::places_of(F::layout_type::value);
  for (std::size_t x = 0; x < map.size(); ++x) {
    std::size_t const row = x / 64, column = x % 64;
    float const value = row == 0       ? (column == 5    ? -7.0f
                                          : column == 40 ? -3.0f
                                                         : nan)
                        : row == 1     ? nan
                        : column == 17 ? 0.0f
                                       : -0.0f;
    for (oracle::place const& at : map[x]) in[slot<F>(at)] = value;
  }
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    CAPTURE(target);
    for (char const* entry : {"float_maximum", "f16_maximum", "bf16_maximum"}) {
      CAPTURE(entry);
      auto const out = run(target, entry, in, 1, 32, 96, 0);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        CHECK(out[3 * lane] == -3.0f);
        CHECK(std::isnan(out[3 * lane + 1]));
        CHECK((out[3 * lane + 2] == 0.0f && !std::signbit(out[3 * lane + 2])));
      }
    }
    // A thread folds its registers of two rows together, without comparisons.
    CHECK(axe_test::times(text_of(target), "f16_maximum", "setp.lt.f16") == 0);
  }
}
