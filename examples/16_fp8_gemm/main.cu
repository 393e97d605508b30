// Compares two products C = A B^T in e4m3 with sums in double: one with a scale for each 128 x 128
// elements of B, one for each 1 x 128. A is (rows, depth), B (columns, depth), C (rows, columns).
#include "kernel.cuh"

#include "support/bench.hpp"

#include <algorithm>
#include <cmath>

namespace {
using example::integer;
using example::number;

integer blocks_of(integer extent) { return (extent + 127) / 128; }
/// TMA needs the scales of each block of K to begin at a multiple of 16 bytes.
integer pitch_of(integer extent) { return (extent + 3) / 4 * 4; }

struct scaled_product {
  example::problem& p;
  integer rows, columns, depth, steps = blocks_of(depth);
  example::array<e4m3> a = p.normal<e4m3>({rows, depth}), b = p.normal<e4m3>({columns, depth});
  example::array<float> scale_a = scales_of({steps, pitch_of(rows)}, 7, 97);
  example::array<float> scale_b = scales_of({steps, pitch_of(columns)}, 11, 97);
  example::array<float> scale_blocks = scales_of({blocks_of(columns), steps}, 5, 31);

  /// Scales between 0.5 and 1.5.
  example::array<float> scales_of(example::extents const& shape, int factor, int modulus) const {
    return p.filled<float>(shape, [=](integer k) {
      return 0.5f + static_cast<float>(k * factor % modulus) / static_cast<float>(modulus);
    });
  }
  auto mapped(example::array<e4m3> const& of, integer extent) const {
    return axe::mapped_for<tile_buffer>(elements(of.data(), extent, depth));
  }
  auto mapped(example::array<float> const& of, integer extent) const {
    return axe::mapped_for<scale_buffer>(scales(of.data(), extent, steps, pitch_of(extent)));
  }
  /// Checks and measures a kernel. scale_of_b(j,k) is the scale of row j of B in block k of K.
  void check(char const* name, decltype(&fp8_gemm<true>) kernel, auto const& scale_of_b) const {
    auto const c = p.poisoned<bf16>({rows, columns});
    auto const tiles = static_cast<unsigned>(blocks_of(rows) * blocks_of(columns));
    // On the PTX machine there are fewer blocks than tiles, so that a block computes several tiles.
    unsigned const grid =
        example::on_machine() ? (tiles + 1) / 2 : std::min(example::multiprocessors(), tiles);
    auto const launch = [&] {
      example::launch(kernel, {.grid = {grid}, .block = {384}, .shared = 4 * sizeof(stage)},
                      mapped(a, rows), mapped(b, columns), mapped(scale_a, rows),
                      mapped(scale_b, columns),
                      block_scales{scale_blocks.data(), blocks_of(columns), steps},
                      product{c.data(), rows, columns}, static_cast<unsigned>(steps));
    };
    launch();
    // Tensor cores may drop bits that are more than 14 places below the largest product of a block.
    // The result is rounded once to bf16. On an H200 no element exceeded the bound below; up to 48
    // of 27200 elements exceeded 2e-3 * sqrt(steps).
    p.expect(
        name, c,
        [&](integer at) {
          integer const i = at / columns, j = at % columns;
          double sum = 0;
          for (integer d = 0; d < depth; ++d)
            sum += number(a[i * depth + d]) * number(b[j * depth + d]) *
                   number(scale_a[d / 128 * pitch_of(rows) + i]) * number(scale_of_b(j, d / 128));
          return static_cast<float>(sum);
        },
        {.relative = 1.0 / 256, .absolute = 1e-2 * std::sqrt(static_cast<double>(steps))}, depth);
    example::measure(p, name, {.operations = 2 * static_cast<double>(rows * columns * depth)},
                     launch);
  }
};
}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"fp8_gemm", {"rows", "columns", "depth"}, "136x200x384"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 16 == 0,
                  "the depth must be a multiple of 16: TMA needs row strides that are multiples of "
                  "16 bytes");
        p.require(columns % 2 == 0,
                  "the number of columns must be even: rows of C are stored in pairs");
        scaled_product const m{p, rows, columns, depth};
        m.check("scales 1D and 2D", fp8_gemm<false>,
                [&](integer j, integer k) { return m.scale_blocks[j / 128 * m.steps + k]; });
        m.check("scales 1D and 1D", fp8_gemm<true>,
                [&](integer j, integer k) { return m.scale_b[k * pitch_of(m.columns) + j]; });
      });
}
