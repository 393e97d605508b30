// Tests cluster launch control: each block of a grid is computed once, by whichever cluster takes
// it.
#include "small_kernel.hpp"

using machine::launch_options;
using machine::trouble;
using machine_test::array;
using machine_test::entry_with;
using machine_test::every_landing;
using machine_test::thrown_by;

namespace {

/// Every thread adds 1 to the word of the block that it works for, then asks for another cluster.
/// `query` sets %p5 from the response in %q, and %r10, %r11, %r12 to x, y, z of the first block.
std::string kernel(std::string const& query, bool is_multicast) {
  std::string const name =
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes";
  std::string const cluster = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  return ".reg .b128 %q;\nsetp.eq.u32 %p1, %r1, 0;\nmov.u32 %r3, s;\n"
         "mov.u32 %r9, %cluster_ctarank;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ctaid.y;\n"
         "mov.u32 %r6, 0;\n@%p1 mbarrier.init.shared::cta.b64 [%r3+32], 1;\n"
         "@%p1 fence.mbarrier_init.release.cluster;\n" +
         cluster +
         "work: mov.u32 %r7, %nctaid.x;\nmad.lo.u32 %r7, %r5, %r7, %r4;\n"
         "mul.wide.u32 %rd2, %r7, 4;\nadd.u64 %rd2, %rd1, %rd2;\nred.global.add.u32 [%rd2], 1;\n"
         "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+32], 16;\n" +
         cluster + (is_multicast ? "setp.eq.and.u32 %p2, %r9, 0, %p1;\n@%p2 " : "@%p1 ") + name +
         (is_multicast ? ".multicast::cluster::all" : "") +
         ".b128 [%r3], [%r3+32];\n"
         "wait: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3+32], %r6;\n@!%p3 bra wait;\n"
         "xor.b32 %r6, %r6, 1;\nld.shared.b128 %q, [%r3];\nfence.proxy.async;\nbar.sync 0;\n" +
         query +
         "@!%p5 bra done;\nmov.u32 %r8, %cluster_ctaid.x;\nadd.u32 %r4, %r10, %r8;\n"
         "mov.u32 %r8, %cluster_ctaid.y;\nadd.u32 %r5, %r11, %r8;\n"
         "add.u32 %r5, %r5, %r12;\nbra work;\ndone: " +  // the z of every block is 0
         cluster;
}

std::string const query = "clusterlaunchcontrol.query_cancel.";
std::string const query_at_once = query + "is_canceled.pred.b128 %p5, %q;\n@%p5 " + query +
                                  "get_first_ctaid.v4.b32.b128 {%r10, %r11, %r12, _}, %q;\n";
std::string const query_by_parts = query + "is_canceled.pred.b128 %p5, %q;\n@%p5 " + query +
                                   "get_first_ctaid::x.b32.b128 %r10, %q;\n@%p5 " + query +
                                   "get_first_ctaid::y.b32.b128 %r11, %q;\n@%p5 " + query +
                                   "get_first_ctaid::z.b32.b128 %r12, %q;\n";

std::vector<std::uint32_t> run(std::string const& body, machine::extent3 cluster,
                               launch_options const& how) {
  machine::device on;
  array<std::uint32_t> const out(on, std::vector<std::uint32_t>(6 * 4, 0));
  machine::load(entry_with(body), on).launch("k", {6, 4}, {64}, cluster, 0, {out}, how);
  return out.values();
}

void each_block_once(std::vector<std::uint32_t> const& out) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    INFO("block " << k);
    CHECK(out[k] == 64);
  }
}

}  // namespace

TEST_CASE("each block of the grid is computed once", "[launch_control]") {
  for (auto const& how : every_landing()) {
    each_block_once(run(kernel(query_at_once, false), {1}, how));
    each_block_once(run(kernel(query_by_parts, false), {1}, how));
    each_block_once(run(kernel(query_at_once, true), {2, 2}, how));
  }
}

TEST_CASE("a one-way proxy fence orders the read of an answer before the next request",
          "[launch_control]") {
  std::string const name = "fence.proxy.async::generic.";
  launch_options strict;
  strict.strict = true;
  auto released = kernel(query_at_once, false), acquired = released;
  std::string const both_ways = "fence.proxy.async;";
  released.replace(released.find(both_ways), both_ways.size(),
                   name + "release.sync_restrict::shared::cta.cluster;");
  acquired.erase(acquired.find(both_ways), both_ways.size());
  acquired.insert(acquired.find("@%p1 clusterlaunchcontrol"),
                  "@%p1 " + name + "acquire.sync_restrict::shared::cluster.cluster;\n");
  each_block_once(run(released, {1}, strict));
  each_block_once(run(acquired, {1}, strict));
  acquired.erase(acquired.find("@%p1 " + name),
                 acquired.find("@%p1 clusterlaunchcontrol") - acquired.find("@%p1 " + name));
  CHECK(thrown_by([&] { run(acquired, {1}, strict); }).what == trouble::proxy);
}

TEST_CASE("try_cancel accepts generic addresses of response and mbarrier", "[launch_control]") {
  auto const with_generic = [](bool is_multicast, std::string const& change = "") {
    auto body = kernel(query_at_once, is_multicast);
    body.erase(body.find(".async.shared::cta") + 6, 12);
    body.replace(body.find("[%r3], [%r3+32]"), 15, "[%rd4], [%rd4+32]");
    return "mov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\n" + change + body;
  };
  each_block_once(run(with_generic(false), {1}, {}));
  each_block_once(run(with_generic(true), {2, 1}, {}));
  // The low 32 bits are the address of the response, but bit 32 is set.
  auto const beyond = with_generic(false, "or.b64 %rd4, %rd4, 0x100000000;\n");
  CHECK(thrown_by([&] { run(beyond, {1}, {}); }).what == trouble::out_of_bounds);
}

TEST_CASE("misuse of cluster launch control is reported", "[launch_control]") {
  auto const thrown_by_one_block = [](std::string const& body, launch_options const& how = {}) {
    return thrown_by([&] { run(body, {1}, how); });
  };
  auto const says = [](machine::report const& report, char const* words) {
    INFO(report.sentence);
    CHECK(report.sentence.find(words) != std::string::npos);
  };
  says(thrown_by_one_block(
           kernel(query + "get_first_ctaid::x.b32.b128 %r10, %q;\n" + query_at_once, false)),
       "asks a failed try_cancel");
  says(thrown_by_one_block(kernel("mov.b128 %q, {%rd1, %rd1};\n" + query_at_once, false)),
       "that clusterlaunchcontrol.try_cancel has not written");
  auto again = kernel(query_at_once, false);
  again.replace(again.find("@!%p5 bra done;"), 15, "@!%p5 bra work;");
  says(thrown_by_one_block(again), "after a query has seen an earlier try fail");
  auto unwaited = kernel(query_at_once, false);
  auto const wait = unwaited.find("wait: "), end = unwaited.find("xor.b32 %r6");
  unwaited.erase(wait, end - wait);
  CHECK(thrown_by_one_block(unwaited).what == trouble::never_written);
  auto unfenced = kernel(query_at_once, true);
  unfenced.erase(unfenced.find("fence.proxy.async;"), 18);
  launch_options strict;
  strict.strict = true;
  says(thrown_by([&] { run(unfenced, {2, 1}, strict); }),
       "through the asynchronous proxy; it was read");
  auto unaligned = kernel(query_at_once, false);
  unaligned.replace(unaligned.find("[%r3], [%r3+32]"), 15, "[%r3+8], [%r3+32]");
  CHECK(thrown_by_one_block(unaligned).what == trouble::misaligned);
}
