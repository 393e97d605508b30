// Fuzzes the PTX parser of tests/machine: any text must be parsed as a module or rejected with a
// report.
#include "text/error.hpp"
#include "text/parser.hpp"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    machine::parser(std::string(reinterpret_cast<char const*>(data), size)).run();
  } catch (std::runtime_error const&) {  // the report that rejects the text
  }
  return 0;
}
