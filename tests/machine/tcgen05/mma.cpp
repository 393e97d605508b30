// tcgen05.mma of one CTA (PTX ISA, "tcgen05.mma").
//
//     tcgen05.mma.cta_group::1.kind::f16 [d], a-desc, b-desc, idesc, enable-input-d
//     tcgen05.mma.cta_group::1.kind::tf32 [d], [a], b-desc, idesc, {lanes that keep D}, enable-input-d, scale
//
// Each lane that executes it issues one. Everything is checked when it is issued; what it computes
// lands in the order of issue (tcgen05/pipeline.hpp). Descriptors are
// tensor/tcgen05_descriptor.hpp, the product tensor/tcgen05_product.hpp.
#include <bit>

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/pipeline.hpp"
#include "tensor/tcgen05_product.hpp"

namespace machine {
namespace {

using tensor::major;
using tensor::mma_instruction;
using tensor::mma_kind;

struct mma_row {
  mma_kind kind;
  bool a_in_tensor_memory = false, keeps_lanes = false;
};

std::vector<mma_row>& rows() {
  static std::vector<mma_row> list;
  return list;
}

/// One product, with everything it needs once it lands.
struct product {
  mma_instruction what;
  tensor::operand_descriptor a, b;
  bool a_in_tensor_memory = false;
  tensor_place a_place, d_place;
  bool accumulate = false;
  int scale = 0;
  std::array<std::uint32_t, 4> kept{};
};

tensor_place place(std::uint32_t address) { return {address >> 16, address & 0xffffu}; }

/// Reads the operands of one lane.
product decode(warp& w, instruction const& i, unsigned lane) {
  auto const& row = rows()[i.target];
  auto const* const list = i.many != nullptr ? i.many : i.at;
  auto const word = [&](std::size_t at) { return lanes_of<std::uint32_t>(w, list[at])[lane]; };
  product made;
  made.d_place = place(word(0) + static_cast<std::uint32_t>(i.offset));
  if (auto const problem = tensor::decode_mma(word(3), row.kind, 1, made.what); !problem.empty())
    fault(w, i, lane, trouble::descriptor, word(3), problem);
  auto const shared = [&](std::size_t at, major order, tensor::mma_element type, int count,
                          char const* which, tensor::operand_descriptor& out) {
    std::uint64_t const bits = lanes_of<std::uint64_t>(w, list[at])[lane];
    auto const problem = tensor::decode_operand(bits, order, type, count, w.home->shared_end, out);
    if (!problem.empty())
      fault(w, i, lane, trouble::descriptor, bits,
            say("descriptor of ", which, ' ', hexadecimal(bits), ": ", problem));
  };
  made.a_in_tensor_memory = row.a_in_tensor_memory;
  if (row.a_in_tensor_memory)
    made.a_place = place(word(1));
  else
    shared(1, made.what.a_order, made.what.a, made.what.m, "A", made.a);
  shared(2, made.what.b_order, made.what.b, made.what.n, "B", made.b);
  std::size_t at = 4;
  if (row.keeps_lanes)
    for (auto& each : made.kept) each = word(at++);
  made.accumulate = (predicate_of(w, list[at++]) >> lane & 1u) != 0;
  made.scale = lanes_of<std::int32_t>(w, list[at])[lane];
  bool const may_scale = row.kind == mma_kind::f16 || row.kind == mma_kind::tf32;
  if (made.scale < 0 || made.scale > 15 || (made.scale != 0 && !may_scale))
    fault(w, i, lane, trouble::descriptor, 0,
          say("scale-input-d is ", made.scale, "; 0 to 15 are possible, of kinds f16 and tf32"));
  return made;
}

void check_places(warp& w, instruction const& i, unsigned lane, product const& it) {
  auto const n = static_cast<std::uint32_t>(it.what.n);
  bool const half = it.what.m == 64;
  if (it.d_place.lane != 0 && !(half && it.d_place.lane == 16))
    fault(w, i, lane, trouble::misaligned, it.d_place.lane << 16,
          say("D begins at lane ", it.d_place.lane, "; M ", it.what.m, " begins at lane 0",
              half ? " or 16" : ""));
  require_columns(w, i, *w.home, it.d_place.column, n);
  if (!it.a_in_tensor_memory) return;
  if (it.a_place.lane != 0)
    fault(w, i, lane, trouble::misaligned, it.a_place.lane << 16,
          say("A begins at lane ", it.a_place.lane, " of tensor memory, not at lane 0"));
  if (it.what.a_order == major::mn)
    fault(w, i, lane, trouble::descriptor, 0, "A in tensor memory is MN-major; it must be K-major");
  require_columns(w, i, *w.home, it.a_place.column, 8);
  if (it.a_place.column < it.d_place.column + n && it.d_place.column < it.a_place.column + 8)
    fault(w, i, lane, trouble::descriptor, it.a_place.column,
          say("columns ", it.a_place.column, " to ", it.a_place.column + 7,
              " of A are columns of D, which has ", n, " from ", it.d_place.column));
}

/// Legal, and nearly always a wrong offset.
void require_disjoint(warp& w, instruction const& i, tensor::operand_descriptor const& from,
                      major order, tensor::mma_element type, int count, char const* which) {
  if (!w.run->options.strict) return;
  static thread_local std::vector<std::uint8_t> seen;
  seen.assign(w.home->shared_end / 16 + 1, 0);
  tensor::for_each_chunk(from, order, type, count, [&](std::uint32_t address, int row, int k) {
    if (seen[address / 16]++ != 1) return;
    fault_or_warn(w, i, 0, trouble::descriptor, address, [&] {
      return say("row ", row, ", k ", k, " of ", which, " is not the only one in its 16 bytes at ",
                 hexadecimal(address));
    });
  });
}

/// What a product reads of shared memory has been written, waited for and fenced.
void check_shared(warp& w, instruction const& i, tensor::operand_descriptor const& from,
                  major order, tensor::mma_element type, int count, char const* which) {
  require_disjoint(w, i, from, order, type, count, which);
  tensor::for_each_chunk(from, order, type, count, [&](std::uint32_t address, int row, int k) {
    read_by_tensor_core(w, i, address, [&] { return say("row ", row, ", k ", k, " of ", which); });
  });
}

std::uint16_t kept_of_granule(product const& it, std::uint32_t lane) {
  return static_cast<std::uint16_t>(it.kept[lane / 32] >> lane % 32);
}

void check_tensor(warp& w, instruction const& i, product const& it) {
  auto& memory = tensor_memory_of(*w.home);
  auto const n = static_cast<std::uint32_t>(it.what.n);
  // Products with one accumulator follow each other: its place, its shape and its kind.
  auto const accumulator = static_cast<std::uint16_t>(
      1 +
      (it.d_place.column + 512 * (n / 8 + 33 * (it.what.m == 64 ? 1 + it.d_place.lane / 16 : 0)) +
       20011 * static_cast<std::uint32_t>(it.what.kind)) %
          65521);
  auto const access = begin_tensor_access(w, i, tensor_agent::mma, accumulator);
  if (it.a_in_tensor_memory)
    for (std::uint32_t column = it.a_place.column; column < it.a_place.column + 8; ++column)
      for (std::uint32_t lane = 0; lane < tensor_lanes; lane += granule_lanes) {
        if (it.what.m == 64 && lane >= 64) continue;
        require_tensor_written(w, i, memory.granule(lane, column), lane, column);
        track_tensor(w, i, *w.home, lane, column, false, access);
      }
  for (std::uint32_t column = it.d_place.column; column < it.d_place.column + n; ++column)
    for (int row = 0; row < it.what.m; row += granule_lanes) {
      auto const lane =
          it.d_place.lane + static_cast<std::uint32_t>(tensor::lane_of_row(it.what, row));
      std::uint16_t const kept = kept_of_granule(it, lane);
      if (kept == 0xffff) continue;
      auto& at = memory.granule(lane, column);
      if (it.accumulate && kept == 0) require_tensor_written(w, i, at, lane, column);
      track_tensor(w, i, *w.home, lane, column, true, access);
      at.written |= static_cast<std::uint16_t>(~kept);
    }
}

void land(block& home, product const& it) {
  static thread_local tensor::operand_floats a, b;
  std::span<std::byte const> const shared(home.shared.get(), home.shared_end);
  auto& words = home.tensor->words;
  auto const column = [&](tensor_place at) {
    return words.data() + std::size_t{at.column} * tensor_lanes;
  };
  if (it.a_in_tensor_memory)
    tensor::read_tensor_operand(it.what.a, it.what.negate_a, it.what.m, column(it.a_place), a);
  else
    tensor::read_operand(it.a, it.what.a_order, it.what.a, it.what.negate_a, it.what.m, shared,
                         true, a);
  tensor::read_operand(it.b, it.what.b_order, it.what.b, it.what.negate_b, it.what.n, shared, false,
                       b);
  tensor::multiply(
      it.what, a, b,
      {column(it.d_place), static_cast<int>(it.d_place.lane), it.accumulate, it.scale, it.kept});
}

void multiply(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    require_group(w, i, lane, 1);
    auto const it = decode(w, i, lane);
    check_places(w, i, lane, it);
    begin_tensor_issue(w);
    if (!it.a_in_tensor_memory)
      check_shared(w, i, it.a, it.what.a_order, it.what.a, it.what.m, "A");
    check_shared(w, i, it.b, it.what.b_order, it.what.b, it.what.n, "B");
    check_tensor(w, i, it);
    issue_tensor(w, [home = w.home, it] { land(*home, it); });
  });
}

}  // namespace

void add_tensor_products(opcode_table& table) {
  for (auto const kind : {mma_kind::f16, mma_kind::tf32, mma_kind::f8f6f4, mma_kind::i8})
    for (bool const in_tensor_memory : {false, true})
      for (bool const keeps_lanes : {false, true}) {
        table_row row{
            say("tcgen05.mma.cta_group::1.kind::", tensor::name_of(kind),
                in_tensor_memory ? ".a_in_tensor_memory" : "", keeps_lanes ? ".some_lanes" : ""),
            std::string("=S") + (in_tensor_memory ? "S" : "l") + "lw" + (keeps_lanes ? "w4" : "") +
                "p?w",
            &multiply};
        row.payload = static_cast<std::uint32_t>(rows().size());
        rows().push_back({kind, in_tensor_memory, keeps_lanes});
        table.add(std::move(row));
      }
}

}  // namespace machine
