// Loads modules, allocates their variables, and checks and runs launches.
#include "machine.hpp"

#include <algorithm>
#include <optional>

#include "check/registers.hpp"
#include "count/counting.hpp"
#include "program/assembler.hpp"
#include "schedule/launch.hpp"
#include "state/address_map.hpp"

namespace machine {

struct module::state {
  device* memory = nullptr;
  linkage links;
  std::map<std::string, std::shared_ptr<program const>> programs;
  std::vector<std::uint64_t> allocations;
  std::uint64_t launches = 0;
  ~state() {
    for (auto const each : allocations) memory->free(each);
  }
};

namespace {

void write_initials(source_text const& source, linkage const& links, variable const& of,
                    std::vector<std::byte>& bytes) {
  for (auto const& part : of.initials) {
    std::uint64_t value = part.value;
    if (!part.symbol.empty()) {
      if (auto const number = links.function_numbers.find(part.symbol);
          number != links.function_numbers.end()) {
        value += function_window + 16 * number->second;
      } else if (auto const* symbol = source.find_variable(part.symbol);
                 symbol != nullptr && links.addresses.contains(symbol)) {
        value += links.addresses.at(symbol);
      } else {
        fail(trouble::text, of.line,
             say("the initialiser of '", of.name, "' names '", part.symbol,
                 "', which has no address"));
      }
    }
    std::memcpy(bytes.data() + part.offset, &value,
                std::min<std::size_t>(part.bytes, sizeof value));
  }
}

extent3 chosen_cluster(program const& code, extent3 asked) {
  auto const& required = code.required_cluster;
  if (required[0] == 0) return asked;
  extent3 const fixed{required[0], required[1], required[2]};
  if (asked != extent3{} && asked != fixed)
    fail(trouble::launch, 0,
         say(code.name, " is compiled for clusters of ", fixed.x, 'x', fixed.y, 'x', fixed.z,
             "; the launch gives ", asked.x, 'x', asked.y, 'x', asked.z));
  return fixed;
}

void check_shape(program const& code, extent3 grid, extent3 block, extent3 cluster,
                 std::uint32_t dynamic_shared) {
  auto const refuse = [&](std::string sentence) {
    fail(trouble::launch, 0, say("launch of ", code.name, ": ", sentence));
  };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
    refuse("an extent of grid or block is zero");
  std::uint64_t const threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads > 1024 || block.x > 1024 || block.y > 1024 || block.z > 64)
    refuse(say("a block of ", block.x, 'x', block.y, 'x', block.z,
               " threads; at most 1024 threads, and 64 in z, are possible"));
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    refuse("a grid beyond 2^31-1 x 65535 x 65535");
  auto const& required = code.required_threads;
  if (required[0] != 0 && extent3{required[0], required[1], required[2]} != block)
    refuse(say(".reqntid asks for ", required[0], 'x', required[1], 'x', required[2], " threads"));
  auto const& most = code.maximum_threads;
  if (most[0] != 0 && threads > std::uint64_t{most[0]} * most[1] * most[2])
    refuse(
        say(threads, " threads, and .maxntid allows ", std::uint64_t{most[0]} * most[1] * most[2]));
  std::uint64_t const blocks = std::uint64_t{cluster.x} * cluster.y * cluster.z;
  if (blocks == 0 || blocks > 16) refuse("a cluster has 1 to 16 blocks");
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    refuse("the grid is not a multiple of the cluster");
  if (std::uint64_t{code.dynamic_shared_base} + dynamic_shared > shared_limit)
    refuse(say(dynamic_shared, " bytes of dynamic shared memory and ",
               code.static_shared_end - shared_begin, " static; at most ",
               shared_limit - shared_begin));
}

/// Places the arguments where the entry expects its parameters.
std::vector<std::byte> parameter_bytes_of(program const& code, std::string const& entry,
                                          std::vector<argument> const& arguments) {
  if (arguments.size() != code.parameters.size())
    fail(trouble::launch, 0,
         say(entry, " has ", code.parameters.size(), " parameters, the launch gives ",
             arguments.size()));
  std::vector<std::byte> all(code.parameter_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto const& wanted = code.parameters[i];
    auto const& bytes = arguments[i].bytes();
    if (bytes.size() != wanted.bytes)
      fail(trouble::launch, 0,
           say("argument ", i, " of ", entry, " has ", bytes.size(), " bytes, the parameter ",
               wanted.bytes));
    std::copy(bytes.begin(), bytes.end(), all.begin() + wanted.offset);
  }
  return all;
}

/// Adds up the instructions that threads and warps have executed.
counters executed_in(running const& run, program const& code) {
  counters sum;
  for (std::size_t i = 0; i < code.code.size(); ++i) {
    std::uint64_t const length = std::max<std::uint64_t>(1, code.code[i].length);
    sum.thread_instructions += run.runs[i] * length;
    sum.warp_instructions += run.warp_runs[i] * length;
  }
  return sum;
}

}  // namespace

module::module(std::shared_ptr<source_text const> source,
               device& memory) :source_(std::move(source)),
    state_(std::make_shared<state>()) {
  state_->memory = &memory;
  std::uint32_t number = 1;
  for (auto const& each : source_->functions)
    state_->links.function_numbers.try_emplace(each.name, number++);
  for (auto const& each : source_->variables) {
    if (each.where != space::global && each.where != space::constant) continue;
    if (each.is_extern && each.bytes == 0) continue;
    auto const at = memory.allocate(each.bytes, std::max<std::uint64_t>(each.alignment, 256));
    state_->links.addresses[&each] = at;
    state_->allocations.push_back(at);
  }
  for (auto const& each : source_->variables) {
    auto const found = state_->links.addresses.find(&each);
    if (found == state_->links.addresses.end()) continue;
    std::vector<std::byte> bytes(each.bytes);  // zeros where there is no initialiser
    write_initials(*source_, state_->links, each, bytes);
    memory.copy_in(found->second, bytes.data(), bytes.size());
    if (each.where == space::constant) memory.protect(found->second);
  }
}

std::vector<std::string> module::entries() const {
  std::vector<std::string> names;
  for (auto const& each : source_->functions)
    if (each.is_entry && each.has_body) names.emplace_back(each.name);
  return names;
}

allocation module::variable_address(std::string const& name) const {
  auto const* found = source_->find_variable(name);
  if (found == nullptr || !state_->links.addresses.contains(found))
    fail(trouble::launch, 0, say("the module has no .global or .const variable '", name, "'"));
  auto const at = state_->links.addresses.at(found);
  return {at, at + found->bytes, found->where == space::constant};
}

void module::keep_registers_apart() {
  state_->links.packs_registers = false;
  state_->programs.clear();
}

std::shared_ptr<program const> module::decode(std::string const& entry) {
  auto& known = state_->programs[entry];
  if (known != nullptr) return known;
  auto const* found = source_->find_function(entry);
  if (found == nullptr || !found->is_entry || !found->has_body)
    fail(trouble::launch, 0, say("the module has no entry '", entry, "'"));
  known = assemble(source_, *found, state_->links);
  return known;
}

result module::launch(std::string const& entry, extent3 grid, extent3 block, extent3 cluster,
                      std::uint32_t dynamic_shared, std::vector<argument> const& arguments,
                      launch_options options) {
  auto const code = decode(entry);
  auto const clusters = chosen_cluster(*code, cluster);
  check_shape(*code, grid, block, clusters, dynamic_shared);

  running run;
  run.parameters = parameter_bytes_of(*code, entry, arguments);
  run.code = code.get();
  run.memory = state_->memory;
  run.options = options;
  run.grid = grid;
  run.block_extent = block;
  run.cluster_extent = clusters;
  run.threads = block.x * block.y * block.z;
  run.dynamic_shared = dynamic_shared;
  run.grid_number = ++state_->launches;
  run.shadow_distance = state_->memory->shadow_distance();
  run.check_written = options.check_written;
  std::optional<register_watch> watch;
  if (options.check_races && watch.emplace(*code).watches()) {
    run.watch = &*watch;
    run.code = &watch->copy;
  }
  std::optional<counting> counted;
  if (options.count) run.code = &counted.emplace(*run.code).copy;
  run.counts = options.count ? &*counted : nullptr;
  run.start_counters();
  result done;
  bool const own_output = run.options.output == nullptr;
  if (own_output) run.options.output = &done.output;
  run_grid(run);
  done.counted = executed_in(run, *code);
  if (options.count) done.counts = std::make_shared<kernel_counts>(summary(run, *counted));
  return done;
}

module load(std::string ptx, device& memory) { return module(parse(std::move(ptx)), memory); }

}  // namespace machine
