// Compares the output of a kernel with the expected one: bit by bit if data is only moved, and
// within a tolerance if it is computed.
#pragma once

#include "device.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace example {

/// Allows |got - expected| <= absolute + relative * |expected|. If relative and absolute are 0, the
/// bits must be the same.
struct tolerance {
  double relative = 0, absolute = 0;
  bool exact() const { return relative == 0 && absolute == 0; }
};

template <class T> double number(T const& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else if constexpr (std::is_constructible_v<float, T const&>)
    return static_cast<double>(static_cast<float>(value));
  else
    return std::nan("");  // other types are compared bit by bit
}

inline std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

/// Counts differences. Keeps the first one and the largest error.
struct comparison {
  integer compared = 0, wrong = 0, first = 0;
  double got = 0, expected = 0, largest = 0;
  std::string sentence;

  bool differing() const { return wrong != 0; }
  void say(std::string const& what) { sentence += (sentence.empty() ? "" : "; ") + what; }

  template <class T, class U>
  void add(integer index, T const& value, U const& should, tolerance within) {
    ++compared;
    double const a = number(value), b = number(should), error = std::fabs(a - b);
    bool good;
    if (within.exact()) {
      T const as_stored = static_cast<T>(should);
      good = std::memcmp(&value, &as_stored, sizeof(T)) == 0;
    } else {
      // A NaN fails both comparisons. Equal infinities pass the first one.
      good = a == b || error <= within.absolute + within.relative * std::fabs(b);
    }
    if (!std::isnan(error)) largest = std::max(largest, error);
    if (good) return;
    if (wrong++ == 0) first = index, got = a, expected = b;
  }

  std::string text(char const* output, extents const& shape) const {
    std::string out;
    if (wrong != 0)
      out = std::string(output) + coordinate(shape, first) + " is " + text_of(got) + ", expected " +
            text_of(expected) + "; " + std::to_string(wrong) + " of " + std::to_string(compared) +
            " elements are wrong";
    if (!sentence.empty()) out += (out.empty() ? std::string(output) + ": " : "; ") + sentence;
    return out;
  }
};

}  // namespace example
