// Tests cp.async, bulk and tensor copies, and bulk reductions: one warp copies 512 bytes, and every
// byte is compared. Also tests tokens of arrivals at an mbarrier. async_test.cpp tests groups and
// mbarriers.
#include <cstring>

#include "rows/copying.hpp"
#include "tensor/tensor_map.hpp"

namespace machine_rows {
namespace {

using namespace copying;

verdict test_cp_async(machine::table_row const& row) {
  generator random;
  buffers given{bytes(1024), bytes(chunk, 0), bytes(128, 0)};
  fill(given.in, "u32", random);
  std::string name = row.name, last;
  if (name.ends_with(".src_size")) last = ", %n";
  if (name.ends_with(".ignore_src")) last = ", %p2";
  name.resize(name.find(".global") + 7);
  auto const out = run("and.b32 %n, %lane, 15;\nsetp.lt.u32 %p2, %n, 5;\n" + name +
                           " [%mine], [%from], 16" + last + ";\ncp.async.wait_all;\n" + to_out,
                       given);
  bytes want = part(given.in, 0);
  for (std::size_t at = 0; at < chunk; ++at) {
    std::size_t const lane = at / 16;
    if (last == ", %n" && at % 16 >= lane % 16) want[at] = 0;
    if (last == ", %p2" && lane % 16 < 5) want[at] = 0;
  }
  return compare(row.name, out, want);
}

/// Tests the phases of an mbarrier for one arrival: each cp.async.mbarrier.arrive.noinc ends a
/// phase; without .noinc it ends none.
verdict test_arrival(machine::table_row const& row) {
  bool const ends = row.name.find("noinc") != std::string::npos;
  std::string body =
      "mov.u32 %v0, 0;\nmov.u64 %map, bar;\ncvta.shared.u64 %map, %map;\n@!%p0 bra DONE;\n";
  for (int phase = 0; phase < 3; ++phase) {
    body += row.name + (row.signature == "=A" ? " [%map];\n" : " [%bar];\n");
    if (!ends)
      body += say("mbarrier.test_wait.parity.shared.b64 %p1, [%bar], ", phase % 2,
                  ";\nselp.u32 %v1, ", 1 << phase,
                  ", 0, %p1;\nor.b32 %v0, %v0, %v1;\nmbarrier.arrive.shared.b64 _, [%bar];\n");
    body += say("mbarrier.test_wait.parity.shared.b64 %p1, [%bar], ", phase % 2,
                ";\nselp.u32 %v1, ", 16 << phase, ", 0, %p1;\nor.b32 %v0, %v0, %v1;\n");
  }
  auto const out = run(body + "DONE:\nst.global.u32 [%to], %v0;\n",
                       {bytes(1024), bytes(chunk, 0), bytes(128, 0)});
  return out[0] == (16 | 32 | 64) ? "" : say(row.name, " ends phases ", static_cast<int>(out[0]));
}

/// Tests that the token of an arrival has the pending count and the parity of its phase. Bits 0 to
/// 3 of the result are the count before the first arrival. Bits 4 and 5 tell whether test_wait
/// succeeds before and after the phase ends. The bits from 6 on are the count in the next phase.
verdict test_token(machine::table_row const& row, name_parts const& name) {
  std::string const address = name.has("shared") ? "[%bar+8]" : "[%map+8]";
  std::string const operand = name.has("expect_tx") ? ", 0" : name.has("noComplete") ? ", 1" : "";
  bool const drops = name.has("arrive_drop");
  auto const pending = [](char const* token, int shift) {
    return say("mbarrier.pending_count.b64 %v1, ", token, ";\nshl.b32 %v1, %v1, ", shift,
               ";\nor.b32 %v0, %v0, %v1;\n");
  };
  auto const out =
      run("@!%p0 bra DONE;\nmov.u32 %v0, 0;\nmov.u64 %map, bar;\ncvta.shared.u64 %map, "
          "%map;\nmbarrier.init.shared.b64 [%bar+8], 3;\n" +
              row.name + " %step, " + address + operand + ";\n" + pending("%step", 0) +
              "mbarrier.test_wait.shared.b64 %p1, [%bar+8], %step;\nselp.u32 %v1, 16, 0, "
              "%p1;\nor.b32 %v0, "
              "%v0, %v1;\n"
              "mbarrier.arrive.shared.b64 _, [%bar+8];\nmbarrier.arrive.shared.b64 _, [%bar+8];\n"
              "mbarrier.test_wait.shared.b64 %p1, [%bar+8], %step;\nselp.u32 %v1, 32, 0, "
              "%p1;\nor.b32 %v0, "
              "%v0, %v1;\n" +
              row.name + " %step, " + address + operand + ";\n" + pending("%step", 6) +
              "st.global.u32 [%out], %v0;\nDONE:\n",
          {bytes(1024), bytes(chunk, 0), bytes(128, 0)});
  int const want = 3 | 32 | (drops ? 2 : 3) << 6;
  return out[0] == want ? ""
                        : say(row.name, " gives tokens with the bits ", static_cast<int>(out[0]),
                              ", not ", want);
}

verdict test_bulk(machine::table_row const& row, name_parts const& name) {
  generator random;
  bool const reduces = row.name.starts_with("cp.reduce");
  bool const from_shared = row.signature[2] == 'S', into_shared = row.signature[1] == 'S';
  std::string const type = reduces ? name.last() : "u32";
  std::string const operation = reduces ? (name.has("noftz") ? "add" : name.last(1)) : "";
  buffers given{bytes(1024), bytes(chunk, 0), bytes(128, 0)};
  fill(given.in, type, random);
  fill(given.out, type, random);
  std::string const place = "@%p0 " + row.name;
  std::string body;
  bytes want;
  if (into_shared) {  // completes on the mbarrier
    body = (from_shared ? to_shared(0, 512) : "") + (reduces ? to_shared(512, 0) : "") + ordered +
           expect(chunk);
    body += from_shared ? "add.u32 %n, %s, 512;\n" + place + " [%s], [%n], 512, [%bar];\n"
                        : place + " [%s], [%in], 512, [%bar]" +
                              (name.has("multicast::cluster") ? ", %mask;\n" : ";\n");
    body += wait + to_out;
    want = reduces ? combined(operation, type, part(given.in, 512), part(given.in, 0))
                   : part(given.in, 0);
  } else {
    body = to_shared(0, 0) + ordered + place + " [%out], [%s], 512;\n" + drain;
    want = reduces ? combined(operation, type, given.out, part(given.in, 0)) : part(given.in, 0);
  }
  return compare(row.name, run(body, given), want);
}

/// Copies from a tensor of extents 8, 3, 3, 3, 3 with 32-bit elements, in a box of 8, 2, 2, 2, 2 at
/// 0, 1, 0, 1, 1.
verdict test_tensor(machine::table_row const& row, name_parts const& name) {
  generator random;
  unsigned rank = 1;
  for (unsigned r = 1; r <= 5; ++r)
    if (name.has(say(r, 'd').c_str())) rank = r;
  bool const reduces = row.name.starts_with("cp.reduce"), loads = row.signature[1] == 'S';
  std::uint64_t extents[5] = {8, 3, 3, 3, 3}, strides[4] = {32, 96, 288, 864};
  std::uint32_t const box[5] = {8, 2, 2, 2, 2}, steps[5] = {1, 1, 1, 1, 1},
                      begin[5] = {0, 1, 0, 1, 1};
  std::size_t elements = 8, boxed = 8;
  for (unsigned d = 1; d < rank; ++d) {
    elements *= 3;
    boxed *= 2;
  }
  machine::device on;
  std::uint64_t const tensor = on.allocate(elements * 4), other = on.allocate(1024);
  bytes map(128), before(elements * 4), tile(1024, 0);
  fill(before, "u32", random);
  fill(tile, "u32", random);
  machine::tensor::map_arguments what;
  what.type = 2;  // UINT32
  what.rank = rank;
  what.address = tensor;
  what.extents = extents;
  what.strides = strides;
  what.element_strides = steps;
  alignas(64) std::array<std::byte, 128> encoded;
  if (auto const problem = machine::tensor::encode_tiled(encoded.data(), what, box))
    return *problem;
  std::string coordinates;
  for (unsigned d = 0; d < rank; ++d) coordinates += say(d == 0 ? "" : ", ", begin[d]);
  std::string const source = say("[%map, {", coordinates, "}]");
  std::string const body =
      loads ? ordered + expect(boxed * 4) + "@%p0 " + row.name + " [%s], " + source + ", [%bar]" +
                  (name.has("multicast::cluster") ? ", %mask;\n" : ";\n") + wait +
                  say("mul.lo.u32 %n, %lane, 16;\nsetp.lt.u32 %p3, %n, ", boxed * 4,
                      ";\n@!%p3 bra E;\n") +
                  to_out + "E:\n"
            : to_shared(0, 0) + ordered + "@%p0 " + row.name + " " + source + ", [%s];\n" + drain;
  on.copy_in(tensor, before.data(), before.size());
  on.copy_in(other, tile.data(), 1024);
  std::uint64_t const out = on.allocate(chunk);
  on.fill(out, 0, chunk);
  machine::load(frame(body), on)
      .launch("t", {1}, {32}, {}, 0, {other, out, machine::argument(encoded.data(), 128)});
  bytes after(elements * 4), arrived(chunk), want = before, want_tile(chunk, 0);
  on.copy_out(after.data(), tensor, after.size());
  on.copy_out(arrived.data(), out, chunk);
  for (std::size_t at = 0; at < boxed; ++at) {  // element `at` of the image, dimension 0 fastest
    std::size_t rest = at, global = 0, stride = 1;
    for (unsigned d = 0; d < rank; ++d) {
      global += (rest % box[d] + begin[d]) * stride;
      rest /= box[d];
      stride *= extents[d];
    }
    std::uint32_t old = 0, value = 0;
    std::memcpy(&old, &before[global * 4], 4);
    std::memcpy(&value, &tile[at * 4], 4);
    std::string const operation = reduces ? name.last(1) : "";
    auto const now =
        reduces ? static_cast<std::uint32_t>(reduced(operation, "u32", old, value)) : value;
    if (loads)
      std::memcpy(&want_tile[at * 4], &old, 4);
    else
      std::memcpy(&want[global * 4], &now, 4);
  }
  auto const difference = compare(row.name, after, want);
  return difference.empty() ? compare(row.name, arrived, want_tile) : difference;
}

}  // namespace

bool is_asynchronous(machine::table_row const& row) {
  if (row.name.starts_with("mbarrier.arrive")) return true;
  return row.name.starts_with("cp.") && row.name.find("prefetch") == std::string::npos &&
         row.signature != "=" && row.signature != "=i";
}

verdict test_asynchronous(machine::table_row const& row) {
  auto const name = split(row.name);
  if (name.opcode == "mbarrier") return test_token(row, name);
  if (row.name.starts_with("cp.async.mbarrier")) return test_arrival(row);
  if (row.name.starts_with("cp.async.c")) return test_cp_async(row);
  if (row.name.find(".im2col") != std::string::npos) return test_im2col(row);
  return name.has("tensor") ? test_tensor(row, name) : test_bulk(row, name);
}

}  // namespace machine_rows
