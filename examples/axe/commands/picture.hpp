// Colour and width of text pictures: those of the terminal, or no colour and a large width if the
// output is not a terminal.
#pragma once

#include <axe/draw/text_picture.hpp>

#include <iosfwd>

namespace program {

axe::drawing::text_options picture_options(std::ostream const& out);

}  // namespace program
