// f64 arithmetic in all rounding modes (PTX ISA, "Floating Point Instructions"): double.cpp sets
// and restores the host's rounding mode. single.hpp computes in a wider type; f64 has no wider one.
//
//     add(1.0, 0x1p-80, rounding::rp) = 1 + 2^-52
//
// Subnormals are kept. A NaN result is a quiet NaN; the ISA leaves its payload open.
#pragma once

#include <cmath>

#include "numerics/compare.hpp"
#include "numerics/rounding.hpp"

namespace machine::numerics {

double add(double a, double b, rounding mode);
double sub(double a, double b, rounding mode);
double mul(double a, double b, rounding mode);
double div(double a, double b, rounding mode);
double fma(double a, double b, double c, rounding mode);
double sqrt(double a, rounding mode);
double rcp(double a, rounding mode);

inline double neg(double a) { return -a; }
inline double abs(double a) { return std::fabs(a); }
inline double minimum(double a, double b) { return extreme(a, b, false, {}); }
inline double maximum(double a, double b) { return extreme(a, b, true, {}); }

/// Computes copysign.f64 d, a, b: the sign of a with the magnitude of b.
inline double copysign_of(double a, double b) { return std::copysign(b, a); }

}  // namespace machine::numerics
