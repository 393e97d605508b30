// The name of an instruction without what only hints at caches or names the strength and scope of an access.
//
//     ld.relaxed.gpu.global.L1::no_allocate.L2::128B.v4.u32   ->   ld.global.v4.u32
//     atom.acq_rel.gpu.shared::cta.cas.b32                    ->   atom.shared.cas.b32
//
// Accesses here happen one after the other, so every one is as strong as the strongest of the memory model.
#include <array>

#include "program/table.hpp"

namespace machine {
namespace {

bool one_of(std::string_view part, std::initializer_list<std::string_view> list) {
  for (auto const each : list)
    if (part == each) return true;
  return false;
}

bool is_access(std::string_view opcode) {
  return one_of(opcode, {"ld", "ldu", "st", "atom", "red", "mbarrier"});
}

bool is_hint(std::string_view opcode, std::string_view part) {
  bool const access = is_access(opcode);
  if (part.substr(0, 4) == "L1::" || part.substr(0, 7) == "level::") return true;
  if (part.substr(0, 4) == "L2::")
    return !one_of(opcode, {"prefetch", "applypriority", "discard", "createpolicy"});
  if (access && one_of(part, {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio", "cta",
                              "cluster", "gpu", "sys"}))
    return true;
  if (one_of(opcode, {"ld", "ldu", "st"}) && one_of(part, {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}))
    return true;
  return false;
}

}  // namespace

std::string canonical_name(std::string_view opcode) {
  std::string_view const first = opcode.substr(0, opcode.find('.'));
  std::string name(first);
  std::size_t at = first.size();
  bool const access = is_access(first) || one_of(first, {"ldmatrix", "stmatrix"});
  while (at < opcode.size()) {
    std::size_t end = opcode.find('.', at + 1);
    if (end == std::string_view::npos) end = opcode.size();
    std::string_view part = opcode.substr(at + 1, end - at - 1);
    at = end;
    if (is_hint(first, part)) continue;
    if (first == "cp" && part == "tile") continue;  // the default mode
    if (access && (part == "shared::cta" || part == "shared::cluster")) part = "shared";
    if (access && (part == "param::entry" || part == "param::func")) part = "param";
    name += '.';
    name += part;
  }
  return name;
}

}  // namespace machine
