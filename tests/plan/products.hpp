// Runs kernels that multiply small matrices on the PTX machine (tests/machine), and compares C with
// the product by definition.
#pragma once

#include "machine.hpp"

#include <axe/index.hpp>

#include <vector>

namespace products {

/// The parameters of the kernels: a pointer and three sizes (rows, columns, pitch).
using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 20), axe::dynamic(1).below(1 << 20),
                                   axe::dynamic(2).below(1 << 20)>;
struct tensor_argument {
  std::uint64_t data;
  matrix sizes;
};

/// One launch: C = initial + times * A * B, on a cluster of `ctas` blocks.
struct product {
  char const* entry;
  int m, n, k;
  std::uint32_t threads = 128;
  int times = 2;
  int initial = 0;
  std::uint32_t ctas = 1;
};

/// Small whole numbers, for which products and sums are exact in every type.
inline int a_at(int r, int c) { return (r * 7 + c * 3) % 5 - 2; }
inline int b_at(int r, int c) { return (r * 5 + c * 11) % 7 - 3; }

template <class T> std::uint64_t upload(machine::device& device, std::vector<T> const& values) {
  auto const address = device.allocate(sizeof(T) * values.size());
  device.copy_in(address, values.data(), sizeof(T) * values.size());
  return address;
}

/// The number of wrong elements of C after one launch.
inline int wrong(machine::module& program, machine::device& device, product const& p,
                 machine::launch_options options) {
  std::vector<int> a, b;
  for (int r = 0; r < p.m; ++r)
    for (int c = 0; c < p.k; ++c) a.push_back(a_at(r, c));
  for (int r = 0; r < p.k; ++r)
    for (int c = 0; c < p.n; ++c) b.push_back(b_at(r, c));
  std::vector<float> c(static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n), -7777);
  std::uint64_t const at_a = upload(device, a), at_b = upload(device, b), at_c = upload(device, c);
  options.strict = true;
  program.launch(
      p.entry, {p.ctas}, {p.threads}, {p.ctas}, 0,
      {tensor_argument{at_a, matrix(p.m, p.k, p.k)}, tensor_argument{at_b, matrix(p.k, p.n, p.n)},
       tensor_argument{at_c, matrix(p.m, p.n, p.n)}},
      options);
  device.copy_out(c.data(), at_c, 4 * c.size());
  int count = 0;
  for (int r = 0; r < p.m; ++r)
    for (int column = 0; column < p.n; ++column) {
      int sum = 0;
      for (int d = 0; d < p.k; ++d) sum += a_at(r, d) * b_at(d, column);
      count += c[static_cast<std::size_t>(r * p.n + column)] !=
               static_cast<float>(p.initial + p.times * sum);
    }
  return count;
}

}  // namespace products
