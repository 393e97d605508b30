// SPDX-License-Identifier: MIT
// text<Capacity>: text of fixed capacity, for messages and the printed notation.
//
//     text<64> t;  t.put("extent ");  t.put(integer{12});          t == "extent 12"
//
// Longer text is cut and ends in "...".
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Precondition: enumerators count from 0.
AXE_FN constexpr char const* name_at(auto e, initializer_list<char const*> names) {
  return names.begin()[static_cast<int>(e)];
}

AXE_FN constexpr bool same_text(char const* a, int length, char const* b) {
  int i = 0;
  for (; i < length && b[i] != '\0'; ++i)
    if (a[i] != b[i]) return false;
  return i == length && b[i] == '\0';
}

}  // namespace detail

template <int Capacity> struct text {
  static_assert(Capacity >= 3,
                "text needs a capacity of at least 3, because longer text ends in '...'");
  char characters[Capacity + 1]{};
  int length = 0;

  constexpr text() = default;
  AXE_FN constexpr text(char const* from) { put(from); }

  AXE_FN constexpr void put(char c) {
    if (length < Capacity) {
      characters[length++] = c;
      return;
    }
    for (int i = Capacity - 3; i < Capacity; ++i) characters[i] = '.';
  }
  AXE_FN constexpr void put(char const* from) {
    for (; *from != '\0'; ++from) put(*from);
  }
  AXE_FN constexpr void put(integer n) {
    char digits[20]{};
    int count = 0;
    detail::stl::uint64_t rest =
        n < 0 ? 0 - static_cast<detail::stl::uint64_t>(n) : static_cast<detail::stl::uint64_t>(n);
    do {
      digits[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (n < 0) put('-');
    while (count > 0) put(digits[--count]);
  }

  AXE_FN constexpr char const* c_str() const { return characters; }
  AXE_FN constexpr int size() const { return length; }
  AXE_FN static constexpr int capacity() { return Capacity; }
  AXE_FN constexpr char const* begin() const { return characters; }
  AXE_FN constexpr char const* end() const { return characters + length; }

  AXE_FN friend constexpr bool operator==(text const& a, char const* b) {
    return detail::same_text(a.characters, a.length, b);
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
