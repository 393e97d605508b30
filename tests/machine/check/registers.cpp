// Finds the registers that wgmma uses and the instructions that name them, and checks the two rules
// of registers.hpp.
#include "check/registers.hpp"

#include <bit>

#include "async/warpgroup.hpp"
#include "check/strict.hpp"

namespace machine {
namespace {

bool multiplies(program const& code, instruction const& i) {
  return i.slot != 0 && code.places[i.statement].opcode.starts_with("wgmma.mma_async");
}

std::uint32_t function_of(program const& code, std::size_t index) {
  std::uint32_t holder = 0;
  for (std::uint32_t f = 0; f < code.functions.size(); ++f)
    if (code.functions[f].first <= index && code.functions[f].first >= code.functions[holder].first)
      holder = f;
  return holder;
}

void run_watched(warp& w, instruction const& i, std::uint32_t mask) {
  auto const& all = *w.run->watch;
  auto const index = static_cast<std::size_t>(&i - w.run->code->code.data());
  auto& mine = registers_of(w);
  std::uint64_t const waited = warpgroup_of(w).waited[w.number % 4];
  for (auto const number : all.touches[index]) {
    auto& state = mine.of[number];
    if (state.owner > waited) {
      auto const& user = all.copy.places[state.statement];
      fault(w, i, static_cast<unsigned>(std::countr_zero(mask)), trouble::in_flight, 0,
            say("touches a register of the wgmma in PTX line ", user.ptx_line,
                ", for which no wgmma.wait_group has waited"));
    }
    state.touched = true;
  }
  all.originals[index](w, i, mask);
}

}  // namespace

watched_registers& registers_of(warp& w) {
  if (w.watched == nullptr) {
    w.watched = std::make_unique<watched_registers>();
    w.watched->of.resize(w.run->watch->count);
  }
  return *w.watched;
}

register_watch::register_watch(program const& code) : copy(code) {
  std::vector<std::vector<std::uint32_t>> numbers(
      code.functions.size());  // by function, by offset / 4
  owns.resize(code.code.size());
  for (std::size_t index = 0; index < code.code.size(); ++index) {
    auto const& i = code.code[index];
    if (!multiplies(code, i)) continue;
    auto& of_function = numbers[function_of(code, index)];
    auto const list = i.operands();
    for (std::size_t k = 0; k < registers_used(i); ++k) {
      if (of_function.size() <= list[k] / 4) of_function.resize(list[k] / 4 + 1, 0);
      auto& number = of_function[list[k] / 4];
      if (number == 0) number = count++;
      owns[index].push_back(number);
    }
  }
  if (count == 1) return;  // no wgmma
  originals.resize(code.code.size());
  touches.resize(code.code.size());
  for (std::size_t index = 0; index < copy.code.size(); ++index) {
    auto& i = copy.code[index];
    auto const& of_function = numbers[function_of(code, index)];
    if (of_function.empty() || i.run == nullptr || !owns[index].empty()) continue;
    for (auto const offset : i.operands())  // offset 0 is the condition code
      if (offset / 4 < of_function.size() && of_function[offset / 4] != 0)
        touches[index].push_back(of_function[offset / 4]);
    if (touches[index].empty()) continue;
    auto& entry = i.unguarded != nullptr ? i.unguarded : i.run;
    originals[index] = entry;
    entry = run_watched;
  }
}

void use_registers(warp& w, instruction const& i, std::uint64_t number) {
  if (w.run->watch == nullptr) return;
  auto const& all = *w.run->watch;
  auto& mine = registers_of(w);
  if (w.run->options.strict && !mine.fenced)
    fault_or_warn(w, i, 0, trouble::proxy, 0, [] {
      return std::string("the warp's first wgmma has no wgmma.fence before it");
    });
  for (auto const each : all.owns[static_cast<std::size_t>(&i - w.run->code->code.data())]) {
    auto& state = mine.of[each];
    if (w.run->options.strict && state.touched)
      fault_or_warn(w, i, 0, trouble::proxy, 0, [] {
        return std::string(
            "uses a register that other instructions have touched since the last wgmma.fence");
      });
    state.owner = number;
    state.statement = i.statement;
  }
}

void fence_registers(warp& w) {
  if (w.run->watch == nullptr) return;
  auto& mine = registers_of(w);
  mine.fenced = true;
  for (auto& each : mine.of) each.touched = false;
}

}  // namespace machine
