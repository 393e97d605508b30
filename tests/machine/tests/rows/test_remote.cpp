// Tests st.async and red.async: one lane accesses the block's own shared memory and waits on the
// mbarrier; every byte is compared.
#include "rows/copying.hpp"

namespace machine_rows {

using namespace copying;

verdict test_remote(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const reduces = name.opcode == "red";
  std::string const type = name.last();
  unsigned const count = name.has("v2") ? 2 : name.has("v4") ? 4 : 1, width = width_of(type) / 8;
  generator random;
  buffers given;
  fill(given.in, "u32", random);
  std::string loads, list;
  for (unsigned k = 0; k < count; ++k) {
    loads += say(".reg .b", 8 * width, " %q", k, ";\nld.global.b", 8 * width, " %q", k, ", [%in+",
                 chunk + k * width, "];\n");
    list += say(k == 0 ? "" : ", ", "%q", k);
  }
  bool const generic = row.signature[1] == 'A';
  if (generic)
    loads +=
        ".reg .b64 %a, %b;\nmov.u64 %a, s;\ncvta.shared.u64 %a, %a;\nmov.u64 %b, "
        "bar;\ncvta.shared.u64 %b, "
        "%b;\n";
  // All lanes store before the operation, because reductions read the old values. The bytes
  // after the destination must not change.
  auto const out =
      run(loads + to_shared(0, 0) + ordered + expect(count * width) + "@%p0 " + row.name +
              (generic ? " [%a], " : " [%s], ") + (count == 1 ? list : "{" + list + "}") +
              (generic ? ", [%b];\n" : ", [%bar];\n") + wait + to_out,
          given);
  bytes want = part(given.in, 0);
  for (unsigned at = 0; at < count * width; at += width) {
    std::uint64_t old = 0, value = 0;
    std::memcpy(&old, &given.in[at], width);
    std::memcpy(&value, &given.in[chunk + at], width);
    if (reduces) value = reduced(name.last(1), type, old, value);
    std::memcpy(&want[at], &value, width);
  }
  return compare(row.name, out, want);
}

}  // namespace machine_rows
