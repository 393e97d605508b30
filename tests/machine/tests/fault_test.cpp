// Tests reports of mistakes in running kernels, with source line, block, thread and address.
#include "small_kernel.hpp"

using machine::device;
using machine::load;
using machine::trouble;
using machine_test::array;
using machine_test::entry_with;
using machine_test::kernel_text;
using machine_test::thrown_by;

namespace {

/// Runs `body` on one block; `l` is 16 bytes of local memory of each thread.
machine::report report_of(std::string const& body, unsigned threads = 32) {
  device on;
  array<unsigned> const out(on, std::size_t{64});
  auto program = load(entry_with(".local .align 8 .b8 l[16];\n" + body), on);
  return thrown_by([&] { program.launch("k", {1}, {threads}, {}, 0, {out}); });
}

}  // namespace

TEST_CASE("reading past the end reports line, thread and address", "[fault]") {
  device on;
  auto program = load(kernel_text("saxpy"), on);
  std::vector<float> const values(300, 1.0f);
  array<float> const x(on, values), y(on, values);
  auto const reported =
      thrown_by([&] { program.launch("saxpy_without_guard", {2}, {256}, {}, 0, {y, x, 2.0f}); });
  CHECK(reported.what == trouble::out_of_bounds);
  CHECK(reported.source_file == "saxpy.cu");
  CHECK(reported.source_line == 10);
  CHECK(reported.block == machine::extent3{1, 0, 0});
  CHECK(reported.thread == machine::extent3{44, 0, 0});
  CHECK(reported.address == x.address() + 1200);
  CHECK_THAT(reported.sentence, axe_test::contains_text("0 bytes past the end of the 1200 bytes"));
}

TEST_CASE("out-of-bounds accesses in each state space are reported", "[fault]") {
  CHECK(report_of("mov.u32 %r2, s;\nld.shared.u32 %r3, [%r2+64];").what == trouble::out_of_bounds);
  CHECK(report_of("st.shared.u32 [0], %r1;").what == trouble::out_of_bounds);
  CHECK(report_of("mov.u64 %rd2, l;\nst.local.u32 [%rd2+16], %r1;").what == trouble::out_of_bounds);
  CHECK(report_of("ld.param.u64 %rd3, [out+8];").what == trouble::out_of_bounds);
  CHECK(report_of("mov.u64 %rd2, 64;\nld.global.u32 %r3, [%rd2];").what == trouble::out_of_bounds);
  CHECK(report_of("mov.u64 %rd2, 0x7777000000000000;\nld.u32 %r3, [%rd2];").what ==
        trouble::out_of_bounds);
}

TEST_CASE("misaligned accesses are reported", "[fault]") {
  auto const reported = report_of("st.global.u32 [%rd1+2], %r1;");
  CHECK(reported.what == trouble::misaligned);
  CHECK(reported.thread == machine::extent3{0, 0, 0});
  CHECK(report_of("mov.u32 %r2, s;\nst.shared.v2.u32 [%r2+4], {%r1, %r1};").what ==
        trouble::misaligned);
}

TEST_CASE("reads of bytes that were never written are reported", "[fault]") {
  CHECK(report_of("ld.global.u32 %r3, [%rd1];").what == trouble::never_written);
  CHECK(report_of("mov.u32 %r2, s;\nld.shared.u32 %r3, [%r2];").what == trouble::never_written);
  CHECK(report_of("mov.u64 %rd2, l;\nld.local.u32 %r3, [%rd2];").what == trouble::never_written);
  auto const reported = report_of("st.global.u16 [%rd1], 1;\nld.global.u32 %r3, [%rd1];");
  CHECK(reported.what == trouble::never_written);
  CHECK_THAT(reported.sentence, axe_test::contains_text("byte 2"));
}

TEST_CASE("trap and brkpt report their thread", "[fault]") {
  CHECK(report_of("trap;").what == trouble::trap);
  CHECK(report_of("brkpt;").what == trouble::trap);
  CHECK(report_of("setp.eq.u32 %p1, %r1, 9;\n@%p1 trap;").thread == machine::extent3{9, 0, 0});
}

TEST_CASE("barriers with an invalid number, missing threads or divergent lanes are reported",
          "[fault]") {
  CHECK(report_of("bar.sync 16;").what == trouble::barrier);
  CHECK(report_of("bar.sync 1, 40;").what == trouble::barrier);
  auto const reported = report_of("bar.sync 1, 64;");
  CHECK(reported.what == trouble::deadlock);
  CHECK_THAT(reported.sentence,
             axe_test::contains_text("waits at barrier 1; 32 of 64 threads have arrived"));
  CHECK(
      report_of("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra A;\nbar.sync 0;\nbra B;\nA:\nbar.sync 0;\nB:")
          .what == trouble::deadlock);
}

TEST_CASE("a .sync instruction without all lanes of its member mask is reported", "[fault]") {
  CHECK(report_of("shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xffff;").what == trouble::members);
  CHECK(report_of("shfl.sync.idx.b32 %r2, %r1, 0, 31, 0x1ffff;", 16).what == trouble::members);
  CHECK(report_of("shfl.sync.down.b32 %r2, %r1, 8, 31, -1;", 16).what == trouble::members);
  CHECK(report_of("setp.lt.u32 %p1, %r1, 8;\n@%p1 bra A;\nbra B;\nA: shfl.sync.idx.b32 %r2, %r1, "
                  "9, 31, 0xff;\nB:")
            .what == trouble::members);
}
