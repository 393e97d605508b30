// The operands of a copy as the planner sees them: layout, alignment, and where the tensor may end.
//
// A dynamic stride that is a multiple of 8 becomes 8 times a large odd number, so that the plan
// holds for every such stride. Alignment follows from the coordinates: tile (i, j) of 32 columns
// begins at a multiple of 32.
// Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/tensor.hpp>
#include <axe/plan/copy_candidates.hpp>
#include <axe/plan/copy_slow.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class X> inline constexpr bool has_tiles = is_in_shared_memory<X>;
template <class T, class Shape, class Statement>
inline constexpr bool has_tiles<tensor<T, Shape, Statement>> = true;
}  // namespace detail

/// Rejected: tiles of anything else.
template <integer... Extents, class X, class... Numbers>
  requires(sizeof...(Extents) > 0 && !detail::has_tiles<X>)
AXE_FN constexpr X const& tile(X const& of, Numbers const&...) {
  static_assert(sizeof(X) == 0,
                "tile<...>(x, i, j) takes a tensor or a tile of shared memory as x");
  return of;
}

namespace detail {

/// The greatest common divisor of all values of a sum of parts; 0: the sum is 0.
template <class Sum> struct divisor_of_sum;
template <integer C, class... Parts> struct divisor_of_sum<coordinate_sum<C, Parts...>> {
  AXE_FN static constexpr integer make() {
    integer d = C;
    ((d = greatest_common_divisor(d, part_facts<Parts>::step)), ...);
    return d;
  }
  static constexpr integer value = make();
};

/// One side of a copy, for the planner.
struct operand_facts {
  layout where;
  integer alignment = 16;  // bytes
  list<integer, capacity::shards> edges;
};

/// An odd number that stands for every value of dynamic stride `slot`. Its low bits are a hash: no
/// small multiples of two or three of them are near each other, as two rows of a tile would be.
AXE_FN constexpr integer stand_in(int slot) {
  stl::uint64_t hash = static_cast<stl::uint64_t>(slot + 1) * 0x2545F4914F6CDD1D;
  hash ^= hash >> 31;
  hash *= 0xBF58476D1CE4E5B9;
  return (integer{16 + slot} << 24) + static_cast<integer>(hash >> 40 | 1);
}
/// A stride that stands for every value of a leaf. Dynamic strides are multiples of `vector` too.
AXE_FN constexpr integer stand_in(leaf stride, integer vector) {
  if (stride.known()) return stride.value;
  integer const multiple = stride.divisor() / greatest_common_divisor(stride.divisor(), vector);
  return multiple * vector * stand_in(stride.slot);
}

/// Adds the digits of one dimension of a tile. `origin`: the coordinate of the tile is a multiple
/// of it. `vector`: dynamic strides are multiples of it. False if the tile begins or ends inside a
/// digit other than the slowest.
template <class Dimension>
AXE_FN constexpr bool add_tile_digits(operand_facts& f, integer extent, integer origin,
                                      integer bytes, integer vector) {
  iter_list fastest_first;
  integer radix = 1, left = extent, alignment = f.alignment;
  if (Dimension::digits > 1 && origin % extent != 0) return false;
  for (int k = Dimension::digits - 1; k >= 0; --k) {
    bool const slowest = k == 0;
    if (!slowest && !Dimension::extents[k].known()) return false;
    integer const digit = slowest ? left : Dimension::extents[k].value;
    integer const taken = smaller(left, digit);
    if (left % taken != 0 || digit % taken != 0) return false;
    leaf const given = Dimension::strides[k];
    integer const stride = stand_in(given, vector);
    if (taken > 1) fastest_first.push({taken, stride, stride == 0 ? axis::null : axis::m});
    // The origin's digit here is a multiple of this.
    integer const steps = origin % radix != 0 ? 1
                          : slowest           ? origin / radix
                                              : greatest_common_divisor(origin / radix, digit);
    if (slowest || steps != digit)
      alignment = greatest_common_divisor(
          alignment, steps * (given.known() ? given.divisor() : stride) * bytes);
    radix *= digit;
    left /= taken;
  }
  for (int k = fastest_first.size() - 1; k >= 0; --k) f.where.shards.push(fastest_first[k]);
  f.alignment = alignment;
  return true;
}

/// The same for every dimension. If the tile cuts its digits, elements are copied one by one, each
/// with an address of its own.
template <class Dimension>
AXE_FN constexpr void add_dimension(operand_facts& f, int number, integer extent, integer origin,
                                    integer bytes, integer vector) {
  if (add_tile_digits<Dimension>(f, extent, origin, bytes, vector)) return;
  if (extent > 1) f.where.shards.push({extent, stand_in(16 + number), axis::m});
  f.alignment = greatest_common_divisor(f.alignment, bytes);
}

/// The tensor may end after a multiple of this many elements of the tile; 0: it does not end
/// inside. A tile that may begin below 0 may also lie outside as a whole.
template <class Dimension>
AXE_FN constexpr integer edge_of(integer extent, integer origin, bool may_be_below) {
  integer const of_tensor = Dimension::extents[0].divisor() * Dimension::inner();
  integer const n = greatest_common_divisor(of_tensor, origin);
  if (may_be_below) return greatest_common_divisor(n, extent);
  return n % extent == 0 ? 0 : n;
}

/// Names the declaration that a stride lacks, instead of the number that stands for it.
template <class Dimension> AXE_FN constexpr void name_stride(refusal& why, int bits) {
  for (int k = 0; k < Dimension::digits; ++k) {
    leaf const stride = Dimension::strides[k];
    if (!stride.known() && why.which == rule::copy_step_not_aligned &&
        why.numbers[1] % stand_in(stride, 1) == 0)
      why = {rule::vector_needs_a_multiple,
             {why.numbers[0], stride.slot, why.numbers[0] * 8 / bits, stride.multiple}};
  }
}

/// Not an operand (cuda/copy/sides.hpp).
template <class Tile> struct copy_operand {
  static constexpr bool is_operand = false;
};

template <class T, class Sized, integer Alignment, class S, class... Origins>
struct copy_operand<tensor_tile<T, Sized, Alignment, S, Origins...>> {
  static constexpr bool is_operand = true, writable = !stl::is_const_v<T>;
  static constexpr memory_space space = memory_space::global;
  using element = stl::remove_const_t<T>;
  using tile_shape = plain_shape<S>;
  static constexpr bool sized_at_run_time = true;
  static constexpr int rank = sizeof...(Origins);
  /// May the tile begin below 0 along dimension d?
  AXE_FN static constexpr bool may_be_below(int d) {
    bool const all[]{may_be_negative<Origins>...};
    return all[d] && !exactness<S>::value;
  }
  /// The tensor as a tensor map describes it.
  AXE_FN static constexpr tma_tensor tensor() { return tma_tensor_of<Sized>(); }

  template <int... D>
  AXE_FN static constexpr operand_facts make(indices<D...>, integer pointer, integer vector) {
    operand_facts f;
    f.alignment = alignment_with_offset<Sized>(pointer, sizeof(T));
    (add_dimension<typename Sized::template dimension_type<D>>(f, D, S::value.nodes.value(D + 1),
                                                               divisor_of_sum<Origins>::value,
                                                               integer{sizeof(T)}, vector),
     ...);
    (f.edges.push(exactness<S>::value
                      ? 0
                      : edge_of<typename Sized::template dimension_type<D>>(
                            S::value.nodes.value(D + 1), divisor_of_sum<Origins>::value,
                            may_be_negative<Origins>)),
     ...);
    f.alignment &= -f.alignment;
    return f;
  }
  static constexpr operand_facts facts = make(indices_to<rank>{}, Alignment, 1);
  /// The facts of the same tile if its tensor were declared for vectors of 16 bytes.
  AXE_FN static constexpr operand_facts declared() {
    return make(indices_to<rank>{}, larger(Alignment, 16),
                larger(16 / static_cast<integer>(sizeof(T)), 1));
  }
  /// The declared alignment of the pointer.
  static constexpr integer pointer_alignment = Alignment;

  template <int... D> AXE_FN static constexpr void explain(refusal& why, indices<D...>) {
    (name_stride<typename Sized::template dimension_type<D>>(why, 8 * static_cast<int>(sizeof(T))),
     ...);
  }
};

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
template <class T, class L, class S, integer Alignment>
struct copy_operand<shared_tile_ref<T, L, S, Alignment>> {
  AXE_FN static constexpr bool may_be_below(int) { return false; }
  static constexpr bool is_operand = true, writable = true;
  static constexpr memory_space space = memory_space::shared;
  using element = stl::remove_const_t<T>;
  using tile_shape = S;
  static constexpr bool sized_at_run_time = false;
  /// A tile under a swizzle begins at a multiple of its period.
  static constexpr integer period =
      L::value.swizzle.none() ? 1 : L::value.swizzle.period() * integer{sizeof(T)};
  static constexpr operand_facts facts{L::value, period > Alignment ? period : Alignment, {}};
  AXE_FN static constexpr operand_facts declared() { return facts; }
};
#endif

template <class T, class P, class S> struct copy_operand<fragment<T, P, S>> {
  AXE_FN static constexpr bool may_be_below(int) { return false; }
  static constexpr bool is_operand = true, writable = true;
  static constexpr memory_space space = memory_space::registers;
  using element = T;
  using tile_shape = S;
  static constexpr bool sized_at_run_time = false;
  static constexpr operand_facts facts{P::value, 16, {}};
  AXE_FN static constexpr operand_facts declared() { return facts; }
};

/// Where either side may end.
AXE_FN constexpr list<integer, capacity::shards> edges_of(operand_facts const& a,
                                                          operand_facts const& b) {
  if (a.edges.empty()) return b.edges;
  list<integer, capacity::shards> both = a.edges;
  for (int d = 0; d < both.size() && d < b.edges.size(); ++d)
    both[d] = greatest_common_divisor(both[d], b.edges[d]);
  return both;
}

}  // namespace detail

/// How completion is signalled: in order, by the group, by an mbarrier, or by that of the CTA that
/// receives.
enum class copy_completion : unsigned char { in_order, group, barrier, cluster };

/// The options of a copy; structural, so that it is a template argument.
struct copy_how {
  copy_instruction force = copy_instruction::any;
  copy_outside outside = copy_outside::skip;
  copy_completion completion = copy_completion::in_order;
  bool mapped = false;  // a tensor map comes with the tile in global memory
  tma_reduction reduction = tma_reduction::none;
  // The CTAs of the cluster that receive a tensor load, a bit each; 0: this CTA.
  unsigned ctas = 0;
  cache_hint cache = cache_hint::none;
  bool vectors = false;  // rather no copy than one element at a time
  bool slow = false;     // a slow plan is not rejected

  AXE_FN friend constexpr bool operator==(copy_how const&, copy_how const&) = default;
  /// Both: axe::zero_fill | axe::allow_slow. The right one decides if both set an option.
  AXE_FN friend constexpr copy_how operator|(copy_how a, copy_how const& b) {
    constexpr copy_how none{};
    if (b.force != none.force) a.force = b.force;
    if (b.outside != none.outside) a.outside = b.outside;
    if (b.completion != none.completion) a.completion = b.completion;
    if (b.reduction != none.reduction) a.reduction = b.reduction;
    if (b.ctas != none.ctas) a.ctas = b.ctas;
    if (b.cache != none.cache) a.cache = b.cache;
    a.mapped = a.mapped || b.mapped;
    a.vectors = a.vectors || b.vectors;
    a.slow = a.slow || b.slow;
    return a;
  }
};

/// auto: nvcc 13.0 loses the value of a variable template of a named class type in some template
/// arguments.
template <copy_instruction Instruction> inline constexpr auto force = copy_how{Instruction};
/// Zeros where a source tensor ends inside its tile.
inline constexpr copy_how zero_fill{copy_instruction::any, copy_outside::zero};
/// Tensor copies: a reduction; a multicast to the CTAs whose bits are set.
template <tma_reduction How> inline constexpr auto reducing = copy_how{.reduction = How};
template <unsigned Ctas> inline constexpr auto to_ctas = copy_how{.ctas = Ctas};
/// With a hint to the caches of global memory (plan/cache_hint.hpp).
template <cache_hint Hint> inline constexpr auto cached = copy_how{.cache = Hint};
/// An error, with the reason, if only single elements would fit an access.
inline constexpr copy_how in_vectors{.vectors = true};
/// Accepts a slow plan: accesses of less than 4 bytes although the rows allow more, or idle threads
/// although all threads would divide the accesses evenly.
inline constexpr copy_how allow_slow{.slow = true};

namespace detail {

/// No partition is given: the planner makes one.
struct partition_by_planner {
  static constexpr layout value{};
};

inline constexpr architecture this_architecture = compiled_architecture();

/// The plan or the refusal of a case. Not a member: nvcc would compile the planner for the device,
/// a third of the compile time of a copy kernel.
template <class Case> inline constexpr outcome<copy_plan> planned_copy = Case::make();
/// Why a plan of narrow accesses is rejected. A variable: most cases need no function for it.
template <class Case, bool Narrow> inline constexpr refusal narrow_copy{};
template <class Case> inline constexpr refusal narrow_copy<Case, true> = Case::why_narrow();

/// The plan of a copy, from types. Groups: every `Threads` threads of the block copy for
/// themselves.
template <class From, class To, integer Threads, copy_how How, class P = partition_by_planner,
          bool Groups = false, architecture Target = this_architecture>
struct copy_case {
  using source = copy_operand<From>;
  using target = copy_operand<To>;
  using element = typename target::element;

  AXE_FN static constexpr copy_request request(operand_facts const& from = source::facts,
                                               operand_facts const& to = target::facts) {
    copy_request r;
    r.from = from.where;
    r.from_space = source::space;
    r.to = to.where;
    r.to_space = target::space;
    r.tile = target::tile_shape::value;
    r.bits = static_cast<int>(8 * sizeof(element));
    r.scope = Threads;
    r.target = Target;
    r.options.force = How.force;
    r.options.outside = How.outside;
    r.options.asynchronous = How.completion != copy_completion::in_order;
    r.options.bulk = How.completion != copy_completion::group;
    r.options.remote = How.completion == copy_completion::cluster;
    r.options.from_alignment = from.alignment;
    r.options.to_alignment = to.alignment;
    r.options.edges = edges_of(from, to);
    r.options.partitioned = !stl::is_same_v<P, partition_by_planner>;
    r.options.partition = P::value;
    r.options.mapped = How.mapped;
    r.options.tensor.reduction = How.reduction;
    r.options.tensor.ctas = How.ctas;
    r.options.cache = How.cache;
    r.options.vectors = How.vectors;
    if constexpr (element_type_of<element> != element_type::count)
      r.options.type = axe::element_of<element>;
    return r;
  }
  AXE_FN static constexpr outcome<copy_plan> make() {
    constexpr bool choose_threads = !How.slow && How.force == copy_instruction::any &&
                                    stl::is_same_v<P, partition_by_planner> &&
                                    source::space != memory_space::registers &&
                                    target::space != memory_space::registers;
    bool const in_order = How.completion == copy_completion::in_order;
    if (How.force != copy_instruction::any && in_order == is_asynchronous(How.force))
      return refusal{rule::copy_runs_on};
    if (How.force == copy_instruction::tma && !How.mapped) return refusal{rule::copy_needs_map};
    // Found by argument-dependent lookup: only cuda/copy/tensor.hpp includes the planner.
    if constexpr (How.mapped && source::space == memory_space::global)
      return try_plan_copy(request(), source::tensor());
    else if constexpr (How.mapped && target::space == memory_space::global)
      return try_plan_copy(request(), target::tensor());
    else
      return without_idle_threads(first_candidate(request(), no_map{}), choose_threads);
  }
  AXE_FN static constexpr void name_declaration(refusal& reason) {
    if constexpr (source::sized_at_run_time) source::explain(reason, indices_to<source::rank>{});
    if constexpr (target::sized_at_run_time) target::explain(reason, indices_to<target::rank>{});
  }
  /// True if a declaration of this side's pointer is missing for accesses of `bytes`.
  template <class Side> AXE_FN static constexpr bool lacks_alignment(integer bytes) {
    if constexpr (Side::sized_at_run_time)
      return Side::pointer_alignment % bytes != 0;
    else
      return false;
  }
  /// Why a narrow plan is slow, if declarations for vectors of 16 bytes would make it wider.
  AXE_FN static constexpr refusal why_narrow() {
    return why_narrow(
        planned_copy<copy_case>.value,
        first_candidate(request(source::declared(), target::declared()), no_map{}).value.bytes);
  }
  AXE_FN static constexpr refusal why_narrow(copy_plan const& p, integer wide) {
    if (wide < least_access_bytes) return {};
    if (lacks_alignment<source>(wide) || lacks_alignment<target>(wide))
      return {rule::copy_is_narrow_by_its_pointer, {p.bytes, wide}};
    for (candidate<copy_instruction> const& c : p.candidates) {
      refusal reason = c.why;
      name_declaration(reason);
      if (reason.which == rule::vector_needs_a_multiple && reason.numbers[0] == wide)
        return {rule::copy_is_narrow_by_a_stride,
                {p.bytes, wide, reason.numbers[1], reason.numbers[2]}};
    }
    return {};
  }
  // NVRTC evaluates these where they stand: behind the functions that they call.
  static constexpr copy_plan plan = planned_copy<copy_case>.value;
  static constexpr bool is_narrow = !How.slow && How.force == copy_instruction::any &&
                                    has_narrow_accesses(planned_copy<copy_case>.value);
  static constexpr refusal refused =
      planned_copy<copy_case>.why ? planned_copy<copy_case>.why : narrow_copy<copy_case, is_narrow>;

  AXE_FN static constexpr refusal why() {
    refusal reason = refused;
    name_declaration(reason);
    return reason;
  }
  /// The plan, with the declarations that its declined candidates lack.
  AXE_FN static constexpr copy_plan explained() {
    copy_plan p = planned_copy<copy_case>.value;
    for (candidate<copy_instruction>& c : p.candidates) name_declaration(c.why);
    return p;
  }
  AXE_FN static constexpr refusal_text text() {
    constexpr copy_request r = request();
    refusal_text out;
    out.put("copy: ");
    print(out, why(), operands_of(r));
    return out;
  }

  /// The digits of a thread's number in its group are digits of its number in the block.
  static constexpr bool from_the_block =
      Groups && Threads > 1 &&
      is_power_of_two(Threads) && plan.threads == Threads&& plan.addresses.offsets.empty();

  struct from_source {
    static constexpr layout value = plan.from;
  };
  struct to_source {
    static constexpr layout value = plan.to;
  };
  struct address_source {
    static constexpr layout value = plan.addresses;
  };
  using modes = indices_to<plan.modes.count>;
};

template <class Case, class Modes> struct copy_types;
template <class Case, int... K> struct copy_types<Case, indices<K...>> {
  using mode_extents = extents<Case::plan.modes.at[K].extent...>;
  using access_extents =
      extents<(Case::plan.modes.at[K].threads * Case::plan.modes.at[K].issues)...>;
  using tile_extents = extents<Case::plan.tile>;
  using naming = partition<carrier_of<typename Case::address_source>, access_extents>;
};
template <class Case> using types_of = copy_types<Case, typename Case::modes>;

}  // namespace detail

/// The plan that axe::copy(from, to, scope) executes, for the types of its arguments. Host code
/// prints it: axe::explain(plan_of_copy<From, To, Scope>).
template <class From, class To, class Scope, copy_how How = copy_how{}>
inline constexpr copy_plan plan_of_copy =
    detail::copy_case<detail::operand_type<From>, detail::operand_type<To>, Scope::size,
                      How>::explained();

}  // namespace AXE_NAMESPACE
}  // namespace axe
