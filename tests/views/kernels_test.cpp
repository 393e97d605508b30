// Runs kernels with tensors and tiles on the PTX machine (tests/machine), for matrices of odd
// sizes. Checks every element, and that no access is out of bounds.
#include "kernels.hpp"
#include "support/targets.hpp"

#include "stored.hpp"

namespace {

using namespace views;
using floats = stored<float, matrix>;

}  // namespace

TEST_CASE("padded and swizzled transposes of odd sizes are right") {
  auto const value = [](int i, int j) { return static_cast<float>(i * 1000 + j); };
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_90a_debug"}))
    for (char const* entry : {"transpose_padded", "transpose_swizzled"})
      for (auto const& [rows, columns] :
           {std::pair{32, 32}, {129, 257}, {1, 70}, {70, 1}, {95, 33}}) {
        if (std::string(target) == "sm_90a_debug" && rows * columns > 4000)
          continue;  // -G code executes 100 times as many instructions
        machine::device device;
        machine::module program = machine::load(text_of("kernels", target), device);
        floats in(device, rows, columns, columns + 3);
        floats out(device, columns, rows, rows + 5);
        in.fill(value);
        program.launch(entry, blocks((columns + 31) / 32, (rows + 31) / 32), {256}, {}, 0,
                       {in.view<views::input>(), out.view<views::output>()}, options_for(target));
        CAPTURE(target, entry, rows, columns);
        CHECK(out.wrong([&](int i, int j) { return value(j, i); }) == 0);
      }
}

TEST_CASE("two warpgroups load and store partial tiles in the layout of an accumulator") {
  auto const value = [](int i, int j) { return static_cast<float>(i * 1000 + j); };
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_90a_debug"}))
    for (auto const& [rows, columns] : {std::pair{128, 32}, {136, 72}, {257, 33}, {1, 8}}) {
      if (std::string(target) == "sm_90a_debug" && rows * columns > 5000) continue;
      machine::device device;
      machine::module program = machine::load(text_of("kernels", target), device);
      floats in(device, rows, columns, columns + 1);
      floats out(device, rows, columns, columns + 2);
      in.fill(value);
      program.launch("two_groups", blocks((columns + 31) / 32, (rows + 127) / 128), {256}, {}, 0,
                     {in.view<views::input>(), out.view<views::output>()}, options_for(target));
      CAPTURE(target, rows, columns);
      CHECK(out.wrong([&](int i, int j) { return value(i, j) + 1; }) == 0);
    }
}
