// Tests tensor copies of packed types (4 and 6 bits), and swizzles with atoms of 32 and 64 bytes.
// Each bit of the tile in shared memory is compared with the bit of the tensor at its coordinates.
#include "support.hpp"
#include "support/catch.hpp"
#include "tensor/tile_copy.hpp"

using namespace machine::tensor;
using machine::tensor::test::bit_stream;

namespace {

constexpr std::uint64_t base = 0x7000000000;
constexpr std::uint32_t start = 0x480, rows = 9, stride = 256;

struct packing {
  map_type type;
  std::uint32_t bits, bytes_of_sixteen, box;
};
constexpr packing packings[] = {{map_type::u4_align8, 4, 8, 64},
                                {map_type::u4_align16, 4, 16, 128},
                                {map_type::u6_align16, 6, 16, 128}};
constexpr swizzle swizzles[] = {swizzle::none, swizzle::b128, swizzle::b128_atom32};

/// Returns the swizzled address: in each row of 128 bytes, the row number is XORed into the number
/// of the chunk of 16, 32 or 64 bytes. flip8 also exchanges the halves of 16 bytes in odd rows.
std::uint32_t in_shared(swizzle mode, std::uint32_t at) {
  std::uint32_t const row = at / 128;
  if (mode == swizzle::b128) return row * 128 + (at % 128 / 16 ^ row % 8) * 16 + at % 16;
  if (mode == swizzle::b128_atom32 || mode == swizzle::b128_atom32_flip8) {
    std::uint32_t const moved = row * 128 + (at % 128 / 32 ^ row % 4) * 32 + at % 32;
    if (mode == swizzle::b128_atom32 || row % 2 == 0) return moved;
    return moved / 16 * 16 + (moved + 8) % 16;
  }
  if (mode == swizzle::b128_atom64) return row * 128 + (at % 128 / 64 ^ row % 2) * 64 + at % 64;
  return at;
}

bool bit_of(std::vector<std::byte> const& bytes, std::uint64_t at) {
  return (std::to_integer<unsigned>(bytes[at / 8]) >> at % 8 & 1u) != 0;
}

tensor_map map_of(packing const& how, swizzle mode) {
  tensor_map map;
  map.type = how.type;
  map.rank = 2;
  map.address = base;
  map.extents = {256, rows};
  map.strides = {1, stride};
  map.element_strides = {1, 1};
  map.swizzling = mode;
  map.box = {how.box, 4};
  return map;
}

std::vector<std::byte> noise(bit_stream& bits, std::size_t count) {
  std::vector<std::byte> made(count);
  for (auto& each : made) each = static_cast<std::byte>(bits.next());
  return made;
}

/// Calls visit(bit in shared memory, in bounds, bit in the tensor) for each bit of a box.
template <class Visit>
void each_bit(packing const& how, swizzle mode, coordinates const& at, Visit visit) {
  for (std::uint32_t r = 0; r < 4; ++r)
    for (std::uint32_t e = 0; e < how.box; ++e)
      for (std::uint32_t bit = 0; bit < how.bits; ++bit) {
        std::uint32_t const within = e % 16 * how.bits + bit;
        std::uint32_t const byte =
            start + (r * how.box + e) / 16 * how.bytes_of_sixteen + within / 8;
        std::int64_t const row = at[1] + std::int64_t{r}, element = at[0] + std::int64_t{e};
        bool const inside = row >= 0 && row < std::int64_t{rows} && element >= 0 && element < 256;
        auto const global = static_cast<std::uint64_t>(row * 8 * std::int64_t{stride} +
                                                       element * std::int64_t{how.bits} + bit);
        visit(in_shared(mode, byte) * 8 + within % 8, inside, global);
      }
}

}  // namespace

TEST_CASE("a load puts each element of a packed type where its coordinates say") {
  bit_stream bits(31);
  auto const memory = noise(bits, rows * stride);
  for (auto const& how : packings)
    for (auto const mode : swizzles)
      for (std::int32_t const first : {0, 128, 192, -32})
        for (std::int32_t const row : {0, 3, 7, -2}) {
          auto shared = noise(bits, 0x2000);
          coordinates const at{first, row};
          auto const map = map_of(how, mode);
          auto const counted = load_tile(map, at, {}, shared, start,
                                         [&](std::uint64_t global, std::byte* to, auto count) {
                                           REQUIRE(global - base + count <= memory.size());
                                           std::memcpy(to, memory.data() + (global - base), count);
                                         });
          int wrong = 0;
          each_bit(how, mode, at, [&](std::uint32_t place, bool inside, std::uint64_t global) {
            wrong += bit_of(shared, place) != (inside && bit_of(memory, global));
          });
          INFO(how.bits << " bits, " << name_of(mode) << " from " << first << ", " << row);
          CHECK(wrong == 0);
          CHECK(counted == 4 * how.box * how.bits / 8);
          CHECK(bytes_of(map) == 4 * how.box / 16 * how.bytes_of_sixteen);
        }
}

TEST_CASE("a store of 6-bit elements leaves out the gaps") {
  bit_stream bits(32);
  auto const shared = noise(bits, 0x2000);
  for (auto const mode : {swizzle::none, swizzle::b128, swizzle::b128_atom32, swizzle::b128_atom64})
    for (std::int32_t const row : {0, 7, -2}) {
      auto memory = noise(bits, rows * stride);
      coordinates const at{128, row};
      store_tile(map_of(packings[2], mode), at, shared, start,
                 [&](std::uint64_t global, std::byte const* from, auto count) {
                   std::memcpy(memory.data() + (global - base), from, count);
                 });
      int wrong = 0;
      each_bit(packings[2], mode, at, [&](std::uint32_t place, bool inside, std::uint64_t global) {
        wrong += inside && bit_of(shared, place) != bit_of(memory, global);
      });
      INFO(name_of(mode) << " from row " << row);
      CHECK(wrong == 0);
    }
}

TEST_CASE("swizzles with atoms of 32 and 64 bytes are those of the definition") {
  for (auto const mode : {swizzle::b128_atom32, swizzle::b128_atom32_flip8, swizzle::b128_atom64})
    for (std::uint32_t at = 0; at < 2048; ++at) {
      INFO(name_of(mode) << ", byte " << at);
      REQUIRE(swizzled(mode, at) == in_shared(mode, at));
    }
}

TEST_CASE("illegal tensor maps of packed types are rejected") {
  std::uint64_t extents[] = {256, 9}, strides[] = {256};
  std::uint32_t const steps[] = {1, 1};
  std::uint32_t box[] = {128, 4};
  map_arguments good;
  good.type = 14;
  good.rank = 2;
  good.address = base;
  good.extents = extents;
  good.strides = strides;
  good.element_strides = steps;
  good.is_blackwell = true;
  alignas(64) std::array<std::byte, 128> bytes;
  auto const rejection = [&](map_arguments const& it) {
    return encode_tiled(bytes.data(), it, box).value_or("");
  };
  auto const says = [&](map_arguments const& it, char const* words) {
    INFO(rejection(it));
    CHECK(rejection(it).find(words) != std::string::npos);
  };
  CHECK(rejection(good) == "");
  auto it = good;
  it.is_blackwell = false;
  says(it, "needs sm_100");
  it = good;
  it.address = base + 16;
  says(it, "not a multiple of 32");
  it = good;
  it.swizzle = 2;
  says(it, "does not exist for types with gaps");
  it.swizzle = 4;
  CHECK(rejection(it) == "");
  it = good;
  it.fill = 1;
  says(it, "floating-point data type");
  extents[0] = 192;
  says(good, "must be a multiple of 128");
  extents[0] = 256;
  box[0] = 64;
  says(good, "must be 128 for types with gaps");
  it = good;
  it.type = 13;
  CHECK(rejection(it) == "");
  box[0] = 16;
  says(it, "not a multiple of 16");
  box[0] = 32;
  extents[0] = 255;
  says(it, "must be a multiple of 2");
}

TEST_CASE("illegal copies of packed types are rejected") {
  auto const gaps = map_of(packings[1], swizzle::none), pairs = map_of(packings[0], swizzle::none);
  CHECK(refuse_copy(gaps, start, 0x2000) == std::nullopt);
  CHECK(refuse_copy(gaps, start, 0x2000, true).value_or("").find("loads only") !=
        std::string::npos);
  CHECK(refuse_copy(map_of(packings[2], swizzle::b128_atom64), start, 0x2000)
            .value_or("")
            .find("stores only") != std::string::npos);
  CHECK(refuse_begin(gaps, {16}, false) == std::nullopt);
  CHECK(refuse_begin(gaps, {8}, false).value_or("").find("multiple of 16") != std::string::npos);
  CHECK(refuse_begin(pairs, {2}, false) == std::nullopt);
  CHECK(refuse_begin(pairs, {1}, false).value_or("").find("multiple of 2") != std::string::npos);
}
