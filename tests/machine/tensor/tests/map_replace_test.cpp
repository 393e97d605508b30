// Tests tensormap.replace field by field, and the check of the whole map afterwards.
#include "tensor/map_replace.hpp"

#include <cstring>

#include "support/catch.hpp"

using namespace machine::tensor;

namespace {

struct alignas(64) map_memory {
  unsigned char bytes[map_bytes];
};

map_memory example() {
  std::uint64_t const extents[] = {136, 200}, strides[] = {272};
  std::uint32_t const box[] = {64, 64}, element_strides[] = {1, 1};
  map_arguments it{.type = 9,
                   .rank = 2,
                   .address = 0x10000,
                   .extents = extents,
                   .strides = strides,
                   .element_strides = element_strides,
                   .swizzle = 3};
  map_memory memory;
  REQUIRE(!encode_tiled(memory.bytes, it, box));
  return memory;
}

tensor_map after(map_field field, std::uint32_t ordinal, std::uint64_t value) {
  map_memory memory = example();
  auto const why = replace_field(memory.bytes, field, ordinal, value);
  INFO((why ? *why : ""));
  REQUIRE(!why);
  auto const map = read_map(memory.bytes);
  REQUIRE(map);
  return *map;
}

void check_rejected(map_field field, std::uint32_t ordinal, std::uint64_t value,
                    char const* sentence) {
  map_memory memory = example();
  map_memory const before = memory;
  auto const why = replace_field(memory.bytes, field, ordinal, value);
  REQUIRE(why);
  CHECK_THAT(*why, axe_test::contains_text(sentence));
  CHECK(std::memcmp(memory.bytes, before.bytes, map_bytes) == 0);
}

}  // namespace

TEST_CASE("each field takes its new value") {
  CHECK(after(map_field::global_address, 0, 0x20000).address == 0x20000);
  CHECK(after(map_field::rank, 0, 2).rank == 3);
  CHECK(after(map_field::box_dim, 1, 256).box[1] == 256);
  CHECK(after(map_field::global_dim, 1, 100).extents[1] == 100);
  CHECK(after(map_field::global_stride, 0, 512).strides[1] == 512);
  CHECK(after(map_field::element_stride, 1, 3).element_strides[1] == 3);
  CHECK(after(map_field::elemtype, 0, 9).type == map_type::float64);
  CHECK(after(map_field::elemtype, 0, 10).type == map_type::bfloat16);
  CHECK(after(map_field::elemtype, 0, 8).type == map_type::float32_ftz);
  CHECK(after(map_field::elemtype, 0, 12).strides[0] == 4);
  CHECK(after(map_field::elemtype, 0, 13).type == map_type::u4_align8);
  CHECK(after(map_field::elemtype, 0, 14).type == map_type::u4_align16);
  CHECK(after(map_field::elemtype, 0, 15).type == map_type::u6_align16);
  CHECK(after(map_field::interleave_layout, 0, 1).interleave == interleaving::b16);
  CHECK(after(map_field::swizzle_mode, 0, 2).swizzling == swizzle::b64);
  CHECK(after(map_field::swizzle_atomicity, 0, 0).swizzling == swizzle::b128);
  CHECK(after(map_field::swizzle_atomicity, 0, 1).swizzling == swizzle::b128_atom32);
  CHECK(after(map_field::swizzle_atomicity, 0, 2).swizzling == swizzle::b128_atom32_flip8);
  CHECK(after(map_field::swizzle_atomicity, 0, 3).swizzling == swizzle::b128_atom64);
  CHECK(after(map_field::fill_mode, 0, 1).fill == border::nan);
}

TEST_CASE("values outside the table are rejected and change nothing") {
  check_rejected(map_field::rank, 0, 5, "no value 5");
  check_rejected(map_field::box_dim, 0, 257, "no value 257");
  check_rejected(map_field::box_dim, 5, 1, "no ordinal 5");
  check_rejected(map_field::global_dim, 0, 0, "no value 0");
  check_rejected(map_field::global_stride, 4, 16, "no ordinal 4");
  check_rejected(map_field::global_stride, 0, std::uint64_t{1} << 40, "global_stride");
  check_rejected(map_field::element_stride, 0, 9, "no value 9");
  check_rejected(map_field::elemtype, 0, 16, "has no value 16");
  check_rejected(map_field::swizzle_mode, 0, 4, "has no value 4");
  check_rejected(map_field::interleave_layout, 0, 3, "no value 3");
  check_rejected(map_field::fill_mode, 0, 2, "no value 2");
  check_rejected(map_field::swizzle_atomicity, 0, 4, "no value 4");
  map_memory memory = example();
  REQUIRE(!replace_field(memory.bytes, map_field::swizzle_atomicity, 0, 3));
  CHECK(!replace_field(memory.bytes, map_field::swizzle_mode, 0, 3));
  CHECK(read_map(memory.bytes)->swizzling == swizzle::b128_atom64);
  map_memory nothing{};
  CHECK_THAT(*replace_field(nothing.bytes, map_field::rank, 0, 1),
             axe_test::contains_text("not a tensor map"));
}

TEST_CASE("swizzle_mode and swizzle_atomicity are replaced in either order") {
  using enum swizzle;
  map_memory memory = example();
  auto const replaced = [&](map_field field, std::uint64_t value) {
    REQUIRE(!replace_field(memory.bytes, field, 0, value));
    return *read_map(memory.bytes);
  };
  REQUIRE(!replace_field(memory.bytes, map_field::box_dim, 0, 16));
  CHECK(replaced(map_field::swizzle_mode, 2).swizzling == b64);
  CHECK(!refuse_map(*read_map(memory.bytes)));
  auto const wide = replaced(map_field::swizzle_atomicity, 3);
  CHECK(wide.swizzling == b64);
  CHECK_THAT(*refuse_map(wide), axe_test::contains_text("only the 128B swizzle has wide atoms"));
  CHECK(replaced(map_field::swizzle_mode, 3).swizzling == b128_atom64);
  CHECK(!refuse_map(*read_map(memory.bytes)));
  CHECK(refuse_map(replaced(map_field::swizzle_mode, 2)));
  CHECK(!refuse_map(replaced(map_field::swizzle_atomicity, 0)));
  CHECK(replaced(map_field::swizzle_mode, 3).swizzling == b128);
}

TEST_CASE("fields that contradict each other are rejected when the map is used") {
  CHECK(!refuse_map(*read_map(example().bytes)));
  CHECK(!refuse_map(after(map_field::global_dim, 0, 7)));
  CHECK_THAT(*refuse_map(after(map_field::swizzle_mode, 0, 1)),
             axe_test::contains_text("swizzle span of 32"));
  CHECK_THAT(*refuse_map(after(map_field::global_address, 0, 8)),
             axe_test::contains_text("multiple of 16"));
  CHECK_THAT(*refuse_map(after(map_field::global_stride, 0, 8)),
             axe_test::contains_text("globalStrides[0] is 8"));
  // A larger rank adds dimensions that were never set.
  CHECK_THAT(*refuse_map(after(map_field::rank, 0, 2)), axe_test::contains_text("[2] is 0"));
}
