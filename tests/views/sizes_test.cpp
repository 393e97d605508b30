// Runs the kernels of sizes.cu on the PTX machine (tests/machine). Checks every element, and that
// no access is out of bounds.
#include "sizes.hpp"
#include "stored.hpp"
#include "support/targets.hpp"

namespace {

using namespace views;
std::vector<char const*> const targets =
    axe_test::compiled_for({"sm_80", "sm_90a", "sm_90a_debug"});
constexpr float untouched = 55555;

template <class T> std::uint64_t put(machine::device& device, std::vector<T> const& all) {
  std::uint64_t const address = device.allocate(sizeof(T) * all.size());
  device.copy_in(address, all.data(), sizeof(T) * all.size());
  return address;
}
template <class T>
std::vector<T> get(machine::device& device, std::uint64_t address, std::size_t size) {
  std::vector<T> all(size);
  device.copy_out(all.data(), address, sizeof(T) * size);
  return all;
}
int blocks_of(int n) { return (n + 255) / 256; }

}  // namespace

TEST_CASE("any number of channels moves from the innermost to the outermost dimension") {
  for (char const* target : targets)
    for (auto const& [images, pixels, channels] :
         {std::tuple{2, 35, 7}, {1, 300, 1}, {3, 10, 48}, {1, 1, 100}, {2, 49, 3}}) {
      if (std::string(target) == "sm_90a_debug" && pixels * channels > 300) continue;
      int const pixel = channels + 2, image = 4 * ((pixels * pixel + 3) / 4), offset = 5;
      std::vector<float> in(static_cast<std::size_t>(offset + images * image), untouched);
      std::vector<float> expected(static_cast<std::size_t>(images * pixels * channels));
      for (int n = 0; n < images; ++n)
        for (int p = 0; p < pixels; ++p)
          for (int c = 0; c < channels; ++c) {
            float const value = static_cast<float>(n * 100000 + p * 200 + c);
            in[static_cast<std::size_t>(offset + n * image + p * pixel + c)] = value;
            expected[static_cast<std::size_t>((n * channels + c) * pixels + p)] = value;
          }
      machine::device device;
      machine::module program = machine::load(text_of("sizes", target), device);
      std::uint64_t const from = put(device, in);
      std::uint64_t const to = put(device, std::vector<float>(expected.size(), untouched));
      axe::tensor<float const, any_last> const source{
          reinterpret_cast<float const*>(from),
          any_last(images, image, pixels, channels, pixel, offset)};
      axe::tensor<float, any_first> const result{
          reinterpret_cast<float*>(to), any_first(images, pixels * channels, pixels, channels)};
      program.launch("to_channels_first", blocks(blocks_of(pixels * channels), images), {64}, {}, 0,
                     {source, result}, options_for(target));
      CAPTURE(target, images, pixels, channels);
      CHECK(get<float>(device, to, expected.size()) == expected);
    }
}

TEST_CASE("images with a dynamic multiple of four channels are copied") {
  for (char const* target : targets)
    for (auto const& [images, pixels, channels] :
         {std::tuple{2, 35, 12}, {1, 300, 4}, {3, 10, 48}, {1, 1, 100}}) {
      if (std::string(target) == "sm_90a_debug" && pixels * channels > 500) continue;
      int const pixel = channels + 4, image = pixels * pixel + 8, offset = 16;
      std::vector<float> in(static_cast<std::size_t>(offset + images * image));
      for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<float>(k);
      std::vector<float> expected(in.size(), untouched);
      for (int n = 0; n < images; ++n)
        for (int p = 0; p < pixels; ++p)
          for (int c = 0; c < channels; ++c) {
            std::size_t const at = static_cast<std::size_t>(offset + n * image + p * pixel + c);
            expected[at] = in[at];
          }
      machine::device device;
      machine::module program = machine::load(text_of("sizes", target), device);
      std::uint64_t const from = put(device, in);
      std::uint64_t const to = put(device, std::vector<float>(in.size(), untouched));
      fours_last const sizes(images, image, pixels, channels, pixel, offset);
      axe::tensor<float const, fours_last, axe::aligned<16>> const source{
          reinterpret_cast<float const*>(from), sizes};
      axe::tensor<float, fours_last, axe::aligned<16>> const result{reinterpret_cast<float*>(to),
                                                                    sizes};
      program.launch("copy_images", blocks(blocks_of(pixels * channels), images), {64}, {}, 0,
                     {source, result}, options_for(target));
      CAPTURE(target, images, pixels, channels);
      CHECK(get<float>(device, to, in.size()) == expected);
    }
}
