// Lines by banks: what each 4-byte word of shared memory holds.
#pragma once

#include "picture.hpp"

namespace draw {

/// l, on m alone, as elements of so many bits: 1 to 128, a power of two.
view bank_view(subject const& of, int bits, color_scale& scale);

}  // namespace draw
