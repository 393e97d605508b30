// The types of tensors that the kernels of sizes.cu and their test share.
#pragma once

#include "kernels.hpp"

#include <axe/cuda/sub_byte.hpp>

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
/// a multiple of four channels, and divides 31-bit numbers for each vector.
using any_last = channels_last<axe::dynamic(3), axe::dynamic(4), axe::dynamic(5)>;
using any_first = channels_first<axe::dynamic(3)>;
using fours_last = channels_last<axe::dynamic(3).multiple_of(4).below(1 << 11),
                                 axe::dynamic(4).multiple_of(4), axe::dynamic(5).multiple_of(4)>;
using by_threads = axe::carrier<"S[(64,4):(1@tid,1@reg)]"_axe>;

/// Elements of 4 bits: rows of whole 32-bit words with pitches that are multiples of 16 bytes, and
/// a swizzled tile of 32 words in each row in shared memory.
using nibble_matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 16),
                                          axe::dynamic(1).multiple_of(8).below(1 << 20),
                                          axe::dynamic(2).multiple_of(32).below(1 << 20)>;
using nibble_input = axe::sub_byte_tensor<4, unsigned const, nibble_matrix, axe::aligned<16>>;
using nibble_output = axe::sub_byte_tensor<4, unsigned, nibble_matrix, axe::aligned<16>>;
using nibble_tile = axe::carrier<"swizzle(5,3,3) o S[(8,256):(256,1)]"_axe>;
using words_by_fours = axe::carrier<"S[(8,8,4):(8@tid,1@tid,1@reg)]"_axe>;

}  // namespace views
