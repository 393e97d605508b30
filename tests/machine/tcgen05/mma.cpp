// Implements tcgen05.mma (PTX ISA, "tcgen05.mma"). With .cta_group::2 each block has its own rows
// of A and D, and half of the columns of B.
//
//     tcgen05.mma.cta_group::1.kind::f16 [d], a-desc, b-desc, idesc, enable-input-d
//
// A may be in tensor memory ([a] instead of a-desc). The modifier .ashift moves rows of A as
// tcgen05.shift does. The form .sp also takes [metadata of A], and .block_scale takes [sa], [sb].
// Kinds without block scales may take {disable-output-lane}; tf32 and f16 also take scale-input-d.
#include "tcgen05/product.hpp"

#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "tcgen05/pipeline.hpp"

namespace machine {
namespace {

using tensor::mma_kind;

std::vector<product_row>& rows() {
  static std::vector<product_row> list;
  return list;
}

void multiply(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const it = decode_product(w, i, lane, rows()[i.target]);
    check_product(w, i, lane, it);
    issue_tensor(w, [&w, &i, it] { land_product(w, i, it); });
  });
}

void add_row(opcode_table& table, product_row const& what) {
  std::string const kept = what.keeps_lanes ? say('w', 4 * what.group) : "";
  char const* const last = what.is_weight_stationary ? "p" : "p?w";
  table_row row{
      say("tcgen05.mma",
          what.is_weight_stationary ? ".ws"
          : what.is_sparse          ? ".sp"
                                    : "",
          ".cta_group::", what.group, ".kind::", tensor::name_of(what.kind),
          what.shifts_a ? ".ashift" : "", what.a_in_tensor_memory ? ".a_in_tensor_memory" : "",
          what.keeps_lanes ? ".some_lanes" : ""),
      std::string("=S") + (what.a_in_tensor_memory ? "S" : "l") + (what.is_sparse ? "lSw" : "lw") +
          kept + last,
      &multiply};
  row.payload = static_cast<std::uint32_t>(rows().size());
  rows().push_back(what);
  table.add(std::move(row));
}

/// A name of a kind's block scales, and how many scales a row has in one k step.
struct scale_row {
  mma_kind kind;
  char const* name;
  int scales;
};

constexpr scale_row scale_rows[] = {{mma_kind::mxf8f6f4, "", 1},
                                    {mma_kind::mxf8f6f4, ".scale_vec::1X", 1},
                                    {mma_kind::mxf8f6f4, ".block32", 1},
                                    {mma_kind::mxf4, "", 2},
                                    {mma_kind::mxf4, ".scale_vec::2X", 2},
                                    {mma_kind::mxf4, ".block32", 2},
                                    {mma_kind::mxf4nvf4, ".scale_vec::2X", 2},
                                    {mma_kind::mxf4nvf4, ".block32", 2},
                                    {mma_kind::mxf4nvf4, ".scale_vec::4X", 4},
                                    {mma_kind::mxf4nvf4, ".block16", 4}};

void add_scaled_row(opcode_table& table, scale_row const& how, unsigned group,
                    bool in_tensor_memory) {
  table_row row{say("tcgen05.mma.cta_group::", group, ".kind::", tensor::name_of(how.kind),
                    ".block_scale", how.name, in_tensor_memory ? ".a_in_tensor_memory" : ""),
                in_tensor_memory ? "=SSlwSSp" : "=SllwSSp", &multiply};
  row.payload = static_cast<std::uint32_t>(rows().size());
  rows().push_back({.kind = how.kind,
                    .group = group,
                    .a_in_tensor_memory = in_tensor_memory,
                    .scales = how.scales});
  table.add(std::move(row));
}

}  // namespace

void add_tensor_products(opcode_table& table) {
  for (unsigned const group : {1u, 2u})
    for (auto const kind : {mma_kind::f16, mma_kind::tf32, mma_kind::f8f6f4, mma_kind::i8})
      for (bool const in_tensor_memory : {false, true})
        for (bool const keeps_lanes : {false, true})
          for (bool const is_sparse : {false, true})
            add_row(table, {.kind = kind,
                            .group = group,
                            .a_in_tensor_memory = in_tensor_memory,
                            .keeps_lanes = keeps_lanes,
                            .is_sparse = is_sparse});
  for (unsigned const group : {1u, 2u})
    for (auto const kind : {mma_kind::f16, mma_kind::tf32, mma_kind::f8f6f4, mma_kind::i8})
      for (bool const keeps_lanes : {false, true})
        add_row(table, {.kind = kind,
                        .group = group,
                        .a_in_tensor_memory = true,
                        .keeps_lanes = keeps_lanes,
                        .shifts_a = true});
  for (auto const kind : {mma_kind::f16, mma_kind::tf32, mma_kind::f8f6f4, mma_kind::i8})
    for (bool const in_tensor_memory : {false, true})
      add_row(table, {.kind = kind,
                      .group = 1,
                      .a_in_tensor_memory = in_tensor_memory,
                      .is_weight_stationary = true});
  for (unsigned const group : {1u, 2u})
    for (auto const& how : scale_rows)
      for (bool const in_tensor_memory : {false, true})
        add_scaled_row(table, how, group, in_tensor_memory);
}

}  // namespace machine
