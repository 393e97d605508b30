// Tests copy kernels, compiled by nvcc, on the PTX machine (tests/machine). The sizes are not
// multiples of the tiles. Every element is checked, no access may be out of bounds, and
// conflict-free layouts have no bank conflicts.
#include "copy_kernels.hpp"

#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "support/targets.hpp"

namespace {

std::string text_of(std::string const& target) {
  return axe_test::ptx_of(AXE_PLAN_PTX, "copy_kernels", target);
}

struct launch {
  char const* entry;
  int rows, columns, threads;  // the extents of the tile, and the threads of a block
};

/// The extents of a matrix.
using extents = std::array<int, 2>;
/// Copies between matrices whose rows are `pitch` elements apart. Returns the number of wrong
/// elements in the destination. Elements that one matrix lacks, and the padding, must stay 0.
template <class T, class Matrix>
int wrong_between(std::string const& target, launch const& k, extents in_extents,
                  extents out_extents, int pitch, machine::kernel_counts* counts = nullptr) {
  machine::device device;
  machine::module program = machine::load(text_of(target), device);
  auto const size_of = [&](extents const& e) {
    return static_cast<std::size_t>(e[0]) * static_cast<std::size_t>(pitch);
  };
  auto const value = [&](std::size_t i) { return static_cast<T>(i % 251 + 1); };
  std::vector<T> in(size_of(in_extents)), out(size_of(out_extents), T{0});
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = value(i);
  std::uint64_t const from = device.allocate(in.size() * sizeof(T)),
                      to = device.allocate(out.size() * sizeof(T));
  device.copy_in(from, in.data(), in.size() * sizeof(T));
  device.copy_in(to, out.data(), out.size() * sizeof(T));
  copies::operands<T, Matrix> x;
  x.in = {reinterpret_cast<T const*>(from), Matrix(in_extents[0], in_extents[1], pitch)};
  x.out = {reinterpret_cast<T*>(to), Matrix(out_extents[0], out_extents[1], pitch)};
  machine::launch_options options;
  options.count = counts != nullptr;
  options.strict = true;
  auto const tiles = [&](int d, int by) {
    return static_cast<std::uint32_t>((std::max(in_extents[d], out_extents[d]) + by - 1) / by);
  };
  machine::result const result =
      program.launch(k.entry, {tiles(1, k.columns), tiles(0, k.rows), 1},
                     {static_cast<std::uint32_t>(k.threads), 1, 1}, {}, 0, {x}, options);
  if (counts != nullptr) *counts = *result.counts;
  device.copy_out(out.data(), to, out.size() * sizeof(T));
  int wrong = 0;
  for (int r = 0; r < out_extents[0]; ++r)
    for (int c = 0; c < pitch; ++c) {
      std::size_t const i = static_cast<std::size_t>(r) * static_cast<std::size_t>(pitch) +
                            static_cast<std::size_t>(c);
      bool const copied = r < in_extents[0] && c < std::min(in_extents[1], out_extents[1]);
      wrong += out[i] != (copied ? value(i) : T{0});
    }
  return wrong;
}
template <class T, class Matrix>
int wrong_after(std::string const& target, launch const& k, int rows, int columns, int pitch,
                machine::kernel_counts* counts = nullptr) {
  return wrong_between<T, Matrix>(target, k, {rows, columns}, {rows, columns}, pitch, counts);
}

template <class T, class Matrix> void check(launch const& k) {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (auto const& [rows, columns, pitch] :
         {std::array{64, 64, 64}, {1, 8, 16}, {65, 129, 144}, {70, 131, 144}, {129, 1, 16}}) {
      CAPTURE(target, k.entry, rows, columns);
      CHECK(wrong_after<T, Matrix>(target, k, rows, columns, pitch) == 0);
    }
}

}  // namespace

TEST_CASE("copies through shared memory store every element of matrices of any size") {
  check<unsigned short, copies::lined>({"swizzled", 64, 64, 128});
  check<unsigned short, copies::any>({"unaligned", 64, 64, 96});
  check<unsigned short, copies::lined>({"forced", 64, 64, 128});
  check<float, copies::lined>({"odd_rows", 33, 65, 100});
  check<double, copies::any>({"by_columns", 33, 65, 128});
  check<unsigned char, copies::lined>({"bytes", 16, 128, 64});
  check<float, copies::lined>({"to_rows_of_a_swizzle", 16, 32, 64});
  check<float, copies::lined>({"from_rows_of_a_swizzle", 16, 32, 64});
}

TEST_CASE("cache hints do not change the result") {
  check<unsigned char, copies::lined>({"read_once", 16, 64, 64});
  check<unsigned short, copies::lined>({"kept_in_l2", 16, 64, 64});
  check<unsigned short, copies::lined>({"groups_kept", 32, 64, 64});
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    std::string const ptx = text_of(target);
    for (char const* opcode :
         {"ld.global.nc.L1::no_allocate.v4.u32", "st.global.L1::no_allocate.v4.u32",
          "ld.global.L2::cache_hint.v4.u32", "st.global.L2::cache_hint.v4.u32",
          "cp.async.cg.shared.global.L2::cache_hint"}) {
      CAPTURE(target, opcode);
      CHECK(ptx.find(opcode) != std::string::npos);
    }
  }
}

TEST_CASE("copies without shared memory store every element") {
  check<float, copies::lined>({"direct", 8, 128, 64});
  check<float, copies::lined>({"by_given_threads", 8, 128, 32});
  check<float, copies::lined>({"in_one_row", 1, 64, 1});
  check<float, copies::lined>({"shared_by_lanes", 8, 4, 32});
  check<float, copies::lined>({"second_group", 64, 32, 256});
}

TEST_CASE("copies between matrices of different extents store the elements that both have") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"}))
    for (launch const& k : {launch{"direct", 8, 128, 64},
                            {"in_batches", 32, 128, 64},
                            {"by_given_threads", 8, 128, 32},
                            {"by_elements", 12, 40, 32}})
      for (auto const& [in, out] : {std::array{extents{65, 129}, extents{70, 131}},
                                    {extents{70, 131}, extents{65, 129}},
                                    {extents{21, 131}, extents{70, 47}},
                                    {extents{70, 47}, extents{21, 131}},
                                    {extents{1, 8}, extents{30, 144}}}) {
        CAPTURE(target, k.entry, in, out);
        CHECK(wrong_between<float, copies::lined>(target, k, in, out, 144) == 0);
      }
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"}))
    for (auto const& [in, out] : {std::array{extents{21, 44}, extents{30, 47}},
                                  {extents{30, 44}, extents{21, 42}},
                                  {extents{17, 36}, extents{17, 35}}}) {
      CAPTURE(target, in, out);
      CHECK(wrong_between<float, copies::any>(target, {"from_fours", 16, 32, 32}, in, out, 49) ==
            0);
    }
}

TEST_CASE("copies from whole tiles to partial ones store the elements of the target") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a", "sm_100a"}))
    for (launch const& k :
         {launch{"from_whole_tiles", 12, 40, 64}, {"from_prepared_tiles", 12, 40, 4}})
      for (auto const& out : {extents{72, 160}, {70, 131}, {61, 121}, {5, 160}, {1, 3}}) {
        CAPTURE(target, k.entry, out);
        CHECK(wrong_between<float, copies::lined>(target, k, {72, 160}, out, 160) == 0);
      }
}

TEST_CASE("copies by ldmatrix and stmatrix store every element") {
  check<unsigned short, copies::lined>({"matrices", 16, 64, 128});
  check<unsigned short, copies::lined>({"matrices_transposed", 16, 64, 128});
  check<unsigned char, copies::lined>({"matrices_of_bytes", 16, 32, 32});
  check<float, copies::lined>({"matrices_of_words", 16, 8, 32});
  check<unsigned short, copies::lined>({"warpgroup", 64, 64, 128});
}

TEST_CASE("cp.async of every size and bulk copies store every element") {
  check<unsigned short, copies::lined>({"groups", 32, 64, 64});
  check<float, copies::any>({"groups_of_words", 32, 64, 64});
  for (auto const& [rows, columns] : {std::array{16, 64}, {48, 192}})
    CHECK(wrong_after<float, copies::whole>("sm_90a", {"in_bulk", 16, 32, 32}, rows, columns,
                                            columns) == 0);
}

TEST_CASE("tiles that cut the iters of their tensor are copied element by element") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (int const groups : {1, 3, 7}) {
      machine::device device;
      machine::module program = machine::load(text_of(target), device);
      int const pitch = 25, apart = 8 * pitch + 32;
      auto const size = static_cast<std::size_t>(groups * apart);
      std::vector<float> in(size), out(size, 0.0f);
      for (std::size_t i = 0; i < size; ++i) in[i] = static_cast<float>(i + 1);
      std::uint64_t const from = device.allocate(4 * size), to = device.allocate(4 * size);
      device.copy_in(from, in.data(), 4 * size);
      device.copy_in(to, out.data(), 4 * size);
      copies::operands<float, copies::grouped_rows> x;
      x.in = {reinterpret_cast<float const*>(from), copies::grouped_rows(groups, pitch, apart)};
      x.out = {reinterpret_cast<float*>(to), copies::grouped_rows(groups, pitch, apart)};
      program.launch("across_groups", {1, static_cast<std::uint32_t>((8 * groups + 11) / 12), 1},
                     {96}, {}, 0, {x});
      device.copy_out(out.data(), to, 4 * size);
      int wrong = 0;
      for (std::size_t i = 0; i < size; ++i) {
        std::size_t const in_group = i % static_cast<std::size_t>(apart);
        bool const element = in_group < 8 * 25 && in_group % 25 < 24;
        wrong += out[i] != (element ? in[i] : 0.0f);
      }
      CAPTURE(target, groups);
      CHECK(wrong == 0);
    }
}

TEST_CASE("elements out of bounds of the source are zero") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (auto const& [rows, columns] : {std::array{16, 32}, {19, 45}, {1, 1}}) {
      machine::device device;
      machine::module program = machine::load(text_of(target), device);
      std::vector<float> in(static_cast<std::size_t>(rows) * 48, 1000.0f);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) in[static_cast<std::size_t>(r * 48 + c)] = 1;
      float sum = 0;
      std::uint64_t const from = device.allocate(4 * in.size()),
                          to = device.allocate(4 * in.size());
      device.copy_in(from, in.data(), 4 * in.size());
      device.copy_in(to, &sum, 4);
      copies::operands<float, copies::lined> x;
      x.in = {reinterpret_cast<float const*>(from), copies::lined(rows, columns, 48)};
      x.out = {reinterpret_cast<float*>(to), copies::lined(rows, columns, 48)};
      program.launch("zeros",
                     {static_cast<std::uint32_t>((columns + 31) / 32),
                      static_cast<std::uint32_t>((rows + 15) / 16), 1},
                     {64}, {}, 0, {x});
      device.copy_out(&sum, to, 4);
      CAPTURE(target, rows, columns);
      CHECK(sum == static_cast<float>(rows * columns));
    }
}

TEST_CASE("conflict-free layouts have no bank conflict and no partial sector") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (char const* entry : {"swizzled", "matrices", "matrices_transposed", "warpgroup"}) {
      machine::kernel_counts counts;
      bool const without_matrices = std::string(entry) == "swizzled";
      launch const k{entry, without_matrices || std::string(entry) == "warpgroup" ? 64 : 16, 64,
                     128};
      REQUIRE(wrong_after<unsigned short, copies::lined>(target, k, 128, 128, 128, &counts) == 0);
      CAPTURE(target, entry);
      // The kernel `matrices` pads rows to 48 bytes. ldmatrix then has no bank conflict, but plain
      // accesses along a row have some, so only matrix accesses are checked.
      bool const padded = std::string(entry) == "matrices";
      for (int use = padded ? static_cast<int>(machine::use::matrix) : 0; use < machine::uses;
           ++use) {
        CHECK(counts.shared[use].pieces.taken == counts.shared[use].pieces.least);
        CHECK(counts.global[use].pieces.taken == counts.global[use].pieces.least);
      }
      auto const moved = [&](machine::use u) {
        return counts.shared[static_cast<int>(u)].requests;
      };
      CHECK((moved(machine::use::matrix) > 0) == !without_matrices);
    }
}
