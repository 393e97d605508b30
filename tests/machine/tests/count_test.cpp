// Compares counters with the known costs of kernels, and with a brute-force count of banks and
// sectors.
#include "count/model.hpp"

#include <set>

#include "count/kinds.hpp"
#include "numerics/halves.hpp"
#include "small_kernel.hpp"
#include "tcgen05_speed.hpp"
#include "tile_map.hpp"

using machine::kernel_counts;
using machine::launch_options;
using machine::use;
using machine_test::array;

namespace {

kernel_counts counted(std::string const& ptx, std::string const& entry, machine::extent3 grid,
                      machine::extent3 block, machine::device& on,
                      std::vector<machine::argument> const& arguments, unsigned dynamic = 0) {
  launch_options how;
  how.count = true;
  return *machine::load(ptx, on).launch(entry, grid, block, {}, dynamic, arguments, how).counts;
}

machine::traffic const& of(machine::traffic const (&list)[machine::uses], use what) {
  return list[static_cast<std::size_t>(what)];
}

/// One warp stores, then loads, at byte `stride` * lane of shared memory.
kernel_counts shared_access(unsigned stride, std::string const& vector, std::string const& type) {
  unsigned const count = vector.empty() ? 1 : static_cast<unsigned>(vector[2] - '0');
  std::string registers;
  for (unsigned k = 0; k < count; ++k)
    registers += (k == 0 ? "%r" : ", %r") + std::to_string(4 + k);
  if (count > 1) registers = "{" + registers + "}";
  std::string const body =
      "mov.u32 %r4, 1;\nmov.u32 %r5, 1;\nmov.u32 %r6, 1;\nmov.u32 %r7, 1;\nmov.u32 %r3, dynamic;\n"
      "mad.lo.u32 %r3, %r1, " +
      std::to_string(stride) + ", %r3;\nst.shared" + vector + type + " [%r3], " + registers +
      ";\nbar.sync 0;\nld.shared" + vector + type + " " + registers + ", [%r3];\n";
  machine::device on;
  array<std::uint32_t> const out(on, 32);
  return counted(machine_test::entry_with(body), "k", {}, {32}, on, {out}, 32 * 128);
}

/// One warp stores, then loads, at byte `skip` + `stride` * lane of global memory.
kernel_counts global_access(unsigned stride, unsigned skip) {
  std::string const body = "mul.wide.u32 %rd2, %r1, " + std::to_string(stride) +
                           ";\nadd.u64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2+" +
                           std::to_string(skip) + "], %r1;\nld.global.u32 %r4, [%rd2+" +
                           std::to_string(skip) + "];\n";
  machine::device on;
  array<std::uint32_t> const out(on, 32 * 32);
  return counted(machine_test::entry_with(body), "k", {}, {32}, on, {out});
}

}  // namespace

TEST_CASE("wavefronts of accesses whose cost is known are counted right", "[count]") {
  struct known {
    unsigned stride;
    char const *vector, *type;
    std::uint64_t taken, least;
  };
  for (auto const& [stride, vector, type, taken, least] :
       {known{4, "", ".u32", 1, 1},   // one word in each bank
        {8, "", ".u32", 2, 1},        // two-way bank conflict
        {128, "", ".u32", 32, 1},     // every lane in the same bank
        {132, "", ".u32", 1, 1},      // rows padded by one word
        {0, "", ".u32", 1, 1},        // one word for all lanes
        {2, "", ".u16", 1, 1},        // two lanes share a word
        {8, ".v2", ".u32", 2, 2},     // two phases of half-warps
        {16, ".v4", ".u32", 4, 4},    // four phases of quarter-warps
        {32, ".v4", ".u32", 8, 4},    // two-way bank conflict in each quarter-warp
        {128, ".v4", ".u32", 32, 4},  // eight-way bank conflict in each quarter-warp
        {0, ".v4", ".u32", 4, 4}}) {
    auto const counts = shared_access(stride, vector, type);
    INFO("stride " << stride << ' ' << vector << type);
    for (auto const way : {use::load, use::store}) {
      CHECK(of(counts.shared, way).requests == 1);
      CHECK(of(counts.shared, way).pieces.taken == taken);
      CHECK(of(counts.shared, way).pieces.least == least);
    }
  }
}

TEST_CASE("sectors of accesses whose cost is known are counted right", "[count]") {
  struct known {
    unsigned stride, skip;
    std::uint64_t taken, least;
  };
  for (auto const& [stride, skip, taken, least] : {known{4, 0, 4, 4},  // 128 contiguous bytes
                                                   {4, 4, 5, 4},    // starting at the second word
                                                   {8, 0, 8, 4},    // every second word
                                                   {32, 0, 32, 4},  // a sector for each lane
                                                   {64, 28, 32, 4},
                                                   {0, 0, 1, 1}}) {  // one word for all lanes
    auto const counts = global_access(stride, skip);
    INFO("stride " << stride << " from " << skip);
    for (auto const way : {use::load, use::store}) {
      CHECK(of(counts.global, way).bytes == 128);
      CHECK(of(counts.global, way).pieces.taken == taken);
      CHECK(of(counts.global, way).pieces.least == least);
    }
  }
}

TEST_CASE("the cost of random accesses equals a direct count of banks and sectors", "[count]") {
  machine_test::noise random(7);
  for (int round = 0; round < 3000; ++round) {
    unsigned const bytes = 1u << random() % 5, phase = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    auto const mask = static_cast<std::uint32_t>(random() | random());
    std::uint32_t narrow[32];
    std::vector<std::uint64_t> wide;
    unsigned const span = 1u << random() % 12;
    for (unsigned lane = 0; lane < 32; ++lane) {
      narrow[lane] = static_cast<std::uint32_t>(random() % span) * bytes;
      if ((mask >> lane & 1) != 0) wide.push_back(narrow[lane]);
    }
    std::uint64_t taken = 0, least = 0;
    for (unsigned first = 0; first < 32; first += phase) {
      std::size_t busiest = 0;
      for (unsigned bank = 0; bank < 32; ++bank) {
        std::set<std::uint32_t> words;
        for (unsigned lane = first; lane < first + phase; ++lane)
          for (unsigned byte = 0; (mask >> lane & 1) != 0 && byte < bytes; ++byte)
            if ((narrow[lane] + byte) / 4 % 32 == bank) words.insert((narrow[lane] + byte) / 4);
        busiest = std::max(busiest, words.size());
      }
      taken += busiest;
      least += busiest != 0;
    }
    std::set<std::uint64_t> touched, sectors;
    for (auto const address : wide)
      for (unsigned byte = 0; byte < bytes; ++byte) {
        touched.insert(address + byte);
        sectors.insert((address + byte) / 32);
      }
    auto const waves = machine::wavefronts_of(narrow, mask, bytes);
    auto const pieces = machine::sectors_of(wide, bytes);
    INFO("round " << round << ", " << bytes << " bytes");
    REQUIRE(waves.taken == taken);
    REQUIRE(waves.least == least);
    REQUIRE(pieces.taken == sectors.size());
    REQUIRE(pieces.least == (touched.size() + 31) / 32);
  }
}

TEST_CASE(
    "a padded transpose has no bank conflicts, a line of an unpadded one has 32-way conflicts",
    "[count]") {
  machine::device on;
  array<float> const in(on, std::vector<float>(64 * 64, 1.0f)), out(on, std::size_t{64 * 64});
  std::string text = machine_test::kernel_text("transpose");
  auto const padded = counted(text, "transpose", {2, 2}, {32, 8}, on, {out, in, 64, 64});
  CHECK(of(padded.shared, use::store).requests == 4 * 8 * 4);
  CHECK(of(padded.shared, use::store).pieces.taken == 4 * 8 * 4);
  CHECK(of(padded.shared, use::load).pieces.taken == 4 * 8 * 4);
  CHECK(of(padded.global, use::load).pieces.taken == 64 * 64 * 4 / 32);
  CHECK(of(padded.global, use::store).pieces.taken == of(padded.global, use::store).pieces.least);
  // Without padding the pitch is 128 bytes, so a column of the tile lies in one bank.
  for (auto const& [from, to] : {std::pair<std::string, std::string>{", 132, ", ", 128, "},
                                 {"+1056]", "+1024]"},
                                 {"+2112]", "+2048]"},
                                 {"+3168]", "+3072]"}})
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to);
  auto const plain = counted(text, "transpose", {2, 2}, {32, 8}, on, {out, in, 64, 64});
  std::uint64_t worst = 0;
  for (auto const& line : plain.lines)
    if (line.shared.requests != 0)
      worst = std::max(worst, line.shared.pieces.taken / line.shared.pieces.least);
  CHECK(worst == 32);
  for (auto const& line : plain.lines) {
    CHECK(line.file == "transpose.cu");
    CHECK(line.line > 0);
  }
}

TEST_CASE("instructions are counted by kind", "[count]") {
  machine::device on;
  array<std::uint32_t> const out(on, 64);
  // Two warps run. Lanes below 16 of the second one branch over the addition.
  std::string const body =
      "setp.lt.u32 %p1, %r1, 48;\nsetp.ge.and.u32 %p1, %r1, 32, %p1;\n@%p1 bra L;\nadd.u32 %r2, "
      "%r1, 1;\nL:\n"
      "bar.sync 0;\nshfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\nfma.rn.f32 %f1, 0f3f800000, "
      "0f3f800000, "
      "0f3f800000;\n";
  auto const counts = counted(machine_test::entry_with(body), "k", {}, {64}, on, {out});
  CHECK(counts.kinds.at("integer").warp == 2);
  CHECK(counts.kinds.at("integer").thread == 48);
  CHECK(counts.kinds.at("compare").thread == 128);
  CHECK(counts.kinds.at("barrier").warp == 2);
  CHECK(counts.kinds.at("barrier").thread == 64);
  CHECK(counts.kinds.at("warp").thread == 64);
  CHECK(counts.kinds.at("float").warp == 2);
  CHECK(counts.kinds.at("control").warp == 4);  // bra, ret
  CHECK(counts.all.thread == 48 + 128 + 64 + 64 + 64 + 128 + counts.kinds.at("parameters").thread +
                                 counts.kinds.at("move").thread);
  CHECK(machine::kind_of("ld.shared::cta.v4.f32") == "shared memory");
  CHECK(machine::kind_of("add.rn.bf16x2") == "half");
  CHECK(machine::kind_of("wgmma.wait_group.sync.aligned") == "fence");
  CHECK(machine::kind_of("tcgen05.mma.cta_group::1.kind::f16") == "tensor core");
  CHECK(machine::kind_of("tcgen05.ld.sync.aligned.32x32b.x1.b32") == "tensor memory");
  CHECK(machine::kind_of("tcgen05.wait::ld.sync.aligned") == "fence");
}

TEST_CASE("bytes of tensor copies and operations of tensor cores are counted", "[count]") {
  int const m = 136, n = 136, k = 200;  // two tiles of 128 each way, four steps of 64
  machine::device on;
  std::vector<std::uint16_t> const ones(std::size_t{136 * 200}, 0x3f80);
  array<std::uint16_t> const a(on, ones), b(on, ones), c(on, std::size_t{136 * 136});
  auto const counts = counted(machine_test::kernel_text("gemm_tma"), "gemm_tma", {2, 2}, {384}, on,
                              {machine_test::tile_map(a.address(), k, m, 128),
                               machine_test::tile_map(b.address(), k, n, 128),
                               machine_test::tile_map(c.address(), n, m, 64), k},
                              4 * 32768);
  CHECK(counts.bulk.loaded == 4u * 4 * 32768);      // blocks, steps, both tiles
  CHECK(counts.bulk.stored == 4u * 128 * 128 * 2);  // whole boxes, also out of bounds
  CHECK(counts.bulk.reduced == 0);
  CHECK(counts.tensor_operations == 4ull * 4 * 2 * 128 * 128 * 64);
  CHECK(of(counts.shared, use::store).requests == 4u * 8 * 32);
  CHECK(of(counts.shared, use::store).pieces.taken ==
        of(counts.shared, use::store).pieces.least);  // the swizzle avoids bank conflicts

  array<std::uint16_t> const x(on, std::vector<std::uint16_t>(std::size_t{64 * 64}, 0x3c00)),
      y(on, std::vector<std::uint16_t>(std::size_t{64 * 64}, 0x3c00));
  array<float> const z(on, std::size_t{64 * 64});
  auto const ampere = counted(machine_test::kernel_text("gemm_ampere"), "gemm_ampere", {}, {128},
                              on, {z, x, y, 64, 64});
  CHECK(ampere.tensor_operations == 2ull * 64 * 64 * 64);
  CHECK(of(ampere.global, use::load).bytes == 2u * 64 * 64 * 2);  // cp.async
  CHECK(of(ampere.shared, use::matrix).pieces.taken == of(ampere.shared, use::matrix).pieces.least);
  auto const blackwell = counted(tcgen05_kernel, "tcgen05", {2}, {128}, on, {3u}, tcgen05_shared);
  CHECK(blackwell.tensor_operations == 2ull * 3 * 4 * 2 * 128 * 256 * 16);
}

TEST_CASE("cp.async reads no sectors for lanes whose source has 0 bytes", "[count]") {
  machine::device on;
  array<std::uint32_t> const in(on, std::vector<std::uint32_t>(128, 7u));
  auto const sectors = [&](std::string const& more) {
    auto const counts =
        counted(machine_test::entry_with(
                    "mul.wide.u32 %rd2, %r1, 16;\nadd.u64 %rd2, %rd2, %rd1;\n"
                    "shl.b32 %r3, %r1, 4;\nadd.u32 %r3, %r3, 1024;\nsetp.ge.u32 %p1, %r1, 8;\n"
                    "selp.u32 %r4, 0, 16, %p1;\n"
                    "cp.async.cg.shared.global [%r3], [%rd2], 16" +
                    more + ";\ncp.async.wait_all;\n"),
                "k", {}, {32}, on, {in}, 512);
    return of(counts.global, use::load).pieces.taken;
  };
  CHECK(sectors("") == 16);
  CHECK(sectors(", %r4") == 4);
  CHECK(sectors(", %p1") == 4);
}

TEST_CASE("the report of a small kernel is exactly this text", "[count]") {
  machine::device on;
  array<std::uint32_t> const out(on, 32);
  auto counts = counted(
      machine_test::entry_with(
          "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2], %r1;\n"),
      "k", {}, {32}, on, {out});
  CHECK(
      machine::to_json(counts) ==
      R"({"kernel":"k","launches":1,"blocks":1,"instructions":{"warp":6,"thread":192},)"
      R"("kinds":{"control":{"warp":1,"thread":32},)"
      R"("global memory":{"warp":1,"thread":32},"integer":{"warp":2,"thread":64},)"
      R"("move":{"warp":1,"thread":32},)"
      R"("parameters":{"warp":1,"thread":32}},)"
      R"("global":{"store":{"requests":1,"bytes":128,"sectors":4,"minimum":4}},)"
      R"("shared":{},)"
      R"("bulk":{"loaded":0,"stored":0,"reduced":0},"tensor_operations":0,)"
      R"("lines":[{"file":"","line":0,"ptx_line":15,)"
      R"("opcode":"st.global.u32","global":{"requests":1,"bytes":128,"sectors":4,"minimum":4}}]})");
  counts.add(counts);
  CHECK(counts.launches == 2);
  CHECK(counts.all.warp == 12);
  CHECK(counts.lines.size() == 1);
  CHECK(counts.lines.front().global.pieces.taken == 8);
  auto const table = machine::to_table(counts);
  CHECK(table.find(
            "kernel k: 2 launches, 2 blocks, 12 warp instructions, 384 thread instructions") == 0);
  CHECK(table.find("(PTX line 15) st.global.u32") != std::string::npos);
}
