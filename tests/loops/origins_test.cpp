// Runs the kernels of origins.cu on the PTX machine (tests/machine). Checks their results, and
// counts instructions of some.
#include "on_machine.hpp"
#include "tensors.hpp"

using namespace loops;

namespace {

constexpr int rows = 37, columns = 101, pitch = 104;

std::vector<unsigned short> numbered() {
  std::vector<unsigned short> v(rows * pitch);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned short>(i + 1);
  return v;
}
bool in_bounds(int r, int c) { return r >= 0 && r < rows && c >= 0 && c < columns; }
std::size_t at(int r, int c) { return static_cast<std::size_t>(r * pitch + c); }

constexpr std::array<std::array<int, 2>, 11> origins{{{0, 0},
                                                      {-1, -8},
                                                      {-15, 40},
                                                      {-16, 0},
                                                      {30, 96},
                                                      {36, 40},
                                                      {37, 0},
                                                      {5, -64},
                                                      {3, -56},
                                                      {1, 104},
                                                      {-1000, -80000}}};

}  // namespace

TEST_CASE("a window at any origin is zero out of bounds") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    std::vector<unsigned short> const in = numbered();
    auto* const from = m.put(in);
    for (auto const [row, column] : origins)
      for (char const* entry : {"window", "window_async", "window_loaded", "window_by_hand"}) {
        bool const at_any_column = entry == std::string("window_loaded");
        int const first = at_any_column ? column + 3 : column;
        auto* const to = m.put(std::vector<unsigned short>(16 * 64, 7));
        aligned_input const source(from, rows, columns, pitch);
        output const target_tensor(to, 16, 64);
        if (entry == std::string("window_by_hand"))
          m.launch(entry, {1, 1, 1}, 128,
                   {from, rows, columns, pitch, to, 16, 64, 64, row, column / 8});
        else if (at_any_column)
          m.launch(entry, {1, 1, 1}, 32,
                   {input(from, rows, columns, pitch), target_tensor, row, first});
        else if (entry == std::string("window_async"))
          m.launch(entry, {1, 1, 1}, 128, {source, whole_rows(to, 16, 64), row, column / 8});
        else
          m.launch(entry, {1, 1, 1}, 128, {source, target_tensor, row, column / 8});
        std::vector<unsigned short> const out = m.get(to, 16 * 64);
        int wrong = 0;
        for (int i = 0; i < 16; ++i)
          for (int j = 0; j < 64; ++j) {
            int const r = row + i, c = first + j;
            unsigned const wanted = in_bounds(r, c) ? in[at(r, c)] : 0;
            wrong += out[static_cast<std::size_t>(64 * i + j)] != wanted;
          }
        CAPTURE(target, entry, row, first);
        CHECK(wrong == 0);
      }
  }
}

TEST_CASE("a tile of eight rows at a signed multiple of 8 is zero above and below the tensor") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    std::vector<unsigned short> in(56 * 256);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned short>(i + 1);
    auto* const from = m.put(in);
    for (int const eighth : {-2, -1, 0, 3, 6, 7, 8}) {
      auto* const to = m.put(std::vector<unsigned short>(8 * 256, 7));
      axe::tensor<unsigned short const, axe::row_major<2, 56, 256>, axe::aligned<16>> const source(
          from);
      m.launch("eight_rows", {1, 1, 1}, 32, {source, whole_rows(to, 8, 256), eighth});
      std::vector<unsigned short> const out = m.get(to, 8 * 256);
      int wrong = 0;
      for (int i = 0; i < 8 * 256; ++i) {
        int const element = 8 * 256 * eighth + i;
        bool const there = eighth >= 0 && eighth < 7;
        wrong +=
            out[static_cast<std::size_t>(i)] != (there ? in[static_cast<std::size_t>(element)] : 0);
      }
      CAPTURE(target, eighth);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a store at any origin writes only elements of the tensor") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    std::vector<unsigned short> const in = numbered();
    auto* const from = m.put(in);
    for (auto const [row, column] : origins) {
      std::vector<unsigned short> const before(rows * pitch, 7);
      auto* const to = m.put(before);
      m.launch("window_moved", {1, 1, 1}, 128,
               {input(from, rows, columns, pitch), output(to, rows, columns, pitch), row, column});
      std::vector<unsigned short> const out = m.get(to, before.size());
      int wrong = 0;
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < pitch; ++c) {
          int const i = r - 1, j = c + 1;
          bool const moved = in_bounds(r, c) && in_bounds(i, j) && i >= row && i < row + 16 &&
                             j >= column && j < column + 64;
          wrong += out[at(r, c)] != (moved ? in[at(i, j)] : 7);
        }
      CAPTURE(target, row, column);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the halo of a block's tile is zero above and left of the tensor") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    std::vector<unsigned short> const in = numbered();
    auto* const from = m.put(in);
    auto* const to = m.put(std::vector<unsigned short>(48 * 128, 7));
    m.launch("with_halo", {2, 3, 1}, 128, {input(from, rows, columns, pitch), output(to, 48, 128)});
    std::vector<unsigned short> const out = m.get(to, 48 * 128);
    int wrong = 0;
    for (int r = 0; r < 48; ++r)
      for (int c = 0; c < 128; ++c) {
        int const i = r / 16 * 14 - 1 + r % 16, j = c / 64 * 62 - 1 + c % 64;
        wrong += out[static_cast<std::size_t>(128 * r + c)] != (in_bounds(i, j) ? in[at(i, j)] : 0);
      }
    CAPTURE(target);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a tile holds the end of a tensor whose extent exceeds 31 bits") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (auto const& [rows, row] : {std::pair{0xffff'fff0u, 0x8000'0010u},
                                    {0x8000'0007u, 0x8000'0006u},
                                    {0x8000'0007u, 0x8000'0007u},
                                    {0xffff'fffeu, 0xffff'fffdu}}) {  // row + 3 has 33 bits
      loaded m("origins", target);
      std::vector<float> in(4 * 32);
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
      // Memory has only the four rows that the tile may read.
      auto const first = reinterpret_cast<std::uint64_t>(m.put(in)) - 128ull * row;
      auto* const to = m.put(std::vector<float>(in.size(), 7));
      m.launch("four_of_any_rows", {1, 1, 1}, 32,
               {any_rows(reinterpret_cast<float const*>(first), any_rows::sizes_type(rows)),
                four_rows(to), row});
      for (std::size_t i = 0; i < in.size(); ++i)
        if (row + i / 32 >= rows) in[i] = 0;
      CAPTURE(target, rows, row);
      CHECK(m.get(to, in.size()) == in);
    }
}

TEST_CASE("a sequence without rows has no tiles, and its copies move nothing") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("origins", target);
    std::vector<float> in(9 * 32);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
    auto* const from = m.put(in);
    for (unsigned const length : {0u, 1u, 4u, 9u}) {
      auto* const to = m.put(std::vector<float>(4 * 32, 7));
      auto* const steps = m.put(std::vector<unsigned>{99});
      m.launch("sum_of_sequence", {1, 1, 1}, 32,
               {rows_of_floats(from, 9, 32), four_rows(to), length, steps});
      unsigned const expected_steps = (length + 3) / 4;
      std::vector<float> expected(4 * 32, static_cast<float>(expected_steps));
      for (std::size_t i = 0; i < 32 * length; ++i)
        expected[i % 128] += i < 128 ? 2 * in[i] : in[i];
      CAPTURE(target, length);
      CHECK(m.get(steps, 1)[0] == expected_steps);
      CHECK(m.get(to, 4 * 32) == expected);
    }
  }
}

TEST_CASE("a group of rows that begins at any row is zero after its last row") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (auto const& [first, count] : {std::array{0, 16}, {3, 17}, {20, 16}, {30, 1}}) {
      loaded m("origins", target);
      std::vector<unsigned short> const in = numbered();
      auto* const to = m.put(std::vector<unsigned short>(32 * 64, 7));
      m.launch("group", {2, 1, 1}, 128,
               {aligned_input(m.put(in), rows, columns, pitch), output(to, 32, 64),
                static_cast<unsigned>(first), static_cast<unsigned>(count)});
      std::vector<unsigned short> const out = m.get(to, 32 * 64);
      int wrong = 0;
      for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 64; ++j)
          wrong +=
              out[static_cast<std::size_t>(64 * i + j)] != (i < count ? in[at(first + i, j)] : 0);
      CAPTURE(target, first, count);
      CHECK(wrong == 0);
    }
}

TEST_CASE("a window executes no more instructions than the hand-written form") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    auto* const from = m.put(numbered());
    auto* const to = m.put(std::vector<unsigned short>(16 * 64));
    m.launch("window_by_hand", {1, 1, 1}, 128,
             {from, rows, columns, pitch, to, 16, 64, 64, -1, -1});
    auto const by_hand = m.executed;
    m.launch("window_async", {1, 1, 1}, 128,
             {aligned_input(from, rows, columns, pitch), whole_rows(to, 16, 64), -1, -1});
    CAPTURE(target, by_hand);
    CHECK(m.executed <= by_hand);
  }
}

TEST_CASE("elements of 12 bytes execute no more instructions than hand-written code") {
  struct point {
    float x, y, z;
  };
  using points = axe::tensor<point const, axe::row_major<1>>;
  constexpr unsigned count = 77;
  std::vector<point> in(count);
  for (unsigned i = 0; i < count; ++i)
    in[i] = {static_cast<float>(i * i), static_cast<float>(7 * i), static_cast<float>(i % 5)};
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    auto* const from = m.put(in);
    auto* const to = m.put(std::vector<point>(count));
    m.launch("points_by_hand", {3, 1, 1}, 32, {from, count, to});
    auto const by_hand = m.executed;
    auto* const result = m.put(std::vector<point>(count));
    m.launch("points", {3, 1, 1}, 32,
             {points(from, count), axe::tensor<point, axe::row_major<1>>(result, count)});
    CAPTURE(target, by_hand);
    CHECK(m.executed <= by_hand);
    auto const out = m.get(result, count);
    for (unsigned i = 0; i + 1 < count; ++i) {
      CHECK(out[i].x == in[i + 1].x - in[i].x);
      CHECK(out[i].y == 7);
      CHECK(out[i].z == in[i + 1].z - in[i].z);
    }
  }
}

TEST_CASE("a loop that counts in an int executes no more instructions than hand-written code") {
  constexpr int count = 700;
  std::vector<int> columns(count);
  std::vector<float> factors(count), x(91);
  for (int i = 0; i < count; ++i) {
    columns[static_cast<std::size_t>(i)] = i * 17 % 91;
    factors[static_cast<std::size_t>(i)] = static_cast<float>(i % 13);
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("origins", target);
    auto* const at = m.put(columns);
    auto *const by = m.put(factors), *const from = m.put(x);
    auto *const by_hand = m.put(std::vector<float>(32)), *const out = m.put(std::vector<float>(32));
    m.launch("sparse_by_hand", {1, 1, 1}, 32, {at, count, 5, by, from, by_hand});
    auto const instructions = m.executed;
    using values = axe::tensor<float const, axe::row_major<1>>;
    m.launch("sparse", {1, 1, 1}, 32,
             {axe::tensor<int const, axe::row_major<1>>(at, count), 5, values(by, count),
              values(from, 91), out});
    CAPTURE(target, instructions);
    CHECK(m.executed <= instructions);
    CHECK(m.get(out, 32) == m.get(by_hand, 32));
    if (target != std::string("sm_100a")) continue;  // only there axe extends the index by its sign
    std::string const ptx = text_of("origins", target);
    CHECK(axe_test::times(ptx, "sparse", ";\n") <= axe_test::times(ptx, "sparse_by_hand", ";\n"));
  }
}

TEMPLATE_TEST_CASE("a copy of rows has one branch for each load and each store", "", unsigned char,
                   double, __int128) {
  char const* const entry = sizeof(TestType) == 1   ? "rows_of_bytes"
                            : sizeof(TestType) == 8 ? "rows_of_doubles"
                                                    : "rows_of_int128";
  std::vector<TestType> in(29 * 101);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<TestType>(1 + i % 251);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("origins", target);
    auto *const from = m.put(in), *const to = m.put(std::vector<TestType>(16 * 64));
    m.launch(entry, {1, 1, 1}, 128,
             {axe::tensor<TestType const, axe::row_major<2>>(from, 29, 101), to});
    std::vector<TestType> const out = m.get(to, 16 * 64);
    int wrong = 0;
    for (std::size_t r = 0; r < 16; ++r)
      for (std::size_t c = 0; c < 64; ++c) {
        bool const in_bounds = 16 + r < 29 && 64 + c < 101;
        TestType const expected = in_bounds ? in[101 * (16 + r) + 64 + c] : TestType{0};
        wrong += expected < out[64 * r + c] || out[64 * r + c] < expected;
      }
    CAPTURE(target, entry);
    CHECK(wrong == 0);
    CHECK(axe_test::times(text_of("origins", target), entry, "bra") <= 16);
  }
}

TEST_CASE("a bounds test of adjacent rows costs at most 6 instructions in each warp") {
  std::vector<float> in(256);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    auto* const from = m.put(in);
    auto* const to = m.put(std::vector<float>(256));
    auto const load_rows = [&](char const* entry, unsigned rows_in_bounds) {
      axe::tensor<float const, axe::row_major<2, 16>> const tensor(from, rows_in_bounds);
      m.launch(entry, {1, 1, 1}, 256, {tensor, to});
    };
    load_rows("adjacent_whole", 16);
    auto const whole = m.executed;
    load_rows("adjacent_rows", 16);
    CAPTURE(target, whole);
    // A warp loads the extent, computes and compares its row, branches, and has two moves.
    CHECK(m.executed <= whole + 8 * 6);
    CHECK(m.get(to, 256) == in);
    load_rows("adjacent_rows", 11);
    auto const out = m.get(to, 256);
    for (std::size_t i = 0; i < 256; ++i) CHECK(out[i] == (i < 11 * 16 ? in[i] : 0));
  }
}

TEST_CASE("a window that moves in a loop is right and needs no 64-bit multiplication") {
  constexpr unsigned rows = 9, pitch = 72;
  std::vector<unsigned short> in(rows * pitch);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<unsigned short>(k % 101);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    auto* const to = m.put(std::vector<unsigned short>(4 * 64));
    m.launch("moving_window", {1, 1, 1}, 32,
             {aligned_input(m.put(in), rows, 64, pitch), output(to, 4, 64), 7});
    auto const out = m.get(to, 4 * 64);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 64; ++j) {
        int sum = 0;
        for (int row = i - 2; row < i + 7; ++row)
          if (row >= 0 && row < static_cast<int>(rows))
            sum += in[static_cast<std::size_t>(row * static_cast<int>(pitch) + j)];
        CAPTURE(target, i, j);
        CHECK(out[static_cast<std::size_t>(i * 64 + j)] == sum);
      }
    CHECK(axe_test::times(text_of("origins", target), "moving_window", "mul.lo.s64") == 0);
  }
}

TEST_CASE("a mask by coordinates executes at most one instruction more than by plain numbers") {
  constexpr int query = 200, key = 192, window = 20;
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("origins", target);
    auto* const x = m.put(std::vector<float>(16 * 64));
    auto* const y = m.put(std::vector<float>(16 * 64));
    using scores = axe::tensor<float, axe::row_major<2, 16, 64>>;
    m.launch("masked_by_numbers", {1, 1, 1}, 32, {scores(y), query, key, window});
    auto const by_numbers = m.executed;
    m.launch("masked", {1, 1, 1}, 32, {scores(x), query, key, window});
    CAPTURE(target, by_numbers);
    CHECK(m.executed <= by_numbers + 1);
    auto const out = m.get(x, 16 * 64);
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 64; ++j) {
        bool const hidden = key + j > query + i || key + j + window <= query + i;
        CHECK(out[static_cast<std::size_t>(i * 64 + j)] == (hidden ? -1.0f : 0.0f));
      }
  }
}

TEST_CASE("eight bytes of shared memory are loaded into two 32-bit registers") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("origins", target);
    auto* const to = m.put(std::vector<unsigned char>(256));
    m.launch("eights_of_bytes", {1, 1, 1}, 32, {to});
    std::vector<unsigned char> const out = m.get(to, 256);
    CAPTURE(target);
    for (std::size_t k = 0; k < 256; ++k) CHECK(out[k] == 2 * (k / 8 + k % 8));
    // With one 64-bit register, nvcc for sm_100a emits 58 to 88 instructions.
    CHECK(axe_test::times(text_of("origins", target), "eights_of_bytes", ";\n") <= 54);
  }
}

TEST_CASE("four elements of two bytes are stored from two 32-bit registers") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("origins", target);
    std::vector<unsigned> in(32);
    for (unsigned k = 0; k < 32; ++k) in[k] = 0x04030201u * (k + 1);
    auto* const from = m.put(in);
    auto* const to = m.put(std::vector<unsigned short>(128));
    m.launch("fours_of_shorts", {1, 1, 1}, 32, {from, to});
    std::vector<unsigned short> const out = m.get(to, 128);
    CAPTURE(target);
    for (std::size_t k = 0; k < 128; ++k) CHECK(out[k] == (in[k / 4] >> 8 * (k % 4) & 255) * 257);
    // With one 64-bit register, nvcc for sm_100a emits 37 instructions.
    CHECK(axe_test::times(text_of("origins", target), "fours_of_shorts", ";\n") <= 32);
  }
}

TEST_CASE("inner tiles that begin inside a period of the swizzle are right") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("origins", target);
    auto* const wrong = m.put(std::vector<unsigned>{0});
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 4; ++column)
        m.launch("inner_tile_by_vectors", {1, 1, 1}, 32, {row, column, wrong});
    for (unsigned row = 0; row < 2; ++row)
      for (unsigned column = 0; column < 8; ++column)
        m.launch("inner_tile_by_ldmatrix", {1, 1, 1}, 32, {row, column, wrong});
    CHECK(m.get(wrong, 1) == std::vector<unsigned>{0});

    auto* const out = m.put(std::vector<unsigned short>(rows * pitch));
    m.launch("halves_async", {1, 1, 1}, 32,
             {aligned_input(m.put(numbered()), rows, columns, pitch),
              output(out, rows, columns, pitch)});
    auto const copied = m.get(out, 16 * pitch);
    auto const in = numbered();
    int different = 0;
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 64; ++c) different += copied[at(r, c)] != in[at(r, c)];
    CHECK(different == 0);
  }
}
