// Register layouts as lists of digits, and the places of their elements in a CTA: a thread, and a
// slot, which is the number of the element in the thread's registers. A digit `on_lane` whose
// stride is a multiple of 32 is on warp. This is the oracle of conversion plans; it includes no
// header of the library.
//
//     digits {2:1@lane},{4:1@reg}      element 6 = (1,2) is in lane 1, slot 2
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace registers {

struct digit {
  int extent = 1;
  int stride = 0;
  bool on_lane = false;
};

struct side {
  std::vector<digit> digits;  // the digits of an element's number, slowest first
  std::vector<digit> replicas;
  int lane_offset = 0, slot_offset = 0;

  int size() const {
    int n = 1;
    for (digit const& d : digits) n *= d.extent;
    return n;
  }
};

using spot = std::pair<int, int>;  // (lane, slot)

/// All places of element x.
inline std::set<spot> places(side const& s, int x) {
  spot here{s.lane_offset, s.slot_offset};
  for (std::size_t k = s.digits.size(); k-- > 0;) {
    digit const& d = s.digits[k];
    (d.on_lane ? here.first : here.second) += x % d.extent * d.stride;
    x /= d.extent;
  }
  std::set<spot> all{here};
  for (digit const& d : s.replicas) {
    std::set<spot> more;
    for (spot const& p : all)
      for (int j = 0; j < d.extent; ++j)
        more.insert(d.on_lane ? spot{p.first + j * d.stride, p.second}
                              : spot{p.first, p.second + j * d.stride});
    all = more;
  }
  return all;
}

inline std::string text(digit const& d) {
  if (!d.on_lane) return std::to_string(d.stride) + "@reg";
  bool const on_warp = d.stride != 0 && d.stride % 32 == 0;
  return on_warp ? std::to_string(d.stride / 32) + "@warp" : std::to_string(d.stride) + "@lane";
}

/// The layout in the library's notation.
inline std::string text(side const& s) {
  std::string extents, strides;
  for (digit const& d : s.digits) {
    extents += (extents.empty() ? "" : ",") + std::to_string(d.extent);
    strides += (strides.empty() ? "" : ",") + text(d);
  }
  std::string out = s.digits.empty() ? "S[]" : "S[(" + extents + "):(" + strides + ")]";
  for (digit const& d : s.replicas) out += " + R[" + std::to_string(d.extent) + ":" + text(d) + "]";
  if (s.lane_offset != 0) out += " + " + std::to_string(s.lane_offset) + "@lane";
  if (s.slot_offset != 0) out += " + " + std::to_string(s.slot_offset) + "@reg";
  return out;
}

/// The bits that element x has in pass p. All passes together tell any two elements apart.
inline std::uint64_t content(int x, int width, int pass) {
  std::uint64_t const mixed = (static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u) >> 20;
  std::uint64_t const value = width >= 32 ? mixed * 2654435761u + static_cast<std::uint64_t>(x)
                                          : static_cast<std::uint64_t>(x) >> (width * pass);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

/// The registers of a warp. Word i of lane l is at [l * words + i].
struct file {
  int words = 0;
  std::vector<std::uint32_t> word;

  explicit file(int n) : words(n), word(static_cast<std::size_t>(32 * n), 0xdeadbeefu) {}

  void put(spot at, int width, std::uint64_t value) {
    for (int done = 0; done < width; done += 32) {
      int const bit = at.second * width + done;
      std::uint32_t& w = word[static_cast<std::size_t>(at.first * words + bit / 32)];
      std::uint64_t const mask = width >= 32 ? 0xffffffffu : (std::uint64_t{1} << width) - 1;
      w = static_cast<std::uint32_t>((w & ~(mask << (bit % 32))) |
                                     ((value >> done & mask) << (bit % 32)));
    }
  }
  std::uint64_t get(spot at, int width) const {
    std::uint64_t value = 0;
    for (int done = 0; done < width; done += 32) {
      int const bit = at.second * width + done;
      std::uint64_t const mask = width >= 32 ? 0xffffffffu : (std::uint64_t{1} << width) - 1;
      value |= (word[static_cast<std::size_t>(at.first * words + bit / 32)] >> (bit % 32) & mask)
               << done;
    }
    return value;
  }
};

/// The registers that hold the layout's elements before a conversion.
inline file fill(side const& s, int width, int words, int pass) {
  file f(words);
  for (int x = 0; x < s.size(); ++x)
    for (spot const& p : places(s, x)) f.put(p, width, content(x, width, pass));
  return f;
}

/// The first element that is not at all of its places after a conversion, or -1.
inline int missing(side const& s, int width, file const& f, int pass) {
  for (int x = 0; x < s.size(); ++x)
    for (spot const& p : places(s, x))
      if (f.get(p, width) != content(x, width, pass)) return x;
  return -1;
}

}  // namespace registers
