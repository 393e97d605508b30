// Stopping: what the plain forms (`group`, `places`, …) do with a refusal that their try_ forms return.
//
//     in a constant expression   the build stops at the rule's line in refusal/rules.def, sentence and all
//     for carriers and literals  the build stops and the first line is the sentence with its numbers
//     on the host                throws axe::refused; under -fno-exceptions calls the refusal handler, then traps
//     on the device              traps
#pragma once

#include <axe/refusal/refusal.hpp>

#if AXE_EXCEPTIONS
#include <exception>
#elif !defined(__CUDACC_RTC__)
#include <cstdio>
#endif

namespace axe::inline AXE_NAMESPACE {

#if AXE_EXCEPTIONS
/// Thrown on the host. what() is "operation: sentence"; `why` holds the rule and the numbers.
class refused : public std::exception {
 public:
  refused(char const* operation, refusal const& reason, operands const& about) : why(reason) {
    message.put(operation);
    message.put(": ");
    print(message, reason, about);
  }
  char const* what() const noexcept override { return message.c_str(); }

  refusal why;

 private:
  refusal_text message;
};
#endif

#if !AXE_EXCEPTIONS && !defined(__CUDACC_RTC__)
/// What to call with "operation: sentence" when exceptions are off; it should not return. The default writes to stderr.
using refusal_handler = void (*)(char const* message);
inline refusal_handler on_refusal = [](char const* message) { std::fprintf(stderr, "axe: %s\n", message); };
#endif

namespace detail {

[[noreturn]] AXE_FN inline void halt() {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  __trap();
#else
  __builtin_trap();
#endif
}

/// One function a rule, not constexpr on purpose: a constant expression that reaches it stops there, and the compiler shows the
/// rule's name and its line in rules.def, sentence and all.
namespace stopped_by {
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  [[noreturn]] AXE_FN inline void NAME(char const*) { halt(); }
#include <axe/refusal/rules.def>
#undef AXE_RULE
}  // namespace stopped_by

[[noreturn]] AXE_FN inline void stop_program([[maybe_unused]] char const* operation, [[maybe_unused]] refusal const& why,
                                             [[maybe_unused]] operands const& about) {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  halt();
#elif AXE_EXCEPTIONS
  throw refused(operation, why, about);
#else
  refusal_text message;
  message.put(operation);
  message.put(": ");
  print(message, why, about);
  on_refusal(message.c_str());
  halt();
#endif
}

/// Does nothing for rule::none; for a refusal ends what the plain form of an operation began. That form calls it directly:
/// every call in between is lines in a message.
AXE_FN constexpr void stop_on(refusal const& why, char const* operation, operands const& about) {
  if (why.which == rule::none) return;
  if (__builtin_is_constant_evaluated()) {
    using namespace stopped_by;
    switch (why.which) {
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: NAME(WORDS);
#include <axe/refusal/rules.def>
#undef AXE_RULE
      default: break;
    }
  }
  stop_program(operation, why, about);
}

}  // namespace detail

/// Named in a message and never used otherwise: a refusal's numbers are their arguments. Asking one for a member it does not have
/// is the shortest way to have a compiler print it.
namespace error {

#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  template <auto... Facts>                   \
  struct NAME {};
#include <axe/refusal/rules.def>
#undef AXE_RULE

/// The whole sentence, where the compiler prints a text argument as text (g++).
template <auto Sentence>
struct refused {};

/// A declared axis in a message, by its characters.
template <char... Name>
struct axis_called {};

}  // namespace error

namespace detail {

/// A built-in axis as itself, a declared one by its characters: compilers print the value of those as a number.
template <axis A, char... Name>
AXE_FN constexpr auto spelled() {
  if constexpr (!is_declared(A)) {
    return A;
  } else {
    constexpr unsigned code = sizeof...(Name) < 9 ? (static_cast<stl::uint64_t>(A) >> (6 * sizeof...(Name))) & 63 : 0;
    if constexpr (code == 0)
      return error::axis_called<Name...>{};
    else
      return spelled<A, Name..., unpack_character(code)>();
  }
}

AXE_FN constexpr int numbers_in(rule which) {
  switch (which) {
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: return NUMBERS;
#include <axe/refusal/rules.def>
#undef AXE_RULE
    default: return 0;
  }
}
AXE_FN constexpr int axes_in(rule which) {
  switch (which) {
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: return AXES;
#include <axe/refusal/rules.def>
#undef AXE_RULE
    default: return 0;
  }
}

template <class Source>
using number_positions = stl::make_integer_sequence<int, numbers_in(Source::why().which)>;
template <class Source>
using axis_positions = stl::make_integer_sequence<int, axes_in(Source::why().which)>;

template <int Capacity>
struct message {
  char characters[Capacity]{};
};

/// Source::text() in an array of just its length.
template <class Source>
AXE_FN constexpr auto exact_message() {
  constexpr auto whole = Source::text();
  message<whole.size() + 1> m;
  for (int i = 0; i < whole.size(); ++i) m.characters[i] = whole.characters[i];
  return m;
}

/// Stops the build when Source::why() is a refusal: g++ prints the sentence, clang and nvcc the rule with its numbers and
/// the rule's line. (clang 19 cuts a text argument after 36 characters, nvcc 13.0 prints it one character at a time.)
template <class Source, int... Number, int... Axis>
AXE_FN constexpr void report(stl::integer_sequence<int, Number...>, stl::integer_sequence<int, Axis...>) {
  [[maybe_unused]] constexpr refusal why = Source::why();
#if defined(__CUDACC__) || defined(__clang__)
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS)  \
  if constexpr (why.which == rule::NAME)      \
    using stop [[maybe_unused]] = typename error::NAME<why.numbers[Number]..., spelled<why.axes[Axis]>()...>::stop;
#include <axe/refusal/rules.def>
#undef AXE_RULE
#else
  if constexpr (why.which != rule::none)
    using stop [[maybe_unused]] = typename error::refused<exact_message<Source>()>::stop;
#endif
}

}  // namespace detail

}  // namespace axe::inline AXE_NAMESPACE
