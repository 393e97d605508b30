// Executes plans of copies in plain loops: odd extents, swizzles, replicas and random layouts. Each
// copy is planned with every instruction that accepts it.
#include "plan/tensor_copy_check.hpp"

#include "support/catch.hpp"

#include <axe/construct/literal.hpp>
#include <axe/refusal/refusal.hpp>

#include <random>

using namespace axe;
using enum memory_space;

namespace {

layout read(char const* text) { return parse(text); }

/// The number of tensor copies that were executed.
int tensors = 0;

/// Adds what a tensor copy needs: an aligned tile in shared memory, and zeros for elements out of
/// bounds.
copy_request for_a_map(copy_request r) {
  integer& base = r.from_space == shared ? r.options.from_alignment : r.options.to_alignment;
  base = 1 << 13;
  if (r.to_space == shared) r.options.outside = copy_outside::zero;
  return r;
}

/// Executes the plan of every instruction that accepts the copy. Returns the number of plans,
/// without tensor copies.
int check_all(copy_request request, std::vector<long long> const& limits = {}) {
  int checked = 0;
  CAPTURE(to_text(request.from).c_str(), to_text(request.to).c_str(), request.bits, request.scope,
          to_text(request.options.partition).c_str());
  auto const check_with = [&](copy_instruction i) {
    request.options.force = i;
    outcome<copy_plan> const plan = try_plan_copy(request);
    if (!plan) return plan.why;
    CAPTURE(name_of(plan->instruction));
    ++checked;
    CHECK(axe_test::copy_fault(*plan, request, limits) == "");
    CHECK(plan->threads <= plan->scope);
    return refusal{};
  };
  refusal const any = check_with(copy_instruction::any);
  CAPTURE(name_of(any.which));
  CHECK(any.which == rule::none);  // a legal copy has a plan
  for (int k = 2; k < static_cast<int>(copy_instruction::count); ++k)
    check_with(static_cast<copy_instruction>(k));
  request = for_a_map(request);
  request.options.force = copy_instruction::tma;
  if (outcome<copy_plan> const plan = try_plan_copy(request); plan) {
    ++tensors;
    CHECK(axe_test::tensor_copy_fault(*plan, request, limits) == "");
  }
  return checked;
}

copy_request between(char const* from, memory_space a, char const* to, memory_space b,
                     shape const& s, int bits, integer scope) {
  return {read(from), a, read(to), b, s, bits, scope, architecture::sm_90a, {}};
}

}  // namespace

TEST_CASE("plans copy between memories, with exact and odd extents") {
  CHECK(check_all(between("S[(64,64):(4096,1)]", global, "S[(64,64):(64,1)]", shared, {64, 64}, 16,
                          128)) >= 5);
  CHECK(check_all(between("S[(64,48):(4096,1)]", global, "swizzle(3,3,3) o S[(64,48):(64,1)]",
                          shared, {64, 48}, 16, 96)) >= 5);
  CHECK(check_all(
            between("S[(7,13):(13,1)]", global, "S[(7,13):(16,1)]", shared, {7, 13}, 32, 32)) >= 2);
  check_all(between("S[(33,65):(72,1)]", global, "S[(33,65):(1,33)]", shared, {33, 65}, 32, 128));
  check_all(between("S[(33,65):(72,1)]", global, "S[(33,65):(68,1)]", shared, {33, 65}, 32, 100));
  check_all(
      between("S[(5,3,7):(1,64,8)]", global, "S[(5,3,7):(21,7,1)]", shared, {5, 3, 7}, 8, 64));
  check_all(between("S[24:1]", global, "S[(4,6):(1,4)]", shared, 24, 32, 5));
  check_all(between("S[(4,6):(1,4)]", global, "S[(3,8):(1,3)]", shared, 24, 32, 32));
  check_all(between("S[(4,6):(1,4)]", global, "S[(3,8):(8,1)] + 16", shared, 24, 16, 7));
  check_all(between("S[1:1]", global, "S[1:1] + 3", shared, 1, 64, 32));
  check_all(between("S[(2,8,100):(1000,-112,1)] + 784", global, "S[(2,8,100):(800,100,1)]", global,
                    {2, 8, 100}, 16, 256));
}

TEST_CASE(
    "plans of tensor copies copy odd extents, partial tiles, a swizzle and bytes of two elements") {
  int const before = tensors;
  check_all(between("S[(7,48):(64,1)]", global, "S[(7,48):(48,1)]", shared, {7, 48}, 16, 1), {});
  copy_request r = between("S[(40,64):(1032,1)]", global, "swizzle(3,3,3) o S[(40,64):(64,1)]",
                           shared, {40, 64}, 16, 1);
  check_all(r);
  r.options.edges = {1, 8};
  check_all(r, {33, 40});
  check_all(r, {1, 8});
  r = between("S[(16,128):(128,1)]", shared, "S[(16,128):(512,1)]", global, {16, 128}, 4, 32);
  check_all(r);
  r.bits = 128;
  check_all(r);
  r = between("swizzle(2,3,3) o S[(4,8,32):(32,128,1)]", shared, "S[(4,8,32):(9600,1200,1)]",
              global, {32, 32}, 32, 32);
  check_all(r);
  r.options.edges = {8, 4};
  check_all(r, {16, 20});
  CHECK(tensors - before == 8);
}

TEST_CASE("plans copy within shared memory, and between layouts without common modes") {
  check_all(between("swizzle(3,3,3) o S[(16,64):(64,1)]", shared, "S[(16,64):(72,1)]", shared,
                    {16, 64}, 16, 32));
  // If two layouts have no common modes, addresses are computed from the number of the element.
  char const* const from = "S[(2,2,2,2,2,2,2):(64,1,16,8,4,32,2)]";
  layout many, other;
  for (int k = 0; k < 14; ++k) {
    many.shards.push({2, integer{1} << (k * 5 % 14), axis::m});
    other.shards.push({2, integer{1} << (k * 3 % 14), axis::m});
  }
  copy_request r{many, global, other, shared, shape(16384), 16, 256, architecture::sm_80, {}};
  outcome<copy_plan> const plan = try_plan_copy(r);
  REQUIRE(bool(plan));
  CHECK(std::string(sentence(plan->candidates[1].why).c_str()) ==
        "both sides and the threads have no digits in common, or more than 12, so that only single "
        "elements can be copied");
  CHECK(axe_test::copy_fault(*plan, r) == "");
  check_all(between(from, global, "S[128:1]", shared, 128, 8, 32));
}

TEST_CASE("plans copy replicated destinations and sources") {
  check_all(
      between("S[(8,16):(16,1)]", global, "S[(8,16):(16,1)] + R[3:128]", shared, {8, 16}, 16, 32));
  check_all(between("S[(8,16):(16,1)] + R[2:128]", global, "S[(8,16):(16,1)] + R[2:256] + R[2:512]",
                    shared, {8, 16}, 16, 24));
  check_all(
      between("S[(8,16):(16,1)] + R[2:128]", shared, "S[(8,16):(1,8)]", global, {8, 16}, 32, 32));
  // The layouts have no common modes, and the threads have none in common with the destination.
  check_all(between("S[(3,4):(9,1)]", global, "S[(2,6):(20,2)] + R[2:128]", shared, 12, 64, 3));
  check_all(between("S[(4,3):(1@lane,1@reg)] + R[2:3@reg]", registers,
                    "S[(3,4):(9,1)] + R[2:128] + R[2:64]", shared, 12, 32, 32));
}

TEST_CASE("plans copy from and to registers, with replicas on lanes and warps") {
  char const* const a = "S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]";
  CHECK(check_all(between("S[(16,16):(72,1)]", shared, a, registers, {16, 16}, 16, 32)) >= 5);
  CHECK(check_all(between(a, registers, "swizzle(3,1,3) o S[(16,16):(16,1)]", shared, {16, 16}, 16,
                          32)) >= 5);
  // Each lane holds four consecutive rows, two in each register.
  check_all(between("S[(16,16):(24,1)]", shared, "S[(4,4,2,8):(1@lane,1@reg,4@reg,4@lane)]",
                    registers, {16, 16}, 16, 32));
  check_all(between("S[(4,4,2,8):(1@lane,1@reg,4@reg,4@lane)]", registers, "S[(16,16):(24,1)]",
                    shared, {16, 16}, 16, 32));
  CHECK(check_all(between("S[(16,8):(24,1)]", shared, "S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)]",
                          registers, {16, 8}, 16, 32)) >= 3);
  check_all(between("S[(16,16):(36,1)]", shared, a, registers, {16, 16}, 16, 32));
  check_all(between("S[(4,2,8,8,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]", registers,
                    "S[(64,64):(72,1)]", shared, {64, 64}, 16, 128));
  check_all(between("S[(4,2,8,4,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)] + 4@warp", registers,
                    "S[(64,32):(1000,1)]", global, {64, 32}, 32, 128));
  // Several lanes hold replicas of the same elements. Each loads them, and the first one stores
  // them.
  check_all(between("S[(8,4):(8,1)]", global, "S[(8,4):(1@lane,1@reg)] + R[4:8@lane]", registers,
                    {8, 4}, 32, 32));
  check_all(between("S[(8,4):(1@lane,1@reg)] + R[4:8@lane]", registers, "S[(8,4):(4,1)]", global,
                    {8, 4}, 32, 32));
  check_all(between("S[(8,4):(4,1)]", global, "S[(8,4):(1@lane,1@reg)] + R[2:4@reg]", registers,
                    {8, 4}, 16, 8));
  // Several warps hold replicas of the same matrices. Each loads them, and the first one stores
  // them.
  CHECK(check_all(between("S[(16,8):(24,1)]", shared,
                          "S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)] + R[4:1@warp]", registers,
                          {16, 8}, 16, 128)) >= 3);
  CHECK(check_all(between("S[(2,16,16):(512,16,1)]", shared,
                          "S[(2,2,8,2,4,2):(2@warp,2@reg,4@lane,4@reg,1@lane,1@reg)] + R[2:1@warp]",
                          registers, {2, 16, 16}, 16, 128)) >= 3);
  CHECK(check_all(between("S[(2,2,8,2,4,2):(2@warp,2@reg,4@lane,4@reg,1@lane,1@reg)] + R[2:1@warp]",
                          registers, "S[(2,16,16):(512,16,1)]", shared, {2, 16, 16}, 16, 128)) >=
        3);
  // Neighbouring elements lie in registers that are not neighbours. A vector access is possible if
  // each element has its own register.
  check_all(
      between("S[(32,8):(8,1)]", global, "S[(32,8):(1@lane,2@reg)]", registers, {32, 8}, 32, 32));
  check_all(
      between("S[(32,8):(8,1)]", shared, "S[(32,8):(1@lane,2@reg)]", registers, {32, 8}, 16, 32));
  check_all(between("S[(32,2,4):(1@lane,1@reg,2@reg)]", registers, "S[(32,8):(8,1)]", shared,
                    {32, 8}, 32, 32));
  // ldmatrix and stmatrix, whose elements have 16 bits, move elements of 8 and of 32 bits.
  CHECK(check_all(between("S[(16,16):(16,1)]", shared, "S[(2,8,4,4):(4@reg,4@lane,1@lane,1@reg)]",
                          registers, {16, 16}, 8, 32)) >= 4);
  CHECK(check_all(between("S[(8,8):(12,1)]", shared, "S[(8,2,4):(4@lane,1@reg,1@lane)]", registers,
                          {8, 8}, 32, 32)) >= 3);
}

TEST_CASE("plans follow the user's partition") {
  copy_request r =
      between("S[(32,64):(1024,1)]", global, "S[(32,64):(72,1)]", shared, {32, 64}, 16, 128);
  r.options.partitioned = true;
  for (char const* p :
       {"S[(16,2,4,16):(4@tid,16@reg,1@tid,1@reg)]", "S[(32,2,32):(1@tid,32@tid,1@reg)]",
        "S[(8,4,16,4):(16@tid,8@reg,1@tid,2@reg)]",
        "S[(8,4,2,32):(2@reg,32@tid,1@reg,1@tid)] + 64@tid"}) {
    r.options.partition = read(p);
    check_all(r);
  }
  auto const why = [&](char const* p) {
    r.options.partition = read(p);
    return try_plan_copy(r).why.which;
  };
  CHECK(why("S[(16,2,64):(1@tid,8@tid,1@reg)]") == rule::partition_digits_overlap);
  CHECK(why("S[(32,64):(1@tid,1@m)]") == rule::partition_on_another_axis);
  CHECK(why("S[(16,64):(1@tid,1@reg)]") == rule::shape_does_not_fit);
  CHECK(why("S[(32,64):(64@tid,1@tid)]") == rule::scope_too_small);
}

TEST_CASE("a bulk copy has these runs and bytes, or this refusal") {
  auto const bulk = [](copy_request r) {
    r.options.force = copy_instruction::bulk;
    outcome<copy_plan> const plan = try_plan_copy(r);
    if (!plan) return std::string(name_of(plan.why.which));
    std::string const wrong = axe_test::copy_fault(*plan, r);
    return wrong.empty() ? std::to_string(plan->issues) + " x " + std::to_string(plan->bytes)
                         : wrong;
  };
  CHECK(bulk(between("S[(64,64):(4096,1)]", global, "S[(64,64):(72,1)]", shared, {64, 64}, 16,
                     1)) == "64 x 128");
  CHECK(bulk(between("S[(64,64):(4096,1)]", global, "S[(64,64):(72,1)]", shared, {64, 64}, 16,
                     32)) == "2 x 128");
  CHECK(bulk(between("S[4096:1]", shared, "S[4096:1]", global, 4096, 16, 1)) == "1 x 8192");
  CHECK(bulk(between("S[(4,16,8):(8,32,1)]", shared, "S[(4,16,8):(8,64,1)]", global, {4, 16, 8}, 16,
                     1)) == "16 x 64");
  CHECK(bulk(between("S[(9,20):(20,1)]", global, "S[(9,20):(20,1)]", shared, {9, 20}, 32, 1)) ==
        "1 x 720");
  CHECK(bulk(between("S[(9,21):(24,1)]", global, "S[(9,21):(24,1)]", shared, {9, 21}, 32, 1)) ==
        "copy_bulk_bytes");
  CHECK(bulk(between("S[(64,64):(64,1)]", global, "swizzle(3,3,3) o S[(64,64):(64,1)]", shared,
                     {64, 64}, 16, 1)) == "copy_swizzle_splits");
  copy_request r = between("swizzle(3,3,3) o S[(64,64):(64,1)]", shared,
                           "swizzle(3,3,3) o S[(64,64):(64,1)] + 512", shared, {64, 64}, 16, 1);
  CHECK(bulk(r) == "copy_not_between_these");
  r.from_space = global;
  CHECK(bulk(r) == "1 x 8192");
  r.to = read("swizzle(3,3,3) o S[(64,64):(64,1)] + 64");
  CHECK(bulk(r) == "copy_swizzle_splits");
  r.to = read("S[(64,64):(64,1)]");
  CHECK(bulk(r) == "copy_swizzle_splits");
  // The second run of 32 elements begins 16 elements after the first, or 48 elements before it, so
  // it begins inside a period of the swizzle.
  CHECK(bulk(between("swizzle(3,1,1) o S[(2,32):(16,1)]", global, "swizzle(3,1,1) o S[64:1]",
                     shared, {2, 32}, 16, 1)) == "copy_swizzle_splits");
  CHECK(bulk(between("swizzle(3,1,1) o S[64:1]", global, "swizzle(3,1,1) o S[(2,32):(-48,1)] + 64",
                     shared, {2, 32}, 16, 1)) == "copy_swizzle_splits");
  r.target = architecture::sm_80;
  CHECK(bulk(r) == "needs_sm_90");
}

TEST_CASE("elements of less than a byte are copied in bytes") {
  CHECK(check_all(between("S[(16,64):(256,1)]", global, "S[(16,64):(64,1)]", shared, {16, 64}, 4,
                          32)) >= 3);
  check_all(between("S[(16,64):(256,1)]", global, "S[(16,64):(80,1)]", shared, {16, 64}, 1, 32));
  check_all(between("S[(16,64):(64,1)]", shared, "S[(16,2,32):(1@lane,16@lane,1@reg)]", registers,
                    {16, 64}, 4, 32));
  copy_request const apart =
      between("S[(16,64):(1,16)]", global, "S[(16,64):(64,1)]", shared, {16, 64}, 4, 32);
  CHECK(!try_plan_copy(apart));
}

namespace {

using extent_list = list<integer, 24>;

struct copy_dice {
  std::mt19937 random{20261120};

  integer below(int n) { return static_cast<integer>(random() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }

  extent_list extents() {
    extent_list made;
    for (integer rank = 1 + below(4); rank > 0; --rank) {
      integer const choices[]{2, 3, 4, 5, 8, 16, 7, 12};
      made.push(choices[below(8)]);
    }
    return made;
  }

  /// The digits get their strides in any order, with padding.
  layout memory(extent_list const& extents) {
    layout l;
    list<int, 24> order;
    for (int k = 0; k < extents.size(); ++k)
      order.insert(static_cast<int>(below(order.size() + 1)), k);
    for (integer const e : extents) l.shards.push({e, 0, axis::m});
    integer stride = 1;
    for (int const k : order) {
      l.shards[k].stride = stride;
      stride *= extents[k];
      if (one_in(3)) stride = (stride + 7) / 8 * 8;
    }
    if (one_in(4)) l.offsets.push({4 * (1 + below(3)), axis::m});
    if (one_in(3)) l.swizzle = {static_cast<int>(below(4)), 2, 3};
    return l;
  }

  /// Each digit is on threads or on registers.
  layout partition(extent_list const& extents) {
    layout p;
    integer lane = 1, reg = 1;
    for (integer const e : extents) p.shards.push({e, 0, axis::reg});
    for (int k = extents.size() - 1; k >= 0; --k) {
      bool const threads = one_in(2);
      p.shards[k] = {extents[k], threads ? lane : reg, threads ? axis::tid : axis::reg};
      (threads ? lane : reg) *= extents[k];
    }
    if (one_in(4)) p.replicas.push({2, lane, axis::tid});
    return p;
  }
};

/// Copies a tile between memories, to registers and from registers. Then copies a partial tile, and
/// a tile by a given partition.
void check_random_layouts(copy_dice& d, extent_list const& extents) {
  shape s;
  for (integer const e : extents) s.append(e);
  int const bits = 8 << d.below(4);
  auto const request = [&](layout const& from, memory_space a, layout const& to, memory_space b) {
    return copy_request{from, a, to, b, s, bits, 1024, architecture::sm_90a, {}};
  };
  layout const from = d.memory(extents), to = d.memory(extents);
  integer const scopes[]{1, 7, 32, 64, 96};
  copy_request between_memories = request(from, global, to, shared);
  between_memories.scope = scopes[d.below(5)];
  check_all(between_memories);

  layout const p = d.partition(extents);
  copy_request to_registers = request(from, shared, p, registers);
  check_all(to_registers);
  check_all(request(p, registers, to, global));

  // In each dimension, the tensor ends inside the tile at a multiple of the declared edge, or it
  // does not end inside the tile.
  copy_request partial = between_memories;
  std::vector<long long> limits;
  for (integer const e : extents) {
    integer const edge = d.one_in(3) ? 0 : integer{1} << d.below(4);
    partial.options.edges.push(edge);
    limits.push_back(edge == 0 ? e : std::min<long long>(e, edge * (1 + d.below(6))));
  }
  check_all(partial, limits);
  to_registers.options.edges = partial.options.edges;
  check_all(to_registers, limits);

  copy_request partitioned = request(from, global, to, shared);
  partitioned.options.partitioned = true;
  partitioned.options.partition = p;
  check_all(partitioned);
}

}  // namespace

TEST_CASE("plans of random layouts copy every element") {
  int const traffic_before = axe_test::compared_traffic, tensors_before = tensors;
  copy_dice d;
  for (int round = 0; round < 120; ++round) {
    auto const extents = d.extents();
    integer size = 1;
    for (integer const e : extents) size *= e;
    if (size <= 600) check_random_layouts(d, extents);
  }
  CHECK(tensors - tensors_before > 12);
  CHECK(axe_test::compared_traffic - traffic_before >= 800);
}
