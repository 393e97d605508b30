// A statement holds if the numbers in the plan agree with the places of the operands.
#include "plan/elements.hpp"

#include "explain/points.hpp"
#include "text/sink.hpp"

#include <axe/draw/copy_picture.hpp>

#include <algorithm>

namespace program {

namespace {

using axe::integer;
using explain::words;

std::string element(integer x) { return "element " + std::to_string(x); }

/// Where an element is: `byte 266` in memory, or its place in registers. Beyond 2^60 bytes it is
/// `133@m`.
std::string side(axe::layout const& l, axe::memory_space space, integer x, int bits) {
  explain::some_points const at = explain::places_of(l, x);
  if (space == axe::memory_space::registers) return words(at, "many places");
  integer at_bit = axe::places(l, x).first()[axe::axis::m];
  if (!axe::detail::multiply(at_bit, bits)) return words(at, "many places");
  return "byte " + std::to_string(at_bit / 8);
}

/// The digits of element x in the modes of a plan.
std::vector<integer> on_modes(axe::copy_plan const& plan, integer x) {
  std::vector<integer> out;
  for (axe::copy_mode const& m : plan.modes) out.push_back(m.step == 0 ? 0 : x / m.step % m.extent);
  return out;
}

struct global_byte {
  integer byte;
  bool in_bounds;
};

/// What TMA copies to or from `byte` of shared memory, which is in box b.
global_byte global_byte_of(axe::tma_plan const& plan, axe::tma_box const& b, integer byte) {
  integer const width = static_cast<integer>(plan.swizzle);
  // The swizzle XORs the number of a 16-byte chunk with that of its line of 128 bytes.
  if (width != 0) byte ^= (byte >> 3) & (width - 16);
  integer const unit = axe::bits_of(plan.unit) / 8;
  integer in_box = (byte - b.shared) / unit;
  global_byte found{plan.global_offset, true};
  for (int k = 0; k < plan.rank(); ++k) {
    axe::tma_dimension const& d = plan.dimensions[k];
    integer const count = (d.box + d.element_stride - 1) / d.element_stride;
    integer const coordinate = b.coordinates[k] + in_box % count * d.element_stride;
    if (d.extent.known() && coordinate >= d.extent.value()) found.in_bounds = false;
    found.byte += coordinate * (k == 0 ? unit : d.stride.value());
    in_box /= count;
  }
  return found;
}

}  // namespace

statements elements_of(axe::copy_plan const& plan, axe::layout const& from, axe::layout const& to) {
  if (plan.instruction == axe::copy_instruction::tma) {
    bool const loads = plan.to_space == axe::memory_space::shared;
    return elements_of(plan.tensor, loads ? to : from, [&](integer x) {
      return axe::places(loads ? from : to, x).first()[axe::axis::m];
    });
  }
  statements out;
  int const bits = plan.bits / plan.packed;
  integer const first_thread = plan.access_partition.offset(plan.thread);
  std::vector<axe::drawing::copy_access> const all = axe::drawing::accesses_of(plan);
  explain::extents extents;
  for (axe::copy_mode const& m : plan.modes) extents.push_back(m.extent);
  for (integer const x : explain::three_of(plan.tile * plan.packed)) {
    axe::drawing::copy_access const a = all.at(static_cast<std::size_t>(x / plan.packed));
    std::vector<integer> const c = on_modes(plan, x / plan.packed);
    integer sum = 0;
    for (int k = 0; k < plan.modes.size(); ++k)
      sum += plan.modes[k].step * c[static_cast<std::size_t>(k)];
    bool holds = sum == x / plan.packed;
    // The place in a layout of the plan, which has no replicas, must be one of the element's places
    // in the operand.
    auto const same = [&](axe::layout const& own, bool by_element, axe::layout const& given) {
      if (by_element || plan.packed != 1 || axe::size(own) != explain::product_of(extents)) return;
      explain::some_points const planned = explain::places_of(own, explain::number_of(c, extents));
      axe::outcome<axe::layout> const joined =
          plan.thread == axe::axis::tid ? axe::try_to_tid(given) : given;
      explain::some_points const asked = explain::places_of(joined ? *joined : given, x);
      if (planned && asked)
        holds =
            holds && std::includes(asked->begin(), asked->end(), planned->begin(), planned->end());
    };
    same(plan.from, plan.from_by_element, from);
    same(plan.to, plan.to_by_element, to);
    out.push_back({element(x) + "  digits " + words(c) + " in the modes " + words(extents) +
                       ", by thread " + std::to_string(first_thread + a.thread) + ", access " +
                       std::to_string(a.issue) + ": from " + side(from, plan.from_space, x, bits) +
                       " to " + side(to, plan.to_space, x, bits),
                   holds});
  }
  return out;
}

statements elements_of(axe::tma_plan const& plan, axe::layout const& shared,
                       std::function<std::optional<integer>(integer)> const& global_of) {
  statements out;
  int const bits = axe::bits_of(plan.type);
  std::vector<axe::tma_box> const all = axe::drawing::boxes_of(plan);
  for (integer const x : explain::three_of(axe::size(shared))) {
    integer const byte = axe::places(shared, x).first()[axe::axis::m] * bits / 8;
    integer const box = axe::drawing::box_at(all, plan.box_bytes, byte);
    if (box < 0) {
      out.push_back({element(x) + " is in no box", false});
      continue;
    }
    axe::tma_box const& b = all[static_cast<std::size_t>(box)];
    std::optional<integer> const address = global_of(x);
    integer const wanted = address ? *address * bits / 8 : 0;
    global_byte const found = global_byte_of(plan, b, byte);
    out.push_back({element(x) + "  at byte " + std::to_string(byte) + " of shared memory, in box " +
                       std::to_string(box) + ": coordinates " +
                       words(std::vector<integer>(b.coordinates, b.coordinates + plan.rank())) +
                       ", bytes " + std::to_string(b.shared) + " to " +
                       std::to_string(b.shared + plan.box_bytes - 1) +
                       (address ? "; byte " + std::to_string(wanted) + " of global memory"
                                : "; past the end of the tensor"),
                   address ? found.byte == wanted : !found.in_bounds});
  }
  return out;
}

statements elements_of(axe::mma_plan const& plan, axe::mma_tile const& a, axe::mma_tile const& b,
                       axe::mma_tile const& c) {
  statements out;
  auto const add = [&](char const* name, axe::layout const& starts, axe::mma_tile const& tile,
                       integer rows, integer columns) {
    if (tile.space != axe::memory_space::registers) return;
    integer const last = axe::size(starts) - 1;
    explain::extents const at = explain::coordinate_of(last, {rows, columns});
    integer const first = axe::places(starts, last).first()[axe::axis::reg];
    axe::outcome<axe::element_range> const here =
        axe::try_elements(tile.where, tile.extents,
                          axe::place({0, axe::axis::lane}) + axe::term(first, axe::axis::reg));
    bool const found = here && !here->empty();
    out.push_back({std::string(name) + "  repetition " + words(at) + " begins at register " +
                       std::to_string(first) +
                       (found ? ", where lane 0 holds element " + text::printed((*here->begin()).at)
                              : ", where lane 0 holds nothing"),
                   found && last + 1 == rows * columns});
  };
  add("A", plan.a, a, plan.m_steps, plan.k_steps);
  add("B", plan.b, b, plan.k_steps, plan.n_steps);
  add("C", plan.c, c, plan.m_steps, plan.n_steps);
  auto const shared = [&](char const* name, axe::shared_operand_plan const& s,
                          axe::mma_tile const& tile, int bits, integer rows, integer columns) {
    if (tile.space != axe::memory_space::shared) return;
    integer const last = axe::size(s.starts) - 1;
    integer const start = axe::places(s.starts, last).first()[axe::axis::m];
    // The last instruction reads the last block of the tile, from its first element. The hardware
    // swizzles the address.
    axe::layout plain = tile.where;
    plain.swizzle = {};
    explain::extents const whole = explain::extents_of(tile.extents);
    explain::extents const at = {whole[0] / rows * (rows - 1), whole[1] / columns * (columns - 1)};
    integer const x = explain::number_of(at, whole);
    integer const byte = axe::places(plain, x).first()[axe::axis::m] * bits / 8;
    out.push_back({std::string(name) + "  the last of " + std::to_string(last + 1) +
                       " instructions reads from byte " + std::to_string(start) + ", element " +
                       words(at),
                   start == byte});
  };
  shared("A", plan.a_shared, a, axe::bits_of(plan.types.a), plan.m_steps, plan.k_steps);
  shared("B", plan.b_shared, b, axe::bits_of(plan.types.b), plan.k_steps, plan.n_steps);
  return out;
}

statements elements_of(axe::reduce_plan const& plan, axe::layout const& l, axe::shape const& tile,
                       axe::list<int, axe::capacity::shards> const& over) {
  statements out;
  explain::extents const whole = explain::extents_of(tile);
  explain::extents folded = whole;
  for (int const d : over) folded.at(static_cast<std::size_t>(d)) = 1;
  if (explain::product_of(folded) != axe::size(plan.result)) return out;
  for (integer const x : explain::three_of(axe::size(l))) {
    explain::extents const at = explain::coordinate_of(x, whole);
    explain::extents to = at;
    for (std::size_t d = 0; d < to.size(); ++d) to[d] = std::min(to[d], folded[d] - 1);
    explain::some_points const from = explain::places_of(l, x);
    explain::some_points const into =
        explain::places_of(plan.result, explain::number_of(to, folded));
    auto const threads = [](explain::points const& all) {
      explain::points kept;
      for (explain::point p : all) {
        p.erase(axe::axis::reg);
        kept.insert(p);
      }
      return kept;
    };
    bool holds = true;  // true if each thread with a part of the sum has the result
    for (explain::point const& p : from ? threads(*from) : explain::points())
      holds = holds && (!into || threads(*into).count(p) == 1);
    out.push_back({words(at) + "  in " + words(from, "many places") + " goes into the result " +
                       words(to) + " in " + words(into, "many places"),
                   holds});
  }
  return out;
}

}  // namespace program
