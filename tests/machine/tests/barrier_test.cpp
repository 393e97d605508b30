// Tests the barriers of a block (bar, barrier) and of a cluster, in all their forms.
#include "small_kernel.hpp"

using machine::trouble;
using machine_test::report_small;
using machine_test::run_small;
using machine_test::store_r2;

namespace {
// Thread 0 writes a word that every thread reads after the barrier.
std::string handed_over(std::string const& barrier) {
  return "mov.u32 %r2, 7;\nmov.u32 %r3, s;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r3], "
         "41;\n" +
         barrier + "\nld.shared.u32 %r2, [%r3];\nadd.u32 %r2, %r2, %r1;" + store_r2;
}
}  // namespace

TEST_CASE("every form of a block's barrier orders the writes before it and the reads after it",
          "[barrier]") {
  for (auto const* form : {"bar.sync 0;", "bar.cta.sync 3;", "barrier.sync.aligned 1;",
                           "barrier.cta.sync.aligned 2, 128;", "barrier.sync 5;",
                           "barrier.cta.sync 15, 128;", "bar.sync 1, 128;"}) {
    INFO(form);
    auto const out = run_small(handed_over(form), 1, 128);
    for (unsigned i = 0; i < 128; ++i) REQUIRE(out[i] == 41 + i);
  }
}

TEST_CASE("a producer arrives without waiting, consumers wait", "[barrier]") {
  for (auto const* stem : {"bar", "bar.cta", "barrier", "barrier.cta"})
    for (auto const* aligned : {"", ".aligned"}) {
      std::string const name(stem);
      if ((name.substr(0, 4) == "bar." || name == "bar") && *aligned != 0) continue;
      std::string const arrive = name + ".arrive" + aligned + " 1, 64;",
                        sync = name + ".sync" + aligned + " 1, 64;";
      INFO(arrive);
      auto const out =
          run_small("mov.u32 %r3, s;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra PRODUCER;\n" + sync +
                        "\nld.shared.u32 %r2, [%r3];\nbra DONE;\nPRODUCER:\nsetp.eq.u32 %p2, "
                        "%r1, 5;\n@%p2 st.shared.u32 [%r3], 99;\nbar.warp.sync 0xffffffff;\n" +
                        arrive + "\nmov.u32 %r2, 1;\nDONE:" + store_r2,
                    1, 64);
      for (unsigned i = 0; i < 64; ++i) REQUIRE(out[i] == (i < 32 ? 1 : 99));
    }
}

TEST_CASE("barriers with a vote return its result", "[barrier]") {
  for (auto const* stem : {"bar", "bar.cta", "barrier", "barrier.cta"}) {
    std::string const name(stem);
    std::string const aligned = name.substr(0, 7) == "barrier" ? ".aligned" : "";
    INFO(name);
    auto const votes = [&](std::string const& instruction) {
      return run_small(
          "setp.gt.u32 %p1, %r1, 69;\nsetp.lt.u32 %p2, %r1, 500;\n" + instruction + store_r2, 1,
          96);
    };
    CHECK(votes(name + ".red.popc" + aligned + ".u32 %r2, 0, %p1;") ==
          std::vector<std::uint32_t>(96, 26));
    CHECK(votes(name + ".red.popc" + aligned + ".u32 %r2, 2, 96, !%p1;") ==
          std::vector<std::uint32_t>(96, 70));
    CHECK(votes(name + ".red.or" + aligned + ".pred %p3, 0, %p1;\nselp.u32 %r2, 5, 6, %p3;") ==
          std::vector<std::uint32_t>(96, 5));
    CHECK(votes(name + ".red.and" + aligned + ".pred %p3, 1, %p1;\nselp.u32 %r2, 5, 6, %p3;") ==
          std::vector<std::uint32_t>(96, 6));
    CHECK(votes(name + ".red.and" + aligned + ".pred %p3, 1, %p2;\nselp.u32 %r2, 5, 6, %p3;") ==
          std::vector<std::uint32_t>(96, 5));
  }
}

TEST_CASE("an exiting warp completes a barrier of all threads", "[barrier]") {
  auto const out = run_small(
      "mov.u32 %r2, 3;\nsetp.ge.u32 %p1, %r1, 64;\n@%p1 bra END;\nbar.sync 0;\nmov.u32 %r2, "
      "4;\nEND:" +
          store_r2,
      1, 96);
  for (unsigned i = 0; i < 96; ++i) REQUIRE(out[i] == (i < 64 ? 4 : 3));
}

TEST_CASE("a vote that an exiting warp completes counts once", "[barrier]") {
  // The last warp exits after the others have voted, and takes no part in the second vote.
  auto const out = run_small(
      "setp.ge.u32 %p1, %r1, 64;\nsetp.lt.u32 %p2, %r1, 5;\n@%p1 bra LATE;\n"
      "bar.red.popc.u32 %r2, 0, %p2;\nbar.red.popc.u32 %r3, 0, !%p2;\nmad.lo.u32 %r2, %r2, 100, "
      "%r3;" +
          store_r2 +
          "bra END;\nLATE: mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p3, "
          "%r5, 100000;\n@%p3 bra L;\nEND:",
      1, 96);
  for (unsigned i = 0; i < 64; ++i) REQUIRE(out[i] == 559);
}

TEST_CASE("a warp gets the votes of its own generation of a barrier", "[barrier]") {
  // Warps 0 and 1 vote, then warps 1 and 2 vote at the same barrier before warp 0 runs again.
  auto const out = run_small(
      "setp.lt.u32 %p2, %r1, 5;\nsetp.ge.u32 %p1, %r1, 64;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
      "@%p1 bra THIRD;\nbar.red.popc.u32 %r2, 1, 64, %p2;\nsetp.lt.u32 %p3, %r1, 32;\n"
      "@%p3 bra END;\nbar.arrive 2, 64;\nbra LAST;\nTHIRD: bar.sync 2, 64;\n"
      "LAST: bar.red.popc.u32 %r3, 1, 64, !%p2;\nEND: mad.lo.u32 %r2, %r2, 100, %r3;" +
          store_r2,
      1, 96);
  for (unsigned i = 0; i < 96; ++i) REQUIRE(out[i] == (i < 32 ? 500 : i < 64 ? 564 : 64));
}

TEST_CASE("a partial last warp counts as a whole warp", "[barrier]") {
  auto const out = run_small("bar.sync 1, 64;\nmov.u32 %r2, 4;" + store_r2, 1, 50);
  for (auto const each : out) REQUIRE(each == 4);
}

TEST_CASE("the cluster barrier orders accesses to shared memory of another block", "[barrier]") {
  for (auto const* strength : {"", ".release", ".relaxed"})
    for (auto const* aligned : {"", ".aligned"})
      for (auto const* acquire : {"", ".acquire"}) {
        std::string const arrive =
            std::string("barrier.cluster.arrive") + strength + aligned + ";\n";
        std::string const wait = std::string("barrier.cluster.wait") + acquire + aligned + ";\n";
        INFO(arrive << wait);
        auto const out = run_small(
            "mov.u32 %r3, s;\nmov.u32 %r4, %cluster_ctarank;\nmul.lo.u32 %r5, %r4, 100;\nadd.u32 "
            "%r5, %r5, "
            "%r1;\n"
            "st.shared.u32 [%r3], 9;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [%r3], %r5;\n" +
                arrive + wait +
                "xor.b32 %r6, %r4, 1;\nmapa.shared::cluster.u32 %r7, %r3, "
                "%r6;\nld.shared::cluster.u32 %r2, "
                "[%r7];\n" +
                arrive + wait + store_r2,
            4, 32, {2});
        for (unsigned i = 0; i < 128; ++i) REQUIRE(out[i] == (i / 32 % 2 == 0 ? 100 : 0));
      }
}

/// Warp 0 arrives once at an mbarrier for two arrivals. Warp 1 writes the word at s, arrives,
/// writes the word at s + 4 in the next phase and arrives again. Warp 2 runs `of_reader`.
std::string two_phases(std::string const& arrive, std::string const& of_reader) {
  return "mov.u32 %r3, s;\nmov.u32 %r6, 7;\nand.b32 %r4, %r1, 31;\nsetp.eq.u32 %p3, %r4, 0;\n"
         "setp.eq.u32 %p4, %r1, 0;\n@%p4 mbarrier.init.shared::cta.b64 [%r3+16], 2;\n"
         "bar.sync 0;\nshr.u32 %r5, %r1, 5;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra WRITER;\n"
         "setp.eq.u32 %p1, %r5, 2;\n@%p1 bra READER;\n" +
         arrive + "bra END;\nWRITER:\n@%p3 st.shared.u32 [%r3], %r6;\n" + arrive +
         "W0:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3+16], 0;\n@!%p2 bra W0;\n"
         "@%p3 st.shared.u32 [%r3+4], %r6;\n" +
         arrive + "bra END;\nREADER:\n" + of_reader + "END:\n";
}

TEST_CASE("a wait for a phase of an mbarrier orders only the arrivals of that phase", "[barrier]") {
  auto const wait = [](std::string const& parity) {
    return "R" + parity + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3+16], " + parity +
           ";\n@!%p2 bra R" + parity + ";\n";
  };
  std::string const arrive = "@%p3 mbarrier.arrive.shared::cta.b64 _, [%r3+16];\n",
                    first = "@%p3 ld.shared.u32 %r7, [%r3];\n",
                    second = "@%p3 ld.shared.u32 %r7, [%r3+4];\n";
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    machine::launch_options how;
    how.seed = seed;
    auto const run = [&](std::string const& of_reader) {
      run_small(two_phases(arrive, of_reader), 1, 96, {}, 0, how);
    };
    CHECK_NOTHROW(run(wait("0") + first));
    CHECK_NOTHROW(run(wait("0") + first + arrive + wait("1") + second));
    auto const reported = machine_test::thrown_by([&] { run(wait("0") + second); });
    CHECK((reported.what == trouble::race || reported.what == trouble::never_written));
  }
}

TEST_CASE("misuse of barriers is reported", "[barrier]") {
  CHECK(report_small("barrier.cluster.wait.aligned;", 2, 32, {2}).what == trouble::barrier);
  CHECK(report_small("barrier.cluster.arrive.aligned;\nbarrier.cluster.arrive.aligned;", 2, 32, {2})
            .what == trouble::barrier);
  CHECK(report_small("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra A;\nbar.sync 1, 64;\nbra "
                     "B;\nA:\nbar.sync 1, 96;\nB:",
                     1, 64)
            .what == trouble::barrier);
  auto const reported = report_small(
      "mov.u32 %r4, %cluster_ctarank;\nsetp.eq.u32 %p1, %r4, 1;\n@%p1 bra "
      "LOOP;\nbarrier.cluster.arrive.aligned;\n"
      "barrier.cluster.wait.aligned;\nbra END;\nLOOP: bar.sync 1, 64;\nEND:",
      2, 32, {2});
  CHECK(reported.what == trouble::deadlock);
  CHECK_THAT(reported.sentence, axe_test::contains_text(
                                    "waits at the cluster barrier; 32 of 64 threads have arrived"));
}
