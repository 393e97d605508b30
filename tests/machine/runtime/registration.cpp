// Implements launches, and the functions that a program's static initialisers call.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "check/strict.hpp"
#include "mutate/mutate.hpp"
#include "runtime/context.hpp"
#include "runtime/counters.hpp"
#include "runtime/record.hpp"

namespace machine::runtime {
namespace {

/// Prints progress every five seconds.
void show_progress(launch_progress const& now) {
  static double last = 0;
  if (now.seconds < last) last = 0;  // a new launch
  if (now.seconds < last + 5) return;
  last = now.seconds;
  std::fprintf(stderr, "    %s: %llu of %llu clusters after %.0f s\n", now.kernel.c_str(),
               static_cast<unsigned long long>(now.done), static_cast<unsigned long long>(now.all),
               now.seconds);
}

}  // namespace

context::context() {
  if (char const* when = std::getenv("AXE_MACHINE_LANDING")) {
    if (std::strcmp(when, "late") == 0) options.when = landing::late;
    if (std::strcmp(when, "random") == 0) options.when = landing::random;
  }
  if (char const* seed = std::getenv("AXE_MACHINE_SEED"))
    options.seed = std::strtoull(seed, nullptr, 10);
  if (char const* strict = std::getenv("AXE_MACHINE_STRICT")) {
    options.strict = std::strcmp(strict, "0") != 0;
    if (std::strcmp(strict, "warn") == 0)
      // The list is never destroyed, because destructors of programs may launch kernels.
      options.warnings = new warning_list;
  }
  if (char const* checks = std::getenv("AXE_MACHINE_CHECKS")) {
    bool const bounds_alone = std::strcmp(checks, "bounds") == 0;
    if (bounds_alone) options.check_races = false;
    if (bounds_alone || std::strcmp(checks, "races") == 0) options.check_written = false;
  }
  if (char const* count = std::getenv("AXE_MACHINE_PROCESSORS"); count != nullptr && *count != 0) {
    auto const asked = std::strtol(count, nullptr, 10);
    if (asked >= 1 && asked <= 1024)
      asked_processors = static_cast<int>(asked);
    else
      std::fprintf(stderr, "machine: AXE_MACHINE_PROCESSORS must be 1 to 1024, not '%s'\n", count);
  }
  if (char const* threads = std::getenv("AXE_MACHINE_THREADS"))
    options.threads = static_cast<unsigned>(std::min(std::strtoul(threads, nullptr, 10), 256ul));
  options.progress = show_progress;
  open_counters(*this);
  open_record(*this);
}

namespace {

/// Returns the PTX text without the mutation site whose number is AXE_MACHINE_WITHOUT. A site is a
/// statement that mutants change: a barrier, arrival, wait, commit or fence, which is removed, or
/// an ordered access, which becomes relaxed (mutate/mutate.hpp).
std::string mutated(std::string const& text) {
  char const* const without_site = std::getenv("AXE_MACHINE_WITHOUT");
  if (without_site == nullptr || *without_site == 0) return text;
  auto const sites = mutation_sites(text);
  auto const number = std::strtoull(without_site, nullptr, 10);
  return number >= 1 && number <= sites.size() ? without(text, sites[number - 1]) : text;
}

/// Lists the mutation sites of each launched kernel once in the file AXE_MACHINE_SITES. A site has
/// its number in the whole PTX text. Sites of device functions are listed with the first kernel.
void note_sites(context& all, known_kernel const& launched) {
  char const* const file = std::getenv("AXE_MACHINE_SITES");
  if (file == nullptr || *file == 0) return;
  static std::set<std::string> noted;
  if (!noted.insert(launched.name).second) return;
  auto const& text = launched.home->texts.found.front();
  std::set<std::size_t> elsewhere;
  for (auto const& [address, kernel] : all.kernels)
    if (kernel.home == launched.home && kernel.name != launched.name)
      for (auto const& site : mutation_sites(text, kernel.name)) elsewhere.insert(site.begin);
  auto* const out = std::fopen(file, noted.size() == 1 ? "w" : "a");
  if (out == nullptr) return;
  static std::set<std::size_t> written;
  auto const sites = mutation_sites(text);
  for (std::size_t k = 0; k < sites.size(); ++k)
    if (elsewhere.count(sites[k].begin) == 0 && written.insert(sites[k].begin).second)
      std::fprintf(out, "%zu PTX line %d: %s\n", k + 1, sites[k].line, sites[k].statement.c_str());
  std::fclose(out);
}

}  // namespace

/// The object is never destroyed, because destructors of programs may call the runtime.
context& context::instance() {
  static auto* const one = new context;
  return *one;
}

cudaError_t remember(cudaError_t code) {
  if (code != cudaSuccess) context::instance().last = code;
  return code;
}

module& code_of(context& all, loaded_module& home) {
  if (home.code == nullptr) {
    auto const& found = home.texts.found;
    auto const& problem = home.texts.problem;
    if (found.empty())
      fail(trouble::launch, 0,
           !problem.empty() ? problem
                            : "the program has no PTX: build it with -gencode "
                              "arch=compute_90a,code=compute_90a");
    home.code = std::make_unique<module>(load(mutated(found.front()), all.memory));
  }
  return *home.code;
}

namespace {

/// Returns the kernel, the shape and the arguments of a launch as one string.
std::string identity_of(void const* kernel, dim3 grid, dim3 block, dim3 cluster, std::size_t shared,
                        std::vector<argument> const& values) {
  std::string identity;
  for (std::uint64_t const each :
       {reinterpret_cast<std::uint64_t>(kernel), std::uint64_t{grid.x}, std::uint64_t{grid.y},
        std::uint64_t{grid.z}, std::uint64_t{block.x}, std::uint64_t{block.y},
        std::uint64_t{block.z}, std::uint64_t{cluster.x}, std::uint64_t{cluster.y},
        std::uint64_t{cluster.z}, std::uint64_t{shared}})
    identity.append(reinterpret_cast<char const*>(&each), sizeof(each));
  for (auto const& value : values)
    identity.append(reinterpret_cast<char const*>(value.bytes().data()), value.bytes().size());
  return identity;
}

}  // namespace

cudaError_t launch(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   dim3 cluster) {
  return guarded(cudaErrorLaunchFailure, [&](context& all) {
    auto const found = all.kernels.find(kernel);
    if (found == all.kernels.end()) return cudaErrorInvalidDeviceFunction;
    auto& code = code_of(all, *found->second.home);
    note_sites(all, found->second);
    auto const decoded = code.decode(found->second.name);
    std::vector<argument> values;
    for (std::size_t i = 0; i < decoded->parameters.size(); ++i)
      values.emplace_back(arguments[i], decoded->parameters[i].bytes);
    bool const repeats = is_repeated(identity_of(kernel, grid, block, cluster, shared, values));
    recorded_launch record{found->second.name, grid, block, 0, 0, repeats};
    if (record.skipped) {
      record_launch(record);
      return cudaSuccess;
    }
    auto const begin = std::chrono::steady_clock::now();
    std::string printed;
    auto options = all.options;
    options.output = &printed;
    auto const print = [&] { std::fwrite(printed.data(), 1, printed.size(), stdout); };
    try {
      auto const result = code.launch(
          found->second.name, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
          {cluster.x, cluster.y, cluster.z}, static_cast<std::uint32_t>(shared), values, options);
      print();
      if (result.counts != nullptr) add_counts(all, *result.counts);
      record.instructions = result.counted.thread_instructions;
      record.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      record_launch(record);
    } catch (error const& wrong) {
      print();
      if (wrong.details().what == trouble::launch) {
        print_fault(wrong.what());
        return cudaErrorInvalidConfiguration;
      }
      all.sticky = cudaErrorLaunchFailure;
      throw;
    }
    return cudaSuccess;
  });
}

}  // namespace machine::runtime

using machine::runtime::context;
using machine::runtime::loaded_module;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  auto& all = context::instance();
  all.modules.push_back(std::make_unique<loaded_module>());
  all.modules.back()->texts = machine::runtime::texts_in(wrapper);
  all.architecture = std::max(all.architecture, all.modules.back()->texts.architecture);
  return reinterpret_cast<void**>(all.modules.back().get());
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 0; }

void __cudaRegisterFunction(void** handle, char const* host, char*, char const* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  context::instance().kernels[host] = {reinterpret_cast<loaded_module*>(handle), name};
}

void __cudaRegisterVar(void** handle, char* host, char*, char const* name, int, std::size_t size,
                       int, int) {
  context::instance().variables[host] = {reinterpret_cast<loaded_module*>(handle), name, size};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     cudaStream_t stream) {
  context::instance().configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  auto& list = context::instance().configurations;
  if (list.empty()) return cudaErrorMissingConfiguration;
  *grid = list.back().grid;
  *block = list.back().block;
  *shared = list.back().shared;
  *static_cast<cudaStream_t*>(stream) = list.back().stream;
  list.pop_back();
  return cudaSuccess;
}

/// The handle of a kernel is the address of its host stub.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, void const* host) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return context::instance().kernels.contains(host) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t) {
  return machine::runtime::launch(kernel, grid, block, arguments, shared, {1, 1, 1});
}

cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t) {
  return machine::runtime::launch(kernel, grid, block, arguments, shared, {1, 1, 1});
}

cudaError_t cudaLaunchCooperativeKernel(void const* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared, cudaStream_t) {
  return machine::runtime::launch(kernel, grid, block, arguments, shared, {1, 1, 1});
}

cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* how, void const* kernel,
                                void** arguments) {
  dim3 cluster{1, 1, 1};
  for (unsigned i = 0; i < how->numAttrs; ++i)
    if (how->attrs[i].id == cudaLaunchAttributeClusterDimension)
      cluster = {how->attrs[i].val.clusterDim.x, how->attrs[i].val.clusterDim.y,
                 how->attrs[i].val.clusterDim.z};
  return machine::runtime::launch(kernel, how->gridDim, how->blockDim, arguments,
                                  how->dynamicSmemBytes, cluster);
}

}  // extern "C"
