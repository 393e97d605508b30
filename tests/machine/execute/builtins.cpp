// Implements the device functions without a body in the PTX: vprintf, __assertfail, malloc, free.
//
//     call.uni (retval0), vprintf, (param0, param1);    param0: the format
//
// param1 is a buffer of arguments, each aligned to its size: int 4 bytes, double and pointers 8.
#include <cstdio>
#include <string>

#include "execute/lanes.hpp"
#include "program/assembler.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

template <class T> T argument(warp& w, instruction const& i, unsigned lane, std::size_t number) {
  auto const& site = w.run->code->calls[i.target];
  if (number >= site.arguments.size() || site.argument_bytes[number] != sizeof(T))
    fault(w, i, lane, trouble::trap, 0,
          say("argument ", number, " of a system call is missing or has another size"));
  std::size_t const at = std::size_t{lane} * stack_stride +
                         w.calls[w.lanes[lane].depth].stack_base[lane] + site.arguments[number];
  T value;
  __builtin_memcpy(&value, w.stack + at, sizeof(T));
  return value;
}

template <class T> void give_back(warp& w, instruction const& i, unsigned lane, T value) {
  auto const& site = w.run->code->calls[i.target];
  if (site.results.empty() || site.result_bytes[0] != sizeof(T)) return;
  std::size_t const at = std::size_t{lane} * stack_stride +
                         w.calls[w.lanes[lane].depth].stack_base[lane] + site.results[0];
  __builtin_memcpy(w.stack + at, &value, sizeof(T));
  __builtin_memset(w.stack_written + at, 0xff, sizeof(T));
}

template <class T> T read(warp& w, instruction const& i, unsigned lane, std::uint64_t address) {
  auto const at = reach(w, i, lane, space::generic, address, sizeof(T), access::read, sizeof(T));
  require_written(w, i, lane, address, at, sizeof(T));
  T value;
  __builtin_memcpy(&value, at.bytes, sizeof(T));
  return value;
}

std::string text_at(warp& w, instruction const& i, unsigned lane, std::uint64_t address) {
  std::string text;
  while (char const c = read<char>(w, i, lane, address++)) {
    text += c;
    if (text.size() > 65536)
      fault(w, i, lane, trouble::trap, address, "a string has more than 65536 characters");
  }
  return text;
}

template <class T> std::string formatted(std::string const& directive, T value) {
  int const length = std::snprintf(nullptr, 0, directive.c_str(), value);
  std::string out(static_cast<std::size_t>(length < 0 ? 0 : length) + 1, '\0');
  std::snprintf(out.data(), out.size(), directive.c_str(), value);
  out.pop_back();
  return out;
}

/// Takes the arguments of printf from its buffer, one after the other.
struct printf_arguments {
  warp& w;
  instruction const& i;
  unsigned lane;
  std::uint64_t at;

  template <class T> T take() {
    at = (at + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T const value = read<T>(w, i, lane, at);
    at += sizeof(T);
    return value;
  }
};

struct printf_directive {
  std::string text = "%";  // the flags, the width and the precision
  bool wide = false;       // an integer of 64 bits
  char kind = '%';
};

/// Reads the directive after the % at `at`, and moves `at` to its last character.
printf_directive read_directive(std::string const& format, std::size_t& at,
                                printf_arguments& from) {
  printf_directive made;
  for (++at; at < format.size(); ++at) {
    char const c = format[at];
    if (c == '*') {
      made.text += std::to_string(from.take<std::int32_t>());
    } else if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
      made.wide = true;
    } else if (c == 'h') {
    } else if (std::string_view("-+ #0123456789.").find(c) != std::string_view::npos) {
      made.text += c;
    } else {
      made.kind = c;
      break;
    }
  }
  return made;
}

std::string print_argument(printf_directive const& how, printf_arguments& from) {
  switch (how.kind) {
    case '%': return "%";
    case 'd':
    case 'i':
      return how.wide
                 ? formatted(how.text + "lld", static_cast<long long>(from.take<std::int64_t>()))
                 : formatted(how.text + "d", from.take<std::int32_t>());
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      return how.wide ? formatted(how.text + "ll" + how.kind,
                                  static_cast<unsigned long long>(from.take<std::uint64_t>()))
                      : formatted(how.text + how.kind, from.take<std::uint32_t>());
    case 'c': return formatted(how.text + "c", from.take<std::int32_t>());
    case 's':
      return formatted(how.text + "s",
                       text_at(from.w, from.i, from.lane, from.take<std::uint64_t>()).c_str());
    case 'p': return hexadecimal(from.take<std::uint64_t>());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return formatted(how.text + how.kind, from.take<double>());
    default: return how.text + how.kind;
  }
}

/// Returns what printf prints for one lane. The host's printf formats each directive, with the
/// length modifier that fits the buffer.
std::string print(warp& w, instruction const& i, unsigned lane, std::uint64_t format_at,
                  std::uint64_t arguments) {
  std::string const format = text_at(w, i, lane, format_at);
  printf_arguments from{w, i, lane, arguments};
  std::string out;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') {
      out += format[at];
      continue;
    }
    auto const directive = read_directive(format, at, from);
    if (directive.text.size() > 64)
      fault(w, i, lane, trouble::trap, format_at, "a printf directive has more than 64 characters");
    out += print_argument(directive, from);
  }
  return out;
}

void vprintf(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::string const text = print(w, i, lane, argument<std::uint64_t>(w, i, lane, 0),
                                   argument<std::uint64_t>(w, i, lane, 1));
    if (w.run->options.output != nullptr)
      *w.run->options.output += text;
    else
      std::fwrite(text.data(), 1, text.size(), stdout);
    give_back(w, i, lane, static_cast<std::int32_t>(text.size()));
  });
}

void assertion_failed(warp& w, instruction const& i, std::uint32_t mask) {
  auto const lane = static_cast<unsigned>(std::countr_zero(mask));
  fault(w, i, lane, trouble::trap, 0,
        say("assertion failed: ", text_at(w, i, lane, argument<std::uint64_t>(w, i, lane, 0)), " (",
            text_at(w, i, lane, argument<std::uint64_t>(w, i, lane, 1)), ':',
            argument<std::uint32_t>(w, i, lane, 2), ')'));
}

void allocate(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    give_back(w, i, lane, w.run->memory->allocate(argument<std::uint64_t>(w, i, lane, 0)));
  });
}

void release(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    auto const address = argument<std::uint64_t>(w, i, lane, 0);
    if (address != 0 && !w.run->memory->free(address))
      fault(w, i, lane, trouble::out_of_bounds, address,
            say("free gets ", hexadecimal(address), ", which malloc did not return"));
    w.run->windows.assign(w.run->windows.size(), {});
  });
}

}  // namespace

handler builtin_function(std::string_view name) {
  if (name == "vprintf") return vprintf;
  if (name == "__assertfail") return assertion_failed;
  if (name == "malloc") return allocate;
  if (name == "free") return release;
  return nullptr;
}

}  // namespace machine
