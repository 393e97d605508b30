// Runs the kernels of kernels/ with one mistake in their PTX. At least one of 8 schedules must
// report the mistake as one of its expected kinds. The kernels without a mistake must run under 100
// schedules without a report.
#include "known_kernels.hpp"

using machine::trouble;
using machine_test::kernel_text;
using machine_test::known_kernels;
using machine_test::run_known;
using machine_test::schedule;

namespace {

struct change {
  char const* file;
  char const* entry;
  char const* mistake;
  char const* find;  // every occurrence is replaced
  char const* replace;
  std::vector<trouble> expected;
};

std::string changed(std::string text, std::string const& find, std::string const& replace) {
  REQUIRE(text.find(find) != std::string::npos);
  for (std::size_t at = text.find(find); at != std::string::npos;
       at = text.find(find, at + replace.size()))
    text.replace(at, find.size(), replace);
  return text;
}

std::vector<change> const changes = {
    {"transpose",
     "transpose",
     "no barrier between filling and reading the tile",
     "bar.sync \t0;",
     "",
     {trouble::race, trouble::never_written}},
    {"transpose",
     "reverse",
     "no barrier between filling and reading",
     "bar.sync \t0;",
     "",
     {trouble::race, trouble::never_written}},
    {"transpose",
     "transpose",
     "a tile allocated for rows of 32 elements and used with rows of 33",
     "[4224]",
     "[4096]",
     {trouble::out_of_bounds}},
    {"reduce",
     "sum",
     "no barrier before the last warp's sum",
     "bar.sync \t0;",
     "",
     {trouble::race, trouble::never_written}},
    {"histogram",
     "histogram",
     "a barrier that only half of the threads reach",
     "bar.sync \t0;",
     "{.reg .pred q; .reg .u32 t; mov.u32 t, %tid.x; setp.lt.u32 q, t, 64; @q bar.sync 0;}",
     {trouble::deadlock, trouble::barrier, trouble::members, trouble::never_written}},
    {"histogram",
     "histogram",
     "a barrier for one warp too many",
     "bar.sync \t0;",
     "bar.sync \t0, 224;",
     {trouble::deadlock}},
    {"gemm_ampere",
     "gemm_ampere",
     "no wait for cp.async",
     "cp.async.wait_group 1;",
     "",
     {trouble::never_written}},
    {"gemm_ampere",
     "gemm_ampere",
     "a wait that leaves one group too many",
     "cp.async.wait_group 1;",
     "cp.async.wait_group 2;",
     {trouble::never_written}},
    {"gemm_ampere",
     "gemm_ampere",
     "no groups are committed",
     "cp.async.commit_group;",
     "",
     {trouble::never_written}},
    {"gemm_ampere",
     "gemm_ampere",
     "no barriers at all",
     "bar.sync \t0;",
     "",
     {trouble::race, trouble::never_written}},
    {"gemm_tma",
     "gemm_tma",
     "no barrier after the mbarriers are initialised",
     "bar.sync \t0;",
     "",
     {trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "expected bytes one row short",
     "%r636, 32768;",
     "%r636, 32640;",
     {trouble::deadlock, trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "expected bytes one row too many",
     "%r636, 32768;",
     "%r636, 32896;",
     {trouble::deadlock, trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "bytes are expected, but the producer never arrives",
     "mbarrier.arrive.expect_tx.shared::cta.b64 _,",
     "mbarrier.expect_tx.shared::cta.b64",
     {trouble::deadlock}},
    {"gemm_tma",
     "gemm_tma",
     "a stage is never released",
     "mbarrier.arrive.shared::cta.b64 _,",
     "prefetch.global.L2",
     {trouble::deadlock}},
    {"gemm_tma",
     "gemm_tma",
     "waits that pass at once",
     "@P1 bra DONE;",
     "bra DONE;",
     {trouble::never_written, trouble::race, trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "no wait for the product before the stage is released",
     "wgmma.wait_group.sync.aligned 0;",
     "",
     {trouble::race, trouble::never_written, trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "a wait that allows one pending group, the one that it must wait for",
     "wgmma.wait_group.sync.aligned 0;",
     "wgmma.wait_group.sync.aligned 1;",
     {trouble::race, trouble::never_written, trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "the groups of wgmma are never committed",
     "wgmma.commit_group.sync.aligned;",
     "",
     {trouble::race, trouble::never_written, trouble::mbarrier}},
    {"gemm_tma",
     "gemm_tma",
     "no barrier before the ring is reused as staging",
     "bar.sync 1, 256;",
     "",
     {trouble::race, trouble::never_written, trouble::proxy}},
    {"gemm_tma",
     "gemm_tma",
     "no proxy fence before the tensor store",
     "fence.proxy.async.shared::cta;",
     "",
     {trouble::proxy}},
    {"gemm_tma",
     "gemm_tma",
     "a stride byte offset twice as large",
     "4611686293305360384",
     "4611686568183267328",
     {trouble::never_written, trouble::race, trouble::descriptor}},
    {"gemm_tma",
     "gemm_tma",
     "a wrong address of the tensor map",
     "[%rd69, {",
     "[%rd69+64, {",
     {trouble::descriptor}},
    {"gemm_tma",
     "gemm_tma",
     "a tensor map of two dimensions with three coordinates",
     "tensor.2d.global.shared::cta.tile.bulk_group [%rd61, {",
     "tensor.3d.global.shared::cta.tile.bulk_group [%rd61, {%r580, ",
     {trouble::descriptor, trouble::text}},
};

}  // namespace

TEST_CASE("correct kernels have the same result under 100 schedules, and no report", "[broken]") {
  for (auto const& [file, entry] : known_kernels) {
    auto const text = kernel_text(file);
    std::vector<std::byte> first;
    for (std::uint64_t number = 0; number < 100; ++number) {
      INFO(entry << ", schedule " << number);
      std::string caught;
      try {
        auto const out = run_known(entry, text, schedule(number));
        if (number == 0) first = out;
        CHECK(out == first);
      } catch (machine::error const& wrong) { caught = wrong.what(); }
      REQUIRE(caught == "");
    }
  }
}

TEST_CASE("broken kernels are reported", "[broken]") {
  for (auto const& each : changes) {
    std::string const text = kernel_text(each.file);
    if (text.find(each.find) == std::string::npos) {
      FAIL_CHECK(each.mistake << ": '" << each.find << "' is not in " << each.file << ".ptx");
      continue;
    }
    std::string const broken = changed(text, each.find, each.replace);
    bool reported = false;
    std::string others;
    for (std::uint64_t number = 0; number < 8 && !reported; ++number) {
      try {
        run_known(each.entry, broken, schedule(number));
      } catch (machine::error const& wrong) {
        reported = std::find(each.expected.begin(), each.expected.end(), wrong.details().what) !=
                   each.expected.end();
        if (!reported) others += std::string(wrong.what()) + "\n";
      }
    }
    INFO(each.mistake << "\n" << others);
    CHECK(reported);
  }
}
