// Appends what the library prints to a std::string of any length.
//
//     std::string line;  sink out{line};  axe::print(out, tile);
#pragma once

#include <axe/config.hpp>

#include <charconv>
#include <string>

namespace text {

class sink {
 public:
  explicit sink(std::string& end_of) : to(&end_of) {}

  void put(char c) { to->push_back(c); }
  void put(char const* words) { to->append(words); }
  void put(axe::integer n) {
    char digits[24];
    to->append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
  }

 private:
  std::string* to;
};

template <class T> std::string printed(T const& value) {
  std::string out;
  sink to(out);
  print(to, value);
  return out;
}

}  // namespace text
