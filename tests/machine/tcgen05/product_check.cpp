// Checks a tcgen05.mma when it is issued: its places in tensor memory are valid, and its operands
// have been written, waited for, fenced and ordered.
#include <algorithm>

#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/pipeline.hpp"
#include "tcgen05/product.hpp"
#include "tensor/tcgen05_chunks.hpp"
#include "tensor/tcgen05_sparse.hpp"

namespace machine {
namespace {

using tensor::major;

bool is_half(product const& it) {
  return it.what.pair == 1 && it.what.m == 64 && !it.what.is_weight_stationary;
}

std::uint32_t width_of_d(product const& it) {
  return static_cast<std::uint32_t>(tensor::columns_of(it.what));
}

void require_first_lane(warp& w, instruction const& i, unsigned lane, product const& it,
                        char const* which, std::uint32_t first) {
  if (first == 0 || (is_half(it) && first == 16)) return;
  fault(w, i, lane, trouble::misaligned, first << 16,
        say(which, " begins at lane ", first, "; with M ", it.what.m, " it must begin at lane 0",
            is_half(it) ? " or 16" : ""));
}

struct tensor_part {
  char const* name;
  std::uint32_t first, width;
};

void require_apart(warp& w, instruction const& i, unsigned lane, tensor_part const& a,
                   tensor_part const& b) {
  if (a.first >= b.first + b.width || b.first >= a.first + a.width) return;
  fault(w, i, lane, trouble::descriptor, a.first,
        say("columns ", a.first, " to ", a.first + a.width - 1, " of ", a.name, " are columns of ",
            b.name, ", which has ", b.width, " from ", b.first));
}

tensor_part scales_of_a(product const& it) {
  auto const rows = static_cast<std::uint32_t>(tensor::rows_of_block(it.what));
  return {"the scales of A", it.a_scales, (rows + 31) / 32};
}
tensor_part scales_of_b(product const& it) {
  return {"the scales of B", it.b_scales, (static_cast<std::uint32_t>(it.what.n) + 31) / 32};
}

void check_scale_places(warp& w, instruction const& i, unsigned lane, product const& it) {
  for (auto const& scales : {scales_of_a(it), scales_of_b(it)}) {
    for (auto* each : it.blocks) require_columns(w, i, *each, scales.first, scales.width);
    require_apart(w, i, lane, scales, {"D", it.d_place.column, width_of_d(it)});
    if (it.a_in_tensor_memory) require_apart(w, i, lane, scales, {"A", it.a_place.column, 8});
  }
}

tensor_part metadata_of(product const& it) {
  return {"the metadata of A", it.metadata,
          static_cast<std::uint32_t>(tensor::columns_of_metadata(it.what))};
}

void check_metadata_place(warp& w, instruction const& i, unsigned lane, product const& it) {
  auto const metadata = metadata_of(it);
  for (auto* each : it.blocks) require_columns(w, i, *each, metadata.first, metadata.width);
  require_apart(w, i, lane, metadata, {"D", it.d_place.column, width_of_d(it)});
  if (it.a_in_tensor_memory) require_apart(w, i, lane, metadata, {"A", it.a_place.column, 8});
}

void check_places(warp& w, instruction const& i, unsigned lane, product const& it) {
  std::uint32_t const width = width_of_d(it);
  require_first_lane(w, i, lane, it, "D", it.d_place.lane);
  for (auto* each : it.blocks) require_columns(w, i, *each, it.d_place.column, width);
  if (it.what.scales != 0) check_scale_places(w, i, lane, it);
  if (it.what.is_sparse) check_metadata_place(w, i, lane, it);
  if (!it.a_in_tensor_memory) return;
  require_first_lane(w, i, lane, it, "A", it.a_place.lane);
  if (it.what.a_order == major::mn)
    fault(w, i, lane, trouble::descriptor, 0, "A in tensor memory is MN-major; it must be K-major");
  for (auto* each : it.blocks) require_columns(w, i, *each, it.a_place.column, 8);
  require_apart(w, i, lane, {"A", it.a_place.column, 8}, {"D", it.d_place.column, width});
}

/// An operand in shared memory. The descriptor reaches `rows` rows in each block.
struct shared_operand {
  tensor::operand_descriptor const& from;
  major order;
  tensor::mma_element type;
  int rows;
  char const* which;
  int chunks = 2;  // of a row
};

/// Returns how many of the 16 bytes of a chunk are data. Elements of 4 and 6 bits fill only the
/// start.
std::uint32_t data_of_chunk(tensor::mma_element type) {
  using enum tensor::mma_element;
  return type == e2m1 ? 8 : type == e2m3 || type == e3m2 ? 12 : 16;
}

/// Overlapping parts of an operand are legal, but nearly always mean a wrong offset.
void require_disjoint(warp& w, instruction const& i, shared_operand const& it,
                      tensor::operand_chunks const& chunks) {
  int const repeated = chunks.first_repeated;
  if (!w.run->options.strict || repeated < 0) return;
  std::uint32_t const address = chunks.addresses[static_cast<std::size_t>(repeated)];
  fault_or_warn(w, i, 0, trouble::descriptor, address, [&] {
    return say("row ", chunks.row_of(repeated), ", k ", chunks.k_of(repeated), " of ", it.which,
               " is not the only one in its 16 bytes at ", hexadecimal(address));
  });
}

void check_shared(warp& w, instruction const& i, tensor_blocks const& blocks,
                  shared_operand const& it) {
  auto const chunks = tensor::chunks_of(it.from, it.order, it.type, it.rows, it.chunks);
  require_disjoint(w, i, it, *chunks);
  auto const which = [&](std::uint32_t address) {
    int const chunk = chunks->chunk_at(address);
    return say("row ", chunks->row_of(chunk), ", k ", chunks->k_of(chunk), " of ", it.which);
  };
  std::uint32_t const data = data_of_chunk(it.type);
  for (auto* owner : blocks)
    if (data < 16)
      for (auto const address : chunks->addresses)
        read_by_tensor_core(w, i, *owner, address, data, which);
    else
      for (auto const& run : chunks->runs)
        read_by_tensor_core(w, i, *owner, run.begin, run.bytes, which);
}

/// Returns a number for the place, the shape and the kind of D. Products with the same number
/// execute in order.
std::uint16_t accumulator_of(product const& it) {
  auto const& what = it.what;
  auto const n = static_cast<std::uint32_t>(what.n), m = static_cast<std::uint32_t>(what.m);
  std::uint32_t const form = m / 32 + it.d_place.lane / 16 * 16 +
                             (what.is_weight_stationary ? 64 : 0) + (what.is_sparse ? 128 : 0);
  std::uint32_t const shape = n / 8 + 33 * form;
  return static_cast<std::uint16_t>(
      1 +
      (it.d_place.column + 512 * shape + 20011 * static_cast<std::uint32_t>(what.kind)) % 65521);
}

/// Calls visit(first of 16 lanes) for all lanes that hold the rows of a block.
template <class Visit> void for_each_group(product const& it, std::uint32_t first, Visit visit) {
  auto const& what = it.what;
  for (int fold = 0; fold < tensor::folds_of(what); ++fold)
    for (int row = 0; row < tensor::rows_of_block(what); row += granule_lanes)
      visit(first + static_cast<std::uint32_t>(tensor::lane_of_row(what, row) +
                                               fold * tensor::lanes_of_fold(what)));
}

/// Checks that the lanes with the scales of `rows` rows have been written and are ordered.
void check_scales(warp& w, instruction const& i, block& owner, tensor_part const& scales, int rows,
                  tensor_access const& access) {
  for (std::uint32_t lane = 0; lane < tensor_lanes; lane += granule_lanes)
    for (std::uint32_t c = 0; c < scales.width; ++c) {
      int const here = std::min(rows - static_cast<int>(32 * c + lane % 32), 16);
      if (here <= 0) continue;
      auto const& at = owner.tensor->granule(lane, scales.first + c);
      auto const needed = static_cast<std::uint16_t>((1u << here) - 1);
      if ((at.written & needed) != needed) require_tensor_written(w, i, at, lane, scales.first + c);
      track_tensor(w, i, owner, lane, scales.first + c, false, access);
    }
}

void check_tensor(warp& w, instruction const& i, product const& it, unsigned number,
                  tensor_access const& access) {
  block& owner = *it.blocks.of[number];
  auto& memory = *owner.tensor;
  if (it.a_in_tensor_memory)
    for (std::uint32_t column = it.a_place.column; column < it.a_place.column + 8; ++column)
      for_each_group(it, it.a_place.lane, [&](std::uint32_t lane) {
        auto& at = memory.granule(lane, column);
        require_tensor_written(w, i, at, lane, column);
        track_tensor(w, i, owner, lane, column, it.shifts_a, access);
        // The ISA leaves open whether tensor memory itself changes, so nothing may read it.
        if (it.shifts_a) at.written = 0;
      });
  if (it.what.scales != 0) {
    check_scales(w, i, owner, scales_of_a(it), tensor::rows_of_block(it.what), access);
    check_scales(w, i, owner, scales_of_b(it), it.what.n, access);
  }
  if (it.what.is_sparse)
    for (std::uint32_t c = it.metadata; c < it.metadata + metadata_of(it).width; ++c)
      for (std::uint32_t lane = 0; lane < tensor_lanes; lane += granule_lanes) {
        require_tensor_written(w, i, memory.granule(lane, c), lane, c);
        track_tensor(w, i, owner, lane, c, false, access);
      }
  std::uint32_t const end = it.d_place.column + width_of_d(it);
  for (std::uint32_t column = it.d_place.column; column < end; ++column)
    for_each_group(it, it.d_place.lane, [&](std::uint32_t lane) {
      auto const kept = static_cast<std::uint16_t>(it.kept[4 * number + lane / 32] >> lane % 32);
      if (kept == 0xffff) return;
      auto& at = memory.granule(lane, column);
      if (it.accumulate && kept == 0) require_tensor_written(w, i, at, lane, column);
      track_tensor(w, i, owner, lane, column, true, access);
      at.written |= static_cast<std::uint16_t>(~kept);
    });
}

/// True if the product writes all of D.
bool is_whole(product const& it) {
  return std::all_of(it.kept.begin(), it.kept.end(), [](auto word) { return word == 0; });
}

/// True if the product adds to all of D and touches nothing else in tensor memory, as the steps of
/// a mainloop do. Such a product needs no check if the previous step was the last access to tensor
/// memory.
bool follows_alone(product const& it) {
  return it.accumulate && !it.a_in_tensor_memory && it.what.scales == 0 && !it.what.is_sparse &&
         is_whole(it);
}

/// A key that is equal for products with the same D.
std::array<std::uint32_t, 6> key_of(product const& it) {
  return {it.d_place.lane << 16 | it.d_place.column,
          static_cast<std::uint32_t>(it.what.m),
          static_cast<std::uint32_t>(it.what.n),
          static_cast<std::uint32_t>(it.what.kind),
          static_cast<std::uint32_t>(it.what.pair) * 2 + (it.what.is_weight_stationary ? 1 : 0),
          it.what.is_sparse ? 2u : 1u};
}

std::uint64_t accesses_of(product const& it) {
  std::uint64_t sum = 0;
  for (auto const* each : it.blocks) sum += each->tensor->touched;
  return sum;
}

}  // namespace

void check_product(warp& w, instruction const& i, unsigned lane, product const& it) {
  check_places(w, i, lane, it);
  begin_tensor_issue(w);
  auto const& what = it.what;
  if (!it.a_in_tensor_memory)
    check_shared(w, i, it.blocks, {it.a, what.a_order, what.a, tensor::rows_of_block(what), "A"});
  check_shared(w, i, it.blocks,
               {it.b, what.b_order, what.b, what.n / what.pair, "B", tensor::chunks_of_b(what)});
  auto const access = begin_tensor_access(w, i, tensor_agent::mma, accumulator_of(it));
  auto& memory = *w.home->tensor;
  auto const key = key_of(it);
  if (follows_alone(it) && key == memory.last_product && accesses_of(it) == memory.touched_then)
    return track_next_product(w, access);
  for (unsigned k = 0; k < it.blocks.count; ++k) check_tensor(w, i, it, k, access);
  memory.last_product = is_whole(it) ? key : std::array<std::uint32_t, 6>{};
  memory.touched_then = accesses_of(it);
}

}  // namespace machine
