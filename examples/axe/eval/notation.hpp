// A layout as other libraries write it.
//
//     std::string out;
//     axe::refusal why = print_as(out, l, {4, 8}, "cute");        "(8,4):(1,8)"
#pragma once

#include <axe/axe.hpp>

#include <string>
#include <string_view>

namespace calculator {

inline constexpr char const* notations[] = {"axe", "cute", "tirx", "triton"};

/// The shape of a layout without another one: its dimensions if it is grouped, else (size).
axe::shape dimensions_of(axe::layout const& l);

/// `name` is one of `notations`. Triton's needs the shape.
axe::refusal print_as(std::string& out, axe::layout const& l, axe::shape const& s,
                      std::string_view name);

}  // namespace calculator
