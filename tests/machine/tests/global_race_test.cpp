// Tests the reports of races on global memory between the blocks of a launch, and of a missing
// proxy fence between one block's write and another block's copy. Each rule has a legal program and
// programs with one mistake.
//
// Block k runs part k of a program. Words 0 to 3 are data, words 4 and 5 the flags f and g.
#include "check/global_history.hpp"
#include "small_kernel.hpp"

using namespace machine_test;
using machine::landing;
using machine::launch_options;
using machine::trouble;

namespace {

std::string body_of(std::vector<std::string> const& parts) {
  std::string text = "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, s;\nmov.u32 %r4, dynamic;\n";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    auto const number = std::to_string(k);
    text += "setp.ne.u32 %p1, %r2, " + number + ";\n@%p1 bra PART" + number + ";\n" + parts[k] +
            "\nbra END;\nPART" + number + ":\n";
  }
  return text + "END:";
}

/// Returns code that waits until the flag at an offset has a value.
std::string await(std::string const& load, int offset, int value) {
  static int number = 0;
  auto const label = "AWAIT" + std::to_string(++number);
  return label + ":\n" + load + ".global.u32 %r5, [%rd1+" + std::to_string(offset) +
         "];\nsetp.ne.u32 %p2, %r5, " + std::to_string(value) + ";\n@%p2 bra " + label + ";\n";
}

constexpr int f = 16, g = 20;
std::string const acquire = "ld.acquire.gpu", relaxed = "ld.relaxed.gpu";
std::string const one_thread = "setp.ne.u32 %p3, %r1, 0;\n@%p3 bra END;\n";
std::string const write_x = one_thread + "mov.u32 %r6, 7;\nst.global.u32 [%rd1], %r6;\n";
std::string const read_x = "ld.global.u32 %r7, [%rd1];\n";

launch_options strictly(landing when, std::uint64_t seed) {
  launch_options how;
  how.strict = true;
  how.when = when;
  how.seed = seed;
  how.instruction_limit = 300'000;
  return how;
}

std::vector<launch_options> schedules() {
  return {strictly(landing::at_once, 0), strictly(landing::late, 0), strictly(landing::random, 2),
          strictly(landing::random, 3), strictly(landing::random, 4)};
}

unsigned size(std::vector<std::string> const& parts) { return static_cast<unsigned>(parts.size()); }

void passes(std::vector<std::string> const& parts, machine::extent3 cluster = {}) {
  for (auto const& how : schedules())
    CHECK_NOTHROW(run_small(body_of(parts), size(parts), 64, cluster, 64, how));
}

void is_found(trouble what, std::vector<std::string> const& parts, machine::extent3 cluster = {}) {
  for (auto const& how : schedules())
    CHECK(report_small(body_of(parts), size(parts), 64, cluster, 64, how).what == what);
}

std::string const copy_x =
    "mbarrier.init.shared::cta.b64 [%r3], 1;\nfence.mbarrier_init.release.cluster;\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 16, [%r3];\n"
    "LANDED:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;\n@!%p2 bra LANDED;\n";

}  // namespace

TEST_CASE("a proxy fence counts if releases and acquires order it after the write, before the copy",
          "[global_race]") {
  auto const parts = [](std::string const& writer, std::string const& between,
                        std::string const& reader) {
    return std::vector<std::string>{
        write_x + writer,
        one_thread + await(acquire, f, 1) + between + "st.release.gpu.global.u32 [%rd1+20], 1;\n",
        one_thread + reader + copy_x};
  };
  std::string const fence = "fence.proxy.async.global;\n",
                    set_f = "st.release.gpu.global.u32 [%rd1+16], 1;\n",
                    await_g = await(acquire, g, 1);
  passes(parts(fence + set_f, "", await_g));
  passes(parts(set_f, fence, await_g));
  passes(parts(set_f, "", await_g + fence));
  is_found(trouble::proxy, parts(set_f, "", await_g));
  is_found(trouble::proxy, parts(set_f + fence, "", await_g));
  is_found(trouble::proxy, parts(set_f, "", fence + await_g));
  is_found(trouble::proxy, parts(set_f, "fence.proxy.async.shared::cta;\n", await_g));
}

TEST_CASE("a relaxed store after a release to the same address still releases", "[global_race]") {
  auto const parts = [](int last) {
    return std::vector<std::string>{
        write_x + "st.release.gpu.global.u32 [%rd1+16], 1;\nst.relaxed.gpu.global.u32 [%rd1+" +
            std::to_string(last) + "], 2;\n",
        one_thread + await(acquire, last, 2) + read_x};
  };
  passes(parts(f));
  is_found(trouble::race, parts(g));
}

TEST_CASE("an acquiring load also acquires what earlier relaxed loads of its address read",
          "[global_race]") {
  auto const parts = [](std::string const& last) {
    return std::vector<std::string>{
        write_x + "st.release.gpu.global.u32 [%rd1+16], 1;\n",
        one_thread + await(relaxed, f, 1) + "st.relaxed.gpu.global.u32 [%rd1+20], 1;\n" +
            await(relaxed, f, 3) + last + read_x,
        one_thread + await(relaxed, g, 1) + "st.relaxed.gpu.global.u32 [%rd1+16], 3;\n"};
  };
  // The three blocks wait for each other, so they form one cluster, whose blocks run together.
  passes(parts("ld.acquire.gpu.global.u32 %r5, [%rd1+16];\n"), {3});
  is_found(trouble::race, parts("ld.acquire.gpu.global.u32 %r5, [%rd1+20];\n"), {3});
}

TEST_CASE("a flag that was read may be reset by a weak store", "[global_race]") {
  auto const parts = [](int awaited) {
    return std::vector<std::string>{
        one_thread +
            "fence.acq_rel.gpu;\nst.relaxed.gpu.global.u32 [%rd1+16], 1;\n"
            "st.relaxed.gpu.global.u32 [%rd1+20], 1;\n",
        one_thread + await(relaxed, awaited, 1) + "st.global.u32 [%rd1+16], 0;\n"};
  };
  passes(parts(f));
  is_found(trouble::race, parts(g));
}

TEST_CASE("red releases and does not acquire", "[global_race]") {
  auto const parts = [](std::string const& count) {
    return std::vector<std::string>{
        write_x +
            "red.release.gpu.global.add.u32 [%rd1+16], 1;\n"
            "st.relaxed.gpu.global.u32 [%rd1+20], 1;\n",
        one_thread + await(relaxed, g, 1) + count + "fence.acq_rel.gpu;\n" + read_x};
  };
  passes(parts("atom.relaxed.gpu.global.add.u32 %r5, [%rd1+16], 1;\n"));
  is_found(trouble::race, parts("red.relaxed.gpu.global.add.u32 [%rd1+16], 1;\n"));
  // A red does not acquire the reds of other blocks, so a weak store after it races with them.
  std::string const count = one_thread + "red.relaxed.gpu.global.add.u32 [%rd1+16], 1;\n";
  passes({count, count});
  is_found(trouble::race, {count, count + "st.global.u32 [%rd1+16], 0;\n"});
}

TEST_CASE("races on a part of a word are found, whoever accesses the other parts",
          "[global_race]") {
  std::string const halves =
      "setp.ge.u32 %p3, %r1, 2;\n@%p3 bra DONE;\nmul.wide.u32 %rd2, %r1, 2;\n"
      "add.u64 %rd2, %rd1, %rd2;\n";
  std::string const done = "DONE:\nbar.sync 0;\n" + one_thread;
  auto const written = [&](std::string const& flag, std::string const& load) {
    return std::vector<std::string>{
        halves + "mov.u16 %h1, 5;\nst.global.u16 [%rd2], %h1;\n" + done + flag,
        one_thread + await(load, f, 1) +
            "ld.global.u16 %h1, [%rd1];\nld.global.u16 %h1, [%rd1+2];\n"};
  };
  std::string const release = "st.release.gpu.global.u32 [%rd1+16], 1;\n",
                    set = "st.relaxed.gpu.global.u32 [%rd1+16], 1;\n";
  auto const with = [](std::vector<std::string> parts) {
    parts.front().insert(0, ".reg .b16 %h<2>;\n");
    return parts;
  };
  passes(with(written(release, acquire)));
  is_found(trouble::race, with(written(set, acquire)));
  auto only_low = written(set, acquire);
  only_low.back().resize(only_low.back().find("ld.global.u16 %h1, [%rd1+2]"));
  is_found(trouble::race, with(only_low));
  auto const read = [&](std::string const& flag, std::string const& load) {
    return std::vector<std::string>{
        halves + "ld.global.u16 %h1, [%rd2];\n" + done + flag,
        one_thread + await(load, f, 1) + "mov.u16 %h1, 5;\nst.global.u16 [%rd1], %h1;\n"};
  };
  passes(with(read(release, acquire)));
  is_found(trouble::race, with(read(set, acquire)));
  // Two warps write the halves, one after the other.
  std::string const warps = "setp.ge.u32 %p4, %r1, 32;\n@%p4 bra HIGH;\n" + one_thread +
                            "mov.u16 %h1, 5;\nst.global.u16 [%rd1], %h1;\n" + set +
                            "bra END;\nHIGH:\nsetp.ne.u32 %p3, %r1, 32;\n@%p3 bra END;\n" +
                            await(relaxed, f, 1) +
                            "mov.u16 %h1, 6;\nst.global.u16 [%rd1+2], %h1;\n"
                            "st.relaxed.gpu.global.u32 [%rd1+20], 1;\n";
  is_found(trouble::race,
           with({warps, one_thread + await(acquire, g, 1) + "ld.global.u16 %h1, [%rd1];\n"}));
}

TEST_CASE("a bulk store needs a proxy fence for shared memory", "[global_race]") {
  auto const store = [](std::string const& fence) {
    return std::vector<std::string>{
        one_thread + "st.shared.v4.u32 [%r3], {%r1, %r1, %r1, %r1};\n" + fence +
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], 16;\n"
        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"};
  };
  passes(store("fence.proxy.async.shared::cta;\n"));
  passes(store("fence.proxy.async;\n"));
  is_found(trouble::proxy, store("fence.proxy.async.global;\n"));
  is_found(trouble::proxy, store("fence.proxy.alias;\n"));
}

TEST_CASE("atomics of scope .cluster do not race inside one cluster", "[global_race]") {
  std::string const count = one_thread + "red.relaxed.cluster.global.add.u32 [%rd1+16], 1;\n";
  passes({count, count}, {2});
  is_found(trouble::race, {count, count});
  std::string const in_block = one_thread + "red.relaxed.cta.global.add.u32 [%rd1+16], 1;\n";
  is_found(trouble::race, {in_block, in_block}, {2});
}

TEST_CASE("accesses of ended blocks stay recorded, and the clocks of their warps are freed",
          "[global_race]") {
  auto const last_reads_all = [](std::string const& order) {
    return "mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd2, %r2, 128;\nadd.u64 %rd2, %rd1, %rd2;\n" +
           one_thread + "st.global.u32 [%rd2+64], %r2;\natom" + order +
           ".gpu.global.add.u32 %r5, [%rd1], 1;\nsub.u32 %r5, %r5, 0xdeadbeef;\n"
           "setp.ne.u32 %p1, %r5, 299;\n@%p1 bra END;\nmov.u32 %r6, 0;\n"
           "NEXT:\nld.global.u32 %r7, [%rd1+64];\nadd.u64 %rd1, %rd1, 128;\nadd.u32 %r6, %r6, 1;\n"
           "setp.lt.u32 %p1, %r6, 300;\n@%p1 bra NEXT;\nEND:";
  };
  auto const how = strictly(landing::at_once, 0);
  CHECK_NOTHROW(run_small(last_reads_all(".acq_rel"), 300, 32, {}, 0, how));
  auto const reported = report_small(last_reads_all(".relaxed"), 300, 32, {}, 0, how);
  CHECK(reported.what == trouble::race);
  CHECK(reported.sentence.find("of block (0,0,0) wrote") != std::string::npos);

  machine::running run;
  run.cluster_extent = {2, 1, 1};
  machine::cluster ended;
  ended.number = 3;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    auto& made = *ended.blocks.emplace_back(std::make_unique<machine::block>());
    made.home = &ended;
    made.rank = rank;
    made.warps.emplace_back(std::make_unique<machine::warp>())->run = &run;
  }
  machine::global_history all;
  for (std::uint32_t const number : {5u, 6u, 7u, 8u}) all.order.blocks[number];
  all.forget(ended);
  CHECK(all.order.blocks.size() == 2);
  CHECK((all.order.blocks.contains(5) && all.order.blocks.contains(8)));
}

TEST_CASE("a strong read does not hide the weak read before it", "[global_race]") {
  auto const parts = [](std::string const& reads, std::string const& flag,
                        std::string const& load) {
    return std::vector<std::string>{
        one_thread + reads + flag,
        one_thread + await(load, f, 1) + "st.relaxed.gpu.global.u32 [%rd1], 5;\n"};
  };
  std::string const release = "st.release.gpu.global.u32 [%rd1+16], 1;\n",
                    set = "st.relaxed.gpu.global.u32 [%rd1+16], 1;\n",
                    strong = "ld.relaxed.gpu.global.u32 %r7, [%rd1];\n";
  passes(parts(strong, set, relaxed));
  passes(parts(read_x + strong, release, acquire));
  is_found(trouble::race, parts(read_x + strong, set, relaxed));
  is_found(trouble::race, parts(strong + read_x, set, relaxed));
}

TEST_CASE("only a wait orders bulk stores of one thread to the same address", "[global_race]") {
  auto const part = [](std::string const& between, int offset) {
    return one_thread +
           "mov.u32 %r6, 7;\nst.shared.v4.u32 [%r4], {%r6, %r6, %r6, %r6};\nfence.proxy.async;\n"
           "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 16;\n"
           "cp.async.bulk.commit_group;\n" +
           between + "cp.async.bulk.global.shared::cta.bulk_group [%rd1+" + std::to_string(offset) +
           "], [%r4], 16;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";
  };
  passes({part("cp.async.bulk.wait_group 0;\n", 0)});
  passes({part("", 16)});
  is_found(trouble::race, {part("", 0)});
  is_found(trouble::race, {part("cp.async.bulk.wait_group.read 0;\n", 0)});
}
