// `axe draw LAYOUT --shape 8,16 -o tile.svg`: the command and the pictures behind it.
//
//     return draw::command({"S[(8,4):(4@lane,1@lane)]", "--shape", "8,4"}, std::cout, std::cerr);
//
// Exit code 0, or 2 with one sentence on `err` and nothing written: not the file, not standard
// output.
#pragma once

#include <axe/axe.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace draw {

/// From the word LAYOUT and the words behind --axis to a layout; throws what is wrong as a
/// sentence.
using layout_reader = axe::layout (*)(std::string const& text,
                                      std::vector<std::string> const& declared);

/// The notation alone; `declared` are axes beside the built-in ones, `mesh_x:device`. Throws
/// wrong_usage with the refusal's sentence.
axe::layout read_layout(std::string const& text, std::vector<std::string> const& declared = {});

/// Runs `axe draw` on the words behind `draw`. The program reads LAYOUT by its calculator, which
/// the pictures do without.
int command(std::vector<std::string> const& arguments, std::ostream& out, std::ostream& err,
            layout_reader read = read_layout);

/// What `axe draw --help` prints.
char const* usage();

/// The elements at which two layouts differ as an SVG, for `axe diff A B --shape … -o x.svg`.
/// Refuses, by axe::refused, a shape that one of them does not admit.
std::string difference_svg(axe::layout const& a, axe::layout const& b, axe::shape const& s);

}  // namespace draw
