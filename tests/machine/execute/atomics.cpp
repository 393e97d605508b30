// Implements atom and red (PTX ISA, "atom", "red") on global, shared and generic addresses.
//
//     atom.global.cas.b32 d, [a], b, c     d = [a]; if ([a] == b) [a] = c
//     red.shared.add.u32 [a], b            atom without its result
//     atom.global.add.v4.f32 {d0, d1, d2, d3}, [a], {b0, b1, b2, b3}    atomicAdd of a float4
//
// Each lane's update is a compare-and-swap loop of the host, because blocks run on several cores.
#include <atomic>

#include "check/global_history.hpp"
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "numerics/reduce.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

using numerics::reduced_type;
using numerics::reduction;

/// Repeats `step` until no other thread has changed the value in between; returns the old value.
template <class T, class Step> T update(std::byte* at, Step step) {
  std::atomic_ref<T> cell(*reinterpret_cast<T*>(at));
  T before = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(before, step(before), std::memory_order_seq_cst)) {}
  return before;
}

template <space where, class T, bool returns, class Step>
void each_atom(warp& w, instruction const& i, std::uint32_t mask, Step step) {
  constexpr unsigned address_at = returns ? 1 : 0;
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t address = 0;
    if constexpr (where == space::shared)
      address =
          lanes_of<std::uint32_t>(w, i.at[address_at])[lane] + static_cast<std::uint32_t>(i.offset);
    else
      address =
          lanes_of<std::uint64_t>(w, i.at[address_at])[lane] + static_cast<std::uint64_t>(i.offset);
    auto const at = reach(w, i, lane, where, address, sizeof(T), access::update, sizeof(T));
    require_written(w, i, lane, address, at, sizeof(T));
    bool const in_shared = where == space::shared ||
                           (where == space::generic && (address & window_mask) == shared_window);
    if (in_shared) {
      auto const narrow = static_cast<std::uint32_t>(address);
      track(w, i, lane, block_of(w, i, lane, narrow), narrow & shared_offset_mask, sizeof(T), true,
            proxy::atomic);
    }
    if (where != space::shared && w.run->global != nullptr && (address & window_mask) == 0)
      track_global(w, i, lane, address, sizeof(T), global_access_of(i, *w.run, true, true));
    T const before = update<T>(at.bytes, [&](T old) { return step(lane, old, in_shared); });
    if constexpr (returns) lanes_of<T>(w, i.at[0])[lane] = before;
  });
  ++w.home->home->progress;
}

template <reduction operation, reduced_type type, class T, bool packed>
T combined(T old, T value, bool in_shared) {
  if constexpr (packed) {
    auto const low = numerics::reduce(operation, type, old & 0xffffu, value & 0xffffu);
    auto const high = numerics::reduce(operation, type, old >> 16, value >> 16);
    return static_cast<T>((high & 0xffffu) << 16 | (low & 0xffffu));
  } else {
    return static_cast<T>(numerics::reduce(operation, type, old, value, in_shared));
  }
}

template <space where, reduction operation, reduced_type type, class T, bool packed, bool returns>
void atom(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const value = lanes_of<T>(w, i.at[returns ? 2 : 1]);
  each_atom<where, T, returns>(w, i, mask, [&](unsigned lane, T old, bool in_shared) {
    return combined<operation, type, T, packed>(old, value[lane], in_shared);
  });
}

template <space where, class T> void exchange(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const value = lanes_of<T>(w, i.at[2]);
  each_atom<where, T, true>(w, i, mask, [&](unsigned lane, T, bool) { return value[lane]; });
}

template <space where, class T>
void compare_and_swap(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const expected = lanes_of<T>(w, i.at[2]);
  auto const* const value = lanes_of<T>(w, i.at[3]);
  each_atom<where, T, true>(w, i, mask, [&](unsigned lane, T old, bool) {
    return old == expected[lane] ? value[lane] : old;
  });
}

/// Each element of a vector is one atomic; address and alignment are checked for the whole vector.
template <reduction operation, reduced_type type, class T, unsigned count, bool packed,
          bool returns>
void atom_vector(warp& w, instruction const& i, std::uint32_t mask) {
  auto const list = i.operands();
  constexpr unsigned address_at = returns ? count : 0, bytes = sizeof(T) * count;
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t const address =
        lanes_of<std::uint64_t>(w, list[address_at])[lane] + static_cast<std::uint64_t>(i.offset);
    auto const at = reach(w, i, lane, space::global, address, bytes, access::update, bytes);
    require_written(w, i, lane, address, at, bytes);
    if (w.run->global != nullptr)
      track_global(w, i, lane, address, bytes, global_access_of(i, *w.run, true, true));
    for (unsigned k = 0; k < count; ++k) {
      T const value = lanes_of<T>(w, list[address_at + 1 + k])[lane];
      T const before = update<T>(at.bytes + k * sizeof(T), [&](T old) {
        return combined<operation, type, T, packed>(old, value, false);
      });
      if constexpr (returns) lanes_of<T>(w, list[k])[lane] = before;
    }
  });
  ++w.home->home->progress;
}

/// Adds the vector forms, which exist in global memory only, with a global or a generic address.
struct vector_rows {
  opcode_table& table;

  template <reduction operation, reduced_type type, class T, unsigned count, bool packed>
  void add(std::string const& name, char letter) {
    std::string const vector = letter + std::to_string(count);
    for (char const* place : {"", ".global"}) {
      table.add({std::string("atom") + place + name, vector + "=A" + vector,
                 &atom_vector<operation, type, T, count, packed, true>});
      table.add({std::string("red") + place + name, "=A" + vector,
                 &atom_vector<operation, type, T, count, packed, false>});
    }
  }

  template <reduced_type type, class T, unsigned count, bool packed>
  void halves(std::string const& name, char letter) {
    std::string const tail = ".noftz.v" + std::to_string(count) + name;
    add<reduction::add, type, T, count, packed>(".add" + tail, letter);
    add<reduction::min, type, T, count, packed>(".min" + tail, letter);
    add<reduction::max, type, T, count, packed>(".max" + tail, letter);
  }

  template <unsigned count> void of_count() {
    if constexpr (count <= 4) {
      add<reduction::add, reduced_type::single, std::uint32_t, count, false>(
          ".add.v" + std::to_string(count) + ".f32", 'f');
      halves<reduced_type::half, std::uint32_t, count, true>(".f16x2", 'w');
      halves<reduced_type::bfloat16, std::uint32_t, count, true>(".bf16x2", 'w');
    }
    halves<reduced_type::half, std::uint16_t, count, false>(".f16", 'h');
    halves<reduced_type::bfloat16, std::uint16_t, count, false>(".bf16", 'h');
  }
};

template <space where> struct rows_of_space {
  opcode_table& table;
  std::string place;
  char address;

  template <reduction operation, reduced_type type, class T, bool packed = false>
  void operation_row(std::string const& name, char letter) {
    table.add({"atom" + place + name, std::string{letter, '=', address, letter},
               &atom<where, operation, type, T, packed, true>});
    table.add({"red" + place + name, std::string{'=', address, letter},
               &atom<where, operation, type, T, packed, false>});
  }

  template <reduced_type type, class T> void integers(std::string const& name, char letter) {
    operation_row<reduction::add, type, T>(".add." + name, letter);
    operation_row<reduction::min, type, T>(".min." + name, letter);
    operation_row<reduction::max, type, T>(".max." + name, letter);
  }

  template <reduced_type type, class T> void bits(std::string const& name, char letter) {
    operation_row<reduction::bit_and, type, T>(".and." + name, letter);
    operation_row<reduction::bit_or, type, T>(".or." + name, letter);
    operation_row<reduction::bit_xor, type, T>(".xor." + name, letter);
  }

  template <class T> void swaps(std::string const& name, char letter) {
    if constexpr (sizeof(T) > 2)
      table.add({"atom" + place + ".exch." + name, std::string{letter, '=', address, letter},
                 &exchange<where, T>});
    table.add({"atom" + place + ".cas." + name, std::string{letter, '=', address, letter, letter},
               &compare_and_swap<where, T>});
  }

  void all() {
    integers<reduced_type::u32, std::uint32_t>("u32", 'w');
    integers<reduced_type::s32, std::uint32_t>("s32", 'w');
    integers<reduced_type::u64, std::uint64_t>("u64", 'l');
    operation_row<reduction::min, reduced_type::s64, std::uint64_t>(".min.s64", 'l');
    operation_row<reduction::max, reduced_type::s64, std::uint64_t>(".max.s64", 'l');
    operation_row<reduction::inc, reduced_type::u32, std::uint32_t>(".inc.u32", 'w');
    operation_row<reduction::dec, reduced_type::u32, std::uint32_t>(".dec.u32", 'w');
    bits<reduced_type::b32, std::uint32_t>("b32", 'w');
    bits<reduced_type::b64, std::uint64_t>("b64", 'l');
    operation_row<reduction::add, reduced_type::single, std::uint32_t>(".add.f32", 'f');
    operation_row<reduction::add, reduced_type::double_precision, std::uint64_t>(".add.f64", 'g');
    operation_row<reduction::add, reduced_type::half, std::uint16_t>(".add.noftz.f16", 'h');
    operation_row<reduction::add, reduced_type::bfloat16, std::uint16_t>(".add.noftz.bf16", 'h');
    operation_row<reduction::add, reduced_type::half, std::uint32_t, true>(".add.noftz.f16x2", 'w');
    operation_row<reduction::add, reduced_type::bfloat16, std::uint32_t, true>(".add.noftz.bf16x2",
                                                                               'w');
    swaps<std::uint32_t>("b32", 'w');
    swaps<std::uint64_t>("b64", 'l');
    swaps<std::uint16_t>("b16", 'h');
  }
};

}  // namespace

void add_atomics(opcode_table& table) {
  rows_of_space<space::generic>{table, "", 'A'}.all();
  rows_of_space<space::global>{table, ".global", 'A'}.all();
  rows_of_space<space::shared>{table, ".shared", 'S'}.all();
  vector_rows vectors{table};
  vectors.of_count<2>();
  vectors.of_count<4>();
  vectors.of_count<8>();
}

}  // namespace machine
