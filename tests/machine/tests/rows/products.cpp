// Writes and runs the kernel of one tcgen05 product, and compares its sums.
#include "rows/products.hpp"

namespace machine_rows::products {
namespace {

std::string const declarations = R"(
.version 9.0
.target sm_100a
.address_size 64
.extern .shared .align 128 .b8 dynamic[];
.visible .entry t(.param .u64 in, .param .u64 out, .param .u32 idesc, .param .u32 on,
                  .param .align 16 .b8 kept[32])
{
  .reg .b32 %v<80>, %t, %l, %i, %s, %x, %sa, %sb, %idesc, %on, %rank, %k<8>;
  .reg .b64 %in, %out, %a, %da, %db;
  .reg .b16 %both;
  .reg .pred %p, %first, %issues, %w, %e;
  .shared .align 8 .b8 s[16];
)";

/// %in is the address of the block's operands, %out that of this thread's words of D, and %da that
/// of its words for tensor memory.
std::string const load_parameters = R"(
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  ld.param.u32 %idesc, [idesc];
  ld.param.u32 %on, [on];
  setp.ne.u32 %e, %on, 0;
  ld.param.v4.b32 {%k0, %k1, %k2, %k3}, [kept];
  ld.param.v4.b32 {%k4, %k5, %k6, %k7}, [kept+16];
  mov.u32 %i, %tid.x;
  mov.u32 %rank, %cluster_ctarank;
  setp.eq.u32 %first, %i, 0;
  setp.eq.and.u32 %issues, %rank, 0, %first;
  mul.wide.u32 %a, %rank, $BYTES_IN;
  add.u64 %in, %in, %a;
  mul.wide.u32 %a, %rank, $BYTES_OUT;
  add.u64 %out, %out, %a;
  mul.wide.u32 %a, %i, 4;
  add.u64 %out, %out, %a;
  add.u64 %da, %in, %a;
)";

/// Returns code that copies operands to tensor memory and to shared memory.
std::string fill() {
  std::string text;
  for (int c = 0; c < all_columns; ++c)
    text += say("ld.global.u32 %v", c, ", [%da+", c * 512, "];\n");
  text += filled(R"(
  tcgen05.st.sync.aligned.32x32b.x64.b32 [%l], $FIRST_64;
  tcgen05.st.sync.aligned.32x32b.x16.b32 [%l+64], $LAST_16;
  tcgen05.wait::st.sync.aligned;
  mul.wide.u32 %a, %i, 16;
  add.u64 %da, %in, %a;
  mov.u32 %s, dynamic;
  shl.b32 %x, %i, 4;
  add.u32 %x, %x, %s;
)",
                 {{"$FIRST_64", braces("%v", 64)}, {"$LAST_16", braces("%v", 16, 64)}});
  for (std::size_t piece = 0; piece < 4; ++piece)
    text += filled(R"(
  ld.global.v4.u32 {%v40, %v41, %v42, %v43}, [%da+$FROM];
  st.shared.v4.u32 [%x+$TO], {%v40, %v41, %v42, %v43};
)",
                   {{"$FROM", words_of_tensor * 4 + piece * 2048}, {"$TO", piece * 2048}});
  return text;
}

/// Computes the descriptors of A and B: version 1, a leading byte offset of 128 and a stride byte
/// offset of 256. %x, %sa and %sb are the addresses of A and of the scale factors.
std::string const make_descriptors = R"(
  and.b32 %x, %s, 0x3ffff;
  shr.u32 %x, %x, 4;
  cvt.u64.u32 %da, %x;
  or.b64 %da, %da, 0x0000401000080000;
  add.u64 %db, %da, 256;
  add.u32 %x, %t, 64;
  add.u32 %sa, %t, 72;
  add.u32 %sb, %t, 76;
)";

std::string const wait_and_load = R"(
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %w, [s+8], 0;
  @!%w bra WAIT;
  tcgen05.fence::after_thread_sync;
  tcgen05.ld.sync.aligned.32x32b.x64.b32 $D, [%l];
  tcgen05.wait::ld.sync.aligned;
)";

std::string store_d() {
  std::string text;
  for (int c = 0; c < columns; ++c) text += say("st.global.u32 [%out+", c * 512, "], %v", c, ";\n");
  return text;
}

}  // namespace

std::string barrier(unsigned group) {
  return group == 1 ? "bar.sync 0;\n"
                    : "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
}

std::string commit(unsigned group) {
  return group == 1 ? R"(
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [s+8];
)"
                    : R"(
  mov.u16 %both, 3;
  tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64
      [s+8], %both;
)";
}

std::string kernel_of(unsigned group, std::string const& product) {
  return filled(declarations + load_parameters + allocate + find_lanes + fill() + R"(
  fence.proxy.async;
  tcgen05.fence::before_thread_sync;
  $BARRIER
  @!%issues bra WAIT;
  tcgen05.fence::after_thread_sync;
)" + make_descriptors +
                    product + commit(group) + wait_and_load + store_d() + deallocate,
                {{"$BYTES_IN", (words_of_tensor + 2048) * 4},
                 {"$BYTES_OUT", words_of_d * 4},
                 {"$GROUP", group},
                 {"$COLUMNS", 128},
                 {"$BARRIER", barrier(group)},
                 {"$D", braces("%v", columns)}});
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
