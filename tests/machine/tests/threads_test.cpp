// Tests that launches on several threads of the host give the results, counters and reports of one
// thread.
#include "known_kernels.hpp"
#include "schedule/independent.hpp"
#include "small_kernel.hpp"

using machine::device;
using machine::load;
using machine_test::array;
using machine_test::kernel_text;
using machine_test::thrown_by;

namespace {

machine::launch_options on_threads(unsigned count) {
  machine::launch_options how;
  how.threads = count;
  how.count = true;
  return how;
}

/// A product of 512 x 512 x 128, large enough for several threads.
struct product {
  std::vector<float> c;
  std::string counters;
  std::uint64_t instructions = 0;
};
product multiply(unsigned threads) {
  device memory;
  auto program = load(kernel_text("sgemm"), memory);
  std::vector<float> values(512 * 512);
  machine_test::noise random(3);
  for (auto& each : values) each = random.uniform();
  array<float> const a(memory, values), b(memory, values), c(memory, values.size());
  auto const reported =
      program.launch("sgemm", {8, 8}, {256}, {}, 0, {c, a, b, 512, 512, 128}, on_threads(threads));
  return {c.values(), to_json(*reported.counts), reported.counted.thread_instructions};
}

/// Returns the entry of small_kernel.hpp with %r1 = ctaid.x.
std::string entry_of_block(std::string const& body) {
  return machine_test::entry_with("mov.u32 %r1, %ctaid.x;\n" + body);
}

bool independent(std::string const& body) {
  device memory;
  auto program = load(entry_of_block(body), memory);
  return machine::clusters_are_independent(*program.decode("k"));
}

}  // namespace

TEST_CASE("a product on one thread and on four has the same bits and counters", "[threads]") {
  auto const one = multiply(1), four = multiply(4);
  CHECK(one.c == four.c);
  CHECK(one.counters == four.counters);
  CHECK(one.instructions == four.instructions);
  CHECK(one.instructions > 80'000'000);
}

TEST_CASE("the report is that of the first failing cluster, for any number of threads",
          "[threads]") {
  // A block counts down from 20,000 minus its number. Then block 37 and later ones access memory
  // out of bounds.
  device memory;
  auto program =
      load(entry_of_block("mov.u32 %r2, 20000;\nsub.u32 %r2, %r2, %r1;\n"
                          "L:\nsub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\n"
                          "setp.lt.u32 %p2, %r1, 37;\n@%p2 ret;\n"
                          "ld.global.u32 %r3, [%rd1+4096];"),
           memory);
  array<unsigned> const out(memory, std::vector<unsigned>(4, 1));
  for (unsigned const threads : {1u, 2u, 7u})
    for (int round = 0; round < 3; ++round) {
      auto const reported =
          thrown_by([&] { program.launch("k", {64}, {32}, {}, 0, {out}, on_threads(threads)); });
      CHECK(reported.what == machine::trouble::out_of_bounds);
      CHECK(reported.block == machine::extent3{37, 0, 0});
    }
}

TEST_CASE("a random schedule is the same on any number of threads", "[threads]") {
  for (auto const& [file, entry] : machine_test::known_kernels) {
    auto how = machine_test::schedule(6);
    how.threads = 1;
    auto const one = machine_test::run_known(entry, kernel_text(file), how);
    how.threads = 3;
    CHECK(one == machine_test::run_known(entry, kernel_text(file), how));
  }
}

TEST_CASE("clusters that can observe each other are not independent", "[threads]") {
  CHECK(independent("ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd1], %f1;"));
  CHECK(independent("red.global.add.u32 [%rd1], 1;"));
  CHECK(independent("atom.shared.add.f32 %f1, [s], 0f3f800000;"));
  CHECK_FALSE(independent("atom.global.add.u32 %r2, [%rd1], 1;"));
  CHECK_FALSE(independent("red.global.add.f32 [%rd1], 0f3f800000;"));
  CHECK_FALSE(independent("ld.volatile.global.u32 %r2, [%rd1];"));
  CHECK_FALSE(independent("ld.acquire.gpu.global.u32 %r2, [%rd1];"));
  CHECK_FALSE(independent("st.release.gpu.u32 [%rd1], 1;"));
  CHECK(independent("ld.volatile.shared.u32 %r2, [s];"));
}

TEST_CASE("a block that waits for a later block ends, with more host threads than blocks",
          "[threads]") {
  device memory;
  // Block 0 spins until block 1 sets a flag.
  auto program = load(
      entry_of_block("setp.ne.u32 %p1, %r1, 0;\n@%p1 bra SET;\n"
                     "WAIT:\nld.acquire.gpu.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p2, %r2, 0;\n"
                     "@%p2 bra WAIT;\nret;\nSET:\nst.release.gpu.global.u32 [%rd1], 1;"),
      memory);
  array<unsigned> const flag(memory, std::vector<unsigned>(1, 0));
  program.launch("k", {2}, {1}, {}, 0, {flag}, on_threads(4));
  CHECK(flag.values()[0] == 1);
}
