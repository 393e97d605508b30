// Compares images in NHWC with their NCHW originals: 3, 7, 48 or 100 channels and any number of
// pixels.
#include "kernel.cuh"

#include "support/bench.hpp"

namespace {

template <int C> void convert_images(example::problem& p) {
  auto const [image_count, pixel_count, channels] = p.size<3>();
  example::integer const n = image_count, hw = pixel_count;
  auto const in = p.normal<float>({n, C, hw});
  auto const out = p.poisoned<float>({n, hw, C});
  dim3 const grid = axe::grid_of<1, tile<C>>(n, hw);
  typename tensors<C>::input const from{in.data(), n, hw, C * hw};
  typename tensors<C>::output const to{out.data(), n, hw, C * hw};
  auto const launch = [&] {
    example::check(axe::launch(nchw_to_nhwc<C>, grid, axe::cta<256>, from, to));
  };
  launch();
  p.expect("out", out, [&](auto k) { return in[k / (hw * C) * hw * C + k % C * hw + k / C % hw]; });
  example::measure(p, std::to_string(C) + " channels",
                   {.bytes = 8.0 * C * static_cast<double>(n) * static_cast<double>(hw)}, launch);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"nchw_nhwc", {"images", "pixels", "channels"}, "2x49x7 3x196x48"},
      [](example::problem& p) {
        auto const [image_count, pixel_count, channels] = p.size<3>();
        p.require(channels == 3 || channels == 7 || channels == 48 || channels == 100,
                  "there must be 3, 7, 48 or 100 channels: each needs an instance of the kernel");
        if (channels == 3)
          convert_images<3>(p);
        else if (channels == 7)
          convert_images<7>(p);
        else if (channels == 48)
          convert_images<48>(p);
        else
          convert_images<100>(p);
      });
}
