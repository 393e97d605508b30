// Any text as a PTX module: it is parsed, or rejected with a report.
#include "text/error.hpp"
#include "text/parser.hpp"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    machine::parser(std::string(reinterpret_cast<char const*>(data), size)).run();
  } catch (std::runtime_error const&) {  // the report
  }
  return 0;
}
