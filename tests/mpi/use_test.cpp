// How programs use a resharder: bound buffers, device memory, communicators, own types, mistakes.
#include "support.hpp"

#include <cstring>
#include <numeric>

namespace mpi_test {
namespace {

/// The message of the error that `use` throws, or "" if it throws none.
template <class Use> std::string error_of(Use const& use) {
  try {
    use();
  } catch (axe::mpi::error const& e) { return e.what(); }
  return "";
}

axe::reshard_plan sum_everywhere() {
  axe::mesh m;
  m.add(x, ranks);
  std::string const n = std::to_string(ranks);
  axe::sharding const from{on_mesh(("S[(" + n + ",4):(1@x,1)]").c_str()), {ranks, 4}, m, 1};
  axe::sharding const to{on_mesh(("S[4:1] + R[" + n + ":1@x]").c_str()), {4}, m};
  return axe::plan_reshard(from, to);
}

/// A type of numbers that is not one of MPI's types.
struct pair_of_floats {
  float a = 0, b = 0;
  friend pair_of_floats operator+(pair_of_floats p, pair_of_floats q) {
    return {p.a + q.a, p.b + q.b};
  }
};

}  // namespace

void test_own_numbers() {
  if (ranks == 1) return;
  for (axe::mpi::options const& o :
       {axe::mpi::options{.by = method::packed},
        {.by = method::types},
        {.by = method::shared},
        {.by = method::collective, .order = axe::mpi::addition::by_mpi}}) {
    axe::mpi::resharder<pair_of_floats> move(sum_everywhere(), MPI_COMM_WORLD, o);
    std::vector<pair_of_floats> ones(4, {1, 2}), sums(4);
    move(ones, sums);
    expect(sums[3].a == static_cast<float>(ranks) && sums[3].b == static_cast<float>(2 * ranks),
           std::string(name_of(o.by)) + " adds numbers of a class wrongly");
  }
}

/// Tests that persistent calls use the bound buffers and reject all others.
void test_bind() {
  axe::reshard_plan const p = rows_to_columns(ranks, 2 * ranks);
  axe::mpi::resharder<int> move(p, MPI_COMM_WORLD, {.by = method::types});
  std::size_t const size = static_cast<std::size_t>(4 * ranks);
  std::vector<int> from(size), to(size), other(size);
  for (int round = 0; round < 3; ++round) {
    std::iota(from.begin(), from.end(), round * 1000 + my_rank * 4 * ranks);
    if (round == 1) move.bind(from, to);
    bytes_sent = 0;
    move(from, to);
    expect(to[0] == round * 1000 + my_rank * 2, "a bound move moves a wrong element");
    expect(bytes_sent == 16 * (ranks - 1),
           "a bound move sends " + std::to_string(bytes_sent) + " bytes");
  }
  expect(error_of([&] { move(from, other); }) ==
             "the move is bound to other buffers: call bind on every rank",
         "other buffers than the bound ones are accepted");
  move(from, to);
}

/// Tests a source that is device memory, with and without an MPI that can read it (`aware`).
void test_device_memory(bool aware) {
  axe::reshard_plan const p = rows_to_columns(ranks, 2 * ranks);
  std::vector<int> from(static_cast<std::size_t>(4 * ranks)), to(from.size());
  std::iota(from.begin(), from.end(), my_rank * 4 * ranks);
  for (method by : {method::packed, method::types}) {
    axe::mpi::resharder<int> move(p, MPI_COMM_WORLD, {by});
    device_begin = from.data();
    std::string const said = error_of([&] { move(from, to); });
    device_begin = nullptr;
    if (!aware)
      expect(said ==
                 "the buffer 'from' is memory of a device, but this MPI is not CUDA-aware: "
                 "copy it to the host first",
             "memory of a device is accepted");
    else if (by == method::packed)
      expect(said ==
                 "the buffer 'from' is memory of a device, which only the method 'types' moves, "
                 "not 'packed'",
             "memory of a device is packed");
    else
      expect(said.empty() && to[0] == my_rank * 2, "memory of a device is moved wrongly " + said);
  }
  axe::mpi::resharder<int> sum(sum_everywhere(), MPI_COMM_WORLD, {.by = method::types});
  device_begin = from.data();
  if (aware && ranks > 1)
    expect(error_of([&] { sum(from, to); }).find("sums are added on the host") != std::string::npos,
           "sums of a device are accepted");
  device_begin = nullptr;
}

void test_mistakes() {
  axe::reshard_plan const p = rows_to_columns(ranks, 4 * ranks);
  axe::mpi::resharder<float> move(p, MPI_COMM_WORLD);
  std::vector<float> right(static_cast<std::size_t>(16 * ranks)), small(3);
  expect(error_of([&] { move(small, right); }) ==
             "the buffer 'from' has 3 elements, but this rank uses " + std::to_string(16 * ranks),
         "a short source is accepted");
  expect(error_of([&] { move(right, small); }).find("the buffer 'to' has 3") == 0,
         "a short destination is accepted");
  expect(error_of([&] { move(right, right); }).find("the buffers 'from' and 'to' overlap") == 0,
         "one buffer for both sides is accepted");
  expect(error_of([&] {
           axe::mpi::resharder<float>(p, MPI_COMM_NULL);
         }).find("the communicator is MPI_COMM_NULL") == 0,
         "a communicator that does not exist is accepted");
  if (ranks == 1) return;
  expect(error_of([&] {
           axe::mpi::resharder<float>(sum_everywhere(), MPI_COMM_WORLD, {.by = method::collective});
         }) == "the all-reduce of MPI adds in an order of its own: set order to addition::by_mpi",
         "the fixed order of addition is left to MPI");
  std::string const differ = "the ranks have different plans, element types or options";
  expect(error_of([&] {
           axe::mpi::resharder<float>(rows_to_columns(ranks, my_rank == 1 ? 8 * ranks : 4 * ranks),
                                      MPI_COMM_WORLD);
         }) == differ,
         "different plans are accepted");
  expect(error_of([&] {
           if (my_rank == 0)
             axe::mpi::resharder<double>(p, MPI_COMM_WORLD);
           else
             axe::mpi::resharder<float>(p, MPI_COMM_WORLD);
         }) == differ,
         "different types are accepted");
  expect(error_of([&] {
           if (my_rank == 0)
             axe::mpi::resharder<int>(p, MPI_COMM_WORLD);
           else
             axe::mpi::resharder<float>(p, MPI_COMM_WORLD);
         }) == differ,
         "different types of one size are accepted");
  axe::mesh all;
  all.add(x, ranks);
  auto const sliced = [&](integer scratch) {  // two slices for a scratch of 5 and of 6
    return axe::plan_reshard({on_mesh("S[9:1]"), 9, all}, {on_mesh("S[9:1] + 1@x"), 9, all},
                             {{}, scratch});
  };
  expect(error_of([&] {
           axe::mpi::resharder<float>(sliced(my_rank == 0 ? 5 : 6), MPI_COMM_WORLD);
         }) == differ,
         "slices of different widths are accepted");
  expect(error_of([&] {
           axe::mpi::resharder<float>(rows_to_columns(ranks + 1, ranks + 1), MPI_COMM_WORLD);
         }) == "the plan uses rank " + std::to_string(ranks) + ", but the communicator has " +
                   std::to_string(ranks) + " ranks",
         "a plan for more ranks is accepted");
}

/// Tests that a communicator between two groups of ranks is rejected.
void test_communicator_of_two_groups() {
  if (ranks == 1) return;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - my_rank % 2, 0, &between);
  expect(error_of([&] {
           axe::mpi::resharder<int>(rows_to_columns(1, 4), between);
         }).find("the communicator connects two groups") == 0,
         "a communicator between two groups is accepted");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

/// Tests communicators of half of the ranks in reverse order. Each half has a plan of its own.
void test_communicators() {
  if (ranks % 2 != 0) return;
  MPI_Comm half = MPI_COMM_NULL;
  int const color = my_rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, color, -my_rank, &half);
  int const world_rank = my_rank;
  int const world_ranks = ranks;
  MPI_Comm_rank(half, &my_rank);
  MPI_Comm_size(half, &ranks);
  integer const size = ranks * (color + 1);
  for (method by : {method::packed, method::types, method::shared, method::collective}) {
    if (by == method::collective && ranks == 1) continue;
    axe::mpi::resharder<int> move(rows_to_columns(ranks, size), half, {by});
    std::vector<int> from(static_cast<std::size_t>(size * size / ranks)), to(from.size());
    std::iota(from.begin(), from.end(), static_cast<int>(my_rank * size * size / ranks));
    move(from, to);
    integer const width = size / ranks;
    for (integer i = 0; i < size; ++i)
      for (integer j = 0; j < width; ++j)
        expect(to[static_cast<std::size_t>(i * width + j)] == i * size + my_rank * width + j,
               "a sub-communicator moves a wrong element");
  }
  my_rank = world_rank;
  ranks = world_ranks;
  MPI_Comm_free(&half);
}

/// Tests elements of type bool, which std::vector would store as bits.
void test_bool() {
  std::size_t const n = static_cast<std::size_t>(ranks);
  for (method by : {method::packed, method::types, method::shared, method::automatic}) {
    axe::mpi::resharder<bool> move(rows_to_columns(ranks, ranks), MPI_COMM_WORLD, {by});
    auto const from = std::make_unique<bool[]>(n), to = std::make_unique<bool[]>(n);
    for (int j = 0; j < ranks; ++j) from[static_cast<std::size_t>(j)] = (my_rank + 2 * j) % 3 == 0;
    move(std::span<bool const>(from.get(), n), std::span<bool>(to.get(), n));
    for (int i = 0; i < ranks; ++i)
      expect(to[static_cast<std::size_t>(i)] == ((i + 2 * my_rank) % 3 == 0), "a bool is wrong");
  }
}

/// Rank 0 starts a sum of several steps and never waits for it. The other ranks must still end.
void test_no_wait() {
  std::vector<int> ones(4, 1), sums(4);
  axe::mpi::resharder<int> move(sum_everywhere(), MPI_COMM_WORLD);
  move.start(ones, sums);
  if (my_rank == 0) return;
  move.wait();
  expect(sums == std::vector<int>(4, ranks), "a sum is wrong when another rank does not wait");
}

}  // namespace mpi_test
