// Compares ldmatrix, stmatrix and movmatrix with the definitions of the ISA and with the fragments
// of mma.sync.
#include "tensor/matrix_move.hpp"

#include <array>
#include <cstring>

#include "mma_positions.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;

namespace {

using lanes = std::vector<std::uint32_t>;

struct memory {
  std::vector<std::byte> bytes = std::vector<std::byte>(8192);
  std::uint16_t half(std::size_t address) const {
    std::uint16_t value;
    std::memcpy(&value, bytes.data() + address, 2);
    return value;
  }
};

std::vector<lanes> load(int count, bool transposed, memory const& from, lanes const& addresses) {
  std::vector<lanes> result(static_cast<std::size_t>(count), lanes(32));
  std::vector<std::uint32_t*> pointers;
  for (auto& each : result) pointers.push_back(each.data());
  ldmatrix(count, transposed, from.bytes, addresses.data(), pointers.data());
  return result;
}

// Returns 32 row addresses, distinct multiples of 16 in random order.
lanes scattered(bit_stream& bits) {
  lanes rows(512);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(16 * i);
  for (std::size_t i = rows.size() - 1; i > 0; --i)
    std::swap(rows[i], rows[static_cast<std::size_t>(bits.below(static_cast<int>(i)))]);
  rows.resize(32);
  return rows;
}

}  // namespace

TEST_CASE("ldmatrix: lane l has two elements of row l / 4, with .trans of column l / 4") {
  bit_stream bits(5);
  memory shared;
  for (auto& byte : shared.bytes) byte = static_cast<std::byte>(bits.next());
  for (int count : {1, 2, 4})
    for (bool transposed : {false, true}) {
      lanes const addresses = scattered(bits);
      std::vector<lanes> const got = load(count, transposed, shared, addresses);
      std::vector<lanes> want(static_cast<std::size_t>(count), lanes(32));
      for (int q = 0; q < count; ++q)
        for (int lane = 0; lane < 32; ++lane)
          for (int i = 0; i < 2; ++i) {
            int const row = transposed ? 2 * (lane % 4) + i : lane / 4;
            int const column = transposed ? lane / 4 : 2 * (lane % 4) + i;
            std::uint32_t const start = addresses[static_cast<std::size_t>(8 * q + row)];
            want[static_cast<std::size_t>(q)][static_cast<std::size_t>(lane)] |=
                static_cast<std::uint32_t>(
                    shared.half(start + 2 * static_cast<std::size_t>(column)))
                << (16 * i);
          }
      CHECK(!first_difference(got, want));
      CHECK(notices_each_flipped_bit(want));
    }
}

TEST_CASE("stmatrix undoes ldmatrix, with and without .trans") {
  bit_stream bits(6);
  for (int count : {1, 2, 4})
    for (bool transposed : {false, true}) {
      memory shared;
      lanes const addresses = scattered(bits);
      std::vector<lanes> source(static_cast<std::size_t>(count), lanes(32));
      std::vector<std::uint32_t const*> pointers;
      for (auto& each : source) {
        for (auto& word : each) word = static_cast<std::uint32_t>(bits.next());
        pointers.push_back(each.data());
      }
      stmatrix(count, transposed, shared.bytes, addresses.data(), pointers.data());
      CHECK(!first_difference(load(count, transposed, shared, addresses), source));
      for (int q = 0; q < count; ++q)
        for (int lane = 0; lane < 32; ++lane) {
          auto const row = static_cast<std::size_t>(transposed ? 2 * (lane % 4) : lane / 4);
          auto const column = static_cast<std::size_t>(transposed ? lane / 4 : 2 * (lane % 4));
          std::uint32_t const word =
              source[static_cast<std::size_t>(q)][static_cast<std::size_t>(lane)];
          CHECK(shared.half(addresses[8 * static_cast<std::size_t>(q) + row] + 2 * column) ==
                (word & 0xffff));
        }
    }
}

TEST_CASE("movmatrix transposes, also in place; twice it is the identity") {
  bit_stream bits(7);
  lanes source(32), result(32);
  for (auto& word : source) word = static_cast<std::uint32_t>(bits.next());
  movmatrix(source.data(), result.data());
  auto const element_at = [](lanes const& from, int row, int column) {
    return (from[static_cast<std::size_t>(row * 4 + column / 2)] >> (16 * (column % 2))) & 0xffffu;
  };
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column)
      CHECK(element_at(result, row, column) == element_at(source, column, row));
  movmatrix(result.data(), result.data());
  CHECK(result == source);
}

TEST_CASE("ldmatrix.x4 of a 16x16 tile is the A fragment of m16n8k16") {
  memory shared;
  for (std::size_t i = 0; i < 256; ++i) {
    auto const value = static_cast<std::uint16_t>(i);
    std::memcpy(shared.bytes.data() + 2 * i, &value, 2);
  }
  // Matrix q is row half q % 2, column half q / 2. Lane 8 q + r supplies the address of row r.
  lanes addresses(32);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    addresses[lane] = (lane % 16) * 32 + lane / 16 * 16;
  std::vector<lanes> const got = load(4, false, shared, addresses);
  formula const a = [] {
    for (shape_case const& shape : shape_cases())
      if (shape.k == 16 && shape.types.front() == element::f16) return shape.a;
    return formula{};
  }();
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 8; ++i) {
      place const at = a(lane, i);
      std::uint32_t const value =
          (got[static_cast<std::size_t>(i / 2)][static_cast<std::size_t>(lane)] >> (16 * (i % 2))) &
          0xffff;
      CHECK(value == static_cast<std::uint32_t>(16 * at.row + at.column));
    }
}

TEST_CASE("the rejection of a misaligned or out-of-bounds row address names the lane") {
  lanes addresses(32, 16);
  CHECK(!refuse_matrix_rows(4, addresses.data(), 32));
  addresses[9] = 24;
  CHECK_THAT(*refuse_matrix_rows(2, addresses.data(), 4096),
             axe_test::contains_text("lane 9 gives row address 24"));
  // x1 uses the addresses of lanes 0 to 7 only.
  CHECK(!refuse_matrix_rows(1, addresses.data(), 4096));
  addresses[9] = 32;
  CHECK_THAT(*refuse_matrix_rows(4, addresses.data(), 32),
             axe_test::contains_text("outside the 32 bytes"));
}
