// Tests generic addresses, and addresses in the shared memory of other blocks.
#include "small_kernel.hpp"

using machine::trouble;
using machine_test::array;
using machine_test::entry_with;
using machine_test::report_small;
using machine_test::run_small;
using machine_test::store_r2;

TEST_CASE("a generic address accesses the state space that it was made from", "[address]") {
  for (auto const* name : {"shared", "shared::cta", "shared::cluster"}) {
    auto const out =
        run_small(std::string("mov.u64 %rd2, s;\ncvta.") + name +
                      ".u64 %rd3, %rd2;\nst.u32 [%rd3+4], 55;\ncvta.to." + name +
                      ".u64 %rd4, %rd3;\nld.shared.u32 %r2, [%rd4+4];\nld.shared.u32 %r3, "
                      "[%rd2+4];\nadd.u32 %r2, %r2, %r3;" +
                      store_r2,
                  1, 1);
    CHECK(out[0] == 110);
  }
  CHECK(
      run_small(
          "cvta.to.global.u64 %rd2, %rd1;\ncvta.global.u64 %rd3, %rd2;\nst.u32 [%rd3], "
          "3;\nld.global.u32 %r2, [%rd2];\n"
          "cvta.const.u64 %rd4, %rd2;\ncvta.to.const.u64 %rd5, %rd4;\nld.global.u32 %r2, [%rd5];" +
              store_r2,
          1, 1)[0] == 3);
  CHECK(
      run_small(
          ".local .align 8 .b8 l[8];\nmov.u64 %rd2, l;\ncvta.local.u64 %rd3, %rd2;\nst.u32 [%rd3], "
          "4;\ncvta.to.local.u64 %rd4, %rd3;\n"
          "ld.local.u32 %r2, [%rd4];" +
              store_r2,
          1, 1)[0] == 4);
  CHECK(run_small("mov.b64 %rd2, out;\ncvta.param.u64 %rd3, %rd2;\nld.u64 %rd4, "
                  "[%rd3];\ncvta.to.param.u64 %rd6, "
                  "%rd3;\nld.param.u64 %rd7, [%rd6];\n"
                  "setp.eq.u64 %p1, %rd4, %rd1;\nsetp.eq.and.u64 %p1, %rd7, %rd1, %p1;\nselp.u32 "
                  "%r2, 1, 0, %p1;" +
                      store_r2,
                  1, 1)[0] == 1);
}

TEST_CASE("isspacep distinguishes state spaces", "[address]") {
  std::string const make =
      ".local .align 8 .b8 l[8];\nmov.u64 %rd2, s;\ncvta.shared.u64 %rd2, %rd2;\nmov.u64 %rd3, "
      "l;\ncvta.local.u64 %rd3, %rd3;\n"
      "mov.b64 %rd4, out;\ncvta.param.u64 %rd4, %rd4;\nmov.u64 %rd5, c;\ncvta.const.u64 %rd5, "
      "%rd5;\n"
      "mov.u32 %r2, 0;\n";
  struct row {
    char const* space;
    unsigned answer;  // one bit each for the addresses in global, shared, local, param, const
  };
  for (auto const& each :
       {row{"global", 1}, row{"const", 16}, row{"shared", 2}, row{"shared::cta", 2},
        row{"shared::cluster", 2}, row{"local", 4}, row{"param", 8}}) {
    std::string body = make;
    for (unsigned k = 0; k < 5; ++k)
      body += std::string("isspacep.") + each.space + " %p1, %rd" + std::to_string(k + 1) +
              ";\nselp.u32 %r3, " + std::to_string(1u << k) + ", 0, %p1;\nor.b32 %r2, %r2, %r3;\n";
    INFO(each.space);
    auto text = entry_with(body + store_r2);
    text.insert(text.find(".visible"), ".const .align 4 .u32 c = 5;\n");
    machine::device on;
    array<std::uint32_t> const out(on, std::vector<std::uint32_t>(1));
    machine::load(text, on).launch("k", {1}, {1}, {}, 0, {out});
    CHECK(out.values()[0] == each.answer);
  }
}

TEST_CASE("mapa and getctarank address a block of the cluster", "[address]") {
  std::string const ranks =
      "mov.u32 %r3, s;\nmov.u64 %rd3, s;\nmapa.shared::cluster.u32 %r4, %r3, "
      "1;\ngetctarank.shared::cluster.u32 %r2, %r4;\n"
      "mapa.shared::cluster.u64 %rd4, %rd3, 1;\ngetctarank.shared::cluster.u64 %r5, %rd4;\nadd.u32 "
      "%r2, %r2, "
      "%r5;\n"
      "cvta.shared.u64 %rd5, %rd3;\nmapa.u64 %rd6, %rd5, 1;\ngetctarank.u64 %r5, %rd6;\nadd.u32 "
      "%r2, %r2, "
      "%r5;\ngetctarank.u64 %r5, %rd5;\n"
      "mad.lo.u32 %r2, %r5, 10, "
      "%r2;\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;";
  auto const out = run_small(ranks + store_r2, 2, 1, {2});
  CHECK(out == std::vector<std::uint32_t>{3, 13});
  CHECK(report_small("mov.u32 %r3, s;\nmapa.shared::cluster.u32 %r4, %r3, 2;", 2, 1, {2}).what ==
        trouble::out_of_bounds);
}

// CUTLASS clears bit 24 of an address of its own block, to reach the even block of a pair.
TEST_CASE("addresses of a block's own shared memory contain its rank", "[address]") {
  auto const out = run_small(
      "mov.u32 %r3, s;\nshr.u32 %r2, %r3, 24;\nmov.u32 %r5, %cluster_ctarank;\n"
      "st.shared.u32 [%r3], %r5;\nst.shared.u32 [s+4], %r5;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "and.b32 %r4, %r3, 0xFEFFFFFF;\nld.shared::cluster.u32 %r6, [%r4];\nmad.lo.u32 %r2, %r6, 10, "
      "%r2;\n"
      "ld.shared.u32 %r6, [s+4];\nmad.lo.u32 %r2, %r6, 100, %r2;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" +
          store_r2,
      4, 1, {4});
  CHECK(out == std::vector<std::uint32_t>{0, 101, 222, 323});
}

TEST_CASE(".shared reaches only the memory of the thread's block", "[address]") {
  std::string const peer =
      "mov.u32 %r3, s;\nmov.u32 %r5, %cluster_ctarank;\nxor.b32 %r5, %r5, 1;\n"
      "mapa.shared::cluster.u32 %r4, %r3, %r5;\nst.shared.u32 [%r3], 0;\n"
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  for (char const* access :
       {"st.shared.u32 [%r4], 1;", "ld.shared::cta.u32 %r2, [%r4];", "red.shared.add.u32 [%r4], 1;",
        "mbarrier.arrive.shared.b64 _, [%r4];",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 16, [%r4];",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 16;"}) {
    INFO(access);
    auto const reported = report_small(peer + access, 2, 4, {2});
    CHECK(reported.what == trouble::out_of_bounds);
    CHECK_THAT(reported.sentence, axe_test::contains_text("reach only block"));
  }
  for (char const* access :
       {"mbarrier.init.b64 [%rd3], 1;", "mbarrier.try_wait.parity.b64 %p1, [%rd3], 0;"}) {
    INFO(access);
    auto const reported = report_small(
        peer + "cvt.u64.u32 %rd3, %r4;\ncvta.shared::cluster.u64 %rd3, %rd3;\n" + access, 2, 1,
        {2});
    CHECK(reported.what == trouble::mbarrier);
    CHECK_THAT(reported.sentence, axe_test::contains_text("the mbarrier lies in block"));
  }
}

TEST_CASE("mapa keeps the offset in the block", "[address]") {
  for (char const* map :
       {"mapa.shared::cluster.u32 %r4, %r3, %r6;\nst.shared::cluster.u32 [%r4+4], %r7;",
        "mov.u64 %rd3, s;\nmapa.shared::cluster.u64 %rd4, %rd3, %r6;\ncvt.u32.u64 %r4, "
        "%rd4;\nst.shared::cluster.u32 [%r4+4], %r7;",
        "mov.u64 %rd3, s;\ncvta.shared.u64 %rd3, %rd3;\nmapa.u64 %rd4, %rd3, %r6;\nst.u32 "
        "[%rd4+4], %r7;"}) {
    INFO(map);
    auto const out =
        run_small(std::string("mov.u32 %r3, s;\nmov.u32 %r5, %cluster_ctarank;\nxor.b32 %r6, %r5, "
                              "1;\nadd.u32 %r7, %r5, "
                              "70;\n") +
                      map +
                      "\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nld.shared."
                      "u32 %r2, [%r3+4];" +
                      store_r2,
                  2, 1, {2});
    CHECK(out == std::vector<std::uint32_t>{71, 70});
  }
}

TEST_CASE("an access to shared memory of a block that has exited is reported", "[address]") {
  auto const reported = report_small(
      "mov.u32 %r4, %cluster_ctarank;\nsetp.eq.u32 %p1, %r4, 1;\n@%p1 bra END;\nmov.u32 %r5, "
      "0;\nL: add.u32 "
      "%r5, %r5, 1;\n"
      "setp.lt.u32 %p2, %r5, 100000;\n@%p2 bra L;\nmov.u32 %r3, s;\nmapa.shared::cluster.u32 %r6, "
      "%r3, "
      "1;\nst.shared::cluster.u32 [%r6], 1;\nEND:",
      2, 32, {2});
  CHECK(reported.what == trouble::out_of_bounds);
  CHECK_THAT(reported.sentence, axe_test::contains_text("whose threads have all exited"));
}

TEST_CASE("the alignment after .ptr is that of the memory, not of the parameter", "[address]") {
  machine::device on;
  array<unsigned> const out(on, std::size_t{1});
  auto program = machine::load(
      ".version 9.0\n.target sm_100a\n.address_size 64\n"
      ".visible .entry k(.param .u32 n, .param .u64 .ptr .global .align 1 out) {\n"
      ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\n"
      "st.global.u32 [%rd1], %r1;\nret;\n}\n",
      on);
  program.launch("k", {1}, {1}, {}, 0, {7u, out});
  CHECK(out.values()[0] == 7);
}
