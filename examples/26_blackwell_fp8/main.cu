// Compares C = A B^T in MXFP8 with sums in double. A is (rows, depth), B (columns, depth), C (rows,
// columns). The scales are in blocks of 128 rows and 4 scales, as tcgen05.cp takes them.
#include "kernel.cuh"

#include "support/example.hpp"

#include <cmath>

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"blackwell_fp8", {"rows", "columns", "depth"}, "136x264x656"},
      [](example::problem& p) {
        auto const [rows, columns, depth] = p.size<3>();
        p.require(depth % 16 == 0, "the depth is a multiple of 16: TMA's rows lie 16 bytes apart");
        p.require(columns % 8 == 0, "rows of C are stored 16 bytes at a time");
        example::integer const steps = (depth + 127) / 128;
        auto const a = p.normal<e4m3>({rows, depth});
        auto const b = p.normal<e4m3>({columns, depth});
        // Exponents 123 to 130 of powers of two, in no order.
        auto const exponents = [&](example::integer of, int factor) {
          return p.filled<unsigned char>({(of + 127) / 128 * steps * 4, 128}, [=](auto k) {
            return static_cast<unsigned char>(123 + k * factor / 3 % 8);
          });
        };
        auto const scale_a = exponents(rows, 7), scale_b = exponents(columns, 11);
        auto const c = p.poisoned<bf16>({rows, columns});
        auto const blocks = [&](example::integer of) {
          return scales((of + 127) / 128 * steps * 4, 128);
        };
        example::launch(mxfp8_gemm,
                        {.grid = axe::grid_of<128, 256>(rows, columns),
                         .block = {128},
                         .shared = 4 * sizeof(stage)},
                        rows_of_128<128>::load::map(a.data(), factor(rows, depth)),
                        rows_of_128<256>::load::map(b.data(), factor(columns, depth)),
                        load_block::map(scale_a.data(), blocks(rows)),
                        load_block::map(scale_b.data(), blocks(columns)),
                        product{c.data(), rows, columns}, static_cast<unsigned>(steps));
        // The scale of row r and element k: block (r / 128, k / 128) of 512 bytes.
        auto const scale = [steps](auto const& all, example::integer r, example::integer k) {
          auto const byte =
              (r / 128 * steps + k / 128) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + k % 128 / 32;
          return std::ldexp(1.0, all[byte] - 127);
        };
        p.expect(
            "c", c,
            [&, columns = columns, depth = depth](auto at) {
              example::integer const i = at / columns, j = at % columns;
              double sum = 0;
              for (example::integer d = 0; d < depth; ++d)
                sum += static_cast<double>(static_cast<float>(a[i * depth + d])) *
                       static_cast<double>(static_cast<float>(b[j * depth + d])) *
                       scale(scale_a, i, d) * scale(scale_b, j, d);
              return static_cast<float>(sum);
            },
            {.relative = 1.0 / 256, .absolute = 1e-5 * std::sqrt(static_cast<double>(depth))},
            depth);
      });
}
