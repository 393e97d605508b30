// Tests tcgen05.cp: rows of 16 bytes in shared memory reach the lanes that the ISA's figures show.
// A row of 32 bytes has its second half 4096 bytes further. Tests tcgen05.shift: rows of tensor
// memory move one lane down. Block 0 of a pair copies and shifts for both.
#include "rows/harness.hpp"
#include "rows/products.hpp"

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

std::string const declarations = R"(
.version 9.0
.target sm_100a
.address_size 64
.extern .shared .align 128 .b8 dynamic[];
.visible .entry t(.param .u64 in, .param .u64 out)
{
  .reg .b32 %v<8>, %t, %l, %i, %s, %x;
  .reg .b64 %in, %out, %a, %d;
  .reg .pred %p, %first, %issues, %w;
  .reg .b32 %rank;
  .reg .b16 %both;
  .shared .align 8 .b8 s[16];
)";

/// %in and %out are the addresses of the thread's data, %x that of its 16 bytes in shared memory.
std::string const load_parameters = R"(
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %i, %tid.x;
  mov.u32 %rank, %cluster_ctarank;
  setp.eq.u32 %first, %i, 0;
  setp.eq.and.u32 %issues, %rank, 0, %first;
  mul.wide.u32 %a, %rank, 8192;
  add.u64 %in, %in, %a;
  mul.wide.u32 %a, %rank, 4096;
  add.u64 %out, %out, %a;
  mul.wide.u32 %a, %i, 4;
  add.u64 %out, %out, %a;
  mov.u32 %s, dynamic;
  mul.wide.u32 %a, %i, 16;
  add.u64 %in, %in, %a;
  shl.b32 %x, %i, 4;
  add.u32 %x, %x, %s;
)";

/// Returns code that writes the first `words` words of each 16 bytes of shared memory.
std::string fill_shared(int words) {
  std::string text;
  for (int piece = 0; piece < 4; ++piece) {
    text += say("ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%in+", piece * 2048, "];\n");
    for (int k = 0; k < words; ++k)
      text += say("st.shared.u32 [%x+", piece * 2048 + 4 * k, "], %v", k, ";\n");
  }
  return text;
}

/// Returns code that writes `untouched` to tensor memory.
std::string fill_tensor_memory() {
  std::string text = std::string("  fence.proxy.async;") + products::find_lanes;
  for (int c = 0; c < columns; ++c)
    text += say("mad.lo.u32 %v", c, ", %i, 256, ", untouched(0, c), ";\n");
  return text + R"(
  tcgen05.st.sync.aligned.32x32b.x8.b32 [%l], $VALUES;
  tcgen05.wait::st.sync.aligned;
)";
}

/// Runs $ACT in one thread. The descriptor has version 1, a leading byte offset of 4096 and a
/// stride byte offset of 128.
std::string const act_and_load = R"(
  tcgen05.fence::before_thread_sync;
  $BARRIER
  @!%issues bra WAIT;
  tcgen05.fence::after_thread_sync;
  and.b32 %x, %s, 0x3ffff;
  shr.u32 %x, %x, 4;
  cvt.u64.u32 %d, %x;
  or.b64 %d, %d, 0x0000400801000000;
  $ACT
  $COMMIT
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %w, [s+8], 0;
  @!%w bra WAIT;
  tcgen05.fence::after_thread_sync;
  tcgen05.ld.sync.aligned.32x32b.x8.b32 $VALUES, [%l];
  tcgen05.wait::ld.sync.aligned;
)";

/// Returns a kernel that runs `act`, with tensor memory at %t and the descriptor of shared memory
/// in %d. It writes the first `words` words of each 16 bytes of shared memory.
std::string kernel_of(std::string const& act, unsigned group, int words) {
  std::string store;
  for (int c = 0; c < columns; ++c)
    store += say("st.global.u32 [%out+", c * 512, "], %v", c, ";\n");
  return filled(declarations + load_parameters + products::allocate + fill_shared(words) +
                    fill_tensor_memory() + act_and_load + store + products::deallocate,
                {{"$GROUP", group},
                 {"$COLUMNS", 32},
                 {"$BARRIER", products::barrier(group)},
                 {"$ACT", act},
                 {"$COMMIT", products::commit(group)},
                 {"$VALUES", braces("%v", columns)}});
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
