// Device memory: one reserved range of host addresses with guarded allocations.
//
//     [ guard | allocation, 256-byte aligned | guard | allocation | ... ]
//
// A device address is a host address, so an access needs no translation; it is checked against the
// allocations. Each byte has a shadow byte `shadow_distance` further, which is set when the byte is
// written. Reading a byte of fresh cudaMalloc memory is therefore an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace machine {

struct allocation {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool read_only = false;  // .const
};

class device {
 public:
  explicit device(std::uint64_t capacity = std::uint64_t{64} << 30);
  ~device();
  device(device const&) = delete;
  device& operator=(device const&) = delete;

  /// Returns a device that the whole process may share.
  static device& primary();

  /// Throws `error` (trouble::launch) if the range is exhausted. Zero bytes give an empty
  /// allocation.
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment = 256);
  /// Frees an allocation. False if no allocation begins at this address.
  bool free(std::uint64_t address);

  /// Copies from and to the host. Throws if the range leaves its allocation.
  void copy_in(std::uint64_t to, void const* from, std::uint64_t bytes);
  void copy_out(void* to, std::uint64_t from, std::uint64_t bytes) const;
  void fill(std::uint64_t to, std::uint8_t value, std::uint64_t bytes);
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  void protect(std::uint64_t begin);  // makes an allocation read-only for kernels

  [[nodiscard]] std::optional<allocation> find(std::uint64_t address) const;
  /// Describes an address outside every allocation:
  /// "0 bytes past the end of the 4096 bytes at 0x.."
  [[nodiscard]] std::string describe(std::uint64_t address) const;
  [[nodiscard]] bool contains(std::uint64_t address) const {
    return address >= base_ && address < base_ + capacity_;
  }
  [[nodiscard]] std::uint64_t shadow_distance() const { return shadow_ - base_; }
  [[nodiscard]] std::uint64_t bytes_in_use() const { return in_use_; }

 private:
  void require(std::uint64_t address, std::uint64_t bytes, char const* what) const;
  std::uint64_t base_ = 0;
  std::uint64_t shadow_ = 0;
  std::uint64_t capacity_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t in_use_ = 0;
  std::map<std::uint64_t, allocation> live_;              // by begin
  std::multimap<std::uint64_t, std::uint64_t> released_;  // free memory: size -> begin
  std::map<std::uint64_t, std::uint64_t> slots_;  // begin -> size of the memory reserved there
};

}  // namespace machine
