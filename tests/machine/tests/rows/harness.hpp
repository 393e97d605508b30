// Tests one row of the opcode table: a small kernel runs the instruction on 256 sets of operands.
// The results of all lanes are compared with those of evaluate.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine.hpp"
#include "program/table.hpp"
#include "rows/evaluate.hpp"

namespace machine_rows {

inline constexpr unsigned sets = 256;  // eight warps
inline constexpr unsigned slots = 8;   // 64-bit operand words of each set

/// Empty if the row is correct, else a sentence about the difference.
using verdict = std::string;

verdict test_lanes(machine::table_row const& row);
verdict test_carry(machine::table_row const& row);
verdict test_memory(machine::table_row const& row);
verdict test_atomic(machine::table_row const& row);
verdict test_atomic_vector(machine::table_row const& row);
verdict test_collective(machine::table_row const& row);
verdict test_move(machine::table_row const& row);
verdict test_mma(machine::table_row const& row);
verdict test_wgmma(machine::table_row const& row);
verdict test_matrix_move(machine::table_row const& row);
verdict test_asynchronous(machine::table_row const& row);
verdict test_tiled(machine::table_row const& row);
verdict test_im2col(machine::table_row const& row);
verdict test_remote(machine::table_row const& row);  // st.async, red.async
verdict test_tensor_memory(machine::table_row const& row);
verdict test_tensor_copy(machine::table_row const& row);
verdict test_tensor_product(machine::table_row const& row);
verdict test_scaled_product(machine::table_row const& row);
verdict test_tensormap(machine::table_row const& row);
bool is_asynchronous(machine::table_row const& row);  // a copy, or an arrival at an mbarrier

/// tester_of returns the function above that tests the row, or nullptr. For a row that a test file
/// covers instead, covering_test returns the name of the file; else it is empty.
verdict (*tester_of(machine::table_row const& row))(machine::table_row const&);
std::string covering_test(machine::table_row const& row);

// The testers use these functions.
std::string kernel(std::string const& declarations, std::string const& body);
// The name without the '|' that marks a pair of results.
std::string row_name(machine::table_row const& row);
/// `arguments` are those of kernel parameters before `in` and `out`.
std::vector<std::uint64_t> launch(std::string const& ptx, std::vector<std::uint64_t> const& in,
                                  std::vector<machine::argument> arguments = {});
std::vector<std::uint64_t> random_operands();
std::uint64_t byte_of(std::uint64_t const* set, unsigned byte);  // little endian
std::string in_hexadecimal(words const& list);

struct generator {
  std::uint64_t state = 0x9e3779b97f4a7c15ull;
  std::uint64_t operator()();
};
/// Returns an operand for a letter of the signature: an edge case of the instruction, or a random
/// number.
std::uint64_t interesting(generator& random, char letter, std::string const& name);

char const* register_type(char letter);
unsigned letter_width(char letter);

}  // namespace machine_rows
