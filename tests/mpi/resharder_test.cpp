// Reshardings on the ranks of MPI: drawn pairs of shardings, every method, against the definition.
//
//     mpirun -np 4 mpi_test [CASES]
//     mpirun -np 3 mpi_test --die         rank 1 ends while the others wait for it
//
// MPI_Isend and MPI_Ialltoallw are wrapped to count the bytes that leave a rank: they equal what the
// plan states.
#include <axe/mpi.hpp>

#include "distributed/drawn.hpp"

#include <cstring>
#include <numeric>

using axe::integer;
using axe::mpi::method;

namespace {

int my_rank = 0;
int ranks = 1;
integer bytes_sent = 0;
int failures = 0;

void expect(bool right, std::string const& what) {
  if (right) return;
  ++failures;
  if (failures < 5) std::fprintf(stderr, "rank %d: %s\n", my_rank, what.c_str());
}

void count_bytes(MPI_Datatype type, integer count) {
  MPI_Count size = 0;
  MPI_Type_size_x(type, &size);
  bytes_sent += count * static_cast<integer>(size);
}

}  // namespace

extern "C" int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  if (to != my_rank) count_bytes(type, count);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

extern "C" int MPI_Ialltoallw(void const* from, int const* counts, int const* displacements,
                              MPI_Datatype const* types, void* to, int const* to_counts,
                              int const* to_displacements, MPI_Datatype const* to_types,
                              MPI_Comm comm, MPI_Request* request) {
  for (int r = 0; r < ranks; ++r)
    if (r != my_rank && counts[r] > 0) count_bytes(types[r], counts[r]);
  return PMPI_Ialltoallw(from, counts, displacements, types, to, to_counts, to_displacements,
                         to_types, comm, request);
}

namespace {

/// The value of summand s of element x. Sums of floats depend on the order of addition.
template <class T> T value_of(integer s, integer x) {
  return static_cast<T>(1 + x * 37 % 1009) / static_cast<T>(1 + s * 2);
}

template <class T> struct buffers {
  std::vector<T> from, to;
  std::vector<std::pair<integer, integer>> wanted;  // address, element
};

template <class T> buffers<T> fill(oracle::problem const& q, axe::mpi::resharder<T>& move) {
  buffers<T> out;
  out.from.resize(static_cast<std::size_t>(move.elements_from()));
  out.to.assign(static_cast<std::size_t>(move.elements_to()), T(-1));
  for (integer s = 0; s < q.summands; ++s)
    for (integer x = 0; x < q.elements; ++x)
      if (q.real[static_cast<std::size_t>(x)])
        for (auto const& [rank, address] : oracle::places_of(q.from, s * q.elements + x))
          if (rank == my_rank && address < move.elements_from())
            out.from[static_cast<std::size_t>(address)] = value_of<T>(s, x);
  for (integer x = 0; x < q.elements; ++x)
    if (q.real[static_cast<std::size_t>(x)])
      for (auto const& [rank, address] :
           oracle::places_of(q.to, q.index_in_to[static_cast<std::size_t>(x)]))
        if (rank == my_rank) out.wanted.emplace_back(address, x);
  return out;
}

/// Runs a plan, and returns what this rank has then.
template <class T>
std::vector<T> run(drawn::drawn_case const& c, axe::reshard_plan const& p, method by) {
  axe::mpi::resharder<T> move(p, MPI_COMM_WORLD, {by});
  oracle::problem const q(c.from, c.to);
  buffers<T> b = fill(q, move);
  bytes_sent = 0;
  move.start(b.from, b.to);
  move.wait();
  integer stated = 0;
  for (integer d = 0; d < p.device_count(); ++d)
    if (p.rank_of(d) == my_rank) stated += axe::traffic_of(p, d).sent;
  expect(bytes_sent == stated * static_cast<integer>(sizeof(T)),
         "sent " + std::to_string(bytes_sent) + " bytes, stated are " +
             std::to_string(stated * static_cast<integer>(sizeof(T))) + "\n" + described(c));
  std::vector<T> got;
  for (auto const& [address, x] : b.wanted) {
    T const value = b.to.at(static_cast<std::size_t>(address));
    got.push_back(value);
    T sum{};
    for (integer s = 0; s < q.summands; ++s) sum = static_cast<T>(sum + value_of<T>(s, x));
    bool const right = std::abs(value - sum) <= sum * T(1e-5);
    expect(right, "element " + std::to_string(x) + " is wrong\n" + described(c));
  }
  std::vector<T> again = b.to;
  move(b.from, again);
  expect(again.size() == b.to.size() &&
             std::memcmp(again.data(), b.to.data(), again.size() * sizeof(T)) == 0,
         "a second run gives other bits");
  return got;
}

void test_drawn(int cases) {
  drawn::draw d{std::mt19937(7)};
  for (int k = 0; k < cases;) {
    drawn::drawn_case const c = drawn::draw_case(d);
    axe::outcome<axe::reshard_plan> const p = axe::try_plan_reshard(c.from, c.to, c.options);
    if (!p || p->devices.last_rank() >= ranks) continue;
    ++k;
    std::vector<float> const packed = run<float>(c, *p, method::packed);
    std::vector<float> const typed = run<float>(c, *p, method::types);
    expect(packed.size() == typed.size() &&
               std::memcmp(packed.data(), typed.data(), packed.size() * sizeof(float)) == 0,
           "the methods give different bits");
    run<double>(c, *p, method::types);
  }
}

constexpr axe::axis x = axe::device_axis("x");
constexpr axe::notation on_mesh{x};

axe::reshard_plan rows_to_columns(integer devices, integer size) {
  axe::mesh m;
  m.add(x, devices);
  std::string const rows = "S[(" + std::to_string(devices) + "," + std::to_string(size / devices) +
                           "," + std::to_string(size) + "):(1@x," + std::to_string(size) + ",1)]";
  std::string const columns = "S[(" + std::to_string(size) + "," + std::to_string(devices) + "," +
                              std::to_string(size / devices) + "):(" +
                              std::to_string(size / devices) + ",1@x,1)]";
  axe::shape const s{size, size};
  return axe::plan_reshard({on_mesh(rows.c_str()), s, m}, {on_mesh(columns.c_str()), s, m});
}

/// The sentence of the error that `use` throws, or "".
template <class Use> std::string error_of(Use const& use) {
  try {
    use();
  } catch (axe::mpi::error const& e) { return e.what(); }
  return "";
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
  if (ranks == 1) return;
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
           axe::mpi::resharder<float>(rows_to_columns(ranks + 1, ranks + 1), MPI_COMM_WORLD);
         }) == "the plan uses rank " + std::to_string(ranks) + ", but the communicator has " +
                   std::to_string(ranks) + " ranks",
         "a plan for more ranks is accepted");
}

/// The ranks in reverse order, two halves of the world each with a plan of its own.
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
  for (method by : {method::packed, method::types}) {
    axe::mpi::resharder<int> move(rows_to_columns(ranks, size), half, {by});
    std::vector<int> from(static_cast<std::size_t>(size * size / ranks)), to(from.size());
    std::iota(from.begin(), from.end(), static_cast<int>(my_rank * size * size / ranks));
    move(from, to);
    integer const width = size / ranks;
    for (integer i = 0; i < size; ++i)
      for (integer j = 0; j < width; ++j)
        expect(to[static_cast<std::size_t>(i * width + j)] == i * size + my_rank * width + j,
               "a sub-communicator moves another element");
  }
  my_rank = world_rank;
  ranks = world_ranks;
  MPI_Comm_free(&half);
}

/// A sum in several steps that rank 0 never waits for ends on the other ranks.
void test_no_wait() {
  axe::mesh m;
  m.add(x, ranks);
  std::string const n = std::to_string(ranks);
  axe::sharding const from{on_mesh(("S[(" + n + ",4):(1@x,1)]").c_str()), {ranks, 4}, m, 1};
  axe::sharding const to{on_mesh(("S[4:1] + R[" + n + ":1@x]").c_str()), {4}, m};
  std::vector<int> ones(4, 1), sums(4);
  axe::mpi::resharder<int> move(axe::plan_reshard(from, to), MPI_COMM_WORLD);
  move.start(ones, sums);
  if (my_rank == 0) return;
  move.wait();
  expect(sums == std::vector<int>(4, ranks), "a sum is wrong when another rank does not wait");
}

/// Rank 1 ends without a word while the others are in a move.
void die() {
  axe::mpi::resharder<float> move(rows_to_columns(ranks, 4 * ranks), MPI_COMM_WORLD);
  std::vector<float> from(static_cast<std::size_t>(16 * ranks)), to(from);
  if (my_rank == 1) std::_Exit(3);
  move(from, to);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && std::strcmp(argv[1], "--die") == 0) die();
  test_drawn(argc > 1 ? std::atoi(argv[1]) : 150);
  test_mistakes();
  test_communicators();
  test_no_wait();
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (my_rank == 0) std::printf("%d ranks: %d failures\n", ranks, all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
