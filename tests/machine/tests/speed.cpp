// machine_speed prints thread-instructions per second, with bounds checks only and with all checks.
//
//     machine_speed                    one line per kernel: CPU time of one thread, best of several
//     machine_speed --json             the same as JSON, one object per line
//     machine_speed --sgemm_1 FILE     also CuTe's sgemm_1, from its PTX in FILE
//     AXE_MACHINE_VECTORS=plain machine_speed      without AVX, for comparison
//
// The last two lines are wall-clock times of a launch: with one thread and on all cores.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "execute/vectors.hpp"
#include "machine.hpp"
#include "tcgen05_speed.hpp"
#include "tile_map.hpp"

namespace {

using machine_test::tile_map;
using arguments = std::vector<machine::argument>;

std::string text_of(std::string const& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
std::string kernel_text(char const* name) {
  return text_of(std::string(MACHINE_KERNELS) + "/" + name + ".ptx");
}

struct launch {
  char const* name;
  machine::module* program;
  std::string entry;
  machine::extent3 grid, block;
  unsigned shared;
  arguments with;
  double operations = 0;  // of the tensor cores
};

struct measured {
  double seconds = 1e9;
  std::uint64_t instructions = 0;
};

/// Returns the best of all launches that fit into half a second, at least three.
template <class Clock>
measured best_of(launch const& what, machine::launch_options const& how, Clock clock) {
  measured best;
  double all = 0;
  for (int round = 0; round < 3 || (all < 0.5 && round < 100); ++round) {
    double const begin = clock();
    auto const done =
        what.program->launch(what.entry, what.grid, what.block, {}, what.shared, what.with, how);
    double const seconds = clock() - begin;
    all += seconds;
    if (seconds < best.seconds) best = {seconds, done.counted.thread_instructions};
  }
  return best;
}

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print(bool json, launch const& what, char const* checks, char const* threads,
           measured const& m) {
  double const rate = static_cast<double>(m.instructions) / m.seconds * 1e-9;
  double const products = what.operations / m.seconds * 1e-9;
  char const* const vectors = name_of(machine::best_vectors());
  std::printf(
      json ? "{\"kernel\": \"%s\", \"checks\": \"%s\", \"threads\": \"%s\", \"vectors\": \"%s\", "
             "\"seconds\": %.5f, "
             "\"giga\": %.3f, \"gflops\": %.1f}\n"
           : "%-12s %-8s %-5s %-7s %9.5f s  %7.2f G thread-instructions/s  %6.1f GFLOP/s\n",
      what.name, checks, threads, vectors, m.seconds, rate, products);
}

void measure(launch const& what, bool json) {
  what.program->decode(what.entry);
  for (bool const every_check : {false, true}) {
    machine::launch_options how;
    how.threads = 1;
    how.check_written = how.check_races = every_check;
    // Of these kernels only those on tensor cores are written for strict mode.
    how.strict = every_check && what.operations > 0;
    print(json, what, every_check ? "every" : "bounds", "one", best_of(what, how, processor_time));
  }
}

void measure_cores(launch const& what, bool json) {
  for (unsigned const threads : {1u, 0u}) {
    machine::launch_options how;
    how.threads = threads;
    print(json, what, "every", threads == 1 ? "1, wall clock" : "all",
          best_of(what, how, wall_clock));
  }
}

/// Returns a launch of sgemm_1's entry for column-major matrices (gemm_nt): C is 512 x 512, k =
/// 128.
launch sgemm_1(machine::module& program, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::array<int, 3> const shape{512, 512, 128};
  char const none = 0;  // static layouts are empty objects
  for (auto const& entry : program.entries()) {
    if (program.decode(entry)->parameters.size() != 16 ||
        entry.find("EEEEEEfNS1_IJNS3_ILi1EEEiEEE") == std::string::npos)
      continue;
    return {"sgemm_1",
            &program,
            entry,
            {4, 4},
            {256},
            0,
            {shape, none, a, 512, none, none, b, 512, none, none, c, 512, none, none, 1.0f, 0.0f}};
  }
  std::puts("FILE is not the PTX of CuTe's sgemm_1: it has no entry for gemm_nt");
  std::exit(1);
}

struct options {
  bool json = false;
  std::string sgemm_1_file;
};

std::optional<options> options_of(int count, char** given) {
  options made;
  for (int i = 1; i < count; ++i) {
    std::string_view const option = given[i];
    if (option == "--json")
      made.json = true;
    else if (option == "--sgemm_1" && i + 1 < count)
      made.sgemm_1_file = given[++i];
    else
      return std::nullopt;
  }
  return made;
}

/// The kernels, on three arrays of zeros.
struct speed_test {
  bool json;
  machine::device on{};
  std::uint64_t a = zeros(), b = zeros(), c = zeros();

  std::uint64_t zeros() {
    constexpr std::size_t bytes = 16u << 20;
    auto const at = on.allocate(bytes);
    on.fill(at, 0, bytes);
    return at;
  }

  machine::module kernel(char const* file) { return machine::load(kernel_text(file), on); }

  launch sgemm_launch(machine::module& sgemm) const {
    return {"sgemm", &sgemm, "sgemm", {8, 8}, {256}, 0, {c, a, b, 512, 512, 128}};
  }

  void measure_threads() {
    int const n = 1 << 22, side = 1024;
    auto saxpy = kernel("saxpy"), transpose = kernel("transpose"), reduce = kernel("reduce"),
         sgemm = kernel("sgemm");
    measure({"saxpy", &saxpy, "saxpy", {static_cast<unsigned>(n) / 256}, {256}, 0, {a, b, 2.0f, n}},
            json);
    measure({"transpose", &transpose, "transpose", {32, 32}, {32, 8}, 0, {a, b, side, side}}, json);
    measure({"sum", &reduce, "sum", {256}, {256}, 0, {c, b, n}}, json);
    measure(sgemm_launch(sgemm), json);
  }

  void measure_tensor_cores() {
    int const k = 512;
    double const product = 2.0 * 512 * 512 * 512;
    auto ampere = kernel("gemm_ampere"), hopper = kernel("gemm_tma");
    auto blackwell = machine::load(tcgen05_kernel, on);
    measure({"gemm_ampere", &ampere, "gemm_ampere", {8, 8}, {128}, 0, {c, a, b, 512, k}, product},
            json);
    arguments const maps{tile_map(a, 512, 512, 128), tile_map(b, 512, 512, 128),
                         tile_map(c, 512, 512, 64), k};
    measure({"gemm_tma", &hopper, "gemm_tma", {4, 4}, {384}, 4 * 32768, maps, product}, json);
    arguments const rounds{tcgen05_rounds};
    measure(
        {"tcgen05", &blackwell, "tcgen05", {1}, {128}, tcgen05_shared, rounds, tcgen05_operations},
        json);
  }

  void measure_sgemm_1(std::string const& file) {
    auto program = machine::load(text_of(file), on);
    measure(sgemm_1(program, a, b, c), json);
  }

  void measure_all_cores() {
    auto sgemm = kernel("sgemm");
    measure_cores(sgemm_launch(sgemm), json);
  }
};

}  // namespace

int main(int count, char** given) {
  auto const chosen = options_of(count, given);
  if (!chosen) {
    std::fprintf(stderr, "usage: machine_speed [--json] [--sgemm_1 FILE]\n");
    return 2;
  }
  speed_test test{chosen->json};
  test.measure_threads();
  test.measure_tensor_cores();
  if (!chosen->sgemm_1_file.empty()) test.measure_sgemm_1(chosen->sgemm_1_file);
  test.measure_all_cores();
  return 0;
}
