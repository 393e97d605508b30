// An oracle for tensor copies, after the driver API and the PTX ISA. It walks boxes element by
// element and lists the bytes that are copied, and includes no header of the library.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tma_oracle {

using number = std::int64_t;

/// The arguments of cuTensorMapEncodeTiled.
struct map {
  int bytes = 1;                                     // the size of an element
  std::vector<number> extents, strides, box, steps;  // strides in bytes, none for dimension 0
  int swizzle = 0;                                   // 0, 32, 64 or 128 bytes
};

/// The swizzle XORs the number of each 16-byte piece in a line of 128 bytes with the number of the
/// line modulo 8, 4 or 2, for the modes of 128, 64 and 32 bytes.
inline number swizzled(number address, int mode) {
  if (mode == 0) return address;
  number const row = address / 128;
  number const piece = address / 16 % 8;
  number const moved = mode == 128  ? piece ^ (row % 8)
                       : mode == 64 ? piece ^ (row % 4)
                                    : piece ^ (row % 2);
  return row * 128 + moved * 16 + address % 16;
}

/// For each element of a box, its address in shared memory and its address in the tensor, or
/// `out_of_bounds`.
constexpr number out_of_bounds = -1;
using image = std::vector<std::pair<number, number>>;

/// Copies the box at these coordinates. Dimension 0 is the fastest in shared memory, and of
/// dimension d only every steps[d]-th element is copied.
inline void copy_box(map const& m, std::vector<number> const& at, number shared, image& into) {
  std::size_t const rank = m.extents.size();
  std::vector<number> counts(rank);
  number count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    number const step = d == 0 ? 1 : m.steps[d];  // the driver ignores the step of dimension 0
    counts[d] = (m.box[d] + step - 1) / step;
    count *= counts[d];
  }
  for (number k = 0; k < count; ++k) {
    number left = k, address = 0;
    bool in_bounds = true;
    for (std::size_t d = 0; d < rank; ++d) {
      number const where = at[d] + left % counts[d] * (d == 0 ? 1 : m.steps[d]);
      left /= counts[d];
      in_bounds = in_bounds && where >= 0 && where < m.extents[d];
      address += where * (d == 0 ? m.bytes : m.strides[d - 1]);
    }
    into.emplace_back(swizzled(shared + k * m.bytes, m.swizzle),
                      in_bounds ? address : out_of_bounds);
  }
}

/// True if the copy may begin at these coordinates, as seen on an H200.
inline bool begins_legally(map const& m, std::vector<number> const& at, bool stores) {
  bool below = false;
  for (number c : at) below = below || c < 0;
  return at[0] * m.bytes % 16 == 0 && !(stores && below);
}

/// Names the limit that the map exceeds, or returns an empty text if the driver accepts the map.
inline std::string broken_limit(map const& m) {
  std::size_t const rank = m.extents.size();
  if (rank < 1 || rank > 5) return "rank";
  for (std::size_t d = 0; d < rank; ++d) {
    if (m.extents[d] < 1 || m.extents[d] > number{1} << 32) return "extent";
    if (m.box[d] < 1 || m.box[d] > 256) return "box";
    if (m.steps[d] < 1 || m.steps[d] > 8) return "element stride";
    if (d > 0 && (m.strides[d - 1] % 16 != 0 || m.strides[d - 1] <= 0 ||
                  m.strides[d - 1] >= number{1} << 40))
      return "stride";
  }
  number const row = m.box[0] * m.bytes;
  if (row % 16 != 0) return "row";
  if (m.swizzle != 0 && row > m.swizzle) return "row under a swizzle";
  return "";
}

/// One digit of a dimension.
struct digit {
  number extent = 1, stride = 0;
};
/// The address of coordinate c of one dimension. The digits are slowest first, and the slowest one
/// counts on beyond its extent.
inline number position(std::vector<digit> const& digits, number c) {
  number sum = 0;
  for (std::size_t k = digits.size(); k-- > 1;) {
    sum += c % digits[k].extent * digits[k].stride;
    c /= digits[k].extent;
  }
  return digits.empty() ? sum : sum + c * digits[0].stride;
}
inline number extent_of(std::vector<digit> const& digits) {
  number n = 1;
  for (digit const& d : digits) n *= d.extent;
  return n;
}

}  // namespace tma_oracle
