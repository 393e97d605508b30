// Every error of the machine is one report, thrown as an exception: invalid text, an unknown
// opcode, an illegal launch, or a fault in a running kernel.
//
//     place        source line (if the PTX has .loc), PTX line, kernel, block, thread
//     sentence     what happened, with numbers: "reads 4 bytes of global memory at 0x20001000, ..."
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace machine {

enum class trouble {
  text,           // not PTX, or PTX that contradicts itself
  unsupported,    // an opcode or modifier that is not in the table
  launch,         // a grid, arguments or shared memory that every device rejects
  out_of_bounds,  // an address outside every allocation of its space
  misaligned,
  never_written,  // a read of bytes that were never written
  barrier,        // bar, barrier.cluster: wrong threads or counts
  mbarrier,       // counts, phases, expected bytes
  in_flight,      // an access to registers or bytes of an asynchronous operation in flight
  race,           // conflicting accesses to shared or global memory that nothing orders
  proxy,          // generic writes that the asynchronous proxy reads without a fence
  members,        // .sync without all lanes of its member mask
  descriptor,     // illegal matrix descriptor or tensor map
  allocation,     // tensor memory: sizes, owners, leaks
  deadlock,
  trap,
};

char const* name_of(trouble what);

struct extent3 {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(extent3 const&, extent3 const&) = default;
};

struct report {
  trouble what = trouble::text;
  std::string sentence;
  std::string kernel = {};
  std::string instruction = {};
  std::string source_file = {};
  int source_line = 0;
  int ptx_line = 0;
  bool has_thread = false;
  extent3 block = {0, 0, 0};
  extent3 thread = {0, 0, 0};
  std::uint64_t address = 0;
};

/// Returns a report as text:
/// "saxpy.cu:12 (PTX line 40) kernel saxpy block (1,0,0) thread (3,0,0) misaligned: ... [ld.f32]"
std::string to_string(report const& what);

class error : public std::runtime_error {
 public:
  explicit error(report what) : std::runtime_error(to_string(what)), what_(std::move(what)) {}
  [[nodiscard]] report const& details() const { return what_; }

 private:
  report what_;
};

/// Concatenates its arguments into a message.
template <class... Parts> std::string say(Parts const&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

std::string hexadecimal(std::uint64_t value);

[[noreturn]] void fail(trouble what, int ptx_line, std::string sentence);

}  // namespace machine
