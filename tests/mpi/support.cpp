// Wrappers of MPI's functions, which count the bytes that this rank sends outside of its shared
// window, and the wrapper of a function of the CUDA driver.
#include "support.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#if MPI_VERSION >= 4
#define PERSISTENT_ALLTOALLW MPI_Alltoallw_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT_ALLTOALLW MPIX_Alltoallw_init
#endif
// PROFILED(MPI_Start) is PMPI_Start: the function of MPI without the wrapper of this file.
#define PROFILED(call) WITH_P(call)
#define WITH_P(call) P##call

namespace mpi_test {

void expect(bool right, std::string const& what) {
  if (right) return;
  ++failures;
  if (failures < 5) std::fprintf(stderr, "rank %d: %s\n", my_rank, what.c_str());
}

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

namespace {

std::map<MPI_Request, integer> bytes_of_start;

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
}  // namespace mpi_test

using namespace mpi_test;

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
