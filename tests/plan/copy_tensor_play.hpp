// Executes a copy plan that is a tensor copy, box by box and byte by byte (tma_played.hpp), and
// compares the result with the places of the request's layouts.
#pragma once

#include "plan/copy_play.hpp"
#include "plan/tma_played.hpp"

#include <axe/plan/tma_arguments.hpp>

namespace axe_test {

/// Returns an empty text if the bytes of each element were written once to their place and nothing
/// else was written, otherwise what is wrong. `there` is how many coordinates of each dimension are
/// in bounds.
inline std::string play_tensor(axe::copy_plan const& plan, axe::copy_request const& request,
                               std::vector<long long> const& there) {
  using played::number;
  bool const load = request.from_space == axe::memory_space::global;
  axe::layout const& global = load ? request.from : request.to;
  // The dynamic extents of the tensor: how many values of the slowest digit of each dimension are
  // in bounds.
  std::vector<axe::integer> numbers;
  axe::tma_tensor const whole = axe::tma_tensor_of(global, request.tile);
  int digit = 0;
  for (int d = 0; d < whole.rank(); ++d) {
    axe::integer inner = 1;
    for (int k = 1; k < whole.blocks[d]; ++k) inner *= whole.digits[digit + k].extent.value();
    digit += whole.blocks[d];
    numbers.push_back(there.empty() ? 0 : there[static_cast<std::size_t>(d)] / inner);
  }
  axe::outcome<axe::tma_arguments> const made = axe::try_tma_arguments(plan.tensor, numbers.data());
  if (!made) return "the map cannot be made";
  played::map m;
  m.bytes = axe::bits_of(plan.tensor.unit) / 8;
  m.swizzle = made->swizzle == 0 ? 0 : 16 << made->swizzle;
  for (int d = 0; d < made->rank; ++d) {
    m.extents.push_back(static_cast<number>(made->extents[d]));
    if (d > 0) m.strides.push_back(static_cast<number>(made->strides[d - 1]));
    m.box.push_back(made->box[d]);
    m.steps.push_back(made->element_strides[d]);
  }
  if (std::string const broken = played::broken_limit(m); !broken.empty()) return broken;
  played::image all;
  for (axe::integer k = 0; k < plan.issues; ++k) {
    axe::tma_box const box = box_of(plan.tensor, k);
    played::play(m, {box.coordinates, box.coordinates + made->rank}, box.shared, all);
  }
  std::map<number, number> image;
  for (auto const& [shared, from] : all)
    if (!image.emplace(shared, from).second) return "two boxes meet in shared memory";
  oracle::map_table const inside = places_of(global),
                          kept = places_of(load ? request.to : request.from);
  std::size_t bytes = 0;
  for (std::size_t x = 0; x < inside.size(); ++x) {
    bool is_there = true;
    std::size_t left = x;
    for (std::size_t d = there.size(); d-- > 0;) {
      auto const extent =
          static_cast<std::size_t>(request.tile.nodes[static_cast<int>(d) + 1].value);
      is_there = is_there && static_cast<long long>(left % extent) < there[d];
      left /= extent;
    }
    number const at = inside[x][0][0] * request.bits;
    for (oracle::place const& p : kept[x]) {
      number const to = p[0] * request.bits;
      if (to % 8 != at % 8) return "an element moves inside its byte";
      if (to % 8 != 0) continue;
      for (number b = 0; b < std::max(1, request.bits / 8); b += m.bytes, ++bytes) {
        auto const found = image.find(to / 8 + b);
        number const wanted = made->offset + (found == image.end() ? 0 : found->second);
        if (found == image.end()) return "element " + std::to_string(x) + " does not arrive";
        if (is_there ? wanted != at / 8 + b : found->second != played::outside)
          return "element " + std::to_string(x) + " is not what arrives at its place";
      }
    }
  }
  return bytes == image.size() ? "" : "boxes have more than the tile";
}

}  // namespace axe_test
