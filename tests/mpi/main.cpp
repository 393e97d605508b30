// Runs reshardings on MPI.
//
//     mpirun -np 4 mpi_test [CASES]
//     mpirun -np 3 mpi_test --die         rank 1 ends while the others wait for it
//     mpirun -np 2 mpi_test --large       2^31 + 2^20 elements move, in 7 GiB of memory
#include "support.hpp"

#include <chrono>
#include <cstring>
#include <thread>

namespace mpi_test {
namespace {

/// Rank 1 exits with 3, without a message, while the other ranks wait in a move. If the move of a
/// rank ends, which it must not, the rank exits with 4.
void die() {
  axe::mpi::resharder<float> move(rows_to_columns(ranks, 4 * ranks), MPI_COMM_WORLD);
  std::vector<float> from(static_cast<std::size_t>(16 * ranks)), to(from);
  if (my_rank == 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::_Exit(3);
  }
  move(from, to);
  std::_Exit(4);
}

void test_all(int cases) {
  test_random(cases);
  test_collectives();
  test_bind();
  test_own_numbers();
  test_large();
  test_large_types();
  for (bool aware : {false, true}) {
    mpi_reads_devices = aware;
    test_device_memory(aware);
  }
  mpi_reads_devices = false;
  test_mistakes();
  test_communicator_of_two_groups();
  test_communicators();
  test_bool();
  test_no_wait();
}

}  // namespace
}  // namespace mpi_test

using namespace mpi_test;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && std::strcmp(argv[1], "--die") == 0) die();
  if (argc > 1 && std::strcmp(argv[1], "--large") == 0)
    test_many_elements();
  else
    test_all(argc > 1 ? std::atoi(argv[1]) : 150);
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (my_rank == 0) std::printf("%d ranks: %d failures\n", ranks, all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
