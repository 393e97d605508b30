// The command `axe draw LAYOUT --shape 8,16 -o tile.svg`.
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

/// Reads LAYOUT with the axes of --axis. `tensor` is the text of --shape. Throws an exception whose
/// text is a sentence.
using layout_reader = std::function<axe::layout(
    std::string const& text, std::vector<std::string> const& declared, std::string const& tensor)>;

/// Reads a layout in axe's notation. `declared` has further axes, such as `mesh_x:device`. Throws
/// wrong_usage.
axe::layout read_layout(std::string const& text, std::vector<std::string> const& declared = {},
                        std::string const& tensor = "");

/// Runs `axe draw`. `arguments` are the words after `draw`. The program passes its calculator as
/// `read`.
int command(std::vector<std::string> const& arguments, std::ostream& out, std::ostream& err,
            layout_reader const& read = read_layout);

/// Writes a picture to a file, or to `out` for `-`. Returns the exit code, 1 if writing failed.
int write_svg(std::string const& file, std::string const& svg, std::ostream& out,
              std::ostream& err);

/// Returns the text of `axe draw --help`.
char const* usage();

}  // namespace draw
