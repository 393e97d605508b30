// The PTX machine as a library: load PTX, launch an entry, read memory.
//
//     machine::device device;
//     auto const x = device.allocate(4 * n);
//     machine::module program = machine::load(ptx, device);
//     machine::result done = program.launch("saxpy", {blocks}, {256}, {}, 0, {x, y, 2.0f, n});
//
// Every error, in the text or in a running kernel, is thrown as machine::error (text/error.hpp).
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
  // NOLINTNEXTLINE: implicit, so that a launch can list values.
  argument(T const& value) : bytes_(sizeof(T)) {
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
  std::string output;                           // what printf has printed
  std::shared_ptr<kernel_counts const> counts;  // set if launch_options::count is true
};

class module {
 public:
  module(std::shared_ptr<source_text const> source, device& memory);

  /// A `cluster` of {1,1,1} means the extents of .reqnctapercluster, or no cluster if the entry has
  /// none. Throws machine::error.
  result launch(std::string const& entry, extent3 grid, extent3 block, extent3 cluster,
                std::uint32_t dynamic_shared, std::vector<argument> const& arguments,
                launch_options options = {});

  /// Gives every declared register its own storage in entries decoded from now on. Tests compare
  /// the results with those of packed registers (program/pack.hpp).
  void keep_registers_apart();

  /// Returns the decoded entry. Throws if it has unknown instructions.
  std::shared_ptr<program const> decode(std::string const& entry);

  /// Returns the address and the size of a .global or .const variable.
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
