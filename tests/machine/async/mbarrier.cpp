// Implements the mbarrier instructions, on mbarriers of this block and of the cluster.
//
//     arrive.expect_tx     expects the bytes, then arrives
//     arrive_drop          also lowers the expected arrivals by its count
//     test_wait.parity P   true if the phase of parity P has ended; P = 1 passes a fresh mbarrier
//     try_wait             like test_wait; if either answers false, other warps run
#include "async/mbarrier.hpp"

#include <cstring>

#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

constexpr std::uint32_t count_mask = (1u << 20) - 1;
constexpr std::int64_t most_bytes = (1 << 20) - 1;

struct located {
  block* owner;
  std::uint32_t offset;
};

std::uint64_t read_word(block const& owner, std::uint32_t offset) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, owner.shared.get() + offset, 8);
  return bits;
}

void write_word(block& owner, std::uint32_t offset, mbarrier_word const& word) {
  std::uint64_t const bits = pack_mbarrier(word);
  std::memcpy(owner.shared.get() + offset, &bits, 8);
  std::memset(owner.shared_written.get() + offset, 0xff, 8);
}

template <bool generic> located locate(warp& w, instruction const& i, unsigned lane, unsigned at) {
  std::uint64_t address = 0;
  if constexpr (generic) {
    address = lanes_of<std::uint64_t>(w, i.at[at])[lane] + static_cast<std::uint64_t>(i.offset);
    if (!is_in_shared_window(address))
      fault(w, i, lane, trouble::mbarrier, address,
            say("the mbarrier at ", hexadecimal(address), " is not in shared memory"));
    address &= 0xffffffffu;
  } else {
    address = lanes_of<std::uint32_t>(w, i.at[at])[lane] + static_cast<std::uint32_t>(i.offset);
  }
  reach(w, i, lane, space::shared, address, 8, access::update, 8);
  auto const narrow = static_cast<std::uint32_t>(address);
  return {&block_of(w, i, lane, narrow), narrow & shared_offset_mask};
}

/// Locates the mbarrier of init, inval or a wait. These instructions access mbarriers of their own
/// block only, also with a generic address.
template <bool generic>
located locate_own(warp& w, instruction const& i, unsigned lane, unsigned at) {
  auto const found = locate<generic>(w, i, lane, at);
  if (found.owner != w.home)
    fault(w, i, lane, trouble::mbarrier, found.offset,
          say("the mbarrier lies in block ", found.owner->rank,
              " of the cluster, the thread in block ", w.home->rank));
  return found;
}

mbarrier_word valid_word(warp& w, instruction const& i, unsigned lane, located const& at) {
  auto const word = unpack_mbarrier(read_word(*at.owner, at.offset));
  if (!word.valid)
    fault(w, i, lane, trouble::mbarrier, at.offset,
          say("the 8 bytes at ", hexadecimal(at.offset), " are not an initialised mbarrier"));
  return word;
}

/// Ends the phase if no arrivals and no bytes are pending.
void settle(block& owner, std::uint32_t offset, mbarrier_word& word) {
  if (word.pending != 0 || word.bytes != 0) return;
  word.parity = !word.parity;
  word.pending = word.expected;
  end_phase(owner, offset);
  ++owner.home->progress;
}

template <bool generic> void initialise(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const at = locate_own<generic>(w, i, lane, 0);
    std::uint32_t const count = lanes_of<std::uint32_t>(w, i.at[1])[lane];
    if (count == 0 || count > count_mask)
      fault(w, i, lane, trouble::mbarrier, at.offset,
            say("an mbarrier for ", count, " arrivals; 1 to ", count_mask, " are possible"));
    auto const before = unpack_mbarrier(read_word(*at.owner, at.offset));
    if (before.valid && at.owner->shared_written.get()[at.offset] == std::byte{0xff} &&
        (before.pending != before.expected || before.bytes != 0))
      fault(w, i, lane, trouble::mbarrier, at.offset,
            say("initialises the mbarrier at ", hexadecimal(at.offset),
                " again in the middle of a phase"));
    write_word(*at.owner, at.offset, {count, count, 0, false, true});
    mbarrier_initialised(w, i, *at.owner, at.offset);
    ++w.home->home->progress;
  });
}

template <bool generic> void invalidate(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const at = locate_own<generic>(w, i, lane, 0);
    valid_word(w, i, lane, at);
    std::memset(at.owner->shared.get() + at.offset, 0, 8);
    std::memset(at.owner->shared_written.get() + at.offset, 0, 8);
  });
}

void require_no_problem(warp& w, instruction const& i, unsigned lane, located const& at,
                        std::string const& problem) {
  if (!problem.empty()) fault(w, i, lane, trouble::mbarrier, at.offset, problem);
}

template <bool generic, int sign>
void transaction(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const at = locate<generic>(w, i, lane, 0);
    valid_word(w, i, lane, at);
    std::uint32_t const bytes = lanes_of<std::uint32_t>(w, i.at[1])[lane];
    require_no_problem(w, i, lane, at, add_bytes(*at.owner, at.offset, sign * std::int64_t{bytes}));
  });
}

struct arrival {
  bool expects_bytes = false, drops = false, may_not_complete = false;
};

template <bool generic, arrival how>
void arrive(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const at = locate<generic>(w, i, lane, 1);
    auto word = valid_word(w, i, lane, at);
    std::uint32_t const operand = lanes_of<std::uint32_t>(w, i.at[2])[lane];
    std::uint32_t const count = how.expects_bytes ? 1 : operand;
    if (count == 0)
      fault(w, i, lane, trouble::mbarrier, at.offset, "0 arrivals; at least 1 is needed");
    if constexpr (how.expects_bytes) {
      require_no_problem(w, i, lane, at, add_bytes(*at.owner, at.offset, -std::int64_t{operand}));
      word = unpack_mbarrier(read_word(*at.owner, at.offset));
    }
    if (word.pending < count)
      fault(w, i, lane, trouble::mbarrier, at.offset,
            say(count, " arrivals at the mbarrier at ", hexadecimal(at.offset),
                ", whose phase waits for ", word.pending, " of ", word.expected));
    lanes_of<std::uint64_t>(w, i.at[0])[lane] = pack_mbarrier(word);
    word.pending -= count;
    if constexpr (how.drops) {
      if (word.expected < count)
        fault(w, i, lane, trouble::mbarrier, at.offset,
              "drops more arrivals than the mbarrier expects");
      word.expected -= count;
    }
    bool const completes = word.pending == 0 && word.bytes == 0;
    if (how.may_not_complete && completes)
      fault(w, i, lane, trouble::mbarrier, at.offset,
            "an arrival with .noComplete completes the phase");
    ++w.home->home->progress;
    publish_at_mbarrier(w, *at.owner, at.offset);
    settle(*at.owner, at.offset, word);
    write_word(*at.owner, at.offset, word);
  });
}

/// A successful wait marks the bytes of bulk copies that completed on this mbarrier as written.
void observe(block& owner, std::uint32_t barrier) {
  std::erase_if(owner.landed, [&](unobserved const& each) {
    if (each.barrier != barrier) return false;
    auto& written = owner.home->blocks[each.begin >> shared_rank_shift]->shared_written;
    std::memset(written.get() + (each.begin & shared_offset_mask), 0xff, each.bytes);
    return true;
  });
}

template <bool generic, bool by_parity>
void wait(warp& w, instruction const& i, std::uint32_t mask) {
  std::uint32_t done = 0;
  // With random landing, test_wait and try_wait may fail although the phase has ended.
  bool const spurious = w.run->options.when == landing::random && w.run->random(4) == 0;
  for_lanes(mask, [&](unsigned lane) {
    auto const at = locate_own<generic>(w, i, lane, 1);
    auto const word = valid_word(w, i, lane, at);
    bool ended = false;
    if constexpr (by_parity)
      ended = word.parity != ((lanes_of<std::uint32_t>(w, i.at[2])[lane] & 1u) != 0);
    else
      ended = word.parity != unpack_mbarrier(lanes_of<std::uint64_t>(w, i.at[2])[lane]).parity;
    if (ended && !spurious) {
      done |= 1u << lane;
      observe(*at.owner, at.offset);
      acquire_mbarrier(w, *at.owner, at.offset);
      w.polled[lane] = 0;
    } else {
      w.polled[lane] = at.offset;
    }
  });
  auto& p = predicate_of(w, i.at[0]);
  p = (p & ~mask) | done;
  // In blocks that use tensor memory, other warps run even after a successful wait. In CuTe's
  // Blackwell tutorials three warps wait on mbarriers at which only the fourth warp arrives. If the
  // fourth ran two phases ahead, the three would wait forever.
  if (done != mask || w.home->tensor != nullptr) w.give_way = true;
  if (spurious) ++w.home->home->progress;
}

void pending_count(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    lanes_of<std::uint32_t>(w, i.at[0])[lane] =
        unpack_mbarrier(lanes_of<std::uint64_t>(w, i.at[1])[lane]).pending;
  });
}

template <bool generic> void add_space(opcode_table& table) {
  std::string const tail = generic ? ".b64" : ".shared.b64";
  std::string const a = generic ? "A" : "S";
  auto const add = [&](std::string const& name, std::string const& signature, handler run,
                       control kind = control::plain) {
    table.add({"mbarrier." + name + tail, signature, run, kind});
  };
  add("init", "=" + a + "w", &initialise<generic>);
  add("inval", "=" + a, &invalidate<generic>);
  add("expect_tx", "=" + a + "w", &transaction<generic, -1>);
  add("complete_tx", "=" + a + "w", &transaction<generic, 1>);
  add("arrive", "l=" + a + "?w", &arrive<generic, arrival{}>);
  add("arrive.noComplete", "l=" + a + "w", &arrive<generic, arrival{false, false, true}>);
  add("arrive.expect_tx", "l=" + a + "w", &arrive<generic, arrival{true, false, false}>);
  add("arrive_drop", "l=" + a + "?w", &arrive<generic, arrival{false, true, false}>);
  add("arrive_drop.noComplete", "l=" + a + "w", &arrive<generic, arrival{false, true, true}>);
  add("arrive_drop.expect_tx", "l=" + a + "w", &arrive<generic, arrival{true, true, false}>);
  add("test_wait", "p=" + a + "l", &wait<generic, false>, control::polling);
  add("test_wait.parity", "p=" + a + "w", &wait<generic, true>, control::polling);
  add("try_wait", "p=" + a + "l?w", &wait<generic, false>, control::polling);
  add("try_wait.parity", "p=" + a + "w?w", &wait<generic, true>, control::polling);
}

}  // namespace

mbarrier_word unpack_mbarrier(std::uint64_t bits) {
  mbarrier_word word;
  word.pending = static_cast<std::uint32_t>(bits) & count_mask;
  word.expected = static_cast<std::uint32_t>(bits >> 20) & count_mask;
  word.bytes = static_cast<std::int32_t>(static_cast<std::int64_t>(bits << 2) >> 42);
  word.parity = ((bits >> 62) & 1u) != 0;
  word.valid = (bits >> 63) != 0;
  return word;
}

std::uint64_t pack_mbarrier(mbarrier_word const& word) {
  return word.pending | std::uint64_t{word.expected} << 20 |
         (static_cast<std::uint64_t>(static_cast<std::int64_t>(word.bytes)) & 0x3fffff) << 40 |
         static_cast<std::uint64_t>(word.parity) << 62 |
         static_cast<std::uint64_t>(word.valid) << 63;
}

std::string add_bytes(block& owner, std::uint32_t offset, std::int64_t arrived) {
  auto word = unpack_mbarrier(read_word(owner, offset));
  if (!word.valid)
    return say("the 8 bytes at ", hexadecimal(offset), " are not an initialised mbarrier");
  std::int64_t const missing = word.bytes - arrived;
  if (missing > most_bytes || missing < -most_bytes)
    return say("the mbarrier at ", hexadecimal(offset), " would wait for ", missing,
               " bytes; the limit is ", most_bytes);
  word.bytes = static_cast<std::int32_t>(missing);
  ++owner.home->progress;
  settle(owner, offset, word);
  write_word(owner, offset, word);
  return {};
}

std::string arrive_once(block& owner, std::uint32_t offset) {
  auto word = unpack_mbarrier(read_word(owner, offset));
  if (!word.valid)
    return say("the 8 bytes at ", hexadecimal(offset), " are not an initialised mbarrier");
  if (word.pending == 0)
    return say("an arrival at the mbarrier at ", hexadecimal(offset),
               ", whose phase waits for 0 of ", word.expected);
  --word.pending;
  ++owner.home->progress;
  settle(owner, offset, word);
  write_word(owner, offset, word);
  return {};
}

std::string describe_mbarrier(block const& home, std::uint32_t address) {
  std::uint32_t const offset = address & shared_offset_mask;
  auto const word = unpack_mbarrier(read_word(home, offset));
  return say("waits for the mbarrier at ", hexadecimal(offset), ", in a phase of parity ",
             word.parity ? 1 : 0, " where ", word.pending, " of ", word.expected, " arrivals and ",
             word.bytes, " bytes are missing");
}

void add_mbarrier(opcode_table& table) {
  add_space<true>(table);
  add_space<false>(table);
  table.add({"mbarrier.pending_count.b64", "w=l", &pending_count});
}

}  // namespace machine
