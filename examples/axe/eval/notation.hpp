// Prints a layout in the notations of other libraries.
//
//     std::string out;
//     axe::refusal why = print_as(out, l, {4, 8}, "cute");        "(8,4):(1,8)"
#pragma once

#include <axe/axe.hpp>

#include <string>
#include <string_view>

namespace calculator {

inline constexpr char const* notations[] = {"axe", "cute", "tirx", "triton"};

/// The shape of a layout if none is given: one extent for each block if it is grouped, else (size).
axe::shape dimensions_of(axe::layout const& l);

/// `name` is one of `notations`. Only Triton's notation needs the shape.
axe::refusal print_as(std::string& out, axe::layout const& l, axe::shape const& s,
                      std::string_view name);

/// "the axis lane, which CuTe's notation leaves out"; empty if the notation has all axes.
std::string left_out(axe::layout const& l, std::string_view name);

}  // namespace calculator
