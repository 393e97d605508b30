// Writes and runs the kernel of one tcgen05 product, and compares its sums.
#include "rows/products.hpp"

namespace machine_rows::products {
namespace {

std::string registers(int first, int count) {
  std::string text = "{";
  for (int k = 0; k < count; ++k) text += say(k == 0 ? "" : ", ", "%v", first + k);
  return text + "}";
}

/// Returns a barrier of all threads of the CTA or, for group 2, of the pair of CTAs.
std::string meet(unsigned group) {
  return group == 1 ? "bar.sync 0;\n"
                    : "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
}

std::string commit(unsigned group) {
  std::string const name = say("tcgen05.commit.cta_group::", group, ".mbarrier::arrive::one");
  if (group == 1) return "\n" + name + ".shared::cluster.b64 [s+8];\n";
  return "\nmov.u16 %both, 3;\n" + name + ".shared::cluster.multicast::cluster.b64 [s+8], %both;\n";
}

std::string declarations() {
  return ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 128 .b8 "
         "dynamic[];\n"
         ".visible .entry t(.param .u64 in, .param .u64 out, .param .u32 idesc, .param .u32 on, "
         ".param .align 16 .b8 kept[32]) {\n"
         ".reg .b32 %v<80>, %t, %l, %i, %s, %x, %sa, %sb, %idesc, %on, %rank, %k<8>;\n"
         ".reg .b64 %in, %out, %a, %da, %db;\n.reg .b16 %both;\n"
         ".reg .pred %p, %first, %issues, %w, %e;\n.shared .align 8 .b8 s[16];\n";
}

/// Returns code that copies operands to tensor memory and to shared memory.
std::string fill() {
  std::string text;
  for (int c = 0; c < all_columns; ++c)
    text += say("ld.global.u32 %v", c, ", [%da+", c * 512, "];\n");
  text += "tcgen05.st.sync.aligned.32x32b.x64.b32 [%l], " + registers(0, 64) + ";\n" +
          "tcgen05.st.sync.aligned.32x32b.x16.b32 [%l+64], " + registers(64, 16) + ";\n" +
          "tcgen05.wait::st.sync.aligned;\n"
          "mul.wide.u32 %a, %i, 16;\nadd.u64 %da, %in, %a;\nmov.u32 %s, dynamic;\n"
          "shl.b32 %x, %i, 4;\nadd.u32 %x, %x, %s;\n";
  for (std::size_t piece = 0; piece < 4; ++piece)
    text +=
        say("ld.global.v4.u32 ", registers(40, 4), ", [%da+", words_of_tensor * 4 + piece * 2048,
            "];\nst.shared.v4.u32 [%x+", piece * 2048, "], ", registers(40, 4), ";\n");
  return text;
}

}  // namespace

std::string kernel_of(unsigned group, std::string const& product) {
  std::string const cta = say(".cta_group::", group, ".sync.aligned");
  std::string text =
      declarations() +
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nld.param.u32 %idesc, [idesc];\n"
      "ld.param.u32 %on, [on];\nsetp.ne.u32 %e, %on, 0;\n"
      "ld.param.v4.b32 {%k0, %k1, %k2, %k3}, [kept];\n"
      "ld.param.v4.b32 {%k4, %k5, %k6, %k7}, [kept+16];\n"
      "mov.u32 %i, %tid.x;\nmov.u32 %rank, %cluster_ctarank;\nsetp.eq.u32 %first, %i, 0;\n" +
      say("setp.eq.and.u32 %issues, %rank, 0, %first;\nmul.wide.u32 %a, %rank, ",
          (words_of_tensor + 2048) * 4, ";\nadd.u64 %in, %in, %a;\nmul.wide.u32 %a, %rank, ",
          words_of_d * 4, ";\nadd.u64 %out, %out, %a;\n") +
      "mul.wide.u32 %a, %i, 4;\nadd.u64 %out, %out, %a;\nadd.u64 %da, %in, %a;\n"
      "setp.lt.u32 %p, %i, 32;\n@!%p bra READY;\ntcgen05.alloc" +
      cta +
      ".shared::cta.b32 [s], 128;\n"
      "READY:\n@%first mbarrier.init.shared::cta.b64 [s+8], 1;\n"
      "@%first fence.mbarrier_init.release.cluster;\nbar.sync 0;\nld.shared.b32 %t, [s];\n"
      "and.b32 %x, %i, 96;\nshl.b32 %x, %x, 16;\nadd.u32 %l, %t, %x;\n" +
      fill() + "fence.proxy.async;\ntcgen05.fence::before_thread_sync;\n" + meet(group) +
      "@!%issues bra WAIT;\ntcgen05.fence::after_thread_sync;\n"
      // Descriptors of version 1 with a leading byte offset of 128 and a stride byte offset of 256.
      "and.b32 %x, %s, 0x3ffff;\nshr.u32 %x, %x, 4;\ncvt.u64.u32 %da, %x;\n"
      "or.b64 %da, %da, 0x0000401000080000;\nadd.u64 %db, %da, 256;\nadd.u32 %x, %t, 64;\n"
      "add.u32 %sa, %t, 72;\nadd.u32 %sb, %t, 76;\n" +
      product + commit(group) +
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %w, [s+8], 0;\n@!%w bra WAIT;\n"
      "tcgen05.fence::after_thread_sync;\ntcgen05.ld.sync.aligned.32x32b.x64.b32 " +
      registers(0, columns) + ", [%l];\ntcgen05.wait::ld.sync.aligned;\n";
  for (int c = 0; c < columns; ++c) text += say("st.global.u32 [%out+", c * 512, "], %v", c, ";\n");
  return text + "tcgen05.fence::before_thread_sync;\n" + meet(group) +
         "setp.lt.u32 %p, %i, 32;\n@!%p bra END;\ntcgen05.fence::after_thread_sync;\n"
         "tcgen05.dealloc" +
         cta + ".b32 %t, 128;\nEND: ret;\n}\n";
}

launched run(std::string const& ptx, unsigned group, std::vector<std::uint32_t> const& in,
             std::uint32_t idesc, bool accumulate, std::array<std::uint32_t, 8> const& kept,
             generator& random) {
  static machine::device on;
  launched made;
  made.out.resize(words_of_d * group);
  std::uint64_t const from = on.allocate(in.size() * 4), to = on.allocate(made.out.size() * 4);
  on.copy_in(from, in.data(), in.size() * 4);
  machine::launch_options how;
  how.strict = true;
  how.when = random() % 2 == 0 ? machine::landing::at_once : machine::landing::late;
  try {
    machine::load(ptx, on).launch("t", {group}, {128}, {group}, 8192,
                                  {from, to, idesc, static_cast<std::uint32_t>(accumulate),
                                   machine::argument(kept.data(), 32)},
                                  how);
    on.copy_out(made.out.data(), to, made.out.size() * 4);
  } catch (machine::error const& wrong) { made.report = wrong.what(); }
  on.free(from);
  on.free(to);
  return made;
}

verdict compare(std::string const& name, launched const& got,
                std::vector<std::uint32_t> const& wanted) {
  if (!got.report.empty()) return name + ": " + got.report;
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (got.out[k] != wanted[k])
      return say(name, " leaves ", machine::hexadecimal(got.out[k]), " in block ", k / words_of_d,
                 ", lane ", k % 128, ", column ", k % words_of_d / 128, "; the sum is ",
                 machine::hexadecimal(wanted[k]));
  return {};
}

}  // namespace machine_rows::products
