// Tests ld, ldu and st of every state space, vector and type: each lane accesses 16 bytes.
// Registers have 64 bits, or 128 for types of 128 bits: PTX allows registers that are wider than
// the type.
#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {
namespace {

using machine::say;

constexpr unsigned bytes_of_warp = 512;
constexpr std::uint8_t old_byte = 0x5a;  // in every byte before a store

struct access {
  std::string instruction;
  bool loads = false;
  std::string space = "generic", type;
  unsigned count = 1;  // of elements

  unsigned width() const { return width_of(type); }
  /// True if only the launch can write the bytes.
  bool read_only() const { return space == "const" || space == "param"; }
  std::string space_of_bytes() const { return space == "generic" ? "global" : space; }
  std::string registers() const {
    if (width() == 128) return "%q0";
    return count == 1 ? "%l0" : braces("%l", count);
  }
};

access access_of(machine::table_row const& row) {
  access made;
  made.instruction = row.name;
  made.loads = row.name.starts_with("ld");
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

std::string declarations(access const& of) {
  std::string text = R"(
  .reg .b32 %x, %b<4>;
  .reg .b64 %a, %l<8>;
  .reg .b128 %q<4>;
)";
  if (of.space == "shared") text += ".shared .align 16 .b8 bytes[512];\n";
  if (of.space == "local") text += ".local .align 16 .b8 bytes[16];\n";
  return text;
}

/// Returns code that computes %a, the address of this lane's 16 bytes in the state space.
std::string address_in(std::string const& space) {
  if (space == "global" || space == "generic") return "add.u64 %a, %out, 32;\n";
  if (space == "local") return "mov.u64 %a, bytes;\n";
  if (space == "shared")
    return R"(
  mov.u32 %x, bytes;
  mad.lo.u32 %x, %lane, 16, %x;
  cvt.u64.u32 %a, %x;
)";
  return R"(
  mul.wide.u32 %step, %lane, 16;
  mov.u64 %a, bytes;
  add.u64 %a, %a, %step;
)";
}

/// Returns code that copies 16 bytes.
std::string copy(std::string const& from_space, std::string const& from,
                 std::string const& to_space, std::string const& to) {
  std::string text;
  for (unsigned k = 0; k < 4; ++k)
    text += say("ld.", from_space, ".b32 %b", k, ", [", from, "+", 4 * k, "];\n");
  for (unsigned k = 0; k < 4; ++k)
    text += say("st.", to_space, ".b32 [", to, "+", 4 * k, "], %b", k, ";\n");
  return text;
}

std::string registers_to_out(access const& of) {
  if (of.width() == 128)
    return R"(
  mov.b128 {%l6, %l7}, %q0;
  st.global.b64 [%out], %l6;
  st.global.b64 [%out+8], %l7;
)";
  std::string text;
  for (unsigned k = 0; k < of.count; ++k)
    text += say("st.global.b64 [%out+", 8 * k, "], %l", k, ";\n");
  return text;
}

std::string registers_from_in(access const& of) {
  if (of.width() == 128)
    return R"(
  ld.global.b64 %l6, [%in];
  ld.global.b64 %l7, [%in+8];
  mov.b128 %q0, {%l6, %l7};
)";
  std::string text;
  for (unsigned k = 0; k < of.count; ++k)
    text += say("ld.global.b64 %l", k, ", [%in+", 8 * k, "];\n");
  return text;
}

std::string body_of(access const& of) {
  std::string const space = of.space_of_bytes();
  std::string body = address_in(of.space);
  if (of.loads) {
    if (!of.read_only()) body += copy("global", "%in", space, "%a");
    return body + of.instruction + " " + of.registers() + ", [%a];\n" + registers_to_out(of);
  }
  body += registers_from_in(of);
  for (unsigned k = 0; k < 4; ++k)
    body += say("st.", space, ".b32 [%a+", 4 * k, "], 0x5a5a5a5a;\n");  // old_byte
  return body + of.instruction + " [%a], " + of.registers() + ";\n" +
         copy(space, "%a", "global", "%out");
}

std::uint8_t byte_of_warp(unsigned k) { return static_cast<std::uint8_t>(k * 37 + 11); }

/// Returns the kernel, with the bytes of the warp as a constant or as the first parameter if the
/// instruction reads these state spaces.
std::string kernel_of(access const& of) {
  std::string const ptx = kernel(declarations(of), body_of(of));
  if (of.space == "const") {
    std::string list;
    for (unsigned k = 0; k < bytes_of_warp; ++k)
      list += say(k == 0 ? "" : ", ", unsigned{byte_of_warp(k)});
    return filled(ptx,
                  {{".visible", ".const .align 16 .b8 bytes[512] = {" + list + "};\n.visible"}});
  }
  if (of.space == "param")
    return filled(ptx, {{".entry t(", ".entry t(.param .align 16 .b8 bytes[512], "}});
  return ptx;
}

/// Returns random operands. The first 16 bytes of the first 32 sets are the known bytes of a warp.
/// If the bytes are read only, the other warps have the operands of the first.
std::vector<std::uint64_t> operands_of(access const& of) {
  auto in = random_operands();
  for (unsigned k = 0; k < bytes_of_warp; ++k) {
    std::uint64_t& word = in[k / 16 * slots + k % 16 / 8];
    unsigned const bit = 8 * (k % 8);
    word &= ~(std::uint64_t{0xff} << bit);
    word |= std::uint64_t{byte_of_warp(k)} << bit;
  }
  constexpr unsigned words_of_warp = 32 * slots;
  if (of.read_only())
    for (std::size_t k = words_of_warp; k < in.size(); ++k) in[k] = in[k % words_of_warp];
  return in;
}

std::vector<machine::argument> bytes_as_argument() {
  std::uint8_t bytes[bytes_of_warp];
  for (unsigned k = 0; k < bytes_of_warp; ++k) bytes[k] = byte_of_warp(k);
  return {machine::argument(bytes, bytes_of_warp)};
}

/// Compares results, 64 bits of a register each, with the 16 bytes in memory.
verdict compare_load(access const& of, std::uint64_t const* memory, std::uint64_t const* results) {
  unsigned const width = of.width();
  std::string const type = of.type[0] == 'f' ? say('b', width) : of.type;
  for (unsigned k = 0; k < (width == 128 ? 2 : of.count); ++k) {
    unsigned const bit = k * width;
    std::uint64_t const want =
        width == 128 ? memory[k] : cut(integer(memory[bit / 64] >> (bit % 64), type), 64);
    if (results[k] != want)
      return say(of.instruction, " gives ", machine::hexadecimal(results[k]), ", memory holds ",
                 machine::hexadecimal(want), " (part ", k, ")");
  }
  return {};
}

/// Compares the 16 bytes after a store with the registers, which have 8 bytes of `registers` each.
verdict compare_store(access const& of, std::uint64_t const* registers,
                      std::uint64_t const* memory) {
  unsigned const bytes = of.width() / 8;
  for (unsigned byte = 0; byte < 16; ++byte) {
    unsigned const element = byte / bytes;
    std::uint64_t want = old_byte;
    if (bytes == 16)
      want = byte_of(registers, byte);
    else if (element < of.count)
      want = byte_of(registers, 8 * element + byte % bytes);
    std::uint64_t const got = byte_of(memory, byte);
    if (got != want)
      return say(of.instruction, " leaves byte ", byte, " as ", got, " instead of ", want);
  }
  return {};
}

}  // namespace

verdict test_memory(machine::table_row const& row) {
  access const of = access_of(row);
  auto const in = operands_of(of);
  auto const out =
      launch(kernel_of(of), in,
             of.space == "param" ? bytes_as_argument() : std::vector<machine::argument>{});
  auto const compare = of.loads ? compare_load : compare_store;
  for (unsigned set = 0; set < sets; ++set) {
    auto const difference = compare(of, &in[set * slots], &out[set * slots]);
    if (!difference.empty()) return say(difference, " in lane ", set % 32);
  }
  return {};
}

}  // namespace machine_rows
