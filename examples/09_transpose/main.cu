// Transposes matrices of any size in four ways: with padding, with a swizzle, with TMA, and, for
// elements of 2 bytes, with ldmatrix.trans and stmatrix. Compares every element, and checks that
// nothing outside the output is written. TMA stores multiples of 16 bytes, so for TMA the rows of
// the output are padded. The padding gets the zeros that TMA loads past the end of the input.
#include "blocks.cuh"
#include "matrices.cuh"
#include "staged.cuh"

#include "support/bench.hpp"

namespace {

using example::integer;

integer round_up(integer n, integer to) { return (n + to - 1) / to * to; }
unsigned tiles(integer n, int side) { return static_cast<unsigned>((n + side - 1) / side); }

/// Elements whose bits depend on their index.
template <class T> T element(integer k) {
  auto const bits = static_cast<unsigned>(k * 2654435761u >> 7);
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// The matrix and memory for its transpose. A row of the matrix has `pitch` elements, padding
/// included, a row of the transpose `out_pitch`.
template <class T> struct transposed {
  example::problem& p;
  integer rows, columns, pitch, out_pitch;
  example::array<T> in, out;

  transposed(example::problem& problem_, integer alignment)
      : p(problem_),
        rows(p.size<2>()[0]),
        columns(p.size<2>()[1]),
        pitch(round_up(columns, alignment)),
        out_pitch(round_up(rows, alignment)),
        in(p.filled<T>({rows, pitch}, element<T>)),
        out(p.poisoned<T>({columns, out_pitch})) {}
  void check(std::string const& name) {
    p.expect(name.c_str(), out, [&](integer k) {
      return k % out_pitch < rows ? in[k % out_pitch * pitch + k / out_pitch] : T{0};
    });
  }
  template <class Launch> void run(std::string const& name, Launch const& launch) {
    out.poison_again();
    launch();
    check(name);
    example::measure(
        p, name,
        {.bytes = 2.0 * sizeof(T) * static_cast<double>(rows) * static_cast<double>(columns)},
        launch);
  }
};

template <class T> void through_shared(example::problem& p, std::string const& width) {
  transposed<T> t(p, 1);
  matrix<T const> const in{t.in.data(), t.rows, t.columns, t.pitch};
  matrix<T> const out{t.out.data(), t.columns, t.rows, t.out_pitch};
  auto const launch = [&](auto kernel) {
    dim3 const grid = axe::grid_of<32, 32>(t.rows, t.columns);
    return [=] { example::check(axe::launch(kernel, grid, axe::cta<256>, in, out)); };
  };
  t.run(width + " padded", launch(transpose_staged<T, padded<T>>));
  t.run(width + " swizzled", launch(transpose_staged<T>));
}

template <class T, int Rows> void by_blocks_of(example::problem& p, std::string const& width) {
  using by = transpose_by_blocks<T, Rows>;
  transposed<T> t(p, by::V);
  typename by::source const in{t.in.data(), t.rows, t.columns, t.pitch};
  typename by::target const out{t.out.data(), t.columns, t.out_pitch, t.out_pitch};
  auto const from = axe::mapped_for<typename by::buffer>(in);
  auto const to = axe::mapped_for<typename by::buffer>(out);
  example::launch_shape const shape{.grid = {tiles(t.columns, 8 * by::V), tiles(t.rows, 8 * by::V)},
                                    .block = {64}};
  t.run(width + (Rows == 1 ? " blocks" : " blocks, one box"),
        [&] { example::launch(transpose_blocks<T, Rows>, shape, from, to); });
}
template <class T> void by_blocks(example::problem& p, std::string const& width) {
  constexpr int V = 16 / sizeof(T);
  auto const [rows, columns] = p.size<2>();
  by_blocks_of<T, 1>(p, width);
  if (rows % V == 0 && columns % V == 0) by_blocks_of<T, V>(p, width);
}

void by_matrices(example::problem& p) {
  transposed<unsigned short> t(p, 8);
  pitched_matrix const in{t.in.data(), t.rows, t.columns, t.pitch};
  padded_matrix const out{t.out.data(), t.columns, t.out_pitch};
  axe::tensor_map const map_in = axe::map_for<buffer_of_64>(in),
                        map_out = axe::map_for<buffer_of_64>(out);
  example::launch_shape const shape{.grid = {tiles(t.columns, 64), tiles(t.rows, 64)},
                                    .block = {128}};
  t.run("16-bit matrices",
        [&] { example::launch(transpose_matrices, shape, map_in, map_out, in, out); });
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(argc, argv, {"transpose", {"rows", "columns"}, "129x257 64x200"},
                      [](example::problem& p) {
                        through_shared<unsigned char>(p, "8-bit");
                        through_shared<unsigned short>(p, "16-bit");
                        through_shared<float>(p, "32-bit");
                        by_blocks<unsigned char>(p, "8-bit");
                        by_blocks<unsigned short>(p, "16-bit");
                        by_blocks<float>(p, "32-bit");
                        by_matrices(p);
                      });
}
