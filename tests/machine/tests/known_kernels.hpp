// Launches the kernels of kernels/ with fixed inputs, small enough for many schedules.
#pragma once

#include <numeric>

#include "support_machine.hpp"
#include "tile_map.hpp"

namespace machine_test {

struct known_kernel {
  char const *file, *entry;
};
inline constexpr known_kernel known_kernels[] = {
    {"transpose", "transpose"}, {"transpose", "reverse"},       {"reduce", "sum"},
    {"histogram", "histogram"}, {"gemm_ampere", "gemm_ampere"}, {"gemm_tma", "gemm_tma"}};

template <class T> std::vector<T> counted_up(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{});
  return values;
}

template <class T> std::vector<std::byte> bytes_of(std::vector<T> const& values) {
  auto const* const from = reinterpret_cast<std::byte const*>(values.data());
  return {from, from + values.size() * sizeof(T)};
}

inline std::vector<std::uint16_t> ones_and_twos(std::size_t count) {
  std::vector<std::uint16_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i % 7 < 3 ? 0x3f80 : 0x4000;  // bf16 1 and 2
  return out;
}

/// Launches a kernel of kernels/ and returns its output. Throws the machine's error. With
/// `registers_apart`, every PTX register has storage of its own (module::keep_registers_apart).
inline std::vector<std::byte> run_known(std::string const& entry, std::string const& text,
                                        machine::launch_options const& how,
                                        bool registers_apart = false) {
  machine::device on;
  auto program = machine::load(text, on);
  if (registers_apart) program.keep_registers_apart();
  if (entry == "gemm_tma") {
    int const m = 72, n = 136, k = 520;
    array<std::uint16_t> const a(on, ones_and_twos(m * k)), b(on, ones_and_twos(n * k)),
        c(on, std::size_t{m * n});
    program.launch(entry, {2, 1}, {384}, {}, 4 * 32768,
                   {tile_map(a.address(), k, m, 128), tile_map(b.address(), k, n, 128),
                    tile_map(c.address(), n, m, 64), k},
                   how);
    return bytes_of(c.values());
  }
  if (entry == "gemm_ampere") {
    array<std::uint16_t> const a(on, ones_and_twos(128 * 160)), b(on, ones_and_twos(128 * 160));
    array<float> const c(on, std::size_t{128 * 128});
    program.launch(entry, {2, 2}, {128}, {}, 0, {c, a, b, 128, 160}, how);
    return bytes_of(c.values());
  }
  if (entry == "transpose") {
    array<float> const in(on, counted_up<float>(75 * 130)), out(on, std::size_t{75 * 130});
    program.launch(entry, {5, 3}, {32, 8}, {}, 0, {out, in, 75, 130}, how);
    return bytes_of(out.values());
  }
  if (entry == "reverse") {
    array<int> const in(on, counted_up<int>(384)), out(on, std::size_t{384});
    program.launch(entry, {3}, {128}, {}, 512, {out, in}, how);
    return bytes_of(out.values());
  }
  if (entry == "sum") {
    array<float> const x(on, counted_up<float>(3000)), total(on, std::vector<float>{0.0f});
    program.launch(entry, {3}, {224}, {}, 0, {total, x, 3000}, how);
    return bytes_of(total.values());
  }
  array<unsigned char> const in(on, counted_up<unsigned char>(5000));
  array<unsigned> const bins(on, std::vector<unsigned>(256, 0));
  program.launch(entry, {3}, {192}, {}, 0, {bins, in, 5000}, how);
  return bytes_of(bins.values());
}

/// Schedule 0 completes asynchronous copies at once, schedule 1 as late as possible. The others
/// choose the completion of copies and the order of warps at random. All run in strict mode
/// (README).
inline machine::launch_options schedule(std::uint64_t number) {
  machine::launch_options how;
  how.when = number == 0   ? machine::landing::at_once
             : number == 1 ? machine::landing::late
                           : machine::landing::random;
  how.seed = number < 2 ? 0 : number;
  how.strict = true;
  how.instruction_limit = 300'000;
  return how;
}

}  // namespace machine_test
