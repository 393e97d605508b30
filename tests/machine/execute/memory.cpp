// ld and st of every space, width and vector (ISA, "ld", "st"), with three checks: bounds, alignment, written.
//
// Global memory is checked 32 lanes at once: the lowest and the highest address against the bounds that satisfied
// this instruction last time. Everything else, and everything odd, goes through reach() lane by lane.
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

struct wide {
  std::uint64_t low, high;
};

template <class T, unsigned count> inline constexpr std::uint32_t bytes_of = sizeof(T) * count;

/// What 32 global addresses have in common.
struct extent_of_addresses {
  std::uint64_t low, high, bits;
};

extent_of_addresses survey(std::uint64_t const* base, std::uint64_t offset, std::uint32_t mask) {
  std::uint64_t const stand_in = base[std::countr_zero(mask)];
  extent_of_addresses seen{~std::uint64_t{0}, 0, 0};
  if (mask == all_lanes) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint64_t const address = base[lane] + offset;
      seen.low = address < seen.low ? address : seen.low;
      seen.high = address > seen.high ? address : seen.high;
      seen.bits |= address;
    }
  } else {
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint64_t const address = (((mask >> lane) & 1u) != 0 ? base[lane] : stand_in) + offset;
      seen.low = address < seen.low ? address : seen.low;
      seen.high = address > seen.high ? address : seen.high;
      seen.bits |= address;
    }
  }
  return seen;
}

/// True when all lanes lie in one allocation; leaves its bounds in the window. False: look lane by lane.
bool within_window(warp& w, instruction const& i, extent_of_addresses const& seen, std::uint32_t size,
                   access how) {
  window& known = w.run->windows[i.slot];
  if (seen.bits % size != 0) return false;
  bool const fits = seen.low >= known.low && seen.high + size <= known.high;
  if (fits && (how == access::read || known.writable)) return true;
  auto const found = w.run->memory->find(seen.low);
  if (!found) return false;
  known = {found->begin, found->end, !found->read_only};
  return seen.high + size <= known.high && (how == access::read || known.writable);
}

template <class T, unsigned count>
bool all_written(warp const& w, std::uint64_t const* base, std::uint64_t offset, std::uint32_t mask) {
  std::uint64_t const shadow = offset + w.run->shadow_distance;
  using word = std::conditional_t<sizeof(T) == 16, std::uint64_t, T>;
  constexpr unsigned words = bytes_of<T, count> / sizeof(word);
  word seen = static_cast<word>(~word{0});
  for_lanes(mask, [&](unsigned lane) {
    auto const* at = reinterpret_cast<word const*>(base[lane] + shadow);
    for (unsigned k = 0; k < words; ++k) seen = static_cast<word>(seen & at[k]);
  });
  return seen == static_cast<word>(~word{0});
}

template <class T, unsigned count, space where>
void load_each(warp& w, instruction const& i, std::uint32_t mask, auto const* base) {
  for_lanes(mask, [&](unsigned lane) {
    using address_type = std::remove_cvref_t<decltype(base[0])>;
    auto const address = static_cast<address_type>(base[lane] + static_cast<address_type>(i.offset));
    auto const at = reach(w, i, lane, where, address, bytes_of<T, count>, access::read, bytes_of<T, count>);
    require_written(w, i, lane, address, at, bytes_of<T, count>);
    T value[count];
    __builtin_memcpy(value, at.bytes, sizeof(value));
    for (unsigned k = 0; k < count; ++k) lanes_of<T>(w, i.at[k])[lane] = value[k];
  });
}

template <class T, unsigned count, space where>
void store_each(warp& w, instruction const& i, std::uint32_t mask, auto const* base) {
  for_lanes(mask, [&](unsigned lane) {
    using address_type = std::remove_cvref_t<decltype(base[0])>;
    auto const address = static_cast<address_type>(base[lane] + static_cast<address_type>(i.offset));
    auto const at = reach(w, i, lane, where, address, bytes_of<T, count>, access::write, bytes_of<T, count>);
    T value[count];
    for (unsigned k = 0; k < count; ++k) value[k] = lanes_of<T>(w, i.at[1 + k])[lane];
    __builtin_memcpy(at.bytes, value, sizeof(value));
    mark_written(at, bytes_of<T, count>);
  });
}

template <class T, unsigned count, space where> void load(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* base = lanes_of<std::uint64_t>(w, i.at[count]);
  auto const offset = static_cast<std::uint64_t>(i.offset);
  constexpr std::uint32_t size = bytes_of<T, count>;
  if (!within_window(w, i, survey(base, offset, mask), size, access::read) ||
      (w.run->check_written && !all_written<T, count>(w, base, offset, mask))) {
    load_each<T, count, where>(w, i, mask, base);
    return;
  }
  T value[count][32];
  if (mask == all_lanes) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      auto const* from = reinterpret_cast<T const*>(base[lane] + offset);
      for (unsigned k = 0; k < count; ++k) value[k][lane] = from[k];
    }
    for (unsigned k = 0; k < count; ++k)
      __builtin_memcpy(lanes_of<T>(w, i.at[k]), value[k], sizeof(value[k]));
  } else {
    for_lanes(mask, [&](unsigned lane) {
      auto const* from = reinterpret_cast<T const*>(base[lane] + offset);
      for (unsigned k = 0; k < count; ++k) value[k][lane] = from[k];
      for (unsigned k = 0; k < count; ++k) lanes_of<T>(w, i.at[k])[lane] = value[k][lane];
    });
  }
}

template <class T, unsigned count, space where>
void store(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* base = lanes_of<std::uint64_t>(w, i.at[0]);
  auto const offset = static_cast<std::uint64_t>(i.offset);
  constexpr std::uint32_t size = bytes_of<T, count>;
  if (!within_window(w, i, survey(base, offset, mask), size, access::write)) {
    store_each<T, count, where>(w, i, mask, base);
    return;
  }
  std::uint64_t const shadow = w.run->shadow_distance;
  for_lanes(mask, [&](unsigned lane) {
    auto* const to = reinterpret_cast<T*>(base[lane] + offset);
    for (unsigned k = 0; k < count; ++k) to[k] = lanes_of<T>(w, i.at[1 + k])[lane];
    __builtin_memset(reinterpret_cast<std::byte*>(to) + shadow, 0xff, size);
  });
}

/// volatile, relaxed and stronger accesses are how threads agree: they are no races.
bool is_weak(warp const& w, instruction const& i) {
  std::string_view const opcode = w.run->code->places[i.statement].opcode;
  for (char const* strong : {".volatile", ".relaxed", ".acquire", ".release", ".mmio"})
    if (opcode.find(strong) != std::string_view::npos) return false;
  return true;
}

void track_lanes(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* base,
                 std::uint32_t offset, std::uint32_t size, bool writes) {
  if (!is_weak(w, i)) return;
  for_lanes(mask, [&](unsigned lane) {
    track(w, i, lane, *w.home, base[lane] + offset, size, writes, proxy::generic);
  });
}

/// Shared memory of the own block: one comparison per lane, no function call.
template <class T, unsigned count> void load_shared(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* base = lanes_of<std::uint32_t>(w, i.at[count]);
  auto const offset = static_cast<std::uint32_t>(i.offset);
  constexpr std::uint32_t size = bytes_of<T, count>;
  block const& home = *w.home;
  std::uint32_t const end = home.shared_end - size;
  bool fine = true;
  if (mask == all_lanes) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint32_t const address = base[lane] + offset;
      fine &= (address >= shared_begin) & (address <= end) & (address % size == 0);
    }
  } else {
    for_lanes(mask, [&](unsigned lane) {
      std::uint32_t const address = base[lane] + offset;
      fine &= (address >= shared_begin) & (address <= end) & (address % size == 0);
    });
  }
  if (fine && w.run->check_written) {
    std::byte const* const written = home.shared_written.get();
    std::byte seen{0xff};
    for_lanes(mask, [&](unsigned lane) {
      for (std::uint32_t k = 0; k < size; ++k) seen &= written[base[lane] + offset + k];
    });
    fine = seen == std::byte{0xff};
  }
  if (!fine || home.shared_end < size) {
    load_each<T, count, space::shared>(w, i, mask, base);
    return;
  }
  if (home.history != nullptr) track_lanes(w, i, mask, base, offset, size, false);
  std::byte const* const bytes = home.shared.get();
  for_lanes(mask, [&](unsigned lane) {
    T value[count];
    __builtin_memcpy(value, bytes + (base[lane] + offset), size);
    for (unsigned k = 0; k < count; ++k) lanes_of<T>(w, i.at[k])[lane] = value[k];
  });
}

template <class T, unsigned count> void store_shared(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* base = lanes_of<std::uint32_t>(w, i.at[0]);
  auto const offset = static_cast<std::uint32_t>(i.offset);
  constexpr std::uint32_t size = bytes_of<T, count>;
  block const& home = *w.home;
  bool fine = home.shared_end >= size;
  for_lanes(mask, [&](unsigned lane) {
    std::uint32_t const address = base[lane] + offset;
    fine &= (address >= shared_begin) & (address <= home.shared_end - size) & (address % size == 0);
  });
  if (!fine) {
    store_each<T, count, space::shared>(w, i, mask, base);
    return;
  }
  if (home.history != nullptr) track_lanes(w, i, mask, base, offset, size, true);
  std::byte* const bytes = home.shared.get();
  std::byte* const written = home.shared_written.get();
  for_lanes(mask, [&](unsigned lane) {
    T value[count];
    for (unsigned k = 0; k < count; ++k) value[k] = lanes_of<T>(w, i.at[1 + k])[lane];
    __builtin_memcpy(bytes + (base[lane] + offset), value, size);
    __builtin_memset(written + (base[lane] + offset), 0xff, size);
  });
}

template <class T, unsigned count, space where>
void load_slowly(warp& w, instruction const& i, std::uint32_t mask) {
  load_each<T, count, where>(w, i, mask, lanes_of<std::uint64_t>(w, i.at[count]));
}
template <class T, unsigned count, space where>
void store_slowly(warp& w, instruction const& i, std::uint32_t mask) {
  store_each<T, count, where>(w, i, mask, lanes_of<std::uint64_t>(w, i.at[0]));
}

template <class T, unsigned count>
void add_width(opcode_table& table, std::string const& type, char letter, bool is_signed_type) {
  std::string const vector = count == 1 ? "." : count == 2 ? ".v2." : ".v4.";
  // Only scalars may be narrower than their register; a vector's parts may as well (ld.param.v4.u8).
  std::string const parts = count == 1 ? std::string{letter} : std::string{letter} + std::to_string(count);
  auto const add = [&](char const* where, char address, handler ld, handler st) {
    std::string const place = *where == 0 ? "" : std::string(".") + where;
    table.add(
        {"ld" + place + vector + type, parts + "=" + address, ld, control::plain, false, is_signed_type});
    if (st != nullptr) table.add({"st" + place + vector + type, std::string("=") + address + parts, st});
  };
  // Generic addresses outside global memory fall out of every window, and reach() knows what they mean.
  add("", 'A', &load<T, count, space::generic>, &store<T, count, space::generic>);
  add("global", 'A', &load<T, count, space::global>, &store<T, count, space::global>);
  add("const", 'A', &load<T, count, space::global>, nullptr);
  add("shared", 'S', &load_shared<T, count>, &store_shared<T, count>);
  add("local", 'A', &load_slowly<T, count, space::local>, &store_slowly<T, count, space::local>);
  add("param", 'A', &load_slowly<T, count, space::parameter>, nullptr);
  table.add({"ldu" + vector + type, parts + "=A", &load<T, count, space::generic>, control::plain, false,
             is_signed_type});
  table.add({"ldu.global" + vector + type, parts + "=A", &load<T, count, space::global>, control::plain,
             false, is_signed_type});
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
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) add_width<T, count>(table, "f" + width, letter, false);
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
