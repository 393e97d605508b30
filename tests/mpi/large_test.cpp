// Reshardings of buffers and types that exceed 2^31 bytes or elements.
#include "support.hpp"

#include <sys/mman.h>

#include <fstream>

namespace mpi_test {
namespace {

/// Address space for large buffers. Only the pages that are written take memory.
struct sparse_memory {
  std::size_t size;
  void* base;

  explicit sparse_memory(std::size_t bytes)
      : size(bytes),
        base(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~sparse_memory() { munmap(base, size); }
};

/// Moves more than 2^31 elements from rank 0 to rank 1, in rows of 2^20.
void move_many_elements(method by) {
  constexpr integer rows = (1 << 11) + 1;
  constexpr integer width = 1 << 20;
  constexpr integer pitch = width + 64;
  axe::mesh m;
  m.add(x, 2);
  axe::shape const tensor{rows, width};
  std::string const extents = "S[(" + std::to_string(rows) + "," + std::to_string(width) + "):(";
  axe::reshard_plan const p = axe::plan_reshard(
      {on_mesh((extents + std::to_string(pitch) + ",1)]").c_str()), tensor, m},
      {on_mesh((extents + std::to_string(width) + ",1)] + 1@x").c_str()), tensor, m});
  static_assert(rows * width > integer{1} << 31);
  auto const value = [](integer i, integer j) {
    return static_cast<unsigned char>((i * width + j) * 0x9e3779b1 >> 24);
  };
  axe::mpi::resharder<unsigned char> move(p, MPI_COMM_WORLD, {by});
  std::size_t const size =
      static_cast<std::size_t>(my_rank == 0 ? move.elements_from() : move.elements_to());
  sparse_memory const memory(size);
  unsigned char* const own = static_cast<unsigned char*>(memory.base);
  for (integer i = 0; my_rank == 0 && i < rows; ++i)
    for (integer j = 0; j < width; ++j) own[i * pitch + j] = value(i, j);
  std::span<unsigned char> const all{own, size};
  bytes_sent = 0;
  if (my_rank == 0)
    move(all, {});
  else
    move({}, all);
  expect(bytes_sent == (my_rank == 0 ? rows * width : 0),
         std::string(name_of(by)) + " sends another number of elements");
  integer wrong = 0;
  for (integer i = 0; my_rank == 1 && i < rows; ++i)
    for (integer j = 0; j < width; ++j) wrong += own[i * width + j] != value(i, j);
  expect(wrong == 0, std::string(name_of(by)) + " moves " + std::to_string(wrong) +
                         " of more than 2^31 elements wrongly");
}

/// The available memory of the machine in KiB, from /proc/meminfo.
integer available_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string name, line; in >> name && std::getline(in, line);)
    if (name == "MemAvailable:") return std::stoll(line);
  return 0;
}

}  // namespace

/// Tests buffers of 6 GiB, in which four of every 2^21 bytes move from rank 0 to rank 1.
void test_large() {
  if (ranks != 2) return;
  constexpr integer pitch = integer{1} << 21;
  constexpr integer count = 3 << 10;
  axe::mesh m;
  m.add(x, 2);
  std::string const places = std::to_string(count) + ",4):(" + std::to_string(pitch) + ",1)]";
  axe::sharding const from{on_mesh(("S[(" + places).c_str()), {count, 4}, m};
  axe::sharding const to{on_mesh(("S[(" + places + " + 1@x").c_str()), {count, 4}, m};
  axe::reshard_plan const p = axe::plan_reshard(from, to);
  std::size_t const size = static_cast<std::size_t>(pitch * (count - 1) + 4);
  for (method by : {method::packed, method::types, method::shared}) {
    sparse_memory const memory(size);
    signed char* const own = static_cast<signed char*>(memory.base);
    axe::mpi::resharder<signed char> move(p, MPI_COMM_WORLD, {by});
    expect((my_rank == 0 ? move.elements_from() : move.elements_to()) == static_cast<integer>(size),
           "the size of a large buffer is wrong");
    for (integer k = 0; my_rank == 0 && k < count; ++k)
      own[k * pitch + 3] = static_cast<signed char>(k % 101);
    std::span<signed char> const all{own, size};
    if (my_rank == 0)
      move(all, {});
    else
      move({}, all);
    for (integer k = 0; my_rank == 1 && k < count; ++k)
      expect(own[k * pitch + 3] == k % 101,
             std::string(name_of(by)) + " moves far elements wrongly");
  }
}

void test_many_elements() {
  int enough = available_memory() > 8 << 20;
  MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (enough == 0 && my_rank == 0) std::puts("skipped: 2^31 elements need 8 GiB of memory");
  if (enough == 0) return;
  for (method by : {method::packed, method::types}) move_many_elements(by);
}

/// Tests MPI types of at least 2^31 elements. One of the counts is not a multiple of 2^30.
void test_large_types() {
  if (ranks > 1) return;
  for (integer count : {integer{1} << 31, (integer{3} << 30) + 5, integer{7} << 32}) {
    axe::strided_run run;
    run.digits.push({count, 3, 5});
    for (bool from : {true, false}) {
      axe::mpi::detail::type_list all;
      all.add(type_of(axe::mpi::detail::copy_run(run), 8, from), 0);
      axe::mpi::detail::datatype const type = all.commit();
      MPI_Count bytes = 0, first = 0, extent = 0;
      MPI_Type_size_x(type.get(), &bytes);
      MPI_Type_get_true_extent_x(type.get(), &first, &extent);
      expect(bytes == count * 8 && first == 0 && extent == (count - 1) * (from ? 24 : 40) + 8,
             "a type of " + std::to_string(count) + " elements has another size");
    }
  }
}

}  // namespace mpi_test
