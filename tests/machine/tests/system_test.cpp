// Tests clocks, special registers, and instructions without numeric results.
#include "program/table.hpp"
#include "small_kernel.hpp"

using machine_test::run_small;
using machine_test::store_r2;

TEST_CASE("fences, hints and cache policies do not change results", "[system]") {
  std::string body = "mov.u32 %r2, 11;\n";
  for (auto const* row : machine::opcode_table::instance().rows()) {
    auto const opcode = row->name.substr(0, row->name.find('.'));
    if (opcode == "membar" || opcode == "fence" || opcode == "griddepcontrol")
      body += row->name + (row->signature == "=Aw" ? " [%rd1], 128;\n" : ";\n");
    if (opcode == "prefetch" && row->signature == "=A" &&
        row->name.find("tensormap") == std::string::npos)
      body += row->name + " [%rd1];\n";
    if (opcode == "prefetchu") body += row->name + " [%rd1];\n";
    if (opcode == "createpolicy" && row->signature == "l=?f")
      body += row->name + " %rd2, 1.0;\n" + row->name + " %rd2;\n";
    if (opcode == "createpolicy" && row->signature == "l=Aww")
      body += row->name + " %rd2, [%rd1], 4, 8;\n";
    if (opcode == "createpolicy" && row->signature == "l=l") body += row->name + " %rd2, %rd1;\n";
    if (opcode == "applypriority") body += row->name + " [%rd1], 128;\n";
    if (opcode == "pmevent") body += "pmevent 3;\n";
  }
  // 32 threads, because some of the instructions access 128 bytes of the output.
  CHECK(run_small(body + store_r2, 1, 32)[0] == 11);
}

TEST_CASE("a discarded line must be written before it is read", "[system]") {
  for (char const* name : {"discard.L2", "discard.global.L2"}) {
    std::string const one =
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 " + std::string(name) + " [%rd1+128], 128;\nbar.sync 0;\n";
    std::string const read =
        "mul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd3, %rd1, %rd3;\nld.global.u32 %r2, [%rd3];\n";
    auto const reported = machine_test::report_small(one + read, 1, 64);
    CHECK(reported.what == machine::trouble::never_written);
    CHECK(reported.thread.x == 32);
    CHECK(run_small(one + "mov.u32 %r2, 5;" + store_r2 + read + store_r2, 1, 64)[40] == 5);
  }
  CHECK(machine_test::report_small("discard.global.L2 [%rd1], 64;\n", 1, 64).what ==
        machine::trouble::misaligned);
  CHECK(
      machine_test::report_small("add.u64 %rd2, %rd1, 64;\ndiscard.global.L2 [%rd2], 128;\n", 1, 64)
          .what == machine::trouble::misaligned);
}

TEST_CASE("clocks advance", "[system]") {
  for (auto const* clock : {"%clock", "%globaltimer_lo"}) {
    INFO(clock);
    CHECK(
        run_small(
            std::string("mov.u32 %r3, ") + clock +
                ";\nmov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 50;\n@%p2 bra "
                "L;\nmov.u32 %r4, " +
                clock +
                ";\nsub.u32 %r4, %r4, %r3;\nsub.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, "
                "100000;\nselp.u32 %r2, 1, 0, %p1;" +
                store_r2,
            1, 1)[0] == 1);
  }
  for (auto const* clock : {"%clock64", "%globaltimer"})
    CHECK(run_small(
              std::string("mov.u64 %rd3, ") + clock + ";\nbar.sync 0;\nmov.u64 %rd4, " + clock +
                  ";\nsub.u64 %rd4, %rd4, %rd3;\nsub.u64 %rd4, %rd4, 1;\nsetp.lt.u64 %p1, %rd4, "
                  "100000;\nselp.u32 %r2, 1, 0, %p1;" +
                  store_r2,
              1, 1)[0] == 1);
  for (auto const* clock : {"%clock_hi", "%globaltimer_hi"})
    CHECK(run_small(std::string("mov.u32 %r2, ") + clock + ";" + store_r2, 1, 1)[0] == 0);
}

TEST_CASE("special registers identify the thread", "[system]") {
  auto const value = [](char const* name) {
    return run_small(std::string("mov.u32 %r2, ") + name + ";" + store_r2, 6, 40, {3});
  };
  for (unsigned i = 0; i < 240; ++i) {
    unsigned const block = i / 40, thread = i % 40;
    auto const check = [&](char const* name, unsigned wanted) {
      static std::map<std::string, std::vector<std::uint32_t>> known;
      auto& out = known[name];
      if (out.empty()) out = value(name);
      INFO(name << " of thread " << i);
      REQUIRE(out[i] == wanted);
    };
    check("%tid.x", thread);
    check("%ntid.x", 40);
    check("%ctaid.x", block);
    check("%nctaid.x", 6);
    check("%tid.y", 0);
    check("%ntid.z", 1);
    check("%laneid", thread % 32);
    check("%warpid", thread / 32);
    check("%cluster_ctaid.x", block % 3);
    check("%cluster_nctaid.x", 3);
    check("%clusterid.x", block / 3);
    check("%nclusterid.x", 2);
    check("%cluster_ctarank", block % 3);
    check("%cluster_nctarank", 3);
    check("%lanemask_eq", 1u << thread % 32);
    check("%lanemask_lt", (1u << thread % 32) - 1);
    check("%lanemask_ge", ~((1u << thread % 32) - 1));
    check("%lanemask_le", static_cast<unsigned>((std::uint64_t{2} << thread % 32) - 1));
    check("%lanemask_gt", ~static_cast<unsigned>((std::uint64_t{2} << thread % 32) - 1));
  }
}
