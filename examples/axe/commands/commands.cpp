// The list of all commands, and `axe --help`.
#include "commands/command.hpp"

namespace program {

std::vector<command> const& commands() {
  static std::vector<command> const all = {
      {"map", "the places of elements", run_map, help_map},
      {"table", "the place of each element (i,j), as a grid", run_table, help_table},
      {"owner", "the elements of one thread, warp, CTA or device", run_owner, help_owner},
      {"diff", "the first element that two layouts place differently", run_diff, help_diff},
      {"check-sharding", "whether two placements on a mesh of devices are the same",
       run_check_sharding, help_check_sharding},
      {"notation", "a layout or a placement in the notations of other libraries", run_notation,
       help_notation},
      {"draw", "a layout as an SVG picture", run_draw, help_draw},
      {"plan",
       "the instructions that copy, multiply or reduce a tile, and why others were declined",
       run_plan, help_plan, help_plan_of_kind},
      {"explain",
       "how an answer is computed: operands, rule, digits, and a check of three elements",
       run_explain, help_explain},
      {"eval", "a calculator for layouts, one answer for each line", run_eval, help_eval},
      {"completion", "a script that completes commands and options in a shell", run_completion,
       help_completion},
  };
  return all;
}

std::string help() {
  std::string text = R"(usage: axe COMMAND ...

Answers questions about tensor layouts, S[extents:strides] + R[replicas] + offsets:
where is each element, what does a thread hold, which instruction copies a tile?

)";
  for (command const& c : commands()) {
    std::string const name = c.name;
    text += "  " + name + std::string(16 - name.size(), ' ') + c.summary + "\n";
  }
  return text + R"(
LAYOUT is a layout in the notation of axe, CuTe, TIRx or Triton, or any expression of
`axe eval` whose value is a layout.
  --shape 8,16           the shape of the tensor. draw needs it. Default: the shape of a grouped
                         layout or of an instruction's fragment, otherwise one dimension
  --axis mesh_x:device   declares an axis: thread, memory or device
  --json                 one line of JSON, for programs
`axe COMMAND --help` lists the other options.

examples:
  axe map 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape 8,16 --at 2,9
  axe table 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8
  axe owner 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8 --at 5@lane
  axe diff 'S[(2,4):(5,1)]' 'S[8:1]' --shape 2,4
  axe draw 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8 -o tile.svg
  axe plan copy 'S[(64,64):(4096,1)]' 'S[(64,64):(64,1)]' --from global --to shared --scope 128
  axe eval 'canonicalize(S[(2,4):(4,1)])'

exit code: 0 answered; 1 a line of `axe eval` was malformed, a file could not be written, or
with --exit-code A and B differ; 2 bad input: a sentence on standard error, and nothing was written
)";
}

}  // namespace program
