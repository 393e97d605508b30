// Implements changes of tensor maps in memory (PTX ISA, "tensormap.replace",
// "tensormap.cp_fenceproxy", "fence.proxy.tensormap").
//
//     tensormap.replace.tile.global_address.shared::cta.b1024.b64 [map], address
//     tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], 1, rows          dimension 1
//
// A copy reads the 128 bytes of its map when it is issued. The machine does not check for a fence
// between a change of the map and the copy.
#include <cstring>

#include "check/strict.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tensor/map_replace.hpp"

namespace machine {
namespace {

using tensor::map_field;

template <bool in_shared> std::uint64_t map_address(warp& w, instruction const& i, unsigned lane) {
  if constexpr (in_shared)
    return lanes_of<std::uint32_t>(w, i.at[0])[lane] + static_cast<std::uint32_t>(i.offset);
  return lanes_of<std::uint64_t>(w, i.at[0])[lane] + static_cast<std::uint64_t>(i.offset);
}

/// The operands are the map, the ordinal if the field has one, and the value.
template <map_field field, bool in_shared, bool has_ordinal, class T>
void replace(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t const address = map_address<in_shared>(w, i, lane);
    auto const at = reach(w, i, lane, in_shared ? space::shared : space::generic, address,
                          tensor::map_bytes, access::update, 64);
    require_written(w, i, lane, address, at, tensor::map_bytes);
    std::uint32_t ordinal = 0;
    if constexpr (has_ordinal) ordinal = lanes_of<std::uint32_t>(w, i.at[1])[lane];
    std::uint64_t const value = lanes_of<T>(w, i.at[has_ordinal ? 2 : 1])[lane];
    if (auto const problem = tensor::replace_field(at.bytes, field, ordinal, value))
      fault(w, i, lane, trouble::descriptor, address, *problem);
  });
}

void require_size(warp& w, instruction const& i, unsigned lane, unsigned at) {
  if (auto const size = lanes_of<std::uint32_t>(w, i.at[at])[lane]; size != tensor::map_bytes)
    fault(w, i, lane, trouble::descriptor, 0, say("names ", size, " bytes; a tensor map has 128"));
}

/// Copies one map for the whole warp.
void copy_map(warp& w, instruction const& i, std::uint32_t mask) {
  auto const lane = static_cast<unsigned>(std::countr_zero(mask));
  auto const* const into = lanes_of<std::uint64_t>(w, i.at[0]);
  auto const* const from = lanes_of<std::uint32_t>(w, i.at[1]);
  for_lanes(mask, [&](unsigned other) {
    if (into[other] != into[lane] || from[other] != from[lane])
      fault(w, i, other, trouble::members, into[other],
            "the lanes of a warp copy different tensor maps");
  });
  require_size(w, i, lane, 2);
  auto const source = reach(w, i, lane, space::shared, from[lane], 128, access::read, 128);
  require_written(w, i, lane, from[lane], source, 128);
  auto const target =
      reach(w, i, lane, space::generic, into[lane] + static_cast<std::uint64_t>(i.offset), 128,
            access::write, 128);
  std::memcpy(target.bytes, source.bytes, 128);
  mark_written(target, 128);
}

/// Hardware tolerates an acquire at address 0, and CUTLASS's grouped products execute one for each
/// operand that they lack. The report is therefore a warning in launches that collect warnings.
void fence_map(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    require_size(w, i, lane, 1);
    std::uint64_t const address = map_address<false>(w, i, lane);
    if (address == 0)
      return fault_or_warn(w, i, lane, trouble::out_of_bounds, address, [] {
        return std::string("acquires a tensor map at address 0, where there is none");
      });
    reach(w, i, lane, space::generic, address, 128, access::read, 64);
  });
}

void nothing(warp&, instruction const&, std::uint32_t) {}

template <map_field field, bool has_ordinal, class T>
void add_field(opcode_table& table, char const* name) {
  std::string const stem = std::string("tensormap.replace.tile.") + name;
  std::string const tail = say(".b1024.b", 8 * sizeof(T));
  std::string const operands = std::string(has_ordinal ? "w" : "") + (sizeof(T) == 8 ? "l" : "w");
  for (char const* place : {"", ".global"})
    table.add({stem + place + tail, "=A" + operands, &replace<field, false, has_ordinal, T>});
  table.add({stem + ".shared::cta" + tail, "=S" + operands, &replace<field, true, has_ordinal, T>});
}

}  // namespace

void add_tensormaps(opcode_table& table) {
  add_field<map_field::global_address, false, std::uint64_t>(table, "global_address");
  add_field<map_field::rank, false, std::uint32_t>(table, "rank");
  add_field<map_field::box_dim, true, std::uint32_t>(table, "box_dim");
  add_field<map_field::global_dim, true, std::uint32_t>(table, "global_dim");
  add_field<map_field::global_stride, true, std::uint64_t>(table, "global_stride");
  add_field<map_field::element_stride, true, std::uint32_t>(table, "element_stride");
  add_field<map_field::elemtype, false, std::uint32_t>(table, "elemtype");
  add_field<map_field::interleave_layout, false, std::uint32_t>(table, "interleave_layout");
  add_field<map_field::swizzle_mode, false, std::uint32_t>(table, "swizzle_mode");
  add_field<map_field::swizzle_atomicity, false, std::uint32_t>(table, "swizzle_atomicity");
  add_field<map_field::fill_mode, false, std::uint32_t>(table, "fill_mode");
  for (char const* scope : {".cta", ".cluster", ".gpu", ".sys"}) {
    table.add(
        {std::string("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release") +
             scope + ".sync.aligned",
         "=ASw", &copy_map, control::member, true});
    table.add({std::string("fence.proxy.tensormap::generic.acquire") + scope, "=Aw", &fence_map});
    table.add({std::string("fence.proxy.tensormap::generic.release") + scope, "=", &nothing});
  }
}

}  // namespace machine
