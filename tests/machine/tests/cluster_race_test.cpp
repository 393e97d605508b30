// Races on shared memory of another block of the cluster: for each way of access, legal programs
// and the same programs with one mistake.
//
// Block k of a cluster of two runs part k. Word s[0] of block 1 is the datum, %r8 its address in the
// cluster. An mbarrier for one arrival lies at s + 16 of both blocks, that of block 0 at %r9, of
// block 1 at %r10.
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
    auto const told = report_small(body_of(of_0, of_1), 2, 32, {2}, 64, how);
    CHECK(told.what == trouble::race);
    CHECK_THAT(told.sentence, axe_test::contains_text("no barrier of the cluster"));
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

TEST_CASE("a barrier of the cluster orders accesses to another block", "[cluster_race]") {
  for (auto const& [far, own] :
       {std::pair{far_write, own_read}, {far_read, own_write}, {far_write, own_write}}) {
    passes(far + meet, meet + own);
    passes(meet + far, own + meet);
    is_found(far, own);
    is_found(far + meet, own + meet);
  }
  passes(far_read, own_read);
}

TEST_CASE("a generic address of another block's shared memory counts, too", "[cluster_race]") {
  std::string const generic =
      "cvt.u64.u32 %rd4, %r8;\ncvta.shared::cluster.u64 %rd4, %rd4;\n@%p3 st.u32 [%rd4], %r6;\n";
  passes(generic + meet, meet + own_read);
  is_found(generic, own_read);
}

TEST_CASE("an arrival at an mbarrier of another block orders", "[cluster_race]") {
  passes(far_write + arrive_at("%r10"), await("FULL") + own_read);
  is_found(arrive_at("%r10") + far_write, await("FULL") + own_read);
  is_found(far_write + arrive_at("%r10"), own_read);
  passes(await("EMPTY") + far_write, own_read + arrive_at("%r9"));
  is_found(await("EMPTY") + far_write, arrive_at("%r9") + own_read);
  // The reader passes on what it was told.
  passes(far_write + arrive_at("%r10") + await("EMPTY") + far_write,
         await("FULL") + own_read + arrive_at("%r9"));
}

TEST_CASE("atomics do not race with each other, but with other accesses", "[cluster_race]") {
  std::string const far = "@%p3 red.shared::cluster.add.u32 [%r8], 1;\n",
                    own = "@%p3 red.shared.add.u32 [%r3], 1;\n";
  passes(far, own);
  is_found(far, own_read);
  is_found(far_read, own);
}

TEST_CASE("stores that complete on an mbarrier order their bytes", "[cluster_race]") {
  std::string const store =
      "@%p3 st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r8], %r6, [%r10];\n";
  std::string const expect = "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+16], 4;\n";
  passes(store, expect + await("FULL") + own_read);
  passes(await("EMPTY") + store, own_read + arrive_at("%r9") + expect + await("FULL") + own_read);
  // What has not arrived reads as never written.
  for (auto const& how : schedules()) {
    auto const told =
        report_small(body_of(store, own_read + expect + await("FULL")), 2, 32, {2}, 64, how);
    CHECK((told.what == trouble::race || told.what == trouble::never_written));
  }
}

TEST_CASE("a multicast waits for the readers of its destinations", "[cluster_race]") {
  std::string const copy =
      ".reg .b16 %h<1>;\nmov.u16 %h0, 2;\nadd.u32 %r5, %r3, 16;\n"
      "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r3], [%rd1], 16, [%r5], %h0;\n";
  std::string const expect = "@%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+16], 16;\n";
  passes(copy, expect + await("FULL") + own_read);
  passes(await("EMPTY") + copy, own_read + arrive_at("%r9") + expect + await("FULL") + own_read);
  passes(copy, expect + await("FULL") + "bar.warp.sync 0xffffffff;\n" + own_write);
  for (auto const& how : schedules()) {
    auto const told =
        report_small(body_of(copy, own_read + expect + await("FULL")), 2, 32, {2}, 64, how);
    CHECK((told.what == trouble::race || told.what == trouble::never_written));
  }
  is_found(copy, own_write + expect + await("FULL"));
}
