// Tests reports of strict mode (check/strict.hpp). They end a launch of the project's own kernels,
// and become warnings in third-party programs.
#include "check/strict.hpp"
#include "known_kernels.hpp"
#include "small_kernel.hpp"

using namespace machine_test;
using machine::landing;
using machine::launch_options;
using machine::trouble;
using machine::warning_list;

namespace {

launch_options warned(warning_list& list) {
  launch_options how;
  how.strict = true;
  how.warnings = &list;
  return how;
}

std::string without_line(std::string const& text, std::string const& words) {
  auto const at = text.find(words);
  REQUIRE(at != std::string::npos);
  return std::string(text).erase(at, text.find('\n', at) - at);
}

}  // namespace

TEST_CASE("a missing proxy fence is a warning, once for its line, and the launch goes on",
          "[strict]") {
  auto const text = kernel_text("gemm_tma");
  auto const broken = without_line(text, "fence.proxy.async.shared::cta;");
  launch_options how;
  how.strict = true;
  auto const right = run_known("gemm_tma", text, how);
  auto const reported = thrown_by([&] { run_known("gemm_tma", broken, how); });
  CHECK(reported.what == trouble::proxy);
  warning_list list;
  CHECK(run_known("gemm_tma", broken, warned(list)) == right);
  REQUIRE(!list.all().empty());
  for (auto const& each : list.all()) CHECK(each.first.what == trouble::proxy);
  auto const found = list.all().front();
  CHECK(found.first.ptx_line == reported.ptx_line);
  CHECK(found.first.sentence == reported.sentence);
  CHECK(found.times > 1);
  warning_list none;
  run_known("gemm_tma", text, warned(none));
  CHECK(none.all().empty());
}

TEST_CASE("reading bytes that were never written is a warning, reading bytes in flight an error",
          "[strict]") {
  std::string const read = "mov.u32 %r3, s;\nld.shared.u32 %r2, [%r3];\n" + store_r2;
  CHECK(report_small(read, 1, 32).what == trouble::never_written);
  warning_list list;
  run_small(read, 1, 32, {}, 0, warned(list));
  REQUIRE(list.all().size() == 1);
  CHECK(list.all().front().first.what == trouble::never_written);
  CHECK(list.all().front().times == 32);
  std::string const copied =
      "mov.u32 %r3, s;\nmov.u32 %r2, 7;\nst.global.u32 [%rd1], %r2;\n"
      "cp.async.ca.shared.global [%r3], [%rd1], 4;\nld.shared.u32 %r2, [%r3];\n";
  auto how = warned(list);
  how.when = landing::late;
  CHECK(report_small(copied, 1, 1, {}, 0, how).what == trouble::never_written);
  run_small(
      "mov.u32 %r3, s;\nmov.u32 %r2, 7;\nst.global.u32 [%rd1], %r2;\ncp.async.ca.shared.global "
      "[%r3], "
      "[%rd1], 4;\ncp.async.wait_all;\nld.shared.u32 %r2, [%r3];\n",
      1, 1, {}, 0, how);
}

TEST_CASE("a proxy fence makes an mbarrier visible to the copies of its own warp", "[strict]") {
  auto const body = [](std::string const& before, std::string const& after) {
    return "setp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p3, %r1, 32;\nmov.u32 %r3, s;\n"
           "mov.u32 %r4, dynamic;\n@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;\n" +
           before + "bar.sync 0;\n" + after +
           "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;\n"
           "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], "
           "16, [%r3];\nW: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;\n"
           "@!%p2 bra W;\n";
  };
  launch_options how;
  how.strict = true;
  std::string const fence = "fence.proxy.async.shared::cta;\n";
  run_small(body("@%p1 fence.mbarrier_init.release.cluster;\n", ""), 1, 64, {}, 64, how);
  run_small(body("@%p1 " + fence, ""), 1, 64, {}, 64, how);
  run_small(body("", "@%p3 " + fence), 1, 64, {}, 64, how);
  run_small(body("",
                 "@%p3 fence.proxy.async::generic.acquire.sync_restrict::shared::cluster."
                 "cluster;\n"),
            1, 64, {}, 64, how);
  CHECK(report_small(body("", ""), 1, 64, {}, 64, how).what == trouble::proxy);
}

TEST_CASE("copies without a wait are reported, whenever they complete", "[strict]") {
  std::string const body =
      "setp.eq.u32 %p1, %r1, 0;\nmov.u32 %r3, s;\nmov.u32 %r4, dynamic;\n"
      "@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;\n@%p1 "
      "fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
      "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;\n"
      "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 16, "
      "[%r3];\n";
  for (auto const when : {landing::at_once, landing::late, landing::random}) {
    launch_options how;
    how.strict = true;
    how.when = when;
    CHECK(report_small(body, 1, 32, {}, 64, how).what == trouble::in_flight);
    warning_list list;
    how.warnings = &list;
    run_small(body, 1, 32, {}, 64, how);
    REQUIRE(list.all().size() == 1);
    CHECK(list.all().front().first.what == trouble::in_flight);
    CHECK(list.all().front().first.sentence.find("ends while 1 of its bulk copies") !=
          std::string::npos);
  }
}

TEST_CASE("a race is one warning for its two lines, and the launch goes on", "[strict]") {
  std::string const lanes =
      "mov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r3], 1;\n"
      "setp.eq.u32 %p2, %r1, 1;\n@%p2 st.shared.u32 [%r3], 2;";
  warning_list list;
  run_small(lanes, 1, 32, {}, 0, warned(list));
  REQUIRE(list.all().size() == 1);
  CHECK(list.all().front().first.what == trouble::race);
  std::string const warps =
      "mov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r3], 1;\n"
      "setp.eq.u32 %p2, %r1, 32;\n@%p2 st.shared.u32 [%r3], 2;";
  CHECK(report_small(warps, 1, 64).what == trouble::race);
  warning_list between;
  run_small(warps, 1, 64, {}, 0, warned(between));
  REQUIRE(between.all().size() == 1);
  CHECK(between.all().front().first.what == trouble::race);
  // In the loops, each load lies between two stores. The race is found in both orders and reported
  // once.
  std::string const both_ways =
      "mov.u32 %r3, s;\nsetp.ge.u32 %p1, %r1, 32;\nmov.u32 %r4, 0;\n@%p1 bra load;\n"
      "store: st.shared.u32 [%r3], %r4;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, 9000;\n"
      "@%p2 bra store;\nret;\n"
      "load: ld.shared.u32 %r2, [%r3];\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, 9000;\n"
      "@%p2 bra load;\n";
  for (std::uint64_t const seed : {1u, 2u, 3u}) {
    warning_list one;
    auto how = warned(one);
    how.seed = seed;
    how.check_written = false;
    run_small(both_ways, 1, 64, {}, 0, how);
    REQUIRE(one.all().size() == 1);
    CHECK(one.all().front().times > 1);
    auto const reported = one.all().front().first;
    CHECK(reported.what == trouble::race);
    CHECK(reported.sentence.find("(PTX line ") != std::string::npos);
  }
  // A line that races with two others makes two races.
  std::string const two_readers =
      "mov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r3], 1;\n"
      "setp.eq.u32 %p2, %r1, 32;\n@%p2 ld.shared.u32 %r2, [%r3];\nsetp.eq.u32 %p3, %r1, 64;\n"
      "@%p3 ld.shared.u32 %r2, [%r3];\n";
  warning_list two;
  run_small(two_readers, 1, 96, {}, 0, warned(two));
  CHECK(two.all().size() == 2);
}

TEST_CASE("a tensor map at address 0 is a warning, at another invalid address an error",
          "[strict]") {
  std::string const acquire =
      "mov.u64 %rd2, 0;\nfence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;\n";
  CHECK(report_small(acquire, 1, 32).what == trouble::out_of_bounds);
  warning_list list;
  run_small(acquire, 1, 32, {}, 0, warned(list));
  REQUIRE(list.all().size() == 1);
  CHECK(list.all().front().first.what == trouble::out_of_bounds);
  std::string const astray =
      "mov.u64 %rd2, 64;\nfence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;\n";
  warning_list none;
  CHECK(report_small(astray, 1, 32, {}, 0, warned(none)).what == trouble::out_of_bounds);
}

// Each of four warps writes its part of an operand and issues the wgmma without a barrier between
// the warps, as CuTe's wgmma_sm90 does. The machine starts an operation after all four have issued
// it, so the product is right; the ISA does not guarantee it.
TEST_CASE("strict mode reports a wgmma that reads another warp's stores without a barrier",
          "[strict]") {
  std::string const body =
      "mov.u32 %r4, dynamic;\nshl.b32 %r5, %r1, 5;\nadd.u32 %r5, %r5, %r4;\nmov.u32 %r6, 0;\n"
      "st.shared.v4.u32 [%r5], {%r6, %r6, %r6, %r6};\nst.shared.v4.u32 [%r5+16], {%r6, %r6, %r6, "
      "%r6};\n"
      "fence.proxy.async;\n"
      "shr.u32 %r7, %r4, 4;\ncvt.u64.u32 %rd2, %r7;\nmov.u64 %rd3, 0x0000001000080000;\nor.b64 "
      "%rd2, %rd2, "
      "%rd3;\n"
      "wgmma.fence.sync.aligned;\nsetp.ne.u32 %p1, %r1, %r1;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd2, %rd2, %p1, 1, "
      "1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\ncvt.rzi.s32.f32 %r2, "
      "%f0;\n" +
      store_r2;
  CHECK(run_small(body, 1, 128, {}, 4096) == std::vector<std::uint32_t>(128, 0));
  launch_options how;
  how.strict = true;
  CHECK(report_small(body, 1, 128, {}, 4096, how).what == trouble::race);
  warning_list list;
  CHECK(run_small(body, 1, 128, {}, 4096, warned(list)) == std::vector<std::uint32_t>(128, 0));
  REQUIRE(list.all().size() == 2);  // one for each of the two stores
  CHECK(list.all().front().first.what == trouble::race);
}
