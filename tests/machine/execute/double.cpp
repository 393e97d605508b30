// Implements f64 arithmetic (PTX ISA, "Floating Point Instructions"). Rounding to nearest even is
// inlined into the loop over lanes. Other modes call a function for each lane.
#include "numerics/double.hpp"

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/approximate.hpp"
#include "text/error.hpp"

namespace machine {
namespace {

using numerics::rounding;

template <rounding mode> void add_mode(opcode_table& table, char const* name) {
  std::string const with = std::string(".") + name + ".f64";
  table.lanes("add" + with, [](double a, double b) { return numerics::add(a, b, mode); });
  table.lanes("sub" + with, [](double a, double b) { return numerics::sub(a, b, mode); });
  table.lanes("mul" + with, [](double a, double b) { return numerics::mul(a, b, mode); });
  table.lanes("div" + with, [](double a, double b) { return numerics::div(a, b, mode); });
  table.lanes("rcp" + with, [](double a) { return numerics::rcp(a, mode); });
  table.lanes("sqrt" + with, [](double a) { return numerics::sqrt(a, mode); });
  for (char const* opcode : {"fma", "mad"})
    table.lanes(opcode + with,
                [](double a, double b, double c) { return numerics::fma(a, b, c, mode); });
}

}  // namespace

void add_double(opcode_table& table) {
  for (char const* with : {".f64", ".rn.f64"}) {
    std::string const tail = with;
    table.lanes("add" + tail, [](double a, double b) { return a + b; });
    table.lanes("sub" + tail, [](double a, double b) { return a - b; });
    table.lanes("mul" + tail, [](double a, double b) { return a * b; });
  }
  table.lanes("div.rn.f64", [](double a, double b) { return a / b; });
  table.lanes("rcp.rn.f64", [](double a) { return 1.0 / a; });
  table.lanes("sqrt.rn.f64", [](double a) { return std::sqrt(a); });
  for (char const* opcode : {"fma.rn.f64", "mad.rn.f64"})
    table.lanes(opcode, [](double a, double b, double c) { return std::fma(a, b, c); });
  add_mode<rounding::rz>(table, "rz");
  add_mode<rounding::rm>(table, "rm");
  add_mode<rounding::rp>(table, "rp");
  table.lanes("rcp.approx.ftz.f64", [](double a) { return numerics::rcp_approx_f64(a); });
  table.lanes("rsqrt.approx.f64", [](double a) { return numerics::rsqrt_approx_f64(a); });
  table.lanes("rsqrt.approx.ftz.f64", [](double a) { return numerics::rsqrt_approx_ftz_f64(a); });
  table.lanes("neg.f64", [](double a) { return numerics::neg(a); });
  table.lanes("abs.f64", [](double a) { return numerics::abs(a); });
  table.lanes("min.f64", [](double a, double b) { return numerics::minimum(a, b); });
  table.lanes("max.f64", [](double a, double b) { return numerics::maximum(a, b); });
  table.lanes("copysign.f64", [](double a, double b) { return numerics::copysign_of(a, b); });
}

}  // namespace machine
