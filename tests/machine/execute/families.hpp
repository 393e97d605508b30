// Declares the functions that add rows to the opcode table, one for each file.
#pragma once

namespace machine {

class opcode_table;

void add_moves(opcode_table& table);
void add_integer(opcode_table& table);
void add_multiply(opcode_table& table);
void add_carry(opcode_table& table);
void add_logic(opcode_table& table);
void add_compare(opcode_table& table);
void add_compare_half(opcode_table& table);
void add_single(opcode_table& table);
void add_single_pairs(opcode_table& table);
void add_double(opcode_table& table);
void add_half(opcode_table& table);
void add_convert(opcode_table& table);
void add_convert_packed(opcode_table& table);
void add_memory(opcode_table& table);
void add_addresses(opcode_table& table);
void add_atomics(opcode_table& table);
void add_collective(opcode_table& table);
void add_barriers(opcode_table& table);
void add_system(opcode_table& table);
void add_register_pool(opcode_table& table);
void add_mbarrier(opcode_table& table);
void add_copies(opcode_table& table);
void add_bulk(opcode_table& table);
void add_remote_stores(opcode_table& table);
void add_tensor_copies(opcode_table& table);
void add_tensormaps(opcode_table& table);
void add_launch_control(opcode_table& table);
void add_wgmma(opcode_table& table);
void add_matrix(opcode_table& table);
void add_tensor_allocation(opcode_table& table);
void add_tensor_moves(opcode_table& table);
void add_tensor_products(opcode_table& table);
void add_tensor_commits(opcode_table& table);
void add_tensor_copies_of_rows(opcode_table& table);
void add_tensor_shifts(opcode_table& table);

inline void add_families(opcode_table& table) {
  add_moves(table);
  add_integer(table);
  add_multiply(table);
  add_carry(table);
  add_logic(table);
  add_compare(table);
  add_compare_half(table);
  add_single(table);
  add_single_pairs(table);
  add_double(table);
  add_half(table);
  add_convert(table);
  add_convert_packed(table);
  add_memory(table);
  add_addresses(table);
  add_atomics(table);
  add_collective(table);
  add_barriers(table);
  add_system(table);
  add_register_pool(table);
  add_mbarrier(table);
  add_copies(table);
  add_bulk(table);
  add_remote_stores(table);
  add_tensor_copies(table);
  add_tensormaps(table);
  add_launch_control(table);
  add_wgmma(table);
  add_matrix(table);
  add_tensor_allocation(table);
  add_tensor_moves(table);
  add_tensor_products(table);
  add_tensor_commits(table);
  add_tensor_copies_of_rows(table);
  add_tensor_shifts(table);
}

}  // namespace machine
