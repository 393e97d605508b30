// Executes random reshardings on MPI by every method, and compares each element with the value that
// the shardings define.
//
//     mpirun -np 4 mpi_test [CASES]
//     mpirun -np 3 mpi_test --die         rank 1 ends while the others wait for it
//     mpirun -np 2 mpi_test --large       2^31 + 2^20 elements move, in 7 GiB of memory
//
// Wrappers of MPI's functions count the bytes that a rank sends outside of its shared window. The
// count must equal the plan's bytes.
#include <axe/mpi.hpp>

#include "distributed/drawn.hpp"

#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <numeric>
#include <thread>

#if MPI_VERSION >= 4
#define PERSISTENT_ALLTOALLW MPI_Alltoallw_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT_ALLTOALLW MPIX_Alltoallw_init
#endif
// PROFILED(MPI_Start) is PMPI_Start: the function of MPI without the wrapper of this file.
#define PROFILED(call) WITH_P(call)
#define WITH_P(call) P##call

using axe::integer;
using axe::mpi::method;

namespace {

int my_rank = 0;
int ranks = 1;
integer bytes_sent = 0;
std::map<MPI_Request, integer> bytes_of_start;
int failures = 0;
void const* device_begin = nullptr;
bool mpi_reads_devices = false;

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

/// Counts the bytes that this rank sends in one collective of `count` elements. With `to_all`,
/// `root` sends to all others; without a root, all ranks do. Without `to_all`, all others send to
/// `root`.
void count_group(MPI_Comm group, MPI_Datatype type, integer count, bool to_all, int root = -1) {
  int size = 0;
  int own = 0;
  MPI_Comm_size(group, &size);
  MPI_Comm_rank(group, &own);
  if (to_all ? root < 0 || own == root : own != root)
    count_bytes(type, to_all ? count * (size - 1) : count);
}

}  // namespace

extern "C" {

int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (to != my_rank && tag == 0) count_bytes(type, count);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Ialltoallw(void const* from, int const* counts, int const* displacements,
                   MPI_Datatype const* types, void* to, int const* to_counts,
                   int const* to_displacements, MPI_Datatype const* to_types, MPI_Comm comm,
                   MPI_Request* request) {
  for (int r = 0; r < ranks; ++r)
    if (r != my_rank && counts[r] > 0) count_bytes(types[r], counts[r]);
  return PMPI_Ialltoallw(from, counts, displacements, types, to, to_counts, to_displacements,
                         to_types, comm, request);
}

#ifdef PERSISTENT_ALLTOALLW
/// Counts nothing. The bytes of a persistent call are counted whenever it is started.
int PERSISTENT_ALLTOALLW(void const* from, int const* counts, int const* displacements,
                         MPI_Datatype const* types, void* to, int const* to_counts,
                         int const* to_displacements, MPI_Datatype const* to_types, MPI_Comm comm,
                         MPI_Info info, MPI_Request* request) {
  int const code = PROFILED(PERSISTENT_ALLTOALLW)(from, counts, displacements, types, to, to_counts,
                                                  to_displacements, to_types, comm, info, request);
  integer const before = bytes_sent;
  for (int r = 0; r < ranks; ++r)
    if (r != my_rank && counts[r] > 0) count_bytes(types[r], counts[r]);
  bytes_of_start[*request] = bytes_sent - before;
  bytes_sent = before;
  return code;
}

int MPI_Start(MPI_Request* request) {
  bytes_sent += bytes_of_start[*request];
  return PMPI_Start(request);
}
#endif

int MPI_Iallgather(void const* from, int count, MPI_Datatype type, void* to, int to_count,
                   MPI_Datatype to_type, MPI_Comm group, MPI_Request* request) {
  count_group(group, type, count, true);
  return PMPI_Iallgather(from, count, type, to, to_count, to_type, group, request);
}

int MPI_Ialltoall(void const* from, int count, MPI_Datatype type, void* to, int to_count,
                  MPI_Datatype to_type, MPI_Comm group, MPI_Request* request) {
  count_group(group, type, count, true);
  return PMPI_Ialltoall(from, count, type, to, to_count, to_type, group, request);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm group,
               MPI_Request* request) {
  count_group(group, type, count, true, root);
  return PMPI_Ibcast(data, count, type, root, group, request);
}

int MPI_Iscatter(void const* from, int count, MPI_Datatype type, void* to, int to_count,
                 MPI_Datatype to_type, int root, MPI_Comm group, MPI_Request* request) {
  count_group(group, type, count, true, root);
  return PMPI_Iscatter(from, count, type, to, to_count, to_type, root, group, request);
}

int MPI_Igather(void const* from, int count, MPI_Datatype type, void* to, int to_count,
                MPI_Datatype to_type, int root, MPI_Comm group, MPI_Request* request) {
  count_group(group, type, count, false, root);
  return PMPI_Igather(from, count, type, to, to_count, to_type, root, group, request);
}

int MPI_Ireduce(void const* from, void* to, int count, MPI_Datatype type, MPI_Op sum, int root,
                MPI_Comm group, MPI_Request* request) {
  count_group(group, type, count, false, root);
  return PMPI_Ireduce(from, to, count, type, sum, root, group, request);
}

int MPI_Ireduce_scatter_block(void const* from, void* to, int count, MPI_Datatype type, MPI_Op sum,
                              MPI_Comm group, MPI_Request* request) {
  count_group(group, type, count, true);
  return PMPI_Ireduce_scatter_block(from, to, count, type, sum, group, request);
}

/// Counts an all-reduce as a reduce-scatter and an all-gather, in which the ranks' shares are as
/// equal as possible.
int MPI_Iallreduce(void const* from, void* to, int count, MPI_Datatype type, MPI_Op sum,
                   MPI_Comm group, MPI_Request* request) {
  int size = 0;
  int own = 0;
  MPI_Comm_size(group, &size);
  MPI_Comm_rank(group, &own);
  integer const width = (count + size - 1) / size;
  integer const share = std::clamp<integer>(count - own * width, 0, width);
  count_bytes(type, share * (size - 1) + count - share);
  return PMPI_Iallreduce(from, to, count, type, sum, group, request);
}

/// Replaces a function of the CUDA driver, and answers that the memory at device_begin is device
/// memory.
int cuPointerGetAttribute(void* out, int attribute, unsigned long long address) {
  bool const on_device = reinterpret_cast<void const*>(address) == device_begin;
  *static_cast<unsigned*>(out) = attribute == 2 ? (on_device ? 2 : 1) : 0;
  return 0;
}

int MPIX_Query_cuda_support() { return mpi_reads_devices ? 1 : 0; }

}  // extern "C"

namespace {

/// The value of summand s of element x. The sum of such floats depends on the order of addition.
template <class T> T value_of(integer s, integer x) {
  return static_cast<T>(1 + x * 37 % 1009) / static_cast<T>(1 + s * 2);
}

template <class T> struct buffers {
  std::vector<T> from, to;
  std::vector<std::pair<integer, integer>> wanted;  // (address, element) of this rank
};

template <class T> buffers<T> fill(oracle::problem const& q, axe::mpi::resharder<T>& move) {
  buffers<T> out;
  out.from.resize(static_cast<std::size_t>(move.elements_from()));
  out.to.assign(static_cast<std::size_t>(move.elements_to()), T(-1));
  for (integer s = 0; s < q.summands; ++s)
    for (integer x = 0; x < q.elements; ++x)
      if (q.is_real(x))
        for (auto const& [rank, address] : oracle::places_of(q.from, s * q.elements + x))
          if (rank == my_rank && address < move.elements_from())
            out.from[static_cast<std::size_t>(address)] = value_of<T>(s, x);
  for (integer x = 0; x < q.elements; ++x)
    if (q.is_real(x))
      for (auto const& [rank, address] : oracle::places_of(q.to, q.in_to(x)))
        if (rank == my_rank) out.wanted.emplace_back(address, x);
  return out;
}

/// True if two ranks share a window. A window has `most` consecutive ranks, or all of this machine
/// if `most` is 0.
bool share_a_window(integer a, integer b, int most) { return most == 0 || a / most == b / most; }

/// The bytes that the plan says this rank sends through MPI. Messages inside a window are copied
/// instead.
integer stated_bytes(axe::reshard_plan const& p, axe::mpi::options const& o, integer size) {
  integer stated = 0;
  for (integer d = 0; d < p.device_count(); ++d) {
    if (p.rank_of(d) != my_rank) continue;
    for (axe::message const& m : axe::sent(p, d))
      if (o.by != method::shared ||
          !share_a_window(p.rank_of(m.from), p.rank_of(m.to), o.ranks_of_a_window))
        stated += axe::count(p, m) * size;
  }
  return stated;
}

template <class T> bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Executes a plan, and returns the elements that this rank then has.
template <class T>
std::vector<T> run(drawn::drawn_case const& c, axe::reshard_plan const& p, axe::mpi::options o) {
  axe::mpi::resharder<T> move(p, MPI_COMM_WORLD, o);
  oracle::problem const q(c.from, c.to);
  buffers<T> b = fill(q, move);
  std::span<T const> from = b.from;
  if (o.source_in_window) {
    std::copy(b.from.begin(), b.from.end(), move.source().begin());
    from = move.source();
  }
  bytes_sent = 0;
  move.start(from, b.to);
  move.wait();
  o.by = move.chosen();
  integer const stated = stated_bytes(p, o, sizeof(T));
  expect(bytes_sent == stated, std::string(name_of(o.by)) + " sent " + std::to_string(bytes_sent) +
                                   " bytes, but the plan has " + std::to_string(stated) + "\n" +
                                   described(c));
  std::vector<T> got;
  for (auto const& [address, x] : b.wanted) {
    T const value = b.to.at(static_cast<std::size_t>(address));
    got.push_back(value);
    T sum{};
    for (integer s = 0; s < q.summands; ++s) sum = static_cast<T>(sum + value_of<T>(s, x));
    bool const right = std::abs(value - sum) <= sum * T(1e-5);
    expect(right, std::string(name_of(o.by)) + ": element " + std::to_string(x) + " is wrong\n" +
                      described(c));
  }
  std::vector<T> again = b.to;
  move(from, again);
  expect(same_bits(again, b.to), "a second run gives other bits");
  return got;
}

void test_drawn(int cases) {
  drawn::draw d(7);
  for (int k = 0; k < cases;) {
    drawn::drawn_case const c = drawn::draw_case(d);
    axe::outcome<axe::reshard_plan> const p = axe::try_plan_reshard(c.from, c.to, c.options);
    if (!p || p->devices.last_rank() >= ranks) continue;
    ++k;
    std::vector<float> const packed = run<float>(c, *p, {.by = method::packed});
    axe::mpi::options const others[] = {
        {.by = method::types},
        {.by = method::shared},
        {.by = method::shared, .ranks_of_a_window = 2, .source_in_window = true},
        {}};
    expect(same_bits(packed, run<float>(c, *p, others[k % 4])), "the methods give different bits");
    if (k % 4 == 1) run<double>(c, *p, {.by = method::types});
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

/// Tests pairs of shardings whose plan is a collective along one axis.
void test_collectives() {
  if (ranks == 1) return;
  std::string const n = std::to_string(ranks);
  std::string const part = std::to_string(ranks * 12);
  std::string const size = std::to_string(ranks * ranks * 12);
  axe::mesh m;
  m.add(x, ranks);
  auto const side = [&](std::string const& places, bool sums = false) {
    axe::shape const tensor{ranks * ranks, 12};
    return axe::sharding{on_mesh(places.c_str()),
                         sums ? axe::shape{ranks, ranks * ranks, 12} : tensor, m, sums ? 1 : 0};
  };
  axe::sharding const rows = side("S[(" + n + "," + part + "):(1@x,1)]");
  axe::sharding const spread = side("S[(" + n + "," + n + ",12):(1@x,26,2)]");
  axe::sharding const cyclic = side("S[(" + n + "," + n + ",12):(12,1@x,1)]");
  axe::sharding const all = side("S[" + size + ":1] + R[" + n + ":1@x]");
  axe::sharding const one = side("S[" + size + ":1] + 1@x");
  axe::sharding const sum = side("S[(" + n + "," + size + "):(1@x,1)]", true);
  axe::sharding const spread_sum = side("S[(" + n + "," + size + "):(1@x,3)]", true);
  struct pair {
    axe::sharding from, to;
    axe::collective what;
  };
  using axe::collective;
  for (pair const& c : {pair{rows, all, collective::all_gather},
                        {spread, all, collective::all_gather},
                        {rows, cyclic, collective::all_to_all},
                        {spread, cyclic, collective::all_to_all},
                        {one, all, collective::broadcast},
                        {one, spread, collective::scatter},
                        {one, rows, collective::scatter},
                        {spread, one, collective::gather},
                        {sum, rows, collective::reduce_scatter},
                        {spread_sum, cyclic, collective::reduce_scatter},
                        {sum, all, collective::all_reduce},
                        {sum, one, collective::reduce}}) {
    axe::outcome<axe::reshard_plan> const p = axe::try_plan_reshard(c.from, c.to);
    expect(p && recognise(*p).what == c.what,
           std::string("the plan is not recognised: ") + name_of(c.what));
    if (!p) continue;
    run<float>({c.from, c.to, {}}, *p,
               {.by = method::collective, .order = axe::mpi::addition::by_mpi});
    run<double>({c.from, c.to, {}}, *p, {.order = axe::mpi::addition::by_mpi});
  }
}

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
  test_drawn(cases);
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
