// Makes random numbers from a seed.
//
//     axe_test::dice<int> d(7);
//     d.below(6), d.between(2, 6)         0 to 5, 2 to 6
//     d.one_in(6), d.chance(30)           true with a probability of 1/6, of 30 %
//     d.one_of({1, 2, 4}), d.factors(12, 2)    one of the list; {12}, {2, 6}, {3, 2, 2}, …
//
// The numbers are remainders, because std::uniform_int_distribution differs between libraries.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <vector>

namespace axe_test {

template <class Number, class Engine = std::mt19937_64> struct dice {
  Engine engine;

  explicit dice(typename Engine::result_type seed) : engine(seed) {}

  Number below(Number n) {
    return static_cast<Number>(engine() % static_cast<unsigned long long>(n));
  }
  Number between(Number least, Number most) { return least + below(most - least + 1); }
  bool one_in(Number n) { return below(n) == 0; }
  bool chance(Number percent) { return below(100) < percent; }
  template <class T> T one_of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<Number>(list.size()))];
  }
  template <class T> T one_of(std::vector<T> const& list) {
    return list[static_cast<std::size_t>(below(static_cast<Number>(list.size())))];
  }
  /// Cuts an extent into random factors. With probability 1/rest, a factor is all that is left.
  std::vector<Number> factors(Number extent, Number rest) {
    std::vector<Number> out;
    while (extent > 1) {
      std::vector<Number> divisors;
      for (Number d = 2; d <= extent; ++d)
        if (extent % d == 0) divisors.push_back(d);
      out.push_back(one_in(rest) ? extent : one_of(divisors));
      extent /= out.back();
    }
    return out;
  }
};

/// The number of samples of a random test: AXE_TEST_SAMPLES, or 100,000.
inline int samples_from_environment() {
  char const* const given = std::getenv("AXE_TEST_SAMPLES");
  return given == nullptr ? 100'000 : std::atoi(given);
}
/// The number of random cases of a test that draws `n` with 100,000 samples.
inline int drawn(int n) {
  return std::max(1, static_cast<int>(n * (samples_from_environment() / 100'000.0)));
}
/// Draws the cases that a test takes from an enumeration: all of them with 100,000 samples.
///
///     if (is_drawn()) require_agrees(l, map_only);
struct drawn_cases {
  std::mt19937 engine{1};
  int const samples = samples_from_environment();

  bool operator()() { return static_cast<int>(engine() % 100'000) < samples; }
};
/// AXE_TEST_SEED, or `seed`.
inline unsigned long long seed_from_environment(unsigned long long seed) {
  char const* const given = std::getenv("AXE_TEST_SEED");
  return given == nullptr ? seed : std::strtoull(given, nullptr, 10);
}

}  // namespace axe_test
