// Runs copy_if, gather, scatter and atomic_add on the PTX machine (tests/machine), and compares
// their results with those of plain loops.
#include "on_machine.hpp"
#include "tensors.hpp"

#include <algorithm>
#include <bit>

using namespace loops;

namespace {

constexpr int rows = 13, columns = 61, pitch = 64;

std::vector<unsigned short> numbered() {
  std::vector<unsigned short> v(rows * pitch);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned short>(i * 3 + 1);
  return v;
}
std::size_t at(int r, int c) { return static_cast<std::size_t>(r * pitch + c); }

/// The number of elements of a 16 x 64 tile that differ from wanted(row, column).
template <class Wanted> int wrong_in(std::vector<unsigned short> const& out, Wanted const& wanted) {
  int wrong = 0;
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 64; ++c) wrong += out[at(r, c)] != wanted(r, c);
  return wrong;
}

/// The bits of a small whole number as a half and as a bfloat16.
unsigned short half_of(float x) {
  unsigned const bits = std::bit_cast<unsigned>(x);
  return static_cast<unsigned short>(x == 0 ? 0 : (bits >> 13) - (112u << 10));
}
unsigned short bfloat_of(float x) {
  return static_cast<unsigned short>(std::bit_cast<unsigned>(x) >> 16);
}

/// The number of wrong sums among 8 x 32. A sum in bounds (6 x 27) must be 1 + (row + column) mod
/// 16, and any other sum 1.
template <class T, class Bits>
int wrong_sums(char const* target, char const* entry, Bits const& bits) {
  loaded m("choosing", target);
  auto* const sums = m.put(std::vector<T>(8 * 32, bits(1)));
  axe::tensor<T, axe::row_major<2>, axe::aligned_rows<16>> const tensor(sums, 6, 27, 32);
  m.launch(entry, {1, 1, 1}, 32, {tensor});
  auto const out = m.get(sums, 8 * 32);
  int wrong = 0;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 32; ++c)
      wrong += out[static_cast<std::size_t>(32 * r + c)] !=
               bits(r < 6 && c < 27 ? static_cast<float>(1 + (r + c) % 16) : 1.0f);
  return wrong;
}

}  // namespace

TEST_CASE("copy_if copies only the chosen elements") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto const in = numbered();
    aligned_input const source(m.put(in), rows, columns, pitch);
    auto const value = [&](int r, int c) { return r < rows && c < columns ? in[at(r, c)] : 0; };
    auto* const to = m.put(std::vector<unsigned short>(16 * 64, 9));
    whole_rows const out(to, 16, 64);
    m.launch("chosen_rows", {1, 1, 1}, 64, {source, out, 5u});
    CHECK(wrong_in(m.get(to, 16 * 64), [&](int r, int c) {
            return r % 4 == 3 ? 9 : r < 5 ? value(r, c) : 0;
          }) == 0);

    auto* const again = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("chosen_elements", {1, 1, 1}, 32, {source, whole_rows(again, 16, 64)});
    CHECK(wrong_in(m.get(again, 16 * 64), [&](int r, int c) {
            return c <= 3 * r && r < rows && c < columns ? in[at(r, c)] : 9;
          }) == 0);

    std::vector<unsigned short> whole(16 * 64);
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<unsigned short>(i + 10);
    auto* const there = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("chosen_of_shared", {1, 1, 1}, 64,
             {whole_rows(m.put(whole), 16, 64), whole_rows(there, 16, 64)});
    CHECK(wrong_in(m.get(there, 16 * 64),
                   [&](int r, int c) { return c <= 3 * r ? whole[at(r, c)] : 9; }) == 0);
  }
}

TEST_CASE("copy_if from a fragment computes the predicate of an access just before its stores") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"})) {
    loaded m("choosing", target);
    auto const in = numbered();
    whole_rows const source(m.put(in), rows, pitch);
    auto const check = [&](char const* entry, auto tensor_of, int width) {
      auto* const to = m.put(std::vector<unsigned short>(16 * 64, 9));
      m.launch(entry, {1, 1, 1}, 32, {source, tensor_of(to)});
      CAPTURE(target, entry);
      CHECK(wrong_in(m.get(to, 16 * 64), [&](int r, int c) {
              return c <= 3 * r && r < rows && c < width ? in[at(r, c)] : 9;
            }) == 0);
    };
    check("chosen_of_fragment", [](auto* to) { return whole_rows(to, rows, pitch); }, pitch);
    check(
        "chosen_of_fragment_partial", [](auto* to) { return output(to, rows, columns, pitch); },
        columns);
    // If all predicates are computed before the first store, nvcc emits 617 to 649 instructions.
    CHECK(axe_test::times(text_of("choosing", target), "chosen_of_fragment", ";\n") <= 520);
  }
}

TEST_CASE("gather and scatter copy the rows that a table names") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto const in = numbered();
    auto* const from = m.put(in);
    std::vector<int> const table{3, 12, -1, 0, 7, 7, -5, 1, 2, 11, 4, 5, 6, 8, -1, 9};
    auto* const index = m.put(table);
    auto* const to = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("gathered", {1, 1, 1}, 64,
             {aligned_input(from, rows, columns, pitch), whole_rows(to, 16, 64), index});
    CHECK(wrong_in(m.get(to, 16 * 64), [&](int r, int c) {
            int const row = table[static_cast<std::size_t>(r)];
            return row >= 0 && c < columns ? in[at(row, c)] : 0;
          }) == 0);

    for (bool const zero : {true, false}) {
      auto* const there = m.put(std::vector<unsigned short>(16 * 64, 9));
      whole_rows const out(there, 16, 64);
      if (zero)
        m.launch("gathered_async", {1, 1, 1}, 64,
                 {aligned_input(from, rows, columns, pitch), out, index});
      else
        m.launch("gathered_async_without_fill", {1, 1, 1}, 64,
                 {whole_rows(from, rows, 64), out, index});
      CHECK(wrong_in(m.get(there, 16 * 64), [&](int r, int c) {
              int const row = table[static_cast<std::size_t>(r)];
              return row < 0 ? (zero ? 0 : 9) : c < columns || !zero ? in[at(row, c)] : 0;
            }) == 0);
    }

    std::vector<int> const targets{3, 12, -1, 0, 7, 15, -5, 1, 2, 11, 4, 5, 6, 8, 14, 9};
    auto* const into = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("scattered", {1, 1, 1}, 64,
             {aligned_input(m.put(std::vector<unsigned short>(16 * 64, 5)), 16, 64, 64),
              whole_rows(into, 16, 64), m.put(targets)});
    CHECK(wrong_in(m.get(into, 16 * 64), [&](int r, int) {
            return std::count(targets.begin(), targets.end(), r) != 0 ? 5 : 9;
          }) == 0);

    auto* const whole = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("scattered_with_zeros", {1, 1, 1}, 64,
             {aligned_input(m.put(numbered()), rows, columns, pitch), whole_rows(whole, 16, 64),
              m.put(targets)});
    CHECK(wrong_in(m.get(whole, 16 * 64), [&](int r, int c) {
            auto const found = std::find(targets.begin(), targets.end(), r) - targets.begin();
            if (found == 16) return 9;
            int const row = static_cast<int>(found);
            return row < rows && c < columns ? static_cast<int>(numbered()[at(row, c)]) : 0;
          }) == 0);
  }
}

TEST_CASE("gather copies pages by a table of pairs") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    std::vector<unsigned short> in(5 * 512);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned short>(i);
    std::vector<int> const pairs{3, 0, -1, 1, 4, 2, 0, 4};
    auto* const out = m.put(std::vector<unsigned short>(5 * 512, 9));
    m.launch("copied_pages", {4, 1, 1}, 32, {pages(m.put(in), 5), pages(out, 5), m.put(pairs)});
    std::vector<unsigned short> wanted(5 * 512, 9);
    for (std::size_t p = 0; p < pairs.size(); p += 2)
      if (pairs[p] >= 0)
        std::copy_n(in.begin() + 512 * pairs[p], 512, wanted.begin() + 512 * pairs[p + 1]);
    CHECK(m.get(out, 5 * 512) == wanted);
  }
}

TEST_CASE("atomic_add of four warps adds four times") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto* const sums = m.put(std::vector<float>(7 * 16, 1));
    auto* const counts = m.put(std::vector<int>(8 * 16, -1));
    m.launch("added", {1, 1, 1}, 128,
             {axe::tensor<float, axe::row_major<2>>(sums, 7, 15, 16),
              axe::tensor<int, axe::row_major<2>>(counts, 8, 16)});
    auto const out = m.get(sums, 7 * 16);
    int wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != (i % 16 == 15 ? 1.0f : 9.0f);
    CHECK(wrong == 0);
    CHECK(m.get(counts, 8 * 16) == std::vector<int>(8 * 16, 10));
  }
}

TEST_CASE("atomic_add of floats, halves and bfloat16s is right, and uses vectors on sm_90a") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    bool const vectors = std::string(target) == "sm_90a";
    std::string const text = text_of("choosing", target);
    auto const has = [&](char const* what) { return text.find(what) != std::string::npos; };
    CHECK(has(".add.v4.f32") == vectors);
    CHECK(has("red.global.add.noftz.v4.f16x2") == vectors);
    CHECK(has("red.global.add.noftz.v4.bf16x2") == vectors);
    CHECK(has("red.global.add.noftz.f16x2") != vectors);
    CHECK(has("atom.global.cas.b32") != vectors);  // pairs of bf16
    CHECK(wrong_sums<float>(target, "added_floats", [](float x) { return x; }) == 0);
    CHECK(wrong_sums<unsigned short>(target, "added_halves", half_of) == 0);
    CHECK(wrong_sums<unsigned short>(target, "added_bfloats", bfloat_of) == 0);
  }
}

TEST_CASE("elements of shared memory are read and written by their coordinates") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto* const to = m.put(std::vector<unsigned>(768, 999));
    m.launch("elements_of_shared", {1, 1, 1}, 256, {to});
    auto const out = m.get(to, 768);
    int wrong = 0;
    for (unsigned i = 0; i < 256; ++i) {
      wrong += out[i] != i % 16 * 16 + i / 16;
      wrong += out[256 + i] != (15 - i / 16) * 16 + i % 16;
      wrong += out[512 + i] != i / 16 * 16 + 15 - i % 16;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("reinterpret keeps each element of an accumulator at its coordinate") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto* const to = m.put(std::vector<unsigned short>(16 * 16, 999));
    m.launch("as_operand", {1, 1, 1}, 32, {whole_rows(to, 16, 16)});
    auto const out = m.get(to, 16 * 16);
    int wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) wrong += out[i] != i;
    CHECK(wrong == 0);
  }
}
