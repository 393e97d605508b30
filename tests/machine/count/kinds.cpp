// Finds the kind of an instruction by the first word of the opcode, then by its types and state
// space.
#include "count/kinds.hpp"

#include <array>

namespace machine {
namespace {

struct entry {
  std::string_view first, kind;
};

constexpr auto table = std::to_array<entry>({
    {"abs", "integer"},
    {"add", "integer"},
    {"addc", "integer"},
    {"div", "integer"},
    {"dp2a", "integer"},
    {"dp4a", "integer"},
    {"mad", "integer"},
    {"mad24", "integer"},
    {"madc", "integer"},
    {"max", "integer"},
    {"min", "integer"},
    {"mul", "integer"},
    {"mul24", "integer"},
    {"neg", "integer"},
    {"rem", "integer"},
    {"sad", "integer"},
    {"sub", "integer"},
    {"subc", "integer"},
    {"and", "bits"},
    {"bfe", "bits"},
    {"bfi", "bits"},
    {"bfind", "bits"},
    {"bmsk", "bits"},
    {"brev", "bits"},
    {"clz", "bits"},
    {"cnot", "bits"},
    {"fns", "bits"},
    {"lop3", "bits"},
    {"not", "bits"},
    {"or", "bits"},
    {"popc", "bits"},
    {"prmt", "bits"},
    {"shf", "bits"},
    {"shl", "bits"},
    {"shr", "bits"},
    {"szext", "bits"},
    {"xor", "bits"},
    {"copysign", "float"},
    {"cos", "float"},
    {"ex2", "float"},
    {"fma", "float"},
    {"lg2", "float"},
    {"rcp", "float"},
    {"rsqrt", "float"},
    {"sin", "float"},
    {"sqrt", "float"},
    {"tanh", "float"},
    {"testp", "compare"},
    {"selp", "compare"},
    {"set", "compare"},
    {"setp", "compare"},
    {"slct", "compare"},
    {"cvt", "conversion"},
    {"cvta", "conversion"},
    {"isspacep", "compare"},
    {"mapa", "conversion"},
    {"getctarank", "conversion"},
    {"mov", "move"},
    {"bra", "control"},
    {"brx", "control"},
    {"call", "control"},
    {"ret", "control"},
    {"exit", "control"},
    {"trap", "control"},
    {"brkpt", "control"},
    {"shfl", "warp"},
    {"vote", "warp"},
    {"match", "warp"},
    {"redux", "warp"},
    {"elect", "warp"},
    {"activemask", "warp"},
    {"ldmatrix", "matrix move"},
    {"stmatrix", "matrix move"},
    {"movmatrix", "matrix move"},
    {"mma", "tensor core"},
    {"wgmma", "tensor core"},
    {"tcgen05", "tensor core"},
    {"clusterlaunchcontrol", "launch control"},
    {"cp", "asynchronous copy"},
    {"mbarrier", "mbarrier"},
    {"bar", "barrier"},
    {"barrier", "barrier"},
    {"fence", "fence"},
    {"membar", "fence"},
});

bool is_memory(std::string_view first) {
  return first == "ld" || first == "st" || first == "ldu" || first == "atom" || first == "red";
}

}  // namespace

bool has_part(std::string_view opcode, std::string_view part) {
  while (!opcode.empty()) {
    auto const dot = opcode.find('.');
    auto const here = opcode.substr(0, dot);
    if (here == part || (here.starts_with(part) && here.substr(part.size()).starts_with("::")))
      return true;
    if (dot == std::string_view::npos) return false;
    opcode.remove_prefix(dot + 1);
  }
  return false;
}

std::string_view kind_of(std::string_view opcode) {
  auto const first = opcode.substr(0, opcode.find('.'));
  if (is_memory(first)) {
    if (has_part(opcode, "global")) return "global memory";
    if (has_part(opcode, "shared")) return "shared memory";
    if (has_part(opcode, "local")) return "local memory";
    if (has_part(opcode, "param")) return "parameters";
    if (has_part(opcode, "const")) return "constant memory";
    return "generic memory";
  }
  if (first == "wgmma" && !has_part(opcode, "mma_async"))
    return "fence";  // fence, commit_group, wait_group
  if (first == "tcgen05") {
    if (has_part(opcode, "wait") || has_part(opcode, "fence") || has_part(opcode, "commit"))
      return "fence";
    if (!has_part(opcode, "mma")) return "tensor memory";
  }
  for (auto const& each : table) {
    if (each.first != first) continue;
    if (each.kind != "integer" && each.kind != "float") return each.kind;
    if (has_part(opcode, "f64")) return "double";
    if (has_part(opcode, "f32")) return "float";
    for (auto const half : {"f16", "f16x2", "bf16", "bf16x2"})
      if (has_part(opcode, half)) return "half";
    return each.kind;
  }
  return "other";
}

}  // namespace machine
