// Defines the layouts that the kernel of this folder uses: a 64x64 tile of 16-bit elements, plain
// and swizzled.
#pragma once

#include <axe/axe.hpp>

namespace demo {

using namespace axe::literals;

constexpr auto plain = "S[(64,64):(64,1)]"_axe;
constexpr auto swizzled = axe::compose(axe::swizzle_128B<16>, plain);

}  // namespace demo
