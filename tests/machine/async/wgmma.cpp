// Implements wgmma.mma_async, fence, commit_group and wait_group (PTX ISA, "Asynchronous Warpgroup
// Level Matrix Instructions"). tensor/wgmma.hpp computes the product and checks operands.
//
//     decoded operands: d registers, {a0..a3} or descriptor a, descriptor b, scale-d, imm-scale-a,
//     imm-scale-b, imm-trans-a (absent if A is in registers), imm-trans-b
#include "async/warpgroup.hpp"

#include <algorithm>
#include <bit>

#include "async/copies.hpp"
#include "check/history.hpp"
#include "check/registers.hpp"
#include "check/strict.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/tensor_memory.hpp"
#include "tensor/wgmma.hpp"

namespace machine {

block::block() = default;
block::~block() = default;
warp::warp() = default;
warp::~warp() = default;

warpgroup& warpgroup_of(warp& w) {
  auto& groups = w.home->warpgroups;
  std::size_t const number = w.number / 4;
  while (groups.size() <= number) groups.push_back(std::make_unique<warpgroup>());
  return *groups[number];
}

namespace {

using tensor::element;
using tensor::wgmma_instruction;

struct wgmma_row {
  wgmma_instruction what;
  bool has_scales = false;
  bool has_transposes = false;
};

std::vector<wgmma_row>& rows() {
  static std::vector<wgmma_row> list;
  return list;
}

/// Adds the values of the immediates to the decoded instruction. They are equal in all lanes.
wgmma_instruction complete(warp& w, instruction const& i, std::uint32_t const* immediates) {
  auto const& row = rows()[i.target];
  wgmma_instruction what = row.what;
  std::size_t at = 0;
  auto const next = [&] { return lanes_of<std::int32_t>(w, immediates[at++])[0]; };
  if (row.has_scales) {
    what.negate_a = next() == -1;
    what.negate_b = next() == -1;
  }
  if (row.has_transposes) {
    if (!what.a_in_registers) what.transpose_a = next() != 0;
    what.transpose_b = next() != 0;
  }
  return what;
}

void require_visible(warp& w, instruction const& i, tensor::matrix_descriptor const& d,
                     tensor::major order, element type, int rows_of_operand) {
  if (!w.run->check_written) return;
  std::byte const* const written = w.home->shared_written.get();
  tensor::for_each_chunk(
      d, order, type, rows_of_operand, [&](std::uint32_t address, int row, int k) {
        for (unsigned byte = 0; byte < 16; ++byte)
          if (written[address + byte] != std::byte{0xff}) {
            auto const sentence = [&] {
              return say(
                  "wgmma reads row ", row, ", k ", k, " at ", hexadecimal(address),
                  "; nothing has been written there, or a copy to it has not been waited for");
            };
            if (written[address + byte] == is_in_flight)
              fault(w, i, 0, trouble::never_written, address + byte, sentence());
            fault_or_warn(w, i, 0, trouble::never_written, address + byte, sentence);
            return;
          }
      });
}

/// Records that the matrix engine reads the operand. A warp knows of the read after it has waited.
/// In strict mode, also reports bytes that a tensor copy has written with another swizzle.
void track_operand(warp& w, instruction const& i, tensor::matrix_descriptor const& d,
                   tensor::major order, element type, int rows_of_operand) {
  if (w.home->history == nullptr) return;
  tensor::for_each_chunk(
      d, order, type, rows_of_operand, [&](std::uint32_t address, int row, int k) {
        track(w, i, 0, *w.home, address, 16, false, proxy::async, first_engine + w.number / 4);
        auto const loaded = w.home->history->swizzles[address / 16];
        if (w.run->options.strict && loaded != 0 && loaded - 1 != static_cast<int>(d.mode))
          fault_or_warn(w, i, 0, trouble::descriptor, address, [&] {
            return say("wgmma reads row ", row, ", k ", k, " at ", hexadecimal(address), " with ",
                       tensor::name_of(d.mode), "; a tensor copy has written it with ",
                       tensor::name_of(static_cast<tensor::swizzle>(loaded - 1)));
          });
      });
}

void require_legal(warp& w, instruction const& i, std::uint64_t bits, tensor::major order,
                   element type, int rows_of_operand, char const* which) {
  auto const problem =
      tensor::refuse_descriptor(bits, order, type, rows_of_operand, w.home->shared_end);
  if (problem)
    fault(w, i, 0, trouble::descriptor, bits,
          say("descriptor of ", which, ' ', hexadecimal(bits), ": ", *problem));
}

/// Overlapping parts of an operand are legal, but almost always mean a wrong offset.
void require_disjoint(warp& w, instruction const& i, tensor::matrix_descriptor const& d,
                      tensor::major order, element type, int rows_of_operand, char const* which) {
  if (!w.run->options.strict) return;
  if (auto const overlap = tensor::overlap_of(d, order, type, rows_of_operand))
    fault_or_warn(w, i, 0, trouble::descriptor, d.start,
                  [&] { return say("operand ", which, ": ", *overlap); });
}

/// Computes a product that all four warps have issued. `w` is one of these warps; it selects the
/// block, and error reports name it.
void execute(warp& w, matrix_operation& operation) {
  instruction const& i = *operation.what;
  auto const& row = rows()[i.target];
  auto const count = static_cast<std::size_t>(tensor::accumulators_of(row.what));
  auto const* const list = i.operands().data();
  std::size_t const a_operands = row.what.a_in_registers ? 4 : 1;
  auto const what = complete(w, i, list + count + a_operands + 2);
  if (auto const* problem = tensor::refuse_wgmma(what))
    fault(w, i, 0, trouble::descriptor, 0, problem);
  std::span<std::byte const> const shared(w.home->shared.get(), w.home->shared_end);
  static thread_local tensor::operand_rows a, b;
  if (what.a_in_registers) {
    std::array<std::array<std::uint32_t*, 4>, 4> pointers;
    tensor::warpgroup_registers registers{};
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t r = 0; r < 4; ++r) pointers[k][r] = operation.a[k][r].data();
      registers.of[k] = pointers[k].data();
    }
    tensor::read_registers(registers, a);
  } else {
    auto const order = what.transpose_a ? tensor::major::mn : tensor::major::k;
    require_legal(w, i, operation.descriptor_a, order, what.a, 64, "A");
    auto const d = tensor::decode_descriptor(operation.descriptor_a);
    require_visible(w, i, d, order, what.a, 64);
    track_operand(w, i, d, order, what.a, 64);
    require_disjoint(w, i, d, order, what.a, 64, "A");
    tensor::read_operand(d, order, what.a, 64, shared, a);
  }
  auto const order = what.transpose_b ? tensor::major::mn : tensor::major::k;
  require_legal(w, i, operation.descriptor_b, order, what.b, what.n, "B");
  auto const d = tensor::decode_descriptor(operation.descriptor_b);
  require_visible(w, i, d, order, what.b, what.n);
  track_operand(w, i, d, order, what.b, what.n);
  require_disjoint(w, i, d, order, what.b, what.n, "B");
  tensor::read_operand(d, order, what.b, what.n, shared, b);
  tensor::warpgroup_registers accumulators{};
  for (std::size_t k = 0; k < 4; ++k) accumulators.of[k] = operation.accumulators[k].data();
  tensor::wgmma(what, a, b, accumulators, operation.scale_d);
  operation.clock = engine_finishes(w);
  operation.done = true;
}

/// Reads a matrix descriptor, which the lanes of a warp and the warps of a warpgroup share.
void read_descriptor(warp& w, instruction const& i, std::uint32_t offset, char const* name,
                     bool first_warp, std::uint64_t& descriptor) {
  auto const* const values = lanes_of<std::uint64_t>(w, offset);
  for (unsigned lane = 1; lane < 32; ++lane)
    if (values[lane] != values[0])
      fault(w, i, lane, trouble::descriptor, values[lane],
            say("the lanes have different descriptors of ", name));
  if (!first_warp && values[0] != descriptor)
    fault(w, i, 0, trouble::descriptor, values[0],
          say("the warps of a warpgroup have different descriptors of ", name));
  descriptor = values[0];
}

/// Executes the products that all four warps have issued, in order, because products add to the
/// same accumulators.
void execute_issued(warp& w, warpgroup& group) {
  for (auto& each : group.operations) {
    if (each.issued != 15) break;
    if (!each.done) execute(w, each);
  }
}

void issue(warp& w, instruction const& i, std::uint32_t mask) {
  if (mask != all_lanes)
    fault(w, i, static_cast<unsigned>(std::countr_zero(~mask)), trouble::members, 0,
          "wgmma needs all 32 lanes of a warp");
  auto& group = warpgroup_of(w);
  unsigned const member = w.number % 4;
  auto const& row = rows()[i.target];
  auto const count = static_cast<std::size_t>(tensor::accumulators_of(row.what));
  auto const* const list = i.operands().data();
  if (4 * (w.number / 4) + 4 > w.home->warps.size())
    fault(w, i, 0, trouble::members, 0, "wgmma in a warp whose warpgroup is not complete");
  std::uint64_t const number = group.issued[member]++;
  use_registers(w, i, number + 1);
  if (number - group.first >= group.operations.size()) group.operations.emplace_back();
  auto& operation = group.operations[number - group.first];
  if (operation.what != nullptr && operation.what != &i)
    fault(w, i, 0, trouble::members, 0,
          "the warps of a warpgroup execute different wgmma instructions");
  operation.what = &i;
  for (std::size_t r = 0; r < count; ++r)
    operation.accumulators[member].push_back(lanes_of<std::uint32_t>(w, list[r]));
  std::size_t at = count;
  bool const first_warp = operation.issued == 0;
  if (row.what.a_in_registers) {
    for (std::size_t r = 0; r < 4; ++r)
      std::copy_n(lanes_of<std::uint32_t>(w, list[at + r]), 32, operation.a[member][r].begin());
    at += 4;
  } else {
    read_descriptor(w, i, list[at++], "A", first_warp, operation.descriptor_a);
  }
  read_descriptor(w, i, list[at++], "B", first_warp, operation.descriptor_b);
  std::uint32_t const scale = predicate_of(w, list[at]);
  if (scale != 0 && scale != all_lanes)
    fault(w, i, 0, trouble::members, 0, "scale-d differs between the lanes");
  if (!first_warp && (scale != 0) != operation.scale_d)
    fault(w, i, 0, trouble::members, 0, "scale-d differs between the warps");
  operation.scale_d = scale != 0;
  operation.issued |= 1u << member;
  learn_together(w, operation.known, operation.heard, first_warp);
  if (operation.issued != 15) return;
  engine_learns(w, operation.known, operation.heard);
  ++w.home->home->progress;
  if (lands_now(*w.run)) execute_issued(w, group);
}

void commit(warp& w, instruction const&, std::uint32_t) {
  auto& group = warpgroup_of(w);
  unsigned const member = w.number % 4;
  group.commits[member].push_back(group.issued[member]);
}

void wait_group(warp& w, instruction const& i, std::uint32_t) {
  auto& group = warpgroup_of(w);
  unsigned const member = w.number % 4;
  auto& commits = group.commits[member];
  auto const leave = static_cast<std::size_t>(i.offset);
  if (commits.size() <= leave) return;
  // Operations below this number must have completed after the wait.
  std::uint64_t const needed = commits[commits.size() - leave - 1];
  for (std::uint64_t number = group.first; number < needed; ++number)
    if (group.operations[number - group.first].issued != 15) {
      w.retry = true;
      return;
    }
  for (std::uint64_t number = group.first; number < needed; ++number) {
    auto& each = group.operations[number - group.first];
    if (!each.done) execute(w, each);
    engine_waited_for(w, each.clock);
  }
  commits.erase(commits.begin(), commits.end() - static_cast<std::ptrdiff_t>(leave));
  group.waited[member] = std::max(group.waited[member], needed);
  std::uint64_t const oldest = *std::min_element(group.waited.begin(), group.waited.end());
  while (!group.operations.empty() && group.operations.front().done && group.first < oldest) {
    group.operations.pop_front();
    ++group.first;
  }
  ++w.home->home->progress;
}

void fence(warp& w, instruction const&, std::uint32_t) { fence_registers(w); }

void add_row(opcode_table& table, wgmma_instruction const& what, std::string const& name,
             bool floating, bool transposable) {
  auto const count = tensor::accumulators_of(what);
  std::string signature = std::string(what.d == element::f32 ? "f" : "w") + std::to_string(count) +
                          "=" + (what.a_in_registers ? "w4" : "l") + "lp";
  if (floating) signature += "ww";
  if (transposable) signature += what.a_in_registers ? "w" : "ww";
  table_row row{name + (what.a_in_registers ? ".a_in_registers" : ""), signature, &issue,
                control::member, true};
  row.payload = static_cast<std::uint32_t>(rows().size());
  rows().push_back({what, floating, transposable});
  table.add(std::move(row));
}

}  // namespace

std::size_t registers_used(instruction const& i) {
  auto const& row = rows()[i.target];
  return static_cast<std::size_t>(tensor::accumulators_of(row.what)) +
         (row.what.a_in_registers ? 4 : 0);
}

void add_wgmma(opcode_table& table) {
  using enum element;
  element const kinds[] = {f16, bf16, tf32, e4m3, e5m2, s8, u8, b1};
  for (auto const d : {f32, f16, s32})
    for (auto const a : kinds)
      for (auto const b : kinds)
        for (bool const in_registers : {false, true})
          for (int n = 8; n <= 256; n += 8) {
            wgmma_instruction what{.n = n, .d = d, .a = a, .b = b, .a_in_registers = in_registers};
            if (tensor::refuse_wgmma(what) != nullptr) continue;
            bool const integer = d == s32;
            std::string const name = say("wgmma.mma_async.sync.aligned.m64n", n, "k",
                                         tensor::k_of(what), '.', tensor::name_of(d));
            std::string const types = say('.', tensor::name_of(a), '.', tensor::name_of(b));
            bool const transposable = a == f16 || a == bf16;
            if (a == b1) {
              add_row(table, what, name + types + ".and.popc", false, false);
              continue;
            }
            add_row(table, what, name + types, !integer, transposable);
            if (integer) {
              what.satfinite = true;
              add_row(table, what, name + ".satfinite" + types, false, false);
            }
          }
  table.add({"wgmma.fence.sync.aligned", "=", &fence, control::member, true});
  table.add({"wgmma.commit_group.sync.aligned", "=", &commit, control::member, true});
  table.add({"wgmma.wait_group.sync.aligned", "=i", &wait_group, control::blocking, true});
}

}  // namespace machine
