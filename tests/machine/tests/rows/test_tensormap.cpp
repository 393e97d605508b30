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

}  // namespace

verdict test_tensormap(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const shared = name.has("shared::cta"), replaces = name.has("replace");
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
  alignas(64) std::array<std::byte, 128> encoded;
  if (auto const problem = machine::tensor::encode_tiled(encoded.data(), what, box))
    return *problem;
  tensor_map want = *machine::tensor::read_map(encoded.data());
  buffers given;
  std::memcpy(given.in.data(), encoded.data(), 128);
  // Eight lanes copy the map: first from `in` to shared memory or to `out`, at the end from shared
  // memory to `out`.
  std::string const set_p3 = "setp.lt.u32 %p3, %lane, 8;\n";
  auto const moved = [](char const* load, char const* store) {
    return say("@%p3 ", load, " {%v0, %v1, %v2, %v3}, ", "[%from];\n@%p3 ", store,
               ", {%v0, %v1, %v2, %v3};\n");
  };
  std::string body =
      set_p3 + (shared ? to_shared(0, 0) : moved("ld.global.v4.b32", "st.global.v4.b32 [%to]")) +
      "bar.sync 0;\n";
  if (replaces) {
    auto const& chosen = replacements.at(name.modifiers[2]);
    chosen.act(want);
    body += "@%p0 " + row.name + (shared ? " [%s], " : " [%out], ") + chosen.operands +
            ";\nbar.sync 0;\n";
    if (shared)
      body +=
          "@%p3 ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%mine];\n@%p3 st.global.v4.b32 [%to], "
          "{%v0, %v1, "
          "%v2, %v3};\n";
  } else {
    body += row.name + " [%out], [%s], 128;\n";
  }
  auto const out = run(body, given);
  alignas(64) std::array<std::byte, 128> after;
  std::memcpy(after.data(), out.data(), 128);
  auto const found = machine::tensor::read_map(after.data());
  if (!found) return say(row.name, " leaves bytes that are not a tensor map");
  return equal(*found, want) ? "" : say(row.name, " leaves a map that differs from the definition");
}

}  // namespace machine_rows
