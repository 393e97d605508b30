// Implements cvt of packed narrow numbers (PTX ISA, "cvt", forms with x2), cvt to tf32, and
// cvt.pack.
//
//     cvt.rn.satfinite.e4m3x2.f32 d, a, b     a in the upper byte        cvt.rn.f16x2.e4m3x2 d, a
//     cvt.pack.sat.u8.s32.b32 d, a, b, c      d = c << 16 | sat(a) << 8 | sat(b)
#include <algorithm>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/convert.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::format;
using numerics::rounding;
using h = std::uint16_t;
using u = std::uint32_t;

template <format F, rounding mode, bool satfinite, bool relu>
void add_halves(opcode_table& table, char const* name, char const* type) {
  std::string const with =
      std::string(name) + (satfinite ? ".satfinite" : "") + (relu ? ".relu" : "");
  table.lanes("cvt" + with + "." + type + "x2.f32", [](float a, float b) -> u {
    return numerics::pack2<F>(static_cast<double>(a), static_cast<double>(b), mode,
                              {satfinite, relu});
  });
  if constexpr (satfinite)
    table.lanes("cvt" + with + "." + type + ".f32", [](float a) -> h {
      return static_cast<h>(numerics::encode<F>(static_cast<double>(a), mode, {satfinite, relu}));
    });
}

template <format F, bool relu> void add_eight(opcode_table& table, char const* type) {
  std::string const with =
      std::string("cvt.rn.satfinite") + (relu ? ".relu" : "") + "." + type + "x2.";
  table.lanes(with + "f32", [](float a, float b) -> h {
    return static_cast<h>(numerics::pack2<F>(static_cast<double>(a), static_cast<double>(b),
                                             rounding::rn, {true, relu}));
  });
  table.lanes(with + "f16x2", [](u a) -> h {
    return static_cast<h>(numerics::convert2<F, numerics::f16>(a, rounding::rn, {true, relu}));
  });
  table.lanes(std::string("cvt.rn") + (relu ? ".relu" : "") + ".f16x2." + type + "x2",
              [](h a) -> u {
                return numerics::convert2<numerics::f16, F>(a, rounding::rn, {false, relu});
              });
}

template <rounding mode, bool satfinite, bool relu>
void add_tf32(opcode_table& table, char const* name) {
  table.lanes(std::string("cvt") + name + (satfinite ? ".satfinite" : "") + (relu ? ".relu" : "") +
                  ".tf32.f32",
              [](float a) -> u { return numerics::float_to_tf32(a, mode, {satfinite, relu}); });
}

template <int bits, bool is_signed> constexpr u narrowed(std::int32_t value) {
  constexpr std::int64_t low = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  constexpr std::int64_t high =
      is_signed ? (std::int64_t{1} << (bits - 1)) - 1 : (std::int64_t{1} << bits) - 1;
  return static_cast<u>(std::clamp<std::int64_t>(value, low, high)) & ((1u << bits) - 1u);
}

template <int bits, bool is_signed> void add_pack(opcode_table& table, char const* type) {
  if constexpr (bits == 16)
    table.lanes(say("cvt.pack.sat.", type, ".s32"), [](std::int32_t a, std::int32_t b) -> u {
      return narrowed<16, is_signed>(a) << 16 | narrowed<16, is_signed>(b);
    });
  else
    table.lanes(say("cvt.pack.sat.", type, ".s32.b32"),
                [](std::int32_t a, std::int32_t b, u c) -> u {
                  return c << (2 * bits) | narrowed<bits, is_signed>(a) << bits |
                         narrowed<bits, is_signed>(b);
                });
}

}  // namespace

void add_convert_packed(opcode_table& table) {
  using numerics::bf16;
  using numerics::f16;
  add_halves<f16, rounding::rn, false, false>(table, ".rn", "f16");
  add_halves<f16, rounding::rz, false, false>(table, ".rz", "f16");
  add_halves<f16, rounding::rn, false, true>(table, ".rn", "f16");
  add_halves<f16, rounding::rz, false, true>(table, ".rz", "f16");
  add_halves<f16, rounding::rn, true, false>(table, ".rn", "f16");
  add_halves<f16, rounding::rn, true, true>(table, ".rn", "f16");
  add_halves<f16, rounding::rz, true, false>(table, ".rz", "f16");
  add_halves<f16, rounding::rz, true, true>(table, ".rz", "f16");
  add_halves<bf16, rounding::rn, false, false>(table, ".rn", "bf16");
  add_halves<bf16, rounding::rz, false, false>(table, ".rz", "bf16");
  add_halves<bf16, rounding::rn, false, true>(table, ".rn", "bf16");
  add_halves<bf16, rounding::rz, false, true>(table, ".rz", "bf16");
  add_halves<bf16, rounding::rn, true, false>(table, ".rn", "bf16");
  add_halves<bf16, rounding::rn, true, true>(table, ".rn", "bf16");
  add_halves<bf16, rounding::rz, true, false>(table, ".rz", "bf16");
  add_halves<bf16, rounding::rz, true, true>(table, ".rz", "bf16");
  add_eight<numerics::e4m3, false>(table, "e4m3");
  add_eight<numerics::e4m3, true>(table, "e4m3");
  add_eight<numerics::e5m2, false>(table, "e5m2");
  add_eight<numerics::e5m2, true>(table, "e5m2");
  add_tf32<rounding::rna, false, false>(table, ".rna");
  add_tf32<rounding::rna, true, false>(table, ".rna");
  add_tf32<rounding::rn, false, false>(table, ".rn");
  add_tf32<rounding::rn, false, true>(table, ".rn");
  add_tf32<rounding::rz, false, false>(table, ".rz");
  add_tf32<rounding::rz, false, true>(table, ".rz");
  add_pack<16, false>(table, "u16");
  add_pack<16, true>(table, "s16");
  add_pack<8, false>(table, "u8");
  add_pack<8, true>(table, "s8");
  add_pack<4, false>(table, "u4");
  add_pack<4, true>(table, "s4");
  add_pack<2, false>(table, "u2");
  add_pack<2, true>(table, "s2");
}

}  // namespace machine
