// Tests wgmma.mma_async: each row in its own kernel of one warpgroup, which computes D = 2 A B by
// two products of small numbers. The sums are exact in every type.
#include "rows/matrices.hpp"

namespace machine_rows {
namespace {

using namespace matrices;

using matrix = std::vector<std::vector<std::int64_t>>;  // B is transposed: both are [row][k]

constexpr unsigned rows_of_a = 64, bytes_of_a_row = 32;
constexpr unsigned image_of_b = rows_of_a * bytes_of_a_row;  // byte offset in shared memory

struct product {
  std::string row, instruction;
  shape size;
  std::string d_type, a_type, b_type;
  unsigned registers;   // of D, in each thread
  bool a_in_registers;  // else A is in shared memory
  bool bitwise;         // .and.popc
};

product product_of(machine::table_row const& row) {
  constexpr std::string_view mark = ".a_in_registers";  // of the table, not of PTX
  bool const marked = row.name.ends_with(mark);
  std::string const instruction = row.name.substr(0, row.name.size() - (marked ? mark.size() : 0));
  auto const name = split(instruction);
  std::size_t const tail = name.has("popc") ? 2 : 0;
  std::size_t const d_type = tail + (name.last(tail + 2) == "satfinite" ? 3 : 2);
  return {row.name,
          instruction,
          shape_of(name.modifiers[3]),
          name.last(d_type),
          name.last(tail + 1),
          name.last(tail),
          registers_in(row.signature, 0),
          marked,
          name.has("and")};
}

matrix random_rows(generator& random, unsigned rows, unsigned k, std::string const& type) {
  matrix made(rows, std::vector<std::int64_t>(k));
  for (auto& row : made)
    for (auto& number : row) number = number_of(random(), type);
  return made;
}

/// Writes K-major rows of 32 bytes without swizzle: 8 rows of 16 bytes, the second half of k 128
/// bytes further, the next 8 rows 256 bytes further.
void write(std::vector<std::uint32_t>& image, unsigned begin, matrix const& values,
           std::string const& type) {
  for (unsigned i = 0; i < values.size(); ++i)
    for (unsigned k = 0; k < values[i].size(); ++k) {
      unsigned const bit = k * element_width(type);
      unsigned const byte = begin + i / 8 * 256 + bit / 128 * 128 + i % 8 * 16 + bit % 128 / 8;
      image[byte / 4] |=
          static_cast<std::uint32_t>(bits_of(values[i][k], type) << (byte % 4 * 8 + bit % 8));
    }
}

std::string copy_to_shared(std::size_t words) {
  return filled(R"(
  mov.u32 %x, dynamic;
  mov.u32 %y, %i;
L:
  mul.wide.u32 %s, %y, 4;
  add.u64 %s, %in, %s;
  ld.global.u32 %z, [%s];
  mad.lo.u32 %a0, %y, 4, %x;
  st.shared.u32 [%a0], %z;
  add.u32 %y, %y, 128;
  setp.lt.u32 %p, %y, $WORDS;
  @%p bra L;
  fence.proxy.async.shared::cta;
  bar.sync 0;
)",
                {{"$WORDS", words}});
}

/// Computes the descriptor of the matrix at byte `begin`: a leading byte offset of 128, a stride
/// byte offset of 256.
std::string descriptor(char const* to, unsigned begin) {
  constexpr std::uint64_t offsets = std::uint64_t{128 / 16} << 16 | std::uint64_t{256 / 16} << 32;
  return filled(R"(
  add.u32 %y, %x, $BEGIN;
  shr.u32 %y, %y, 4;
  cvt.u64.u32 $TO, %y;
  or.b64 $TO, $TO, $OFFSETS;
)",
                {{"$BEGIN", begin}, {"$TO", to}, {"$OFFSETS", offsets}});
}

/// Loads A from shared memory. Register r has row 16 warp + 8 (r % 2) + lane / 4, and four of the
/// row's 32 bytes from byte 16 (r / 2) + 4 (lane % 4) on.
std::string const load_a = R"(
  shr.u32 %y, %i, 5;
  and.b32 %z, %i, 31;
  shr.u32 %a1, %z, 2;
  and.b32 %a2, %z, 3;
  mad.lo.u32 %a0, %y, 512, %x;
  mad.lo.u32 %a0, %a1, 16, %a0;
  mad.lo.u32 %y, %a2, 4, %a0;
  ld.shared.u32 %a0, [%y];
  ld.shared.u32 %a1, [%y+256];
  ld.shared.u32 %a2, [%y+128];
  ld.shared.u32 %a3, [%y+384];
)";

/// The factors of A and B, 1 and 1, and which operands in shared memory are transposed: none.
std::string immediates(product const& of) {
  std::string const factors = of.d_type == "s32" ? "" : ", 1, 1";
  if (of.a_type != "f16" && of.a_type != "bf16") return factors;
  return factors + (of.a_in_registers ? ", 0" : ", 0, 0");
}

/// Computes D = A B, then D += A B: %p is the operand scale-d.
std::string two_products(product const& of) {
  return filled(R"(
  setp.ne.u32 %p, %x, %x;
  wgmma.fence.sync.aligned;
  $PRODUCT
  setp.eq.u32 %p, %x, %x;
  $PRODUCT
  setp.eq.u32 %p, %x, %x;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
)",
                {{"$PRODUCT", say(of.instruction, " ", braces("%d", of.registers), ", ",
                                  of.a_in_registers ? braces("%a", 4) : "%da", ", %db, %p",
                                  immediates(of), ";")}});
}

std::string kernel_of(product const& of, std::size_t words) {
  std::string body = copy_to_shared(words);
  body += descriptor("%da", 0) + descriptor("%db", image_of_b);
  if (of.a_in_registers) body += load_a;
  for (unsigned r = 0; r < of.registers; ++r) body += say("mov.b32 %d", r, ", 0;\n");
  body += two_products(of);
  for (unsigned r = 0; r < of.registers; ++r)
    body += say("st.global.b32 [%out+", 4 * r, "], %d", r, ";\n");
  return frame(say(".reg .b64 %da, %db;\n.reg .b32 %d<", of.registers, ">, %a<4>, %y, %z;\n"),
               body);
}

std::int64_t sum_at(product const& of, matrix const& a, matrix const& b, unsigned row,
                    unsigned column) {
  std::int64_t sum = 0;
  for (unsigned k = 0; k < of.size.k; ++k)
    sum += of.bitwise ? (a[row][k] & b[column][k]) : a[row][k] * b[column][k];
  return sum;
}

verdict compare(product const& of, matrix const& a, matrix const& b,
                std::vector<std::uint32_t> const& out) {
  unsigned const per = elements_of_a_register(of.d_type), width = element_width(of.d_type);
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned element = 0; element < of.registers * per; ++element) {
      unsigned const warp = thread / 32, lane = thread % 32;
      unsigned const row = 16 * warp + lane / 4 + element / 2 % 2 * 8;
      unsigned const column = element / 4 * 8 + lane % 4 * 2 + element % 2;
      std::int64_t const twice = 2 * sum_at(of, a, b, row, column);
      std::uint32_t const bits = out[thread * out_words + element / per];
      std::uint64_t const got = cut(bits >> (element % per * width), width);
      if (got != bits_of(twice, of.d_type))
        return say(of.row, " gives ", machine::hexadecimal(got), " in row ", row, ", column ",
                   column, ", twice the sum is ", twice);
    }
  return {};
}

}  // namespace

verdict test_wgmma(machine::table_row const& row) {
  product const of = product_of(row);
  generator random;
  matrix const a = random_rows(random, rows_of_a, of.size.k, of.a_type);
  matrix const b = random_rows(random, of.size.n, of.size.k, of.b_type);
  std::vector<std::uint32_t> image((rows_of_a + of.size.n) * bytes_of_a_row / 4, 0);
  write(image, 0, a, of.a_type);
  write(image, image_of_b, b, of.b_type);
  auto const shared = static_cast<unsigned>(image.size() * 4);
  return compare(of, a, b, run(kernel_of(of, image.size()), image, 128, shared));
}

}  // namespace machine_rows
