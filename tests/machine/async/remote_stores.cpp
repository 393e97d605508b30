// Implements asynchronous stores and reductions to shared memory of the cluster (PTX ISA,
// "st.async", "red.async").
//
//     st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [a], {b0, b1, b2, b3}, [mbar]
//     red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [a], b, [mbar]
//
// The first completes 16 bytes on the mbarrier, the second 4. The mbarrier lies in the block of the
// destination. Threads may read the bytes after a wait on it.
#include <cstring>

#include "async/bulk.hpp"
#include "async/shared_address.hpp"
#include "check/cluster_history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/reduce.hpp"
#include "state/address_map.hpp"

namespace machine {
namespace {

using numerics::reduced_type;
using numerics::reduction;

/// The checked destination and mbarrier of one lane's operation.
struct destination {
  std::uint32_t place = 0, barrier = 0;
};

template <bool generic>
destination destination_of(warp& w, instruction const& i, unsigned lane, unsigned barrier_at,
                           std::uint32_t bytes, access how) {
  destination to;
  to.place = shared_address<generic>(w, i, lane, 0, i.offset);
  to.barrier = shared_address<generic>(w, i, lane, barrier_at, 0);
  require_mbarrier(w, i, lane, to.barrier);
  reach(w, i, lane, space::shared, to.place, bytes, how, bytes);
  block& owner = block_of(w, i, lane, to.place);
  if (&block_of(w, i, lane, to.barrier) != &owner)
    fault(w, i, lane, trouble::mbarrier, to.barrier,
          "the mbarrier is not in the destination's block");
  return to;
}

/// Issues an operation. `act` changes the destination when the operation completes.
template <class Act>
void issue(warp& w, instruction const& i, unsigned lane, destination to, std::uint32_t bytes,
           access how, Act act) {
  auto const known = issued_clocks(w);
  issue_copy(w, [&w, &i, lane, to, bytes, how, known, act] {
    auto const out = reach(w, i, lane, space::shared, to.place, bytes, how, bytes);
    act(out);
    block& owner = block_of(w, i, lane, to.place);
    if (&owner == w.home)
      publish_clocks(owner, to.barrier & shared_offset_mask, known);
    else
      publish_copy(w, owner, to.barrier & shared_offset_mask, known);
    complete_bytes(w, i, lane, to.barrier, bytes);
  });
}

template <class T, unsigned count, bool generic>
void store(warp& w, instruction const& i, std::uint32_t mask) {
  constexpr std::uint32_t bytes = sizeof(T) * count;
  for_lanes(mask, [&](unsigned lane) {
    auto const to = destination_of<generic>(w, i, lane, count + 1, bytes, access::write);
    block& owner = block_of(w, i, lane, to.place);
    std::uint32_t const offset = to.place & shared_offset_mask;
    track(w, i, lane, owner, offset, bytes, true, proxy::generic);
    hide(owner, offset, bytes);
    std::array<T, count> value;
    for (unsigned k = 0; k < count; ++k) value[k] = lanes_of<T>(w, i.at[1 + k])[lane];
    issue(w, i, lane, to, bytes, access::write, [&owner, to, offset, value](reached const& out) {
      std::memcpy(out.bytes, value.data(), sizeof(value));
      arrived(owner, to.barrier, offset, sizeof(value));
    });
  });
}

template <reduction operation, reduced_type type, class T, bool generic>
void reduce(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const to = destination_of<generic>(w, i, lane, 2, sizeof(T), access::update);
    track(w, i, lane, block_of(w, i, lane, to.place), to.place & shared_offset_mask, sizeof(T),
          true, proxy::atomic);
    T const value = lanes_of<T>(w, i.at[1])[lane];
    issue(w, i, lane, to, sizeof(T), access::update, [&w, &i, lane, to, value](reached const& out) {
      require_written(w, i, lane, to.place, out, sizeof(T));
      T old;
      std::memcpy(&old, out.bytes, sizeof(T));
      T const now = static_cast<T>(numerics::reduce(operation, type, old, value));
      std::memcpy(out.bytes, &now, sizeof(T));
    });
  });
}

constexpr char const* completes = ".mbarrier::complete_tx::bytes";

template <class T, unsigned count>
void add_store(opcode_table& table, char const* type, char letter) {
  std::string const vector = count == 1 ? "." : say(".v", count, '.');
  std::string const part = count == 1 ? std::string{letter} : say(letter, count);
  table.add({std::string("st.async.shared") + completes + vector + type, "=S" + part + "S",
             &store<T, count, false>});
  table.add({std::string("st.async") + completes + vector + type, "=A" + part + "A",
             &store<T, count, true>});
}

template <class T> void add_stores(opcode_table& table, char const* type, char letter) {
  add_store<T, 1>(table, type, letter);
  add_store<T, 2>(table, type, letter);
  if constexpr (sizeof(T) == 4) add_store<T, 4>(table, type, letter);  // at most 16 bytes
}

template <reduction operation, reduced_type type, class T>
void add_reduction(opcode_table& table, char const* name, char letter) {
  table.add({std::string("red.async.shared") + completes + name, std::string("=S") + letter + "S",
             &reduce<operation, type, T, false>});
  table.add({std::string("red.async") + completes + name, std::string("=A") + letter + "A",
             &reduce<operation, type, T, true>});
}

}  // namespace

void add_remote_stores(opcode_table& table) {
  for (char const* type : {"b32", "u32", "s32"}) add_stores<std::uint32_t>(table, type, 'w');
  for (char const* type : {"b64", "u64", "s64"}) add_stores<std::uint64_t>(table, type, 'l');
  add_stores<std::uint32_t>(table, "f32", 'f');
  add_stores<std::uint64_t>(table, "f64", 'g');
  add_reduction<reduction::inc, reduced_type::u32, std::uint32_t>(table, ".inc.u32", 'w');
  add_reduction<reduction::dec, reduced_type::u32, std::uint32_t>(table, ".dec.u32", 'w');
  add_reduction<reduction::min, reduced_type::u32, std::uint32_t>(table, ".min.u32", 'w');
  add_reduction<reduction::min, reduced_type::s32, std::uint32_t>(table, ".min.s32", 'w');
  add_reduction<reduction::max, reduced_type::u32, std::uint32_t>(table, ".max.u32", 'w');
  add_reduction<reduction::max, reduced_type::s32, std::uint32_t>(table, ".max.s32", 'w');
  add_reduction<reduction::add, reduced_type::u32, std::uint32_t>(table, ".add.u32", 'w');
  add_reduction<reduction::add, reduced_type::s32, std::uint32_t>(table, ".add.s32", 'w');
  add_reduction<reduction::add, reduced_type::u64, std::uint64_t>(table, ".add.u64", 'l');
  add_reduction<reduction::bit_and, reduced_type::b32, std::uint32_t>(table, ".and.b32", 'w');
  add_reduction<reduction::bit_or, reduced_type::b32, std::uint32_t>(table, ".or.b32", 'w');
  add_reduction<reduction::bit_xor, reduced_type::b32, std::uint32_t>(table, ".xor.b32", 'w');
}

}  // namespace machine
