// Executes random reshardings on MPI by every method, and compares each element with the value that
// the shardings define. The bytes that a rank sends must equal the plan's bytes.
#include "support.hpp"

#include "distributed/random_shardings.hpp"

#include <cstring>
#include <numeric>

namespace mpi_test {
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
std::vector<T> run(random_shardings::random_case const& c, axe::reshard_plan const& p,
                   axe::mpi::options o) {
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

}  // namespace

void test_random(int cases) {
  random_shardings::random_source d(7);
  for (int k = 0; k < cases;) {
    random_shardings::random_case const c = random_shardings::make_random_case(d);
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
    axe::collective kind;
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
    expect(p && recognise(*p).kind == c.kind,
           std::string("the plan is not recognised: ") + name_of(c.kind));
    if (!p) continue;
    run<float>({c.from, c.to, {}}, *p,
               {.by = method::collective, .order = axe::mpi::addition::by_mpi});
    run<double>({c.from, c.to, {}}, *p, {.order = axe::mpi::addition::by_mpi});
  }
}

}  // namespace mpi_test
