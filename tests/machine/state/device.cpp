// Allocates in the device's range. Freed slots serve later requests of the same size.
#include "state/device.hpp"

#include <sys/mman.h>

#include <cstring>

#include "text/error.hpp"

namespace machine {
namespace {
constexpr std::uint64_t guard_bytes = 4096;
constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}
std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }
}  // namespace

device::device(std::uint64_t capacity) : capacity_(align_up(capacity, 1u << 21)) {
  void* const got = mmap(nullptr, 2 * capacity_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED)
    fail(trouble::launch, 0,
         say("cannot reserve ", 2 * capacity_, " bytes of addresses for the device"));
  base_ = reinterpret_cast<std::uint64_t>(got);
  shadow_ = base_ + capacity_;
  next_ = base_ + guard_bytes;
}

device::~device() { munmap(at(base_), 2 * capacity_); }

device& device::primary() {
  static device one;
  return one;
}

std::uint64_t device::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes > capacity_)
    fail(trouble::launch, 0, say("out of device memory: ", bytes, " bytes asked for"));
  std::uint64_t const slot = align_up(bytes, 256) + guard_bytes;
  std::uint64_t begin = 0;
  for (auto [each, last] = released_.equal_range(slot); each != last; ++each)
    if (each->second % alignment == 0) {
      begin = each->second;
      released_.erase(each);
      break;
    }
  if (begin == 0) {
    begin = align_up(next_, alignment < 256 ? 256 : alignment);
    if (begin + slot > base_ + capacity_)
      fail(trouble::launch, 0,
           say("out of device memory: ", bytes, " bytes asked for, ", in_use_, " in use"));
    next_ = begin + slot;
    slots_[begin] = slot;
  } else {
    std::memset(at(begin + shadow_distance()), 0, bytes);
  }
  live_[begin] = {begin, begin + bytes, false};
  in_use_ += bytes;
  return begin;
}

bool device::free(std::uint64_t address) {
  auto const found = live_.find(address);
  if (found == live_.end()) return false;
  in_use_ -= found->second.end - found->second.begin;
  released_.emplace(slots_.at(address), address);
  live_.erase(found);
  return true;
}

std::optional<allocation> device::find(std::uint64_t address) const {
  auto after = live_.upper_bound(address);
  if (after == live_.begin()) return std::nullopt;
  auto const& candidate = std::prev(after)->second;
  if (address >= candidate.end) return std::nullopt;
  return candidate;
}

std::string device::describe(std::uint64_t address) const {
  if (!contains(address)) return "outside device memory";
  auto const after = live_.upper_bound(address);
  std::string before;
  if (after != live_.begin()) {
    auto const& a = std::prev(after)->second;
    std::uint64_t const distance = address - a.end;
    if (address >= a.end && distance < (1u << 20))
      before = say(distance, " bytes past the end of the ", a.end - a.begin, " bytes at ",
                   hexadecimal(a.begin));
    else if (address < a.end)
      before = say("across the end of the ", a.end - a.begin, " bytes at ", hexadecimal(a.begin));
  }
  if (after != live_.end() && after->first - address < guard_bytes && before.empty()) {
    auto const& b = after->second;
    before = say(b.begin - address, " bytes before the ", b.end - b.begin, " bytes at ",
                 hexadecimal(b.begin));
  }
  return before.empty() ? "not near an allocation" : before;
}

void device::require(std::uint64_t address, std::uint64_t bytes, char const* what) const {
  if (bytes == 0) return;
  auto const found = find(address);
  if (!found || bytes > found->end - address)
    fail(trouble::out_of_bounds, 0,
         say(what, " of ", bytes, " bytes at ", hexadecimal(address), ": ",
             describe(found ? found->end : address)));
}

void device::copy_in(std::uint64_t to, void const* from, std::uint64_t bytes) {
  require(to, bytes, "copy to the device");
  if (bytes == 0) return;
  std::memcpy(at(to), from, bytes);
  std::memset(at(to + shadow_distance()), 0xff, bytes);
}

void device::copy_out(void* to, std::uint64_t from, std::uint64_t bytes) const {
  require(from, bytes, "copy from the device");
  if (bytes != 0) std::memcpy(to, at(from), bytes);
}

void device::fill(std::uint64_t to, std::uint8_t value, std::uint64_t bytes) {
  require(to, bytes, "fill");
  if (bytes == 0) return;
  std::memset(at(to), value, bytes);
  std::memset(at(to + shadow_distance()), 0xff, bytes);
}

void device::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  require(to, bytes, "copy");
  require(from, bytes, "copy");
  if (bytes == 0) return;
  std::memmove(at(to), at(from), bytes);
  std::memmove(at(to + shadow_distance()), at(from + shadow_distance()), bytes);
}

void device::protect(std::uint64_t begin) {
  if (auto const found = live_.find(begin); found != live_.end()) found->second.read_only = true;
}

}  // namespace machine
