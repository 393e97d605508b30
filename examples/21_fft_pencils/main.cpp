// 21: How fast is the exchange between the pencils of a parallel FFT? A box of 96 x 96 x 96 complex
// numbers lies on a grid of processes. Each process has whole lines along z, then whole lines along
// y. axe moves the box by a plan; FFTW transposes it inside each row of the grid. Both results are
// compared bit by bit, and the bytes and the ratio of the times are printed.
//
//     mpirun -np 4 fft_pencils
#include <axe/axe.hpp>
#include <axe/distributed.hpp>
#include <axe/mpi.hpp>

#include <fftw3-mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr axe::axis row = axe::device_axis("row");
constexpr axe::axis col = axe::device_axis("col");

using axe::integer;
using complex = std::complex<double>;

/// The median time of 9 runs in milliseconds, on the slowest process.
template <class Run> double time_of(Run const& run) {
  std::vector<double> times;
  for (int k = 0; k < 9; ++k) {
    MPI_Barrier(MPI_COMM_WORLD);
    double const start = MPI_Wtime();
    run();
    double const own = MPI_Wtime() - start;
    double slowest = 0;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times.push_back(slowest * 1e3);
  }
  std::sort(times.begin(), times.end());
  return times[4];
}

/// The grid of processes cuts x into `down` and y into `across` parts.
struct grid {
  integer down, across;
};

/// From pencils along z to pencils along y. The tensor is (x, y, z). Memory has x fastest:
/// [y][z][x] before, [z][y][x] after the exchange.
axe::reshard_plan plan_of_pencils(integer n, grid const& g) {
  integer const part = n / g.across;
  integer const width = n / g.down;
  axe::axis const m = axe::axis::m;
  axe::sharding along_z, along_y;
  along_z.devices = along_y.devices = axe::mesh{{row, g.down}, {col, g.across}};
  along_z.extents = along_y.extents = axe::shape{n, n, n};
  along_z.places.shards = {
      {g.down, 1, row}, {width, 1, m}, {g.across, 1, col}, {part, n * width, m}, {n, width, m}};
  along_y.places.shards = {
      {g.down, 1, row}, {width, 1, m}, {n, width, m}, {g.across, 1, col}, {part, n * width, m}};
  return axe::plan_reshard(along_z, along_y);
}

/// FFTW's transpose inside each row of the grid.
class transpose_by_fftw {
 public:
  transpose_by_fftw(integer n, grid const& g, int rank, complex* in, complex* out) {
    MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(rank / g.across), rank, &of_row);
    plan = fftw_mpi_plan_many_transpose(n, n, 2 * n / g.down, n / g.across, n / g.across,
                                        reinterpret_cast<double*>(in),
                                        reinterpret_cast<double*>(out), of_row, FFTW_ESTIMATE);
    if (plan == nullptr) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  transpose_by_fftw(transpose_by_fftw const&) = delete;
  ~transpose_by_fftw() {
    fftw_destroy_plan(plan);
    MPI_Comm_free(&of_row);
  }

  void operator()() const { fftw_execute(plan); }

 private:
  MPI_Comm of_row = MPI_COMM_NULL;
  fftw_plan plan = nullptr;
};

int exchange() {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  integer const n = 96;
  integer const down = ranks % 2 == 0 && ranks > 2 ? 2 : 1;
  grid const g{down, ranks / down};
  if (n % g.across != 0) {
    if (rank == 0)
      std::printf("%d processes cannot share 96 lines equally; use 4 or 6, for example\n", ranks);
    return 1;
  }

  axe::reshard_plan const plan = plan_of_pencils(n, g);
  axe::mpi::resharder<complex> move(plan, MPI_COMM_WORLD);

  std::size_t const size = static_cast<std::size_t>(n * n * n / ranks);
  std::vector<complex> from(size), to(size), expected(size);
  for (std::size_t k = 0; k < size; ++k)
    from[k] = {static_cast<double>(k), static_cast<double>(rank)};

  transpose_by_fftw const transpose(n, g, rank, from.data(), expected.data());
  double const theirs = time_of(transpose);
  double const ours = time_of([&] { move(from, to); });
  int wrong = std::memcmp(to.data(), expected.data(), size * sizeof(complex)) != 0;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    long long const bytes = static_cast<long long>(axe::volume(plan) * sizeof(complex));
    std::printf("%d processes: the exchange moves %lld bytes, the minimum is %lld\n", ranks, bytes,
                static_cast<long long>(axe::least_volume(plan) * sizeof(complex)));
    std::printf("axe (%s) takes %.2f of the time of FFTW's transpose\n", name_of(move.chosen()),
                ours / theirs);
    std::printf("%d processes have a result that differs from FFTW's\n", wrong);
  }
  return wrong == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int const code = exchange();
  fftw_mpi_cleanup();
  MPI_Finalize();
  return code;
}
