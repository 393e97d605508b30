// axe plan: the planners of axe/plan/ from the command line. One kind a file; this one has the
// words that they share.
#include "plan/plan.hpp"

#include <axe/atoms/target.hpp>

#include <ostream>

namespace program {

namespace {

std::vector<option> with_target(std::vector<option> options) {
  options.insert(options.end(),
                 {{"--arch", true}, {"--scope", true}, {"--force", true}, {"--type", true}});
  return options;
}

struct plan_kind {
  char const* name;
  int (*run)(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
};

constexpr plan_kind kinds[] = {
    {"copy", plan_of_copy},       {"tma", plan_of_tma},       {"mma", plan_of_mma},
    {"convert", plan_of_convert}, {"reduce", plan_of_reduce},
};

}  // namespace

plan_request::plan_request(char const* called, std::vector<std::string> const& words_given,
                           std::vector<option> more)
    : request(called, words_given, with_target(std::move(more))) {}

bool plan_request::read_target() {
  if (std::optional<std::string> const name = given.last("--arch"))
    if (!axe::try_architecture(name->c_str(), target))
      return fail("--arch: nothing is called '" + *name + "': " + names_of<axe::architecture, 5>());
  std::optional<std::string> const scope = given.last("--scope");
  if (!scope) return true;
  axe::execution_scope named{};
  if (!axe::try_execution_scope(scope->c_str(), named)) {
    std::optional<long long> const number = positive_number(*scope);
    if (!number || *number > 1024)
      return fail("--scope is thread, warp, warpgroup or a number of threads up to 1024, not '" +
                  *scope + "'");
    threads = *number;
    return true;
  }
  threads = axe::threads_of(named);
  return threads != 0 ||
         fail("a " + *scope + " has as many threads as the kernel gives it: --scope 256");
}

bool plan_request::read_type(char const* option, axe::element_type otherwise,
                             axe::element_type& out) {
  out = otherwise;
  std::optional<std::string> const name = given.last(option);
  return !name || axe::try_element_type(name->c_str(), out) ||
         fail(std::string(option) + ": no element type is called '" + *name +
              "': " + names_of<axe::element_type, static_cast<int>(axe::element_type::count)>());
}

bool plan_request::read_space(char const* option, axe::memory_space otherwise,
                              axe::memory_space& out) {
  out = otherwise;
  std::optional<std::string> const name = given.last(option);
  return !name || axe::try_memory_space(name->c_str(), out) ||
         fail(std::string(option) + ": nothing is called '" + *name +
              "': " + names_of<axe::memory_space, 4>());
}

int run_plan(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  std::string known;
  for (plan_kind const& k : kinds) {
    if (!given.empty() && given.front() == k.name)
      return k.run(std::vector<std::string>(given.begin() + 1, given.end()), out, err);
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  err << "axe plan: "
      << (given.empty() ? "what is planned?"
                        : "nothing is planned that is called '" + given.front() + "':")
      << ' ' << known << "; see axe plan --help\n";
  return bad_input;
}

std::string help_plan() {
  return "usage: axe plan copy FROM TO --from SPACE --to SPACE [--shape 64,64] [options]\n"
         "       axe plan tma GLOBAL SHARED --tensor 4096,4096 --shape 128,64 [--do load] "
         "[options]\n"
         "       axe plan mma A B C --shape M,N,K [--a SPACE] [--b SPACE] [--c SPACE] [--sum f32] "
         "[options]\n"
         "       axe plan convert FROM TO [--type bf16]\n"
         "       axe plan reduce LAYOUT --shape 16,8 --over 1 [--fold plus] [options]\n"
         "\n"
         "How a tile is copied, multiplied, folded or moved between registers: the instruction, "
         "how many, "
         "what each thread addresses, "
         "in "
         "which "
         "registers, what descriptors\n"
         "and tensor maps hold, and each candidate that was declined with its reason. SPACE is "
         "global, "
         "shared, "
         "registers or tensor.\n"
         "\n"
         "  --type bf16          the element type (bf16); mma: of A, and of B without --b-type\n"
         "  --arch sm_90a        sm_80, sm_89, sm_90, sm_90a or sm_100a\n"
         "  --force ldmatrix.x4  this instruction and no other; mma: mma.sync, wgmma or tcgen05\n"
         "  --json               the plan as one line of JSON\n"
         "copy:\n"
         "  --scope warp         who copies together: thread, warp, warpgroup or a number of "
         "threads "
         "(thread)\n"
         "  --async              instructions that run on by themselves: cp.async, cp.async.bulk, "
         "tensor "
         "copies\n"
         "  --tensor 4096,4096   the side in global memory is a tensor of that shape, --shape one "
         "of its "
         "tiles: a "
         "tensor copy comes first\n"
         "  --outside zero       where the tensor ends inside the tile: zero, or skip (skip); "
         "--reduction "
         "add "
         "for tensor stores\n"
         "  --vectors            no copy rather than one element at a time; --cache evict_first, "
         "evict_last, "
         "no_allocate or read_only\n"
         "  --partition LAYOUT   which thread and register takes which element\n"
         "  --alignment BYTES    of both sides' first element (16)\n"
         "  --edges 1,1          for each dimension: the tensor may end inside the tile, after a "
         "multiple of "
         "that many elements; 0: it does not\n"
         "tma:\n"
         "  --tensor 4096,4096   the shape of the tensor; --shape is that of the tile\n"
         "  --do load            load, multicast, store, reduce or prefetch; --reduction add, min, "
         "max, inc, "
         "dec, "
         "and, or, xor\n"
         "\n"
         "reduce:\n"
         "  --over 0,1           the dimensions that are folded\n"
         "  --fold plus          plus, minimum, maximum or another; --force redux.sync or "
         "shfl.sync\n"
         "\n"
         "examples:\n"
         "  axe plan copy 'S[(64,64):(4096,1)]' 'swizzle(3,3,3) o S[(64,64):(64,1)]' --shape 64,64 "
         "--from "
         "global --to shared --scope 128\n"
         "  axe plan copy 'S[(64,64):(4096,1)]' 'S[(64,64):(64,1)]' --shape 64,64 --from global "
         "--to shared "
         "--scope 128 --async --json\n"
         "  axe plan tma 'S[(4096,4096):(4096,1)]' 'swizzle(3,3,3) o S[(128,2,64):(64,8192,1)]' "
         "--tensor "
         "4096,4096 "
         "--shape 128,128\n"
         "  axe plan mma 'swizzle(3,3,3) o S[(64,64):(64,1)]' 'swizzle(3,3,3) o "
         "S[(64,128):(1,64)]' "
         "'S[(4,2,8,16,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]' --shape 64,128,64 --a "
         "shared --b "
         "shared\n";
}

}  // namespace program
