// Tests kernels that convert fragments on the PTX machine (tests/machine): every element must be at
// its places in the target layout.
#include "on_the_machine.hpp"
#include "plan/copy_check.hpp"
#include "support/targets.hpp"

#include <axe/construct/literal.hpp>

#include <cstring>

namespace {

using namespace on_the_machine;

struct uint4 {
  std::uint32_t x, y, z, w;
};

struct conversion {
  char const* name;
  std::size_t bytes;
  int rows, columns;
  char const *from, *to;
  int threads;
  bool permuted;
};
constexpr conversion conversions[] = {
#define AXE_CONVERT(NAME, T, ROWS, COLUMNS, FROM, TO, THREADS, SCOPE) \
  {#NAME, sizeof(T), ROWS, COLUMNS, FROM, TO, THREADS, false},
#define AXE_PERMUTE(NAME, T, ROWS, COLUMNS, FROM, TO, THREADS, SCOPE) \
  {#NAME, sizeof(T), ROWS, COLUMNS, FROM, TO, THREADS, true},
#include "permutations.def"
#undef AXE_CONVERT
#undef AXE_PERMUTE
};

/// The (register, thread) pairs of each element, with replicas.
oracle::map_table read(char const* text) { return axe_test::places_of(axe::parse(text)); }
std::size_t registers_of(oracle::map_table const& places) {
  long long largest = 0;
  for (oracle::place_set const& all : places)
    for (oracle::place const& p : all) largest = std::max(largest, p[1]);
  return static_cast<std::size_t>(largest) + 1;
}

}  // namespace

TEST_CASE("every element reaches its places: by registers, shuffles and shared memory") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (conversion const& c : conversions) {
      oracle::map_table const from = read(c.from), to = read(c.to);
      std::size_t const in_registers = registers_of(from), out_registers = registers_of(to);
      auto const threads = static_cast<std::size_t>(c.threads);
      std::vector<unsigned char> in(threads * in_registers * c.bytes, 0xee),
          out(threads * out_registers * c.bytes);
      auto const byte = [](std::size_t x, std::size_t b) {
        return static_cast<unsigned char>(x * 37 + x / 7 + b * 101 + 1);
      };
      auto const begin = [&](oracle::place const& p, std::size_t registers) {
        return (static_cast<std::size_t>(p[2]) * registers + static_cast<std::size_t>(p[1])) *
               c.bytes;
      };
      for (std::size_t x = 0; x < from.size(); ++x)
        for (oracle::place const& p : from[x])
          for (std::size_t b = 0; b < c.bytes; ++b) in[begin(p, in_registers) + b] = byte(x, b);
      machine::device device;
      machine::module program = machine::load(text_of("permute_kernels", target), device);
      memory const source(device, in), destination(device, out);
      machine::launch_options options = options_for(1);
      program.launch(c.name, {1, 1, 1}, {static_cast<std::uint32_t>(c.threads), 1, 1}, {}, 0,
                     {source.address, destination.address}, options);
      out = destination.bytes();
      int wrong = 0;
      for (std::size_t x = 0; x < to.size(); ++x) {
        auto const rows = static_cast<std::size_t>(c.rows),
                   columns = static_cast<std::size_t>(c.columns);
        std::size_t const source_element = c.permuted ? x % rows * columns + x / rows : x;
        for (oracle::place const& p : to[x])
          for (std::size_t b = 0; b < c.bytes; ++b)
            wrong += out[begin(p, out_registers) + b] !=
                     in[begin(*from[source_element].begin(), in_registers) + b];
      }
      CAPTURE(target, c.name);
      CHECK(wrong == 0);
    }
}
