// The layout that the kernel of elements.cu and its test share. The kernel computes
// out(i, j) = in(i, j) + 1000 * i + j from the coordinates of elements.
#pragma once

#include "kernels.hpp"

namespace views {

using rows_of_128 = axe::carrier<"S[(8,4,32):(1@reg,32@tid,1@tid)]"_axe>;

}  // namespace views
