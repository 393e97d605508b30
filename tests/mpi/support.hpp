// What the tests on MPI share: the rank, the failures, and the bytes that the wrappers of MPI's
// functions count (support.cpp).
#pragma once

#include <axe/construct/literal.hpp>
#include <axe/mpi.hpp>

#include <string>

namespace mpi_test {

using axe::integer;
using axe::mpi::method;

inline int my_rank = 0;
inline int ranks = 1;
inline int failures = 0;
/// What this rank sends outside of its shared window.
inline integer bytes_sent = 0;
/// The buffer that the wrapper of the CUDA driver calls device memory.
inline void const* device_begin = nullptr;
inline bool mpi_reads_devices = false;

void expect(bool right, std::string const& what);

inline constexpr axe::axis x = axe::device_axis("x");
inline constexpr axe::notation on_mesh{x};
/// Moves a square matrix from blocks of rows to blocks of columns.
axe::reshard_plan rows_to_columns(integer devices, integer size);

void test_random(int cases);
void test_collectives();
void test_large();
void test_many_elements();
void test_large_types();
void test_own_numbers();
void test_bind();
void test_device_memory(bool aware);
void test_mistakes();
void test_communicator_of_two_groups();
void test_communicators();
void test_bool();
void test_no_wait();

}  // namespace mpi_test
