// Shared by the kernels of elements.cu and their test.
#pragma once

#include "kernels.hpp"

namespace views {

/// out(i, j) = in(i, j) + 1000 * i + j, by coordinates.
using rows_of_128 = axe::carrier<"S[(8,4,32):(1@reg,32@tid,1@tid)]"_axe>;

}  // namespace views
