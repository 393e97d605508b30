// Tests the checks of AXE_DEBUG: a mistake prints a line and stops the kernel, and correct code
// does neither. Also tests axe::print.
#include "on_machine.hpp"
#include "tensors.hpp"

#include <axe/cuda/tma/tensor_map.hpp>

using namespace loops;

namespace {

/// The error of a launch, empty if there is none, and the first line that the kernel prints.
struct launch_result {
  std::string error, line;
};
launch_result run(char const* entry, std::vector<machine::argument> arguments) {
  loaded m("debugging", "sm_90a");
  auto* const to = m.put(std::vector<unsigned short>(16 * 64));
  arguments.insert(arguments.begin(), machine::argument(output(to, 13, 61, 64)));
  launch_result out;
  try {
    m.launch(entry, {1, 1, 1}, 32, arguments);
  } catch (std::exception const& e) { out.error = e.what(); }
  out.line = m.printed.substr(0, m.printed.find('\n'));
  return out;
}
std::string error_of(char const* entry, std::vector<machine::argument> const& arguments) {
  return run(entry, arguments).error;
}
/// The number of the first line of debugging.cu that contains these words.
std::string line_with(std::string const& words) {
  std::ifstream file(std::string(AXE_LOOPS_SOURCES) + "/debugging.cu");
  std::string line;
  for (int n = 1; std::getline(file, line); ++n)
    if (line.find(words) != std::string::npos) return std::to_string(n);
  return "none";
}
void check_line(launch_result const& at, std::string const& statement,
                std::string const& coordinate, std::string const& extents,
                std::string const& thread, std::string const& memory = "tensor") {
  CAPTURE(at.line);
  std::string const begin = "debugging.cu:" + line_with(statement) + ": coordinate " + coordinate +
                            " is out of bounds of the " + memory + " at 0x";
  CHECK(at.line.starts_with("axe: "));
  CHECK(at.line.find(begin) != std::string::npos);
  CHECK(at.line.ends_with(extents + ": block (0, 0, 0), thread (" + thread + ", 0, 0)"));
}

}  // namespace

TEST_CASE("AXE_DEBUG stops at elements out of bounds") {
  CHECK(error_of("element", {12, 60}).empty());
  CHECK(error_of("partial_tile_register", {0u}).empty());
  for (auto const& [row, column] : {std::array{13, 0}, {0, 61}, {-1, 0}, {0, -1}}) {
    CAPTURE(row, column);
    CHECK(error_of("element", {row, column}).find("trap") != std::string::npos);
  }
  CHECK(error_of("partial_tile_register", {1u}).find("trap") != std::string::npos);
  CHECK(error_of("partial_tile_register", {~0u}).find("trap") != std::string::npos);
  CHECK(error_of("shared_registers", {0}).empty());
  for (char const* entry : {"row_register", "chosen_row", "second_group"})
    CHECK(error_of(entry, {12}).empty());
  for (char const* entry : {"numbered", "by_pairs", "asynchronous", "prepared", "gathered",
                            "partitioned", "unsigned_origin"}) {
    CAPTURE(entry);
    CHECK(error_of(entry, {0}).empty());
    CHECK(error_of(entry, {-1}).find("trap") != std::string::npos);
  }
  CHECK(error_of("unchosen", {-1}).empty());
  for (int const first : {0, 12, 13}) CHECK(error_of("last_rows", {first}).empty());

  loaded m("debugging", "sm_90a");
  axe::tensor<unsigned short, whole_tiles, axe::aligned<16>> const out(
      m.put(std::vector<unsigned short>(128 * 64)), 128, 64, 64);
  m.launch("whole", {1, 1, 1}, 32, {out, 1u});
  CHECK_THROWS(m.launch("whole", {1, 1, 1}, 32, {out, 2u}));
}

TEST_CASE("AXE_DEBUG prints the line, the coordinate, the tensor and the thread") {
  check_line(run("element", {13, 0}), "out(row, column) = 7", "(13, 0)", " of 13 x 61", "0");
  check_line(run("element", {0, -1}), "out(row, column) = 7", "(0, -1)", " of 13 x 61", "0");
  check_line(run("shared_element", {16, 63}), "staged(row, column) = 7", "(16, 63)", " of 16 x 64",
             "0", "shared tile");
  check_line(run("part_element", {7, 32}), "part(row, column) = 7", "(7, 32)", " of 8 x 32", "0",
             "shared tile");
  for (char const* entry : {"shared_element", "part_element"})
    CHECK(error_of(entry, {7, 31}).empty());
  check_line(run("partial_tile_register", {1u}), "elements.store(", "(17, 1)", " of 13 x 61", "0");
  check_line(run("row_register", {13}), "row.store(", "(13, 0)", " of 13 x 61", "0");
  check_line(run("chosen_row", {13}), "axe::copy_if(f, ", "(13, 0)", " of 13 x 61", "4");
  check_line(run("second_group", {13}), "axe::copy(f, axe::tile<1, 64>(out, row", "(13, 0)",
             " of 13 x 61", "16");
  check_line(run("row_register", {-1}), "row.store(", "(-1, 0)", " of 13 x 61", "0");
  check_line(run("numbered", {-1}), "axe::copy(f, axe::tile<16, 64>", "(-16, 0)", " of 13 x 61",
             "0");
  check_line(run("by_pairs", {-1}), "axe::copy_by<pairs>", "(-16, 0)", " of 13 x 61", "0");
  check_line(run("asynchronous", {-1}), "axe::copy_async(", "(-16, 0)", " of 16 x 64", "0");
  check_line(run("gathered", {-1}), "axe::gather<0>(", "(-16, 0)", " of 13 x 61", "0");
  check_line(run("scattered", {-1}), "axe::scatter<0>(", "(-16, 0)", " of 13 x 61", "0");
  check_line(run("gathered_row", {13}), "axe::gather<0>(rows", "(13, 0)", " of 13 x 61", "0");
  check_line(run("gathered_row_at", {13}), "axe::gather<0>(shifted", "(13, -3)", " of 13 x 61",
             "0");
  check_line(run("gathered_row_async", {16ll}), "axe::gather_async<0>(", "(16, 0)", " of 16 x 64",
             "0");
  check_line(run("scattered_row", {13}), "axe::scatter<0>(f", "(13, 0)", " of 13 x 61", "0");
  for (char const* entry : {"gathered_row", "scattered_row"})
    for (int const row : {12, -1}) CHECK(error_of(entry, {row}).empty());
  for (long long const row : {15ll, -1ll}) CHECK(error_of("gathered_row_async", {row}).empty());
  check_line(run("added", {-1}), "axe::atomic_add(", "(-16, 0)", " of 6 x 64", "0");
  check_line(run("loaded_tile", {-1}), "axe::load<pairs>(", "(-16, 0)", " of 13 x 61", "0");
  check_line(run("filled", {-1}), "axe::copy<axe::zero_fill>(axe::tile<16, 64>", "(-16, 0)",
             " of 13 x 61", "0");
}

TEST_CASE("AXE_DEBUG checks only the elements of the threads that call a copy") {
  CHECK(error_of("returned_early", {0u}).empty());
  check_line(run("returned_early", {27u}), "axe::copy(f, axe::exact_grid(", "(13, 63)",
             " of 13 x 64", "27");
}

TEST_CASE("AXE_DEBUG stops at stages, steps and registers that do not exist") {
  auto const check = [](char const* entry, int number, std::string const& statement,
                        std::string const& sentence) {
    CAPTURE(entry, number);
    CHECK(error_of(entry, {0}).empty());
    CHECK(error_of(entry, {1}).empty());
    launch_result const at = run(entry, {number});
    CAPTURE(at.line);
    CHECK(at.error.find("trap") != std::string::npos);
    CHECK(at.line.find("debugging.cu:" + line_with(statement) + ": " + sentence) !=
          std::string::npos);
  };
  for (int n : {2, -1}) {
    std::string const of_two = std::to_string(n) + ": there are 2, counted from 0";
    check("stage_number", n, "axe::prepare_copy<0>(axe::tile", "there is no stage " + of_two);
    check("register_number", n, "f[i] = 1", "there is no register " + of_two);
  }
  check("prepared", -1, "axe::prepare_copy<0>(f",
        "the step of a prepared copy must be at least 0, not -1");
  check("prepared_second", -1, "axe::prepare_copy<0>(f, axe::tile<16, 64>(out, 1",
        "the step of a prepared copy must be at least 0, not -1");
  launch_result const mapped = run("mapped_stage", {axe::tensor_map{}, 2});
  CAPTURE(mapped.line);
  CHECK(mapped.line.find("debugging.cu:" + line_with("axe::prepare_copy_async<0>(ring") +
                         ": there is no stage 2") != std::string::npos);
}

TEST_CASE("AXE_DEBUG stops at a tensor copy that the hardware rejects") {
  auto const begin = [](bool stores, int row, int column) {
    return run("mapped_origin", {axe::tensor_map{}, stores, row, column}).line;
  };
  CHECK(begin(false, 0, 4)
            .ends_with("debugging.cu:" + line_with("axe::copy_async(at, staged") +
                       ": a tensor copy cannot begin at (0, 4): its last coordinate must be a "
                       "multiple of 8"));
  CHECK(begin(true, -1, 0).find("debugging.cu:" + line_with("axe::copy_async(staged, at") + ": ") !=
        std::string::npos);
  CHECK(begin(true, -1, 0)
            .ends_with("(-1, 0): its last coordinate must be a multiple of 8, and "
                       "no coordinate may be below 0"));
  // These coordinates are valid, so the kernel prints nothing. The PTX machine rejects the empty
  // map.
  for (auto const& [stores, row] : {std::pair{false, -1}, {false, 3}, {true, 3}})
    CHECK(begin(stores, row, 8).empty());
}

TEST_CASE("AXE_DEBUG stops at a shared tile without __shared__") {
  launch_result const at = run("not_shared", {});
  CHECK(at.error.find("trap") != std::string::npos);
  CHECK(at.line.starts_with("axe: the tile, scratch or storage at 0x"));
}

TEST_CASE("AXE_DEBUG stops at a tile that is transposed in place") {
  CHECK(error_of("transposing", {0}).empty());
  launch_result const at = run("transposing", {1});
  CHECK(at.error.find("trap") != std::string::npos);
  CHECK(at.line.find("debugging.cu:" + line_with("axe::transposed(from)") +
                     ": the copy's source") != std::string::npos);
}

TEST_CASE("AXE_DEBUG stops at a thread outside the scope of a copy") {
  CHECK(error_of("scope_of_16", {0}).empty());
  launch_result const at = run("scope_of_16", {1});
  CHECK(at.error.find("trap") != std::string::npos);
  CHECK(at.line.find("debugging.cu:" + line_with("axe::cta<16>") +
                     ": there is no thread of the scope with number 16: there are 16") !=
        std::string::npos);
}

TEST_CASE("a warp prints a fragment once, as a tile, and for_each visits its elements once") {
  loaded m("debugging", "sm_90a");
  CHECK(m.launch("printing", {1, 1, 1}, 32, {}) ==
        "fragment of 2 x 8, warp 0 of block (0, 0, 0)\n"
        "        0      0.5        1      1.5        2      2.5        3      3.5\n"
        "        4      4.5        5      5.5        6      6.5        7      7.5\n"
        "fragment of 1 x 4, warp 0 of block (0, 0, 0)\n"
        "       -1        0        1        2\n"
        "fragment of 2 x 4, warp 0 of block (0, 0, 0)\n"
        "        4        5        6        7\n"
        "        4        5        6        7\n"
        "8 visits\n");
}
