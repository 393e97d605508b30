// Tests the reports of races on shared memory of another block of the cluster. Each way of access
// has legal programs and the same programs with one mistake.
//
// Block k of a cluster of two runs part k. Word s[0] of block 1 is the datum; its address in the
// cluster is %r8. Both blocks have an mbarrier for one arrival at s + 16. The mbarrier of block
// 0 has the address %r9, and the mbarrier of block 1 has the address %r10.
#include "small_kernel.hpp"

using namespace machine_test;
using machine::landing;
using machine::launch_options;
using machine::trouble;

namespace {

std::string const meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

std::string body_of(std::string const& of_0, std::string const& of_1) {
  return "mov.u32 %r2, %cluster_ctarank;\nmov.u32 %r3, s;\nmov.u32 %r6, 7;\nmov.u32 %r7, 0;\n"
         "mapa.shared::cluster.u32 %r8, %r3, 1;\nadd.u32 %r10, %r8, 16;\n"
         "mapa.shared::cluster.u32 %r9, %r3, 0;\nadd.u32 %r9, %r9, 16;\n"
         "setp.eq.u32 %p3, %r1, 0;\n@%p3 mbarrier.init.shared::cta.b64 [%r3+16], 1;\n"
         "@%p3 fence.mbarrier_init.release.cluster;\n@%p3 st.shared.u32 [%r3], %r6;\n"
         "@%p3 st.shared.u32 [%r3+4], %r6;\n" +
         meet + "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra PART1;\n" + of_0 + "bra END;\nPART1:\n" + of_1 +
         "END:\n" + meet;
}

std::vector<launch_options> schedules() {
  std::vector<launch_options> list(5);
  for (std::size_t k = 0; k < list.size(); ++k) {
    list[k].strict = true;
    list[k].when = k == 0 ? landing::at_once : k == 1 ? landing::late : landing::random;
    list[k].seed = k < 2 ? 0 : k;
    list[k].instruction_limit = 300'000;
  }
  return list;
}

void passes(std::string const& of_0, std::string const& of_1) {
  for (auto const& how : schedules())
    CHECK_NOTHROW(run_small(body_of(of_0, of_1), 2, 32, {2}, 64, how));
}

void is_found(std::string const& of_0, std::string const& of_1) {
  for (auto const& how : schedules()) {
    auto const reported = report_small(body_of(of_0, of_1), 2, 32, {2}, 64, how);
    CHECK(reported.what == trouble::race);
    CHECK_THAT(reported.sentence, axe_test::contains_text("no barrier of the cluster"));
  }
}

std::string await(std::string const& name) {
  return name + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3+16], 0;\n@!%p2 bra " + name +
         ";\n";
}

std::string const own_read = "@%p3 ld.shared.u32 %r4, [%r3];\n",
                  own_write = "@%p3 st.shared.u32 [%r3], %r6;\n",
                  far_read = "@%p3 ld.shared::cluster.u32 %r4, [%r8];\n",
                  far_write = "@%p3 st.shared::cluster.u32 [%r8], %r6;\n";
std::string arrive_at(std::string const& barrier) {
  return "bar.warp.sync 0xffffffff;\n@%p3 mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
         "[" +
         barrier + "];\n";
}

}  // namespace

TEST_CASE("a barrier of the cluster orders accesses to shared memory of another block",
          "[cluster_race]") {
  for (auto const& [far, own] :
       {std::pair{far_write, own_read}, {far_read, own_write}, {far_write, own_write}}) {
    passes(far + meet, meet + own);
    passes(meet + far, own + meet);
    is_found(far, own);
    is_found(far + meet, own + meet);
  }
  passes(far_read, own_read);
}

TEST_CASE("a race through a generic address of another block's shared memory is found",
          "[cluster_race]") {
  std::string const generic =
      "cvt.u64.u32 %rd4, %r8;\ncvta.shared::cluster.u64 %rd4, %rd4;\n@%p3 st.u32 [%rd4], %r6;\n";
  passes(generic + meet, meet + own_read);
  is_found(generic, own_read);
}

TEST_CASE("an arrival at an mbarrier of another block orders the accesses before it",
          "[cluster_race]") {
  passes(far_write + arrive_at("%r10"), await("FULL") + own_read);
  is_found(arrive_at("%r10") + far_write, await("FULL") + own_read);
  is_found(far_write + arrive_at("%r10"), own_read);
  passes(await("EMPTY") + far_write, own_read + arrive_at("%r9"));
  is_found(await("EMPTY") + far_write, arrive_at("%r9") + own_read);
  // The reader passes on what it has acquired.
  passes(far_write + arrive_at("%r10") + await("EMPTY") + far_write,
         await("FULL") + own_read + arrive_at("%r9"));
}

TEST_CASE("atomics race with other accesses, but not with each other", "[cluster_race]") {
  std::string const far = "@%p3 red.shared::cluster.add.u32 [%r8], 1;\n",
                    own = "@%p3 red.shared.add.u32 [%r3], 1;\n";
  passes(far, own);
  is_found(far, own_read);
  is_found(far_read, own);
  // An atomic does not hide an earlier atomic of the other block.
  is_found(far, own + own_read);
  is_found(far + far_read, own);
  is_found(far, own + own + own_write);
  passes(far + meet, own + meet + own_read);
  passes(far + meet + far_read, own + meet);
  passes(far + arrive_at("%r10"), own + await("FULL") + own_read);
}

TEST_CASE("a wait on the mbarrier of st.async orders the store before later reads",
          "[cluster_race]") {
  std::string const store =
      "@%p3 st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r8], %r6, [%r10];\n";
  std::string const expect = "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+16], 4;\n";
  passes(store, expect + await("FULL") + own_read);
  passes(await("EMPTY") + store, own_read + arrive_at("%r9") + expect + await("FULL") + own_read);
  // Bytes that have not arrived count as never written.
  for (auto const& how : schedules()) {
    auto const reported =
        report_small(body_of(store, own_read + expect + await("FULL")), 2, 32, {2}, 64, how);
    CHECK((reported.what == trouble::race || reported.what == trouble::never_written));
  }
}

TEST_CASE("a multicast races with unordered accesses to its destinations", "[cluster_race]") {
  std::string const copy =
      ".reg .b16 %h<1>;\nmov.u16 %h0, 2;\nadd.u32 %r5, %r3, 16;\n"
      "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r3], [%rd1], 16, [%r5], %h0;\n";
  std::string const expect = "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+16], 16;\n";
  passes(copy, expect + await("FULL") + own_read);
  passes(await("EMPTY") + copy, own_read + arrive_at("%r9") + expect + await("FULL") + own_read);
  passes(copy, expect + await("FULL") + "bar.warp.sync 0xffffffff;\n" + own_write);
  for (auto const& how : schedules()) {
    auto const reported =
        report_small(body_of(copy, own_read + expect + await("FULL")), 2, 32, {2}, 64, how);
    CHECK((reported.what == trouble::race || reported.what == trouble::never_written));
  }
  is_found(copy, own_write + expect + await("FULL"));
}

// Blocks 1 and 2 of a cluster of three each write one of two adjacent words of block 0, which
// tcgen05.cp of block 0 reads after `arrivals` arrivals at its mbarrier.
TEST_CASE("tcgen05.cp needs an arrival from each block that wrote its operand", "[cluster_race]") {
  auto const kernel = [](int arrivals, std::string const& arrives) {
    return "mov.u32 %r2, %cluster_ctarank;\nmov.u32 %r3, s;\nmov.u32 %r4, dynamic;\n"
           "setp.eq.u32 %p3, %r1, 0;\nsetp.ne.u32 %p1, %r2, 0;\nsetp.eq.u32 %p5, %r2, 1;\n"
           "mapa.shared::cluster.u32 %r8, %r4, 0;\nmad.lo.u32 %r8, %r2, 4, %r8;\n"
           "mapa.shared::cluster.u32 %r9, %r3, 0;\nadd.u32 %r9, %r9, 16;\n"
           "@%p3 mbarrier.init.shared::cta.b64 [%r3+16], " +
           std::to_string(arrivals) +
           ";\n@%p3 mbarrier.init.shared::cta.b64 [%r3+24], 1;\n"
           "@%p3 fence.mbarrier_init.release.cluster;\nmad.lo.u32 %r5, %r1, 4, %r4;\n"
           "st.shared.u32 [%r5], %r1;\nfence.proxy.async;\n"
           "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32;\n" +
           meet +
           "ld.shared.u32 %r7, [%r3];\n@!%p1 bra PART0;\n@%p3 st.shared::cluster.u32 [%r8], "
           "%r1;\n" +
           arrives + "bra END;\nPART0:\n" + await("FULL") +
           "fence.proxy.async;\nshr.u32 %r6, %r4, 4;\ncvt.u64.u32 %rd4, %r6;\n"
           "or.b64 %rd4, %rd4, 0x0000400800040000;\n@%p3 tcgen05.cp.cta_group::1.4x256b [%r7], "
           "%rd4;\n"
           "@%p3 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3+24];\n"
           "DONE:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3+24], 0;\n@!%p2 bra DONE;\n"
           "tcgen05.fence::after_thread_sync;\nEND:\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 "
           "%r7, 32;\n" +
           meet;
  };
  std::string const arrive = arrive_at("%r9"), one_arrives = "@!%p5 bra END;\n" + arrive;
  for (auto const& how : schedules()) {
    CHECK_NOTHROW(run_small(kernel(2, arrive), 3, 32, {3}, 128, how));
    auto const reported = report_small(kernel(1, one_arrives), 3, 32, {3}, 128, how);
    CHECK(reported.what == trouble::race);
    CHECK_THAT(reported.sentence, axe_test::contains_text("no barrier of the cluster"));
  }
}

// Block 1 writes a word of A. The four warps of block 0 issue a wgmma that reads the word.
TEST_CASE("each warp of a wgmma must be ordered after the block that wrote an operand",
          "[cluster_race]") {
  auto const kernel = [](std::string const& waits) {
    std::string fill;
    for (int k = 0; k < 5; ++k) fill += "st.shared.u32 [%r5+" + std::to_string(512 * k) + "], 0;\n";
    return "mov.u32 %r2, %cluster_ctarank;\nmov.u32 %r3, s;\nmov.u32 %r4, dynamic;\n"
           "setp.eq.u32 %p3, %r1, 0;\nsetp.ne.u32 %p1, %r2, 0;\nsetp.ge.u32 %p5, %r1, 32;\n"
           "setp.ne.u32 %p6, %r1, %r1;\nmapa.shared::cluster.u32 %r8, %r4, 0;\n"
           "mapa.shared::cluster.u32 %r9, %r3, 0;\nadd.u32 %r9, %r9, 16;\n"
           "@%p3 mbarrier.init.shared::cta.b64 [%r3+16], 1;\n"
           "@%p3 fence.mbarrier_init.release.cluster;\nmad.lo.u32 %r5, %r1, 4, %r4;\n" +
           fill + "fence.proxy.async;\n" + meet +
           "@!%p1 bra PART0;\n@%p3 st.shared::cluster.u32 [%r8], %r2;\n" + arrive_at("%r9") +
           "bra END;\nPART0:\n" + waits +
           "fence.proxy.async;\nshr.u32 %r6, %r4, 4;\ncvt.u64.u32 %rd4, %r6;\n"
           "or.b64 %rd4, %rd4, 0x0000001000080000;\nadd.u64 %rd5, %rd4, 128;\n"
           "wgmma.fence.sync.aligned;\n"
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd4, %rd5, "
           "%p6, 1, 1, 0, 0;\n"
           "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nEND:\n" +
           meet;
  };
  for (auto const& how : schedules()) {
    CHECK_NOTHROW(run_small(kernel(await("FULL")), 2, 128, {2}, 2560, how));
    CHECK_NOTHROW(run_small(kernel("@%p5 bra MET;\n" + await("FULL") + "MET:\nbar.sync 0;\n"), 2,
                            128, {2}, 2560, how));
    auto const reported =
        report_small(kernel("@%p5 bra GO;\n" + await("FULL") + "GO:\n"), 2, 128, {2}, 2560, how);
    CHECK(reported.what == trouble::race);
    CHECK_THAT(reported.sentence, axe_test::contains_text("no barrier of the cluster"));
  }
}
