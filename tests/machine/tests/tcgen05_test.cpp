// Tests the allocation of tensor memory, warps that wait on one mbarrier, and the order of shifts.
// tests/rows/test_tensor_memory.cpp tests loads and stores of tensor memory, and
// breaks/columns.ptx their misuse.
#include "small_kernel.hpp"

using machine::trouble;
using machine_test::report_small;
using machine_test::run_small;
using machine_test::store_r2;

namespace {

std::string allocate(std::string const& where, int columns) {
  return "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [" + where + "], " +
         std::to_string(columns) + ";\n";
}
std::string release(std::string const& address, int columns) {
  return "tcgen05.dealloc.cta_group::1.sync.aligned.b32 " + address + ", " +
         std::to_string(columns) + ";\n";
}

}  // namespace

TEST_CASE("allocations follow each other at multiples of their size", "[tcgen05]") {
  auto const out =
      run_small(allocate("s", 128) + allocate("s+4", 32) + allocate("s+8", 32) +
                    "bar.warp.sync 0xffffffff;\nld.shared.u32 %r3, [s];\n"
                    "ld.shared.u32 %r4, [s+4];\nld.shared.u32 %r5, [s+8];\n" +
                    release("%r4", 32) + release("%r3", 128) + allocate("s+12", 32) +
                    "bar.warp.sync 0xffffffff;\nld.shared.u32 %r6, [s+12];\n"
                    "mad.lo.u32 %r2, %r3, 1000, %r4;\nmad.lo.u32 %r2, %r2, 1000, %r5;\n"
                    "mad.lo.u32 %r2, %r2, 10, %r6;\n" +
                    release("%r6", 32) + release("%r5", 32) + store_r2,
                1, 32);
  CHECK(out[5] == (128u * 1000 + 160) * 10);
}

TEST_CASE("alloc writes the address to shared memory, also through a generic address",
          "[tcgen05]") {
  std::string const generic =
      "mov.u64 %rd2, s;\ncvta.shared.u64 %rd2, %rd2;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd2+8], 64;\nbar.warp.sync 0xffffffff;\n"
      "ld.shared.u32 %r3, [s+8];\nadd.u32 %r2, %r3, 7;\n";
  CHECK(run_small(generic + release("%r3", 64) + store_r2, 1, 32)[0] == 7);
  auto beyond = generic;  // bit 32 of the address is set
  beyond.insert(beyond.find("tcgen05.alloc"), "or.b64 %rd2, %rd2, 0x100000000;\n");
  for (auto const& body :
       {beyond, std::string("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 64;\n")})
    CHECK(report_small(body, 1, 32).what == trouble::out_of_bounds);
}

TEST_CASE("both blocks of a pair get the same columns", "[tcgen05]") {
  std::string const name = "tcgen05.alloc.cta_group::2.sync.aligned";
  std::string const free = "tcgen05.dealloc.cta_group::2.sync.aligned.b32 ";
  auto const out = run_small(
      "mov.u64 %rd2, s;\ncvta.shared.u64 %rd2, %rd2;\n" + name + ".shared::cta.b32 [s], 64;\n" +
          name + ".b32 [%rd2+4], 64;\n" + name + ".shared::cta.b32 [s+8], 32;\n" + name +
          ".b32 [%rd2+12], 32;\nbar.warp.sync 0xffffffff;\nld.shared.v4.u32 {%r3, %r4, %r5, %r6}, "
          "[s];\nmad.lo.u32 %r2, %r3, 1000, %r4;\nmad.lo.u32 %r2, %r2, 1000, %r5;\n"
          "mad.lo.u32 %r2, %r2, 1000, %r6;\n" +
          free + "%r3, 64;\n" + free + "%r4, 64;\n" + free + "%r5, 32;\n" + free + "%r6, 32;\n" +
          store_r2,
      2, 32, {2});
  for (auto const each : out) CHECK(each == (64u * 1000 + 128) * 1000 + 160);
}

TEST_CASE("an allocation waits until another warp has freed its columns", "[tcgen05]") {
  auto const out = run_small(
      "setp.lt.u32 %p1, %r1, 32;\n@!%p1 bra second;\n" + allocate("s", 512) +
          "bar.warp.sync 0xffffffff;\nld.shared.u32 %r3, [s];\nbar.sync 0;\nst.shared.u32 [s+8], "
          "%r1;\n" +
          release("%r3", 512) + "bra done;\nsecond: bar.sync 0;\n" + allocate("s+4", 512) +
          "bar.warp.sync 0xffffffff;\nld.shared.u32 %r3, [s+4];\n" + release("%r3", 512) +
          "done: bar.sync 0;\nld.shared.u32 %r2, [s+4];\n" + store_r2,
      1, 64, {}, 0, [] {
        machine::launch_options how;
        how.check_races = false;
        return how;
      }());
  CHECK(out[40] == 0);
}

// Four warps wait on an mbarrier at which only a thread of the first warp arrives, as in CuTe's
// tutorials. A warp whose wait succeeds yields. Otherwise the first warp would be two phases ahead
// before the others have tested the mbarrier.
TEST_CASE("warps that only wait on an mbarrier see each of its phases", "[tcgen05]") {
  auto const out = run_small(
      "setp.eq.u32 %p1, %r1, 0;\nsetp.lt.u32 %p4, %r1, 32;\n@!%p4 bra ready;\n" +
          allocate("s", 32) +
          "ready: @%p1 mbarrier.init.shared::cta.b64 [s+8], 1;\nbar.sync 0;\nmov.u32 %r2, 0;\n"
          "again: @%p1 mbarrier.arrive.shared::cta.b64 %rd2, [s+8];\nand.b32 %r3, %r2, 1;\n"
          "wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [s+8], %r3;\n@!%p2 bra wait;\n"
          "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 4;\n@%p3 bra again;\nbar.sync 0;\n"
          "@!%p4 bra end;\nld.shared.u32 %r4, [s];\n" +
          release("%r4", 32) + "end:" + store_r2,
      1, 128);
  CHECK(out == std::vector<std::uint32_t>(128, 4));
}

// With cta_group::1 a thread of warp 0 multiplies. The commit of another warp does not cover this.
TEST_CASE("a commit covers the operations of its own warp", "[tcgen05]") {
  auto const kernel = [](std::string const& committer, std::string const& after) {
    return "setp.eq.u32 %p1, %r1, 0;\nsetp.lt.u32 %p4, %r1, 32;\nmov.u32 %r2, 0;\n"
           "mov.u32 %r5, dynamic;\nmad.lo.u32 %r7, %r1, 4, %r5;\nmov.u32 %r8, 0;\n"
           "FILL: st.shared.u32 [%r7], %r2;\nadd.u32 %r7, %r7, 256;\nadd.u32 %r8, %r8, 1;\n"
           "setp.lt.u32 %p5, %r8, 20;\n@%p5 bra FILL;\nfence.proxy.async;\n@!%p4 bra READY;\n" +
           allocate("s", 32) +
           "@%p1 mbarrier.init.shared::cta.b64 [s+8], 1;\n@%p1 "
           "fence.mbarrier_init.release.cluster;\nREADY: bar.sync 0;\nld.shared.u32 %r3, [s];\n"
           "shr.u32 %r6, %r5, 4;\ncvt.u64.u32 %rd4, %r6;\nor.b64 %rd4, %rd4, 0x0000401000080000;\n"
           "setp.ne.u32 %p6, 0, 0;\n"
           "@%p1 tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd4, %rd4, 0x08040010, %p6;\n"
           "bar.sync 0;\nsetp.eq.u32 %p3, %r1, " +
           committer +
           ";\n@%p3 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [s+8];\n"
           "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [s+8], 0;\n@!%p2 bra WAIT;\n"
           "tcgen05.fence::after_thread_sync;\n" +
           after + "bar.sync 0;\n@!%p4 bra END;\n" + release("%r3", 32) + "END:\n";
  };
  std::string const load =
      "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r3];\ntcgen05.wait::ld.sync.aligned;\n";
  std::string const read = "@!%p4 bra SKIP;\n" + load + "SKIP:\n",
                    write = "@%p1 st.shared.u32 [%r5], 0;\n";
  for (auto const& after : {read, write}) {
    INFO(after);
    run_small(kernel("0", after), 1, 64, {}, 8192);
    CHECK(report_small(kernel("32", after), 1, 64, {}, 8192).what == trouble::race);
  }
}

// Around a shift only shift -> mma, mma -> shift and shift -> cp.4x256b need no wait
// (tests/rows/test_tensor_copy.cpp). A commit and a wait on its mbarrier order everything else.
TEST_CASE("a shift is ordered with products and cp.4x256b only", "[tcgen05]") {
  std::string const shift = "tcgen05.shift.cta_group::1.down ";
  auto const kernel = [&](std::string const& act) {
    return "setp.eq.u32 %p1, %r1, 0;\n" + allocate("s", 32) +
           "@%p1 mbarrier.init.shared::cta.b64 [s+8], 1;\n@%p1 "
           "fence.mbarrier_init.release.cluster;\n"
           "mov.u32 %r5, dynamic;\nst.shared.u32 [%r5], 0;\nfence.proxy.async;\n"
           "bar.warp.sync 0xffffffff;\nld.shared.u32 %r3, [s];\nmov.u32 %r2, 7;\n"
           "shr.u32 %r6, %r5, 4;\ncvt.u64.u32 %rd4, %r6;\nor.b64 %rd4, %rd4, 0x0000400801000000;\n"
           "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r3], {%r2, %r2, %r2, %r2, %r2, %r2, %r2, "
           "%r2};\n"
           "tcgen05.wait::st.sync.aligned;\n@!%p1 bra WAIT;\n" +
           act +
           "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [s+8];\n"
           "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [s+8], 0;\n@!%p2 bra WAIT;\n"
           "tcgen05.fence::after_thread_sync;\n"
           "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r3];\ntcgen05.wait::ld.sync.aligned;\n" +
           release("%r3", 32) + store_r2;
  };
  CHECK(run_small(kernel(shift + "[%r3];\n"), 1, 32, {}, 8192)[31] == 7);
  CHECK(report_small(kernel(shift + "[%r3];\n" + shift + "[%r3];\n"), 1, 32, {}, 8192).what ==
        trouble::race);
  CHECK(report_small(kernel(shift + "[%r3+0x100000];\n"), 1, 32, {}, 8192).what ==
        trouble::misaligned);
  CHECK(report_small(kernel(shift + "[%r3+28];\n"), 1, 32, {}, 8192).what ==
        trouble::out_of_bounds);
  std::string const late = kernel(shift + "[%r3];\n");
  auto const wait = late.find("WAIT:"), fence = late.find("tcgen05.fence");
  CHECK(report_small(late.substr(0, wait) + "WAIT:\n" + late.substr(fence), 1, 32, {}, 8192).what ==
        trouble::race);
}
