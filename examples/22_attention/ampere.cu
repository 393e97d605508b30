// Compares attention for sm_80 with a reference in double, for head sizes 64 and 128, with all keys
// and with a causal mask. `heads / kv_heads` heads of Q share one head of K and V. Sequences have
// different lengths.
#include "ampere.cuh"

#include "problem.hpp"

namespace {

template <int D, bool Causal> void check(attention_problem& problem, char const* name) {
  problem.check(name, Causal, [&](bf16* o, float* l) {
    integer const tokens = problem.queries.total(), keys = problem.k.shape[0];
    integer const width = problem.heads_q * D, width_kv = problem.heads_kv * D;
    using input = heads<bf16 const, D>;
    example::launch(
        ampere_attention<D, Causal>,
        {.grid = axe::grid_of<1, 1, 128>(problem.batch, problem.heads_q, problem.most_queries),
         .block = {128},
         .shared = sizeof(ampere_memory<D>)},
        input{problem.q.data(), tokens, width}, input{problem.k.data(), keys, width_kv},
        input{problem.v.data(), keys, width_kv}, heads<bf16, D>{o, tokens, width},
        logarithms{l, tokens, problem.heads_q}, problem.begins(), problem.scale());
  });
}
template <int D> void check_both(example::problem& p, char const* full, char const* causal) {
  attention_problem problem(p, D);
  check<D, false>(problem, full);
  check<D, true>(problem, causal);
}

}  // namespace

int main(int argc, char** argv) {
  return example::run(
      argc, argv,
      {"ampere_attention", {"batch", "heads", "kv_heads", "queries", "keys"}, "3x2x1x136x200"},
      [](example::problem& p) {
        auto const [batch, heads_q, heads_kv, queries, keys] = p.size<5>();
        p.require(heads_q % heads_kv == 0, "the heads of Q must be a multiple of those of K and V");
        check_both<64>(p, "full 64", "causal 64");
        check_both<128>(p, "full 128", "causal 128");
      });
}
