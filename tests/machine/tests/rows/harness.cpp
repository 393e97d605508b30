// Builds kernels and operands for all testers, and launches them. Operand set i is words 8 i to 8 i
// + 7 of `in`; its results are the same words of `out`.
#include "rows/harness.hpp"

#include <cctype>

#include "rows/ptx.hpp"

namespace machine_rows {

std::uint64_t generator::operator()() {
  state += 0x9e3779b97f4a7c15ull;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

char const* register_type(char letter) {
  switch (std::tolower(letter)) {
    case 'p': return ".pred";
    case 'b': return ".b8";
    case 'h': return ".b16";
    case 'w': return ".b32";
    case 'f': return ".f32";
    case 'g': return ".f64";
    case 'q': return ".b128";
    default: return ".b64";
  }
}

unsigned letter_width(char letter) {
  switch (std::tolower(letter)) {
    case 'p': return 1;
    case 'b': return 8;
    case 'h': return 16;
    case 'w':
    case 'f': return 32;
    case 'q': return 128;
    default: return 64;
  }
}

std::uint64_t interesting(generator& random, char letter, std::string const& name) {
  unsigned const width = letter_width(letter);
  std::uint64_t const mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  static constexpr std::uint64_t singles[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001,
      0x00000001, 0x807fffff, 0x7f7fffff, 0x3f000000, 0x4f000000, 0x40490fdb, 0x00800000};
  static constexpr std::uint64_t doubles[] = {0,
                                              0x8000000000000000,
                                              0x3ff0000000000000,
                                              0xbff0000000000000,
                                              0x7ff0000000000000,
                                              0xfff0000000000000,
                                              0x7ff8000000000001,
                                              1,
                                              0x800fffffffffffff,
                                              0x7fefffffffffffff,
                                              0x3fe0000000000000,
                                              0x43e0000000000000};
  static constexpr std::uint64_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00,
                                             0xfc00, 0x7e01, 0x0001, 0x83ff, 0x7bff,
                                             0x3f80, 0x7f80, 0xff80, 0x7fc1};
  std::uint64_t const pick = random();
  switch (pick % 4) {
    case 0: {
      std::uint64_t const which = random();
      if (letter == 'f') return singles[which % std::size(singles)];
      if (letter == 'g') return doubles[which % std::size(doubles)];
      bool const halved = name.find("f16") != std::string::npos;
      if (halved && width == 16) return halves[which % std::size(halves)];
      if (halved && width == 32)
        return halves[which % std::size(halves)] | halves[(which >> 8) % std::size(halves)] << 16;
      std::uint64_t const numbers[] = {0,  1,  2,  mask, mask - 1, mask >> 1, (mask >> 1) + 1,
                                       31, 32, 33, 63,   64,       255};
      return numbers[which % std::size(numbers)] & mask;
    }
    case 1:  // moderate numbers: typical operands of float operations and shifts
      if (letter == 'f') return 0x3f000000 + (random() & 0x81ffffff);
      if (letter == 'g') return 0x3fe0000000000000 + (random() & 0x803fffffffffffff);
      if (name.find("f16") != std::string::npos && width >= 16)
        return (0x3800380038003800 + (random() & 0x87ff87ff87ff87ff)) & mask;
      return random() % 70 & mask;
    default: return random() & mask;
  }
}

std::string row_name(machine::table_row const& row) {
  std::string name = row.name;
  if (name.back() == '|') name.pop_back();
  return name;
}

std::string kernel(std::string const& declarations, std::string const& body) {
  return filled(R"(
.version 9.0
.target sm_90a
.address_size 64
.visible .entry t(.param .u64 in, .param .u64 out) {
  .reg .b64 %in, %out, %step;
  .reg .b32 %i, %block, %lane;
  $DECLARATIONS
  mov.u32 %i, %tid.x;
  mov.u32 %lane, %laneid;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %i, %block, 32, %i;
  mul.wide.u32 %step, %i, 64;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  add.u64 %in, %in, %step;
  add.u64 %out, %out, %step;
  $BODY
  ret;
}
)",
                {{"$DECLARATIONS", declarations}, {"$BODY", body}});
}

std::vector<std::uint64_t> launch(std::string const& ptx, std::vector<std::uint64_t> const& in,
                                  std::vector<machine::argument> arguments) {
  static machine::device on;
  std::uint64_t const bytes = in.size() * 8;
  std::uint64_t const from = on.allocate(bytes);
  std::uint64_t const to = on.allocate(bytes);
  struct release {
    std::uint64_t a, b;
    ~release() {
      on.free(a);
      on.free(b);
    }
  } const at_end{from, to};
  on.copy_in(from, in.data(), bytes);
  on.fill(to, 0, bytes);
  arguments.insert(arguments.end(), {from, to});
  machine::load(ptx, on).launch("t", {sets / 32}, {32}, {}, 0, arguments);
  std::vector<std::uint64_t> out(in.size());
  on.copy_out(out.data(), to, bytes);
  return out;
}

std::vector<std::uint64_t> random_operands() {
  generator random;
  std::vector<std::uint64_t> in(sets * slots);
  for (auto& each : in) each = random();
  return in;
}

std::uint64_t byte_of(std::uint64_t const* set, unsigned byte) {
  return set[byte / 8] >> (8 * (byte % 8)) & 0xff;
}

std::string in_hexadecimal(words const& list) {
  std::string text;
  for (auto const each : list) text += (text.empty() ? "" : ", ") + machine::hexadecimal(each);
  return text;
}

}  // namespace machine_rows
