// Tests mbarriers, cp.async, bulk and tensor copies, and their misuse. Copies complete at once,
// late or at random times (machine::landing).
#include <numeric>

#include "small_kernel.hpp"
#include "tensor/tensor_map.hpp"

using machine::device;
using machine::landing;
using machine::launch_options;
using machine::trouble;
using machine_test::array;
using machine_test::entry_with;
using machine_test::every_landing;
using machine_test::report_small;
using machine_test::run_small;
using machine_test::store_r2;

namespace {

std::string const init =
    "mov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [%r3], COUNT;\n"
    "@%p1 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n";
std::string with_count(int count) {
  std::string text = init;
  text.replace(text.find("COUNT"), 5, std::to_string(count));
  return text;
}
std::string wait_parity(int parity) {
  return "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], " + std::to_string(parity) +
         ";\n@!%p2 bra W;\n";
}

}  // namespace

TEST_CASE("arrivals end a phase, and the parity changes", "[async]") {
  for (auto const& how : every_landing()) {
    auto const out =
        run_small(with_count(64) +
                      "st.shared.u32 [%r3+8], 5;\nbar.sync 0;\n@%p1 st.shared.u32 [%r3+8], 77;\n"
                      "mbarrier.arrive.shared::cta.b64 %rd2, [%r3];\n" +
                      wait_parity(0) + "ld.shared.u32 %r2, [%r3+8];" + store_r2,
                  1, 64, {}, 0, [&] {
                    auto o = how;
                    o.check_races = false;
                    return o;
                  }());
    for (auto const each : out) REQUIRE(each == 77);
  }
}

TEST_CASE("each mbarrier instruction changes pending counts and phases as the ISA says",
          "[async]") {
  // One thread takes a barrier of two arrivals through its phases. Each check sets one bit of the
  // result.
  for (bool const generic : {false, true}) {
    std::string const a = generic ? "[%rd5]" : "[%r3]", dot = generic ? "" : ".shared";
    auto const bit = [&](std::string const& text, int n) {
      return text + "selp.u32 %r4, " + std::to_string(1 << n) +
             ", 0, %p2;\nor.b32 %r2, %r2, %r4;\n";
    };
    auto const parity_done = [&](int parity, int n) {
      return bit("mbarrier.test_wait.parity" + dot + ".b64 %p2, " + a + ", " +
                     std::to_string(parity) + ";\n",
                 n);
    };
    std::string body =
        "mov.u32 %r2, 0;\nmov.u32 %r3, s;\nmov.u64 %rd5, s;\ncvta.shared.u64 %rd5, "
        "%rd5;\nmbarrier.init" +
        dot + ".b64 " + a + ", 2;\n";
    body += parity_done(1, 0);  // parity 1 of a fresh barrier has ended
    body += parity_done(0, 1);  // parity 0 has not
    body += "mbarrier.arrive.noComplete" + dot + ".b64 %rd2, " + a +
            ", 1;\nmbarrier.pending_count.b64 %r4, %rd2;\nsetp.eq.u32 %p2, %r4, 2;\n" + bit("", 2);
    body += bit("mbarrier.test_wait" + dot + ".b64 %p2, " + a + ", %rd2;\n", 3);  // not complete
    body += "mbarrier.arrive.expect_tx" + dot + ".b64 %rd3, " + a + ", 48;\n" +
            parity_done(0, 4);  // bytes are missing
    body += "mbarrier.expect_tx" + dot + ".b64 " + a + ", 16;\nmbarrier.complete_tx" + dot +
            ".b64 " + a + ", 60;\n" + parity_done(0, 5);
    body += "mbarrier.complete_tx" + dot + ".b64 " + a + ", 4;\n" + parity_done(0, 6);  // complete
    body += bit("mbarrier.try_wait" + dot + ".b64 %p2, " + a + ", %rd2, 100;\n", 7);
    body += "mbarrier.arrive_drop" + dot + ".b64 %rd2, " + a + ";\nmbarrier.arrive" + dot +
            ".b64 %rd2, " + a + ";\n" + parity_done(1, 8);
    body += "mbarrier.arrive_drop.expect_tx" + dot + ".b64 %rd2, " + a + ", 0;\n" +
            parity_done(0, 9);  // one arrival was enough
    body += "mbarrier.inval" + dot + ".b64 " + a + ";\nmbarrier.init" + dot + ".b64 " + a +
            ", 3;\nmbarrier.arrive_drop.noComplete" + dot + ".b64 %rd2, " + a +
            ", 1;\nmbarrier.arrive" + dot + ".b64 %rd2, " + a + ", 2;\n" +
            bit("mbarrier.try_wait.parity" + dot + ".b64 %p2, " + a + ", 0, 1000;\n", 10);
    CHECK(run_small(body + store_r2, 1, 1)[0] == (1u | 4u | 64u | 128u | 256u | 512u | 1024u));
  }
}

TEST_CASE("a generic address of an mbarrier with bit 32 set is reported", "[async]") {
  std::string const start =
      with_count(1) +
      "mov.u64 %rd5, s;\ncvta.shared.u64 %rd5, %rd5;\nor.b64 %rd5, %rd5, 0x100000000;\n";
  for (char const* each :
       {"mbarrier.arrive.b64 %rd2, [%rd5];", "cp.async.mbarrier.arrive.b64 [%rd5];",
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd5];"}) {
    INFO(each);
    CHECK(report_small(start + each, 1, 1).what == trouble::mbarrier);
  }
}

TEST_CASE("misuse of mbarriers is reported", "[async]") {
  CHECK(
      report_small(
          "mov.u32 %r3, s;\nst.shared.b64 [%r3], 0;\nmbarrier.arrive.shared.b64 %rd2, [%r3];", 1, 1)
          .what == trouble::mbarrier);
  CHECK(report_small("mov.u32 %r3, s;\nmbarrier.init.shared.b64 [%r3], 0;", 1, 1).what ==
        trouble::mbarrier);
  CHECK(report_small("mov.u32 %r3, s;\nmbarrier.init.shared.b64 [%r3+4], 1;", 1, 1).what ==
        trouble::misaligned);
  CHECK(report_small(with_count(2) + "mbarrier.arrive.shared.b64 %rd2, [%r3], 3;", 1, 1).what ==
        trouble::mbarrier);
  CHECK(report_small(with_count(2) + "mbarrier.arrive.shared.b64 %rd2, [%r3], 0;", 1, 1).what ==
        trouble::mbarrier);
  CHECK(report_small(with_count(1) + "mbarrier.arrive.noComplete.shared.b64 %rd2, [%r3], 1;", 1, 1)
            .what == trouble::mbarrier);
  CHECK(report_small(with_count(1) + "mbarrier.expect_tx.shared.b64 [%r3], 2000000;", 1, 1).what ==
        trouble::mbarrier);
  CHECK(report_small(
            with_count(2) +
                "mbarrier.arrive.shared.b64 %rd2, [%r3];\nmbarrier.init.shared.b64 [%r3], 2;",
            1, 1)
            .what == trouble::mbarrier);
  auto const reported =
      report_small(with_count(2) + "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r3], 64;\n" +
                       wait_parity(0),
                   1, 32);
  CHECK(reported.what == trouble::deadlock);
  CHECK_THAT(reported.sentence,
             axe_test::contains_text("where 1 of 2 arrivals and 64 bytes are missing"));
}

TEST_CASE("an arrival at another block's mbarrier is counted", "[async]") {
  auto const out = run_small(
      with_count(1) +
          "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u32 %r4, "
          "%cluster_ctarank;\nxor.b32 %r4, %r4, 1;\n"
          "mapa.shared::cluster.u32 %r5, %r3, %r4;\n@%p1 "
          "mbarrier.arrive.release.cluster.shared::cluster.b64 "
          "_, [%r5];\n" +
          wait_parity(0) +
          "mov.u32 %r2, 6;\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" +
          store_r2,
      2, 32, {2});
  CHECK(out == std::vector<std::uint32_t>(64, 6));
}

TEST_CASE("cp.async has copied all, some or none of its source bytes after its wait", "[async]") {
  std::string const body =
      "mov.u32 %r3, dynamic;\nmad.lo.u32 %r4, %r1, 16, %r3;\nmul.wide.u32 %rd2, %r1, 16;\nadd.u64 "
      "%rd3, "
      "%rd1, %rd2;\nsetp.eq.u32 %p1, %r1, 2;\n"
      "cp.async.ca.shared.global [%r4], [%rd3], 4;\ncp.async.ca.shared.global [%r4+4], [%rd3+4], "
      "4, "
      "2;\ncp.async.ca.shared.global [%r4+8], [%rd3+8], 8, %p1;\n"
      "cp.async.commit_group;\ncp.async.cg.shared.global.L2::128B [%r4+512], [%rd3], "
      "16;\ncp.async.commit_group;\ncp.async.wait_group 1;\n"
      "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];\ncp.async.wait_all;\nld.shared.u32 %r9, "
      "[%r4+516];\nst.global.v4.u32 [%rd3], {%r5, %r6, %r7, %r9};";
  for (auto const& how : every_landing()) {
    device on;
    std::vector<std::uint32_t> in(128);
    std::iota(in.begin(), in.end(), 0x10001u);
    array<std::uint32_t> const data(on, in);
    machine::load(entry_with(body), on).launch("k", {1}, {32}, {}, 1024, {data}, how);
    auto const out = data.values();
    for (std::size_t i = 0; i < 32; ++i) {
      CHECK(out[4 * i] == in[4 * i]);
      CHECK(out[4 * i + 1] == (in[4 * i + 1] & 0xffffu));
      CHECK(out[4 * i + 2] == (i == 2 ? 0 : in[4 * i + 2]));
      CHECK(out[4 * i + 3] == in[4 * i + 1]);
    }
  }
  launch_options late;
  late.when = landing::late;
  CHECK(report_small(
            "mov.u32 %r3, s;\nst.global.u32 [%rd1], 5;\ncp.async.ca.shared.global [%r3], [%rd1], "
            "4;\nld.shared.u32 %r2, [%r3];",
            1, 1, {}, 0, late)
            .what == trouble::never_written);
}

TEST_CASE("bulk copies in both directions and a bulk reduction write the expected words",
          "[async]") {
  std::string const body =
      with_count(1) +
      "mov.u32 %r4, dynamic;\n@!%p1 bra SKIP;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], "
      "256;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 256, "
      "[%r3];\nSKIP:\n" +
      wait_parity(0) +
      "mad.lo.u32 %r5, %r1, 4, %r4;\nld.shared.u32 %r6, [%r5];\nadd.u32 %r6, %r6, "
      "1000;\nst.shared.u32 "
      "[%r5], %r6;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
      "@!%p1 bra END;\nadd.u64 %rd3, %rd1, 256;\ncp.async.bulk.global.shared::cta.bulk_group "
      "[%rd3], [%r4], "
      "256;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r4], "
      "128;\ncp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group.read 0;\nst.shared.u32 [%r4], 0;\ncp.async.bulk.wait_group "
      "0;\nEND:";
  for (auto const& how : every_landing()) {
    device on;
    std::vector<std::uint32_t> in(128);
    std::iota(in.begin(), in.end(), 1u);
    array<std::uint32_t> const data(on, in);
    machine::load(entry_with(body), on).launch("k", {1}, {64}, {}, 1024, {data}, how);
    auto const out = data.values();
    for (std::size_t i = 0; i < 64; ++i) {
      CHECK(out[64 + i] == in[i] + 1000);
      CHECK(out[i] == (i < 32 ? 2 * in[i] + 1000 : in[i]));
    }
  }
}

TEST_CASE("a multicast reaches every block of its mask", "[async]") {
  std::string const body =
      with_count(1) +
      "mov.u32 %r4, dynamic;\n@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], "
      "128;\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "mov.u32 %r5, %cluster_ctarank;\nsetp.eq.and.u32 %p3, %r5, 1, %p1;\nmov.u16 %h, 7;\n"
      "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r4], "
      "[%rd1], 128, [%r3], %h;\n" +
      wait_parity(0) +
      "mad.lo.u32 %r5, %r1, 4, %r4;\nld.shared.u32 %r2, "
      "[%r5];\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nadd.u64 %rd1, %rd1, "
      "128;\n" +
      store_r2;
  for (auto const& how : every_landing()) {
    device on;
    std::vector<std::uint32_t> in(32 + 96, 0);
    std::iota(in.begin(), in.begin() + 32, 500u);
    array<std::uint32_t> const data(on, in);
    machine::load(entry_with(".reg .b16 %h;\n" + body), on)
        .launch("k", {3}, {32}, {3}, 1024, {data}, how);
    auto const out = data.values();
    for (std::size_t i = 0; i < 96; ++i) REQUIRE(out[32 + i] == 500 + i % 32);
  }
}

TEST_CASE("illegal bulk copies and tensor maps are reported", "[async]") {
  std::string const start = with_count(1) + "mov.u32 %r4, dynamic;\n";
  std::string const copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  CHECK(report_small(start + copy + "[%r4], [%rd1], 24, [%r3];", 1, 1, {}, 1024).what ==
        trouble::misaligned);
  CHECK(report_small(start + copy + "[%r4+8], [%rd1], 16, [%r3];", 1, 1, {}, 1024).what ==
        trouble::misaligned);
  CHECK(report_small(start + copy + "[%r4], [%rd1], 4096, [%r3];", 1, 1, {}, 1024).what ==
        trouble::out_of_bounds);
  CHECK(report_small(start + copy + "[%r4], [%rd1], 16, [%r4+32];", 1, 64, {}, 1024).what ==
        trouble::mbarrier);
  auto const reported =
      report_small(start +
                       "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_"
                       "tx::bytes [%r4], [%rd1, {%r1, %r1}], [%r3];",
                   1, 64, {}, 1024);
  CHECK(reported.what == trouble::descriptor);
}

TEST_CASE("a bulk copy whose size is a small negative number is reported", "[async]") {
  for (char const* copy :
       {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r3], [%rd1], -16, [%r3];",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], -16;"}) {
    INFO(copy);
    auto const reported = report_small(with_count(1) + copy, 1, 4);
    CHECK(reported.what == trouble::out_of_bounds);
    CHECK_THAT(reported.sentence, axe_test::contains_text("4294967280 bytes of"));
  }
}

TEST_CASE("a block does not see the mbarriers of the block before it", "[async]") {
  auto const reported = report_small(
      "mov.u32 %r3, s;\nmov.u32 %r4, %ctaid.x;\nsetp.eq.u32 %p1, %r4, 0;\n"
      "@%p1 mbarrier.init.shared.b64 [%r3], 1;\nmbarrier.arrive.shared.b64 _, [%r3];",
      2, 1);
  CHECK(reported.what == trouble::mbarrier);
  CHECK(reported.block.x == 1);
}

TEST_CASE("cp.async.cg of 8 bytes is reported", "[async]") {
  auto const reported =
      report_small("mov.u32 %r3, s;\ncp.async.cg.shared.global [%r3], [%rd1], 8;", 1, 2);
  CHECK_THAT(reported.sentence, axe_test::contains_text("copies 8 bytes; only 16 are possible"));
}

TEST_CASE("cp.async.mbarrier.arrive arrives once the thread's copies have completed", "[async]") {
  std::string const copy =
      "mov.u32 %r4, dynamic;\nmad.lo.u32 %r5, %r1, 4, %r4;\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.u64 %rd2, %rd1, %rd2;\nadd.u32 %r6, %r1, 7;\nst.global.u32 [%rd2], %r6;\n"
      "cp.async.ca.shared.global [%r5], [%rd2], 4;\n";
  std::string const second = "cp.async.ca.shared.global [%r5+128], [%rd2], 4;\n";
  auto const read = [](int from) {
    return "xor.b32 %r7, %r1, 1;\nmad.lo.u32 %r7, %r7, 4, %r4;\nld.shared.u32 %r2, [%r7+" +
           std::to_string(from) + "];\n" + store_r2;
  };
  std::string const name = "cp.async.mbarrier.arrive";
  launch_options late;
  late.when = landing::late;
  for (std::string const& arrive :
       {name + ".noinc.shared::cta.b64 [%r3];\n",
        name + ".shared::cta.b64 [%r3];\nmbarrier.arrive.shared::cta.b64 %rd3, [%r3];\n"}) {
    INFO(arrive);
    std::string const begin = with_count(32) + copy + arrive;
    for (auto const& how : every_landing()) {
      auto const out = run_small(begin + wait_parity(0) + read(0), 1, 32, {}, 256, how);
      for (unsigned k = 0; k < 32; ++k) REQUIRE(out[k] == (k ^ 1u) + 7);
    }
    CHECK(report_small(begin + read(0), 1, 32, {}, 256, late).what == trouble::never_written);
    CHECK(report_small(begin + second + wait_parity(0) + read(128), 1, 32, {}, 256, late).what ==
          trouble::never_written);
    late.strict = true;
    run_small(begin + second + "cp.async.wait_all;\nbar.sync 0;\n" + read(128), 1, 32, {}, 256,
              late);
    late.strict = false;
  }
}

TEST_CASE("a copy with its mbarrier or its source in the wrong block is reported", "[async]") {
  std::string const start =
      with_count(1) +
      "mov.u32 %r4, %cluster_ctarank;\nxor.b32 %r4, %r4, 1;\nmapa.shared::cluster.u32 %r5, %r3, "
      "%r4;\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  for (char const* copy :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+16], [%rd1], 16, "
        "[%r5];",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5+16], [%r3], "
        "16, [%r3];"}) {
    INFO(copy);
    auto const reported = report_small(start + copy, 2, 4, {2});
    CHECK(reported.what == trouble::mbarrier);
    CHECK_THAT(reported.sentence, axe_test::contains_text("of the cluster, the destination in"));
  }
  auto const reported = report_small(
      start +
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3+16], [%r5], "
          "16, [%r3];",
      2, 4, {2});
  CHECK(reported.what == trouble::out_of_bounds);
  CHECK_THAT(reported.sentence, axe_test::contains_text("the source lies in block"));
}

TEST_CASE("races, missing proxy fences and copies in flight at exit are reported", "[async]") {
  CHECK(report_small(
            "mov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r3], 1;\nsetp.eq.u32 "
            "%p2, %r1, 32;\n@%p2 st.shared.u32 [%r3], 2;",
            1, 64)
            .what == trouble::race);
  CHECK(report_small(
            "mov.u32 %r3, s;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 st.shared.u32 [%r3], 1;\n@!%p1 "
            "ld.shared.u32 %r2, [%r3];",
            1, 64)
            .what == trouble::race);
  run_small(
      "mov.u32 %r3, s;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 st.shared.u32 [%r3], 1;\nbar.sync "
      "0;\n@!%p1 "
      "ld.shared.u32 %r2, [%r3];",
      1, 64);
  launch_options strict;
  strict.strict = true;
  std::string const store =
      "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], "
      "16;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;";
  std::string const fill = "mov.u32 %r3, s;\nst.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1};\n";
  CHECK(report_small(fill + store, 1, 4, {}, 0, strict).what == trouble::proxy);
  run_small("setp.eq.u32 %p1, %r1, 0;\n@!%p1 bra END;\n" + fill +
                "fence.proxy.async.shared::cta;\n" + store + "\nEND:",
            1, 4, {}, 0, strict);
  strict.when = landing::late;
  std::string const load =
      "mov.u32 %r4, dynamic;\n@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], "
      "16;\nst.global.v4.u32 "
      "[%rd1], {%r1, %r1, %r1, %r1};\nfence.proxy.async.global;\n"
      "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 16, "
      "[%r3];\n";
  CHECK(report_small(with_count(1) + load, 1, 4, {}, 64, strict).what == trouble::in_flight);
  run_small(with_count(1) + load + wait_parity(0), 1, 4, {}, 64, strict);
}

TEST_CASE("a write to shared memory that a bulk store still reads is reported", "[async]") {
  std::string const fill =
      "st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1};\nfence.proxy.async.shared::cta;\n";
  std::string const store = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], 16;\n";
  std::string const commit = "cp.async.bulk.commit_group;\n";
  auto const twice = [&](std::string const& between) {
    return "mov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@!%p1 bra END;\n" + fill + store + between +
           fill + store + commit + "cp.async.bulk.wait_group 0;\nEND:";
  };
  launch_options late;
  late.when = landing::late;
  run_small(twice(commit + "cp.async.bulk.wait_group.read 0;\n"), 1, 4, {}, 0, late);
  for (std::string const& wrong : {std::string("cp.async.bulk.wait_group.read 0;\n"), commit,
                                   commit + "cp.async.bulk.wait_group.read 1;\n"}) {
    INFO(wrong);
    auto const reported = report_small(twice(wrong), 1, 4, {}, 0, late);
    CHECK(reported.what == trouble::race);
    CHECK(reported.sentence.find("the bulk store still reads") != std::string::npos);
  }
}
