// Builds the opcode table from the rows of execute/, async/ and tcgen05/.
#include "program/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "execute/families.hpp"

namespace machine {

opcode_table::opcode_table(vector_set which) : vectors_(which) { add_families(*this); }

opcode_table const& opcode_table::instance() {
  static opcode_table const table(best_vectors());
  return table;
}

void opcode_table::add(table_row row) {
  std::string const name = row.name;
  if (!rows_.emplace(name, std::move(row)).second)
    throw std::logic_error("two table rows are named " + name);
}

table_row const* opcode_table::find(std::string_view name) const {
  auto const found = rows_.find(std::string(name));
  return found == rows_.end() ? nullptr : &found->second;
}

std::vector<table_row const*> opcode_table::rows() const {
  std::vector<table_row const*> list;
  for (auto const& [name, row] : rows_) list.push_back(&row);
  std::sort(list.begin(), list.end(),
            [](auto const* a, auto const* b) { return a->name < b->name; });
  return list;
}

}  // namespace machine
