// All commands, and `axe --help`.
#include "commands/command.hpp"

namespace program {

std::vector<command> const& commands() {
  static std::vector<command> const all = {
      {"map", "the places of elements", run_map, help_map},
      {"table", "who holds element (i,j): the tensor as a grid", run_table, help_table},
      {"owner", "what one thread, warp, CTA or device holds", run_owner, help_owner},
      {"diff", "where two layouts are different maps", run_diff, help_diff},
      {"draw", "both views as an SVG picture", run_draw, help_draw},
      {"plan",
       "how a tile is copied, multiplied or reduced: instructions, addresses, what was declined",
       run_plan, help_plan},
      {"eval", "a calculator for layouts: one answer for each line", run_eval, help_eval},
  };
  return all;
}

std::string help() {
  std::string text =
      "usage: axe COMMAND ...\n"
      "\n"
      "Where every element of a tensor lies: layouts S[extents:strides] + R[replicas] + offsets "
      "over named "
      "axes.\n"
      "\n";
  for (command const& c : commands())
    text += "  " + std::string(c.name) + std::string(8 - std::string(c.name).size(), ' ') +
            c.summary + "\n";
  text +=
      "\n"
      "LAYOUT is the notation or any expression of `axe eval`; --shape is a shape with as many "
      "elements "
      "(left out: one dimension, or the\n"
      "blocks of a grouped layout); --axis mesh_x:device declares an axis; --json answers for "
      "programs. `axe "
      "COMMAND --help` says more.\n"
      "\n"
      "examples:\n"
      "  axe map 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape 8,16 "
      "--at 2,9\n"
      "  axe table 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8\n"
      "  axe owner 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8 --at 5@lane\n"
      "  axe diff 'S[(2,4):(5,1)]' 'S[8:1]' --shape 2,4\n"
      "  axe draw 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8 -o tile.svg\n"
      "  axe plan copy 'S[(64,64):(4096,1)]' 'S[(64,64):(64,1)]' --from global --to shared --type "
      "bf16 "
      "--scope 128\n"
      "  axe eval 'canonicalize(S[(2,4):(4,1)])'\n"
      "\n"
      "exit code: 0 answered, 1 a line of `axe eval` was malformed, 2 bad input (a sentence on "
      "standard "
      "error, nothing written)\n";
  return text;
}

}  // namespace program
