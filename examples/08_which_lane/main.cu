// Compares the stored lane and register of every element with the accumulator's layout.
#include "kernel.cuh"

#include "support/example.hpp"

int main(int argc, char** argv) {
  return example::run(
      argc, argv, {"which_lane", {"rows", "columns"}, "16x16 129x257"}, [](example::problem& p) {
        auto const [rows, columns] = p.size<2>();
        auto const in = p.normal<bf16>({rows, columns});
        auto const identity =
            p.filled<bf16>({16, 16}, [](auto k) { return bf16(k / 16 == k % 16 ? 1.0f : 0.0f); });
        auto const value = p.poisoned<float>({rows, columns});
        auto const holder = p.poisoned<unsigned>({rows, columns});

        which_lane<<<axe::grid_of<16, 16>(rows, columns), 32>>>(
            {in.data(), rows, columns}, {identity.data(), 16, 16}, {value.data(), rows, columns},
            {holder.data(), rows, columns});
        example::check(cudaGetLastError());

        p.expect("value", value,
                 [&, columns = columns](auto k) { return static_cast<float>(in[k]); });
        p.expect("holder", holder, [columns = columns](auto k) {
          auto const place =
              axe::places(atom::accumulator, {16, 8}, {k / columns % 16, k % columns % 8}).first();
          return static_cast<unsigned>(4 * place[axe::axis::lane] + place[axe::axis::reg]);
        });
      });
}
