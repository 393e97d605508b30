// Tests the scheduling of lanes: divergence, reconvergence, and lanes that wait for each other.
#include "small_kernel.hpp"

using machine_test::run_small;
using machine_test::store_r2;

TEST_CASE("divergent lanes reconverge after the branch", "[schedule]") {
  auto const out = run_small(
      "and.b32 %r3, %r1, 3;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra A;\nsetp.eq.u32 %p2, %r3, 2;\n@%p2 "
      "bra "
      "B;\nmov.u32 %r4, 1;\nbra C;\n"
      "A: mov.u32 %r4, 2;\nbra C;\nB: mov.u32 %r4, 3;\nC:\nactivemask.b32 %r2;" +
          store_r2,
      1, 32);
  for (auto const each : out) CHECK(each == 0xffffffffu);
}

TEST_CASE("activemask inside a branch has the lanes that took it", "[schedule]") {
  auto const out = run_small(
      "mov.u32 %r2, 0;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 activemask.b32 %r2;" + store_r2, 1, 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i < 10 ? 0x3ffu : 0u));
}

TEST_CASE("bar.warp.sync orders divergent lanes of a warp", "[schedule]") {
  // The upper half writes late. The lower half has the lower program counter and must wait.
  auto const out = run_small(
      "mov.u32 %r3, s;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bra LATE;\nbra MEET;\nLATE:\nmov.u32 %r4, "
      "0;\nL: "
      "add.u32 %r4, %r4, 1;\n"
      "setp.lt.u32 %p2, %r4, 100;\n@%p2 bra L;\nst.shared.u32 [%r3], %r4;\nMEET:\nbar.warp.sync "
      "0xffffffff;\nld.shared.u32 %r2, [%r3];" +
          store_r2,
      1, 32);
  for (auto const each : out) CHECK(each == 100);
}

TEST_CASE("two halves of a warp shuffle separately, each with its own mask", "[schedule]") {
  auto const out = run_small(
      "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra A;\nshfl.sync.idx.b32 %r2, %r1, 20, 31, "
      "0xffff0000;\nbra B;\n"
      "A: shfl.sync.idx.b32 %r2, %r1, 3, 31, 0x0000ffff;\nB:" +
          store_r2,
      1, 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i < 16 ? 3u : 20u));
}

TEST_CASE("two halves of a warp with different masks execute the same shuffle", "[schedule]") {
  auto const out = run_small(
      "and.b32 %r3, %r1, 16;\nmov.u32 %r4, 0xffff;\nshl.b32 %r4, %r4, %r3;\n"
      "shfl.sync.bfly.b32 %r2, %r1, 5, 31, %r4;" +
          store_r2,
      1, 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i ^ 5));
}

TEST_CASE("a shuffle of two masks waits for lanes that come late", "[schedule]") {
  // The late lanes have higher program counters, so they run once the others wait at SHUFFLE.
  for (std::string const late : {"0x00000001", "0x00010001", "0x80000000", "0x80008000"}) {
    auto const out =
        run_small("mov.u32 %r4, 1;\nshl.b32 %r4, %r4, %r1;\nand.b32 %r4, %r4, " + late +
                      ";\nsetp.ne.u32 %p1, %r4, 0;\nand.b32 %r3, %r1, 16;\n"
                      "mov.u32 %r4, 0xffff;\nshl.b32 %r4, %r4, %r3;\n@%p1 bra LATE;\n"
                      "SHUFFLE:\nshfl.sync.bfly.b32 %r2, %r1, 5, 31, %r4;\nbra END;\n"
                      "LATE:\nadd.u32 %r3, %r3, 1;\nbra SHUFFLE;\nEND:" +
                      store_r2,
                  1, 32);
    for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i ^ 5));
  }
}

TEST_CASE("a lane waits for another lane of its own warp", "[schedule]") {
  auto const out = run_small(
      "mov.u32 %r3, s;\nst.shared.u32 [%r3], 0;\nbar.warp.sync 0xffffffff;\nsetp.eq.u32 %p1, %r1, "
      "31;\n@%p1 "
      "bra SETTER;\n"
      "W: nanosleep.u32 20;\nld.volatile.shared.u32 %r2, [%r3];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 "
      "bra W;\nbra "
      "END;\n"
      "SETTER: st.volatile.shared.u32 [%r3], 77;\nmov.u32 %r2, 78;\nEND:" +
          store_r2,
      1, 32);
  for (unsigned i = 0; i < 32; ++i) CHECK(out[i] == (i == 31 ? 78u : 77u));
}

TEST_CASE("a warp polls for another warp without nanosleep", "[schedule]") {
  auto const out = run_small(
      "mov.u32 %r3, s;\nsetp.eq.u32 %p3, %r1, 0;\n@%p3 st.shared.u32 [%r3], 0;\nbar.sync "
      "0;\nsetp.ge.u32 "
      "%p1, %r1, 32;\n@%p1 bra SETTER;\n"
      "W: ld.volatile.shared.u32 %r2, [%r3];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra W;\nbra END;\n"
      "SETTER: st.volatile.shared.u32 [%r3], 77;\nmov.u32 %r2, 78;\nEND:" +
          store_r2,
      1, 64);
  for (unsigned i = 0; i < 64; ++i) CHECK(out[i] == (i >= 32 ? 78u : 77u));
}

TEST_CASE("a loop that reaches the instruction limit is reported as a deadlock", "[schedule]") {
  machine::launch_options options;
  options.instruction_limit = 1'000'000;
  CHECK(machine_test::report_small("L: bra L;", 1, 32, {}, 0, options).what ==
        machine::trouble::deadlock);
}
