// Loads the kernels of this suite and launches them on the PTX machine (tests/machine) with strict
// checks.
#pragma once

#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "support/targets.hpp"

namespace loops {

inline std::string text_of(std::string const& kernels, std::string const& target) {
  return axe_test::ptx_of(AXE_LOOPS_PTX, kernels, target);
}

/// A device and the kernels of one file.
struct loaded {
  machine::device device;
  machine::module program;
  std::uint64_t executed = 0;  // instructions of all warps in the last launch
  std::string printed;         // what the last launch printed, even if it failed

  loaded(std::string const& kernels, std::string const& target)
      : program(machine::load(text_of(kernels, target), device)) {}

  template <class T> T* put(std::vector<T> const& values) {
    std::uint64_t const at = device.allocate(values.size() * sizeof(T));
    device.copy_in(at, values.data(), values.size() * sizeof(T));
    return reinterpret_cast<T*>(at);
  }
  template <class T> std::vector<T> get(T const* from, std::size_t count) {
    std::vector<T> values(count);
    device.copy_out(values.data(), reinterpret_cast<std::uint64_t>(from), count * sizeof(T));
    return values;
  }
  std::string launch(char const* entry, machine::extent3 grid, std::uint32_t threads,
                     std::vector<machine::argument> const& arguments) {
    machine::launch_options options;
    options.count = true;
    options.strict = true;
    options.when = machine::landing::late;
    options.output = &printed;
    printed.clear();
    machine::result const result =
        program.launch(entry, grid, {threads, 1, 1}, {}, 0, arguments, options);
    executed = result.counts->all.warp;
    return printed;
  }
};

}  // namespace loops
