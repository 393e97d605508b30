// Measures the time of reshardings on MPI: axe, hand-written MPI, and pdgemr2d of ScaLAPACK.
//
//     mpirun -np 4 reshard_benchmark [SIZE]       one line of JSON for each row
//
// All of them reshard the same tensor of doubles between the same buffers, in turn, 15 times each.
// A time is that of the slowest rank. The results are compared before the first timed run.
#include "by_hand.hpp"

#include <axe/mpi.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#ifdef AXE_SCALAPACK
extern "C" {
void Cblacs_get(int, int, int*);
void Cblacs_gridinit(int*, char const*, int, int);
void Cblacs_gridexit(int);
void pdgemr2d_(int const*, int const*, double const*, int const*, int const*, int const*, double*,
               int const*, int const*, int const*, int const*);
}
#endif

namespace {

using axe::integer;
using axe::mpi::method;
using by_hand::block_cyclic;

constexpr int runs = 15;
int rank = 0;
int ranks = 1;

constexpr axe::axis row = axe::device_axis("row");
constexpr axe::axis col = axe::device_axis("col");

/// The source sharding if `before`, else the target sharding, on a grid of 2 x ranks/2 processes.
/// Each round gives one block to each process. A dimension has three digits: the round, the
/// process, and the index in a block.
axe::sharding sharding_of(std::vector<block_cyclic> const& tensor, bool before) {
  axe::sharding s;
  s.devices.add(row, 2);
  s.devices.add(col, ranks / 2);
  bool padded = false;
  bool used[2] = {false, false};
  axe::shape real{};
  for (block_cyclic const& d : tensor) {
    by_hand::side const& by = before ? d.from : d.to;
    integer const period = by.block * by.processes;
    integer const rounds = (d.size + period - 1) / period;
    auto const add = [&](integer extent, integer stride, axe::axis on) {
      if (extent > 1) s.places.shards.push({extent, stride, on});
    };
    add(rounds, by.block * by.stride, axe::axis::m);
    bool const on_rows = by.processes > 1 && by.rank_stride * by.processes == ranks;
    bool const on_columns = by.processes > 1 && by.rank_stride == 1 && ranks > 2;
    if (on_rows) add(2, 1, row);
    if (on_columns) add(ranks / 2, 1, col);
    used[0] = used[0] || on_rows;
    used[1] = used[1] || on_columns;
    add(by.block, by.stride, axe::axis::m);
    s.extents.append(rounds * period);
    real.append(d.size);
    padded = padded || rounds * period != d.size;
  }
  if (!used[0]) s.places.replicas.push({2, 1, row});
  if (!used[1] && ranks > 2) s.places.replicas.push({ranks / 2, 1, col});
  if (padded) s.real = real;
  return s;
}

struct contender {
  std::string name;
  std::function<void()> run;
};

/// Prints the median times of interleaved runs in milliseconds. All contenders must write the same
/// values to `to`.
void measure(std::string const& name, std::vector<contender> const& all, std::vector<double>& to,
             std::string const& chosen) {
  std::vector<double> expected;
  for (contender const& c : all) {
    std::fill(to.begin(), to.end(), -1.0);
    c.run();
    if (expected.empty()) expected = to;
    double worst = 0;
    for (std::size_t k = 0; k < to.size(); ++k)
      worst = std::max(worst, std::abs(to[k] - expected[k]));
    if (worst > 1e-6) {
      std::fprintf(stderr, "%s: %s is wrong on rank %d\n", name.c_str(), c.name.c_str(), rank);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  std::vector<std::vector<double>> times(all.size());
  for (int k = 0; k < runs; ++k)
    for (std::size_t n = 0; n < all.size(); ++n) {
      std::size_t const c = (n + static_cast<std::size_t>(k)) % all.size();
      MPI_Barrier(MPI_COMM_WORLD);
      double const start = MPI_Wtime();
      all[c].run();
      double own = MPI_Wtime() - start;
      double slowest = 0;
      MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      times[c].push_back(slowest * 1e3);
    }
  if (rank != 0) return;
  std::printf("{\"row\": \"%s\", \"ranks\": %d, \"chosen\": \"%s\"", name.c_str(), ranks,
              chosen.c_str());
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::sort(times[c].begin(), times[c].end());
    std::printf(", \"%s\": %.4f", all[c].name.c_str(), times[c][runs / 2]);
  }
  std::printf("}\n");
  std::fflush(stdout);
}

using resharder = axe::mpi::resharder<double>;

/// Adds axe with its default method, with each method, and with the source in the window.
void add_axe(std::vector<contender>& all, std::vector<std::unique_ptr<resharder>>& made,
             axe::reshard_plan const& plan, std::vector<double> const& from,
             std::vector<double>& to, axe::mpi::addition order) {
  auto const add = [&](std::string const& name, axe::mpi::options o) {
    o.order = order;
    try {
      made.push_back(std::make_unique<resharder>(plan, MPI_COMM_WORLD, o));
    } catch (axe::mpi::error const&) { return; }  // no collective does the work of the plan
    resharder* const move = made.back().get();
    std::span<double const> source = from;
    if (o.source_in_window) {
      std::copy_n(from.begin(), move->source().size(), move->source().begin());
      source = move->source();
    }
    all.push_back({name, [=, &to] { (*move)(source, to); }});
  };
  add("axe", {});
  add("axe packed", {.by = method::packed});
  add("axe types", {.by = method::types});
  add("axe shared", {.by = method::shared});
  add("axe in window", {.by = method::shared, .source_in_window = true});
  add("axe collective", {.by = method::collective});
}

#ifdef AXE_SCALAPACK
/// ScaLAPACK's descriptor of the source matrix if `before`, else of the target matrix, on its own
/// process grid. Dimension 0 is the rows; columns are contiguous.
struct descriptor {
  int words[9];

  descriptor(std::vector<block_cyclic> const& t, bool before) {
    by_hand::side const& r = before ? t[0].from : t[0].to;
    by_hand::side const& c = before ? t[1].from : t[1].to;
    int context = 0;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", static_cast<int>(r.processes), static_cast<int>(c.processes));
    int const filled[9] = {1,
                           context,
                           static_cast<int>(t[0].size),
                           static_cast<int>(t[1].size),
                           static_cast<int>(r.block),
                           static_cast<int>(c.block),
                           0,
                           0,
                           static_cast<int>(c.stride)};
    std::copy(filled, filled + 9, words);
  }
  ~descriptor() { Cblacs_gridexit(words[1]); }
};
#endif

/// The number of elements of the buffer on one rank.
integer buffer_size(axe::sharding const& s) {
  integer size = 1;
  for (axe::iter const& i : s.places.shards)
    if (i.on == axe::axis::m) size += (i.extent - 1) * i.stride;
  return size;
}

/// Compares all contenders on one resharding. `scalapack` is true if both sides are block-cyclic
/// matrices stored by columns.
void compare(std::string const& name, std::vector<block_cyclic> const& tensor, bool scalapack) {
  axe::reshard_plan const plan =
      axe::plan_reshard(sharding_of(tensor, true), sharding_of(tensor, false));
  std::vector<double> from(static_cast<std::size_t>(buffer_size(plan.from)));
  std::vector<double> to(static_cast<std::size_t>(buffer_size(plan.to)));
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<double>(k) + 0.01 * rank;
  std::vector<contender> all;
  by_hand::move hand(tensor, ranks, rank);
  all.push_back({"alltoallv", [&] { hand.alltoallv(from.data(), to.data()); }});
  all.push_back({"alltoallw", [&] { hand.alltoallw(from.data(), to.data()); }});
#ifdef AXE_SCALAPACK
  std::unique_ptr<descriptor> a, b;
  if (scalapack) {
    a = std::make_unique<descriptor>(tensor, true);
    b = std::make_unique<descriptor>(tensor, false);
    all.push_back({"pdgemr2d", [&] {
                     int const one = 1;
                     pdgemr2d_(&a->words[2], &a->words[3], from.data(), &one, &one, a->words,
                               to.data(), &one, &one, b->words, &a->words[1]);
                   }});
  }
#endif
  std::vector<std::unique_ptr<resharder>> made;
  add_axe(all, made, plan, from, to, axe::mpi::addition::by_plan);
  measure(name, all, to, name_of(made[0]->chosen()));
}

/// The shardings of compare_gather, on one mesh axis: an all-gather.
axe::sharding gathered_of(std::vector<block_cyclic> const& t, bool before) {
  axe::sharding s;
  s.devices.add(col, ranks);
  integer const n = t[0].size;
  s.extents = axe::shape{n, n};
  if (before)
    s.places.shards = {{n, n / ranks, axe::axis::m}, {ranks, 1, col}, {n / ranks, 1, axe::axis::m}};
  else
    s.places.shards = {{n * n, 1, axe::axis::m}};
  if (!before) s.places.replicas.push({ranks, 1, col});
  return s;
}

/// Each rank has some columns, and all ranks need all columns. By hand: MPI_Allgather, then the
/// columns are put in place.
void compare_gather(integer n) {
  std::vector<block_cyclic> const columns{{n, {n, 1, 1, n / ranks}, {n, 1, 1, n}},
                                          {n, {n / ranks, ranks, 1, 1}, {n, 1, 1, 1}}};
  axe::reshard_plan const plan =
      axe::plan_reshard(gathered_of(columns, true), gathered_of(columns, false));
  std::vector<double> from(static_cast<std::size_t>(n * n / ranks)),
      to(static_cast<std::size_t>(n * n)), blocks(to.size());
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<double>(k) + 0.01 * rank;
  by_hand::move hand(columns, ranks, rank);
  std::vector<contender> all;
  all.push_back({"collective", [&] {
                   int const count = static_cast<int>(from.size());
                   MPI_Allgather(from.data(), count, MPI_DOUBLE, blocks.data(), count, MPI_DOUBLE,
                                 MPI_COMM_WORLD);
                   integer const width = n / ranks;
                   for (int r = 0; r < ranks; ++r)
                     for (integer i = 0; i < n; ++i)
                       std::copy_n(blocks.data() + (r * n + i) * width, width,
                                   to.data() + i * n + r * width);
                 }});
  all.push_back({"alltoallv", [&] { hand.alltoallv(from.data(), to.data()); }});
  all.push_back({"alltoallw", [&] { hand.alltoallw(from.data(), to.data()); }});
  std::vector<std::unique_ptr<resharder>> made;
  add_axe(all, made, plan, from, to, axe::mpi::addition::by_plan);
  measure("strided all-gather", all, to, name_of(made[0]->chosen()));
}

/// Each rank has a matrix of partial sums and needs the complete sums of some rows.
void compare_sum(integer n) {
  axe::sharding sums, rows;
  sums.devices.add(col, ranks);
  rows.devices = sums.devices;
  sums.summands = 1;
  sums.places.shards = {{ranks, 1, col}, {n * n, 1, axe::axis::m}};
  sums.extents = axe::shape{ranks, n, n};
  rows.places.shards = {{ranks, 1, col}, {n * n / ranks, 1, axe::axis::m}};
  rows.extents = axe::shape{n, n};
  axe::reshard_plan const plan = axe::plan_reshard(sums, rows);
  std::vector<double> from(static_cast<std::size_t>(n * n)),
      to(static_cast<std::size_t>(n * n / ranks)), parts(from.size());
  for (std::size_t k = 0; k < from.size(); ++k)
    from[k] = static_cast<double>(k % 1000) + 0.01 * rank;
  int const count = static_cast<int>(to.size());
  std::vector<contender> all;
  all.push_back({"collective", [&] {
                   MPI_Reduce_scatter_block(from.data(), to.data(), count, MPI_DOUBLE, MPI_SUM,
                                            MPI_COMM_WORLD);
                 }});
  all.push_back({"alltoallv", [&] {
                   MPI_Alltoall(from.data(), count, MPI_DOUBLE, parts.data(), count, MPI_DOUBLE,
                                MPI_COMM_WORLD);
                   std::copy_n(parts.data(), count, to.data());
                   for (int r = 1; r < ranks; ++r)
                     for (int k = 0; k < count; ++k) to[k] += parts[r * count + k];
                 }});
  std::vector<std::unique_ptr<resharder>> made;
  add_axe(all, made, plan, from, to, axe::mpi::addition::by_mpi);
  measure("reduce-scatter", all, to, name_of(made[0]->chosen()));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  integer const n = argc > 1 ? std::atoll(argv[1]) : 1536;
  integer const p = ranks / 2;
  integer const cube = 16 * static_cast<integer>(std::cbrt(static_cast<double>(n * n)) / 16);
  // The stride between local columns, at least the length of the longest local column.
  auto const column = [&](integer block, integer processes) {
    integer const period = block * processes;
    return (n + period - 1) / period * block;
  };
  compare("block-cyclic to rows",
          {{n, {32, 2, p, 1}, {n / ranks, ranks, 1, 1}},
           {n, {32, p, 1, column(32, 2)}, {n, 1, 1, n / ranks}}},
          true);
  compare("blocks of 64 to 48",
          {{n, {64, 2, p, 1}, {48, 2, p, 1}},
           {n, {64, p, 1, column(64, 2)}, {48, p, 1, column(48, 2)}}},
          true);
  compare("transposed blocks",
          {{n, {64, 2, p, 1}, {64, p, 1, column(64, 2)}},
           {n, {64, p, 1, column(64, 2)}, {64, 2, p, 1}}},
          false);
  compare("3D pencils",
          {{cube, {cube / 2, 2, p, cube * cube / p}, {cube / 2, 2, p, cube * cube / p}},
           {cube, {cube / p, p, 1, cube}, {cube, 1, 1, cube / p}},
           {cube, {cube, 1, 1, 1}, {cube / p, p, 1, 1}}},
          false);
  compare_gather(n / 2);
  compare_sum(n / 2);
  MPI_Finalize();
}
