// What the kinds of `axe plan` have in common: the element type, the architecture, who executes,
// and how a plan is written.
//
//     plan_request r("plan copy", given, {{"--from", true}, …});
//     if (!r.read_layouts({"FROM", "TO"}, "FROM TO") || !r.read_type("--type", type)) return r.report(err);
//     return r.answer(out, err, plan, about, for_programs);          the plan in words or as JSON, or its refusal
#pragma once

#include "commands/request.hpp"
#include "text/json.hpp"
#include "text/sink.hpp"

#include <axe/atoms/element_type.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/tma_plan.hpp>

#include <ostream>

namespace program {

class plan_request : public request {
 public:
  plan_request(char const* command, std::vector<std::string> const& given,
               std::vector<option> more);

  /// The options --arch and --scope, for all kinds.
  bool read_target();
  /// An element type; `otherwise` when the option is not given.
  bool read_type(char const* option, axe::element_type otherwise, axe::element_type& out);
  bool read_space(char const* option, axe::memory_space otherwise, axe::memory_space& out);

  /// The last step of every kind: the plan in words, or as what `json(plan, about)` makes of it, or
  /// why there is none.
  template <class Plan, class Json>
  int answer(std::ostream& out, std::ostream& err, axe::outcome<Plan> const& plan,
             axe::operands const& about, Json const& json_of) {
    if (!plan) return refuse(plan.why, about), report(err);
    if (json()) {
      out << json_of(*plan, about);
      return answered;
    }
    std::string words;
    text::sink to(words);
    if constexpr (requires { print(to, *plan, about); })
      print(to, *plan, about);
    else
      print(to, *plan);
    out << words << (words.back() == '\n' ? "" : "\n");
    return answered;
  }

  axe::architecture target = axe::architecture::sm_90a;
  axe::integer threads = 1;
};

/// "ldmatrix.x4, ldmatrix.x2, …": every name that an enum has, for a sentence about one that is
/// none.
template <class Enum, int Count> std::string names_of() {
  std::string all;
  for (int k = 0; k < Count; ++k)
    all += (k == 0 ? "" : ", ") + std::string(name_of(static_cast<Enum>(k)));
  return all;
}

/// "candidates":[{"instruction":"ldmatrix.x4","why":"…"},…]: why is null for the one that was
/// chosen. `name` gives an instruction's name.
template <class Instruction, class Name>
void write_candidates(text::json& out, axe::candidate_list<Instruction> const& all,
                      axe::operands const& about, Name const& name) {
  out.key("candidates").array();
  for (auto const& each : all) {
    out.object().key("instruction").string(name(each.instruction)).key("why");
    if (each.accepted()) {
      out.null();
    } else {
      std::string sentence;
      text::sink to(sentence);
      axe::print(to, each.why, about);
      out.string(sentence);
    }
    out.end();
  }
  out.end();
}

/// The fields of a tensor copy, into an object that is open: tma.cpp.
void write_tensor_copy(text::json& out, axe::tma_plan const& plan, axe::operands const& about);
/// The reduction that --reduction names; none where it is not given.
bool read_reduction(plan_request& r, axe::tma_reduction& out);

/// One kind each: copy.cpp, tma.cpp, mma.cpp, convert.cpp, reduce.cpp. `given` is without the word
/// that names the kind.
int plan_of_copy(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_tma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_mma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_convert(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
int plan_of_reduce(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);

}  // namespace program
