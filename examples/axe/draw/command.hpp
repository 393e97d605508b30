// `axe draw LAYOUT --shape 8,16 -o tile.svg`: the command and the pictures behind it.
//
//     return draw::command({"S[(8,4):(4@lane,1@lane)]", "--shape", "8,4"}, std::cout, std::cerr);
//
// Exit codes: 0; 1 if the file could not be written; 2 after bad input. A mistake is one sentence
// on `err`, and neither a file nor standard output is written.
#pragma once

#include <axe/axe.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace draw {

/// Reads LAYOUT with the axes of --axis. `tensor`: the words of --shape. Throws a sentence.
using layout_reader = std::function<axe::layout(
    std::string const& text, std::vector<std::string> const& declared, std::string const& tensor)>;

/// Reads the notation. `declared`: axes beside the built-in ones, `mesh_x:device`. Throws
/// wrong_usage.
axe::layout read_layout(std::string const& text, std::vector<std::string> const& declared = {},
                        std::string const& tensor = "");

/// Runs `axe draw` on the words behind `draw`. The program passes its calculator as `read`.
int command(std::vector<std::string> const& arguments, std::ostream& out, std::ostream& err,
            layout_reader const& read = read_layout);

/// Writes a picture to a file, or to `out` for `-`. Returns the exit code: 1 if it was not written.
int write_svg(std::string const& file, std::string const& svg, std::ostream& out,
              std::ostream& err);

/// What `axe draw --help` prints.
char const* usage();

}  // namespace draw
