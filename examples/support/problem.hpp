// One problem of an example: its size from the command line, its inputs and its expected outputs.
//
//     auto const [rows, columns] = p.size<2>();
//     auto const in = p.normal<float>({rows, columns});
//     auto out = p.poisoned<float>({columns, rows});
//     p.expect("out", out, [&](auto i) { return in[i % rows * columns + i / rows]; });
//
// README.md of this folder has a whole program, the options and the exit codes.
#pragma once

#include "compare.hpp"
#include "random.hpp"

#include <array>
#include <cstdint>
#include <fstream>

namespace example {

struct description {
  char const* name;
  std::vector<char const*> dimensions;  // the names of a size's dimensions
  char const* sizes;                    // the sizes that run by default
};

struct request {
  std::uint64_t seed = 1;
  bool bench = false;
  std::string results;  // figures are appended to this file
  std::string dump;     // outputs are written into this folder
  std::string compare;  // outputs are compared with those in this folder
  std::vector<std::string> sizes;
};

class problem {
 public:
  problem(description const& what_, request const& asked_, std::string const& size_,
          extents const& sizes_)
      : what(what_), asked(asked_), name(size_), sizes(sizes_) {}

  template <int N> std::array<integer, N> size() const {
    std::array<integer, N> found{};
    for (int k = 0; k < N; ++k)
      found[static_cast<std::size_t>(k)] = sizes.at(static_cast<std::size_t>(k));
    return found;
  }
  /// True if the program measures in addition to checking.
  bool bench() const { return asked.bench; }

  /// An input of normally distributed random numbers, rounded to T.
  template <class T> array<T> normal(extents const& shape, float scale = 1) {
    return array<T>(shape,
                    example::normal<T>(count_of(shape), asked.seed * 1000 + ++inputs, scale));
  }
  /// An input whose element k is f(k).
  template <class T, class F> array<T> filled(extents const& shape, F f) {
    std::vector<T> values(static_cast<std::size_t>(count_of(shape)));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = f(static_cast<integer>(k));
    return array<T>(shape, std::move(values));
  }
  /// An output whose elements are NaN, to find those that the kernel does not write.
  template <class T> array<T> poisoned(extents const& shape) { return array<T>(shape); }

  /// Ends the program with a sentence and exit code 2 if the kernel does not support the size.
  void require(bool holds, char const* sentence) const {
    if (holds) return;
    std::fprintf(stderr, "%s %s: %s\n", what.name, name.c_str(), sentence);
    std::exit(wrong_usage);
  }

  /// Compares an output with expected(k), where k counts elements row-major: bit by bit, or within
  /// a tolerance. `cost` is the number of operations of expected(k). If all elements together need
  /// more than 2^30 operations, only the first, the last and 4094 random elements are compared.
  template <class T, class Expected>
  void expect(char const* output, array<T> const& got, Expected const& expected,
              tolerance within = {}, integer cost = 1) {
    check(cudaDeviceSynchronize());
    std::vector<T> const values = got.fetch();
    comparison found;
    integer const n = got.size();
    bool const all = static_cast<double>(n) * static_cast<double>(cost) <= 0x1p30;
    for (integer k = 0; k < (all ? n : 4096); ++k) {
      integer const at = all ? k : sampled(k, n);
      T const& value = values[static_cast<std::size_t>(at)];
      found.add(at, value, expected(at), within);
    }
    if (!got.intact()) found.say("bytes before or after the array were written");
    tell(output, found, got.shape, within);
    if (!asked.dump.empty()) write(asked.dump, output, values);
    if (!asked.compare.empty()) same_as_before(output, values, got.shape, within);
  }

  bool is_wrong() const { return failed; }
  std::string const& size_text() const { return name; }
  char const* example_name() const { return what.name; }
  request const& options() const { return asked; }
  std::string const& summary() const { return said; }

 private:
  /// Element k of a sample of n elements: the first, the last, then random ones.
  static integer sampled(integer k, integer n) {
    if (k == 0) return 0;
    if (k == 1) return n - 1;
    return static_cast<integer>(mixed(static_cast<std::uint64_t>(k)) %
                                static_cast<std::uint64_t>(n));
  }
  void tell(char const* output, comparison const& found, extents const& shape, tolerance within) {
    if (!found.differing() && found.sentence.empty()) {
      said += (said.empty() ? "" : ", ") + std::string(output) + " " +
              std::to_string(found.compared) +
              (within.exact() ? " elements bit by bit"
                              : " elements, largest error " + text_of(found.largest));
      return;
    }
    failed = true;
    std::printf("%s %s: %s\n", what.name, name.c_str(), found.text(output, shape).c_str());
  }
  std::string file(std::string const& folder, char const* output) const {
    return folder + "/" + what.name + "." + name + "." + output + ".bin";
  }
  template <class T>
  void write(std::string const& folder, char const* output, std::vector<T> const& values) {
    std::ofstream out(file(folder, output), std::ios::binary);
    out.write(reinterpret_cast<char const*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(T)));
    if (out.flush()) return;
    std::fprintf(stderr, "cannot write %s\n", file(folder, output).c_str());
    std::exit(wrong_usage);
  }
  /// Compares with the output of an earlier run. Moved data must be equal bit by bit. If data was
  /// computed, prints the number of differences and the largest one.
  template <class T>
  void same_as_before(char const* output, std::vector<T> const& values, extents const& shape,
                      tolerance within) {
    std::ifstream in(file(asked.compare, output), std::ios::binary);
    std::vector<T> before(values.size());
    in.read(reinterpret_cast<char*>(before.data()),
            static_cast<std::streamsize>(before.size() * sizeof(T)));
    if (!in || in.peek() != std::ifstream::traits_type::eof()) {
      std::fprintf(stderr, "%s is missing, or has another size\n",
                   file(asked.compare, output).c_str());
      std::exit(wrong_usage);
    }
    comparison found;
    for (std::size_t k = 0; k < values.size(); ++k)
      found.add(static_cast<integer>(k), values[k], before[k], {});
    if (found.differing() && within.exact()) {
      failed = true;
      std::printf("%s %s: differs from the compared run: %s\n", what.name, name.c_str(),
                  found.text(output, shape).c_str());
    }
    said += found.differing() ? " (" + std::to_string(found.wrong) + " differ from those of " +
                                    asked.compare + ", by " + text_of(found.largest) + " at most)"
                              : " (the same bits as in " + asked.compare + ")";
  }

  description const& what;
  request const& asked;
  std::string name;
  extents sizes;
  std::uint64_t inputs = 0;
  bool failed = false;
  std::string said;
};

}  // namespace example
