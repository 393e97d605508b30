// Fuzzes the readers of axe's, TIRx's, CuTe's and Triton's notation with any text. A layout that is
// read must print as text that reads back as the same layout. A layout of Triton must be a valid
// linear map. The position of a mistake must lie in the text.
#include <axe/axe.hpp>
#include <axe/bridge/tirx.hpp>
#include <axe/bridge/triton.hpp>
#include <axe/cute/notation.hpp>

#include <cstdint>
#include <string>

namespace {

[[noreturn]] void fail() { __builtin_trap(); }

template <class Outcome, class Again>
void check(Outcome const& read, std::string const& text, Again const& again) {
  if (read) {
    if (!again(*read)) fail();
  } else if (std::string(axe::words_of(read.why.which)).starts_with("position {0}") &&
             (read.why.numbers[0] < 0 ||
              read.why.numbers[0] > static_cast<axe::integer>(text.size()))) {
    fail();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  int const length = static_cast<int>(size);
  check(axe::try_parse(text), text, [](axe::layout const& l) {
    auto const printed = axe::to_text(l);
    auto const again = axe::try_parse({printed.begin(), printed.size()});
    return again && *again == l;
  });
  check(axe::try_parse_tirx(text.data(), length), text, [](axe::layout const& l) {
    auto const printed = axe::to_tirx(l);
    auto const again = axe::try_parse_tirx(printed.begin(), printed.size());
    return again && *again == l;
  });
  check(axe::cute::try_parse(text.data(), length), text, [](axe::cute::layout const& l) {
    auto const printed = axe::cute::to_text(l);
    auto const again = axe::cute::try_parse(printed.begin(), printed.size());
    return again && *again == l;
  });
  check(axe::try_read_triton(text.c_str()), text,
        [](axe::triton_tensor const& t) { return !axe::check(t.owners); });
  return 0;
}
