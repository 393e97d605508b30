// Chooses colours and width of text pictures: those of the terminal. If the output is not a
// terminal, there are no colours and lines may be long.
#pragma once

#include <axe/draw/text_picture.hpp>

#include <iosfwd>

namespace draw {

axe::drawing::text_options picture_options(std::ostream const& out);

}  // namespace draw
