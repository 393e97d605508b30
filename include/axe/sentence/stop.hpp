// Stopping: what the plain forms (`group`, `places`, …) do with a refusal that their try_ forms
// return.
//
//     in a constant expression   the build stops at the rule's line in refusal/rules.def, sentence and all
//     for carriers and literals  the build stops and the first line is the sentence with its numbers
//     on the host                throws axe::refused; under -fno-exceptions calls the refusal handler, then traps
//     on the device              traps
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/base/integers.hpp>
#include <axe/sentence/sentence.hpp>

#if AXE_EXCEPTIONS
#include <new>  // std::exception, base of std::bad_alloc; <exception> would bring much more
#elif !defined(__CUDACC_RTC__)
#include <cstdio>
#endif

namespace axe {
inline namespace AXE_NAMESPACE {

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
/// What to call with "operation: sentence" when exceptions are off; it should not return. The
/// default writes to stderr.
using refusal_handler = void (*)(char const* message);
inline refusal_handler on_refusal = [](char const* message) {
  std::fprintf(stderr, "axe: %s\n", message);
};
#endif

namespace detail {

[[noreturn]] AXE_FN inline void halt() {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  __trap();
#else
  __builtin_trap();
#endif
}

// What a constant expression must not reach, so that the compiler shows the rule's line in
// rules.def, name, sentence and all, and as little else as possible. nvcc prints a call of a
// function that is not constexpr in 5 lines and shows what the line expands to. g++ and clang print
// 6 for that, g++ 3 for a trap and clang 3 for the call of a null pointer, and in 3 more what a
// macro wrote itself: there each rule has its own.
#if defined(__clang__)
namespace stopped_by {
using nothing = void (*)();
inline constexpr nothing
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) NAME = nullptr,
#include <axe/refusal/rules.def>
#undef AXE_RULE
    no_rule = nullptr;  // ends the declaration
}  // namespace stopped_by
#elif defined(__CUDACC__)
AXE_FN inline void refuse(char const*) { halt(); }
#endif

[[noreturn]] AXE_FN inline void stop_program([[maybe_unused]] char const* operation,
                                             [[maybe_unused]] refusal const& why,
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

/// Does nothing for rule::none; for a refusal ends what the plain form of an operation began. That
/// form calls it directly: every call in between is lines in a message.
AXE_FN constexpr void stop_on(refusal const& why, char const* operation, operands const& about) {
  if (!why) return;
  if (__builtin_is_constant_evaluated()) {
    switch (why.which) {
#if defined(__clang__)
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: return NAME();
      using namespace stopped_by;
#elif defined(__CUDACC__)
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: return refuse(WORDS);
#else
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: __builtin_trap();
#endif
#include <axe/refusal/rules.def>
#undef AXE_RULE
      default: break;
    }
  }
  stop_program(operation, why, about);
}

}  // namespace detail

template <class T> AXE_FN constexpr T const& outcome<T>::operator*() const {
  if (why) detail::stop_on(why, "outcome", {});
  return value;
}

/// Named in a message and never used otherwise: what they say is in their arguments. Asking one for
/// a member that it does not have is the shortest way to have a compiler print it.
namespace error {

#if defined(__CUDACC__) && !defined(__clang__)
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  template <auto... Facts> struct NAME {};
#include <axe/refusal/rules.def>
#undef AXE_RULE
#endif

/// The sentence, where the compiler prints a text argument as text.
template <auto... Sentence> struct refused {};

/// A declared axis in a message, by its characters.
template <char... Name> struct axis_called {};

}  // namespace error

namespace detail {

/// Characters in a template argument.
template <int Capacity> struct said {
  char characters[Capacity]{};
};

/// A built-in axis as itself, a declared one by its characters: compilers print the value of those
/// as a number.
template <axis A, char... Name> AXE_FN constexpr auto spelled() {
  if constexpr (!is_declared(A)) {
    return A;
  } else {
    constexpr unsigned code =
        sizeof...(Name) < 9 ? (static_cast<stl::uint64_t>(A) >> (6 * sizeof...(Name))) & 63 : 0;
    if constexpr (code == 0)
      return error::axis_called<Name...>{};
    else
      return spelled<A, Name..., unpack_character(code)>();
  }
}

AXE_FN constexpr int numbers_in(rule which) { return line_of(which)[0] - '0'; }
AXE_FN constexpr int axes_in(rule which) { return line_of(which)[1] - '0'; }

/// Nothing was refused.
struct accepted {
  using stop = void;
};

#if defined(__CUDACC__) && !defined(__clang__)
// nvcc 13.0 prints a text argument one character at a time: it gets the rule, as the name of a
// template, with its numbers and axes.
template <class Source>
inline constexpr int parts = numbers_in(Source::why().which) + axes_in(Source::why().which);

template <class Source, int Part> AXE_FN constexpr auto part() {
  constexpr refusal why = Source::why();
  if constexpr (Part < numbers_in(why.which))
    return why.numbers[Part];
  else
    return spelled<why.axes[Part - numbers_in(why.which)]>();
}
template <class Source, int... Part> AXE_FN constexpr auto name_verdict(integers<Part...>) {
  if constexpr (!Source::why()) return accepted{};
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  else if constexpr (Source::why().which ==  \
                     rule::NAME) return error::NAME<part<Source, Part>()...>{};
#include <axe/refusal/rules.def>
#undef AXE_RULE
}
#else
// g++ and clang print it as text, clang 19 no more than 32 characters of one argument: it gets the
// sentence in pieces, cut at spaces.
#if defined(__clang__)
inline constexpr int longest_part = 30;
#else
inline constexpr int longest_part = refusal_text{}.capacity();
#endif

/// Where part number `wanted` of a sentence begins; its length when there is no such part.
AXE_FN constexpr int part_begin(refusal_text const& whole, int wanted) {
  int begin = 0;
  for (; wanted > 0 && begin < whole.size(); --wanted) {
    int end = begin + longest_part < whole.size() ? begin + longest_part : whole.size();
    if (end < whole.size())
      for (int cut = end; cut > begin; --cut)
        if (whole.characters[cut - 1] == ' ') {
          end = cut;
          break;
        }
    begin = end;
  }
  return begin;
}
AXE_FN constexpr int count_parts(refusal_text const& whole) {
  int count = 0;
  while (part_begin(whole, count) < whole.size()) ++count;
  return count;
}

/// The sentence of a source: empty when nothing was refused.
template <class Source> AXE_FN constexpr refusal_text text_of() {
  if constexpr (!Source::why())
    return {};
  else
    return Source::text();
}
template <class Source> inline constexpr int parts = count_parts(text_of<Source>());

template <int Capacity>
AXE_FN constexpr said<Capacity> cut_text(refusal_text const& whole, int begin) {
  said<Capacity> one;
  for (int i = 0; i + 1 < Capacity; ++i) one.characters[i] = whole.characters[begin + i];
  return one;
}
template <class Source, int Part> AXE_FN constexpr auto part() {
  constexpr refusal_text whole = text_of<Source>();
  constexpr int begin = part_begin(whole, Part);
  return cut_text<part_begin(whole, Part + 1) - begin + 1>(whole, begin);
}
template <class Source, int... Part> AXE_FN constexpr auto name_verdict(integers<Part...>) {
  if constexpr (sizeof...(Part) == 0)
    return accepted{};
  else
    return error::refused<part<Source, Part>()...>{};
}
#endif

/// `using stop = typename verdict<Source>::stop;` stops the build when Source::why() is a refusal,
/// with the sentence of Source::text(). Written in the body of the function that the user called:
/// every template in between is lines in the message.
template <class Source>
using verdict = decltype(name_verdict<Source>(integers_to<parts<Source>>{}));

/// A rule that is broken, with its numbers: a source to be named only where it is. What returns
/// `typename verdict<…>::stop{}` there returns what compilers know to be wrong, and of what is done
/// with it they say no more.
template <rule Which, integer... Numbers> struct broken {
  AXE_FN static constexpr refusal why() {
    refusal reason{Which};
    [[maybe_unused]] int at = 0;
    ((reason.numbers[at++] = Numbers), ...);  // nvcc 13.0 loses the dots of a pack in nested braces
    return reason;
  }
  AXE_FN static constexpr refusal_text text() {
    refusal_text out;
    print(out, why(), {});
    return out;
  }
};

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
