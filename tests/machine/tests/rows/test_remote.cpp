// Tests st.async and red.async: one lane accesses the block's own shared memory and waits on the
// mbarrier; every byte is compared.
#include "rows/copying.hpp"

namespace machine_rows {
namespace {

using namespace copying;

struct remote_row {
  std::string row;
  bool generic;           // addresses
  unsigned count, width;  // elements, and bytes of each
  unsigned bytes() const { return count * width; }
};

/// All lanes store before the operation, because reductions read the old values. The bytes after
/// the destination must not change.
std::string body_of(remote_row const& of) {
  std::string body = say(".reg .b", 8 * of.width, " %q<4>;\n");
  for (unsigned k = 0; k < of.count; ++k)
    body += say("ld.global.b", 8 * of.width, " %q", k, ", [%in+", chunk + k * of.width, "];\n");
  if (of.generic)
    body += R"(
  .reg .b64 %a, %b;
  mov.u64 %a, s;
  cvta.shared.u64 %a, %a;
  mov.u64 %b, bar;
  cvta.shared.u64 %b, %b;
)";
  body += to_shared(0, 0) + ordered + expect(of.bytes());
  body += filled("@%p0 $NAME [$TO], $VALUES, [$BARRIER];\n",
                 {{"$NAME", of.row},
                  {"$TO", of.generic ? "%a" : "%s"},
                  {"$VALUES", of.count == 1 ? "%q0" : braces("%q", of.count)},
                  {"$BARRIER", of.generic ? "%b" : "%bar"}});
  return body + wait + to_out;
}

}  // namespace

verdict test_remote(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const reduces = name.opcode == "red";
  std::string const type = name.last();
  remote_row const of{row.name, row.signature[1] == 'A',
                      name.has("v2")   ? 2u
                      : name.has("v4") ? 4u
                                       : 1u,
                      width_of(type) / 8};
  generator random;
  buffers given;
  fill(given.in, "u32", random);
  bytes want = part(given.in, 0);
  for (unsigned at = 0; at < of.bytes(); at += of.width) {
    std::uint64_t old = 0, value = 0;
    std::memcpy(&old, &given.in[at], of.width);
    std::memcpy(&value, &given.in[chunk + at], of.width);
    if (reduces) value = reduced(name.last(1), type, old, value);
    std::memcpy(&want[at], &value, of.width);
  }
  return compare(row.name, run(body_of(of), given), want);
}

}  // namespace machine_rows
