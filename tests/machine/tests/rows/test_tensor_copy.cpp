// tcgen05.cp: rows of 16 bytes that follow each other in shared memory, the second halves 4096
// bytes behind, to the lanes that the ISA's figures give them.
#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

constexpr std::uint32_t untouched = 0xabcdef01u;
constexpr int words_of_shared = 2048, columns = 8;

struct target {
  int row = -1;  // that the lane gets; -1: none
  int columns = 4;
};

target target_of(name_parts const& name, int lane) {
  if (name.has("128x256b")) return {lane, 8};
  if (name.has("128x128b")) return {lane};
  if (name.has("4x256b")) return {lane % 32 == 0 ? lane / 32 : -1, 8};
  if (name.has("warpx2::02_13")) return {lane % 64};
  if (name.has("warpx2::01_23")) return {lane / 64 * 32 + lane % 32};
  return {lane % 32};
}

std::string registers(int count) {
  std::string text = "{";
  for (int k = 0; k < count; ++k) text += say(k == 0 ? "" : ", ", "%v", k);
  return text + "}";
}

std::string kernel_of(std::string const& copy) {
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 128 .b8 dynamic[];\n"
      ".visible .entry t(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %v<8>, %t, %l, %i, %s, %x;\n.reg .b64 %in, %out, %a, %d;\n"
      ".reg .pred %p, %first, %w;\n.shared .align 8 .b8 s[16];\n"
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %i, %tid.x;\n"
      "setp.eq.u32 %first, %i, 0;\nmul.wide.u32 %a, %i, 4;\nadd.u64 %out, %out, %a;\n"
      "setp.lt.u32 %p, %i, 32;\n@!%p bra READY;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32;\n"
      "READY:\n@%first mbarrier.init.shared::cta.b64 [s+8], 1;\n"
      "@%first fence.mbarrier_init.release.cluster;\nmov.u32 %s, dynamic;\n"
      "mul.wide.u32 %a, %i, 16;\nadd.u64 %in, %in, %a;\nshl.b32 %x, %i, 4;\nadd.u32 %x, %x, %s;\n";
  for (int piece = 0; piece < 4; ++piece)
    text += say("ld.global.v4.u32 ", registers(4), ", [%in+", piece * 2048, "];\n",
                "st.shared.v4.u32 [%x+", piece * 2048, "], ", registers(4), ";\n");
  text +=
      "fence.proxy.async;\nbar.sync 0;\nld.shared.b32 %t, [s];\nand.b32 %x, %i, 96;\n"
      "shl.b32 %x, %x, 16;\nadd.u32 %l, %t, %x;\n";
  for (int c = 0; c < columns; ++c) text += say("mov.b32 %v", c, ", ", untouched, ";\n");
  text += "tcgen05.st.sync.aligned.32x32b.x8.b32 [%l], " + registers(8) + ";\n" +
          "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
          "@!%first bra WAIT;\ntcgen05.fence::after_thread_sync;\n"
          // Version 1, leading 4096, stride 128 bytes.
          "shr.u32 %x, %s, 4;\ncvt.u64.u32 %d, %x;\nor.b64 %d, %d, 0x0000400801000000;\n" +
          copy +
          " [%t], %d;\n"
          "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [s+8];\n"
          "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %w, [s+8], 0;\n@!%w bra WAIT;\n"
          "tcgen05.fence::after_thread_sync;\n"
          "tcgen05.ld.sync.aligned.32x32b.x8.b32 " +
          registers(8) + ", [%l];\ntcgen05.wait::ld.sync.aligned;\n";
  for (int c = 0; c < columns; ++c) text += say("st.global.u32 [%out+", c * 512, "], %v", c, ";\n");
  return text +
         "tcgen05.fence::before_thread_sync;\nbar.sync 0;\nsetp.lt.u32 %p, %i, 32;\n@!%p bra END;\n"
         "tcgen05.fence::after_thread_sync;\n"
         "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;\nEND: ret;\n}\n";
}

}  // namespace

verdict test_tensor_copy(machine::table_row const& row) {
  auto const name = split(row.name);
  generator random;
  std::vector<std::uint32_t> in, out(128 * columns);
  for (int k = 0; k < words_of_shared; ++k) in.push_back(static_cast<std::uint32_t>(random()));
  machine::device on;
  std::uint64_t const from = on.allocate(in.size() * 4), to = on.allocate(out.size() * 4);
  on.copy_in(from, in.data(), in.size() * 4);
  machine::launch_options how;
  how.strict = true;
  how.when = machine::landing::late;
  machine::load(kernel_of(row.name), on).launch("t", {1}, {128}, {}, 8192, {from, to}, how);
  on.copy_out(out.data(), to, out.size() * 4);
  for (int c = 0; c < columns; ++c)
    for (int lane = 0; lane < 128; ++lane) {
      auto const at = target_of(name, lane);
      std::uint32_t want = untouched;
      if (at.row >= 0 && c < at.columns)
        want = in[static_cast<std::size_t>(at.row * 4 + c / 4 * 1024 + c % 4)];
      std::uint32_t const got = out[static_cast<std::size_t>(c * 128 + lane)];
      if (got != want)
        return say(row.name, " leaves ", machine::hexadecimal(got), " in lane ", lane, ", column ",
                   c, "; the row has ", machine::hexadecimal(want));
    }
  return {};
}

}  // namespace machine_rows
