// Tests copies in vectors on the PTX machine (tests/machine), for rows of any length. Checks
// every element, the bounds of every access, and the number of vector instructions.
#include "vectors.hpp"
#include "stored.hpp"
#include "support/targets.hpp"

namespace {

using namespace views;

int value(int i, int j) { return i * 200 + j; }

int count(std::string const& text, std::string const& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}
std::vector<char const*> const targets =
    axe_test::compiled_for({"sm_80", "sm_90a", "sm_90a_debug"});
bool skip(char const* target, int elements) {
  return std::string(target) == "sm_90a_debug" && elements > 4000;  // -G code is 100 times slower
}

}  // namespace

TEST_CASE("a swizzled tile is written four floats at a time and read one at a time") {
  for (char const* target : targets)
    for (auto const& [rows, columns] : {std::pair{32, 32}, {33, 36}, {1, 4}, {100, 196}}) {
      if (skip(target, rows * columns)) continue;
      machine::device device;
      machine::module program = machine::load(text_of("vectors", target), device);
      stored<float, wide_matrix> in(device, rows, columns, columns + 4);
      stored<float, wide_matrix> out(device, rows, columns, columns + 8);
      in.fill(value);
      program.launch("staged_vectors", blocks((columns + 31) / 32, (rows + 31) / 32), {64}, {}, 0,
                     {in.view<wide_input>(), out.view<wide_output>()}, options_for(target));
      CAPTURE(target, rows, columns);
      CHECK(out.wrong(value) == 0);
    }
}

TEST_CASE("rows of any length are copied in vectors, and in single elements at the end") {
  for (char const* target : targets)
    for (auto const& [rows, columns] : {std::pair{32, 32}, {33, 35}, {1, 1}, {40, 66}, {31, 127}}) {
      if (skip(target, rows * columns)) continue;
      machine::device device;
      machine::module program = machine::load(text_of("vectors", target), device);
      int const pitch = (columns + 7) / 4 * 4;
      stored<float, any_row_matrix> in(device, rows, columns, pitch);
      stored<float, any_row_matrix> out(device, rows, columns, pitch + 4);
      in.fill(value);
      program.launch("vectors_of_any_row", blocks((columns + 31) / 32, (rows + 31) / 32), {64}, {},
                     0, {in.view<any_row_input>(), out.view<any_row_output>()},
                     options_for(target));
      CAPTURE(target, rows, columns);
      CHECK(out.wrong([](int i, int j) { return value(i, j) + 1; }) == 0);
    }
}

TEST_CASE("an element of a vector of halves converts to float") {
  for (char const* target : targets) {
    machine::device device;
    machine::module program = machine::load(text_of("vectors", target), device);
    std::uint16_t const in[8]{0x3c00, 0x4000, 0, 0, 0xb800, 0x4400, 0, 0};  // 1, 2, -0.5, 4
    float out[4]{};
    auto const from = device.allocate(sizeof(in)), to = device.allocate(sizeof(out));
    device.copy_in(from, in, sizeof(in));
    program.launch("elements_as_numbers", blocks(1, 1), {2}, {}, 0, {from, to},
                   options_for(target));
    device.copy_out(out, to, sizeof(out));
    CAPTURE(target);
    CHECK(std::vector<float>(out, out + 4) == std::vector<float>{5, 3, 7, 3.5f});
  }
}

TEST_CASE("a vector is one instruction") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    std::string const text = text_of("vectors", target);
    CHECK(count(text, "ld.global.v4") == 4 + 4);  // 4 in each kernel
    CHECK(count(text, "st.shared.v4") == 4);
    CHECK(count(text, "st.global.v4") == 4);  // only in vectors_of_any_row
  }
}
