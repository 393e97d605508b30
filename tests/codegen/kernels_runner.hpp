// Runs one form of the kernels of benchmarks/index on the PTX machine (tests/machine), and converts
// between float and half.
#pragma once

#include "machine.hpp"
#include "support/ptx.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

/// A device, and the program that has one form, "hand" or "axe", of all kernels.
class runner {
 public:
  runner(std::string form, std::string const& target)
      : form_(std::move(form)), program_(machine::load(text_of(form_, target), device_)) {}

  /// Copies the values to device memory and returns their address there.
  template <class T> T* put(std::vector<T> const& values) {
    auto const at = device_.allocate(values.size() * sizeof(T));
    device_.copy_in(at, values.data(), values.size() * sizeof(T));
    return reinterpret_cast<T*>(static_cast<std::uint64_t>(at));
  }
  template <class T> T* zeros(std::size_t count) { return put(std::vector<T>(count)); }
  template <class T> std::vector<T> get(T const* from, std::size_t count) {
    std::vector<T> values(count);
    device_.copy_out(values.data(), reinterpret_cast<std::uint64_t>(from), count * sizeof(T));
    return values;
  }
  void launch(std::string const& kernel, machine::extent3 grid, unsigned threads,
              std::vector<machine::argument> const& by_hand,
              std::vector<machine::argument> const& by_axe) {
    machine::launch_options options;
    options.strict = true;
    options.threads = 1;
    options.count = true;
    auto const done = program_.launch(form_ + "_" + kernel, grid, {threads, 1, 1}, {}, 0,
                                      form_ == "hand" ? by_hand : by_axe, options);
    for (auto const& [kind, n] : done.counts->kinds)
      if (kind != "move" && kind != "parameters") executed_[kernel] += n.warp;
  }
  /// The warp instructions that each kernel has executed, without moves and loads of parameters.
  std::map<std::string, std::uint64_t> const& executed() const { return executed_; }
  bool compiled_by(std::string const& release) const {
    return program_.source().text->find("release " + release + ",") != std::string::npos;
  }

 private:
  static std::string text_of(std::string const& form, std::string const& target) {
    return axe_test::ptx_of(AXE_CODEGEN_PTX, "all_" + form, target);
  }
  std::string form_;
  machine::device device_;
  machine::module program_;
  std::map<std::string, std::uint64_t> executed_;
};

/// Rounds 0 or a number of size 2^-14 to 65504 to the nearest half.
inline std::uint16_t half_of(float x) {
  if (x == 0) return 0;
  int power = 0;
  float const fraction = std::frexp(std::abs(x), &power);  // at least 0.5 and below 1
  auto const digits = static_cast<unsigned>(std::nearbyint(std::ldexp(fraction, 11)));
  unsigned const bits = (static_cast<unsigned>(power + 13) << 10) + digits;
  return static_cast<std::uint16_t>((bits) | (x < 0 ? 0x8000u : 0u));
}
inline float float_of(std::uint16_t bits) {
  int const power = bits >> 10 & 31;
  auto const digits = static_cast<float>((bits & 1023) | (power != 0 ? 1024 : 0));
  float const size = std::ldexp(digits, (power != 0 ? power : 1) - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}
