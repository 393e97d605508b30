// Computes f64 arithmetic under the host's rounding mode. -frounding-math and an empty assembly
// statement around each operand keep the compiler from moving operations across the mode changes.
#include "numerics/double.hpp"

#include <cfenv>

namespace machine::numerics {
namespace {

int host_mode(rounding mode) {
  switch (mode) {
    case rounding::rz: return FE_TOWARDZERO;
    case rounding::rm: return FE_DOWNWARD;
    case rounding::rp: return FE_UPWARD;
    default: return FE_TONEAREST;
  }
}

void pin(double& value) { asm volatile("" : "+m"(value) : : "memory"); }

template <class Operation> double under(rounding mode, Operation operation) {
  if (mode == rounding::rn) return operation();
  int const before = std::fegetround();
  std::fesetround(host_mode(mode));
  double result = operation();
  pin(result);
  std::fesetround(before);
  return result;
}

}  // namespace

double add(double a, double b, rounding mode) {
  return under(mode, [&] {
    pin(a), pin(b);
    return a + b;
  });
}
double sub(double a, double b, rounding mode) { return add(a, -b, mode); }
double mul(double a, double b, rounding mode) {
  return under(mode, [&] {
    pin(a), pin(b);
    return a * b;
  });
}
double div(double a, double b, rounding mode) {
  return under(mode, [&] {
    pin(a), pin(b);
    return a / b;
  });
}
double fma(double a, double b, double c, rounding mode) {
  return under(mode, [&] {
    pin(a), pin(b), pin(c);
    return std::fma(a, b, c);
  });
}
double sqrt(double a, rounding mode) {
  return under(mode, [&] {
    pin(a);
    return std::sqrt(a);
  });
}
double rcp(double a, rounding mode) { return div(1.0, a, mode); }

}  // namespace machine::numerics
