// SPDX-License-Identifier: MIT
// A list of fixed capacity. Structural: its values may be template arguments.
//
//     if (!iters.push({8, 4, axis::lane})) return refusal{rule::too_many_shards, {25}};
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
// Not constexpr: a call in a constant expression is an error.
AXE_FN inline void more_entries_than_a_list_holds() { halt(); }

/// Used instead of a defaulted ==: if a constant expression compares arrays twice, g++ 14 to 16
/// return the first result again.
template <class T, int Size>
AXE_FN constexpr bool equal_entries(T const (&a)[Size], T const (&b)[Size]) {
  for (int k = 0; k < Size; ++k)
    if (!(a[k] == b[k])) return false;
  return true;
}

struct range_end {};

template <class Container> struct entry_iterator {
  Container const* container = nullptr;
  int position = 0;

  AXE_FN constexpr decltype(auto) operator*() const { return (*container)[position]; }
  AXE_FN constexpr entry_iterator& operator++() {
    ++position;
    return *this;
  }
  AXE_FN friend constexpr bool operator==(entry_iterator const& a, entry_iterator const& b) {
    return a.position == b.position;
  }
};
}  // namespace detail

template <class T, int Capacity> struct list {
  T at[Capacity]{};
  int count = 0;

  static constexpr int capacity = Capacity;

  constexpr list() = default;
  /// Too many entries stop the build or trap.
  AXE_FN constexpr list(initializer_list<T> from) {
    T const* const entries = from.begin();
    for (int i = 0; i < static_cast<int>(from.size()); ++i)
      if (!push(entries[i])) detail::more_entries_than_a_list_holds();
  }
  /// Called in the host code that nvcc writes for an alias `carrier<S(…)>`.
  AXE_FN constexpr list(T const (&entries)[Capacity], int size) : count(size) {
    if (size > Capacity) detail::more_entries_than_a_list_holds();
    for (int i = 0; i < size; ++i) at[i] = entries[i];
  }

  AXE_FN constexpr bool push(T const& value) {
    if (count == Capacity) return false;
    at[count++] = value;
    return true;
  }
  AXE_FN constexpr bool insert(int i, T const& value) {
    if (count == Capacity) return false;
    for (int j = count; j > i; --j) at[j] = at[j - 1];
    at[i] = value;
    ++count;
    return true;
  }
  AXE_FN constexpr void erase(int i) {
    for (int j = i; j + 1 < count; ++j) at[j] = at[j + 1];
    pop();
  }
  /// Clears the entry: compilers also compare unused entries of template arguments.
  AXE_FN constexpr void pop() { at[--count] = T{}; }
  AXE_FN constexpr void clear() {
    while (count > 0) pop();
  }

  AXE_FN constexpr int size() const { return count; }
  AXE_FN constexpr bool empty() const { return count == 0; }
  AXE_FN constexpr bool contains(T const& value) const {
    for (int i = 0; i < count; ++i)
      if (at[i] == value) return true;
    return false;
  }
  AXE_FN constexpr T& operator[](int i) { return at[i]; }
  AXE_FN constexpr T const& operator[](int i) const { return at[i]; }
  AXE_FN constexpr T& back() { return at[count - 1]; }
  AXE_FN constexpr T const& back() const { return at[count - 1]; }
  AXE_FN constexpr T* begin() { return at; }
  AXE_FN constexpr T* end() { return at + count; }
  AXE_FN constexpr T const* begin() const { return at; }
  AXE_FN constexpr T const* end() const { return at + count; }

  /// Not defaulted: clang would look up T's comparison for every class with a list.
  AXE_FN friend constexpr bool operator==(list const& a, list const& b) {
    if (a.count != b.count) return false;
    for (int i = 0; i < a.count; ++i)
      if (!(a.at[i] == b.at[i])) return false;
    return true;
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
