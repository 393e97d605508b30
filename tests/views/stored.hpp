// Matrices in the memory of the PTX machine (tests/machine), and the options of launches.
#pragma once

#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"

namespace views {

inline std::string text_of(std::string const& kernels, std::string const& target) {
  return axe_test::ptx_of(AXE_VIEWS_PTX, kernels, target);
}

/// A matrix in the machine's memory. Its padding has a known value, so that wrong stores are found.
/// `Matrix` is the type of the sizes: rows, columns and pitch.
template <class T, class Matrix> struct stored {
  machine::device& device;
  int rows, columns, pitch;
  std::uint64_t address = 0;
  static constexpr T untouched = static_cast<T>(55555);

  stored(machine::device& d, int r, int c, int p) : device(d), rows(r), columns(c), pitch(p) {
    std::vector<T> all(size(), untouched);
    address = device.allocate(sizeof(T) * size());
    device.copy_in(address, all.data(), sizeof(T) * size());
  }
  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch);
  }
  template <class F> void fill(F const& value) {
    std::vector<T> all(size(), untouched);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        all[static_cast<std::size_t>(i * pitch + j)] = static_cast<T>(value(i, j));
    device.copy_in(address, all.data(), sizeof(T) * size());
  }
  /// The number of wrong elements. Changed padding counts, too.
  template <class F> int wrong(F const& value) const {
    std::vector<T> all(size());
    device.copy_out(all.data(), address, sizeof(T) * size());
    int count = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < pitch; ++j)
        count += all[static_cast<std::size_t>(i * pitch + j)] !=
                 (j < columns ? static_cast<T>(value(i, j)) : untouched);
    return count;
  }
  template <class View> View view() const {
    return {reinterpret_cast<typename View::pointer>(address), Matrix(rows, columns, pitch)};
  }
};

/// -G code copies the one byte of an empty class, which nothing writes. So it runs without the
/// check that memory is written before it is read.
inline machine::launch_options options_for(std::string const& target) {
  machine::launch_options options;
  options.check_written = target.find("debug") == std::string::npos;
  return options;
}
inline machine::extent3 blocks(int x, int y) {
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 1};
}

}  // namespace views
