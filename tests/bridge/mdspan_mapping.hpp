// Checks a mapping against the requirements of [mdspan.layout.reqmts] by enumerating its elements.
#pragma once

#include <axe/bridge/mdspan.hpp>

#include <set>
#include <vector>

namespace axe_test {

/// Two extents, for compilers without mdspan. -1 is dynamic.
template <int Rows, int Columns> struct two_extents {
  using index_type = int;
  using size_type = unsigned;
  using rank_type = unsigned;

  int rows = Rows, columns = Columns;

  static constexpr rank_type rank() { return 2; }
  static constexpr rank_type rank_dynamic() { return (Rows < 0) + (Columns < 0); }
  constexpr int extent(rank_type r) const { return r == 0 ? rows : columns; }
  friend constexpr bool operator==(two_extents, two_extents) = default;
};
using any_extents = two_extents<-1, -1>;

/// True if all answers of the mapping agree with the addresses of all its elements.
template <class Mapping> bool keeps_the_requirements(Mapping const& m) {
  long const rows = static_cast<long>(m.extents().extent(0));
  long const columns = static_cast<long>(m.extents().extent(1));
  std::set<long> reached;
  bool strided = true;
  auto const at = [&](long i, long j) {
    using index = typename Mapping::index_type;
    return static_cast<long>(m(static_cast<index>(i), static_cast<index>(j)));
  };
  long const down = rows > 1 ? at(1, 0) - at(0, 0) : 0;
  long const right = columns > 1 ? at(0, 1) - at(0, 0) : 0;
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j) {
      reached.insert(at(i, j));
      strided = strided && at(i, j) == at(0, 0) + i * down + j * right;
    }
  long const size = *reached.rbegin() + 1;
  if (*reached.begin() < 0 || static_cast<long>(m.required_span_size()) != size) return false;
  if (m.is_unique() != (static_cast<long>(reached.size()) == rows * columns)) return false;
  if (m.is_exhaustive() != (static_cast<long>(reached.size()) == size)) return false;
  if (m.is_strided() != strided) return false;
  if (strided && ((rows > 1 && static_cast<long>(m.stride(0)) != down) ||
                  (columns > 1 && static_cast<long>(m.stride(1)) != right)))
    return false;
  return (!m.is_always_unique() || m.is_unique()) &&
         (!m.is_always_exhaustive() || m.is_exhaustive()) &&
         (!m.is_always_strided() || m.is_strided());
}

}  // namespace axe_test
