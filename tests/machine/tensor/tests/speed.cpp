// machine_tensor_speed prints floating-point operations per second of the matrix instructions, for
// each set of vector instructions that this processor has. It is not a test.
//
//     avx512  wgmma m64n256k16  bf16 -> f32   ... GFLOP/s
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "support.hpp"
#include "tensor/mma.hpp"
#include "tensor/tile_copy.hpp"
#include "tensor/wgmma.hpp"

using namespace machine::tensor;

namespace {

template <class Body> double seconds_of(Body body) {
  for (long count = 1;; count *= 4) {
    std::clock_t const start = std::clock();
    for (long i = 0; i < count; ++i) body();
    double const seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 0.2) return seconds / static_cast<double>(count);
  }
}

void wgmma_speed(kernel_set const& set) {
  test::bit_stream bits(1);
  std::vector<std::byte> shared(128 * 1024);
  // These bytes are numbers of moderate size in each type.
  for (std::byte& byte : shared) byte = static_cast<std::byte>(0x30 | (bits.next() & 0x8f));
  std::vector<std::uint32_t> words(4 * 128 * 32);
  std::vector<std::uint32_t*> pointers;
  for (std::size_t i = 0; i < 4 * 128; ++i) pointers.push_back(words.data() + 32 * i);
  warpgroup_registers const d{{&pointers[0], &pointers[128], &pointers[256], &pointers[384]}};
  auto a = std::make_unique<operand_rows>(), b = std::make_unique<operand_rows>();
  using enum element;
  for (auto [sum, type] :
       {std::pair{f32, bf16}, {f32, f16}, {f16, f16}, {f32, e4m3}, {f32, tf32}, {s32, s8}})
    for (int n : {64, 128, 256}) {
      wgmma_instruction const it{.n = n, .d = sum, .a = type, .b = type};
      matrix_descriptor const left{0x400, 16, 1024, 0, swizzle::b128},
          right{0x8000, 16, 1024, 0, swizzle::b128};
      double const seconds = seconds_of([&] {
        read_operand(left, major::k, type, 64, shared, *a);
        read_operand(right, major::k, type, n, shared, *b);
        wgmma_with(set, it, *a, *b, d, false);
      });
      std::printf("%-7s wgmma m64n%dk%d  %s -> %s  %.1f GFLOP/s\n", set.name, n, k_of(it),
                  name_of(type), name_of(sum), 2e-9 * 64 * n * k_of(it) / seconds);
    }
}

}  // namespace

int main() {
  for (char const* name : {"avx512", "avx2", "plain"})
    if (kernel_set const* set = kernels_named(name)) wgmma_speed(*set);

  std::vector<std::vector<std::uint32_t>> registers(14,
                                                    std::vector<std::uint32_t>(32, 0x3c003c00u));
  std::vector<std::uint32_t*> lanes;
  for (auto& each : registers) lanes.push_back(each.data());
  mma_instruction const it{16, 8, 16, element::f16, element::f16, element::f32, element::f32};
  double const mma_seconds =
      seconds_of([&] { mma(it, &lanes[10], &lanes[0], &lanes[4], &lanes[6]); });
  std::printf("%-7s mma.sync m16n8k16  f16 -> f32  %.0f ns, %.1f GFLOP/s\n", kernels().name,
              mma_seconds * 1e9, 4.096e-6 / mma_seconds);

  std::vector<std::byte> global(1024 * 1024), shared(64 * 1024);
  tensor_map const map{.type = map_type::bfloat16,
                       .rank = 2,
                       .address = 4096,
                       .extents = {512, 1024},
                       .strides = {2, 1024},
                       .element_strides = {1, 1},
                       .swizzling = swizzle::b128,
                       .box = {64, 128}};
  double const copy_seconds = seconds_of([&] {
    load_tile(map, {64, 128}, {}, shared, 1024,
              [&](std::uint64_t address, std::byte* to, std::uint32_t count) {
                std::memcpy(to, global.data() + (address - 4096), count);
              });
  });
  std::printf("tensor copy 128 x 64 bf16, 128B swizzle  %.1f us, %.1f GB/s\n", copy_seconds * 1e6,
              16384e-9 / copy_seconds);
}
