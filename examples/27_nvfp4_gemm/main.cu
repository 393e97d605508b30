// Compares C = alpha A B^T in NVFP4 with sums in double. A is (rows, depth), B (columns, depth), C
// (rows, columns). The scales are in blocks of 128 rows and 4 scales, as tcgen05.cp reads them.
#include "kernel.cuh"

#include "support/bench.hpp"

#include <cmath>

using example::integer;

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"nvfp4_gemm", {"rows", "columns", "depth"}, "136x264x1312"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 32 == 0,
                  "the depth must be a multiple of 32: TMA needs row strides that are multiples of "
                  "16 bytes");
        p.require(columns % 8 == 0,
                  "the number of columns must be a multiple of 8: C is stored 16 bytes at a time");
        integer const steps = (depth + 255) / 256;
        float const alpha = 0.375f;
        // Random pairs of 4-bit floats.
        auto const pairs_of = [&](integer of, integer seed) {
          return p.filled<pair>({of, depth / 2}, [=](integer n) {
            pair made;
            made.__x = static_cast<unsigned char>(
                example::mixed(static_cast<std::uint64_t>(n + seed)) & 255);
            return made;
          });
        };
        auto const a = pairs_of(rows, 1), b = pairs_of(columns, 1 << 30);
        // The scales lie between 0.375 and 3, and have all mantissas.
        auto const scales_of = [&](integer of, integer step) {
          return p.filled<scale>({(of + 127) / 128 * steps * 16, 128}, [=](integer n) {
            scale made;
            made.__x = static_cast<unsigned char>(0x2c + n * step / 3 % 25);
            return made;
          });
        };
        auto const scale_a = scales_of(rows, 7), scale_b = scales_of(columns, 11);
        auto const c = p.poisoned<bf16>({rows, columns});
        auto const blocks = [&](integer of) { return scales((of + 127) / 128 * steps * 16, 128); };
        auto const multiply = [&, rows = rows, columns = columns, depth = depth] {
          example::launch(nvfp4_gemm,
                          {.grid = axe::grid_of<128, 256>(rows, columns),
                           .block = {192},
                           .shared = 4 * sizeof(stage)},
                          pairs<128>::load::map(a.data(), operand_sizes(rows, depth / 2)),
                          pairs<256>::load::map(b.data(), operand_sizes(columns, depth / 2)),
                          load_scales::map(scale_a.data(), blocks(rows)),
                          load_scales::map(scale_b.data(), blocks(columns)), alpha,
                          product{c.data(), rows, columns}, static_cast<unsigned>(steps));
        };
        multiply();

        // Element d of a row: the low half of a byte comes first.
        auto const element = [depth = depth](auto const& all, integer r, integer d) {
          constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
          int const bits = all[r * (depth / 2) + d / 2].__x >> (d % 2 * 4);
          return (bits & 8 ? -1 : 1) * magnitudes[bits & 7];
        };
        // The scale of row r and element d. A block of 128 rows and 256 elements of K has 2048
        // bytes of scales, 512 for each 64 elements of K.
        auto const scale_at = [steps](auto const& all, integer r, integer d) {
          auto const byte = (r / 128 * steps + d / 256) * 2048 + d % 256 / 64 * 512 + r % 32 * 16 +
                            r % 128 / 32 * 4 + d % 64 / 16;
          return static_cast<double>(static_cast<float>(all[byte]));
        };
        p.expect(
            "c", c,
            [&, columns = columns, depth = depth](auto at) {
              integer const i = at / columns, j = at % columns;
              double sum = 0;
              for (integer d = 0; d < depth; ++d)
                sum += element(a, i, d) * element(b, j, d) * scale_at(scale_a, i, d) *
                       scale_at(scale_b, j, d);
              return static_cast<float>(static_cast<double>(alpha) * sum);
            },
            {.relative = 1.0 / 256, .absolute = 1e-5 * std::sqrt(static_cast<double>(depth))},
            depth);
        example::measure(p, "nvfp4",
                         {.operations = 2.0 * static_cast<double>(rows) *
                                        static_cast<double>(columns) * static_cast<double>(depth)},
                         multiply);
      });
}
