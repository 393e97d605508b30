// Compares tensor copies with the definition. For each element of the box in shared memory, the
// test looks up the element of the tensor with the same coordinates. The maps are random and have
// one to five dimensions. Boxes may cross every border of the tensor.
#include "tensor/tile_copy.hpp"

#include <algorithm>

#include "numerics/convert.hpp"
#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;
namespace numerics = machine::numerics;

namespace {

constexpr std::uint64_t base = 0x7000000000;

struct tensor {
  tensor_map map;
  std::vector<std::byte> memory;  // from `base` on

  auto reader() {
    return [this](std::uint64_t global, std::byte* to, std::uint32_t count) {
      REQUIRE((global >= base && global - base + count <= memory.size()));
      std::memcpy(to, memory.data() + (global - base), count);
    };
  }
  auto writer() {
    return [this](std::uint64_t global, std::byte const* from, std::uint32_t count) {
      REQUIRE((global >= base && global - base + count <= memory.size()));
      std::memcpy(memory.data() + (global - base), from, count);
    };
  }
};

tensor random_tensor(bit_stream& bits, int rank, map_type type, swizzle mode) {
  tensor result;
  tensor_map& map = result.map;
  map.type = type;
  map.rank = rank;
  map.address = base;
  map.swizzling = mode;
  auto const size = static_cast<std::uint64_t>(size_of(type));
  std::uint64_t stride = size;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
    map.extents[i] = i == 0 ? 3 + bits.next() % 70 : 1 + bits.next() % 6;
    map.strides[i] = stride;
    stride = (stride * map.extents[i] + 15) / 16 * 16 + (i == 0 ? 16 * (bits.next() % 3) : 0);
    map.element_strides[i] =
        1 + (bits.next() % 4 == 0 ? static_cast<std::uint32_t>(bits.next() % 3) : 0);
    map.box[i] = 1 + static_cast<std::uint32_t>(bits.next() % (rank > 3 ? 3 : 7));
  }
  std::uint32_t const chunks =
      mode == swizzle::none ? 1 + static_cast<std::uint32_t>(bits.next() % 9)
                            : 1 + static_cast<std::uint32_t>(bits.next() % (span_of(mode) / 16));
  map.box[0] = chunks * 16 / static_cast<std::uint32_t>(size);
  result.memory.resize(stride);
  for (std::byte& byte : result.memory) byte = static_cast<std::byte>(bits.next());
  return result;
}

coordinates random_coordinates(bit_stream& bits, tensor_map const& map) {
  coordinates at{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(map.rank); ++i)
    at[i] = static_cast<std::int32_t>(bits.next() % (map.extents[i] + 2 * map.box[i])) -
            static_cast<std::int32_t>(map.box[i]);
  return at;
}

// Where an element of the box lies by the definition: in shared memory and in the tensor.
struct element_place {
  std::uint32_t shared;
  bool inside;
  std::uint64_t global;
};

/// Calls visit(element_place) for each element of the box at these coordinates. The end of
/// dimension 0 is rounded up to a multiple of `grain` elements.
template <class Visit>
void each_element(tensor_map const& map, coordinates const& at, std::uint32_t start, Visit visit,
                  std::int64_t grain = 1) {
  auto const size = static_cast<std::uint32_t>(size_of(map.type));
  auto const steps = [&](std::size_t i) {
    if (i >= static_cast<std::size_t>(map.rank)) return 1u;
    return i == 0 ? map.box[0] : (map.box[i] + map.element_strides[i] - 1) / map.element_strides[i];
  };
  for (std::uint32_t j4 = 0; j4 < steps(4); ++j4)
    for (std::uint32_t j3 = 0; j3 < steps(3); ++j3)
      for (std::uint32_t j2 = 0; j2 < steps(2); ++j2)
        for (std::uint32_t j1 = 0; j1 < steps(1); ++j1)
          for (std::uint32_t j0 = 0; j0 < steps(0); ++j0) {
            std::uint32_t const j[5] = {j0, j1, j2, j3, j4};
            element_place where{0, true, map.address};
            for (std::size_t i = 5; i-- > 0;) where.shared = where.shared * steps(i) + j[i];
            where.shared = start + where.shared * size;
            // The swizzles: 128B has bits 4-6 ^= bits 7-9; 64B bits 4-5 ^= bits 7-8; 32B bit 4 ^=
            // bit 7.
            if (map.swizzling == swizzle::b128) where.shared ^= (where.shared >> 3) & 0x70;
            if (map.swizzling == swizzle::b64) where.shared ^= (where.shared >> 3) & 0x30;
            if (map.swizzling == swizzle::b32) where.shared ^= (where.shared >> 3) & 0x10;
            for (std::size_t i = 0; i < static_cast<std::size_t>(map.rank); ++i) {
              std::int64_t const coordinate =
                  at[i] + std::int64_t{j[i]} * (i == 0 ? 1 : map.element_strides[i]);
              auto const extent = static_cast<std::int64_t>(map.extents[i]);
              std::int64_t const end = i == 0 ? (extent + grain - 1) / grain * grain : extent;
              where.inside = where.inside && coordinate >= 0 && coordinate < end;
              where.global += static_cast<std::uint64_t>(coordinate) * map.strides[i];
            }
            visit(where);
          }
}

constexpr swizzle modes[] = {swizzle::none, swizzle::b32, swizzle::b64, swizzle::b128};
constexpr map_type types[] = {map_type::uint8, map_type::bfloat16, map_type::int32,
                              map_type::float64};

}  // namespace

TEST_CASE(
    "a load puts each element where its coordinates say, fills the rest and counts all bytes") {
  bit_stream bits(51);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    tensor from = random_tensor(bits, 1 + repeat % 5, types[bits.below(4)], modes[bits.below(4)]);
    if (from.map.type != map_type::uint8 && from.map.type != map_type::int32)
      from.map.fill = static_cast<border>(bits.below(2));
    coordinates const at = random_coordinates(bits, from.map);
    std::uint32_t const start = 128 * static_cast<std::uint32_t>(1 + bits.below(9));
    std::vector<std::byte> shared(64 * 1024, std::byte{0xa5}), want = shared;
    REQUIRE(!refuse_copy(from.map, start, shared.size()));
    auto const size = static_cast<std::uint32_t>(size_of(from.map.type));
    std::uint32_t count = 0;
    each_element(from.map, at, start, [&](element_place const& where) {
      count += size;
      for (std::uint32_t i = 0; i < size; ++i)
        want[where.shared + i] = where.inside ? from.memory[where.global - base + i]
                                 : from.map.fill == border::zero
                                     ? std::byte{0}
                                     : (i == size - 1 ? std::byte{0x7f} : std::byte{0xff});
    });
    CHECK(load_tile(from.map, at, {}, shared, start, from.reader()) == count);
    if (shared != want) FAIL("map " << repeat);
    shared[start] ^= std::byte{1};
    if (shared == want) FAIL("a flipped bit went unnoticed");
  }
}

TEST_CASE("a store or reduction changes the box in bounds, rounded up to 16 bytes, and no more") {
  bit_stream bits(53);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    bool const reduces = repeat % 2 == 1;
    tensor to =
        random_tensor(bits, 1 + repeat % 5, reduces ? map_type::int32 : types[bits.below(4)],
                      modes[bits.below(4)]);
    coordinates const at = random_coordinates(bits, to.map);
    std::uint32_t const start = 128 * static_cast<std::uint32_t>(bits.below(9));
    std::vector<std::byte> shared(64 * 1024);
    for (std::byte& byte : shared) byte = static_cast<std::byte>(bits.next());
    std::vector<std::byte> want = to.memory;
    auto const size = static_cast<std::uint32_t>(size_of(to.map.type));
    each_element(
        to.map, at, start,
        [&](element_place const& where) {
          if (!where.inside) return;
          std::byte* const element_bytes = want.data() + (where.global - base);
          if (!reduces) {
            std::memcpy(element_bytes, shared.data() + where.shared, size);
          } else {
            std::uint32_t before, value;
            std::memcpy(&before, element_bytes, 4);
            std::memcpy(&value, shared.data() + where.shared, 4);
            before += value;
            std::memcpy(element_bytes, &before, 4);
          }
        },
        16 / size);
    if (reduces)
      reduce_tile(to.map, at, numerics::reduction::add, shared, start,
                  [&](std::uint64_t global, std::uint32_t count, auto change) {
                    REQUIRE((global >= base && global - base + count <= to.memory.size()));
                    change(to.memory.data() + (global - base));
                  });
    else
      store_tile(to.map, at, shared, start, to.writer());
    if (to.memory != want) FAIL("map " << repeat);
  }
}

TEST_CASE("copies begin at multiples of 16 bytes, and stores do not begin below 0") {
  tensor_map map{.type = map_type::bfloat16, .rank = 2, .extents = {64, 64}};
  for (bool const stores : {false, true}) {
    CHECK(!refuse_begin(map, {8, 3}, stores));
    CHECK(!refuse_begin(map, {64, 70}, stores));
    CHECK(refuse_begin(map, {-8, 0}, stores).has_value() == stores);
    CHECK(refuse_begin(map, {0, -1}, stores).has_value() == stores);
    for (std::int32_t const first : {-4, 1, 4, 7, 12})
      CHECK(refuse_begin(map, {first, 0}, stores).value_or("").find("not a multiple of 8") !=
            std::string::npos);
  }
}

TEST_CASE("im2col reads the pixels of a convolution with a 3x3 filter, padding and stride") {
  bit_stream bits(57);
  for (int stride : {1, 2})
    for (int repeat = 0; repeat < 50; ++repeat) {
      tensor from;
      tensor_map& map = from.map;
      map.mode = map_mode::im2col;
      map.type = map_type::float16;
      map.rank = 4;
      map.address = base;
      map.swizzling = modes[repeat % 4];
      int const c = 24, w = 7 + repeat % 3, h = 5 + repeat % 2, n = 3;
      map.extents = {static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(w),
                     static_cast<std::uint64_t>(h), n};
      map.strides = {2, 48, 48 * map.extents[1], 48 * map.extents[1] * map.extents[2]};
      map.element_strides = {1, static_cast<std::uint32_t>(stride),
                             static_cast<std::uint32_t>(stride), 1};
      int const lower = -1, upper = -1;
      map.lower = {lower, lower};
      map.upper = {upper, upper};
      map.channels = map.swizzling == swizzle::b32 ? 16 : 24;
      if (map.swizzling == swizzle::b64 || map.swizzling == swizzle::b128) map.channels = 32;
      map.pixels = 40;
      from.memory.resize(map.strides[3] * n);
      for (std::byte& byte : from.memory) byte = static_cast<std::byte>(bits.next());
      // Output pixel p of the convolution is (image, row q, column r). Filter tap (s, t) reads
      // column stride * r - 1 + s of row stride * q - 1 + t.
      int const columns = (w - 1 + upper - lower) / stride + 1,
                rows = (h - 1 + upper - lower) / stride + 1;
      int const first = bits.below(columns * rows), tap_w = bits.below(3), tap_h = bits.below(3);
      coordinates const at{8, first % columns * stride + lower, first / columns * stride + lower, 1,
                           0};
      std::vector<std::byte> shared(8192);
      CHECK(load_tile(map, at,
                      {static_cast<std::uint16_t>(tap_w), static_cast<std::uint16_t>(tap_h), 0},
                      shared, 1024, from.reader()) == map.channels * 40 * 2);
      for (int p = 0; p < 40; ++p)
        for (int channel = 0; channel < static_cast<int>(map.channels); ++channel) {
          int const pixel = first + p, image = 1 + pixel / (columns * rows);
          int const x = pixel % columns * stride + lower + tap_w,
                    y = pixel / columns % rows * stride + lower + tap_h;
          std::uint16_t want = 0, got = 0;
          if (image < n && x >= 0 && x < w && y >= 0 && y < h && 8 + channel < c)
            std::memcpy(&want,
                        from.memory.data() + 2 * (((image * h + y) * w + x) * c + 8 + channel), 2);
          auto address = 1024 + static_cast<std::uint32_t>(p) * map.channels * 2 +
                         static_cast<std::uint32_t>(channel) * 2;
          std::memcpy(&got, shared.data() + swizzled(map.swizzling, address), 2);
          if (got != want) FAIL("pixel " << p << " channel " << channel << " stride " << stride);
        }
    }
}

TEST_CASE("typed loads: tf32 rounds, _FTZ flushes") {
  tensor from;
  from.map = {.type = map_type::tfloat32,
              .rank = 1,
              .address = base,
              .extents = {4},
              .strides = {4},
              .element_strides = {1},
              .box = {4}};
  std::uint32_t const bits[4] = {0x3f801000u, 0x3f803000u, 0x00001fffu, 0x7f800001u};
  from.memory.resize(16);
  std::memcpy(from.memory.data(), bits, 16);
  auto const load = [&](map_type type) {
    from.map.type = type;
    std::vector<std::byte> shared(128);
    load_tile(from.map, {}, {}, shared, 0, from.reader());
    std::vector<std::uint32_t> words(4);
    std::memcpy(words.data(), shared.data(), 16);
    return words;
  };
  CHECK(load(map_type::float32) ==
        std::vector<std::uint32_t>{0x3f801000u, 0x3f803000u, 0x00001fffu, 0x7f800001u});
  CHECK(load(map_type::float32_ftz) ==
        std::vector<std::uint32_t>{0x3f801000u, 0x3f803000u, 0, 0x7f800001u});
  CHECK(load(map_type::tfloat32) ==
        std::vector<std::uint32_t>{0x3f800000u, 0x3f804000u, 0x00002000u, 0x7fffffffu});
  CHECK(load(map_type::tfloat32_ftz) ==
        std::vector<std::uint32_t>{0x3f800000u, 0x3f804000u, 0, 0x7fffffffu});
}

TEST_CASE("copies that cannot run are rejected with a sentence") {
  bit_stream bits(59);
  tensor_map map = random_tensor(bits, 2, map_type::bfloat16, swizzle::none).map;
  map.box = {64, 16};
  map.element_strides = {1, 1};
  CHECK(!refuse_copy(map, 1024, 1024 + 2048));
  CHECK_THAT(*refuse_copy(map, 1024, 1024 + 2047),
             axe_test::contains_text("2048 bytes of the box"));
  CHECK_THAT(*refuse_copy(map, 1040, 65536), axe_test::contains_text("multiple of 128"));
  map.box = {32, 9};  // 9 rows of 64 bytes; the swizzle moves the last one by 64 bytes
  map.swizzling = swizzle::b128;
  CHECK(!refuse_copy(map, 1024, 1024 + 640));
  CHECK_THAT(*refuse_copy(map, 1024, 1024 + 576), axe_test::contains_text("640 bytes of the box"));
  map.interleave = interleaving::b16;
  CHECK_THAT(*refuse_copy(map, 1024, 65536), axe_test::contains_text("interleaved layout"));
  CHECK(reduced_type_of(map_type::float16, numerics::reduction::min) ==
        numerics::reduced_type::half);
  CHECK(!reduced_type_of(map_type::uint8, numerics::reduction::add));
  CHECK(!reduced_type_of(map_type::float64, numerics::reduction::add));
  CHECK(!reduced_type_of(map_type::int64, numerics::reduction::add));
  CHECK(reduced_type_of(map_type::int64, numerics::reduction::max) == numerics::reduced_type::s64);
  CHECK(!reduced_type_of(map_type::float32, numerics::reduction::bit_xor));
}
