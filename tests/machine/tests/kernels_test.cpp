// Compares the kernels of kernels/, compiled by nvcc, with the host.
#include <cmath>
#include <numeric>

#include "support_machine.hpp"

using machine::device;
using machine::load;
using machine_test::array;
using machine_test::kernel_text;
using machine_test::noise;

TEST_CASE("saxpy equals the host for sizes that are not multiples of the block", "[kernels]") {
  device on;
  auto program = load(kernel_text("saxpy"), on);
  for (int const n : {1, 31, 256, 1000, 100'003}) {
    noise random(static_cast<std::uint64_t>(n));
    std::vector<float> x(static_cast<std::size_t>(n)), y(x.size());
    for (auto& each : x) each = random.uniform();
    for (auto& each : y) each = random.uniform();
    array<float> const dx(on, x), dy(on, y);
    program.launch("saxpy", {static_cast<unsigned>(n + 255) / 256}, {256}, {}, 0,
                   {dy, dx, 2.5f, n});
    auto const got = dy.values();
    for (std::size_t i = 0; i < x.size(); ++i) REQUIRE(got[i] == std::fma(2.5f, x[i], y[i]));
  }
}

TEST_CASE("a sum with shuffles, shared memory and an atomic equals the host's", "[kernels]") {
  device on;
  auto program = load(kernel_text("reduce"), on);
  std::vector<float> x(10'007);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13);
  array<float> const dx(on, x), total(on, std::vector<float>{0.0f});
  program.launch("sum", {5}, {224}, {}, 0, {total, dx, static_cast<int>(x.size())});
  CHECK(total.values()[0] == std::accumulate(x.begin(), x.end(), 0.0f));
}

TEST_CASE("votes, matches, reductions and shuffles of a warp give the host's results",
          "[kernels]") {
  device on;
  auto program = load(kernel_text("reduce"), on);
  std::vector<unsigned> x(32);
  for (unsigned i = 0; i < 32; ++i) x[i] = i * i * 7 % 311;
  array<unsigned> const in(on, x), out(on, std::size_t{12 * 32});
  program.launch("collective", {1}, {32}, {}, 0, {out, in});
  auto const got = out.values();
  unsigned odd = 0, sum = 0, most = 0, parity = 0;
  for (unsigned i = 0; i < 32; ++i) {
    odd |= (x[i] & 1u) << i;
    sum += x[i];
    most = std::max(most, x[i]);
    parity ^= x[i];
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned same = 0;
    for (unsigned i = 0; i < 32; ++i) same |= static_cast<unsigned>(x[i] % 5 == x[lane] % 5) << i;
    CHECK(got[lane] == odd);
    CHECK(got[32 + lane] == 1);
    CHECK(got[64 + lane] == 1);
    CHECK(got[96 + lane] == same);
    CHECK(got[128 + lane] == sum);
    CHECK(got[160 + lane] == most);
    CHECK(got[192 + lane] == parity);
    CHECK(got[224 + lane] == x[lane / 8 * 8 + lane * 3 % 8]);
    CHECK(got[256 + lane] == x[lane % 16 >= 3 ? lane - 3 : lane]);
    CHECK(got[288 + lane] == 0);
    CHECK(got[320 + lane] == static_cast<unsigned>(std::popcount(odd)));
    CHECK(got[352 + lane] == 1);
  }
}

TEST_CASE("transpose and reverse through shared memory give the host's results", "[kernels]") {
  device on;
  auto program = load(kernel_text("transpose"), on);
  int const rows = 75, columns = 130;
  std::vector<float> x(static_cast<std::size_t>(rows * columns));
  std::iota(x.begin(), x.end(), 0.0f);
  array<float> const in(on, x), out(on, x.size());
  program.launch("transpose", {(columns + 31) / 32, (rows + 31) / 32}, {32, 8}, {}, 0,
                 {out, in, rows, columns});
  auto const got = out.values();
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      REQUIRE(got[static_cast<std::size_t>(c * rows + r)] ==
              x[static_cast<std::size_t>(r * columns + c)]);

  std::vector<int> y(3 * 100);
  std::iota(y.begin(), y.end(), 0);
  array<int> const from(on, y), to(on, y.size());
  program.launch("reverse", {3}, {100}, {}, 400, {to, from});
  auto const reversed = to.values();
  for (int i = 0; i < 300; ++i)
    REQUIRE(reversed[static_cast<std::size_t>(i)] == i / 100 * 100 + 99 - i % 100);
}

TEST_CASE("atomics on shared and global memory give the host's results", "[kernels]") {
  device on;
  auto program = load(kernel_text("histogram"), on);
  noise random(7);
  std::vector<unsigned char> values(20'011);
  std::vector<unsigned> expected(256, 0);
  for (auto& each : values) ++expected[each = static_cast<unsigned char>(random() % 256)];
  array<unsigned char> const in(on, values);
  array<unsigned> const bins(on, std::vector<unsigned>(256, 0));
  program.launch("histogram", {6}, {192}, {}, 0, {bins, in, static_cast<int>(values.size())});
  CHECK(bins.values() == expected);
}

TEST_CASE("lanes that spin do not starve other lanes", "[kernels]") {
  device on;
  auto program = load(kernel_text("histogram"), on);
  SECTION("a lock that the lanes of a warp take one after the other") {
    array<int> const lock(on, std::vector<int>{0}), counter(on, std::vector<int>{0});
    program.launch("with_lock", {2}, {96}, {}, 0, {lock, counter});
    CHECK(counter.values()[0] == 192);
  }
  SECTION("blocks that wait for later blocks") {
    array<int> const flags(on, std::vector<int>(6, 0)), order(on, std::size_t{5});
    program.launch("chain", {5}, {32}, {}, 0, {flags, order});
    CHECK(order.values() == std::vector<int>{4, 3, 2, 1, 0});
  }
}

TEST_CASE("divergent loops and branch tables give the host's results", "[kernels]") {
  device on;
  auto program = load(kernel_text("divergence"), on);
  std::vector<unsigned> start(256);
  std::iota(start.begin(), start.end(), 1u);
  array<unsigned> const in(on, start);
  array<int> const steps(on, start.size());
  program.launch("collatz", {4}, {64}, {}, 0, {steps, in});
  auto const got = steps.values();
  for (std::size_t i = 0; i < start.size(); ++i) {
    int count = 0;
    for (unsigned long long x = start[i]; x != 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) ++count;
    REQUIRE(got[i] == count);
  }

  std::vector<int> which(96), value(96);
  for (int i = 0; i < 96; ++i)
    which[static_cast<std::size_t>(i)] = (i * 5) % 10,
    value[static_cast<std::size_t>(i)] = 1000 - 33 * i;
  array<int> const cases(on, which), out(on, value);
  program.launch("choose", {1}, {96}, {}, 0, {out, cases});
  auto const chosen = out.values();
  for (std::size_t i = 0; i < 96; ++i) {
    int const v = value[i];
    int const expected[] = {v + 17, v * 3, v ^ 0x55, v >> 2, -v, v / 7, v | 64, v % 11, -1, -1};
    REQUIRE(chosen[i] == expected[which[i]]);
  }
}

TEST_CASE("recursion, function pointers and 128-bit division give the host's results",
          "[kernels]") {
  device on;
  auto program = load(kernel_text("calls"), on);
  array<int> const out(on, std::size_t{64});
  program.launch("recursion", {1}, {64}, {}, 0, {out});
  int const fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (std::size_t i = 0; i < 64; ++i) REQUIRE(out.values()[i] == fibonacci[i % 12]);

  std::vector<int> which(64);
  for (std::size_t i = 0; i < 64; ++i) which[i] = static_cast<int>(i * 7 % 3);
  array<int> const chosen(on, which);
  program.launch("through_pointers", {1}, {64}, {}, 0, {out, chosen});
  for (int i = 0; i < 64; ++i) {
    int const expected[] = {2 * i, i * i, -i};
    REQUIRE(out.values()[static_cast<std::size_t>(i)] ==
            expected[which[static_cast<std::size_t>(i)]]);
  }

  noise random(3);
  std::vector<std::uint64_t> numbers(4 * 128);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = random() >> (random() % 64);
  for (std::size_t i = 0; i < 128; ++i) {
    if (i % 3 == 0) numbers[4 * i + 2] = 0;  // a 64-bit divisor
    numbers[4 * i + 3] |= 1;
  }
  array<std::uint64_t> const in(on, numbers), quotients(on, std::size_t{6 * 128});
  program.launch("divide", {1}, {128}, {}, 0, {quotients, in});
  auto const got = quotients.values();
  __extension__ using u128 = unsigned __int128;
  for (std::size_t i = 0; i < 128; ++i) {
    u128 const a = static_cast<u128>(numbers[4 * i]) << 64 | numbers[4 * i + 1];
    u128 const b = static_cast<u128>(numbers[4 * i + 2]) << 64 | numbers[4 * i + 3];
    REQUIRE(got[6 * i] == static_cast<std::uint64_t>((a / b) >> 64));
    REQUIRE(got[6 * i + 1] == static_cast<std::uint64_t>(a / b));
    REQUIRE(got[6 * i + 2] == static_cast<std::uint64_t>((a % b) >> 64));
    REQUIRE(got[6 * i + 3] == static_cast<std::uint64_t>(a % b));
    REQUIRE(got[6 * i + 4] == numbers[4 * i + 1] / (numbers[4 * i + 3] | 1));
    REQUIRE(static_cast<std::int64_t>(got[6 * i + 5]) ==
            static_cast<std::int64_t>(numbers[4 * i]) %
                static_cast<std::int64_t>(numbers[4 * i + 3] | 1));
  }
}

TEST_CASE("CUDA library functions are within their documented errors", "[kernels]") {
  device on;
  auto program = load(kernel_text("calls"), on);
  std::vector<float> x(128);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = (static_cast<float>(i) - 60.0f) * (i % 2 == 0 ? 1.37f : 100'000.7f);
  array<float> const in(on, x), out(on, std::size_t{4 * 128});
  array<double> const wide(on, std::size_t{2 * 128});
  program.launch("functions_of_float", {1}, {128}, {}, 0, {out, in, wide});
  auto const got = out.values();
  auto const precise = wide.values();
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO("x = " << x[i]);
    CHECK(std::abs(got[4 * i] - std::sin(static_cast<double>(x[i]))) < 3e-7);
    CHECK(std::abs(got[4 * i + 1] / std::exp(static_cast<double>(x[i] * 0.00001f)) - 1) < 4e-7);
    CHECK(std::abs(got[4 * i + 2] - std::pow(std::abs(static_cast<double>(x[i])), 0.25)) < 1e-5);
    CHECK(got[4 * i + 3] == x[i] / 3.0f);
    CHECK(std::abs(precise[2 * i] - std::cos(static_cast<double>(x[i]))) < 1e-15);
    CHECK(std::abs(precise[2 * i + 1] - std::log(std::abs(static_cast<double>(x[i])) + 1.0)) <
          4e-15);
  }
}

TEST_CASE("printf prints each thread's text", "[kernels]") {
  device on;
  auto program = load(kernel_text("calls"), on);
  auto const done = program.launch("prints", {1}, {32}, {}, 0, {7});
  CHECK(done.output ==
        "thread 0 of 7:  0.00|text  |0000beef|-5000000000 x%\n"
        "thread 1 of 7:  1.50|text  |0000bef0|-5000000000 x%\n");
}
