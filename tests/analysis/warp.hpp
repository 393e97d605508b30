// Simulates warps lane by lane and counts the traffic of an access in shared and global memory. An
// oracle: it includes no header of the library.
//
//     A layout is a function from an element to the addresses of its replicas. An access lists the
//     elements of each lane and instruction. The traffic is the number of distinct words, sectors
//     and lines.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace warp {

using number = long long;

struct digit {
  number extent = 1;
  number stride = 0;
};

struct swizzle {
  int M = 0, B = 0, S = 0;
};

struct memory {
  std::vector<digit> d, r;
  number offset = 0;
  swizzle f{};
  std::function<number(number)> then{};  // if set, maps the swizzled address further
};

/// Applies a swizzle bit by bit. For S > 0 the B bits from bit M on are XORed with the bits S above
/// them. For S < 0 the B bits from bit M + |S| on are XORed with the bits |S| below them.
inline number swizzled(swizzle f, number m) {
  number address = m;
  for (int bit = f.M; bit < f.M + f.B; ++bit) {
    int const from = f.S > 0 ? bit + f.S : bit;
    int const to = f.S > 0 ? bit : bit - f.S;
    if (((m >> from) & 1) != 0) address ^= number{1} << to;
  }
  return address;
}

inline number size(std::vector<digit> const& digits) {
  number n = 1;
  for (digit const& i : digits) n *= i.extent;
  return n;
}

/// The value of a list of digits at x. The last digit is the fastest.
inline number at(std::vector<digit> const& digits, number x) {
  number sum = 0;
  for (std::size_t k = digits.size(); k-- > 0;) {
    sum += x % digits[k].extent * digits[k].stride;
    x /= digits[k].extent;
  }
  return sum;
}

/// The distinct offsets of the replicas.
inline std::set<number> replica_offsets(memory const& l) {
  std::set<number> out;
  for (number c = 0; c < size(l.r); ++c) out.insert(at(l.r, c));
  return out;
}

inline number address(memory const& l, number element, number replica) {
  number const to = swizzled(l.f, at(l.d, element) + l.offset + replica);
  return l.then ? l.then(to) : to;
}

/// The elements that each lane accesses, in order.
struct instruction {
  std::vector<std::vector<number>> lanes;
};

struct counts {
  bool legal = true;  // every vector is contiguous and aligned to its size
  number conflicts = 1, wavefronts = 0, phases = 0;
  number instruction = 0, phase = 0, bank = 0;  // where `conflicts` occurs first
  number sectors = 0, least_sectors = 0, lines = 0, least_lines = 0, instructions = 0;
};

inline number floored(number a, number b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
inline number wrapped(number a, number b) { return a - floored(a, b) * b; }

inline counts simulate(memory const& l, std::vector<instruction> const& access, int bits) {
  counts total;
  for (number replica : replica_offsets(l))
    for (instruction const& one : access) {
      ++total.instructions;
      std::set<number> asked, sectors, lines;  // indices of bits, 32-byte sectors, 128-byte lines
      number const width =
          static_cast<number>(one.lanes.front().size()) * bits / 8;  // of one vector, in bytes
      std::size_t const together = width <= 4 ? 32 : width == 8 ? 16 : 8;
      for (std::size_t from = 0; from < one.lanes.size(); from += together) {
        std::map<number, std::set<number>> words_of_bank;
        for (std::size_t k = from; k < std::min(one.lanes.size(), from + together); ++k) {
          number const first = address(l, one.lanes[k][0], replica);
          if (wrapped(first * bits, width * 8) != 0) total.legal = false;
          for (std::size_t j = 0; j < one.lanes[k].size(); ++j) {
            number const here = address(l, one.lanes[k][j], replica);
            if (here != first + static_cast<number>(j)) total.legal = false;
            for (number b = here * bits; b < (here + 1) * bits; ++b) {
              number const word = floored(b, 32);
              words_of_bank[wrapped(word, 32)].insert(word);
              asked.insert(b);
              sectors.insert(floored(b, 256));
              lines.insert(floored(b, 1024));
            }
          }
        }
        std::size_t worst = 0;
        number where = 0;
        for (auto const& [bank, words] : words_of_bank)
          if (words.size() > worst) {
            worst = words.size();
            where = bank;
          }
        ++total.phases;
        total.wavefronts += static_cast<number>(worst);
        if (static_cast<number>(worst) <= total.conflicts) continue;
        total.conflicts = static_cast<number>(worst);
        total.instruction = (total.instructions - 1) % static_cast<number>(access.size());
        total.phase = static_cast<number>(from / together);
        total.bank = where;
      }
      auto const fill = [&](number piece) {
        return (static_cast<number>(asked.size()) + piece - 1) / piece;
      };
      total.sectors += static_cast<number>(sectors.size());
      total.lines += static_cast<number>(lines.size());
      total.least_sectors += fill(256);
      total.least_lines += fill(1024);
    }
  return total;
}

/// The instructions of an access pattern. `pattern(i)` is the element of value i of the access.
inline std::vector<instruction> instructions(std::function<number(number)> const& pattern,
                                             number size, int values, int lanes, number sweep) {
  std::vector<instruction> out;
  number const vectors = size / values;
  for (number v = 0; v < vectors; ++v) {
    if (v % sweep % lanes == 0) out.emplace_back();
    out.back().lanes.emplace_back();
    for (int j = 0; j < values; ++j) out.back().lanes.back().push_back(pattern(v * values + j));
  }
  return out;
}

}  // namespace warp
