// Tests cp.async, bulk copies and bulk reductions: one warp copies 512 bytes, and every byte is
// compared. Also tests tokens of arrivals at an mbarrier. async_test.cpp tests groups and
// mbarriers.
#include "rows/copying.hpp"

namespace machine_rows {
namespace {

using namespace copying;

verdict test_cp_async(machine::table_row const& row) {
  generator random;
  buffers given;
  fill(given.in, "u32", random);
  bool const has_size = row.name.ends_with(".src_size");
  bool const ignores = row.name.ends_with(".ignore_src");
  std::string const body = R"(
  and.b32 %n, %lane, 15;
  setp.lt.u32 %p2, %n, 5;
  $NAME [%mine], [%from], 16$LAST;
  cp.async.wait_all;
)";
  std::string const name = row.name.substr(0, row.name.find(".global") + 7);
  std::string const last = has_size ? ", %n" : ignores ? ", %p2" : "";
  auto const out = run(filled(body, {{"$NAME", name}, {"$LAST", last}}) + to_out, given);
  bytes want = part(given.in, 0);
  for (std::size_t at = 0; at < chunk; ++at) {
    std::size_t const n = at / 16 % 16;
    if ((has_size && at % 16 >= n) || (ignores && n < 5)) want[at] = 0;
  }
  return compare(row.name, out, want);
}

/// Returns code that sets bits of %v0 if a phase has ended. `phase` is its parity or its token.
std::string set_if_ended(char const* test_wait, std::string const& phase, int bits) {
  return filled(R"(
  $TEST, $PHASE;
  selp.u32 %v1, $BITS, 0, %p1;
  or.b32 %v0, %v0, %v1;
)",
                {{"$TEST", test_wait}, {"$PHASE", phase}, {"$BITS", bits}});
}

/// Tests the phases of an mbarrier for one arrival: each cp.async.mbarrier.arrive.noinc ends a
/// phase; without .noinc it ends none.
verdict test_arrival(machine::table_row const& row) {
  bool const ends = row.name.find("noinc") != std::string::npos;
  std::string body = R"(
  mov.u32 %v0, 0;
  mov.u64 %map, bar;
  cvta.shared.u64 %map, %map;
  @!%p0 bra DONE;
)";
  auto const set_if_parity_ended = [](int parity, int bits) {
    return set_if_ended("mbarrier.test_wait.parity.shared.b64 %p1, [%bar]", std::to_string(parity),
                        bits);
  };
  for (int phase = 0; phase < 3; ++phase) {
    body += row.name + (row.signature == "=A" ? " [%map];\n" : " [%bar];\n");
    if (!ends)
      body +=
          set_if_parity_ended(phase % 2, 1 << phase) + "mbarrier.arrive.shared.b64 _, [%bar];\n";
    body += set_if_parity_ended(phase % 2, 16 << phase);
  }
  auto const out = run(body + "DONE:\nst.global.u32 [%to], %v0;\n", {});
  return out[0] == (16 | 32 | 64) ? "" : say(row.name, " ends phases ", static_cast<int>(out[0]));
}

/// Returns code that adds the pending count of the token %step to %v0.
std::string add_pending_count(int shift) {
  return filled(R"(
  mbarrier.pending_count.b64 %v1, %step;
  shl.b32 %v1, %v1, $SHIFT;
  or.b32 %v0, %v0, %v1;
)",
                {{"$SHIFT", shift}});
}

/// Tests that the token of an arrival has the pending count and the parity of its phase. Bits 0 to
/// 3 of the result are the count before the first arrival. Bits 4 and 5 tell whether test_wait
/// succeeds before and after the phase ends. The bits from 6 on are the count in the next phase.
verdict test_token(machine::table_row const& row, name_parts const& name) {
  std::string const address = name.has("shared") ? "[%bar+8]" : "[%map+8]";
  std::string const operand = name.has("expect_tx") ? ", 0" : name.has("noComplete") ? ", 1" : "";
  auto const set_if_token_ended = [](int bits) {
    return set_if_ended("mbarrier.test_wait.shared.b64 %p1, [%bar+8]", "%step", bits);
  };
  std::string const body = R"(
  @!%p0 bra DONE;
  mov.u32 %v0, 0;
  mov.u64 %map, bar;
  cvta.shared.u64 %map, %map;
  mbarrier.init.shared.b64 [%bar+8], 3;
  $ARRIVE
  $PENDING_0
  $ENDED_16
  mbarrier.arrive.shared.b64 _, [%bar+8];
  mbarrier.arrive.shared.b64 _, [%bar+8];
  $ENDED_32
  $ARRIVE
  $PENDING_6
  st.global.u32 [%out], %v0;
DONE:
)";
  auto const out = run(filled(body, {{"$ARRIVE", row.name + " %step, " + address + operand + ";"},
                                     {"$PENDING_0", add_pending_count(0)},
                                     {"$PENDING_6", add_pending_count(6)},
                                     {"$ENDED_16", set_if_token_ended(16)},
                                     {"$ENDED_32", set_if_token_ended(32)}}),
                       {});
  int const count_after = name.has("arrive_drop") ? 2 : 3, want = 3 | 32 | count_after << 6;
  return out[0] == want ? ""
                        : say(row.name, " gives tokens with the bits ", static_cast<int>(out[0]),
                              ", not ", want);
}

struct bulk_copy {
  std::string row;
  bool reduces, from_shared, into_shared, multicast;
};

std::string body_of(bulk_copy const& of) {
  if (!of.into_shared)
    return to_shared(0, 0) + ordered + "@%p0 " + of.row + " [%out], [%s], 512;\n" + drain;
  std::string body;  // completes on the mbarrier
  if (of.from_shared) body += to_shared(0, 512) + "add.u32 %n, %s, 512;\n";
  if (of.reduces) body += to_shared(512, 0);
  body += ordered + expect(chunk) + "@%p0 " + of.row;
  body += of.from_shared ? " [%s], [%n], 512, [%bar]" : " [%s], [%in], 512, [%bar]";
  return body + (of.multicast ? ", %mask;\n" : ";\n") + wait + to_out;
}

verdict test_bulk(machine::table_row const& row, name_parts const& name) {
  bulk_copy const of{row.name, row.name.starts_with("cp.reduce"), row.signature[2] == 'S',
                     row.signature[1] == 'S', name.has("multicast::cluster")};
  std::string const type = of.reduces ? name.last() : "u32";
  std::string const operation = !of.reduces ? "" : name.has("noftz") ? "add" : name.last(1);
  generator random;
  buffers given;
  fill(given.in, type, random);
  fill(given.out, type, random);
  bytes want = part(given.in, 0);
  if (of.reduces)
    want = combined(operation, type, of.into_shared ? part(given.in, 512) : given.out, want);
  return compare(row.name, run(body_of(of), given), want);
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
  return name.has("tensor") ? test_tiled(row) : test_bulk(row, name);
}

}  // namespace machine_rows
