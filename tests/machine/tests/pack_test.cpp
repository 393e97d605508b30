// Tests that registers with disjoint lifetimes that share storage (program/pack.hpp) give the same
// results as registers that do not.
#include "known_kernels.hpp"
#include "small_kernel.hpp"

using machine::device;
using machine::load;
using machine_test::array;
using machine_test::kernel_text;

namespace {

std::uint32_t frame_bytes(std::string const& text, std::string const& entry, bool apart) {
  device memory;
  auto program = load(text, memory);
  if (apart) program.keep_registers_apart();
  return program.decode(entry)->functions[0].bytes;
}

/// Compares one word of each of 64 threads, with packed registers and without.
void compare(std::string const& body) {
  std::vector<std::vector<std::uint32_t>> results;
  for (bool const apart : {false, true}) {
    device memory;
    auto program = load(machine_test::entry_with(body + machine_test::store_r2), memory);
    if (apart) program.keep_registers_apart();
    array<std::uint32_t> const out(memory, std::vector<std::uint32_t>(64, 0));
    program.launch("k", {1}, {64}, {}, 0, {out});
    results.push_back(out.values());
  }
  INFO(body);
  CHECK(results[0] == results[1]);
}

}  // namespace

TEST_CASE("kernels give the same bytes with packed registers, under four schedules", "[pack]") {
  for (auto const& [file, entry] : machine_test::known_kernels)
    for (std::uint64_t const number : {0u, 1u, 2u, 3u}) {
      INFO(entry << ", schedule " << number);
      auto const how = machine_test::schedule(number);
      CHECK(machine_test::run_known(entry, kernel_text(file), how) ==
            machine_test::run_known(entry, kernel_text(file), how, true));
    }
}

TEST_CASE("packed registers need less storage", "[pack]") {
  for (auto const& [file, entry] : machine_test::known_kernels) {
    auto const text = kernel_text(file);
    INFO(entry);
    CHECK(frame_bytes(text, entry, false) < frame_bytes(text, entry, true));
  }
  auto const text = kernel_text("sgemm");
  CHECK(3 * frame_bytes(text, "sgemm", false) < frame_bytes(text, "sgemm", true));
}

TEST_CASE("values that live across branches, loops and guards keep their storage", "[pack]") {
  // In divergent lanes one path must not see what the other writes.
  compare(
      "mov.u32 %r3, 5;\nmov.u32 %r4, 7;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra A;\nadd.u32 %r5, %r3, "
      "%r1;\nmov.u32 %r2, %r5;\nbra B;\n"
      "A:\nmul.lo.u32 %r6, %r4, %r1;\nmov.u32 %r2, %r6;\nB:\nadd.u32 %r2, %r2, %r4;");
  // In this loop a value is written late and read early in the next iteration.
  compare(
      "mov.u32 %r2, 0;\nmov.u32 %r7, 3;\nmov.u32 %r3, %r1;\nL:\nadd.u32 %r4, %r2, %r7;\nadd.u32 "
      "%r5, %r4, "
      "1;\nmul.lo.u32 %r7, %r5, 3;\n"
      "mov.u32 %r2, %r5;\nsub.u32 %r3, %r3, 1;\nsetp.gt.s32 %p2, %r3, 0;\n@%p2 bra L;\nadd.u32 "
      "%r2, %r2, "
      "%r7;");
  // A guarded write keeps the old value in the other lanes.
  compare(
      "mov.u32 %r2, 1;\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\nadd.u32 %r4, %r1, "
      "100;\n@%p1 add.u32 "
      "%r2, %r4, 5;\n"
      "add.u32 %r6, %r2, %r1;\n@!%p1 mov.u32 %r2, %r6;");
  // Some results are never read, and some values move between lanes.
  compare(
      "add.u32 %r9, %r1, 3;\nmul.lo.u32 %r3, %r1, 17;\nshfl.sync.bfly.b32 %r4|%p3, %r3, 5, 31, "
      "-1;\nadd.u32 "
      "%r5, %r4, %r3;\n"
      "vote.sync.ballot.b32 %r6, %p3, -1;\nxor.b32 %r2, %r5, %r6;");
  // Registers of 16, 32 and 64 bits lie next to each other.
  compare(
      "{.reg .b16 %h<5>;\n.reg .b64 %d<5>;\ncvt.u16.u32 %h1, %r1;\nadd.u16 %h2, %h1, "
      "3;\ncvt.u64.u16 %d1, "
      "%h2;\nmul.lo.u64 %d2, %d1, %d1;\n"
      "mov.b64 {%r3, %r4}, %d2;\ncvt.u16.u32 %h3, %r3;\nmov.b32 %r2, {%h3, %h2};\nadd.u32 %r2, "
      "%r2, %r4;}");
}
