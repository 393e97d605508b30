// Makes canonical names of instructions. A canonical name has no cache hints, memory order or
// scope, and its modifiers have the order of the opcode table. Memory order and scope do not change
// what the machine computes, because it executes accesses one after the other.
//
//     ld.relaxed.gpu.global.L1::no_allocate.L2::128B.v4.u32   ->   ld.global.v4.u32
//     atom.acq_rel.gpu.shared::cta.cas.b32                    ->   atom.shared.cas.b32
//     setp.lt.and.ftz.f32                                     ->   setp.lt.ftz.and.f32
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
  if (opcode == "tcgen05" && part.starts_with("collector::")) return true;
  if (part.substr(0, 4) == "L1::" || part.substr(0, 7) == "level::") return true;
  if (part.substr(0, 4) == "L2::")
    return !one_of(opcode, {"prefetch", "applypriority", "discard", "createpolicy"});
  if (access && one_of(part, {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel",
                              "mmio", "cta", "cluster", "gpu", "sys"}))
    return true;
  if (one_of(opcode, {"ld", "ldu", "st"}) &&
      one_of(part, {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}))
    return true;
  return false;
}

/// Makes "atom.global.add.v4.f32" of "atom.global.v4.f32.add". The ISA uses both orders.
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

/// Makes "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16" of
/// "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16".
std::string with_shape_first(std::string const& name) {
  for (char const* shape : {".m8n8", ".m16n8", ".m8n16", ".m16n16"}) {
    auto const at = name.find(std::string(shape) + ".");
    auto const number = name.find(".x");
    if (at == std::string::npos || number == std::string::npos || number > at) continue;
    std::size_t const length = std::string_view(shape).size();
    return name.substr(0, number) + shape + name.substr(number, at - number) +
           name.substr(at + length);
  }
  return name;
}

/// Makes "ex2.approx.ftz.f32" of "ex2.approx.f32.ftz" and "max.relu.s16x2" of "max.s16x2.relu", the
/// order of CUDA's headers.
std::string with_type_last(std::string const& name) {
  for (char const* modifier : {".ftz", ".relu"})
    if (name.ends_with(modifier)) {
      auto const end = name.size() - std::string_view(modifier).size();
      auto const type = name.rfind('.', end - 1);
      if (type == std::string::npos) return name;
      return name.substr(0, type) + modifier + name.substr(type, end - type);
    }
  return name;
}

/// Makes "setp.lt.ftz.and.f32" of "setp.lt.and.ftz.f32", the order of the ISA.
std::string with_ftz_second(std::string const& name) {
  for (char const* combination : {".and", ".or", ".xor"}) {
    std::string const written = std::string(combination) + ".ftz";
    if (auto const at = name.find(written); at != std::string::npos)
      return name.substr(0, at) + ".ftz" + combination + name.substr(at + written.size());
  }
  return name;
}

/// Moves .satfinite to its place in the table: ".row.col.s32.s8.s8.s32.satfinite" of mma.sync
/// becomes ".row.col.satfinite.s32...". In names of wgmma it follows the first ".s32". Removes .rn
/// of f64 products, which is the default.
std::string with_product_modifiers_in_place(std::string name) {
  if (name.ends_with(".f64.rn")) name.resize(name.size() - 3);
  std::string const saturating = ".satfinite";
  auto const at = name.find(saturating);
  if (at == std::string::npos) return name;
  name.erase(at, saturating.size());
  auto const type = name.find(".s32");
  if (type == std::string::npos) return name;
  return name.insert(name.starts_with("wgmma") ? type + 4 : type, saturating);
}

/// Makes "cvt.rn.satfinite.relu.f16x2.f32" of "cvt.rn.relu.satfinite.f16x2.f32". The ISA uses both
/// orders.
std::string with_satfinite_first(std::string name) {
  auto const at = name.find(".relu.satfinite");
  return at == std::string::npos ? name : name.replace(at, 15, ".satfinite.relu");
}

/// Moves .cta_group to the end, as in the ISA. CUTLASS writes it after the dimension.
std::string with_group_last(std::string name) {
  auto const at = name.find(".cta_group::");
  if (at == std::string::npos) return name;
  std::string const group = name.substr(at, std::string_view(".cta_group::1").size());
  return name.erase(at, group.size()) + group;
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
    if (first == "cp" && part == "tile") continue;  // .tile is the default mode
    if (access && (part == "shared::cta" || part == "shared::cluster")) part = "shared";
    if (access && (part == "param::entry" || part == "param::func")) part = "param";
    name += '.';
    name += part;
  }
  name = with_type_last(name);
  if (one_of(first, {"atom", "red"})) name = with_vector_last(name);
  if (first == "cp") name = with_group_last(name);
  if (first == "cvt") name = with_satfinite_first(name);
  if (matrix_move) name = with_shape_first(name);
  if (one_of(first, {"set", "setp"})) name = with_ftz_second(name);
  if (one_of(first, {"mma", "wgmma"})) name = with_product_modifiers_in_place(name);
  return name;
}

}  // namespace machine
