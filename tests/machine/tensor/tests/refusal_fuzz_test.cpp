// Tests that random descriptors, maps and instructions are rejected or access only the memory that
// they were given; sanitizers and guarded callbacks check this. Some of each kind must be rejected
// and some must run.
#include <cstring>
#include <memory>

#include "support.hpp"
#include "support/catch.hpp"
#include "tensor/matrix_move.hpp"
#include "tensor/mma.hpp"
#include "tensor/tile_copy.hpp"
#include "tensor/wgmma.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;

namespace {

constexpr element every_type[] = {element::f16, element::bf16, element::tf32, element::f32,
                                  element::f64, element::e4m3, element::e5m2, element::s8,
                                  element::u8,  element::s4,   element::u4,   element::b1,
                                  element::s32};

struct tally {
  int ran = 0, rejected = 0;
  void count(bool was_rejected) { ++(was_rejected ? rejected : ran); }
  void check() const {
    CHECK(ran > 20);
    CHECK(rejected > 20);
  }
};

// Returns a number that is often small, and sometimes any 64-bit number.
std::uint64_t some(bit_stream& bits, std::uint64_t usual) {
  return bits.next() % 8 == 0 ? bits.next() : bits.next() % usual;
}

}  // namespace

TEST_CASE("random descriptors are rejected or access only their memory") {
  bit_stream bits(101);
  tally seen;
  std::vector<std::byte> shared(64 * 1024);
  auto out = std::make_unique<operand_rows>();
  for (int repeat = 0; repeat < 30000; ++repeat) {
    std::uint64_t word = bits.next();
    if (repeat % 4 != 0)
      word = encode_descriptor({static_cast<std::uint32_t>(bits.next()) & 0x7ff0,
                                static_cast<std::uint32_t>(bits.next()) & 0x7f0,
                                static_cast<std::uint32_t>(bits.next()) & 0x7f0,
                                static_cast<std::uint32_t>(bits.below(2)),
                                static_cast<swizzle>(bits.below(4))});
    element const type = every_type[bits.below(13)];
    auto const order = static_cast<major>(bits.below(2));
    int const rows = 8 * (1 + bits.below(32));
    if (width_of(type) > 32 || width_of(type) == 4) continue;
    auto const why = refuse_descriptor(word, order, type, rows, shared.size());
    seen.count(why.has_value());
    if (!why) read_operand(decode_descriptor(word), order, type, rows, shared, *out);
  }
  seen.check();
}

TEST_CASE("random tensor maps and coordinates are rejected or access only their memory") {
  bit_stream bits(103);
  tally encoded, copied;
  struct alignas(64) {
    std::byte bytes[map_bytes];
  } memory;
  constexpr std::uint64_t base = 1 << 20;
  std::vector<std::byte> shared(64 * 1024), global(256 * 1024);
  for (int repeat = 0; repeat < 60000; ++repeat) {
    map_arguments it;
    std::uint64_t extents[5], strides[4];
    std::uint32_t box[5], element_strides[5];
    int lower[3], upper[3];
    for (auto& extent : extents) extent = some(bits, 9) + (bits.below(20) != 0 ? 1 : 0);
    for (auto& stride : strides) stride = some(bits, 64) * 16;
    for (auto& size : box)
      size = static_cast<std::uint32_t>(some(bits, 6) + (bits.below(20) != 0 ? 1 : 0));
    for (auto& step : element_strides) step = static_cast<std::uint32_t>(some(bits, 3) + 1);
    for (int& corner : lower) corner = -bits.below(3);
    for (int& corner : upper) corner = -bits.below(3);
    it.type = static_cast<std::uint32_t>(some(bits, 13));
    it.rank = static_cast<std::uint32_t>(some(bits, 5) + 1);
    it.address = base;
    it.extents = extents;
    it.strides = strides;
    it.element_strides = element_strides;
    it.interleave = static_cast<std::uint32_t>(bits.below(30) == 0 ? bits.below(4) : 0);
    it.swizzle = static_cast<std::uint32_t>(some(bits, 4));
    it.fill = static_cast<std::uint32_t>(bits.below(2));
    box[0] = static_cast<std::uint32_t>(bits.below(3) == 0 ? bits.next() % 300 : 16);
    auto const why = repeat % 3 == 0 ? encode_im2col(&memory, it, lower, upper, box[0],
                                                     static_cast<std::uint32_t>(some(bits, 40)))
                                     : encode_tiled(&memory, it, box);
    encoded.count(why.has_value());
    if (why) continue;
    tensor_map const map = *read_map(&memory);
    auto const start = 128 * static_cast<std::uint32_t>(bits.below(600));
    bool const rejected = refuse_copy(map, start, shared.size()).has_value();
    copied.count(rejected);
    if (rejected) continue;
    coordinates at{};
    for (auto& coordinate : at)
      coordinate =
          bits.below(10) == 0 ? static_cast<std::int32_t>(bits.next()) : bits.below(12) - 4;
    // A random map may describe a tensor that is larger than this memory, so addresses outside are
    // skipped.
    auto const inside = [&](std::uint64_t address, std::uint32_t count) {
      return address >= base && address - base < global.size() &&
             global.size() - (address - base) >= count;
    };
    load_tile(map, at, {1, 2, 3}, shared, start,
              [&](std::uint64_t address, std::byte* to, std::uint32_t count) {
                if (inside(address, count))
                  std::memcpy(to, global.data() + (address - base), count);
              });
    store_tile(map, at, shared, start,
               [&](std::uint64_t address, std::byte const* from, std::uint32_t count) {
                 if (inside(address, count))
                   std::memcpy(global.data() + (address - base), from, count);
               });
  }
  encoded.check();
  copied.check();
}

TEST_CASE("random instructions are rejected or access only their memory") {
  bit_stream bits(107);
  tally mma_seen, wgmma_seen, rows_seen;
  std::vector<std::vector<std::uint32_t>> words(160, std::vector<std::uint32_t>(32));
  for (auto& lanes : words)
    for (auto& word : lanes) word = static_cast<std::uint32_t>(bits.next());
  std::vector<std::uint32_t*> pointers;
  for (auto& lanes : words) pointers.push_back(lanes.data());
  auto a = std::make_unique<operand_rows>(), b = std::make_unique<operand_rows>();
  for (auto& byte : a->bytes) byte = static_cast<std::uint8_t>(bits.next());
  b->bytes = a->bytes;
  std::vector<std::byte> shared(4096);
  for (int repeat = 0; repeat < 200000; ++repeat) {
    element const type = every_type[bits.below(13)], sum = every_type[bits.below(13)];
    mma_instruction const it{.m = bits.below(2) == 0 ? 8 : 16,
                             .n = 8,
                             .k = 4 << bits.below(7),
                             .a = type,
                             .b = type,
                             .c = sum,
                             .d = sum,
                             .satfinite = bits.below(4) == 0,
                             .exclusive_or = bits.below(4) == 0};
    mma_seen.count(refuse_mma(it) != nullptr);
    if (refuse_mma(it) == nullptr && type != element::f64)
      mma(it, &pointers[0], &pointers[8], &pointers[12], &pointers[16]);
    if (repeat % 20 != 0) continue;
    wgmma_instruction const large{
        .n = 8 * bits.below(34), .d = sum, .a = type, .b = type, .satfinite = bits.below(8) == 0};
    wgmma_seen.count(refuse_wgmma(large) != nullptr);
    if (refuse_wgmma(large) == nullptr)
      wgmma(large, *a, *b, {{&pointers[0], &pointers[8], &pointers[16], &pointers[24]}},
            bits.below(2) == 0);
    std::uint32_t addresses[32];
    for (auto& address : addresses)
      address =
          static_cast<std::uint32_t>(bits.below(60) == 0 ? bits.next() : bits.next() % 256 * 16);
    int const count = 1 << bits.below(3);
    bool const rejected = refuse_matrix_rows(count, addresses, shared.size()).has_value();
    rows_seen.count(rejected);
    if (rejected) continue;
    ldmatrix(count, bits.below(2) == 0, shared, addresses, &pointers[0]);
    stmatrix(count, bits.below(2) == 0, shared, addresses, &pointers[0]);
  }
  mma_seen.check();
  wgmma_seen.check();
  rows_seen.check();
}
