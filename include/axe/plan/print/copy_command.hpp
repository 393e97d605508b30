// SPDX-License-Identifier: MIT
// Prints the command that shows the plan of a copy.
//
//     axe plan copy 'S[(16,64):(64,1)]' 'S[(16,64):(64,1)]' --shape '(16,64)' --from global …
//
// A dynamic stride is printed as planned: its declared multiple times a large odd number.
#pragma once

#include <axe/plan/copy_request.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
AXE_FN constexpr void print_command(auto& out, copy_request const& r) {
  using namespace detail;
  copy_options const& o = r.options;
  print_all(out, "axe plan copy '", r.from, "' '", r.to, "' --shape '", r.tile, "' --from ",
            r.from_space, " --to ", r.to_space, " --type ");
  if (o.type != element_type::count)
    print_all(out, o.type);
  else
    print_all(out, r.bits == 1 || r.bits == 128 ? 'b' : 'u', r.bits);
  print_all(out, " --scope ", r.scope, " --arch ", r.target, " --alignment ",
            smaller(o.from_alignment, o.to_alignment));
  for (int d = 0; d < o.edges.count; ++d) print_all(out, d == 0 ? " --edges " : ",", o.edges[d]);
  if (o.asynchronous) out.put(" --async");
  if (o.outside == copy_outside::zero) out.put(" --outside zero");
  if (o.tensor.reduction != tma_reduction::none)
    print_all(out, " --reduction ", o.tensor.reduction);
  if (o.force != copy_instruction::any) print_all(out, " --force ", o.force);
  if (o.cache != cache_hint::none) print_all(out, " --cache ", o.cache);
  if (o.partitioned) print_all(out, " --partition '", o.partition, '\'');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
