// Tests tcgen05.cp: rows of 16 bytes in shared memory reach the lanes that the ISA's figures show.
// A row of 32 bytes has its second half 4096 bytes further. Tests tcgen05.shift: rows of tensor
// memory move one lane down. Block 0 of a pair copies and shifts for both.
#include "rows/harness.hpp"
#include "rows/products.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

constexpr int words_of_shared = 2048, columns = 8;

/// Returns the initial word of a cell of tensor memory.
std::uint32_t untouched(int lane, int column) {
  return 0xabcd0000u + static_cast<std::uint32_t>(column + lane * 256);
}

/// Returns 16 bytes of a row, as they are or decompressed to a byte for each element.
std::array<std::uint32_t, 4> decompressed(name_parts const& name, std::uint32_t const* words) {
  std::array<std::uint32_t, 4> made{};
  bool const four = name.has("b4x16_p64");
  if (!name.has("b8x16")) return {words[0], words[1], words[2], words[3]};
  for (std::size_t e = 0; e < 16; ++e) {
    std::uint32_t element = 0;
    std::size_t const width = four ? 4 : 6;
    for (std::size_t b = 0; b < width; ++b)
      element |= (words[(e * width + b) / 32] >> (e * width + b) % 32 & 1u) << b;
    made[e / 4] |= element << (e % 4 * 8 + (four ? 2 : 0));
  }
  return made;
}

struct target {
  int row = -1;  // the row that the lane gets; -1: none
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

/// Returns a kernel that runs `act`, with tensor memory at %t and the descriptor of shared memory
/// in %d. It writes the first `words` words of each 16 bytes of shared memory.
std::string kernel_of(std::string const& act, unsigned group, int words) {
  std::string const cta = say(".cta_group::", group);
  std::string const meet = group == 1
                               ? "bar.sync 0;\n"
                               : "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 128 .b8 dynamic[];\n"
      ".visible .entry t(.param .u64 in, .param .u64 out) {\n"
      ".reg .b32 %v<8>, %t, %l, %i, %s, %x;\n.reg .b64 %in, %out, %a, %d;\n"
      ".reg .pred %p, %first, %issues, %w;\n.reg .b32 %rank;\n.reg .b16 %both;\n"
      ".shared .align 8 .b8 s[16];\n"
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %i, %tid.x;\n"
      "mov.u32 %rank, %cluster_ctarank;\nsetp.eq.u32 %first, %i, 0;\n"
      "setp.eq.and.u32 %issues, %rank, 0, %first;\nmul.wide.u32 %a, %rank, 8192;\n"
      "add.u64 %in, %in, %a;\nmul.wide.u32 %a, %rank, 4096;\nadd.u64 %out, %out, %a;\n"
      "mul.wide.u32 %a, %i, 4;\nadd.u64 %out, %out, %a;\n"
      "setp.lt.u32 %p, %i, 32;\n@!%p bra READY;\n"
      "tcgen05.alloc" +
      cta +
      ".sync.aligned.shared::cta.b32 [s], 32;\n"
      "READY:\n@%first mbarrier.init.shared::cta.b64 [s+8], 1;\n"
      "@%first fence.mbarrier_init.release.cluster;\nmov.u32 %s, dynamic;\n"
      "mul.wide.u32 %a, %i, 16;\nadd.u64 %in, %in, %a;\nshl.b32 %x, %i, 4;\nadd.u32 %x, %x, %s;\n";
  for (int piece = 0; piece < 4; ++piece) {
    text += say("ld.global.v4.u32 ", registers(4), ", [%in+", piece * 2048, "];\n");
    for (int k = 0; k < words; ++k)
      text += say("st.shared.u32 [%x+", piece * 2048 + 4 * k, "], %v", k, ";\n");
  }
  text +=
      "fence.proxy.async;\nbar.sync 0;\nld.shared.b32 %t, [s];\nand.b32 %x, %i, 96;\n"
      "shl.b32 %x, %x, 16;\nadd.u32 %l, %t, %x;\n";
  for (int c = 0; c < columns; ++c)
    text += say("mad.lo.u32 %v", c, ", %i, 256, ", untouched(0, c), ";\n");
  text += "tcgen05.st.sync.aligned.32x32b.x8.b32 [%l], " + registers(8) + ";\n" +
          "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\n" + meet +
          "@!%issues bra WAIT;\ntcgen05.fence::after_thread_sync;\n"
          // A descriptor of version 1 with a leading byte offset of 4096 and a stride byte offset
          // of 128.
          "and.b32 %x, %s, 0x3ffff;\nshr.u32 %x, %x, 4;\ncvt.u64.u32 %d, %x;\nor.b64 %d, %d, "
          "0x0000400801000000;\n" +
          act + "\nmov.u16 %both, 3;\ntcgen05.commit" + cta +
          (group == 1 ? ".mbarrier::arrive::one.shared::cluster.b64 [s+8];\n"
                      : ".mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [s+8], "
                        "%both;\n") +
          "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %w, [s+8], 0;\n@!%w bra WAIT;\n"
          "tcgen05.fence::after_thread_sync;\n"
          "tcgen05.ld.sync.aligned.32x32b.x8.b32 " +
          registers(8) + ", [%l];\ntcgen05.wait::ld.sync.aligned;\n";
  for (int c = 0; c < columns; ++c) text += say("st.global.u32 [%out+", c * 512, "], %v", c, ";\n");
  return text + "tcgen05.fence::before_thread_sync;\n" + meet +
         "setp.lt.u32 %p, %i, 32;\n@!%p bra END;\ntcgen05.fence::after_thread_sync;\n"
         "tcgen05.dealloc" +
         cta + ".sync.aligned.b32 %t, 32;\nEND: ret;\n}\n";
}

struct launched {
  std::vector<std::uint32_t> in, out;
};

launched run(std::string const& act, unsigned group, generator& random, int words = 4) {
  launched made;
  made.out.resize(group * 128 * columns);
  for (unsigned k = 0; k < group * words_of_shared; ++k)
    made.in.push_back(static_cast<std::uint32_t>(random()));
  machine::device on;
  std::uint64_t const from = on.allocate(made.in.size() * 4), to = on.allocate(made.out.size() * 4);
  on.copy_in(from, made.in.data(), made.in.size() * 4);
  machine::launch_options how;
  how.strict = true;
  how.when = machine::landing::late;
  machine::load(kernel_of(act, group, words), on)
      .launch("t", {group}, {128}, {group}, 8192, {from, to}, how);
  on.copy_out(made.out.data(), to, made.out.size() * 4);
  return made;
}

/// Compares each word with want(block, lane, column).
template <class Want>
verdict compare(std::string const& name, launched const& got, Want const& want) {
  for (std::size_t k = 0; k < got.out.size(); ++k) {
    auto const lane = static_cast<int>(k % 128), c = static_cast<int>(k / 128) % columns;
    std::uint32_t const wanted = want(k / (128 * columns), lane, c);
    if (got.out[k] != wanted)
      return say(name, " leaves ", machine::hexadecimal(got.out[k]), " in block ",
                 k / (128 * columns), ", lane ", lane, ", column ", c, "; the row has ",
                 machine::hexadecimal(wanted));
  }
  return {};
}

}  // namespace

verdict test_tensor_copy(machine::table_row const& row) {
  auto const name = split(row.name);
  generator random;
  std::string const act = row.name + " [%t], %d;";
  unsigned const group = name.has("cta_group::2") ? 2 : 1;
  // Decompression reads 12 or 8 bytes of each 16.
  int const stored = name.has("b6x16_p32") ? 3 : name.has("b4x16_p64") ? 2 : 4;
  auto const got = run(act, group, random, stored);
  try {
    run(act, group, random, stored - 1);
    return row.name + " reads what was never written";
  } catch (machine::error const& e) {
    if (e.details().what != machine::trouble::never_written) return e.what();
  }
  return compare(row.name, got, [&](std::size_t block, int lane, int c) {
    auto const at = target_of(name, lane);
    if (at.row < 0 || c >= at.columns) return untouched(lane, c);
    return decompressed(
        name, &got.in[block * words_of_shared +
                      static_cast<std::size_t>(at.row * 4 +
                                               c / 4 * 1024)])[static_cast<std::size_t>(c % 4)];
  });
}

verdict test_tensor_shift(machine::table_row const& row) {
  generator random;
  unsigned const group = split(row.name).has("cta_group::2") ? 2 : 1;
  for (int first = 0; first < 128; first += 32) {
    auto const got = run(say(row.name, " [%t+", first << 16, "];"), group, random);
    auto const difference = compare(row.name, got, [&](std::size_t, int lane, int c) {
      bool const moved = lane > first && lane < first + 32;
      return untouched(moved ? lane - 1 : lane, c);
    });
    if (!difference.empty()) return difference;
  }
  // The kernel runs cp.4x256b after the shift. The cp writes the first of each 32 lanes.
  auto const got = run(say(row.name, " [%t];\ntcgen05.cp.cta_group::", group, ".4x256b [%t], %d;"),
                       group, random);
  auto const difference =
      compare(row.name + ", then cp.4x256b", got, [&](std::size_t block, int lane, int c) {
        if (lane % 32 == 0)
          return got.in[block * words_of_shared +
                        static_cast<std::size_t>(lane / 32 * 4 + c / 4 * 1024 + c % 4)];
        return untouched(lane < 32 ? lane - 1 : lane, c);
      });
  return difference.empty() ? test_products_beside_shifts(group) : difference;
}

}  // namespace machine_rows
