// Tests reports about tcgen05.mma with block scales. tests/rows tests its results.
#include "small_kernel.hpp"

using machine::trouble;
using machine_test::report_small;
using machine_test::run_small;

namespace {

/// Returns a kernel in which four warps multiply zeros by zeros, with kind::mxf8f6f4 and N 32. D is
/// in columns 0 to 31, the scales of A in 32 to 35, of B in 36. Each thread executes `before`, and
/// %r6 then holds the address of its warp's lanes of tensor memory. The first `words` words of each
/// 16 bytes of the operands are written.
std::string kernel(std::string const& before, std::string const& product, int words = 4) {
  std::string text =
      "setp.eq.u32 %p1, %r1, 0;\nsetp.lt.u32 %p2, %r1, 32;\nmov.u32 %r3, s;\n@!%p2 bra ready;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 64;\n"
      "ready: @%p1 mbarrier.init.shared::cta.b64 [%r3+8], 1;\nbar.sync 0;\nld.shared.u32 %r4, "
      "[%r3];\nand.b32 %r5, %r1, 96;\nshl.b32 %r5, %r5, 16;\nadd.u32 %r6, %r4, %r5;\n"
      "mov.u32 %r7, 0;\nmov.u32 %r8, 0x7f7f7f7f;\nmov.u32 %r9, dynamic;\nmul.lo.u32 %r10, %r1, "
      "16;\nadd.u32 %r9, %r9, %r10;\n";
  for (int piece = 0; piece < 3; ++piece)
    for (int k = 0; k < words; ++k)
      text += "st.shared.u32 [%r9+" + std::to_string(2048 * piece + 4 * k) + "], %r7;\n";
  return text +
         "tcgen05.st.sync.aligned.32x32b.x4.b32 [%r6+32], {%r8, %r8, %r8, %r8};\n"
         "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r6+36], {%r8};\n" +
         before +
         "tcgen05.wait::st.sync.aligned;\nfence.proxy.async;\n"
         "tcgen05.fence::before_thread_sync;\nbar.sync 0;\n@!%p1 bra wait;\n"
         "tcgen05.fence::after_thread_sync;\nmov.u32 %r9, dynamic;\nshr.u32 %r9, %r9, 4;\n"
         "cvt.u64.u32 %rd2, %r9;\nor.b64 %rd2, %rd2, 0x0000401000080000;\nadd.u64 %rd3, %rd2, "
         "256;\nmov.u32 %r10, 0x08880000;\nadd.u32 %r11, %r4, 32;\nadd.u32 %r12, %r4, 36;\n"
         "setp.ne.u32 %p3, %r7, %r7;\n" +
         product +
         "\ntcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3+8];\n"
         "wait: mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3+8], 0;\n@!%p4 bra wait;\n"
         "tcgen05.fence::after_thread_sync;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
         "@!%p2 bra end;\n"
         "tcgen05.fence::after_thread_sync;\n"
         "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 64;\nend:";
}

std::string const name = "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale";
std::string const good = name + " [%r4], %rd2, %rd3, %r10, [%r11], [%r12], %p3;";

void reports(std::string const& before, std::string const& product, trouble what,
             char const* words) {
  machine::launch_options how;
  how.strict = true;
  auto const reported = report_small(kernel(before, product), 1, 128, {}, 6144, how);
  INFO(reported.sentence);
  CHECK(reported.what == what);
  CHECK(reported.sentence.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("a legal product with block scales is accepted", "[scales]") {
  machine::launch_options how;
  how.strict = true;
  run_small(kernel("", good), 1, 128, {}, 6144, how);
  // CUTLASS gives the byte of the scales in bits 31-30 of their address too.
  run_small(kernel("", "mov.u32 %r10, 0x28880000;\nadd.u32 %r11, %r11, 0x40000000;\n" + good), 1,
            128, {}, 6144, how);
}

TEST_CASE("packed elements must be written, but not the gaps between them", "[scales]") {
  machine::launch_options how;
  how.strict = true;
  // Each row has an instruction descriptor and the words that 16 elements fill: 2 for e2m1, 3 for
  // e2m3 and e3m2, 4 for elements of 8 bits.
  for (auto const& [types, words] :
       {std::pair{"0x08881680", 2}, {"0x08880d80", 3}, {"0x08881200", 3}, {"0x08880000", 4}}) {
    std::string const product = "mov.u32 %r10, " + std::string(types) + ";\n" + good;
    CHECK_NOTHROW(run_small(kernel("", product, words), 1, 128, {}, 6144, how));
    CHECK(report_small(kernel("", product, words - 1), 1, 128, {}, 6144, how).what ==
          trouble::never_written);
  }
}

TEST_CASE("scales that differ between lanes or were never written are reported", "[scales]") {
  reports(
      "setp.lt.u32 %p5, %r1, 64;\n@%p5 mov.u32 %r8, 0;\n"
      "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r6+34], {%r8};\n",
      good, trouble::race, "no tcgen05.wait::st");
  reports(
      "tcgen05.wait::st.sync.aligned;\nsetp.lt.u32 %p5, %r1, 64;\n@%p5 mov.u32 %r8, 0;\n"
      "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r6+34], {%r8};\n",
      good, trouble::descriptor, "lane 64 of the scales of A differs from lane 0");
  reports("", "add.u32 %r12, %r4, 40;\n" + good, trouble::never_written, "column 40");
}

// The ISA orders a cp before a later mma without a wait, but not an mma before a later cp.
TEST_CASE("a cp that overwrites scales before the product has read them is reported", "[scales]") {
  std::string const copy =
      "\ntcgen05.cp.cta_group::1.32x128b.warpx4 [%r11], %rd2;\n"
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r3+8];\n";
  reports("", good + copy, trouble::race, "no tcgen05.commit and wait on its mbarrier");
}

TEST_CASE("scales at an invalid address are reported", "[scales]") {
  reports("", "add.u32 %r12, %r4, 64;\n" + good, trouble::out_of_bounds, "column 64");
  reports("", "add.u32 %r11, %r4, 30;\n" + good, trouble::descriptor, "are columns of D");
  reports("", "add.u32 %r11, %r11, 0x200000;\n" + good, trouble::misaligned, "begin at lane 32");
  reports("", "add.u32 %r11, %r11, 0x40000000;\n" + good, trouble::descriptor,
          "names byte 1 of their word, but the instruction descriptor names byte 0");
}
