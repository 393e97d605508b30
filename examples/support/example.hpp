// Host code that kernel examples share: command line, arrays, random inputs, comparison, launches.
// No kernel and no header of the library includes it.
//
//     return example::run(argc, argv, {"which_lane", {"m", "n"}, "16x8"}, [](problem& p) { … });
//
// examples/support/README.md shows a whole program.
#pragma once

#include "launch.hpp"
#include "problem.hpp"

namespace example {

namespace detail {

/// Reads "136x200x72" as numbers. Empty if it is not a size with that many dimensions.
inline extents numbers_of(std::string const& text, std::size_t dimensions) {
  extents found;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t const end = std::min(text.find('x', at), text.size());
    std::string const word = text.substr(at, end - at);
    if (word.empty() || word.size() > 10 ||
        word.find_first_not_of("0123456789") != std::string::npos)
      return {};
    found.push_back(std::stoll(word));
    if (found.back() == 0) return {};
    at = end + 1;
  }
  return found.size() == dimensions ? found : extents{};
}

inline std::vector<std::string> words_of(std::string const& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

inline std::string size_words(description const& what) {
  std::string text;
  for (char const* const each : what.dimensions)
    text += (text.empty() ? "" : " x ") + std::string(each);
  return text;
}

[[noreturn]] inline void print_usage(description const& what, std::FILE* to) {
  std::fprintf(
      to,
      "usage: %s [options] [SIZE...]\n"
      "  SIZE            %s, such as %s\n"
      "  --seed N        the seed of the random inputs (default: 1)\n"
      "  --bench         also measure the time, on a GPU\n"
      "  --results FILE  append the measurements to FILE, one line of JSON each\n"
      "  --dump DIR      write the outputs into DIR\n"
      "  --compare DIR   compare the outputs with those in DIR\n"
      "exit code: 0, 1 when a result is wrong, 2 for a wrong command line, 4 without a GPU\n",
      what.name, size_words(what).c_str(), what.sizes);
  std::exit(to == stdout ? right : wrong_usage);
}

inline request read(int argc, char** argv, description const& what) {
  request asked;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    std::string* const text = word == "--results"   ? &asked.results
                              : word == "--dump"    ? &asked.dump
                              : word == "--compare" ? &asked.compare
                                                    : nullptr;
    if (word == "--help" || word == "-h") print_usage(what, stdout);
    if (word == "--bench") {
      asked.bench = true;
    } else if (text != nullptr || word == "--seed") {
      if (i + 1 == argc) {
        std::fprintf(stderr, "%s: %s needs a value\n", what.name, word.c_str());
        print_usage(what, stderr);
      }
      std::string const value = argv[++i];
      if (text != nullptr) *text = value;
      if (text == nullptr && (value.empty() || value.size() > 9 ||
                              value.find_first_not_of("0123456789") != std::string::npos)) {
        std::fprintf(stderr, "%s: --seed needs a number of at most 9 digits, not '%s'\n", what.name,
                     value.c_str());
        print_usage(what, stderr);
      }
      if (text == nullptr) asked.seed = std::stoull(value);
    } else if (word.starts_with("-")) {
      std::fprintf(stderr, "%s: no option is called '%s'\n", what.name, word.c_str());
      print_usage(what, stderr);
    } else {
      asked.sizes.push_back(word);
    }
  }
  if (asked.sizes.empty()) asked.sizes = words_of(what.sizes);
  for (auto const& each : asked.sizes) {
    if (!numbers_of(each, what.dimensions.size()).empty()) continue;
    std::fprintf(stderr, "%s: '%s' is not a size; a size is %s, such as %s\n", what.name,
                 each.c_str(), size_words(what).c_str(), words_of(what.sizes).front().c_str());
    std::exit(wrong_usage);
  }
  return asked;
}

}  // namespace detail

/// Calls `body(problem&)` for each size of the command line. Returns the exit code of the program.
template <class Body> int run(int argc, char** argv, description const& what, Body const& body) {
  request const asked = detail::read(argc, argv, what);
  std::string const& device = device_name();
  int result = right;
  for (auto const& size : asked.sizes) {
    problem p(what, asked, size, detail::numbers_of(size, what.dimensions.size()));
    body(p);
    check(cudaDeviceSynchronize());
    if (p.is_wrong()) result = wrong;
    std::printf("%s %s: %s%s%s, on %s\n", what.name, size.c_str(), p.is_wrong() ? "WRONG" : "right",
                p.summary().empty() ? "" : ": ", p.summary().c_str(), device.c_str());
    std::fflush(stdout);
  }
  return result;
}

}  // namespace example
