// Computes liveness backwards over basic blocks, then live intervals in text order, and assigns
// storage by a linear scan.
#include "program/pack.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <unordered_map>

namespace machine {
namespace {

/// Registers are not packed if liveness needs more bits than this (programs compiled with -G).
constexpr std::uint64_t most_bits = std::uint64_t{1} << 26;

using bits = std::vector<std::uint64_t>;
bool has(bits const& set, std::size_t k) { return ((set[k / 64] >> (k % 64)) & 1u) != 0; }
void insert(bits& set, std::size_t k) { set[k / 64] |= std::uint64_t{1} << (k % 64); }

struct basic_block {
  std::uint32_t first, last;  // instructions first .. last - 1
  bits read, written, live_in, live_out;
  std::vector<std::size_t> next;
};

struct interval {
  std::uint32_t first = ~0u, last = 0;
  void extend(std::uint32_t at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
};

class packer {
 public:
  packer(program& code, std::vector<operand_use> const& uses,
         std::vector<register_place> const& places, frame_layout& layout, std::uint32_t last)
      : code_(code), uses_(uses), places_(places), layout_(layout), last_(last) {
    for (std::size_t k = 0; k < places.size(); ++k) numbers_[places[k].offset] = k;
  }

  void run() {
    find_movable();
    find_basic_blocks();
    if (std::uint64_t{basic_blocks_.size()} * places_.size() > most_bits) return;
    find_liveness();
    place();
    rewrite();
  }

 private:
  /// Calls `visit(register, is_result)` for each operand of an instruction.
  template <class Visit> void each_operand(std::uint32_t at, Visit visit) const {
    auto const& i = code_.code[at];
    auto const& use = uses_[at];
    for (std::size_t k = 0; k < use.operands; ++k)
      visit(numbers_.at(i.operands()[k]), k < use.results);
    if (i.members != 0) visit(numbers_.at(i.members), false);
    if (i.has_guard) visit(numbers_.at(i.guard), false);
  }

  void find_movable() {
    movable_.assign(places_.size(), true);
    auto const stays = [&](std::uint32_t offset) { movable_[numbers_.at(offset)] = false; };
    stays(0);  // the condition code
    for (auto const& each : layout_.constants) stays(each.offset);
    for (auto const& each : layout_.shared) stays(each.offset);
    for (auto const& each : layout_.specials) stays(each.offset);
    for (auto const& each : layout_.stack_addresses) stays(each.offset);
    for (std::uint32_t at = layout_.first; at < last_; ++at) {
      auto const& i = code_.code[at];
      if (uses_[at].is_known) continue;
      for (auto const offset : i.operands()) stays(offset);
      if (i.members != 0) stays(i.members);
    }
  }

  void find_basic_blocks() {
    std::vector<bool> begins(last_ - layout_.first + 1, false);
    auto const begin_at = [&](std::uint32_t at) { begins[at - layout_.first] = true; };
    auto const targets = [&](instruction const& i) {
      return i.kind == control::jump         ? std::vector{i.target}
             : i.kind == control::jump_table ? code_.tables[i.target]
                                             : std::vector<std::uint32_t>{};
    };
    auto const ends = [](instruction const& i) {
      return i.kind == control::jump || i.kind == control::jump_table || i.kind == control::ret ||
             i.kind == control::exit;
    };
    begin_at(layout_.first);
    for (std::uint32_t at = layout_.first; at < last_; ++at) {
      if (!ends(code_.code[at])) continue;
      begin_at(at + 1);
      for (auto const target : targets(code_.code[at])) begin_at(target);
    }
    std::map<std::uint32_t, std::size_t> number;
    for (std::uint32_t at = layout_.first; at < last_; ++at) {
      if (begins[at - layout_.first]) {
        number[at] = basic_blocks_.size();
        basic_blocks_.push_back({at, at, {}, {}, {}, {}, {}});
      }
      basic_blocks_.back().last = at + 1;
    }
    for (auto& each : basic_blocks_) {
      auto const& end = code_.code[each.last - 1];
      for (auto const target : targets(end)) each.next.push_back(number.at(target));
      if ((!ends(end) || end.has_guard) && each.last < last_)
        each.next.push_back(number.at(each.last));
    }
  }

  void find_liveness() {
    std::size_t const words = (places_.size() + 63) / 64;
    for (auto& each : basic_blocks_) {
      each.read.assign(words, 0);
      each.written = each.live_in = each.live_out = each.read;
      for (std::uint32_t at = each.first; at < each.last; ++at) {
        each_operand(at, [&](std::size_t which, bool is_result) {
          if (!is_result && !has(each.written, which)) insert(each.read, which);
        });
        // A guarded result does not end the life of the old value: other lanes keep that value.
        if (!code_.code[at].has_guard)
          each_operand(at, [&](std::size_t which, bool is_result) {
            if (is_result) insert(each.written, which);
          });
      }
    }
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t k = basic_blocks_.size(); k-- > 0;) {
        auto& each = basic_blocks_[k];
        for (std::size_t word = 0; word < words; ++word) {
          std::uint64_t out = 0;
          for (auto const next : each.next) out |= basic_blocks_[next].live_in[word];
          std::uint64_t const in = each.read[word] | (out & ~each.written[word]);
          changes = changes || in != each.live_in[word];
          each.live_out[word] = out;
          each.live_in[word] = in;
        }
      }
    }
    intervals_.assign(places_.size(), {});
    for (auto const& each : basic_blocks_) {
      for (std::size_t which = 0; which < places_.size(); ++which) {
        if (has(each.live_in, which)) intervals_[which].extend(each.first);
        if (has(each.live_out, which)) intervals_[which].extend(each.last - 1);
      }
      for (std::uint32_t at = each.first; at < each.last; ++at)
        each_operand(at, [&](std::size_t which, bool) { intervals_[which].extend(at); });
    }
  }

  std::uint32_t allocate(std::uint32_t bytes) {
    std::uint32_t const alignment = bytes >= 32 ? 64 : 4;
    std::uint32_t const at = (bytes_ + alignment - 1) / alignment * alignment;
    bytes_ = at + bytes;
    return at;
  }

  void place() {
    offsets_.assign(places_.size(), 0);
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (!movable_[k]) offsets_[k] = allocate(places_[k].bytes);
      if (movable_[k] && intervals_[k].first != ~0u) order.push_back(k);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(intervals_[a].first, a) < std::pair(intervals_[b].first, b);
    });
    struct taken {
      std::uint32_t until, offset;
      bool operator>(taken const& other) const { return until > other.until; }
    };
    struct of_size {
      std::priority_queue<taken, std::vector<taken>, std::greater<>> taken_places;
      // The storage that was freed last is used first, because it is in the cache.
      std::vector<std::uint32_t> free;
    };
    std::map<std::uint32_t, of_size> sizes;
    for (auto const which : order) {
      auto& size = sizes[places_[which].bytes];
      while (!size.taken_places.empty() &&
             size.taken_places.top().until < intervals_[which].first) {
        size.free.push_back(size.taken_places.top().offset);
        size.taken_places.pop();
      }
      if (size.free.empty()) {
        offsets_[which] = allocate(places_[which].bytes);
      } else {
        offsets_[which] = size.free.back();
        size.free.pop_back();
      }
      size.taken_places.push({intervals_[which].last, offsets_[which]});
    }
  }

  void rewrite() {
    auto const moved = [&](std::uint32_t& offset) { offset = offsets_[numbers_.at(offset)]; };
    for (auto& each : layout_.constants) moved(each.offset);
    for (auto& each : layout_.shared) moved(each.offset);
    for (auto& each : layout_.specials) moved(each.offset);
    for (auto& each : layout_.stack_addresses) moved(each.offset);
    for (std::uint32_t at = layout_.first; at < last_; ++at) {
      auto& i = code_.code[at];
      if (!i.many.empty()) {
        auto& list = code_.operand_lists.emplace_back(i.many.begin(), i.many.end());
        for (auto& offset : list) moved(offset);
        i.many = list;
      }
      for (auto& offset : i.at) moved(offset);
      if (i.members != 0) moved(i.members);
      if (i.has_guard) moved(i.guard);
    }
    layout_.bytes = (bytes_ + 63) / 64 * 64;
  }

  program& code_;
  std::vector<operand_use> const& uses_;
  std::vector<register_place> const& places_;
  frame_layout& layout_;
  std::uint32_t last_;
  std::unordered_map<std::uint32_t, std::size_t> numbers_;  // by offset
  std::vector<bool> movable_;
  std::vector<basic_block> basic_blocks_;
  std::vector<interval> intervals_;
  std::vector<std::uint32_t> offsets_;
  std::uint32_t bytes_ = 0;
};

}  // namespace

void pack_registers(program& code, std::vector<operand_use> const& uses,
                    std::vector<std::vector<register_place>> const& registers) {
  for (std::size_t f = 0; f < code.functions.size(); ++f) {
    auto last = static_cast<std::uint32_t>(code.code.size());
    for (auto const& each : code.functions)
      if (each.first > code.functions[f].first) last = std::min(last, each.first);
    packer(code, uses, registers[f], code.functions[f], last).run();
  }
}

}  // namespace machine
