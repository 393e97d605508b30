// The types of tensors that the kernels of sizes.cu and their test share.
#pragma once

#include "kernels.hpp"

namespace views {

/// Images as matrices: a row is an image, and a column is one channel of one of its dynamic(2)
/// pixels. `Pixel` is the distance of two adjacent pixels, and `Offset` is the place of the first
/// element. In channels_last the channels of a pixel are contiguous. In channels_first the pixels
/// of a channel are contiguous.
template <axe::leaf Channels, axe::leaf Pixel, axe::leaf Offset>
using channels_last = axe::dynamic_layout_from<
    Offset,
    axe::dimension<axe::digit<axe::dynamic(0).below(1 << 10), axe::dynamic(1).multiple_of(4)>>,
    axe::dimension<axe::digit<axe::dynamic(2).below(1 << 20), Pixel>, axe::digit<Channels, 1>>>;
template <axe::leaf Channels>
using channels_first =
    axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0).below(1 << 10), axe::dynamic(1)>>,
                        axe::dimension<axe::digit<axe::dynamic(2).below(1 << 20), 1>,
                                       axe::digit<Channels, axe::dynamic(2)>>>;

/// any_last has any number of channels, and divides 32-bit numbers for each element. fours_last has
/// a multiple of four channels, and divides 31-bit numbers.
using any_last = channels_last<axe::dynamic(3), axe::dynamic(4), axe::dynamic(5)>;
using any_first = channels_first<axe::dynamic(3)>;
using fours_last = channels_last<axe::dynamic(3).multiple_of(4).below(1 << 11),
                                 axe::dynamic(4).multiple_of(4), axe::dynamic(5).multiple_of(4)>;
using by_threads = axe::carrier<"S[(64,4):(1@tid,1@reg)]"_axe>;

}  // namespace views
