// Chooses the colours and the width of text pictures, as the terminal of `out` allows. If `out` is
// not a terminal, a picture has no colours, and its lines may be long.
#pragma once

#include <axe/draw/text_picture.hpp>

#include <iosfwd>

namespace draw {

axe::drawing::text_options picture_options(std::ostream const& out);

}  // namespace draw
