// Tests tensormap.replace and cp_fenceproxy: decodes a map that a kernel has changed or copied,
// field by field.
#include <functional>
#include <map>

#include "rows/copying.hpp"
#include "tensor/tensor_map.hpp"

namespace machine_rows {
namespace {

using namespace copying;
using machine::tensor::tensor_map;

/// Operands with a new value, and the effect on a map (PTX ISA, table of "tensormap.replace").
struct replacement {
  char const* operands;
  std::function<void(tensor_map&)> act;
};

std::map<std::string, replacement> const replacements = {
    {"global_address", {"65536", [](tensor_map& m) { m.address = 65536; }}},
    {"rank", {"1", [](tensor_map& m) { m.rank = 2; }}},
    {"box_dim", {"1, 2", [](tensor_map& m) { m.box[1] = 2; }}},
    {"global_dim", {"2, 5", [](tensor_map& m) { m.extents[2] = 5; }}},
    {"global_stride", {"1, 16384", [](tensor_map& m) { m.strides[2] = 16384; }}},
    {"element_stride", {"2, 3", [](tensor_map& m) { m.element_strides[2] = 3; }}},
    {"elemtype", {"8", [](tensor_map& m) { m.type = machine::tensor::map_type::float32_ftz; }}},
    {"interleave_layout",
     {"1", [](tensor_map& m) { m.interleave = machine::tensor::interleaving::b16; }}},
    {"swizzle_mode", {"2", [](tensor_map& m) { m.swizzling = machine::tensor::swizzle::b64; }}},
    {"swizzle_atomicity",
     {"1", [](tensor_map& m) { m.swizzling = machine::tensor::swizzle::b128_atom32; }}},
    {"fill_mode", {"1", [](tensor_map& m) { m.fill = machine::tensor::border::nan; }}}};

/// Compares two maps, without dimensions beyond the rank.
bool equal(tensor_map const& a, tensor_map const& b) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(a.rank); ++d)
    if (a.extents[d] != b.extents[d] || a.strides[d] != b.strides[d] || a.box[d] != b.box[d] ||
        a.element_strides[d] != b.element_strides[d])
      return false;
  return a.mode == b.mode && a.type == b.type && a.rank == b.rank && a.address == b.address &&
         a.interleave == b.interleave && a.swizzling == b.swizzling && a.fill == b.fill;
}

using encoded_map = std::array<std::byte, 128>;

/// Writes the map of a tensor of 16 x 32 x 64 elements in boxes of 4 x 8 x 16.
void encode(encoded_map& to) {
  std::uint64_t const extents[] = {64, 32, 16}, strides[] = {256, 8192};
  std::uint32_t const box[] = {16, 8, 4}, steps[] = {1, 1, 1};
  machine::tensor::map_arguments what;
  what.type = 2;  // UINT32
  what.rank = 3;
  what.address = 4096;
  what.extents = extents;
  what.strides = strides;
  what.element_strides = steps;
  what.swizzle = 3;  // 128B
  if (auto const problem = machine::tensor::encode_tiled(to.data(), what, box))
    machine::fail(machine::trouble::descriptor, 0, *problem);
}

/// Eight lanes copy the map from `in` to shared memory or, for a map in global memory, to `out`.
std::string load_map(bool shared) {
  std::string const to_global = R"(
  @%p3 ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%from];
  @%p3 st.global.v4.b32 [%to], {%v0, %v1, %v2, %v3};
)";
  return "setp.lt.u32 %p3, %lane, 8;\n" + (shared ? to_shared(0, 0) : to_global) + "bar.sync 0;\n";
}

std::string const map_to_out = R"(
  @%p3 ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%mine];
  @%p3 st.global.v4.b32 [%to], {%v0, %v1, %v2, %v3};
)";

std::string body_of(machine::table_row const& row, name_parts const& name) {
  bool const shared = name.has("shared::cta");
  if (!name.has("replace")) return load_map(shared) + row.name + " [%out], [%s], 128;\n";
  return load_map(shared) + "@%p0 " + row.name + (shared ? " [%s], " : " [%out], ") +
         replacements.at(name.modifiers[2]).operands + ";\nbar.sync 0;\n" +
         (shared ? map_to_out : "");
}

}  // namespace

verdict test_tensormap(machine::table_row const& row) {
  auto const name = split(row.name);
  alignas(64) encoded_map before, after;
  encode(before);
  tensor_map want = *machine::tensor::read_map(before.data());
  if (name.has("replace")) replacements.at(name.modifiers[2]).act(want);
  buffers given;
  std::memcpy(given.in.data(), before.data(), 128);
  auto const out = run(body_of(row, name), given);
  std::memcpy(after.data(), out.data(), 128);
  auto const found = machine::tensor::read_map(after.data());
  if (!found) return say(row.name, " leaves bytes that are not a tensor map");
  return equal(*found, want) ? "" : say(row.name, " leaves a map that differs from the definition");
}

}  // namespace machine_rows
