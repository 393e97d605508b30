// Helpers of tests of whole kernels: arrays on a device, the texts of kernels/, random numbers.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "machine.hpp"
#include "support/catch.hpp"

namespace machine_test {

inline std::string kernel_text(std::string const& name) {
  std::ifstream file(std::string(MACHINE_KERNELS) + "/" + name + ".ptx");
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// An array in device memory, freed by its destructor.
template <class T> class array {
 public:
  array(machine::device& on, std::vector<T> const& values) : array(on, values.size()) {
    on_->copy_in(address_, values.data(), values.size() * sizeof(T));
  }
  /// Allocates uninitialised memory.
  array(machine::device& on, std::size_t count)
      : on_(&on), count_(count), address_(on.allocate(count * sizeof(T))) {}
  ~array() { on_->free(address_); }
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> out(count_);
    on_->copy_out(out.data(), address_, count_ * sizeof(T));
    return out;
  }
  operator machine::argument() const {
    return machine::argument(address_);
  }  // NOLINT: implicit, so that arrays are arguments of a launch

 private:
  machine::device* on_;
  std::size_t count_;
  std::uint64_t address_;
};

/// Runs `act`, which must throw, and returns the report.
template <class Act> machine::report thrown_by(Act act) {
  try {
    act();
  } catch (machine::error const& caught) {
    UNSCOPED_INFO(caught.what());
    return caught.details();
  }
  FAIL("expected an error, and nothing was wrong");
  return {};
}

/// A small random generator with the same sequence on every host.
struct noise {
  std::uint64_t state;
  explicit noise(std::uint64_t seed) : state(seed * 2 + 1) {}
  std::uint64_t operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1dull;
  }
  float uniform() {
    return static_cast<float>(operator()() >> 40) / static_cast<float>(1 << 24) - 0.5f;
  }
};

}  // namespace machine_test
