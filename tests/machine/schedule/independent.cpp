#include "schedule/independent.hpp"

#include <initializer_list>
#include <string_view>

#include "program/assembler.hpp"

namespace machine {
namespace {

bool has(std::string_view opcode, std::string_view part) {
  return opcode.find(part) != std::string_view::npos;
}

bool is_floating(std::string_view opcode) {
  std::string_view const type = opcode.substr(opcode.rfind('.') + 1);
  return type.starts_with("f") || type.starts_with("bf");
}

/// True if the instruction can affect other clusters, or they can affect it.
bool interacts_with_clusters(std::string_view opcode) {
  std::string_view const first = opcode.substr(0, opcode.find('.'));
  bool const shared = has(opcode, ".shared");
  if (first == "atom") return !shared;
  if (opcode.starts_with("clusterlaunchcontrol.try_cancel")) return true;
  if (first == "red")
    return !shared && (is_floating(opcode) || has(opcode, ".inc") || has(opcode, ".dec"));
  // These reductions do not use atomics of the host, so they must not run at the same time.
  if (opcode.starts_with("cp.reduce.async.bulk")) return true;
  if ((first != "ld" && first != "st") || shared || has(opcode, ".local") || has(opcode, ".param"))
    return false;
  for (std::string_view const strong : {".volatile", ".relaxed", ".acquire", ".release", ".mmio"})
    if (has(opcode, strong)) return true;
  return false;
}

}  // namespace

bool clusters_are_independent(program const& code) {
  // Clusters that print or allocate run one after the other, so that their output is in order.
  for (char const* const name : {"vprintf", "malloc", "free"})
    for (auto const& each : code.code)
      if (auto const builtin = builtin_function(name);
          each.run == builtin || each.unguarded == builtin)
        return false;
  for (auto const& each : code.places)
    if (interacts_with_clusters(each.opcode)) return false;
  return true;
}

}  // namespace machine
