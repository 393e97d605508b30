// Tests coordinates of elements, and positions of threads and CTAs, on the PTX machine
// (tests/machine).
#include "kernels.hpp"
#include "stored.hpp"
#include "support/targets.hpp"

namespace {

using namespace views;
using floats = stored<float, matrix>;
std::vector<char const*> const targets =
    axe_test::compiled_for({"sm_80", "sm_90a", "sm_90a_debug"});

}  // namespace

TEST_CASE("an element has its coordinates in the tensor and in the tile") {
  auto const value = [](int i, int j) { return static_cast<float>(i % 7 * 100000 + j); };
  for (char const* target : targets)
    for (auto const& [rows, columns] : {std::pair{32, 32}, {40, 70}, {65, 33}}) {
      if (std::string(target) == "sm_90a_debug" && rows * columns > 2500) continue;
      machine::device device;
      machine::module program = machine::load(text_of("elements", target), device);
      floats in(device, rows, columns, columns + 3);
      floats out(device, rows, columns, columns + 5);
      in.fill(value);
      program.launch("labelled", blocks((columns + 31) / 32, (rows + 31) / 32), {128}, {}, 0,
                     {in.view<input>(), out.view<output>()}, options_for(target));
      CAPTURE(target, rows, columns);
      CHECK(out.wrong([&](int i, int j) {
        float const in_tile = static_cast<float>(i % 32 * 32 + j % 32) / 1024;
        return value(i, j) + 1000.0f * static_cast<float>(i) + static_cast<float>(j) + in_tile;
      }) == 0);
    }
}

TEST_CASE("an element of a fragment has its coordinate in the tile") {
  for (char const* target : targets)
    for (auto const& [rows, columns] : {std::pair{64, 32}, {61, 27}}) {
      machine::device device;
      machine::module program = machine::load(text_of("elements", target), device);
      floats out(device, rows, columns, columns + 5);
      program.launch("masked", blocks(1, 1), {128}, {}, 0, {out.view<output>()},
                     options_for(target));
      CAPTURE(target, rows, columns);
      CHECK(out.wrong(
                [](int i, int j) { return j > i ? 0.0f : static_cast<float>(1000 * i + j); }) == 0);
    }
}

TEST_CASE("axe gives a thread's position in its block, warpgroup and warp, and its device number") {
  for (char const* target : targets) {
    machine::device device;
    machine::module program = machine::load(text_of("elements", target), device);
    std::vector<unsigned> said(8 * 256);
    std::uint64_t const address = device.allocate(4 * said.size());
    program.launch("thread_positions", blocks(1, 1), {256}, {}, 0, {address}, options_for(target));
    device.copy_out(said.data(), address, 4 * said.size());
    for (unsigned t = 0; t < 256; ++t) {
      CAPTURE(target, t);
      std::vector<unsigned> const here(&said[8 * t], &said[8 * t] + 8);
      CHECK(here == std::vector<unsigned>{17 * (t / 128), t % 128, t / 32 % 4, 0,
                                          t < 128 ? 0 : 255 - (t - 128), t % 32, t / 32, t});
    }
  }
}

TEST_CASE("axe gives the rank of a CTA in its cluster") {
  for (char const* target : axe_test::compiled_for({"sm_90a", "sm_90a_debug"})) {
    machine::device device;
    machine::module program = machine::load(text_of("elements", target), device);
    std::vector<unsigned> said(32 * 16);
    std::uint64_t const address = device.allocate(4 * said.size());
    program.launch("cta_positions", {4, 4, 1}, {32}, {2, 2, 1}, 0, {address}, options_for(target));
    device.copy_out(said.data(), address, 4 * said.size());
    for (unsigned block = 0; block < 16; ++block)
      for (unsigned t = 0; t < 32; ++t) {
        CAPTURE(target, block, t);
        CHECK(said[32 * block + t] == block % 4 % 2 + 2 * (block / 4 % 2));
      }
  }
}
