// Implements ld and st of every state space, width and vector (PTX ISA, "ld", "st"). Checks bounds,
// alignment and that loaded bytes were written.
//
// A fast path checks the addresses of all lanes together (lane_addresses.hpp). For global memory it
// first tries the allocation that this instruction accessed last. If the check fails, load_each and
// store_each check each lane with reach().
#include "check/global_history.hpp"
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lane_addresses.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

struct wide {
  std::uint64_t low, high;
};

template <class T, unsigned count> inline constexpr std::uint32_t bytes_of = sizeof(T) * count;

/// True if all accesses end inside the window. Subtracts, because a sum near 2^64 would wrap round.
bool ends_within(window const& known, lane_addresses<std::uint64_t> const& at, std::uint32_t size) {
  return at.high < known.high && size <= known.high - at.high;
}

/// A window is the allocation that an instruction accessed last. Sets it to the allocation that
/// contains the lowest address, at.low. True if all accesses are legal there.
[[gnu::noinline]] bool find_window(warp& w, instruction const& i,
                                   lane_addresses<std::uint64_t> const& at, std::uint32_t size,
                                   access how) {
  window& known = w.run->windows[i.slot];
  auto const found = w.run->memory->find(at.low);
  if (!found) return false;
  known = {found->begin, found->end, !found->read_only};
  return ends_within(known, at, size) && (how == access::read || known.writable);
}

bool within_window(warp& w, instruction const& i, lane_addresses<std::uint64_t> const& at,
                   std::uint32_t size, access how) {
  if (at.bits % size != 0) return false;
  window const& known = w.run->windows[i.slot];
  bool const fits = at.low >= known.low && ends_within(known, at, size);
  return (fits && (how == access::read || known.writable)) || find_window(w, i, at, size, how);
}

/// Records one lane's access for race detection, if it is to global or shared memory.
template <space where>
void track_one(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
               std::uint32_t bytes, bool writes) {
  if constexpr (where == space::global || where == space::generic)
    if (w.run->global != nullptr && (address & window_mask) == 0)
      track_global(w, i, lane, address, bytes, global_access_of(i, *w.run, !writes, writes));
  bool const in_shared = where == space::shared ||
                         (where == space::generic && (address & window_mask) == shared_window);
  if (!in_shared || !i.is_weak) return;
  auto const narrow = static_cast<std::uint32_t>(address);
  track(w, i, lane, block_of(w, i, lane, narrow), narrow & shared_offset_mask, bytes, writes,
        proxy::generic);
}

template <class T, unsigned count, space where>
[[gnu::noinline]] void load_each(warp& w, instruction const& i, std::uint32_t mask,
                                 auto const* base) {
  for_lanes(mask, [&](unsigned lane) {
    using address_type = std::remove_cvref_t<decltype(base[0])>;
    auto const address =
        static_cast<address_type>(base[lane] + static_cast<address_type>(i.offset));
    auto const at =
        reach(w, i, lane, where, address, bytes_of<T, count>, access::read, bytes_of<T, count>);
    require_written(w, i, lane, address, at, bytes_of<T, count>);
    track_one<where>(w, i, lane, address, bytes_of<T, count>, false);
    T value[count];
    __builtin_memcpy(value, at.bytes, sizeof(value));
    for (unsigned k = 0; k < count; ++k) lanes_of<T>(w, i.at[k])[lane] = value[k];
  });
}

template <class T, unsigned count, space where>
[[gnu::noinline]] void store_each(warp& w, instruction const& i, std::uint32_t mask,
                                  auto const* base) {
  for_lanes(mask, [&](unsigned lane) {
    using address_type = std::remove_cvref_t<decltype(base[0])>;
    auto const address =
        static_cast<address_type>(base[lane] + static_cast<address_type>(i.offset));
    auto const at =
        reach(w, i, lane, where, address, bytes_of<T, count>, access::write, bytes_of<T, count>);
    track_one<where>(w, i, lane, address, bytes_of<T, count>, true);
    T value[count];
    for (unsigned k = 0; k < count; ++k) value[k] = lanes_of<T>(w, i.at[1 + k])[lane];
    __builtin_memcpy(at.bytes, value, sizeof(value));
    mark_written(at, bytes_of<T, count>);
  });
}

template <class T, unsigned count, space where> struct load {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint64_t>(w, i.at[count]);
    lane_addresses<std::uint64_t> const at(base, static_cast<std::uint64_t>(i.offset), mask);
    if (within_window(w, i, at, size, access::read)) {
      auto const how = arrangement_of(at, size, mask);
      if (!w.run->check_written ||
          all_written<std::uint64_t, size>(at, how, w.run->shadow_distance)) {
        if (w.run->global != nullptr) track_global_lanes(w, i, mask, at.of, size, false);
        return load_lanes<T, count>(w, i.at, mask, at, how, 0);
      }
    }
    load_each<T, count, where>(w, i, mask, base);
  }
};

template <class T, unsigned count, space where> struct store {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint64_t>(w, i.at[0]);
    lane_addresses<std::uint64_t> const at(base, static_cast<std::uint64_t>(i.offset), mask);
    if (!within_window(w, i, at, size, access::write))
      return store_each<T, count, where>(w, i, mask, base);
    if (w.run->global != nullptr) track_global_lanes(w, i, mask, at.of, size, true);
    store_lanes<T, count>(w, i.at + 1, mask, at, arrangement_of(at, size, mask), 0,
                          w.run->shadow_distance);
  }
};

bool within_shared(block const& home, lane_addresses<std::uint32_t> const& at, std::uint32_t size) {
  return at.bits % size == 0 && at.low >= shared_begin && home.shared_end >= size &&
         at.high <= home.shared_end - size;
}

/// A shared address has the rank of its block in its high bits. Subtracts this block's rank from an
/// instruction's offset, so that register + offset is an index into this block's memory.
std::uint32_t offset_in_block(block const& home, std::int64_t offset) {
  return static_cast<std::uint32_t>(offset) - (home.rank << shared_rank_shift);
}

/// Loads from this block's shared memory.
template <class T, unsigned count> struct load_shared {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint32_t>(w, i.at[count]);
    block const& home = *w.home;
    lane_addresses<std::uint32_t> const at(base, offset_in_block(home, i.offset), mask);
    if (within_shared(home, at, size)) {
      auto const how = arrangement_of(at, size, mask);
      auto const written = reinterpret_cast<std::uint64_t>(home.shared_written.get());
      if (!w.run->check_written || all_written<std::uint32_t, size>(at, how, written)) {
        if (home.history != nullptr && i.is_weak) track_loads(w, i, mask, at.of, size);
        return load_lanes<T, count>(w, i.at, mask, at, how,
                                    reinterpret_cast<std::uint64_t>(home.shared.get()));
      }
    }
    load_each<T, count, space::shared>(w, i, mask, base);
  }
};

template <class T, unsigned count> struct store_shared {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint32_t>(w, i.at[0]);
    block const& home = *w.home;
    lane_addresses<std::uint32_t> const at(base, offset_in_block(home, i.offset), mask);
    if (!within_shared(home, at, size))
      return store_each<T, count, space::shared>(w, i, mask, base);
    if (home.history != nullptr && i.is_weak) track_stores(w, i, mask, at.of, size);
    store_lanes<T, count>(w, i.at + 1, mask, at, arrangement_of(at, size, mask),
                          reinterpret_cast<std::uint64_t>(home.shared.get()),
                          reinterpret_cast<std::uint64_t>(home.shared_written.get()));
  }
};

/// Loads a kernel parameter, usually from the same address in all lanes.
template <class T, unsigned count> struct load_parameter {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint64_t>(w, i.at[count]);
    lane_addresses<std::uint64_t> const at(base, static_cast<std::uint64_t>(i.offset), mask);
    auto const& all = w.run->parameters;
    if (!at.is_uniform() || at.low % size != 0 || all.size() < size || at.low > all.size() - size)
      return load_each<T, count, space::parameter>(w, i, mask, base);
    load_lanes<T, count>(w, i.at, mask, at, arrangement::uniform,
                         reinterpret_cast<std::uint64_t>(all.data()));
  }
};

/// True if all local accesses are aligned and inside the smallest stack of the lanes.
bool within_stacks(warp const& w, lane_addresses<std::uint64_t> const& at, std::uint32_t mask,
                   std::uint32_t size) {
  auto const& top =
      w.calls[w.lanes[static_cast<std::size_t>(std::countr_zero(mask))].depth].stack_top;
  std::uint32_t least = ~0u;
  for_lanes(mask, [&](unsigned lane) { least = top[lane] < least ? top[lane] : least; });
  return at.bits % size == 0 && at.high <= least && size <= least - at.high;
}

template <class T, unsigned count> struct load_local {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint64_t>(w, i.at[count]);
    lane_addresses<std::uint64_t> at(base, static_cast<std::uint64_t>(i.offset), mask);
    if (!within_stacks(w, at, mask, size))
      return load_each<T, count, space::local>(w, i, mask, base);
    auto const first = static_cast<unsigned>(std::countr_zero(mask));
    for (unsigned lane = 0; lane < 32; ++lane)
      at.of[lane] += (((mask >> lane) & 1u) != 0 ? std::uint64_t{lane} : first) * stack_stride;
    auto const written = reinterpret_cast<std::uint64_t>(w.stack_written);
    if (w.run->check_written &&
        !all_written<std::uint64_t, size>(at, arrangement::scattered, written))
      return load_each<T, count, space::local>(w, i, mask, base);
    load_lanes<T, count>(w, i.at, mask, at, arrangement::scattered,
                         reinterpret_cast<std::uint64_t>(w.stack));
  }
};

template <class T, unsigned count> struct store_local {
  static void run(warp& w, instruction const& i, std::uint32_t mask) {
    constexpr std::uint32_t size = bytes_of<T, count>;
    auto const* const base = lanes_of<std::uint64_t>(w, i.at[0]);
    lane_addresses<std::uint64_t> at(base, static_cast<std::uint64_t>(i.offset), mask);
    if (!within_stacks(w, at, mask, size))
      return store_each<T, count, space::local>(w, i, mask, base);
    for_lanes(mask, [&](unsigned lane) { at.of[lane] += std::uint64_t{lane} * stack_stride; });
    store_lanes<T, count>(w, i.at + 1, mask, at, arrangement::scattered,
                          reinterpret_cast<std::uint64_t>(w.stack),
                          reinterpret_cast<std::uint64_t>(w.stack_written));
  }
};

template <class T, unsigned count>
void add_width(opcode_table& table, std::string const& type, char letter, bool is_signed_type) {
  std::string const vector = count == 1 ? "." : count == 2 ? ".v2." : ".v4.";
  // A scalar, or an element of a vector (ld.param.v4.u8), may be narrower than its register.
  std::string const parts =
      count == 1 ? std::string{letter} : std::string{letter} + std::to_string(count);
  auto const add = [&](char const* where, char address, handler ld, handler st) {
    std::string const place = *where == 0 ? "" : std::string(".") + where;
    table.add({"ld" + place + vector + type, parts + "=" + address, ld, control::plain, false,
               is_signed_type});
    if (st != nullptr)
      table.add({"st" + place + vector + type, std::string("=") + address + parts, st});
  };
  // Generic addresses outside global memory are handled by reach().
  auto const v = table.vectors();
  handler const generic = compiled<load<T, count, space::generic>>::chosen(v);
  handler const global = compiled<load<T, count, space::global>>::chosen(v);
  add("", 'A', generic, compiled<store<T, count, space::generic>>::chosen(v));
  add("global", 'A', global, compiled<store<T, count, space::global>>::chosen(v));
  add("const", 'A', global, nullptr);
  add("shared", 'S', compiled<load_shared<T, count>>::chosen(v),
      compiled<store_shared<T, count>>::chosen(v));
  add("local", 'A', compiled<load_local<T, count>>::chosen(v),
      compiled<store_local<T, count>>::chosen(v));
  add("param", 'A', compiled<load_parameter<T, count>>::chosen(v), nullptr);
  table.add({"ldu" + vector + type, parts + "=A", generic, control::plain, false, is_signed_type});
  table.add(
      {"ldu.global" + vector + type, parts + "=A", global, control::plain, false, is_signed_type});
}

template <class T, unsigned count> void add_types(opcode_table& table) {
  constexpr char letters[] = {'B', 'H', 'W', 'L', 'Q'};
  constexpr char letter = letters[std::countr_zero(sizeof(T))];
  std::string const width = std::to_string(8 * sizeof(T));
  add_width<T, count>(table, "b" + width, letter, false);
  if constexpr (sizeof(T) <= 8) {
    add_width<T, count>(table, "u" + width, letter, false);
    add_width<T, count>(table, "s" + width, letter, true);
  }
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
    add_width<T, count>(table, "f" + width, letter, false);
}

}  // namespace

void add_memory(opcode_table& table) {
  add_types<std::uint8_t, 1>(table);
  add_types<std::uint16_t, 1>(table);
  add_types<std::uint32_t, 1>(table);
  add_types<std::uint64_t, 1>(table);
  add_types<wide, 1>(table);
  add_types<std::uint8_t, 2>(table);
  add_types<std::uint16_t, 2>(table);
  add_types<std::uint32_t, 2>(table);
  add_types<std::uint64_t, 2>(table);
  add_types<std::uint8_t, 4>(table);
  add_types<std::uint16_t, 4>(table);
  add_types<std::uint32_t, 4>(table);
}

}  // namespace machine
