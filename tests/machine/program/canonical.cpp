// The name of an instruction without what only hints at caches or names the strength and scope of an access.
//
//     ld.relaxed.gpu.global.L1::no_allocate.L2::128B.v4.u32   ->   ld.global.v4.u32
//     atom.acq_rel.gpu.shared::cta.cas.b32                    ->   atom.shared.cas.b32
//     red.global.v8.f16.max.noftz                             ->   red.global.max.noftz.v8.f16
//     ldmatrix.sync.aligned.x4.m8n8.shared.b16                ->   ldmatrix.sync.aligned.m8n8.x4.shared.b16
//
// The last is CUTLASS's order of modifiers, which ptxas takes as well as the ISA's.
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

/// "atom.global.v4.f32.add" -> "atom.global.add.v4.f32": the ISA writes vectors of atomics in both ways.
std::string with_vector_last(std::string const& name) {
  for (char const* vector : {".v2.", ".v4.", ".v8."}) {
    auto const at = name.find(vector);
    if (at == std::string::npos) continue;
    auto const type_end = name.find('.', at + 4);
    std::string const type =
        name.substr(at + 3, type_end == std::string::npos ? type_end : type_end - at - 3);
    std::string const rest = type_end == std::string::npos ? "" : name.substr(type_end);
    return name.substr(0, at) + rest + std::string(vector, 3) + type;
  }
  return name;
}

/// "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16" -> "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"
std::string with_shape_first(std::string const& name) {
  for (char const* shape : {".m8n8", ".m16n8", ".m8n16", ".m16n16"}) {
    auto const at = name.find(std::string(shape) + ".");
    auto const number = name.find(".x");
    if (at == std::string::npos || number == std::string::npos || number > at) continue;
    std::size_t const length = std::string_view(shape).size();
    return name.substr(0, number) + shape + name.substr(number, at - number) + name.substr(at + length);
  }
  return name;
}

}  // namespace

std::string canonical_name(std::string_view opcode) {
  std::string_view const first = opcode.substr(0, opcode.find('.'));
  std::string name(first);
  std::size_t at = first.size();
  bool const matrix_move = one_of(first, {"ldmatrix", "stmatrix"});
  bool const access = is_access(first) || matrix_move;
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
  if (one_of(first, {"atom", "red"})) name = with_vector_last(name);
  if (matrix_move) name = with_shape_first(name);
  return name;
}

}  // namespace machine
