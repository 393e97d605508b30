// The PTX machine as a library: load PTX text, launch an entry, look at memory.
//
//     machine::device device;
//     auto const x = device.allocate(4 * n);
//     machine::module program = machine::load(ptx, device);
//     machine::result told = program.launch("saxpy", {blocks}, {256}, {}, 0, {x, y, 2.0f, n});
//
// Everything that is wrong, in the text or while the kernel runs, is a machine::error
// (text/error.hpp) with the source line, the thread, the address and a sentence.
#pragma once

#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "count/counts.hpp"
#include "program/program.hpp"
#include "state/grid.hpp"

namespace machine {

/// One kernel argument: the bytes of a trivially copyable value.
class argument {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  argument(T const& value) : bytes_(sizeof(T)) {  // NOLINT: a launch reads like a call
    std::memcpy(bytes_.data(), &value, sizeof(T));
  }
  argument(void const* from, std::size_t size) : bytes_(size) {
    std::memcpy(bytes_.data(), from, size);
  }
  [[nodiscard]] std::vector<std::byte> const& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

struct result {
  counters counted;
  std::string output;                           // of printf
  std::shared_ptr<kernel_counts const> counts;  // when launch_options::count asked for it
};

class module {
 public:
  module(std::shared_ptr<source_text const> source, device& memory);

  /// cluster {1,1,1}: what .reqnctapercluster says, or none. Throws machine::error.
  result launch(std::string const& entry, extent3 grid, extent3 block, extent3 cluster,
                std::uint32_t dynamic_shared, std::vector<argument> const& arguments,
                launch_options options = {});

  /// Entries decoded from now on keep a register for each that the text declares
  /// (program/pack.hpp): for comparisons.
  void keep_registers_apart();

  /// The decoded entry; refuses unknown instructions without running anything.
  std::shared_ptr<program const> decode(std::string const& entry);

  /// The address of a .global or .const variable, and its size.
  [[nodiscard]] allocation variable_address(std::string const& name) const;
  [[nodiscard]] std::vector<std::string> entries() const;
  [[nodiscard]] source_text const& source() const { return *source_; }

 private:
  struct state;
  std::shared_ptr<source_text const> source_;
  std::shared_ptr<state> state_;
};

module load(std::string ptx, device& memory);

}  // namespace machine
