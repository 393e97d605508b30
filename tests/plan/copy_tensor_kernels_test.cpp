// Tests kernels that copy tiles with tensor maps on the PTX machine (tests/machine) with strict
// checks: odd sizes, every output element, and three orders in which copies complete.
#include "copy_tensor_kernels.hpp"

#include "on_the_machine.hpp"

#include <axe/plan/plan_tma.hpp>

namespace {

using namespace on_the_machine;

struct kernel {
  char const* name;
  axe::element_type type;
  axe::layout shared;
  int rows, columns;  // the extents of a tile
  int tiles_out = 1;  // the number of output tiles for each input tile, along a row
};

/// Runs the kernel on a matrix of these sizes. Returns how many elements of the output differ from
/// `expected(elements of the row, column, before)`.
template <class T, class Expected>
int wrong_after(kernel const& k, int rows, int columns, int round, Expected const& expected) {
  axe::tma_plan const plan =
      axe::plan_tma(axe::tma_kind::load, k.type, axe::tma_tensor_of<copies::lined>(),
                    axe::shape{k.rows, k.columns}, k.shared);
  int const pitch = (columns + 15) / 16 * 16, columns_out = (k.tiles_out * columns + 7) / 8 * 8;
  int const pitch_out = (columns_out + 15) / 16 * 16;
  std::vector<T> in(static_cast<std::size_t>(rows * pitch)),
      out(static_cast<std::size_t>(rows * pitch_out));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i % 1021 + 1);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(i % 13);
  std::vector<T> const before = out;
  machine::device device;
  machine::module program = machine::load(text_of("copy_tensor_kernels", "sm_90a"), device);
  std::uint64_t const from = device.allocate(in.size() * sizeof(T)),
                      to = device.allocate(out.size() * sizeof(T));
  device.copy_in(from, in.data(), in.size() * sizeof(T));
  device.copy_in(to, out.data(), out.size() * sizeof(T));
  copies::mapped_operands<T> x;
  x.in = {reinterpret_cast<T const*>(from), copies::lined(rows, columns, pitch)};
  x.out = {reinterpret_cast<T*>(to), copies::padded(rows, columns_out, pitch_out)};
  auto const divided_up = [](int n, int by) {
    return static_cast<std::uint32_t>((n + by - 1) / by);
  };
  program.launch(k.name,
                 {divided_up(columns, k.columns) * static_cast<std::uint32_t>(k.tiles_out),
                  divided_up(rows, k.rows), 1},
                 {64}, {}, 0,
                 {map_of(plan, from, {rows, columns, pitch}),
                  map_of(plan, to, {rows, columns_out, pitch_out}), x},
                 options_for(round));
  device.copy_out(out.data(), to, out.size() * sizeof(T));
  int wrong = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < pitch_out; ++c) {
      auto const at = static_cast<std::size_t>(r * pitch_out + c);
      auto const element = [&](int column) {
        return column < columns ? in[static_cast<std::size_t>(r * pitch + column)] : T{0};
      };
      wrong += out[at] !=
               (c < columns_out ? static_cast<T>(expected(element, c, before[at])) : before[at]);
    }
  return wrong;
}

template <class T> void check_copies(kernel const& k) {
  for (auto const& [rows, columns] : {std::array{64, 64}, {1, 8}, {65, 129}, {70, 200}})
    for (int round = 0; round < 3; ++round) {
      CAPTURE(k.name, rows, columns, round);
      CHECK(wrong_after<T>(k, rows, columns, round,
                           [](auto const& in, int c, T) { return in(c); }) == 0);
    }
}

using type = axe::element_type;

}  // namespace

TEST_CASE("mapped tiles are copied in and out: swizzled, with permuted rows, in several boxes") {
  check_copies<unsigned short>({"mapped_halves", type::u16, copies::halves_tile::value, 64, 64});
  check_copies<float>({"mapped_permuted", type::f32, copies::permuted_tile::value, 32, 32});
  check_copies<unsigned>({"mapped_columns", type::u32, copies::columns_tile::value, 16, 64});
}

TEST_CASE("mapped tiles are reduced into the destination") {
  for (auto const& [rows, columns] : {std::array{16, 64}, {1, 4}, {33, 130}})
    for (int round = 0; round < 3; ++round) {
      CAPTURE(rows, columns, round);
      for (char const* kernel : {"mapped_sum", "mapped_hinted_sum"})
        CHECK(wrong_after<unsigned>(
                  {kernel, type::u32, copies::columns_tile::value, 16, 64}, rows, columns, round,
                  [](auto const& in, int c, unsigned was) { return in(c) + was; }) == 0);
    }
}

TEST_CASE("a multicast copies a mapped tile to both CTAs of a cluster") {
  for (auto const& [rows, columns] : {std::array{64, 64}, {65, 192}})
    for (int round = 0; round < 3; ++round) {
      CAPTURE(rows, columns, round);
      CHECK(wrong_after<unsigned short>(
                {"mapped_twice", type::u16, copies::halves_tile::value, 64, 64, 2}, rows, columns,
                round, [](auto const& in, int c, unsigned short) {
                  return in(c / 128 * 64 + c % 64);
                }) == 0);
    }
}
