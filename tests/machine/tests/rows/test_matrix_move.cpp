// Tests ldmatrix, stmatrix and movmatrix: one warp moves up to four matrices of 8 x 8 halves. Row i
// of matrix q lies at byte 128 q + 16 i of shared memory. In registers, half e of lane l is row
// l / 4, column 2 (l % 4) + e, or transposed.
#include <utility>

#include "rows/matrices.hpp"

namespace machine_rows {
namespace {

using namespace matrices;

/// Loads row `lane` of the four matrices to %r0 to %r3. %x is its address in shared memory.
std::string const load_row = R"(
  mov.u32 %x, dynamic;
  mul.wide.u32 %s, %i, 16;
  add.u64 %s, %in, %s;
  ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%s];
  mad.lo.u32 %x, %i, 16, %x;
)";

std::string const call_movmatrix = R"(
  $NAME %r0, %r0;
)";

std::string const call_ldmatrix = R"(
  st.shared.v4.u32 [%x], {%r0, %r1, %r2, %r3};
  bar.warp.sync 0xffffffff;
  $NAME $REGISTERS, [%x];
)";

// x1 and x2 do not write all bytes, so the kernel writes them before.
std::string const call_stmatrix = R"(
  st.shared.v4.u32 [%x], {%r0, %r0, %r0, %r0};
  bar.warp.sync 0xffffffff;
  $NAME [%x], $REGISTERS;
  bar.warp.sync 0xffffffff;
  ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%x];
)";

std::string kernel_of(machine::table_row const& row, std::string const& opcode, unsigned count) {
  std::string body = load_row + (opcode == "movmatrix"  ? call_movmatrix
                                 : opcode == "ldmatrix" ? call_ldmatrix
                                                        : call_stmatrix);
  for (unsigned r = 0; r < 4; ++r) body += say("st.global.b32 [%out+", 4 * r, "], %r", r, ";\n");
  return frame(".reg .b32 %r<4>;\n",
               filled(body, {{"$NAME", row.name}, {"$REGISTERS", braces("%r", count)}}));
}

std::uint32_t half(std::uint32_t word, unsigned e) { return (word >> (16 * e)) & 0xffffu; }

using words_of_32 = std::vector<std::uint32_t>;

verdict compare_transposed(std::string const& name, words_of_32 const& in, words_of_32 const& out) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned e = 0; e < 2; ++e) {
      unsigned const row = lane / 4, column = 2 * (lane % 4) + e;
      unsigned const source_lane = column * 4 + row / 2;
      if (half(out[lane * out_words], e) != half(in[source_lane * 4], row % 2))
        return say(name, " is wrong in lane ", lane);
    }
  return {};
}

/// Compares rows of memory, `pitch` words apart, with registers of lanes, `stride` words apart.
verdict compare(machine::table_row const& row, unsigned count, words_of_32 const& memory,
                unsigned pitch, words_of_32 const& registers, unsigned stride) {
  bool const transposed = split(row.name).has("trans");
  for (unsigned q = 0; q < count; ++q)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < 2; ++e) {
        unsigned i = lane / 4, j = 2 * (lane % 4) + e;
        if (transposed) std::swap(i, j);
        std::uint32_t const in_memory = half(memory[(8 * q + i) * pitch + j / 2], j % 2);
        std::uint32_t const in_register = half(registers[lane * stride + q], e);
        if (in_memory != in_register)
          return say(row.name, " is wrong in lane ", lane, " of matrix ", q, ": ", in_memory,
                     " and ", in_register);
      }
  return {};
}

}  // namespace

verdict test_matrix_move(machine::table_row const& row) {
  auto const name = split(row.name);
  unsigned const count =
      name.opcode == "movmatrix" ? 1 : static_cast<unsigned>(name.modifiers[3].back() - '0');
  generator random;
  words_of_32 in(32 * 4);
  for (auto& each : in) each = static_cast<std::uint32_t>(random());
  auto const out = run(kernel_of(row, name.opcode, count), in, 32, 512);
  if (name.opcode == "movmatrix") return compare_transposed(row.name, in, out);
  return name.opcode == "stmatrix" ? compare(row, count, out, out_words, in, 4)
                                   : compare(row, count, in, 4, out, out_words);
}

}  // namespace machine_rows
