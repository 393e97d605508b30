// Tests mma.sync: each row in its own kernel of one warp, compared with the sum over k of small
// numbers, which is exact in every type. Positions are from the figures of the ISA. With v elements
// in a register, g = lane / 4, q = lane % 4:
//
//     A: row g + 8 (r % 2), k = 4 v (r / 2) + v q + e      B: column g, k = 4 v r + v q + e
//     D: row g + 8 (r / 2), column 2 q + r % 2
#include <map>

#include "rows/matrices.hpp"

namespace machine_rows {
namespace {

using namespace matrices;

struct position {
  unsigned row = 0, column = 0;
  auto operator<=>(position const&) const = default;
};

using matrix = std::map<position, std::int64_t>;

/// Element e of register r in a lane. The register has `per` elements.
struct element {
  unsigned r, lane, e, per;
};

struct operand {
  std::string type;
  unsigned registers;  // in each lane
  unsigned per() const { return elements_of_a_register(type); }
};

struct product {
  std::string instruction;
  name_parts name;
  shape size;
  operand d, a, b, c;

  bool wide() const { return a.type == "f64"; }  // registers of 64 bits
  unsigned words() const { return wide() ? 2 : 1; }
  std::string register_type() const { return wide() ? ".b64" : ".b32"; }

  // m8n8k4.f16 has fragments of its own, so all elements of an operand are equal in its test.
  bool equal_elements() const {
    return size.m == 8 && size.n == 8 && size.k == 4 && a.type == "f16";
  }
};

product product_of(machine::table_row const& row) {
  auto const name = split(row.name);
  std::size_t const tail = name.has("popc") ? 2 : 0;
  auto const operand_of = [&](std::size_t which, std::size_t type_from_the_end) {
    return operand{name.last(tail + type_from_the_end), registers_in(row.signature, which)};
  };
  return {row.name,
          name,
          shape_of(name.modifiers[2]),
          operand_of(0, 3),
          operand_of(1, 2),
          operand_of(2, 1),
          operand_of(3, 0)};
}

position position_in_a(product const& of, element const& at) {
  if (of.equal_elements()) return {};
  unsigned const row_groups = of.size.m / 8;
  return {at.lane / 4 + 8 * (at.r % row_groups),
          at.per * (4 * (at.r / row_groups) + at.lane % 4) + at.e};
}

position position_in_b(product const& of, element const& at) {
  if (of.equal_elements()) return {};
  return {at.per * (4 * at.r + at.lane % 4) + at.e, at.lane / 4};
}

/// The position in C and in D.
position position_in_d(product const& of, element const& at) {
  if (of.equal_elements()) return {};
  unsigned const pair = at.per == 2 ? at.r : at.r / 2, member = at.per == 2 ? at.e : at.r % 2;
  return {at.lane / 4 + 8 * pair, 2 * (at.lane % 4) + member};
}

struct matrix_set {
  matrix a, b, c;
};

matrix_set random_matrices(product const& of) {
  generator random;
  matrix_set made;
  auto const [m, n, k] = of.size;
  bool const equal = of.equal_elements();
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < k; ++j) made.a[{i, j}] = equal ? 2 : number_of(random(), of.a.type);
  for (unsigned i = 0; i < k; ++i)
    for (unsigned j = 0; j < n; ++j) made.b[{i, j}] = equal ? -3 : number_of(random(), of.b.type);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j)
      made.c[{i, j}] = equal ? 5 : static_cast<std::int64_t>(random() % 9) - 4;
  return made;
}

/// Appends the registers of an operand: register by register, each with its 32 lanes.
void append(std::vector<std::uint32_t>& to, product const& of, operand const& what,
            position (*position_of)(product const&, element const&), matrix const& values) {
  unsigned const per = what.per(), width = element_width(what.type);
  for (unsigned r = 0; r < what.registers; ++r)
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint64_t bits = 0;
      for (unsigned e = 0; e < per; ++e)
        bits |= bits_of(values.at(position_of(of, {r, lane, e, per})), what.type) << (e * width);
      for (unsigned word = 0; word < of.words(); ++word)
        to.push_back(static_cast<std::uint32_t>(bits >> (32 * word)));
    }
}

std::vector<std::uint32_t> in_memory(product const& of, matrix_set const& values) {
  std::vector<std::uint32_t> in;
  append(in, of, of.a, position_in_a, values.a);
  append(in, of, of.b, position_in_b, values.b);
  append(in, of, of.c, position_in_d, values.c);
  return in;
}

std::string loads(product const& of) {
  std::string text;
  unsigned offset = 0;
  auto const load = [&](char letter, unsigned registers) {
    for (unsigned r = 0; r < registers; ++r, offset += 32 * 4 * of.words())
      text += say("ld.global", of.register_type(), " %", letter, r, ", [%in+", offset, "];\n");
  };
  load('a', of.a.registers);
  load('b', of.b.registers);
  load('c', of.c.registers);
  return text;
}

std::string kernel_of(product const& of) {
  std::string const declarations =
      filled(".reg $TYPE %d<$D>, %a<$A>, %b<$B>, %c<$C>;\n", {{"$TYPE", of.register_type()},
                                                              {"$D", of.d.registers},
                                                              {"$A", of.a.registers},
                                                              {"$B", of.b.registers},
                                                              {"$C", of.c.registers}});
  std::string body = say("mul.wide.u32 %s, %i, ", 4 * of.words(), ";\nadd.u64 %in, %in, %s;\n");
  body += loads(of);
  body += say(of.instruction, " ", braces("%d", of.d.registers), ", ", braces("%a", of.a.registers),
              ", ", braces("%b", of.b.registers), ", ", braces("%c", of.c.registers), ";\n");
  for (unsigned r = 0; r < of.d.registers; ++r)
    body += say("st.global", of.register_type(), " [%out+", 8 * r, "], %d", r, ";\n");
  return frame(declarations, body);
}

std::int64_t sum_at(product const& of, matrix_set const& values, position at) {
  std::int64_t sum = values.c.at(at);
  for (unsigned k = 0; k < of.size.k; ++k) {
    auto const a = values.a.at({at.row, k}), b = values.b.at({k, at.column});
    sum += of.name.has("xor") ? (a ^ b) : of.name.has("and") ? (a & b) : a * b;
  }
  return sum;
}

/// Each register of D has 64 bits in memory.
std::uint64_t element_of(std::vector<std::uint32_t> const& out, product const& of,
                         element const& at) {
  std::size_t const word = at.lane * out_words + 2 * at.r;
  std::uint64_t const high = of.wide() ? out[word + 1] : 0, bits = high << 32 | out[word];
  unsigned const width = element_width(of.d.type);
  return cut(static_cast<s128>(bits >> (at.e * width)), width);
}

verdict compare(product const& of, matrix_set const& values,
                std::vector<std::uint32_t> const& out) {
  unsigned const per = of.d.per();
  for (unsigned r = 0; r < of.d.registers; ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < per; ++e) {
        element const at{r, lane, e, per};
        position const in_d = position_in_d(of, at);
        std::int64_t const sum = sum_at(of, values, in_d);
        std::uint64_t const got = element_of(out, of, at);
        if (got != bits_of(sum, of.d.type))
          return say(of.instruction, " gives ", machine::hexadecimal(got), " in row ", in_d.row,
                     ", column ", in_d.column, ", the sum is ", sum, " (lane ", lane, ", register ",
                     r, ")");
      }
  return {};
}

}  // namespace

verdict test_mma(machine::table_row const& row) {
  product const of = product_of(row);
  matrix_set const values = random_matrices(of);
  return compare(of, values, run(kernel_of(of), in_memory(of, values), 32));
}

}  // namespace machine_rows
