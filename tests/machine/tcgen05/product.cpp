#include "tcgen05/product.hpp"

#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tensor/tcgen05_sparse.hpp"

#include <algorithm>

namespace machine {

using tensor::major;
using tensor::mma_kind;

namespace {

tensor_place at_address(std::uint32_t address) { return {address >> 16, address & 0xffffu}; }

/// Returns the first column of scale factors. Bits 31-30 of the address, where CUTLASS leaves the
/// number of the first scale's byte, must be 0 or equal the byte in the instruction descriptor.
std::uint32_t scale_column(warp& w, instruction const& i, unsigned lane, std::uint32_t address,
                           int part, char const* which) {
  std::uint32_t const first = address >> 16 & 0x3fffu, named = address >> 30;
  if (first != 0)
    fault(
        w, i, lane, trouble::misaligned, address,
        say("the scales of ", which, " begin at lane ", first, " of tensor memory, not at lane 0"));
  if (named != 0 && named != static_cast<std::uint32_t>(part))
    fault(w, i, lane, trouble::descriptor, address,
          say("the address of the scales of ", which, " names byte ", named,
              " of their word, but the instruction descriptor names byte ", part));
  return address & 0xffffu;
}

/// Reads the scales of `rows` rows of one block. All groups of lanes must hold the same scales.
void read_scales(warp& w, instruction const& i, product const& it, block& home, bool of_a,
                 tensor::operand_scales& out) {
  std::uint32_t const first = of_a ? it.a_scales : it.b_scales;
  int const rows = of_a ? tensor::rows_of_block(it.what) : it.what.n;
  auto const* const words = home.tensor->words.data() + std::size_t{first} * tensor_lanes;
  if (int const lane = tensor::differing_scale(words, rows); lane >= 0)
    fault(w, i, 0, trouble::descriptor, first,
          say("lane ", lane, " of the scales of ", of_a ? "A" : "B", " differs from lane ",
              lane % 32, "; all four groups of 32 lanes must hold the same scales"));
  tensor::read_scales(it.what, of_a ? it.what.a_part : it.what.b_part, words, rows, out);
}

/// Returns the column of the metadata. For f16 and tf32 the address names two columns, and the
/// selector chooses one of them.
std::uint32_t metadata_column(warp& w, instruction const& i, unsigned lane, std::uint32_t address,
                              tensor::mma_instruction const& what) {
  std::uint32_t const column = address & 0xffffu;
  bool const is_selected = tensor::columns_of_metadata(what) == 1;
  if (address >> 16 != 0 || (is_selected && column % 2 != 0))
    fault(w, i, lane, trouble::misaligned, address,
          say("the metadata of A begins at lane ", address >> 16, ", column ", column,
              "; it must be lane 0", is_selected ? " and an even column" : ""));
  return column + static_cast<std::uint32_t>(what.selector);
}

/// Expands the stored elements of a sparse A to full rows, with zeros between them.
void expand(warp& w, instruction const& i, product const& it, block& home,
            tensor::operand_floats& a) {
  static thread_local tensor::stored_positions at;
  auto const* const words = home.tensor->words.data() + std::size_t{it.metadata} * tensor_lanes;
  auto const problem = tensor::read_metadata(it.what, words, at);
  if (!problem.empty()) fault(w, i, 0, trouble::descriptor, it.metadata, problem);
  tensor::expand(it.what, at, a);
}

}  // namespace

/// Reads the instruction descriptor of a product into `what`.
void decode_instruction(warp& w, instruction const& i, unsigned lane, product_row const& row,
                        std::uint32_t bits, tensor::mma_instruction& what) {
  auto const pair = static_cast<int>(row.group);
  auto const problem = row.is_weight_stationary
                           ? tensor::decode_stationary_mma(bits, row.kind, what)
                       : row.is_sparse ? tensor::decode_sparse_mma(bits, row.kind, pair, what)
                                       : tensor::decode_mma(bits, row.kind, pair, what, row.scales);
  if (!problem.empty()) fault(w, i, lane, trouble::descriptor, bits, problem);
  if (row.shifts_a && what.m < 128)
    fault(w, i, lane, trouble::descriptor, bits,
          say("M is ", what.m, "; .ashift needs 128 or 256"));
}

product decode_product(warp& w, instruction const& i, unsigned lane, product_row const& row) {
  auto const list = i.operands();
  auto const word = [&](std::size_t at) { return lanes_of<std::uint32_t>(w, list[at])[lane]; };
  product made;
  made.blocks = tensor_blocks_of(w, i, lane, row.group);
  made.d_place = at_address(word(0) + static_cast<std::uint32_t>(i.offset));
  auto const pair = static_cast<int>(row.group);
  std::size_t at = row.is_sparse ? 4 : 3;
  decode_instruction(w, i, lane, row, word(at++), made.what);
  if (row.is_sparse) made.metadata = metadata_column(w, i, lane, word(3), made.what);
  auto const shared = [&](std::size_t from, major order, tensor::mma_element type, int count,
                          char const* which, tensor::operand_descriptor& out, int chunks = 2) {
    std::uint64_t const bits = lanes_of<std::uint64_t>(w, list[from])[lane];
    auto const wrong =
        tensor::decode_operand(bits, order, type, count, w.home->shared_end, out, 16 * chunks);
    if (!wrong.empty())
      fault(w, i, lane, trouble::descriptor, bits,
            say("descriptor of ", which, ' ', hexadecimal(bits), ": ", wrong));
  };
  made.a_in_tensor_memory = row.a_in_tensor_memory;
  made.shifts_a = row.shifts_a;
  if (row.a_in_tensor_memory)
    made.a_place = at_address(word(1));
  else
    shared(1, made.what.a_order, made.what.a, made.what.m / pair, "A", made.a);
  shared(2, made.what.b_order, made.what.b, made.what.n / pair, "B", made.b,
         tensor::chunks_of_b(made.what));
  if (row.scales != 0) {
    made.a_scales = scale_column(w, i, lane, word(at++), made.what.a_part, "A");
    made.b_scales = scale_column(w, i, lane, word(at++), made.what.b_part, "B");
  }
  if (row.keeps_lanes)
    for (unsigned k = 0; k < 4 * row.group; ++k) made.kept[k] = word(at++);
  made.accumulate = (predicate_of(w, list[at++]) >> lane & 1u) != 0;
  if (row.scales != 0 || row.is_weight_stationary) return made;
  made.scale = lanes_of<std::int32_t>(w, list[at])[lane];
  bool const may_scale = row.kind == mma_kind::f16 || row.kind == mma_kind::tf32;
  if (made.scale < 0 || made.scale > 15 || (made.scale != 0 && !may_scale))
    fault(w, i, lane, trouble::descriptor, 0,
          say("scale-input-d is ", made.scale,
              "; kinds f16 and tf32 take 0 to 15, other kinds only 0"));
  return made;
}

void land_product(warp& w, instruction const& i, product const& it) {
  static thread_local tensor::operand_floats a, b, kept_b;
  static thread_local tensor::operand_scales of_a, of_b;
  auto const shared = [](block const& from) {
    return std::span<std::byte const>(from.shared.get(), from.shared_end);
  };
  auto const column = [](block& from, tensor_place at) {
    return from.tensor->words.data() + std::size_t{at.column} * tensor_lanes;
  };
  int const columns = it.what.n / it.what.pair;
  int first = 0;
  for (auto* each : it.blocks) {
    tensor::read_operand(it.b, it.what.b_order, it.what.b, it.what.negate_b, columns, shared(*each),
                         false, b, first, tensor::chunks_of_b(it.what));
    first += columns;
  }
  for (unsigned k = 0; k < it.blocks.count; ++k) {
    block& home = *it.blocks.of[k];
    if (!it.a_in_tensor_memory) {
      tensor::read_operand(it.a, it.what.a_order, it.what.a, it.what.negate_a,
                           tensor::rows_of_block(it.what), shared(home), true, a);
    } else {
      auto const* const words = column(home, it.a_place);
      if (int const lane = tensor::differing_lane(it.what, words); lane >= 0)
        fault(w, i, 0, trouble::descriptor, it.a_place.column,
              say("lane ", lane, " of A in tensor memory differs from lane ",
                  lane % tensor::rows_of_block(it.what),
                  "; both must hold this row of A, because each multiplies a part of N"));
      tensor::read_tensor_operand(it.what, words, static_cast<int>(it.a_place.lane), it.shifts_a,
                                  a);
    }
    if (it.what.is_sparse) expand(w, i, it, home, a);
    tensor::mma_target d{
        column(home, it.d_place), static_cast<int>(it.d_place.lane), it.accumulate, it.scale, {}};
    std::copy_n(it.kept.begin() + 4 * k, 4, d.disabled.begin());
    if (it.what.scales == 0) {
      tensor::multiply(it.what, a, b, d);
      continue;
    }
    // Each block has scales of its own rows of A, and of all columns of B. multiply_scaled changes
    // b, which the next block needs again.
    read_scales(w, i, it, home, true, of_a);
    read_scales(w, i, it, home, false, of_b);
    bool const is_last = k + 1 == it.blocks.count;
    if (!is_last) kept_b = b;
    tensor::multiply_scaled(it.what, a, b, of_a, of_b, d);
    if (!is_last) b = kept_b;
  }
}

}  // namespace machine
