// Tests ld, ldu and st of every state space, vector and type. Registers have 64 bits, or 128 for
// types of 128 bits: PTX allows registers that are wider than the type.
#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

struct access_name {
  std::string space = "generic", type;
  unsigned count = 1;
};

access_name access_of(machine::table_row const& row) {
  access_name made;
  for (auto const& part : split(row.name).modifiers) {
    if (part == "v2")
      made.count = 2;
    else if (part == "v4")
      made.count = 4;
    else if (width_of(part) != 0 && (is_integer(part) || part[0] == 'f'))
      made.type = part;
    else
      made.space = part;
  }
  return made;
}

/// Returns code that computes %a, the address of this lane's 16 bytes in the state space.
std::string address_in(std::string const& space) {
  if (space == "global" || space == "generic") return "add.u64 %a, %out, 32;\n";
  if (space == "shared")
    return "mov.u32 %x, bytes;\nmad.lo.u32 %x, %lane, 16, %x;\ncvt.u64.u32 %a, %x;\n";
  if (space == "local") return "mov.u64 %a, bytes;\n";
  return "mul.wide.u32 %step, %lane, 16;\nmov.u64 %a, bytes;\nadd.u64 %a, %a, %step;\n";
}

}  // namespace

verdict test_memory(machine::table_row const& row) {
  auto const name = access_of(row);
  bool const loads = row.name.substr(0, 2) == "ld";
  bool const given =
      name.space == "const" || name.space == "param";  // memory that only the launch can write
  unsigned const width = width_of(name.type);
  std::string const wide = width == 128 ? "q" : "l";
  std::string declarations = ".reg .b32 %x, %b<4>;\n.reg .b64 %a, %l<8>;\n.reg .b128 %q<4>;\n";
  if (name.space == "shared") declarations += ".shared .align 16 .b8 bytes[512];\n";
  if (name.space == "local") declarations += ".local .align 16 .b8 bytes[16];\n";
  std::string list;
  for (unsigned k = 0; k < name.count; ++k) list += say(k == 0 ? "" : ", ", "%", wide, k);
  if (name.count > 1) list = "{" + list + "}";
  std::string const space = name.space == "generic" ? "global" : name.space;
  std::string body = address_in(name.space);
  auto const copy = [&](std::string const& from_space, std::string const& from,
                        std::string const& to_space, std::string const& to) {
    std::string text;
    for (unsigned k = 0; k < 4; ++k)
      text += say("ld.", from_space, ".b32 %b", k, ", [", from, "+", 4 * k, "];\n");
    for (unsigned k = 0; k < 4; ++k)
      text += say("st.", to_space, ".b32 [", to, "+", 4 * k, "], %b", k, ";\n");
    return text;
  };
  if (loads) {
    if (!given) body += copy("global", "%in", space, "%a");
    body += row.name + " " + list + ", [%a];\n";
    for (unsigned k = 0; k < name.count; ++k)
      body += width == 128 ? say("mov.b128 {%l6, %l7}, %q0;\nst.global.b64 [%out], "
                                 "%l6;\nst.global.b64 [%out+8], %l7;\n")
                           : say("st.global.b64 [%out+", 8 * k, "], %l", k, ";\n");
  } else {
    for (unsigned k = 0; k < name.count; ++k)
      body += width == 128 ? std::string(
                                 "ld.global.b64 %l6, [%in];\nld.global.b64 %l7, [%in+8];\nmov.b128 "
                                 "%q0, {%l6, %l7};\n")
                           : say("ld.global.b64 %l", k, ", [%in+", 8 * k, "];\n");
    for (unsigned k = 0; k < 4; ++k)
      body += say("st.", space, ".b32 [%a+", 4 * k, "], 0x5a5a5a5a;\n");
    body += row.name + " [%a], " + list + ";\n" + copy(space, "%a", "global", "%out");
  }
  std::string ptx = kernel(declarations, body);
  generator random;
  std::vector<std::uint64_t> in(sets * slots);
  for (auto& each : in) each = random();
  std::string bytes;
  for (unsigned k = 0; k < 512; ++k) {
    in[k / 16 * slots + k % 16 / 8] &= ~(std::uint64_t{0xff} << (8 * (k % 8)));
    in[k / 16 * slots + k % 16 / 8] |= std::uint64_t{(k * 37 + 11) & 0xff} << (8 * (k % 8));
    bytes += say(k == 0 ? "" : ", ", (k * 37 + 11) & 0xff);
  }
  if (given)  // every warp sees the same 512 bytes
    for (std::size_t k = 32 * slots; k < in.size(); ++k) in[k] = in[k % (32 * slots)];
  if (name.space == "const")
    ptx.replace(ptx.find(".visible"), 0, ".const .align 16 .b8 bytes[512] = {" + bytes + "};\n");
  if (name.space == "param") {
    // Adds a kernel parameter of 512 bytes before the two parameters of `launch`.
    ptx.replace(ptx.find("t(.param .u64 in, .param .u64 out)"), 34,
                "t(.param .align 16 .b8 bytes[512], .param .u64 in, .param .u64 out)");
    machine::device on;
    std::uint64_t const from = on.allocate(in.size() * 8), to = on.allocate(in.size() * 8);
    on.copy_in(from, in.data(), in.size() * 8);
    on.fill(to, 0, in.size() * 8);
    std::vector<std::uint8_t> block(512);
    for (unsigned k = 0; k < 512; ++k) block[k] = static_cast<std::uint8_t>(k * 37 + 11);
    machine::load(ptx, on).launch("t", {sets / 32}, {32}, {}, 0,
                                  {machine::argument(block.data(), 512), from, to});
    std::vector<std::uint64_t> out(in.size());
    on.copy_out(out.data(), to, out.size() * 8);
    for (unsigned set = 0; set < sets; ++set)
      for (unsigned k = 0; k < (width == 128 ? 2 : name.count); ++k) {
        unsigned const bit = width == 128 ? 64 * k : k * width;
        std::uint64_t const want =
            width == 128 ? in[set * slots + k]
                         : cut(integer(in[set * slots + bit / 64] >> (bit % 64),
                                       name.type[0] == 'f' ? say('b', width) : name.type),
                               64);
        if (out[set * slots + k] != want)
          return say(row.name, " gives ", machine::hexadecimal(out[set * slots + k]),
                     ", memory holds ", machine::hexadecimal(want));
      }
    return {};
  }
  auto const out = launch(ptx, in);
  std::string const type = name.type[0] == 'f' ? say('b', width) : name.type;
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const* const i = &in[set * slots];
    std::uint64_t const* const o = &out[set * slots];
    if (loads) {
      for (unsigned k = 0; k < (width == 128 ? 2 : name.count); ++k) {
        unsigned const bit = width == 128 ? 64 * k : k * width;
        std::uint64_t const want =
            width == 128 ? i[k] : cut(integer(i[bit / 64] >> (bit % 64), type), 64);
        if (o[k] != want)
          return say(row.name, " gives ", machine::hexadecimal(o[k]), ", memory holds ",
                     machine::hexadecimal(want), " (lane ", set % 32, ", part ", k, ")");
      }
    } else {
      for (unsigned byte = 0; byte < 16; ++byte) {
        unsigned const part = byte * 8 / width;
        std::uint64_t want = 0x5a;
        if (width == 128)
          want = (i[byte / 8] >> (8 * (byte % 8))) & 0xff;
        else if (part < name.count)
          want = (i[part] >> (byte * 8 % width)) & 0xff;
        std::uint64_t const got = (o[byte / 8] >> (8 * (byte % 8))) & 0xff;
        if (got != want)
          return say(row.name, " leaves byte ", byte, " as ", got, " instead of ", want, " (lane ",
                     set % 32, ")");
      }
    }
  }
  return {};
}

}  // namespace machine_rows
