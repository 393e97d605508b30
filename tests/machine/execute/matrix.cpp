// Implements mma.sync, ldmatrix, stmatrix and movmatrix (PTX ISA, "Warp-level Matrix
// Instructions"). tensor/mma.hpp and tensor/matrix_move.hpp compute the results.
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tensor/matrix_move.hpp"
#include "tensor/mma.hpp"

namespace machine {
namespace {

using tensor::element;
using tensor::mma_instruction;

std::vector<mma_instruction>& products() {
  static std::vector<mma_instruction> list;
  return list;
}

template <class T> struct pointers {
  T* d[8];
  T const *a[8], *b[8], *c[8];
  pointers(warp& w, std::uint32_t const* list, tensor::mma_registers const& count) {
    for (int r = 0; r < count.d; ++r) d[r] = lanes_of<T>(w, *list++);
    for (int r = 0; r < count.a; ++r) a[r] = lanes_of<T>(w, *list++);
    for (int r = 0; r < count.b; ++r) b[r] = lanes_of<T>(w, *list++);
    for (int r = 0; r < count.c; ++r) c[r] = lanes_of<T>(w, *list++);
  }
};

void require_warp(warp& w, instruction const& i, std::uint32_t mask) {
  if (mask != all_lanes)
    fault(w, i, static_cast<unsigned>(std::countr_zero(~mask)), trouble::members, 0,
          "a matrix instruction needs all 32 lanes of a warp");
}

void multiply(warp& w, instruction const& i, std::uint32_t mask) {
  require_warp(w, i, mask);
  auto const& what = products()[i.target];
  auto const count = tensor::registers_of(what);
  if (what.a == element::f64) {
    pointers<std::uint64_t> const p(w, i.operands().data(), count);
    tensor::mma_f64(what, p.d, p.a, p.b, p.c);
  } else {
    pointers<std::uint32_t> const p(w, i.operands().data(), count);
    tensor::mma(what, p.d, p.a, p.b, p.c);
  }
}

/// Collects the row addresses of the lanes that supply one. Checks their bounds and, for loads,
/// that the bytes were written.
void gather_addresses(warp& w, instruction const& i, unsigned count, std::uint32_t at, access how,
                      std::uint32_t (&addresses)[32]) {
  auto const* const base = lanes_of<std::uint32_t>(w, at);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint32_t const address = base[lane] + static_cast<std::uint32_t>(i.offset);
    addresses[lane] = address & shared_offset_mask;
    if (lane >= 8 * count) continue;
    auto const row = reach(w, i, lane, space::shared, address, 16, how, 16);
    track(w, i, lane, *w.home, addresses[lane], 16, how != access::read, proxy::generic);
    if (how == access::read)
      require_written(w, i, lane, address, row, 16);
    else
      mark_written(row, 16);
  }
}

template <unsigned count, bool transposed>
void load(warp& w, instruction const& i, std::uint32_t mask) {
  require_warp(w, i, mask);
  std::uint32_t addresses[32];
  gather_addresses(w, i, count, i.at[count], access::read, addresses);
  std::uint32_t* to[count];
  for (unsigned q = 0; q < count; ++q) to[q] = lanes_of<std::uint32_t>(w, i.at[q]);
  tensor::ldmatrix(count, transposed, {w.home->shared.get(), w.home->shared_end}, addresses, to);
}

template <unsigned count, bool transposed>
void store(warp& w, instruction const& i, std::uint32_t mask) {
  require_warp(w, i, mask);
  std::uint32_t addresses[32];
  gather_addresses(w, i, count, i.at[0], access::write, addresses);
  std::uint32_t const* from[count];
  for (unsigned q = 0; q < count; ++q) from[q] = lanes_of<std::uint32_t>(w, i.at[1 + q]);
  tensor::stmatrix(count, transposed, {w.home->shared.get(), w.home->shared_end}, addresses, from);
}

void move(warp& w, instruction const& i, std::uint32_t mask) {
  require_warp(w, i, mask);
  tensor::movmatrix(lanes_of<std::uint32_t>(w, i.at[1]), lanes_of<std::uint32_t>(w, i.at[0]));
}

template <unsigned count> void add_moves_of(opcode_table& table) {
  std::string const x = "x" + std::to_string(count), vector = "w" + std::to_string(count);
  table.add({"ldmatrix.sync.aligned.m8n8." + x + ".shared.b16", vector + "=S", &load<count, false>,
             control::member, true});
  table.add({"ldmatrix.sync.aligned.m8n8." + x + ".trans.shared.b16", vector + "=S",
             &load<count, true>, control::member, true});
  table.add({"stmatrix.sync.aligned.m8n8." + x + ".shared.b16", "=S" + vector, &store<count, false>,
             control::member, true});
  table.add({"stmatrix.sync.aligned.m8n8." + x + ".trans.shared.b16", "=S" + vector,
             &store<count, true>, control::member, true});
}

void add_product(opcode_table& table, mma_instruction const& what, std::string const& name) {
  auto const count = tensor::registers_of(what);
  auto const letter = [&](element type) {
    return type == element::f64 ? "g" : type == element::f32 ? "f" : "w";
  };
  table_row row{
      name,
      say(letter(what.d), count.d, '=', letter(what.a == element::tf32 ? element::s32 : what.a),
          count.a, letter(what.b == element::tf32 ? element::s32 : what.b), count.b, letter(what.c),
          count.c),
      &multiply, control::member, true};
  row.payload = static_cast<std::uint32_t>(products().size());
  products().push_back(what);
  table.add(std::move(row));
}

}  // namespace

void add_matrix(opcode_table& table) {
  using enum element;
  struct shape {
    int m, n, k;
  };
  shape const shapes[] = {{8, 8, 4},   {8, 8, 16},   {8, 8, 32},  {8, 8, 128},
                          {16, 8, 4},  {16, 8, 8},   {16, 8, 16}, {16, 8, 32},
                          {16, 8, 64}, {16, 8, 128}, {16, 8, 256}};
  element const operands[] = {f16, bf16, tf32, f64, e4m3, e5m2, s8, u8, s4, u4, b1};
  for (auto const& [m, n, k] : shapes)
    for (auto const a : operands)
      for (auto const b : operands)
        for (auto const d : {f16, f32, f64, s32})
          for (auto const c : {f16, f32, f64, s32})
            for (int order = 0; order < 4; ++order)
              for (int variant = 0; variant < 2; ++variant) {
                mma_instruction what{m, n, k, a, b, c, d};
                what.a_is_column = (order & 1) != 0;
                what.b_is_row = (order & 2) != 0;
                bool const bits = a == b1;
                if (bits)
                  what.exclusive_or = variant == 1;
                else
                  what.satfinite = variant == 1;
                if (tensor::refuse_mma(what) != nullptr) continue;
                std::string const layout =
                    say('.', what.a_is_column ? "col" : "row", '.', what.b_is_row ? "row" : "col");
                std::string const types = say('.', tensor::name_of(d), '.', tensor::name_of(a), '.',
                                              tensor::name_of(b), '.', tensor::name_of(c));
                std::string const name = say("mma.sync.aligned.m", m, 'n', n, 'k', k, layout,
                                             what.satfinite ? ".satfinite" : "", types);
                add_product(table, what,
                            bits ? name + (what.exclusive_or ? ".xor.popc" : ".and.popc") : name);
              }
  add_moves_of<1>(table);
  add_moves_of<2>(table);
  add_moves_of<4>(table);
  table.add({"movmatrix.sync.aligned.m8n8.trans.b16", "w=w", &move, control::member, true});
}

}  // namespace machine
