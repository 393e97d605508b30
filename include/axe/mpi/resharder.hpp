// SPDX-License-Identifier: MIT
// resharder<T>: executes a reshard plan on the ranks of a communicator.
//
//     resharder<float> move{plan, MPI_COMM_WORLD};
//     move(from, to);                              or move.start(from, to); move.wait();
//
// Definition: docs/distributed.md, "On MPI".
#pragma once

#include <axe/mpi/cost.hpp>
#include <axe/mpi/device_memory.hpp>
#include <axe/mpi/peer_messages.hpp>
#include <axe/mpi/typed_messages.hpp>

#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <typeinfo>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {

enum class addition : unsigned char {
  by_plan,  // every rank and execution gives the same bits
  by_mpi,   // MPI may use its reductions
};

struct options {
  method by = method::automatic;
  addition order = addition::by_plan;
  int ranks_of_a_window = 0;  // at most; 0: all of a node
  bool source_in_window = false;
};

/// Sums need T's operator+.
template <class T> class resharder {
  static_assert(std::is_trivially_copyable_v<T>, "MPI moves bytes: T must be trivially copyable");

 public:
  /// Collective. Throws on every rank if arguments of the ranks differ, if the plan needs more
  /// ranks, or if the method cannot execute the plan.
  resharder(reshard_plan const& plan, MPI_Comm of, options chosen = {}) : how(chosen) {
    admit_communicator(of);
    detail::require(MPI_Comm_dup(of, &comm), "MPI_Comm_dup");
    try {
      detail::require(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
      prepare(plan);
    } catch (...) {
      release();
      throw;
    }
  }
  resharder(resharder const&) = delete;
  resharder& operator=(resharder const&) = delete;
  /// Waits for a started move, so that no other rank waits for this one.
  ~resharder() {
    try {
      wait();
      if (peers) peers->finish();
    } catch (error const&) {}
    release();
  }

  integer elements_from() const { return own_schedule.end(buffer::src); }
  integer elements_to() const { return own_schedule.end(buffer::dst); }
  method chosen() const { return how.by; }
  cost cost_of(method m) const {
    return detail::cost_of(m == method::automatic ? how.by : m, own_schedule, *own_node, bytes);
  }
  /// Memory for `from` that other ranks read in place. Empty unless the method is `shared` and
  /// options::source_in_window is set.
  std::span<T> source() const {
    if (!window || !how.source_in_window) return {};
    return {window->source(), static_cast<std::size_t>(elements_from())};
  }

  void operator()(std::span<T const> from, std::span<T> to) {
    start(from, to);
    wait();
  }
  /// Collective. Makes the calls of method::types persistent for these buffers, which later moves
  /// must use. Throws for other methods, and if MPI lacks persistent calls.
  void bind(std::span<T const> from, std::span<T> to) {
    if (how.by != method::types || !typed->persists() || moving)
      throw error(moving ? "bind was called between start and wait"
                         : "bind needs the method 'types' and an MPI with MPI_Alltoallw_init");
    use(from, to);
    bound = memory;
    typed->bind(own_schedule, memory);
  }

  /// Begins the first round; `wait` ends it and executes the others. Until `wait` returns, `from`
  /// must not change and `to` must not be used.
  void start(std::span<T const> from, std::span<T> to) {
    if (moving) throw error("start was called twice without wait");
    use(from, to);
    if (typed && typed->is_bound() && (memory.src != bound.src || memory.dst != bound.dst))
      throw error("the move is bound to other buffers: call bind on every rank");
    moving = true;
    at = 0;
    begin_round();
  }
  void wait() {
    if (!moving) return;
    for (;;) {
      end_round();
      if (++at == own_schedule.rounds.size()) break;
      begin_round();
    }
    moving = false;
  }

 private:
  static constexpr integer bytes = sizeof(T);

  void prepare(reshard_plan const& plan) {
    int rank = 0;
    int ranks = 0;
    detail::require(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    detail::require(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    compare(plan, ranks);
    own_schedule = detail::schedule(plan, rank);
    own_node.emplace(comm, how.ranks_of_a_window);
    make_collective(plan);
    if (how.by == method::automatic)
      choose_method();
    else if (how.by == method::shared && !make_window())
      throw error("a node has no room for a shared window");
    if (how.by == method::types)
      typed.emplace(comm, own_schedule, detail::is_cuda_aware());
    else
      peers.emplace(comm, rank, window ? &*window : nullptr);
    memory.tmp0 = window ? window->tmp0() : own_tmp0.at_least(own_schedule.end(buffer::tmp0));
  }
  void release() {
    typed.reset();
    peers.reset();
    group.reset();
    window.reset();
    own_node.reset();
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  static void admit_communicator(MPI_Comm of) {
    int begun = 0;
    int between = 0;
    detail::require(MPI_Initialized(&begun), "MPI_Initialized");
    if (begun == 0) throw error("MPI_Init was not called before a resharder was made");
    if (of == MPI_COMM_NULL)
      throw error("the communicator is MPI_COMM_NULL: only its members make a resharder");
    detail::require(MPI_Comm_test_inter(of, &between), "MPI_Comm_test_inter");
    if (between != 0)
      throw error("the communicator connects two groups: merge them by MPI_Intercomm_merge");
  }
  void compare(reshard_plan const& plan, int ranks) {
    std::uint64_t own = detail::digest_of(plan, bytes);
#ifdef __cpp_rtti
    for (char const* c = typeid(T).name(); *c != '\0'; ++c)
      own = (own ^ static_cast<unsigned char>(*c)) * 1099511628211u;
#endif
    for (integer n :
         {static_cast<integer>(how.by), static_cast<integer>(how.order),
          static_cast<integer>(how.ranks_of_a_window), static_cast<integer>(how.source_in_window)})
      own = own * 1099511628211u + static_cast<std::uint64_t>(n);
    std::uint64_t const sides[2] = {own, ~own};
    std::uint64_t least[2] = {};
    detail::require(MPI_Allreduce(sides, least, 2, MPI_UINT64_T, MPI_MIN, comm), "MPI_Allreduce");
    if (least[0] != own || least[1] != ~own)
      throw error("the ranks have different plans, element types or options");
    if (plan.devices.last_rank() >= ranks)
      throw error("the plan uses rank " + std::to_string(plan.devices.last_rank()) +
                  ", but the communicator has " + std::to_string(ranks) + " ranks");
  }
  void make_collective(reshard_plan const& plan) {
    if (how.by != method::automatic && how.by != method::collective) return;
    recognised const found = recognise(plan);
    bool const adds_freely = !detail::is_sum(found.kind) || how.order == addition::by_mpi;
    if (detail::is_mpi_collective(found.kind) && adds_freely) {
      group.emplace(comm, plan, found, own_schedule);
      int usable = group->usable();
      detail::require(MPI_Allreduce(MPI_IN_PLACE, &usable, 1, MPI_INT, MPI_LAND, comm),
                      "MPI_Allreduce");
      if (usable == 0) group.reset();
    }
    if (group || how.by == method::automatic) return;
    if (!adds_freely)
      throw error(std::string("the ") + name_of(found.kind) +
                  " of MPI adds in an order of its own: set order to addition::by_mpi");
    throw error(std::string("the plan is not a collective of MPI, but ") + name_of(found.kind));
  }
  void choose_method() {
    method const all[] = {method::shared, method::packed, method::types, method::collective};
    double time[4];
    for (int k = 0; k < 4; ++k) time[k] = cost_of(all[k]).time();
    detail::require(MPI_Allreduce(MPI_IN_PLACE, time, 4, MPI_DOUBLE, MPI_MAX, comm),
                    "MPI_Allreduce");
    int const count = group ? 4 : 3;
    how.by = all[std::min_element(time, time + count) - time];
    if (how.by != method::collective) group.reset();
    if (how.by == method::shared && !make_window()) how.by = method::packed;
  }
  bool make_window() {
    integer packed = 0;
    for (detail::round const& r : own_schedule.rounds)
      packed = std::max(packed, detail::peer_messages<T>::packed_in_window(r, *own_node));
    window.emplace(*own_node, comm, how.source_in_window ? elements_from() : 0,
                   own_schedule.end(buffer::tmp0), packed);
    if (!window->valid()) window.reset();
    return window.has_value();
  }
  void use(std::span<T const> from, std::span<T> to) {
    admit("from", static_cast<integer>(from.size()), elements_from());
    admit("to", static_cast<integer>(to.size()), elements_to());
    admit_apart(from.data(), to.data());
    admit_device("from", from.data());
    admit_device("to", to.data());
    memory.src = from.data();
    memory.dst = to.data();
  }
  static void admit(char const* name, integer has, integer needs) {
    if (has < needs)
      throw error("the buffer '" + std::string(name) + "' has " + std::to_string(has) +
                  " elements, but this rank uses " + std::to_string(needs));
  }
  void admit_apart(T const* from, T const* to) const {
    std::less<T const*> const before;
    if (elements_from() > 0 && elements_to() > 0 && before(from, to + elements_to()) &&
        before(to, from + elements_from()))
      throw error("the buffers 'from' and 'to' overlap, but a move reads 'from' until it ends");
  }
  void admit_device(char const* name, void const* p) const {
    if (!detail::is_device_memory(p)) return;
    std::string const where = "the buffer '" + std::string(name) + "' is memory of a device, ";
    if (!detail::is_cuda_aware())
      throw error(where + "but this MPI is not CUDA-aware: copy it to the host first");
    if (how.by != method::types)
      throw error(where + "which only the method 'types' moves, not '" + name_of(how.by) + "'");
    for (detail::round const& r : own_schedule.rounds)
      if (r.adds) throw error(where + "but sums are added on the host: copy it there first");
  }

  void begin_round() {
    detail::round const& r = own_schedule.rounds[at];
    if (typed)
      typed->begin(at, r, memory);
    else if (group && group->replaces(r))
      group->begin(r, memory);
    else
      peers->begin(r, memory);
  }
  void end_round() {
    detail::round const& r = own_schedule.rounds[at];
    if (typed)
      typed->end(at, r, memory);
    else if (group && group->replaces(r))
      group->end(memory);
    else
      peers->end(r, memory);
  }

  options how;
  MPI_Comm comm = MPI_COMM_NULL;
  detail::schedule own_schedule;
  detail::scratch<T> own_tmp0;  // without a window
  detail::buffers<T> memory, bound;
  bool moving = false;
  std::size_t at = 0;
  std::optional<detail::node> own_node;
  std::optional<detail::shared_window<T>> window;
  std::optional<detail::peer_messages<T>> peers;
  std::optional<detail::typed_messages<T>> typed;
  std::optional<detail::group_collective<T>> group;
};

}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
