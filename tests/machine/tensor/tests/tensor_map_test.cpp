// Tests every rule of the driver's documentation for tensor maps: one legal map, and each field
// broken in turn.
#include "tensor/tensor_map.hpp"

#include <cstring>
#include <functional>

#include "support.hpp"
#include "support/catch.hpp"

using namespace machine::tensor;

namespace {

struct alignas(64) map_memory {
  unsigned char bytes[2 * map_bytes] = {};
};

// The arguments for a bf16 matrix of 200 rows and 136 columns in boxes of 64 by 64 with 128B
// swizzle. Tests change one of them.
struct request {
  map_arguments fields;
  std::uint64_t extents[5] = {136, 200, 3, 2, 2};
  std::uint64_t strides[4] = {272, 54400, 163200, 326400};
  std::uint32_t box[5] = {64, 64, 1, 1, 1};
  std::uint32_t element_strides[5] = {1, 1, 1, 1, 1};
  int lower[3] = {-1, -1, -1};
  int upper[3] = {-1, -1, -1};
  std::uint32_t channels = 64, pixels = 128;
  std::size_t map_offset = 0;
  bool with_box = true;

  request() {
    fields.type = 9;
    fields.rank = 2;
    fields.address = 0x10000;
    fields.swizzle = 3;
  }
  std::optional<std::string> encode(map_memory& memory, bool im2col) {
    fields.extents = extents;
    fields.strides = strides;
    fields.element_strides = element_strides;
    void* to = memory.bytes + map_offset;
    if (im2col) return encode_im2col(to, fields, lower, upper, channels, pixels);
    return encode_tiled(to, fields, with_box ? box : nullptr);
  }
};

void check_rejected(std::function<void(request&)> change, char const* sentence,
                    bool im2col = false) {
  request it;
  if (im2col) it.fields.rank = 4;
  map_memory memory;
  CHECK(!it.encode(memory, im2col));
  change(it);
  map_memory untouched;
  auto const why = it.encode(untouched, im2col);
  REQUIRE(why);
  CHECK_THAT(*why, axe_test::contains_text(sentence));
  for (unsigned char byte : untouched.bytes) CHECK(byte == 0);
}

void accepted(std::function<void(request&)> change, bool im2col = false) {
  request it;
  if (im2col) it.fields.rank = 4;
  change(it);
  map_memory memory;
  auto const why = it.encode(memory, im2col);
  INFO((why ? *why : ""));
  CHECK(!why);
  CHECK(read_map(memory.bytes));
}

}  // namespace

TEST_CASE("a map comes back as it was encoded") {
  request it;
  map_memory memory;
  REQUIRE(!it.encode(memory, false));
  auto const map = read_map(memory.bytes);
  REQUIRE(map);
  CHECK(map->mode == map_mode::tiled);
  CHECK(map->type == map_type::bfloat16);
  CHECK(map->rank == 2);
  CHECK(map->address == 0x10000);
  CHECK(map->extents == std::array<std::uint64_t, 5>{136, 200});
  CHECK(map->strides == std::array<std::uint64_t, 5>{2, 272});
  CHECK(map->box == std::array<std::uint32_t, 5>{64, 64});
  CHECK(map->swizzling == swizzle::b128);
  CHECK(map->fill == border::zero);
  request large;
  large.extents[0] = std::uint64_t{1} << 32;
  large.strides[0] = (std::uint64_t{1} << 40) - 16;
  large.box[1] = 256;
  large.element_strides[1] = 8;
  large.fields.fill = 1;
  REQUIRE(!large.encode(memory, false));
  CHECK(read_map(memory.bytes)->extents[0] == std::uint64_t{1} << 32);
  CHECK(read_map(memory.bytes)->strides[1] == (std::uint64_t{1} << 40) - 16);
  CHECK(read_map(memory.bytes)->box[1] == 256);
  CHECK(read_map(memory.bytes)->element_strides[1] == 8);
  CHECK(read_map(memory.bytes)->fill == border::nan);
}

TEST_CASE("each flipped bit of a map is noticed") {
  request it;
  map_memory memory;
  REQUIRE(!it.encode(memory, false));
  for (int bit = 0; bit < map_bytes * 8; ++bit) {
    memory.bytes[bit / 8] = static_cast<unsigned char>(memory.bytes[bit / 8] ^ (1 << (bit % 8)));
    CHECK(!read_map(memory.bytes));
    memory.bytes[bit / 8] = static_cast<unsigned char>(memory.bytes[bit / 8] ^ (1 << (bit % 8)));
  }
  CHECK(read_map(memory.bytes));
  CHECK(!read_map(map_memory{}.bytes));
}

TEST_CASE("a map that breaks a rule of both modes is rejected") {
  for (bool im2col : {false, true}) {
    check_rejected([](request& it) { it.map_offset = 32; }, "multiple of 64", im2col);
    check_rejected([](request& it) { it.fields.type = 13; }, "needs sm_100", im2col);
    check_rejected([](request& it) { it.fields.type = 16; }, "CUtensorMapDataType", im2col);
    check_rejected([](request& it) { it.fields.rank = 0; }, "tensorRank is 0", im2col);
    check_rejected([](request& it) { it.fields.rank = 6; }, "tensorRank is 6", im2col);
    check_rejected([](request& it) { it.fields.address = 0x10008; }, "multiple of 16", im2col);
    check_rejected([](request& it) { it.extents[1] = 0; }, "globalDim[1] is 0", im2col);
    check_rejected([](request& it) { it.extents[0] = (std::uint64_t{1} << 32) + 1; },
                   "globalDim[0] is 4294967297", im2col);
    check_rejected([](request& it) { it.strides[0] = 280; }, "globalStrides[0] is 280", im2col);
    check_rejected([](request& it) { it.strides[0] = std::uint64_t{1} << 40; }, "below 2^40",
                   im2col);
    check_rejected([](request& it) { it.element_strides[1] = 0; }, "elementStrides[1] is 0",
                   im2col);
    check_rejected([](request& it) { it.element_strides[1] = 9; }, "elementStrides[1] is 9",
                   im2col);
    check_rejected(
        [](request& it) {
          it.fields.interleave = 3;
          it.fields.rank = 4;
        },
        "CUtensorMapInterleave", im2col);
    check_rejected([](request& it) { it.fields.swizzle = 4; }, "need sm_100", im2col);
    check_rejected([](request& it) { it.fields.swizzle = 7; }, "CUtensorMapSwizzle", im2col);
    check_rejected(
        [](request& it) {
          it.fields.interleave = 2;
          it.fields.rank = 4;
        },
        "needs swizzle 32B", im2col);
    check_rejected([](request& it) { it.fields.promotion = 4; }, "CUtensorMapL2promotion", im2col);
    check_rejected([](request& it) { it.fields.fill = 2; }, "CUtensorMapFloatOOBfill", im2col);
    check_rejected(
        [](request& it) {
          it.fields.fill = 1;
          it.fields.type = 1;
        },
        "floating-point", im2col);
    accepted([](request& it) { it.strides[0] = 0; }, im2col);
    accepted([](request& it) { it.fields.address = 0; },
             im2col);  // no rule against it; a copy would be stopped
    accepted([](request& it) { it.fields.rank = 5; }, im2col);
    accepted([](request& it) { it.fields.promotion = 3; }, im2col);
  }
}

TEST_CASE("a map that breaks a rule of the tiled mode is rejected") {
  check_rejected([](request& it) { it.with_box = false; }, "boxDim is null");
  check_rejected([](request& it) { it.box[1] = 0; }, "boxDim[1] is 0");
  check_rejected([](request& it) { it.box[1] = 257; }, "boxDim[1] is 257");
  check_rejected([](request& it) { it.box[0] = 60; },
                 "60 elements = 120 bytes, which is not a multiple of 16");
  check_rejected([](request& it) { it.box[0] = 128; }, "more than the swizzle span of 128");
  check_rejected([](request& it) { it.fields.swizzle = 2; }, "more than the swizzle span of 64");
  check_rejected([](request& it) { it.fields.swizzle = 1; }, "more than the swizzle span of 32");
  check_rejected([](request& it) { it.fields.interleave = 1; },
                 "tensorRank is 2, it must be from 3 to 5 with an interleaved layout");
  accepted([](request& it) {
    it.fields.swizzle = 0;
    it.box[0] = 256;
  });
  accepted([](request& it) { it.fields.rank = 1; });
  accepted([](request& it) {
    it.fields.interleave = 1;
    it.fields.rank = 3;
    it.box[0] = 60;
  });
  accepted([](request& it) {
    it.fields.interleave = 2;
    it.fields.rank = 3;
    it.fields.swizzle = 1;
    it.fields.address = 0x10020;
    it.strides[0] = 288;
  });
  check_rejected(
      [](request& it) {
        it.fields.interleave = 2;
        it.fields.rank = 3;
        it.fields.swizzle = 1;
        it.fields.address = 0x10010;
      },
      "multiple of 32");
}

TEST_CASE("a map that breaks a rule of the im2col mode is rejected") {
  check_rejected([](request& it) { it.fields.rank = 2; }, "from 3 to 5 in im2col mode", true);
  check_rejected([](request& it) { it.lower[0] = -129; }, "pixelBoxLowerCorner[0] is -129", true);
  check_rejected([](request& it) { it.upper[1] = 128; }, "pixelBoxUpperCorner[1] is 128", true);
  check_rejected(
      [](request& it) {
        it.fields.rank = 5;
        it.lower[2] = -17;
      },
      "from -16 to 15", true);
  check_rejected(
      [](request& it) {
        it.fields.rank = 3;
        it.lower[0] = 32768;
      },
      "from -32768 to 32767", true);
  check_rejected(
      [](request& it) {
        it.extents[1] = 4;
        it.lower[0] = 4;
        it.upper[0] = 0;
      },
      "empty along dimension 1", true);
  check_rejected(
      [](request& it) {
        it.channels = 257;
        it.fields.swizzle = 0;
      },
      "channelsPerPixel is 257", true);
  check_rejected([](request& it) { it.channels = 0; }, "channelsPerPixel is 0", true);
  check_rejected([](request& it) { it.channels = 128; }, "more than the swizzle span", true);
  check_rejected([](request& it) { it.pixels = 1025; }, "pixelsPerColumn is 1025", true);
  accepted(
      [](request& it) {
        it.pixels = 1024;
        it.fields.rank = 5;
      },
      true);
}
