// Checks CUDA runtime calls, allocates arrays on the device, and names the device.
//
//     example::array<float> out({rows, columns});     filled with NaNs, to find unwritten elements
//     example::check(cudaDeviceSynchronize());         on failure: sentence, line, exit code 1
//     example::device_name()                           "NVIDIA H200", "PTX machine (…)"
//
// On a GPU an array has guards of 256 bytes before and after it, which `intact` checks. The PTX
// machine reports accesses out of bounds itself.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <source_location>
#include <string>
#include <vector>

namespace example {

using integer = long long;

/// Exit codes of every example.
enum exit_code : int { right = 0, wrong = 1, wrong_usage = 2, no_gpu = 4 };

/// Ends the program with a sentence if a runtime call failed.
inline void check(cudaError_t code, std::source_location at = std::source_location::current()) {
  if (code == cudaSuccess) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%u: %s (%s)\n", at.file_name(), static_cast<unsigned>(at.line()),
               cudaGetErrorString(code), cudaGetErrorName(code));
  std::exit(wrong);
}

/// Returns the name of the device. Ends the program with exit code 4 if there is none.
inline std::string const& device_name() {
  static std::string const name = [] {
    int count = 0;
    cudaError_t const code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
      std::fprintf(stderr, "no GPU here (%s); './run machine' runs this program without one\n",
                   code != cudaSuccess ? cudaGetErrorString(code) : "none is visible");
      std::exit(no_gpu);
    }
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    return std::string(properties.name);
  }();
  return name;
}
inline bool on_machine() { return device_name().starts_with("PTX machine"); }

inline unsigned multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return static_cast<unsigned>(count);
}

using extents = std::vector<integer>;

inline integer count_of(extents const& shape) {
  integer n = 1;
  for (integer const e : shape) n *= e;
  return n;
}

/// The coordinate of element `index` of a shape as text, such as "(3,17)". The last dimension is
/// fastest.
inline std::string coordinate(extents const& shape, integer index) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d])
    text = std::to_string(index % shape[d]) + (text.empty() ? ")" : "," + text);
  return "(" + text;
}

/// An array on the device with a shape and initial values.
template <class T> class array {
 public:
  using value_type = T;
  // The value of every byte. Each format of 16 bits or more then holds a NaN.
  static constexpr int poison = 0xff;

  explicit array(extents const& shape_) : array(shape_, {}) {
    check(cudaMemset(memory, poison, bytes() + 2 * guard));
  }
  array(extents const& shape_, std::vector<T> values)
      : shape(shape_), host(std::move(values)), guard(on_machine() ? 0 : 256) {
    check(cudaMalloc(reinterpret_cast<void**>(&memory), bytes() + 2 * guard));
    if (host.empty()) return;
    check(cudaMemset(memory, poison, bytes() + 2 * guard));
    check(cudaMemcpy(data(), host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  array(array const&) = delete;
  array(array&& other) noexcept
      : shape(other.shape), host(std::move(other.host)), guard(other.guard), memory(other.memory) {
    other.memory = nullptr;
  }
  ~array() { cudaFree(memory); }

  T* data() const { return reinterpret_cast<T*>(memory + guard); }
  integer size() const { return count_of(shape); }
  std::size_t bytes() const { return static_cast<std::size_t>(size()) * sizeof(T); }
  /// The initial value of element `index`.
  T const& operator[](integer index) const { return host[static_cast<std::size_t>(index)]; }

  std::vector<T> fetch() const {
    std::vector<T> values(static_cast<std::size_t>(size()));
    check(cudaMemcpy(values.data(), data(), bytes(), cudaMemcpyDeviceToHost));
    return values;
  }
  /// Fills every byte with `poison` again.
  void poison_again() { check(cudaMemset(data(), poison, bytes())); }
  /// True if nothing has written to the guards.
  bool intact() const {
    std::vector<unsigned char> beside(guard);
    for (unsigned char* const at : {memory, memory + guard + bytes()}) {
      if (guard == 0) break;
      check(cudaMemcpy(beside.data(), at, guard, cudaMemcpyDeviceToHost));
      for (unsigned char const each : beside)
        if (each != poison) return false;
    }
    return true;
  }

  extents const shape;
  std::vector<T> host;

 private:
  std::size_t guard;
  unsigned char* memory = nullptr;
};

}  // namespace example
