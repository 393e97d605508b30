// Pointers to no memory, for tests of address arithmetic. The address has more than 32 bits. Tests
// neither read nor write through such a pointer.
//
//     elements_from(far_pointer<float>, far_pointer<float> + 3) == 3
#pragma once

#include <axe/config.hpp>

#include <cstdint>

namespace axe_test {

template <class T> inline T* const far_pointer = reinterpret_cast<T*>(std::uintptr_t{1} << 40);

/// The distance from `base` to `p` in elements. C++ does not define p - base outside of an array.
template <class T> axe::integer elements_from(T const* base, T const* p) {
  return static_cast<axe::integer>(reinterpret_cast<std::uintptr_t>(p) -
                                   reinterpret_cast<std::uintptr_t>(base)) /
         static_cast<axe::integer>(sizeof(T));
}

}  // namespace axe_test
