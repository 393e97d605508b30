// tcgen05.mma (PTX ISA, "tcgen05.mma").
//
//     tcgen05.mma.cta_group::1.kind::f16 [d], a-desc, b-desc, idesc, enable-input-d
//     tcgen05.mma.cta_group::1.kind::tf32 [d], [a], b-desc, idesc, {lanes that keep D}, enable-input-d, scale
//
// Each lane that executes it issues one. With cta_group::2 the descriptors hold in both blocks of
// the pair: each has its own rows of A and D, and one half of the columns of B.
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
  table_row row{say("tcgen05.mma.cta_group::", what.group, ".kind::", tensor::name_of(what.kind),
                    what.a_in_tensor_memory ? ".a_in_tensor_memory" : "",
                    what.keeps_lanes ? ".some_lanes" : ""),
                std::string("=S") + (what.a_in_tensor_memory ? "S" : "l") + "lw" + kept + "p?w",
                &multiply};
  row.payload = static_cast<std::uint32_t>(rows().size());
  rows().push_back(what);
  table.add(std::move(row));
}

}  // namespace

void add_tensor_products(opcode_table& table) {
  for (unsigned const group : {1u, 2u})
    for (auto const kind : {mma_kind::f16, mma_kind::tf32, mma_kind::f8f6f4, mma_kind::i8})
      for (bool const in_tensor_memory : {false, true})
        for (bool const keeps_lanes : {false, true})
          add_row(table, {kind, group, in_tensor_memory, keeps_lanes});
}

}  // namespace machine
