// Converts DLPack tensors to layouts and back. The test's DLTensor has the fields that all versions
// of dlpack.h have.
#include <axe/axe.hpp>
#include <axe/bridge/dlpack.hpp>

#include "oracle/samples.hpp"
#include "support/catch.hpp"

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
using tensor = DLTensor;
#else
struct tensor {
  void* data = nullptr;
  struct {
    int device_type, device_id;
  } device{};
  int ndim = 0;
  struct {
    std::uint8_t code, bits;
    std::uint16_t lanes;
  } dtype{};
  std::int64_t* shape = nullptr;
  std::int64_t* strides = nullptr;
  std::uint64_t byte_offset = 0;
};
#endif

using namespace axe::literals;
using axe::rule;

namespace {

constexpr axe::outcome<axe::layout> layout_of(std::int64_t rows, std::int64_t columns, bool compact,
                                              std::int64_t down = 0, std::int64_t right = 0) {
  std::int64_t shape[] = {rows, columns};
  std::int64_t strides[] = {down, right};
  tensor t{};
  t.ndim = 2;
  t.shape = shape;
  t.strides = compact ? nullptr : strides;
  return axe::try_from_dlpack(t);
}
static_assert(*layout_of(4, 5, true) == "S[((4),(5)):((5),(1))]"_axe);
static_assert(*layout_of(4, 5, false, 7, 1) == "S[((4),(5)):((7),(1))]"_axe);
static_assert(*layout_of(4, 5, false, -5, -1) == "S[((4),(5)):((-5),(-1))]"_axe);
static_assert(*layout_of(4, 5, false, 0, 1) == "S[((4),(5)):((0@m),(1))]"_axe);
static_assert(*layout_of(1, 1, false, 99, -7) == "S[((1),(1)):((99),(-7))]"_axe);
static_assert(layout_of(0, 5, true).why.which == rule::extent_below_one);
static_assert(layout_of(4, 0, false, 1, 1).why.which == rule::extent_below_one);
static_assert(layout_of(-4, std::int64_t{1} << 62, true).why.which == rule::extent_below_one);
static_assert(layout_of(std::int64_t{1} << 40, std::int64_t{1} << 40, true).why.which ==
              rule::shape_overflows);
static_assert(*axe::try_from_dlpack(tensor{}) == "S[]"_axe);

constexpr rule why(axe::layout const& l, axe::shape const& s, int bits = 32) {
  return axe::try_to_dlpack(l, s, bits).why.which;
}
static_assert(why("S[4:1] + R[2:4]"_axe, {4}) == rule::address_of_replicas);
static_assert(why("S[4:1@lane]"_axe, {4}) == rule::address_on_another_axis);
static_assert(why("S[4:-1]"_axe, {4}) == rule::least_place_is_negative);
static_assert(why("S[(2,2):(4,1)]"_axe, {4}) == rule::not_strided);
static_assert(why("swizzle(0,2,2) o S[(4,16):(16,1)]"_axe, {4, 16}) == rule::not_strided);
static_assert(why("S[(2,2):(1,4611686018427387904)]"_axe, {4}) == rule::not_strided);
static_assert(why("S[4:1] + 3"_axe, {4}, 4) == rule::offset_within_a_byte);
// The refusal names the first address, which under a swizzle is not the offset.
static_assert(axe::try_to_dlpack("swizzle(0,1,1) o S[4:4] + 2"_axe, {4}, 4).why ==
              axe::refusal{rule::offset_within_a_byte, {3, 4}});
static_assert(why("S[4:1] + 3"_axe, {4}, 0) == rule::element_width);
static_assert(why("S[4:1] + 4611686018427387904"_axe, {4}, 64) == rule::byte_offset_overflows);

constexpr auto padded = axe::to_dlpack("S[(4,5):(7,1)] + 6"_axe, {4, 5}, 4);
static_assert(padded.ndim == 2 && padded.shape[1] == 5 && padded.strides[0] == 7 &&
              padded.byte_offset == 3);
// A swizzle does not prevent the conversion if the swizzled addresses are strided.
static_assert(axe::to_dlpack("swizzle(3,1,3) o S[(4,8):(8,1)]"_axe, {4, 8}, 16).strides[0] == 8);
static_assert(axe::to_dlpack("swizzle(3,1,3) o S[(2,2):(64,1)]"_axe, {2, 2}, 16).strides[0] == 72);
static_assert(axe::to_dlpack("S[4:-1] + 3"_axe, {2, 2}, 32).byte_offset == 12);
static_assert(axe::to_dlpack("S[2:4611686018427387904]"_axe, {1, 2}, 8).strides[1] ==
              std::int64_t{1} << 62);

TEST_CASE("a strided layout round-trips through a tensor") {
  axe_test::random_source d{7};
  int strided = 0;
  for (int sample = 0; sample < 5'000; ++sample) {
    axe::layout const l = d.layout();
    axe::integer const size = axe::detail::product_of_extents(l.shards);
    axe::integer rows = d.between(1, 4);
    while (size % rows != 0) --rows;
    axe::shape const s{rows, size / rows};
    auto view = axe::try_to_dlpack(l, s, 8);
    if (!view) continue;
    ++strided;
    tensor t{};
    view.value.attach(t);
    axe::layout again = axe::from_dlpack(t);
    if (t.byte_offset != 0)
      again.offsets.push({static_cast<axe::integer>(t.byte_offset), axe::axis::m});
    axe::layout plain = l;
    plain.replicas.clear();
    REQUIRE(axe::equivalent(again, plain));
  }
  CHECK(strided > 500);
}

TEST_CASE("element 0 is at the byte offset") {
  float memory[4]{};
  tensor t{};
  t.data = memory;
  t.byte_offset = 8;
  CHECK(axe::dlpack_pointer<float>(t) == memory + 2);
}

}  // namespace
