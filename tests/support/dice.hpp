// Makes random numbers from a seed.
//
//     axe_test::dice<int> d(7);
//     d.below(6)                0 to 5
//     d.between(2, 6)           2 to 6
//     d.one_in(6)               true with probability 1/6;  d.one_of({1, 2, 4}): one of the list
//     d.chance(30)              true with a probability of 30 %
//
// The numbers are remainders, because std::uniform_int_distribution differs between libraries.
#pragma once

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
};

}  // namespace axe_test
