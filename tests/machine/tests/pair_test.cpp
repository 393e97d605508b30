// Tests tensor copies with cta_group::2, whose mbarrier may lie in the peer. rows/ and
// breaks/pair.ptx test allocation, products and commits of a pair.
#include "small_kernel.hpp"
#include "tensor/tensor_map.hpp"

using machine::launch_options;
using machine::trouble;
using machine_test::array;
using machine_test::every_landing;
using machine_test::thrown_by;

namespace {

/// Returns a tensor map of 64 words in one box.
machine::argument words_map(std::uint64_t address) {
  std::uint64_t const extents[] = {64};
  std::uint32_t const steps[] = {1}, box[] = {64};
  machine::tensor::map_arguments what;
  what.type = 2;
  what.rank = 1;
  what.address = address;
  what.extents = extents;
  what.element_strides = steps;
  alignas(64) std::array<std::byte, 128> bytes;
  REQUIRE(machine::tensor::encode_tiled(bytes.data(), what, box).value_or("") == "");
  return {bytes.data(), bytes.size()};
}

/// Blocks 0 and 2 of a cluster of four expect `expected` bytes. Thread 0 of each block executes
/// `copy`. %r4 is the tile of the copy, %r5 the mbarrier of the even block, %r6 the block's rank.
std::vector<std::uint32_t> run(std::string const& copy, unsigned expected,
                               launch_options const& how) {
  std::string const text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .align 64 .b8 map[128]) {\n"
      ".reg .b32 %r<10>;\n.reg .b64 %rd<4>;\n.reg .b16 %h;\n.reg .pred %p, %q, %w;\n"
      ".shared .align 128 .b8 tile[256];\n.shared .align 8 .b8 s[8];\n"
      "ld.param.u64 %rd1, [out];\nmov.b64 %rd2, map;\ncvta.param.u64 %rd2, %rd2;\n"
      "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p, %r1, 0;\nmov.u32 %r6, %cluster_ctarank;\n"
      "and.b32 %r7, %r6, 1;\nsetp.eq.u32 %q, %r7, 0;\nmov.u32 %r4, tile;\nmov.u32 %r3, s;\n"
      "and.b32 %r5, %r3, 0xfeffffff;\nmov.u32 %r8, 0;\nmov.u16 %h, 15;\n"
      "@!%p bra ready;\nmbarrier.init.shared::cta.b64 [%r3], 1;\n"
      "fence.mbarrier_init.release.cluster;\n@%q mbarrier.arrive.expect_tx.shared::cta.b64 _, "
      "[%r3], " +
      std::to_string(expected) +
      ";\nready: barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n@!%p bra wait;\n" +
      copy +
      "\nwait: @!%q bra done;\nmbarrier.try_wait.parity.shared::cta.b64 %w, [%r3], 0;\n"
      "@!%w bra wait;\ndone: barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
      "mad.lo.u32 %r9, %r1, 4, %r4;\nld.shared.u32 %r8, [%r9];\nmad.lo.u32 %r9, %r6, 64, %r1;\n"
      "mul.wide.u32 %rd3, %r9, 4;\nadd.u64 %rd1, %rd1, %rd3;\nst.global.u32 [%rd1], %r8;\nret;\n}";
  machine::device on;
  std::vector<std::uint32_t> in(64);
  for (std::uint32_t k = 0; k < 64; ++k) in[k] = 1000 + k;
  array<std::uint32_t> const out(on, std::vector<std::uint32_t>(256, 0)), from(on, in);
  machine::load(text, on).launch("k", {4}, {64}, {4}, 0, {out, words_map(from.address())}, how);
  return out.values();
}

std::string const name = "cp.async.bulk.tensor.1d.cta_group::2.shared::cluster.global.mbarrier";

}  // namespace

TEST_CASE("a tensor copy of cta_group::2 completes on the mbarrier of the peer", "[pair]") {
  for (auto const& how : every_landing()) {
    auto const out = run(name + "::complete_tx::bytes [%r4], [%rd2, {%r8}], [%r5];", 512, how);
    for (std::size_t k = 0; k < out.size(); ++k) REQUIRE(out[k] == 1000 + k % 64);
  }
}

TEST_CASE("a multicast of cta_group::2 signals one block of each pair", "[pair]") {
  for (auto const& how : every_landing()) {
    auto const out = run("setp.eq.u32 %w, %r6, 2;\n@%w " + name +
                             "::complete_tx::bytes.multicast::cluster [%r4], [%rd2, {%r8}], [%r5], "
                             "%h;",
                         512, how);
    for (std::size_t k = 0; k < out.size(); ++k) REQUIRE(out[k] == 1000 + k % 64);
  }
}

TEST_CASE("an mbarrier in the wrong block is reported", "[pair]") {
  for (std::string const group : {"", ".cta_group::1"}) {
    std::string const one =
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes" + group +
        " [%r4], [%rd2, {%r8}], [%r5];";
    auto const other_block = thrown_by([&] { run(one, 512, {}); });
    CHECK(other_block.what == trouble::mbarrier);
    CHECK_THAT(other_block.sentence,
               axe_test::contains_text("without cta_group::2 both must lie in one block"));
  }
  std::string const far =
      "xor.b32 %r5, %r5, 0x2000000;\n" + name + "::complete_tx::bytes [%r4], [%rd2, {%r8}], [%r5];";
  auto const other_pair = thrown_by([&] { run(far, 512, {}); });
  CHECK(other_pair.what == trouble::mbarrier);
  CHECK(other_pair.sentence.find("both must lie in one pair of blocks") != std::string::npos);
}

TEST_CASE("cta_group::2 in a cluster of one block is reported", "[pair]") {
  auto const reported = machine_test::report_small(
      "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [s], 32;\n", 1, 32);
  CHECK(reported.what == trouble::allocation);
  CHECK(reported.sentence.find("has no peer") != std::string::npos);
}
