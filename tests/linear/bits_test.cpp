// Tests matrices over F2 entry by entry: all matrices of up to 3 by 3 bits, random ones of up to 64
// by 64, and a few at compile time.
#include "support/catch.hpp"

#include <axe/linear/engine/bit_space.hpp>

#include <random>
#include <set>

namespace {

using axe::bit_matrix;
using axe::bit_space;
using axe::bit_word;

constexpr bit_matrix matrix(int rows, int columns, unsigned entries) {
  bit_matrix m(rows, columns);
  for (int c = 0; c < columns; ++c) m.column[c] = (entries >> (c * rows)) & ((1u << rows) - 1);
  return m;
}

// The image of x, computed row by row without operator().
constexpr bit_word walked(bit_matrix const& m, bit_word x) {
  bit_word y = 0;
  for (int r = 0; r < m.rows; ++r) {
    int sum = 0;
    for (int c = 0; c < m.columns; ++c) sum += m.at(r, c) && ((x >> c) & 1) != 0 ? 1 : 0;
    if (sum % 2 != 0) y |= bit_word{1} << r;
  }
  return y;
}

/// The matrix that maps each image of m to its smallest input.
constexpr bit_matrix least_inputs(bit_matrix const& m) {
  axe::bit_solver const of(m);
  bit_matrix p(m.columns, m.rows);
  for (int r = 0; r < m.rows; ++r) p.column[r] = of.image.label[r];
  return p;
}

// Checks rank, kernel, image and solutions of a small matrix with every input. Returns the name of
// what is wrong, or null.
constexpr char const* disagreement(bit_matrix const& m) {
  axe::bit_solver const solver(m);
  bit_matrix const p = least_inputs(m);
  int zeros = 0;
  for (bit_word x = 0; x < bit_word{1} << m.columns; ++x) {
    bit_word const y = walked(m, x);
    if (m(x) != y) return "apply";
    zeros += y == 0 ? 1 : 0;
    if (axe::kernel(m).contains(x) != (y == 0)) return "kernel";
    if (!axe::image(m).contains(y)) return "image misses a reached vector";
    bit_word least = 0;
    while (walked(m, least) != y) ++least;
    bit_word solved = 0;
    if (!solver.solve(y, solved) || solved != least) return "solve is not the least solution";
    if (p(y) != least) return "label is not the least input";
  }
  if ((1 << (m.columns - axe::rank(m))) != zeros) return "rank";
  for (bit_word y = 0; y < bit_word{1} << m.rows; ++y) {
    bool reached = false;
    for (bit_word x = 0; x < bit_word{1} << m.columns; ++x) reached = reached || walked(m, x) == y;
    bit_word solved = 0;
    if (solver.solve(y, solved) != reached)
      return "solve is wrong about the existence of a solution";
    if (axe::image(m).contains(y) != reached) return "image";
    if (reached && y != 0 && axe::complement(axe::image(m), m.rows).contains(y))
      return "complement";
  }
  if (!(m * p * m == m)) return "m p m is not m, where p maps images to their smallest inputs";
  if (axe::complement(axe::image(m), m.rows).dimension() != m.rows - axe::rank(m))
    return "complement has another dimension";
  if (m.columns == m.rows && axe::rank(m) == m.rows && !(m * p == bit_matrix::identity(m.rows)))
    return "inverse";
  return nullptr;
}

// Compares the sum, the remainders and the equality of two subspaces of F2^3 with all eight
// vectors.
constexpr char const* disagreement(bit_matrix const& a, bit_matrix const& b) {
  bit_space const s = axe::image(a);
  bit_space const t = axe::image(b);
  bit_space const sum = s + t;
  bool same = true;
  for (bit_word v = 0; v < 8; ++v) {
    bool is_sum = false;
    for (bit_word w = 0; w < 8; ++w) is_sum = is_sum || (s.contains(w) && t.contains(v ^ w));
    if (sum.contains(v) != is_sum) return "sum";
    same = same && s.contains(v) == t.contains(v);
    bit_word least = v;
    for (bit_word w = 0; w < 8; ++w)
      if (s.contains(v ^ w) && w < least) least = w;
    if (s.remainder(v) != least) return "remainder is not the least";
  }
  if ((s == t) != same) return "== differs from a comparison of all vectors";
  return nullptr;
}

constexpr char const* every(int rows, int columns) {
  for (unsigned entries = 0; entries < 1u << (rows * columns); ++entries)
    if (char const* wrong = disagreement(matrix(rows, columns, entries))) return wrong;
  return nullptr;
}

static_assert(every(2, 2) == nullptr);
static_assert(disagreement(matrix(3, 3, 0b011'110'101)) == nullptr,
              "column 2 is the sum of the others");
static_assert(disagreement(matrix(2, 3, 0b11'10'01)) == nullptr);
static_assert(disagreement(matrix(3, 2, 0b110'011), matrix(3, 2, 0b101'001)) == nullptr);
static_assert(disagreement(matrix(3, 2, 0b110'011), matrix(3, 2, 0b101'011)) == nullptr,
              "two bases of one plane");
static_assert(axe::rank(bit_matrix::identity(64)) == 64 &&
              axe::kernel(bit_matrix::identity(64)).dimension() == 0);
static_assert(axe::image(bit_matrix::identity(64)).remainder(~bit_word{0}) == 0);
static_assert(axe::detail::highest_bit(0) == -1 && axe::detail::highest_bit(1) == 0 &&
              axe::detail::highest_bit(~bit_word{0}) == 63 && axe::detail::lowest_bit(0b1000) == 3);

TEST_CASE("operations on every matrix of up to 3 by 3 bits are right") {
  for (int rows = 0; rows <= 3; ++rows)
    for (int columns = 0; columns <= 3; ++columns) {
      char const* const wrong = every(rows, columns);
      INFO(rows << " by " << columns << ": " << (wrong == nullptr ? "" : wrong));
      CHECK(wrong == nullptr);
    }
}

TEST_CASE("operations on every pair of subspaces of three bits are right") {
  for (unsigned a = 0; a < 512; ++a)
    for (unsigned b = 0; b < 512; ++b) {
      char const* const wrong = disagreement(matrix(3, 3, a), matrix(3, 3, b));
      if (wrong != nullptr) FAIL(a << ", " << b << ": " << wrong);
    }
}

TEST_CASE("products and inverses of large random matrices are right") {
  std::mt19937_64 random{5};
  for (int turn = 0; turn < 2000; ++turn) {
    int const n = 1 + static_cast<int>(random() % 64);
    int const k = 1 + static_cast<int>(random() % 64);
    bit_matrix a(n, k);
    bit_matrix b(k, n);
    for (int c = 0; c < k; ++c) a.column[c] = random() & axe::detail::low_bits(n);
    for (int c = 0; c < n; ++c) b.column[c] = random() & axe::detail::low_bits(k);
    bit_matrix const ab = a * b;
    for (int i = 0; i < 8; ++i) {
      bit_word const x = random() & axe::detail::low_bits(n);
      REQUIRE(ab(x) == walked(a, walked(b, x)));
    }
    bit_matrix const p = least_inputs(a);
    REQUIRE(a * p * a == a);
    REQUIRE(axe::rank(a) + axe::kernel(a).dimension() == k);
    bit_matrix const zero = a * axe::kernel(a).basis(k);
    REQUIRE(axe::rank(zero) == 0);
  }
}

}  // namespace
