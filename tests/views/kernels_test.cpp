// Kernels written with views, as nvcc emits them, on the machine that executes PTX: odd sizes, every element checked, nothing outside touched.
#include "kernels.hpp"

#include "machine.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

namespace {

std::string text_of(char const* target) {
  std::ifstream file(std::string(AXE_VIEWS_PTX) + "/views_" + target + ".ptx");
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A matrix in the machine's memory, its padding marked so that a store there shows.
struct stored {
  machine::device& device;
  int rows, columns, pitch;
  std::uint64_t address = 0;
  static constexpr float untouched = -7777;

  stored(machine::device& d, int r, int c, int p) : device(d), rows(r), columns(c), pitch(p) {
    std::vector<float> all(size(), untouched);
    address = device.allocate(4 * size());
    device.copy_in(address, all.data(), 4 * size());
  }
  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(pitch); }
  template <class F> void fill(F const& value) {
    std::vector<float> all(size(), untouched);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) all[static_cast<std::size_t>(i * pitch + j)] = value(i, j);
    device.copy_in(address, all.data(), 4 * size());
  }
  /// How many elements are not what they should be, the padding included.
  template <class F> int wrong(F const& value) const {
    std::vector<float> all(size());
    device.copy_out(all.data(), address, 4 * size());
    int count = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < pitch; ++j)
        count += all[static_cast<std::size_t>(i * pitch + j)] != (j < columns ? value(i, j) : untouched);
    return count;
  }
  template <class View> View view() const {
    return {reinterpret_cast<decltype(View::data)>(address), views::matrix(rows, columns, pitch)};
  }
};

/// Unoptimised code copies the one byte of an empty class, which nothing writes: that check is for the others.
machine::launch_options options_for(std::string const& target) {
  machine::launch_options options;
  options.check_written = target.find("debug") == std::string::npos;
  return options;
}
machine::extent3 blocks(int x, int y) {
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 1};
}

}  // namespace

TEST_CASE("transposes of odd sizes, padded and swizzled") {
  auto const value = [](int i, int j) { return static_cast<float>(i * 1000 + j); };
  for (char const* target : {"sm_80", "sm_90a", "sm_90a_debug"})
    for (char const* entry : {"transpose_padded", "transpose_swizzled"})
      for (auto const& [rows, columns] : {std::pair{32, 32}, {129, 257}, {1, 70}, {70, 1}, {95, 33}}) {
        if (std::string(target) == "sm_90a_debug" && rows * columns > 4000)
          continue;  // 100 times the instructions
        machine::device device;
        machine::module program = machine::load(text_of(target), device);
        stored in(device, rows, columns, columns + 3);
        stored out(device, columns, rows, rows + 5);
        in.fill(value);
        program.launch(entry, blocks((columns + 31) / 32, (rows + 31) / 32), {256}, {}, 0,
                       {in.view<views::input>(), out.view<views::output>()}, options_for(target));
        CAPTURE(target, entry, rows, columns);
        CHECK(out.wrong([&](int i, int j) { return value(j, i); }) == 0);
      }
}

TEST_CASE("two warpgroups, each with its accumulator, over ragged edges") {
  auto const value = [](int i, int j) { return static_cast<float>(i * 1000 + j); };
  for (char const* target : {"sm_80", "sm_90a", "sm_90a_debug"})
    for (auto const& [rows, columns] : {std::pair{128, 32}, {136, 72}, {257, 33}, {1, 8}}) {
      if (std::string(target) == "sm_90a_debug" && rows * columns > 5000) continue;
      machine::device device;
      machine::module program = machine::load(text_of(target), device);
      stored in(device, rows, columns, columns + 1);
      stored out(device, rows, columns, columns + 2);
      in.fill(value);
      program.launch("two_groups", blocks((columns + 31) / 32, (rows + 127) / 128), {256}, {}, 0,
                     {in.view<views::input>(), out.view<views::output>()}, options_for(target));
      CAPTURE(target, rows, columns);
      CHECK(out.wrong([&](int i, int j) { return value(i, j) + 1; }) == 0);
    }
}
