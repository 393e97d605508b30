// SPDX-License-Identifier: MIT
// stop_on(outcome): the value of an outcome. A refusal ends the operation by a compile error, an
// exception or a trap.
//
//     return stop_on(try_slice(l, s, r), "slice", {&l, nullptr, &s});
//
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/base/integers.hpp>
#include <axe/base/traits.hpp>
#include <axe/sentence/sentence.hpp>

#if AXE_EXCEPTIONS
#include <new>  // for std::exception: <exception> includes much more
#elif !defined(__CUDACC_RTC__)
#include <cstdio>
#endif

namespace axe {
inline namespace AXE_NAMESPACE {

#if AXE_EXCEPTIONS
/// Thrown for a refusal. what() is "operation: sentence".
class refused : public std::exception {
 public:
  /// The constructor is a template, so that it is compiled only if called.
  template <int = 0>
  refused(char const* operation, refusal const& reason, operands const& about)
      : why(reason), message(detail::sentence_of(operation, reason, about)) {}
  char const* what() const noexcept override { return message.c_str(); }

  refusal why;

 private:
  refusal_text message;
};
#endif

#if !AXE_EXCEPTIONS && !defined(__CUDACC_RTC__)
/// Called with "operation: sentence" when exceptions are off. The program traps if it returns.
using refusal_handler = void (*)(char const* message);
inline refusal_handler on_refusal = [](char const* message) {
  std::fprintf(stderr, "axe: %s\n", message);
};
#endif

namespace detail {

#if defined(__CUDACC__) && !defined(__clang__)
AXE_FN inline void refuse() { halt(); }
#endif

/// A refusal, or an outcome<T> with erased type. The latter converts to T, the outcome's value.
struct passed_outcome {
  refusal const& why;
  any_outcome const* of = nullptr;
#ifdef __clang__
  char const* line = why ? name_of(why.which) : nullptr;  // clang prints arguments of stop_on
#endif

  AXE_FN constexpr passed_outcome(refusal const& alone) : why(alone) {}
  template <class T>
  AXE_FN constexpr passed_outcome(outcome<T> const& result) : why(result.why), of(&result) {}
  template <class T> AXE_FN constexpr operator T() const {
    return static_cast<outcome<T> const*>(of)->value;
  }
};

/// Operations call it directly: each call in between adds lines to the compiler's message.
AXE_LAZY_FN constexpr passed_outcome stop_on(passed_outcome result,
                                             [[maybe_unused]] char const* operation,
                                             [[maybe_unused]] operands const& about = {}) {
  refusal const& why = result.why;
  if (!why) return result;
  if (__builtin_is_constant_evaluated()) {
#ifdef __clang__
    __builtin_trap();
#else
    // g++ prints the line of rules.def, and nvcc its expansion with WORDS.
    switch (why.which) {
#if defined(__CUDACC__)
#define AXE_RULE(NAME, WORDS) \
  case rule::NAME:            \
    refuse();                 \
    break;                    \
    static_assert(1, WORDS);
#else
#define AXE_RULE(NAME, WORDS) \
  case rule::NAME: __builtin_trap();
#endif
#include <axe/refusal/rules.def>
#undef AXE_RULE
      default: break;
    }
#endif
  }
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  halt();
#elif AXE_EXCEPTIONS
  throw refused(operation, why, about);
#else
  on_refusal(sentence_of(operation, why, about).c_str());
  halt();
#endif
}

}  // namespace detail

template <class T> AXE_FN constexpr T const& outcome<T>::operator*() const {
  if (why) detail::stop_on(why, "outcome");
  return value;
}

/// Types that show a refusal in the compiler's error, if code uses their `passes` or `stop`.
namespace error {

#if defined(__CUDACC__) && !defined(__clang__)
// nvcc prints a static_assert's message and line, but text in a template argument one character at
// a time. For != nvcc 13.5 prints three more lines, and == compiles longer. `stop` is incomplete,
// so that nvcc reports no further errors.
template <rule Which, auto... Facts> struct refused {
#define AXE_RULE(NAME, WORDS) static_assert(int(Which) - int(rule::NAME), WORDS);
#include <axe/refusal/rules.def>
#undef AXE_RULE
  struct stop;
  using rejected = void;
  AXE_FN static constexpr bool passes() { return false; }
};
#else
template <auto... Sentence> struct refused {};
#endif

template <char... Name> struct axis_called {};

}  // namespace error

namespace detail {

template <int Capacity> struct said {
  char characters[Capacity]{};
};

/// A declared axis as its characters: compilers would print a number.
template <axis A, char... Name> AXE_FN constexpr auto spelled() {
  if constexpr (!is_declared(A)) {
    return A;
  } else {
    constexpr unsigned code =
        sizeof...(Name) < 9 ? (number_of(A) >> (6 * sizeof...(Name))) & 63 : 0;
    if constexpr (code == 0)
      return error::axis_called<Name...>{};
    else
      return spelled<A, Name..., unpack_character(code)>();
  }
}

/// 1 + the last index of the sentence's numbers (`first` is '0') or axes ('a'): 3 for the numbers
/// {0} and {2 bits}, 1 for {0@a}.
AXE_LAZY_FN constexpr int placeholders_from(char first, int most, rule which) {
  int count = 0;
  for (char const* c = words_of(which); *c != '\0'; ++c) {
    int const position = c[1] - first;
    if ((*c == '{' || *c == '@') && position >= count && position < most) count = position + 1;
  }
  return count;
}
AXE_LAZY_FN constexpr int numbers_in(rule which) { return placeholders_from('0', 6, which); }
AXE_LAZY_FN constexpr int axes_in(rule which) { return placeholders_from('a', 2, which); }

struct accepted {
  using stop = void;
  AXE_FN static constexpr bool passes() { return true; }
};

/// A source is a class that may hold a refusal, in its member `result`, `value` or why().
template <class Source> AXE_FN constexpr refusal why_of() {
  if constexpr (requires { Source::result; })
    return Source::result.why;
  else if constexpr (requires { Source::value.why; })
    return Source::value.why;
  else
    return Source::why();
}

template <class Source, class Parts> struct named_parts;

#if defined(__CUDACC__) && !defined(__clang__)
template <class Source>
inline constexpr int parts = numbers_in(why_of<Source>().which) + axes_in(why_of<Source>().which);

template <class Source, int Part> AXE_FN constexpr auto part() {
  constexpr refusal why = why_of<Source>();
  if constexpr (Part < numbers_in(why.which))
    return why.numbers[Part];
  else
    return spelled<why.axes[Part - numbers_in(why.which)]>();
}
template <class Source, int... Part> struct named_parts<Source, integers<Part...>> {
  using type = error::refused<why_of<Source>().which, part<Source, Part>()...>;
};
#else
// clang 19 prints at most 32 characters of an argument: the sentence is cut at spaces.
#ifdef __clang__
inline constexpr int longest_part = 30;
#else
inline constexpr int longest_part = refusal_text{}.capacity();
#endif

/// Where part `wanted` begins, or the length if there are fewer parts.
AXE_LAZY_FN constexpr int part_begin(refusal_text const& whole, int wanted) {
  int begin = 0;
  for (; wanted > 0 && begin < whole.size(); --wanted) {
    int end = begin + longest_part;
    if (end >= whole.size()) return whole.size();
    while (end > begin && whole.characters[end - 1] != ' ') --end;
    begin = end > begin ? end : begin + longest_part;
  }
  return begin;
}
AXE_LAZY_FN constexpr int count_parts(refusal_text const& whole) {
  int count = 0;
  while (part_begin(whole, count) < whole.size()) ++count;
  return count;
}

template <class Source> inline constexpr int parts = count_parts(Source::text());

template <int Capacity>
AXE_FN constexpr said<Capacity> cut_text(refusal_text const& whole, int begin) {
  said<Capacity> one;
  for (int i = 0; i + 1 < Capacity; ++i) one.characters[i] = whole.characters[begin + i];
  return one;
}
template <class Source, int Part> AXE_FN constexpr auto part() {
  constexpr refusal_text whole = Source::text();
  constexpr int begin = part_begin(whole, Part);
  return cut_text<part_begin(whole, Part + 1) - begin + 1>(whole, begin);
}
template <class Source, int... Part> struct named_parts<Source, integers<Part...>> {
  using type = error::refused<part<Source, Part>()...>;
};
#endif

template <bool Refused> struct verdict_if {
  template <class Source> using of = accepted;
};
template <> struct verdict_if<true> {
  template <class Source> using of = named_parts<Source, integers_to<parts<Source>>>::type;
};
/// Stops the build on a refusal. Kernels call `verdict<Source>::passes()`. Other functions write
/// `using stop = verdict<Source>::stop;`, because g++ and clang report a constant expression twice
/// if it calls passes(). Write either one in the function that the user calls.
template <class Source>
using verdict = verdict_if<static_cast<bool>(why_of<Source>())>::template of<Source>;
/// A return type: void, or the verdict that rejects the source.
template <class Source>
using verdict_result = result_if<stl::is_same_v<verdict<Source>, accepted>, verdict<Source>>;

/// The type of a default template argument that stops nvcc before it prints the function's long
/// arguments. Other compilers need the verdict in the function.
#if defined(__CUDACC__) && !defined(__clang__)
template <class Verdict> using reported_verdict = Verdict::stop;
#else
template <class> using reported_verdict = void;
#endif
template <class Source> using reported = reported_verdict<verdict<Source>>;

/// A broken rule with its numbers as a source. If a function returns `typename
/// verdict<broken<…>>::stop{}`, compilers report no further errors at its uses.
template <rule Which, integer... Numbers> struct broken {
  AXE_FN static constexpr refusal why() {
    refusal reason{Which};
    [[maybe_unused]] int at = 0;
    ((reason.numbers[at++] = Numbers), ...);  // nvcc 13.0 loses the dots of a pack in nested braces
    return reason;
  }
  AXE_FN static constexpr refusal_text text() { return sentence(why()); }
};
template <bool Holds, rule Which, integer... Numbers>
using broken_unless = stl::conditional_t<Holds, broken<rule::none>, broken<Which, Numbers...>>;

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
