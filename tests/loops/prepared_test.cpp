// Tests prepared copies on the PTX machine (tests/machine): their results are right, and some
// execute no more instructions than hand-written code.
#include "on_machine.hpp"
#include "support/encoded_map.hpp"
#include "tensors.hpp"

#include <axe/plan/plan_tma.hpp>

using namespace loops;

namespace {

std::vector<unsigned short> numbered(std::size_t count) {
  std::vector<unsigned short> v(count);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned short>(i * 7 + 1);
  return v;
}

template <class Tensor>
machine::argument map_of(void const* data, std::vector<axe::integer> const& numbers,
                         axe::element_type type, axe::shape const& box,
                         axe::layout const& in_memory) {
  axe::tma_plan const plan = axe::plan_tma(
      axe::tma_kind::load, type, axe::tma_tensor_of<typename Tensor::sizes_type>(), box, in_memory);
  return axe_test::map_of(plan, reinterpret_cast<std::uint64_t>(data), numbers);
}

}  // namespace

TEST_CASE(
    "row sums through a ring of stages execute at most as many instructions as the hand-written "
    "form") {
  constexpr unsigned rows = 128, columns = 448, pitch = 456;
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    // The halves 0, 1/2, 1 and 3/2. Their sums are exact in float.
    std::vector<unsigned short> x(rows * pitch);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::array<unsigned short, 4>{0, 0x3800, 0x3c00, 0x3e00}[(i * 13 + i / 101) % 4];
    auto* const in = m.put(x);
    auto* const by_hand = m.put(std::vector<float>(rows, -1));
    auto* const by_axe = m.put(std::vector<float>(rows, -1));
    m.launch("row_sums_by_hand", {rows / 64, 1, 1}, 128, {in, by_hand, columns, pitch});
    auto const executed_by_hand = m.executed;
    axe::tensor<unsigned short const, whole_tiles, axe::aligned<16>> const source(in, rows, columns,
                                                                                  pitch);
    m.launch("row_sums", {rows / 64, 1, 1}, 128,
             {source, axe::tensor<float, axe::row_major<1>>(by_axe, rows)});
    std::vector<float> const sums = m.get(by_axe, rows);
    CHECK(sums == m.get(by_hand, rows));
    float first = 0;
    for (unsigned c = 0; c < columns; ++c) first += static_cast<float>((c * 13 + c / 101) % 4) / 2;
    CHECK(sums[0] == first);
    CAPTURE(target, executed_by_hand);
    CHECK(m.executed <= executed_by_hand);
  }
}

TEST_CASE("a loop of products sets its accumulator to zero once") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    std::string const text = text_of("prepared", target);
    std::size_t const begin = text.find("row_sums_of_warp(");
    std::string const kernel = text.substr(begin, text.find(".entry", begin) - begin);
    // nvcc emits one mov of 1, and at most 5 mov of 0 to the four registers of the accumulator.
    std::size_t moves = 0;
    for (std::size_t i = kernel.find("mov.f32"); i < kernel.size(); ++moves)
      i = kernel.find("mov.f32", i + 1);
    CAPTURE(target);
    CHECK(moves > 0);
    CHECK(moves <= 6);
  }
}

TEST_CASE("prepared copies of partial tiles are right") {
  constexpr int rows = 37, columns = 101, pitch = 104;
  auto const in = numbered(rows * pitch);
  auto const value = [&](int r, int c) {
    bool const in_bounds = r >= 0 && r < rows && c >= 0 && c < columns;
    return in_bounds ? in[static_cast<std::size_t>(r * pitch + c)] : static_cast<unsigned short>(0);
  };
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    auto* const from = m.put(in);
    auto* const to = m.put(std::vector<unsigned short>(rows * pitch, 9));
    m.launch("down", {2, 1, 1}, 64,
             {aligned_input(from, rows, columns, pitch), output(to, rows, columns, pitch)});
    auto const out = m.get(to, rows * pitch);
    int wrong = 0;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < pitch; ++c)
        wrong += out[static_cast<std::size_t>(r * pitch + c)] != (c < columns ? value(r, c) : 9);
    CHECK(wrong == 0);

    std::vector<unsigned> const numbers{36, 0, 17, 17, 5};
    auto* const chosen = m.put(std::vector<unsigned short>(5 * pitch, 9));
    m.launch("chosen_rows", {1, 1, 1}, 32,
             {aligned_input(from, rows, columns, pitch), output(chosen, 5, columns, pitch),
              m.put(numbers)});
    auto const some = m.get(chosen, 5 * pitch);
    wrong = 0;
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c < columns; ++c)
        wrong += some[static_cast<std::size_t>(r * pitch + c)] !=
                 value(static_cast<int>(numbers[static_cast<std::size_t>(r)]), c);
    CHECK(wrong == 0);

    auto* const again = m.put(std::vector<unsigned short>(48 * 64, 9));
    m.launch("down_from_above", {1, 1, 1}, 32,
             {input(from, rows, columns, pitch), output(again, 48, 64)});
    auto const moved = m.get(again, 48 * 64);
    wrong = 0;
    for (int r = 0; r < 48; ++r)
      for (int c = 0; c < 64; ++c)
        wrong += moved[static_cast<std::size_t>(r * 64 + c)] != value(r - 3, c - 5);
    CHECK(wrong == 0);
  }
}

TEST_CASE(
    "a loop that counts steps in an unsigned executes no more instructions than with an int") {
  constexpr unsigned rows = 70, columns = 240, pitch = 248;
  auto const in = numbered(rows * pitch);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    whole_rows const source(m.put(in), rows, columns, pitch);
    auto* const to = m.put(std::vector<unsigned>(128));
    m.launch("add_by_int", {1, 1, 1}, 128, {source, to});
    auto const by_int = m.executed;
    m.launch("add_by_unsigned", {1, 1, 1}, 128, {source, to});
    CAPTURE(target, by_int);
    CHECK(m.executed <= by_int);
    auto const sums = m.get(to, 128);
    for (unsigned t = 0; t < 128; ++t) {
      unsigned sum = 0;
      for (unsigned r = t / 32; r < rows; r += 4)
        for (unsigned c = t % 32 * 8; c < t % 32 * 8 + 8 && c < columns; ++c)
          sum += in[r * pitch + c];
      CHECK(sums[t] == sum);
    }
  }
}

TEST_CASE("tensor copies of tiles at any origin are right") {
  constexpr int rows = 37, columns = 101, pitch = 104;
  auto const in = numbered(rows * pitch);
  for (char const* target : axe_test::compiled_for({"sm_90a"}))
    for (auto const& [row, column] : {std::array{-3, -8}, {0, 0}, {30, 16}, {-20, 8}}) {
      loaded m("prepared", target);
      aligned_input const source(m.put(in), rows, columns, pitch);
      machine::argument const map = map_of<aligned_input>(
          source.data, {rows, columns, pitch}, axe::element_type::u16, {16, 64}, swizzled::value);
      auto* const to = m.put(std::vector<unsigned short>(16 * 192, 9));
      m.launch("boxes", {1, 1, 1}, 64, {map, source, output(to, 16, 192), row, column});
      auto const out = m.get(to, 16 * 192);
      int wrong = 0;
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 192; ++j) {
          int const r = row + i, c = column + j;
          bool const in_bounds = r >= 0 && r < rows && c >= 0 && c < columns;
          wrong += out[static_cast<std::size_t>(192 * i + j)] !=
                   (in_bounds ? in[static_cast<std::size_t>(r * pitch + c)] : 0);
        }
      CAPTURE(target, row, column);
      CHECK(wrong == 0);
    }
}

TEST_CASE("a warp loads operands by TMA for a warpgroup that multiplies them") {
  constexpr int rows = 70, columns = 130, depth = 328;
  using halves = axe::tensor<unsigned short const, axe::row_major<2>, axe::aligned<16>>;
  using box = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
  // -1, 0 and 1 as halves
  auto const value = [](int row, int k, int of) { return (row * of + 3 * k) % 5 % 3 - 1; };
  auto const matrix = [&](int count, int of) {
    std::vector<unsigned short> v;
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < depth; ++k)
        v.push_back(static_cast<unsigned short>(value(i, k, of) == 0  ? 0
                                                : value(i, k, of) < 0 ? 0xbc00
                                                                      : 0x3c00));
    return v;
  };
  for (char const* target : axe_test::compiled_for({"sm_90a"})) {
    loaded m("prepared", target);
    halves const A(m.put(matrix(rows, 7)), rows, depth),
        B(m.put(matrix(columns, 11)), columns, depth);
    auto const map = [&](halves const& of, int count) {
      return map_of<halves>(of.data, {count, depth, depth}, axe::element_type::f16, {64, 64},
                            box::value);
    };
    auto* const to = m.put(std::vector<float>(rows * columns, -99));
    machine::argument const map_a = map(A, rows), map_b = map(B, columns);
    m.launch("product_of_boxes", {3, 2, 1}, 160,
             {map_a, map_b, A, B, axe::tensor<float, axe::row_major<2>>(to, rows, columns)});
    auto const out = m.get(to, rows * columns);
    int wrong = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        int sum = 0;
        for (int k = 0; k < depth; ++k) sum += value(i, k, 7) * value(j, k, 11);
        wrong += out[static_cast<std::size_t>(i * columns + j)] != static_cast<float>(sum);
      }
    CAPTURE(target);
    CHECK(wrong == 0);
  }
}

TEST_CASE("prepared copies of a tensor with divided coordinates are right") {
  constexpr int rows = 10, width = 7, apart = 9, pitch = 64, columns = 5 * width;
  auto const in = numbered(rows * pitch);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    auto* const to = m.put(std::vector<unsigned short>(12 * 64, 9));
    m.launch(
        "divided_columns", {1, 1, 1}, 64,
        {divided(m.put(in), rows, pitch, columns / width, apart, width), output(to, 12, 64, 64)});
    auto const out = m.get(to, 12 * 64);
    int wrong = 0;
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 64; ++c) {
        std::size_t const at = static_cast<std::size_t>(r * pitch + c / width * apart + c % width);
        wrong += out[static_cast<std::size_t>(64 * r + c)] !=
                 (r < rows && c < columns ? in[at] : static_cast<unsigned short>(0));
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a prepared copy of a window adds its step once") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    unsigned const rows = 4, columns = 7, channels = 72;
    auto const in = numbered(rows * columns * channels);
    auto *const from = m.put(in), *const to = m.put(std::vector<unsigned short>(in.size()));
    m.launch("windows", {2, rows, 1}, 32,
             {images<unsigned short const>(from, rows, columns, channels),
              images<unsigned short>(to, rows, columns, channels)});
    auto const out = m.get(to, in.size());
    std::size_t wrong = 0;
    for (unsigned y = 0; y < rows; ++y)
      for (unsigned x = 0; x < columns; ++x)
        for (unsigned c = 0; c < channels; ++c) {
          unsigned sum = 0;
          for (unsigned v = y == 0 ? 0 : y - 1; v < rows && v <= y + 1; ++v)
            for (unsigned u = x == 0 ? 0 : x - 1; u < columns && u <= x + 1; ++u)
              sum += in[(v * columns + u) * channels + c];
          wrong += out[(y * columns + x) * channels + c] != static_cast<unsigned short>(sum);
        }
    CAPTURE(target);
    CHECK(wrong == 0);
    std::string const text = text_of("prepared", target);
    std::size_t const begin = text.find("nounroll", text.find(".entry windows("));
    std::string const loop = text.substr(begin, text.find("ret;", begin) - begin);
    int additions = 0;
    for (std::size_t i = loop.find("add.s64"); i != std::string::npos; ++additions)
      i = loop.find("add.s64", i + 1);
    CHECK(additions <= 14);  // one of each of nine accesses has no stride, four have two
  }
}

TEST_CASE("steps before the first plane and after the last copy zeros") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    unsigned const planes = 5, plane = 3 * 56;
    auto const in = numbered(planes * plane);
    auto *const from = m.put(in), *const to = m.put(std::vector<unsigned short>(in.size()));
    m.launch("planes", {1, 1, 1}, 32,
             {images<unsigned short const>(from, planes, 3, 56),
              images<unsigned short>(to, planes, 3, 56)});
    auto const out = m.get(to, in.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      int const below = i < plane ? 0 : in[i - plane];
      int const above = i + plane < in.size() ? in[i + plane] : 0;
      wrong += out[i] != static_cast<unsigned short>(below + 2 * in[i] + above);
    }
    CAPTURE(target);
    CHECK(wrong == 0);
  }
}

TEST_CASE("prepared copies of tiles of three dimensions are right, and doubles stay 64-bit words") {
  std::vector<double> in(8 * 8 * 16);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<double>(k) + 1;
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("prepared", target);
    auto *const from = m.put(in), *const to = m.put(std::vector<double>(in.size()));
    using box = axe::tensor<double, axe::row_major<3, 8, 16>, axe::aligned<16>>;
    m.launch("deep_tiles", {1, 1, 1}, 64, {box(from, 8), box(to, 8)});
    auto const out = m.get(to, in.size());
    for (std::size_t k = 0; k < in.size(); ++k) {
      bool const copied = (k < in.size() / 2) == (k / 64 % 2 == 1);
      CAPTURE(target, k);
      CHECK(out[k] == (copied ? in[k] : 0));
    }
    // If a double were two 32-bit registers, ptxas would move both before a product.
    CHECK(text_of("prepared", target).find("ld.shared.v2.u32") == std::string::npos);
  }
}
