// Writes lines about digits and boundaries, with the functions that cut them in the library.
//
//     L  dimension 0, extent 2, boundary 8: cuts 16:1@m into 2:8@m and 8:1@m; digits 2:8@m
#pragma once

#include "explain/correspondence.hpp"

#include <axe/engine/digits.hpp>
#include <axe/engine/interleave.hpp>

namespace explain {

using digits = axe::detail::iter_list;

std::string digit_text(axe::iter const& i);
/// The digits as text, such as `2:8@m, 8:1@m`, or `no digit`.
std::string digits_text(digits const& all);

/// How a boundary cuts the digits. `below` is the number of elements after the boundary.
std::string boundary_text(axe::detail::digit_boundaries const& of, integer below);

/// Writes one line for each dimension.
void write_dimensions(std::string& out, std::string const& name, axe::layout const& l,
                      extents const& shape);

/// Writes the digits of CuTe's operations. It writes nothing for other operations.
void derive_cute(std::string& out, arguments const& given);
/// Writes the digits of the operations of docs/algebra.md.
void derive_axe(std::string& out, arguments const& given);
/// Writes the arithmetic of measures, equality and costs.
void derive_numbers(std::string& out, arguments const& given);

}  // namespace explain
