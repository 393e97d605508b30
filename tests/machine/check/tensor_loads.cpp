// Finds instructions that may read a register of a tcgen05.ld before a wait. The search follows all
// branches from the load, with the set of registers that need the wait. While the kernel runs, such
// a read is reported if the warp has executed the load and has not waited since.
#include "check/tensor_loads.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "check/registers.hpp"
#include "state/access.hpp"
#include "tcgen05/order.hpp"

namespace machine {
namespace {

/// A walk gives up after this number of instructions. nvcc's code has fewer than 1000 between a
/// load and its wait.
constexpr std::uint32_t most_steps = 1u << 20;

std::string_view opcode_of(program const& code, instruction const& i) {
  return code.places[i.statement].opcode;
}

/// True for programs compiled with nvcc -G, which stores each loaded register to its variable in
/// local memory before the wait.
bool is_for_debugging(source_text const& source) {
  if (source.target.empty()) return false;
  auto const begin = static_cast<std::size_t>(source.target.data() - source.text->data());
  auto const line = source.text->substr(begin, source.text->find('\n', begin) - begin);
  return line.find("debug") != std::string::npos;
}

class load_walk {
 public:
  load_walk(program const& code, std::uint32_t load) : code_(code) {
    auto const list = code.code[load].operands();
    begin_at(load + 1, {list.begin(), list.begin() + code.uses[load].results});
    while (!open_.empty()) {
      auto const at = open_.back();
      open_.pop_back();
      follow(at);
    }
  }
  [[nodiscard]] std::set<std::uint32_t> const& found() const { return found_; }

 private:
  using registers = std::set<std::uint32_t>;  // their offsets in the frame

  void begin_at(std::uint32_t at, registers const& pending) {
    auto& known = pending_at_[at];
    auto const before = known.size();
    known.insert(pending.begin(), pending.end());
    if (known.size() > before) open_.push_back(at);
  }

  /// Begins a path at each target of a jump. False for an instruction without jumps.
  bool begin_targets(instruction const& i, registers const& pending) {
    if (i.kind == control::jump) {
      begin_at(i.target, pending);
      return true;
    }
    if (i.kind != control::jump_table) return false;
    for (auto const target : code_.tables[i.target]) begin_at(target, pending);
    return true;
  }

  void follow(std::uint32_t at) {
    registers pending = pending_at_[at];
    for (; at < code_.code.size() && !pending.empty(); ++at) {
      auto const& i = code_.code[at];
      if (++steps_ > most_steps) return;
      if (i.kind == control::call || i.kind == control::call_pointer)
        return;  // the callee may wait
      bool const leaves = i.kind == control::ret || i.kind == control::exit ||
                          opcode_of(code_, i).starts_with("tcgen05.wait::ld");
      if (begin_targets(i, pending) || leaves || reads(at, pending)) {
        if (!i.has_guard) return;
      }
    }
  }

  /// Updates `pending`. If the instruction reads one of these registers and is not a mov, adds the
  /// instruction to found_ and returns true.
  bool reads(std::uint32_t at, registers& pending) {
    auto const& i = code_.code[at];
    auto const& use = code_.uses[at];
    auto const results = i.operands().first(use.results);
    auto const sources = i.operands().subspan(use.results, use.operands - use.results);
    bool const is_read = std::any_of(sources.begin(), sources.end(),
                                     [&](std::uint32_t each) { return pending.contains(each); }) ||
                         (i.members != 0 && pending.contains(i.members));
    if (is_read && opcode_of(code_, i).starts_with("mov.")) {
      pending.insert(results.begin(), results.end());
      return false;
    }
    if (!i.has_guard)
      for (auto const each : results) pending.erase(each);
    if (is_read) found_.insert(at);
    return is_read;
  }

  program const& code_;
  std::map<std::uint32_t, registers> pending_at_;  // by the index where a path begins
  std::vector<std::uint32_t> open_;
  std::set<std::uint32_t> found_;
  std::uint32_t steps_ = 0;
};

void run_user(warp& w, instruction const& i, std::uint32_t mask) {
  auto const& code = *w.run->code;
  auto const& user =
      w.run->watch->tensor_loads.users.at(static_cast<std::uint32_t>(&i - code.code.data()));
  auto const& pending = registers_of(w).tensor_loads;
  for (auto const load : user.loads)
    if (std::find(pending.begin(), pending.end(), load) != pending.end())
      fault(w, i, static_cast<unsigned>(std::countr_zero(mask)), trouble::in_flight, 0,
            say("reads a register that ", place_of_statement(*w.run, code.code[load].statement),
                " loads; no tcgen05.wait::ld of its warp lies between"));
  user.original(w, i, mask);
}

}  // namespace

tensor_load_watch::tensor_load_watch(program& copy) {
  if (is_for_debugging(*copy.source)) return;
  for (std::uint32_t load = 0; load < copy.code.size(); ++load) {
    auto const& i = copy.code[load];
    if (i.slot == 0 || !opcode_of(copy, i).starts_with("tcgen05.ld.")) continue;
    load_walk const walk(copy, load);
    for (auto const at : walk.found())
      if (copy.code[at].run != nullptr) users[at].loads.push_back(load);
  }
  for (auto& [at, each] : users) {
    auto& i = copy.code[at];
    auto& entry = i.unguarded != nullptr ? i.unguarded : i.run;
    each.original = entry;
    entry = run_user;
  }
}

void begin_tensor_load(warp& w, instruction const& i) {
  auto const& how = w.run->options;
  // A launch that collects warnings would get 256 from each of CuTe's Blackwell tutorials.
  if (w.run->watch == nullptr || !how.strict || how.warnings != nullptr) return;
  registers_of(w).tensor_loads.push_back(static_cast<std::uint32_t>(&i - w.run->code->code.data()));
}

void finish_tensor_loads(warp& w) {
  if (w.run->watch != nullptr) registers_of(w).tensor_loads.clear();
}

}  // namespace machine
