// Helpers of the tests of mma.sync, wgmma, ldmatrix, stmatrix and movmatrix: small numbers in the
// types of operands, and a kernel of one block in which each thread stores 512 bytes.
#pragma once

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows::matrices {

using machine::say;

inline constexpr unsigned out_words = 128;  // of 32 bits, for each thread

struct shape {
  unsigned m = 0, n = 0, k = 0;
};

shape shape_of(std::string const& modifier);  // "m16n8k32"

unsigned element_width(std::string const& type);           // in bits
unsigned elements_of_a_register(std::string const& type);  // 1 if the register has 64 bits

/// Returns a small number: -2 to 2 if the type has them.
std::int64_t number_of(std::uint64_t noise, std::string const& type);
std::uint64_t bits_of(std::int64_t number, std::string const& type);

/// Returns the number of registers of operand `which`: 2 for operand 1 of "w4=w2w1w4".
unsigned registers_in(std::string const& signature, std::size_t which);

/// Returns a kernel with the registers %i (thread), %x, %s and %p. %in is the address of the
/// operands, %out that of the thread's results.
std::string frame(std::string const& declarations, std::string const& body);

std::vector<std::uint32_t> run(std::string const& ptx, std::vector<std::uint32_t> const& in,
                               unsigned threads, unsigned shared = 0);

}  // namespace machine_rows::matrices
