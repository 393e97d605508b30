// Broken kernels: each a legal one with a single change in its PTX, each reported with the right kind of trouble under
// at least one way of landing; the legal twin is never reported, under any of them.
#include "numerics/halves.hpp"
#include "support_machine.hpp"
#include "tensor/tensor_map.hpp"

using machine::device;
using machine::landing;
using machine::launch_options;
using machine::trouble;
using machine_test::array;
using machine_test::kernel_text;
using machine_test::noise;

namespace {

std::vector<std::uint16_t> ones_and_twos(std::size_t count) {
  std::vector<std::uint16_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i % 3 == 0 ? 0x3f80 : 0x4000;  // bf16 1 and 2
  return out;
}

machine::argument map_of(std::uint64_t address, std::uint64_t columns, std::uint64_t rows,
                         std::uint32_t box_rows) {
  std::uint64_t const extents[] = {columns, rows}, strides[] = {columns * 2};
  std::uint32_t const steps[] = {1, 1}, box[] = {64, box_rows};
  machine::tensor::map_arguments what;
  what.type = 9;
  what.rank = 2;
  what.address = address;
  what.extents = extents;
  what.strides = strides;
  what.element_strides = steps;
  what.swizzle = 3;
  alignas(64) std::array<std::byte, 128> bytes;
  REQUIRE(!machine::tensor::encode_tiled(bytes.data(), what, box));
  return {bytes.data(), bytes.size()};
}

/// One launch of a kernel of kernels/ with inputs of its own; throws what the machine reports.
void run(std::string const& entry, std::string const& text, launch_options const& how) {
  device on;
  auto program = machine::load(text, on);
  if (entry == "gemm_tma") {
    int const m = 136, n = 136, k = 456;
    array<std::uint16_t> const a(on, ones_and_twos(m * k)), b(on, ones_and_twos(n * k)),
        c(on, std::size_t{m * n});
    program.launch(
        entry, {2, 2}, {384}, {}, 4 * 32768,
        {map_of(a.address(), k, m, 128), map_of(b.address(), k, n, 128), map_of(c.address(), n, m, 64), k},
        how);
  } else if (entry == "gemm_ampere") {
    array<std::uint16_t> const a(on, ones_and_twos(128 * 160)), b(on, ones_and_twos(128 * 160));
    array<float> const c(on, std::size_t{128 * 128});
    program.launch(entry, {2, 2}, {128}, {}, 0, {c, a, b, 128, 160}, how);
  } else if (entry == "transpose") {
    array<float> const in(on, std::vector<float>(75 * 130, 1.0f)), out(on, std::size_t{75 * 130});
    program.launch(entry, {5, 3}, {32, 8}, {}, 0, {out, in, 75, 130}, how);
  } else if (entry == "reverse") {
    array<int> const in(on, std::vector<int>(384, 7)), out(on, std::size_t{384});
    program.launch(entry, {3}, {128}, {}, 512, {out, in}, how);
  } else if (entry == "sum") {
    array<float> const x(on, std::vector<float>(3000, 1.0f)), total(on, std::vector<float>{0.0f});
    program.launch(entry, {3}, {224}, {}, 0, {total, x, 3000}, how);
  } else {
    array<unsigned char> const in(on, std::vector<unsigned char>(5000, 9));
    array<unsigned> const bins(on, std::vector<unsigned>(256, 0));
    program.launch(entry, {3}, {192}, {}, 0, {bins, in, 5000}, how);
  }
}

std::vector<launch_options> ways(std::uint64_t seeds) {
  std::vector<launch_options> list(2 + seeds);
  list[1].when = landing::late;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    list[1 + seed].when = landing::random;
    list[1 + seed].seed = seed;
  }
  for (auto& each : list) {
    each.strict = true;
    each.instruction_limit = 3'000'000;
  }
  return list;
}

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
  for (std::size_t at = text.find(find); at != std::string::npos; at = text.find(find, at + replace.size()))
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
     "a pitch of 32 where the allocation says 33",
     "[4224]",
     "[4096]",
     {trouble::out_of_bounds}},
    {"reduce",
     "sum",
     "no barrier before the last warp sums up",
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
     "bytes are never expected",
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
     "a wait that leaves the group it means",
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
     "no barrier before the ring becomes staging",
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
    {"gemm_tma", "gemm_tma", "the map's address is off", "[%rd69, {", "[%rd69+64, {", {trouble::descriptor}},
    {"gemm_tma",
     "gemm_tma",
     "a map of two dimensions with three coordinates",
     "tensor.2d.global.shared::cta.tile.bulk_group [%rd61, {",
     "tensor.3d.global.shared::cta.tile.bulk_group [%rd61, {%r580, ",
     {trouble::descriptor, trouble::text}},
};

}  // namespace

TEST_CASE("legal kernels are never reported", "[broken]") {
  for (auto const& [file, entry] : {std::pair{"transpose", "transpose"},
                                    {"transpose", "reverse"},
                                    {"reduce", "sum"},
                                    {"histogram", "histogram"},
                                    {"gemm_ampere", "gemm_ampere"},
                                    {"gemm_tma", "gemm_tma"}}) {
    auto const text = kernel_text(file);
    for (auto const& how : ways(entry == std::string("gemm_tma") ? 12 : 100)) {
      INFO(entry << ", seed " << how.seed);
      std::string told;
      try {
        run(entry, text, how);
      } catch (machine::error const& wrong) { told = wrong.what(); }
      REQUIRE(told == "");
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
    for (auto const& how : ways(6)) {
      try {
        run(each.entry, broken, how);
      } catch (machine::error const& wrong) {
        bool const right = std::find(each.expected.begin(), each.expected.end(), wrong.details().what) !=
                           each.expected.end();
        reported = reported || right;
        if (!right) others += std::string(wrong.what()) + "\n";
      }
      if (reported) break;
    }
    INFO(each.mistake << "\n" << others);
    CHECK(reported);
  }
}
