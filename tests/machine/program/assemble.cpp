// Makes a program of an entry and the functions that it can call. Lays out shared memory and
// parameters.
//
//     static shared variables start at 1024, aligned; dynamic ones (.extern .shared) follow
//     parameters lie as the members of a C++ struct, because a launch passes such a struct
#include <algorithm>
#include <set>

#include "execute/register_pool.hpp"
#include "program/assembler.hpp"
#include "state/address_map.hpp"

namespace machine {
namespace {

constexpr std::uint32_t align_up(std::uint32_t value, std::uint32_t to) {
  return (value + to - 1) / to * to;
}

/// Collects `from` and the functions with a body that it names, directly or through other
/// functions.
void collect(source_text const& source, function const& from, std::set<function const*>& seen) {
  if (!from.has_body || !seen.insert(&from).second) return;
  std::vector<operand const*> open;
  for (auto const& each : from.statements)
    for (auto const& part : each.operands) open.push_back(&part);
  while (!open.empty()) {
    auto const* at = open.back();
    open.pop_back();
    if (at->what == operand::kind::function)
      if (auto const* callee = source.find_function(at->name)) collect(source, *callee, seen);
    for (auto const& part : at->parts) open.push_back(&part);
  }
}

void collect_shared(function const& from, std::vector<variable const*>& list) {
  std::vector<operand const*> open;
  for (auto const& each : from.statements)
    for (auto const& part : each.operands) open.push_back(&part);
  for (auto const& each : from.locals)
    if (each.where == space::shared) list.push_back(&each);
  while (!open.empty()) {
    auto const* at = open.back();
    open.pop_back();
    if (at->symbol != nullptr && at->symbol->where == space::shared) list.push_back(at->symbol);
    for (auto const& part : at->parts) open.push_back(&part);
  }
}

void place_shared(assembly& whole, std::vector<variable const*> list) {
  std::sort(list.begin(), list.end(), [](auto const* a, auto const* b) {
    return std::pair(a->line, a) < std::pair(b->line, b);
  });
  list.erase(std::unique(list.begin(), list.end()), list.end());
  std::uint64_t at = shared_begin;
  std::uint32_t dynamic_alignment = 16;
  for (auto const* each : list) {
    if (each->is_extern || each->bytes == 0) {
      dynamic_alignment = std::max(dynamic_alignment, each->alignment);
      continue;
    }
    at = (at + each->alignment - 1) / each->alignment * each->alignment;
    whole.shared_addresses[each] = static_cast<std::uint32_t>(at);
    at += each->bytes;
    if (at > shared_limit)
      fail(trouble::launch, each->line, "more static shared memory than a block can have");
  }
  whole.out->static_shared_end = static_cast<std::uint32_t>(at);
  whole.out->dynamic_shared_base = align_up(static_cast<std::uint32_t>(at), dynamic_alignment);
  for (auto const* each : list)
    if (each->is_extern || each->bytes == 0)
      whole.shared_addresses[each] = whole.out->dynamic_shared_base;
}

void place_parameters(program& out, function const& entry) {
  std::uint32_t at = 0;
  for (auto const* each : entry.parameters) {
    at = align_up(at, each->alignment);
    out.parameters.push_back(
        {std::string(each->name), at, static_cast<std::uint32_t>(each->bytes)});
    if (each->bytes > 32764)
      fail(trouble::launch, each->line, "a kernel parameter of more than 32764 bytes");
    at += static_cast<std::uint32_t>(each->bytes);
  }
  out.parameter_bytes = at;
}

/// Sets the `length` of each instruction: the number of plain instructions from it to the end of
/// its run. A run ends before a target of a jump and before an instruction that is not plain.
void mark_runs(program& out) {
  std::vector<bool> leader(out.code.size() + 1, false);
  for (auto const& each : out.functions) leader[each.first] = true;
  for (auto const& each : out.tables)
    for (auto const target : each) leader[target] = true;
  for (std::size_t i = 0; i < out.code.size(); ++i) {
    if (out.code[i].kind == control::plain) continue;
    leader[i + 1] = true;
    if (out.code[i].kind == control::jump) leader[out.code[i].target] = true;
  }
  std::uint16_t length = 0;
  for (std::size_t i = out.code.size(); i-- > 0;) {
    if (leader[i + 1]) length = 0;
    length = out.code[i].kind == control::plain && length < 0xffff
                 ? static_cast<std::uint16_t>(length + 1)
                 : std::uint16_t{0};
    out.code[i].length = length;
  }
}

}  // namespace

std::uint32_t frame_of(assembly& whole, function const& callee) {
  auto const [found, fresh] = whole.frames.try_emplace(
      callee.name, static_cast<std::uint32_t>(whole.out->functions.size()));
  if (fresh) {
    whole.out->functions.emplace_back();
    whole.queue.push_back(&callee);
  }
  return found->second;
}

std::shared_ptr<program const> assemble(std::shared_ptr<source_text const> const& source,
                                        function const& entry, linkage const& links) {
  auto out = std::make_shared<program>();
  out->name = std::string(entry.name);
  out->source = source;
  std::copy_n(entry.required_threads, 3, out->required_threads);
  std::copy_n(entry.maximum_threads, 3, out->maximum_threads);
  std::copy_n(entry.required_cluster, 3, out->required_cluster);
  out->most_registers = entry.most_registers[0];
  out->blocks_per_processor = entry.blocks_per_processor[0];
  assembly whole{out.get(), &links, {}, {}, {}, false};

  std::set<function const*> reachable;
  collect(*source, entry, reachable);
  for (auto const& each : source->variables)  // initialisers may be tables of function pointers
    for (auto const& part : each.initials)
      if (!part.symbol.empty())
        if (auto const* callee = source->find_function(part.symbol))
          collect(*source, *callee, reachable);
  std::vector<variable const*> shared;
  for (auto const* each : reachable) collect_shared(*each, shared);
  place_shared(whole, std::move(shared));
  place_parameters(*out, entry);

  frame_of(whole, entry);
  for (std::size_t done = 0; done < whole.queue.size(); ++done) {
    assembler(whole, *whole.queue[done], static_cast<std::uint32_t>(done)).run();
    if (whole.has_pointer_calls)  // a pointer may hold any reachable function
      for (auto const* each : reachable)
        if (!each->is_entry)
          out->function_addresses[function_window + 16 * links.function_numbers.at(each->name)] =
              frame_of(whole, *each);
  }
  mark_runs(*out);
  if (links.packs_registers) pack_registers(*out, whole.uses, whole.registers);
  out->uses = std::move(whole.uses);
  out->entry_registers = entry_registers(*out);
  return out;
}

}  // namespace machine
