// Executes a copy plan that is a tensor copy, box by box and byte by byte (tma_oracle.hpp), and
// compares the result with the places of the request's layouts.
#pragma once

#include "plan/copy_check.hpp"
#include "plan/tma_map.hpp"

namespace axe_test {

/// The dynamic extents of a tensor of one tile: how many values of the slowest digit of each
/// dimension are in bounds.
inline std::vector<axe::integer> dynamic_extents(axe::tma_tensor const& tensor,
                                                 std::vector<long long> const& limits) {
  std::vector<axe::integer> extents;
  int digit = 0;
  for (int d = 0; d < tensor.rank(); ++d) {
    axe::integer inner = 1;
    for (int k = 1; k < tensor.blocks[d]; ++k) inner *= tensor.digits[digit + k].extent.value();
    digit += tensor.blocks[d];
    extents.push_back(limits.empty() ? 0 : limits[static_cast<std::size_t>(d)] / inner);
  }
  return extents;
}

/// True if element x of the tile is in bounds.
inline bool within(std::vector<long long> const& limits, axe::shape const& tile, std::size_t x) {
  for (std::size_t d = limits.size(); d-- > 0;) {
    auto const extent = static_cast<std::size_t>(tile.nodes.value(static_cast<int>(d) + 1));
    if (static_cast<long long>(x % extent) >= limits[d]) return false;
    x /= extent;
  }
  return true;
}

/// Returns an empty text if the bytes of each element were written once to their place and nothing
/// else was written, otherwise what is wrong. `limits` has the number of coordinates in bounds of
/// each dimension, or is empty if all are.
inline std::string tensor_copy_fault(axe::copy_plan const& plan, axe::copy_request const& request,
                                     std::vector<long long> const& limits) {
  using tma_oracle::number;
  bool const load = request.from_space == axe::memory_space::global;
  axe::layout const& global = load ? request.from : request.to;
  std::vector<axe::integer> const numbers =
      dynamic_extents(axe::tma_tensor_of(global, request.tile), limits);
  axe::outcome<axe::tma_arguments> const made = axe::try_tma_arguments(plan.tensor, numbers.data());
  if (!made) return "the map is rejected";
  tma_oracle::map const m = map_of(plan.tensor, *made);
  if (std::string const broken = tma_oracle::broken_limit(m); !broken.empty()) return broken;
  tma_oracle::image all;
  for (axe::integer k = 0; k < plan.issues; ++k) {
    axe::tma_box const box = box_of(plan.tensor, k);
    tma_oracle::copy_box(m, {box.coordinates, box.coordinates + made->rank}, box.shared, all);
  }
  std::set<std::pair<number, number>> const image(all.begin(), all.end());
  std::set<number> written;  // several boxes of a store may read one byte
  for (auto const& [shared, from] : all)
    if (load && !written.insert(shared).second) return "two boxes write one byte of shared memory";
  oracle::map_table const global_places = places_of(global),
                          shared_places = places_of(load ? request.to : request.from);
  std::size_t bytes = 0;
  for (std::size_t x = 0; x < global_places.size(); ++x) {
    bool const in_bounds = within(limits, request.tile, x);
    number const global_bit = global_places[x][0][0] * request.bits;
    for (oracle::place const& p : shared_places[x]) {
      number const shared_bit = p[0] * request.bits;
      if (shared_bit % 8 != global_bit % 8) return "an element moves inside its byte";
      if (shared_bit % 8 != 0) continue;
      for (number b = 0; b < std::max(1, request.bits / 8); b += m.bytes, ++bytes) {
        number const there =
            in_bounds ? global_bit / 8 + b - made->offset : tma_oracle::out_of_bounds;
        if (image.count({shared_bit / 8 + b, there}) == 0)
          return "element " + std::to_string(x) + " is not copied to its place";
      }
    }
  }
  return bytes == all.size() ? "" : "the boxes copy bytes outside the tile";
}

}  // namespace axe_test
