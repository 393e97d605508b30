// axe plan: reads the options that all kinds of plans share, and calls the kind's own file, such as
// copy.cpp.
#include "plan/plan.hpp"

#include "draw/command.hpp"
#include "explain/points.hpp"
#include "text/nearest.hpp"
#include "text/shortened.hpp"

#include <axe/atoms/target.hpp>

#include <ostream>

namespace program {

namespace {

std::vector<option> with_type(std::vector<option> options) {
  options.insert(options.end(), {{"--type", true}, {"--elements"}});
  return options;
}

struct plan_kind {
  char const* name;
  int (*run)(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
  char const* section;  // the section of the documentation
  char const* rule;
};

constexpr plan_kind kinds[] = {
    {"copy", plan_of_copy, "docs/plans.md, Copy",
     "the first instruction that the layouts, their alignments and the threads allow"},
    {"tma", plan_of_tma, "docs/plans.md, Tensor maps",
     "boxes of whole digits that fill shared memory without gaps, within the limits of a map"},
    {"mma", plan_of_mma, "docs/plans.md, Matrix products",
     "the first instruction whose prescribed layouts, when repeated, give all three tiles"},
    {"convert", plan_of_convert, "docs/plans.md, Conversions",
     "shuffles that copy every element of TO from a register of FROM that has it"},
    {"reduce", plan_of_reduce, "docs/plans.md, Elementwise and reductions",
     "each thread folds its registers, then the lanes of a warp fold, then the warps"},
    {"reshard", plan_of_reshard, "docs/distributed.md, Plans",
     "each device receives the elements that it needs and does not have"},
};

/// Writes the places of three elements of each layout.
void write_places(std::string& out, std::vector<std::string> const& names,
                  std::vector<axe::layout> const& layouts) {
  for (std::size_t k = 0; k < layouts.size(); ++k)
    for (axe::integer const x : explain::three_of(axe::size(layouts[k])))
      out += "  " + names[k] + "(" + std::to_string(x) +
             ") = " + explain::words(explain::places_of(layouts[k], x), "more than 64 places") +
             "\n";
}

}  // namespace

plan_request::plan_request(char const* called, std::vector<std::string> const& words_given,
                           std::vector<option> more)
    : request(called, words_given, with_type(std::move(more))) {
  for (char const* option : {"--json", "--messages", "-o"})
    if (explains() && given.has(option))
      fail(std::string(option) + " is for axe plan; leave it out of axe explain plan");
}

bool plan_request::read_target() {
  if (std::optional<std::string> const name = given.last("--arch"))
    if (!find<axe::architecture, 5>(*name, target))
      return fail("--arch: no architecture is called '" + text::shortened(*name) +
                  "'; the names are " + names_of<axe::architecture, 5>());
  std::optional<std::string> const scope = given.last("--scope");
  if (!scope) return true;
  if (*scope == "cta" || *scope == "cluster")
    return fail("--scope " + *scope +
                ": the kernel decides how many threads it has; give a number, as --scope 256");
  if (*scope == "thread") return threads = 1, true;
  if (*scope == "warp") return threads = 32, true;
  if (*scope == "warpgroup") return threads = 128, true;
  std::optional<long long> const number = text::positive_number(*scope);
  if (!number || *number > 1024)
    return fail("--scope is thread, warp, warpgroup or a number of threads up to 1024, not '" +
                text::shortened(*scope) + "'");
  threads = *number;
  return true;
}

bool plan_request::read_type(char const* option, axe::element_type otherwise,
                             axe::element_type& out) {
  out = otherwise;
  std::optional<std::string> const name = given.last(option);
  constexpr int types = static_cast<int>(axe::element_type::count);
  return !name || find<axe::element_type, types>(*name, out) ||
         fail(std::string(option) + ": no element type is called '" + text::shortened(*name) +
              "'; the names are " + names_of<axe::element_type, types>());
}

bool plan_request::read_space(char const* option, axe::memory_space otherwise,
                              axe::memory_space& out) {
  out = otherwise;
  std::optional<std::string> const name = given.last(option);
  return !name || find<axe::memory_space, 4>(*name, out) ||
         fail(std::string(option) + ": no memory space is called '" + text::shortened(*name) +
              "'; the names are " + names_of<axe::memory_space, 4>());
}

int plan_request::refused(std::ostream& out, std::ostream& err, axe::refusal const& why,
                          axe::operands const& about) {
  if (!explains()) return refuse(why, about), report(err);
  write_notes(err);
  // `plan reshard` reads shardings, not layouts. Its refusals have their layouts as operands.
  if (layouts.empty() && about.a != nullptr && about.b != nullptr) {
    layouts = {*about.a, *about.b};
    layout_names = {"SRC", "DST"};
  }
  std::string text = name() + ": no plan\n";
  for (std::size_t k = 0; k < layouts.size(); ++k)
    explain::write_layout(text, layout_names[k], layouts[k]);
  if (about.s != nullptr) text += "  tile  " + text::printed(*about.s) + "\n";
  for (plan_kind const& k : kinds)
    if (name() == std::string("plan ") + k.name)
      text += std::string("rule (") + k.section + "): " + k.rule + "\n";
  std::string sentence;
  text::sink to(sentence);
  axe::print(to, why, about);
  text += "refused: " + sentence + "\n" + explain::rule_of_refusal(why);
  text += "elements of the operands:\n";
  write_places(text, layout_names, layouts);
  out << text;
  return answered;
}

int plan_request::write_picture(std::string const& svg, std::ostream& out, std::ostream& err) {
  for (char const* option : {"--json", "--messages"})
    if (given.has(option))
      return fail(std::string("-o draws the plan; leave out ") + option), report(err);
  write_notes(err);
  return draw::write_svg(*given.last("-o"), svg, out, err);
}

int run_plan(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  std::string const name = given.empty() ? "" : given.front();
  text::nearest meant(name);
  std::string known;
  for (plan_kind const& k : kinds) {
    if (name == k.name)
      return k.run(std::vector<std::string>(given.begin() + 1, given.end()), out, err);
    meant.offer(k.name);
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  err << "axe plan: "
      << (given.empty() ? "the kind of plan is missing"
                        : "no plan is called '" + text::shortened(name) + "'" + meant.question())
      << (meant.question().empty() ? ";" : "") << " the kinds are " << known
      << "; see axe plan --help\n";
  return bad_input;
}

std::string help_plan() {
  return R"(usage: axe plan copy FROM TO --from SPACE --to SPACE [--shape 64,64] [options]
       axe plan tma GLOBAL SHARED --tensor 4096,4096 --shape 128,64 [--do load] [options]
       axe plan mma A B C --shape M,N,K [--a SPACE] [--b SPACE] [--c SPACE] [--sum f32] [options]
       axe plan convert FROM TO [--type bf16]
       axe plan reduce LAYOUT --over 1 [--shape 16,8] [--fold plus] [options]
       axe plan reshard SRC DST --mesh y=2,x=4 --shape 64,64 [--summands 2,3] [options]

Prints how a tile is copied, multiplied or reduced, how it is converted to another register
layout, or how a tensor moves to another sharding: the instruction, how often it runs, the
addresses of each thread, the registers, descriptors and tensor maps. Lists each declined
candidate with its reason. SPACE is global, shared, registers or, for mma only, tensor.
Defaults are in parentheses.

all kinds:
  --type bf16          the element type (bf16; reduce and reshard: f32); mma: of A, and of B
                       without --b-type
  --json               one line of JSON
  --steps N            the step limit of expressions, and of convert and reshard (1000000)
  -o FILE.svg          copy, tma, convert, reshard: draws the plan
copy, tma, mma, reduce:
  --arch sm_90a        sm_80, sm_89, sm_90, sm_90a or sm_100a
copy, mma, reduce:
  --force ldmatrix.x4  only this instruction; mma: mma.sync, wgmma or tcgen05;
                       reduce: redux.sync or shfl.sync
copy:
  --scope warp         the threads that copy together: thread, warp, warpgroup or a number
                       of threads (thread)
  --async              only asynchronous instructions: cp.async, cp.async.bulk, tensor copies
  --tensor 4096,4096   the shape of the tensor in global memory; --shape is a tile of it
  --edges 1,1          one N for each dimension: if the tensor ends inside the tile, it ends
                       after a multiple of N elements; 0: it never ends inside the tile
  --outside zero       stores zeros where the tensor ends inside the tile (skip)
  --reduction add      a tensor store combines its elements with those in memory
  --vectors            rejects plans that copy one element at a time
  --cache evict_first  evict_first, evict_last, no_allocate or read_only
  --partition LAYOUT   the thread and register of each element
  --alignment BYTES    alignment of the first element on both sides (16; in shared memory
                       128, or the period of the swizzle if it is longer)
tma:
  --tensor 4096,4096   the shape of the tensor; --shape is that of the tile
  --do load            load, multicast, store, reduce or prefetch
  --reduction add      add, min, max, inc, dec, and, or, xor
reduce:
  --over 0,1           the dimensions to reduce
  --fold plus          plus, minimum, maximum, or `another` for any other operation
reshard (moves a tensor between shardings on a mesh of devices; prints bytes and bounds):
  --mesh y=2,x=4       declares the device axes, slowest first
  --shape 64,64        the padded shape of the tensor
  --summands 2,3       the extents of the leading dimensions of SRC, which hold summands
  --real 61,64         the part of the shape that is not padding
  --levels y           devices with the same coordinate on y form a node; several names
                       nest, outermost first
  --scratch 4096       the most elements in the buffers of a device: those that it receives in
                       one step, and those in tmp0; larger plans run slice by slice
  --messages           prints only the copies and sums, a line each, for other programs

examples:
  axe plan copy 'S[(64,64):(4096,1)]' 'S[(64,64):(64,1)]' --shape 64,64 --from global --to shared
  axe plan copy 'S[64:1]' 'S[64:1]' --from global --to shared --scope warp --async --json
  axe plan tma 'S[(4096,4096):(4096,1)]' 'S[(128,64):(64,1)]' --tensor 4096,4096 --shape 128,64
  axe plan mma 'mma.a(16,8,16,16)' 'mma.b(16,8,16,16)' 'mma.accumulator(16,8,16,16)' --shape 16,8,16
  axe plan convert 'S[(4,8):(1@reg,1@lane)]' 'S[(8,4):(1@lane,1@reg)]'
  axe plan reduce 'mma.accumulator(16,8,16,16)' --over 1
  axe plan reshard 'S[(2,4,8):(1@y,8,1)]' 'S[(8,4,2):(2,1@x,1)]' --mesh y=2,x=4 --shape 8,8
)";
}

}  // namespace program
