// What the machine says when a program is wrong: one report, thrown as an exception.
//
//     sentence     what happened, with the numbers: "ld.global.f32 reads 4 bytes at 0x20001000, 0 bytes past the end of ..."
//     place        source line (when the PTX carries .loc), line of the PTX text, kernel, block, thread
//
// Every refusal is one of these: bad text, an unknown opcode, an illegal launch, a fault while a
// kernel runs.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace machine {

enum class trouble {
  text,           // not PTX, or PTX that contradicts itself
  unsupported,    // an opcode or a modifier outside the table
  launch,         // grid, arguments or shared memory that no device would accept
  out_of_bounds,  // an address outside every allocation of its space
  misaligned,
  never_written,  // a read of bytes that nothing has written
  barrier,        // bar, barrier.cluster: wrong threads or counts
  mbarrier,       // counts, phases, expected bytes
  in_flight,      // touching what an asynchronous operation still owns
  race,           // shared memory, two threads, no barrier between
  proxy,          // generic writes read by the asynchronous proxy without a fence
  members,        // .sync without its members
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

/// "saxpy.cu:12 (PTX line 40), kernel saxpy, block (1,0,0), thread (3,0,0): out of bounds: ..."
std::string to_string(report const& what);

class error : public std::runtime_error {
 public:
  explicit error(report what) : std::runtime_error(to_string(what)), what_(std::move(what)) {}
  [[nodiscard]] report const& details() const { return what_; }

 private:
  report what_;
};

/// Joins its arguments into one string: the messages of this machine are built with it.
template <class... Parts> std::string say(Parts const&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

std::string hexadecimal(std::uint64_t value);

[[noreturn]] void fail(trouble what, int ptx_line, std::string sentence);

}  // namespace machine
