// Chosen elements, indexed rows and atomic sums are those that plain loops give.
#include "on_machine.hpp"
#include "tensors.hpp"

#include <algorithm>

using namespace loops;

namespace {

constexpr int rows = 13, columns = 61, pitch = 64;

std::vector<unsigned short> numbered() {
  std::vector<unsigned short> v(rows * pitch);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<unsigned short>(i * 3 + 1);
  return v;
}
std::size_t at(int r, int c) { return static_cast<std::size_t>(r * pitch + c); }

/// How many elements of a 16 x 64 tile are not wanted(row, column).
template <class Wanted> int wrong_in(std::vector<unsigned short> const& out, Wanted const& wanted) {
  int wrong = 0;
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 64; ++c) wrong += out[at(r, c)] != wanted(r, c);
  return wrong;
}

}  // namespace

TEST_CASE("copies of chosen elements") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto const in = numbered();
    lined const source(m.put(in), rows, columns, pitch);
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
  }
}

TEST_CASE("gather and scatter by a table") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    loaded m("choosing", target);
    auto const in = numbered();
    auto* const from = m.put(in);
    std::vector<int> const table{3, 12, -1, 0, 7, 7, -5, 1, 2, 11, 4, 5, 6, 8, -1, 9};
    auto* const index = m.put(table);
    auto* const to = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("gathered", {1, 1, 1}, 64,
             {lined(from, rows, columns, pitch), whole_rows(to, 16, 64), index});
    CHECK(wrong_in(m.get(to, 16 * 64), [&](int r, int c) {
            int const row = table[static_cast<std::size_t>(r)];
            return row >= 0 && c < columns ? in[at(row, c)] : 0;
          }) == 0);

    for (bool const zero : {true, false}) {
      auto* const there = m.put(std::vector<unsigned short>(16 * 64, 9));
      whole_rows const out(there, 16, 64);
      if (zero)
        m.launch("gathered_async", {1, 1, 1}, 64, {lined(from, rows, columns, pitch), out, index});
      else
        m.launch("gathered_where_named", {1, 1, 1}, 64, {whole_rows(from, rows, 64), out, index});
      CHECK(wrong_in(m.get(there, 16 * 64), [&](int r, int c) {
              int const row = table[static_cast<std::size_t>(r)];
              return row < 0 ? (zero ? 0 : 9) : c < columns || !zero ? in[at(row, c)] : 0;
            }) == 0);
    }

    std::vector<int> const places{3, 12, -1, 0, 7, 15, -5, 1, 2, 11, 4, 5, 6, 8, 14, 9};
    auto* const into = m.put(std::vector<unsigned short>(16 * 64, 9));
    m.launch("scattered", {1, 1, 1}, 64,
             {lined(m.put(std::vector<unsigned short>(16 * 64, 5)), 16, 64, 64),
              whole_rows(into, 16, 64), m.put(places)});
    CHECK(wrong_in(m.get(into, 16 * 64), [&](int r, int) {
            return std::count(places.begin(), places.end(), r) != 0 ? 5 : 9;
          }) == 0);
  }
}

TEST_CASE("fragments are added atomically") {
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

TEST_CASE("an accumulator is the next product's operand") {
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
