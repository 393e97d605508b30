// Implements f16, bf16 and their packed pairs (PTX ISA, "Half Precision Floating Point
// Instructions").
//
//     fma.rn.relu.bf16x2 d, a, b, c     for each half: max(0, a * b + c) with one rounding
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/narrow.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using h = std::uint16_t;
using u = std::uint32_t;
using numerics::arithmetic_options;
using numerics::each_half;
using numerics::format;

template <format F> constexpr char const* name_of() {
  return F.mantissa_bits == 10 ? "f16" : "bf16";
}

/// Adds the scalar and the packed form of one operation.
template <format F, class Operation>
void add_unary(opcode_table& table, std::string const& name, Operation) {
  table.lanes(name + "." + name_of<F>(), [](h a) -> h { return Operation{}(a); });
  table.lanes(name + "." + name_of<F>() + "x2", [](u a) -> u { return each_half(Operation{}, a); });
}
template <format F, class Operation>
void add_binary(opcode_table& table, std::string const& name, Operation) {
  table.lanes(name + "." + name_of<F>(), [](h a, h b) -> h { return Operation{}(a, b); });
  table.lanes(name + "." + name_of<F>() + "x2",
              [](u a, u b) -> u { return each_half(Operation{}, a, b); });
}
template <format F, class Operation>
void add_ternary(opcode_table& table, std::string const& name, Operation) {
  table.lanes(name + "." + name_of<F>(), [](h a, h b, h c) -> h { return Operation{}(a, b, c); });
  table.lanes(name + "." + name_of<F>() + "x2",
              [](u a, u b, u c) -> u { return each_half(Operation{}, a, b, c); });
}

template <format F, bool ftz, bool sat> void add_arithmetic(opcode_table& table) {
  std::string const tail = std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "");
  for (char const* mode : {"", ".rn"}) {
    add_binary<F>(table, std::string("add") + mode + tail,
                  [](h a, h b) { return numerics::add<F>(a, b, {ftz, sat, false}); });
    add_binary<F>(table, std::string("sub") + mode + tail,
                  [](h a, h b) { return numerics::sub<F>(a, b, {ftz, sat, false}); });
    add_binary<F>(table, std::string("mul") + mode + tail,
                  [](h a, h b) { return numerics::mul<F>(a, b, {ftz, sat, false}); });
  }
  add_ternary<F>(table, "fma.rn" + tail,
                 [](h a, h b, h c) { return numerics::fma<F>(a, b, c, {ftz, sat, false}); });
}

template <format F, bool ftz> void add_relu(opcode_table& table) {
  add_ternary<F>(table, ftz ? "fma.rn.ftz.relu" : "fma.rn.relu",
                 [](h a, h b, h c) { return numerics::fma<F>(a, b, c, {ftz, false, true}); });
}

template <format F, bool ftz, bool nan, bool xorsign> void add_extremes(opcode_table& table) {
  std::string const tail =
      std::string(ftz ? ".ftz" : "") + (nan ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "");
  add_binary<F>(table, "min" + tail,
                [](h a, h b) { return numerics::minimum<F>(a, b, {ftz, nan, xorsign}); });
  add_binary<F>(table, "max" + tail,
                [](h a, h b) { return numerics::maximum<F>(a, b, {ftz, nan, xorsign}); });
}

template <format F> void add_signs(opcode_table& table) {
  add_unary<F>(table, "neg", [](h a) { return numerics::neg<F>(a); });
  add_unary<F>(table, "abs", [](h a) { return numerics::abs<F>(a); });
  add_unary<F>(table, "tanh.approx", [](h a) { return numerics::tanh_approx<F>(a); });
  add_extremes<F, false, false, false>(table);
  add_extremes<F, false, false, true>(table);
  add_extremes<F, false, true, false>(table);
  add_extremes<F, false, true, true>(table);
}

}  // namespace

void add_half(opcode_table& table) {
  using numerics::bf16;
  using numerics::f16;
  add_arithmetic<f16, false, false>(table);
  add_arithmetic<f16, true, false>(table);
  add_arithmetic<f16, false, true>(table);
  add_arithmetic<f16, true, true>(table);
  add_arithmetic<bf16, false, false>(table);
  add_relu<f16, false>(table);
  add_relu<f16, true>(table);
  add_relu<bf16, false>(table);
  add_signs<f16>(table);
  add_signs<bf16>(table);
  add_unary<f16>(table, "neg.ftz", [](h a) { return numerics::neg<f16>(a, true); });
  add_unary<f16>(table, "abs.ftz", [](h a) { return numerics::abs<f16>(a, true); });
  add_unary<f16>(table, "ex2.approx", [](h a) { return numerics::exp2_approx<f16>(a); });
  add_unary<bf16>(table, "ex2.approx.ftz",
                  [](h a) { return numerics::exp2_approx<bf16>(a, true); });
  add_extremes<f16, true, false, false>(table);
  add_extremes<f16, true, false, true>(table);
  add_extremes<f16, true, true, false>(table);
  add_extremes<f16, true, true, true>(table);
}

}  // namespace machine
