#include "rows/map_copying.hpp"

namespace machine_rows::copying {
namespace {

struct memories {
  bytes tensor, tile;
};

std::size_t tensor_bytes(map_copy const& of) {
  std::size_t count = 4;
  for (unsigned d = 0; d < of.rank; ++d) count *= of.extents[d];
  return count;
}

std::string body_of(map_copy const& of) {
  std::string const source = "[%map, {" + of.coordinates + "}]";
  if (!of.loads)
    return to_shared(0, 0) + ordered + "@%p0 " + of.row + " " + source + ", [%s];\n" + drain;
  std::string const offsets = of.offsets.empty() ? "" : ", {" + of.offsets + "}";
  return ordered + expect(of.tile_bytes) + "@%p0 " + of.row + " [%s], " + source + ", [%bar]" +
         offsets + (of.multicast ? ", %mask" : "") + ";\n" + wait +
         say("setp.lt.u32 %p3, %lane, ", of.tile_bytes / 16, ";\n@!%p3 bra E;\n") + to_out + "E:\n";
}

/// Runs the kernel and returns both memories after it. After a load, `tile` is the tile in shared
/// memory; after a store or reduction, it is zero.
memories run(map_copy const& of, memories const& before, encoder const& encode) {
  machine::device on;
  std::uint64_t const tensor = on.allocate(before.tensor.size());
  std::uint64_t const tile = on.allocate(before.tile.size()), out = on.allocate(chunk);
  std::uint32_t const element_strides[5] = {1, 1, 1, 1, 1};
  machine::tensor::map_arguments what;
  what.type = 2;  // UINT32
  what.rank = of.rank;
  what.address = tensor;
  what.extents = of.extents;
  what.strides = of.strides;
  what.element_strides = element_strides;
  alignas(64) std::array<std::byte, 128> map;
  if (auto const problem = encode(map.data(), what))
    machine::fail(machine::trouble::descriptor, 0, *problem);
  on.copy_in(tensor, before.tensor.data(), before.tensor.size());
  on.copy_in(tile, before.tile.data(), before.tile.size());
  on.fill(out, 0, chunk);
  machine::load(frame(body_of(of)), on)
      .launch("t", {1}, {32}, {}, 0, {tile, out, machine::argument(map.data(), 128)});
  memories after{bytes(before.tensor.size()), bytes(chunk)};
  on.copy_out(after.tensor.data(), tensor, after.tensor.size());
  on.copy_out(after.tile.data(), out, chunk);
  return after;
}

memories reference(map_copy const& of, memories const& before) {
  memories after{before.tensor, bytes(chunk, 0)};
  for (auto const& at : of.elements) {
    std::uint32_t in_tensor = 0, in_tile = 0;
    std::memcpy(&in_tensor, &before.tensor[at.in_tensor], 4);
    std::memcpy(&in_tile, &before.tile[at.in_tile], 4);
    if (of.loads) {
      std::memcpy(&after.tile[at.in_tile], &in_tensor, 4);
      continue;
    }
    if (!of.operation.empty())
      in_tile = static_cast<std::uint32_t>(reduced(of.operation, "u32", in_tensor, in_tile));
    std::memcpy(&after.tensor[at.in_tensor], &in_tile, 4);
  }
  return after;
}

}  // namespace

map_copy map_copy_of(machine::table_row const& row, unsigned rank,
                     std::size_t operation_from_the_end) {
  auto const name = split(row.name);
  map_copy made{};
  made.row = row.name;
  made.loads = row.signature[1] == 'S';
  made.multicast = name.has("multicast::cluster");
  made.operation =
      name.opcode == "cp" && name.has("reduce") ? name.last(operation_from_the_end) : "";
  made.rank = rank;
  return made;
}

verdict test(map_copy const& of, encoder const& encode) {
  generator random;
  memories before{bytes(tensor_bytes(of)), bytes(1024)};
  fill(before.tensor, "u32", random);
  fill(before.tile, "u32", random);
  memories const got = run(of, before, encode), want = reference(of, before);
  auto const difference = compare(of.row, got.tensor, want.tensor);
  return difference.empty() ? compare(of.row, got.tile, want.tile) : difference;
}

}  // namespace machine_rows::copying
