// Shared memory in lines of 32 banks: the elements of each 4-byte word.
#pragma once

#include "picture.hpp"

namespace draw {

/// `l` is on m alone. `bits` is a power of two from 1 to 128.
view bank_view(subject const& of, int bits, color_scale& scale);

}  // namespace draw
