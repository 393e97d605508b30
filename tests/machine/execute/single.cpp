// Implements f32 arithmetic (PTX ISA, "Floating Point Instructions") with the functions of
// numerics/.
//
// The name of a row contains rounding, .ftz and .sat, as in add.rz.ftz.sat.f32. The rows add.f32
// and add.rn.f32 are the same operation.
#include "numerics/single.hpp"

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/approximate.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::rounding;

template <rounding mode, bool ftz, bool sat> struct option {
  static constexpr numerics::single_options how{mode, ftz, sat};
};

/// Computes with the processor's FMA if it has one, else exactly in double with one rounding.
template <rounding mode, bool ftz, bool sat> struct fused {
  float operator()(float a, float b, float c) const {
    return numerics::fma(a, b, c, option<mode, ftz, sat>::how);
  }
  struct in_hardware {
    float operator()(float a, float b, float c) const {
      constexpr auto how = option<mode, ftz, sat>::how;
      if constexpr (mode == rounding::rn)
        return numerics::detail::result(
            __builtin_fmaf(numerics::detail::operand(a, how), numerics::detail::operand(b, how),
                           numerics::detail::operand(c, how)),
            how);
      else
        return numerics::fma(a, b, c, how);
    }
  };
  using with_fma = in_hardware;
};

template <class How> void add_basic(opcode_table& table, std::string const& with) {
  table.lanes("add" + with, [](float a, float b) { return numerics::add(a, b, How::how); });
  table.lanes("sub" + with, [](float a, float b) { return numerics::sub(a, b, How::how); });
  table.lanes("mul" + with, [](float a, float b) { return numerics::mul(a, b, How::how); });
}

template <rounding mode, bool ftz, bool sat> void add_mode(opcode_table& table, char const* name) {
  using How = option<mode, ftz, sat>;
  std::string const tail = std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
  std::string const with = std::string(".") + name + tail;
  add_basic<How>(table, with);
  if constexpr (mode == rounding::rn) add_basic<How>(table, tail);
  for (char const* opcode : {"fma", "mad"}) table.lanes(opcode + with, fused<mode, ftz, sat>{});
  if constexpr (!sat) {
    table.lanes("div" + with, [](float a, float b) { return numerics::div(a, b, How::how); });
    table.lanes("rcp" + with, [](float a) { return numerics::rcp(a, How::how); });
    table.lanes("sqrt" + with, [](float a) { return numerics::sqrt(a, How::how); });
  }
}

template <rounding mode> void add_modes(opcode_table& table, char const* name) {
  add_mode<mode, false, false>(table, name);
  add_mode<mode, true, false>(table, name);
  add_mode<mode, false, true>(table, name);
  add_mode<mode, true, true>(table, name);
}

template <bool ftz> void add_approximate(opcode_table& table) {
  std::string const tail = ftz ? ".approx.ftz.f32" : ".approx.f32";
  table.lanes("rcp" + tail, [](float a) { return numerics::rcp_approx(a, ftz); });
  table.lanes("sqrt" + tail, [](float a) { return numerics::sqrt_approx(a, ftz); });
  table.lanes("rsqrt" + tail, [](float a) { return numerics::rsqrt_approx(a, ftz); });
  table.lanes("sin" + tail, [](float a) { return numerics::sin_approx(a, ftz); });
  table.lanes("cos" + tail, [](float a) { return numerics::cos_approx(a, ftz); });
  table.lanes("lg2" + tail, [](float a) { return numerics::lg2_approx(a, ftz); });
  table.lanes("ex2" + tail, [](float a) { return numerics::ex2_approx(a, ftz); });
  table.lanes("div" + tail, [](float a, float b) { return numerics::div_approx(a, b, ftz); });
  table.lanes(ftz ? "div.full.ftz.f32" : "div.full.f32",
              [](float a, float b) { return numerics::div_full(a, b, ftz); });
}

template <bool ftz, bool nan, bool xorsign> void add_extremes(opcode_table& table) {
  std::string const tail = std::string(ftz ? ".ftz" : "") + (nan ? ".NaN" : "") +
                           (xorsign ? ".xorsign.abs" : "") + ".f32";
  table.lanes("min" + tail,
              [](float a, float b) { return numerics::minimum(a, b, {ftz, nan, xorsign}); });
  table.lanes("max" + tail,
              [](float a, float b) { return numerics::maximum(a, b, {ftz, nan, xorsign}); });
}

}  // namespace

void add_single(opcode_table& table) {
  add_modes<rounding::rn>(table, "rn");
  add_modes<rounding::rz>(table, "rz");
  add_modes<rounding::rm>(table, "rm");
  add_modes<rounding::rp>(table, "rp");
  add_approximate<false>(table);
  add_approximate<true>(table);
  table.lanes("tanh.approx.f32", [](float a) { return numerics::tanh_approx(a); });
  table.lanes("neg.f32", [](float a) { return numerics::neg(a); });
  table.lanes("neg.ftz.f32", [](float a) { return numerics::neg(a, true); });
  table.lanes("abs.f32", [](float a) { return numerics::abs(a); });
  table.lanes("abs.ftz.f32", [](float a) { return numerics::abs(a, true); });
  table.lanes("copysign.f32", [](float a, float b) { return numerics::copysign_of(a, b); });
  add_extremes<false, false, false>(table);
  add_extremes<false, false, true>(table);
  add_extremes<false, true, false>(table);
  add_extremes<false, true, true>(table);
  add_extremes<true, false, false>(table);
  add_extremes<true, false, true>(table);
  add_extremes<true, true, false>(table);
  add_extremes<true, true, true>(table);
}

}  // namespace machine
