// Converts images from NCHW to NHWC, for any number of pixels and channels. A block copies 256 or
// 64 pixels of every channel to shared memory, channel by channel. It then reads the same tile with
// the last two dimensions exchanged, pixel by pixel. Rows are padded so that the channels of a
// pixel lie in different banks.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using axe::digit;
using axe::dimension;
using axe::dynamic_layout;

/// The tensors (images, channels, pixels) and (images, pixels, channels). The numbers of images, of
/// pixels and of elements in an image are dynamic. row_major<3, C, 0> and row_major<3, C> describe
/// them too. On sm_90a the kernel then has as many instructions, but nvcc instantiates 3% more
/// templates.
inline constexpr axe::leaf images = axe::dynamic(0).below(1 << 16);
inline constexpr axe::leaf pixels = axe::dynamic(1).below(1 << 22);
inline constexpr axe::leaf image = axe::dynamic(2).below(1 << 30);
template <int C> struct tensors {
  using batch = dimension<digit<images, image>>;
  using nchw = dynamic_layout<batch, dimension<digit<C, pixels>>, dimension<digit<pixels, 1>>>;
  using nhwc = dynamic_layout<batch, dimension<digit<pixels, C>>, dimension<digit<C, 1>>>;
  using input = axe::tensor<float const, nchw>;
  using output = axe::tensor<float, nhwc>;
};

/// The pixels of a tile, and the pitch of its rows. A row is padded by ceil(32 / C) pixels: 32
/// lanes read the C channels of that many pixels at once.
template <int C> inline constexpr int tile = C <= 32 ? 256 : 64;
template <int C> inline constexpr int pitch = tile<C> + (31 + C) / C;
template <int C> using padded = axe::carrier<axe::S({1, C, tile<C>}, {0, pitch<C>, 1})>;

template <int C>
__global__ void __launch_bounds__(256)
    nchw_to_nhwc(typename tensors<C>::input in, typename tensors<C>::output out) {
  __shared__ axe::shared_tile<float, padded<C>, axe::extents<1, C, tile<C>>> staged;
  auto const [image, pixels] = axe::block<2>();
  axe::constant<0> const all{};
  axe::copy(axe::tile<1, C, tile<C>>(in, image, all, pixels), staged, axe::cta<256>);
  axe::sync(axe::cta<256>);
  axe::copy(axe::permuted<0, 2, 1>(staged), axe::tile<1, tile<C>, C>(out, image, pixels, all),
            axe::cta<256>);
}
