// machine_speed: thread-instructions a second on one core, with bounds checks only and with every check.
//
//     machine_speed            prints a table; not a test
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

#include "machine.hpp"

namespace {

std::string text_of(char const* name) {
  std::ifstream file(std::string(MACHINE_KERNELS) + "/" + name + ".ptx");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void measure(char const* file, char const* entry, machine::extent3 grid, machine::extent3 block,
             machine::device& on, std::vector<machine::argument> const& arguments) {
  auto program = machine::load(text_of(file), on);
  for (bool const every_check : {false, true}) {
    machine::launch_options how;
    how.check_written = how.check_races = every_check;
    std::clock_t const begin = std::clock();  // of this process: other work on the machine does not count
    auto const told = program.launch(entry, grid, block, {}, 0, arguments, how);
    double const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%-12s %-14s %8.3f s  %6.2f G thread-instructions/s\n", entry,
                every_check ? "every check" : "bounds only", seconds,
                static_cast<double>(told.counted.thread_instructions) / seconds * 1e-9);
  }
}

}  // namespace

int main() {
  machine::device on;
  auto const filled = [&](std::size_t bytes) {
    auto const at = on.allocate(bytes);
    on.fill(at, 0, bytes);
    return at;
  };
  int const n = 1 << 22, side = 1024, k = 512;
  auto const a = filled(16u << 20), b = filled(16u << 20), c = filled(16u << 20);
  measure("saxpy", "saxpy", {static_cast<unsigned>(n) / 256}, {256}, on, {a, b, 2.0f, n});
  measure("transpose", "transpose", {32, 32}, {32, 8}, on, {a, b, side, side});
  measure("reduce", "sum", {256}, {256}, on, {c, b, n});
  measure("sgemm", "sgemm", {8, 8}, {256}, on, {c, a, b, 512, 512, 128});
  measure("gemm_ampere", "gemm_ampere", {8, 8}, {128}, on, {c, a, b, 512, k});
}
