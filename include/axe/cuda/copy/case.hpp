// SPDX-License-Identifier: MIT
// copy_case: the plan of one copy, or its refusal, from the types of its operands.
//
//     using planned = copy_case<From, To, 256, copy_how{}>;      planned::plan, planned::refused
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/copy/operand.hpp>
#include <axe/cuda/copy/options.hpp>
#include <axe/plan/copy_slow.hpp>
#include <axe/plan/print/copy_command.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct partition_by_planner {
  static constexpr layout value{};
};

/// If these were static members, nvcc would compile the planner for the device.
template <class Case> inline constexpr outcome<copy_plan> planned_copy = Case::make();
template <class Case, bool Narrow> inline constexpr refusal narrow_copy{};
template <class Case> inline constexpr refusal narrow_copy<Case, true> = Case::why_narrow();

template <class Case>
AXE_FN constexpr refusal_text with_command(refusal_text out, char const* before) {
  // `auto` keeps the type dependent. With copy_request, clang would compile the printer for every
  // kernel.
  constexpr auto r = Case::request();
  if (!is_power_of_two(r.bits) || r.bits > 128) return out;
  out.put(before);
  print_command(out, r);
  return out;
}

template <class T> inline constexpr bool holds_bits = any_integer<T> && !signed_integer<T>;

/// `Threads` threads execute the plan. With Groups, each group of the scope executes it.
template <class From, class To, integer Threads, copy_how How, class P = partition_by_planner,
          bool Groups = false, architecture Target = compiled_architecture()>
struct copy_case {
  using source = copy_operand<From>;
  using target = copy_operand<To>;
  using element = target::element;
  using tile_shape = target::tile_shape;
  /// If neither side is in shared memory, only vector copies may apply.
  using tensor_planner =
      no_map<source::space != memory_space::shared && target::space != memory_space::shared &&
             How.force == copy_instruction::any && How.completion == copy_completion::in_order>;
  static constexpr bool by_rows = requires { target::dimension; };

  AXE_FN static constexpr copy_request request(operand_facts const& from = source::facts,
                                               operand_facts const& to = target::facts) {
    return {.from = from.where,
            .from_space = source::space,
            .to = to.where,
            .to_space = target::space,
            .tile = tile_shape::value,
            .bits = 8 * sizeof(element),
            .scope = Threads,
            .target = Target,
            .options = {.force = How.force,
                        .asynchronous = How.completion != copy_completion::in_order,
                        .bulk = How.completion != copy_completion::group,
                        .mapped = How.mapped,
                        .tensor = {.reduction = How.reduction, .ctas = How.ctas},
                        .type = element_type_of<element>,
                        .cache = How.cache,
                        .outside = How.outside,
                        .from_alignment = from.alignment,
                        .to_alignment = to.alignment,
                        .edges = edges_of(from, to),
                        .by_rows = by_rows,
                        .partitioned = !stl::is_same_v<P, partition_by_planner>,
                        .partition = P::value}};
  }
  AXE_FN static constexpr outcome<copy_plan> make() {
    bool const in_order = How.completion == copy_completion::in_order;
    if (How.force != copy_instruction::any && in_order == is_asynchronous(How.force))
      return refusal{rule::copy_or_copy_async};
    if (How.force == copy_instruction::tma && !How.mapped) return refusal{rule::copy_needs_map};
    if (How.mapped || How.force == copy_instruction::bulk) {
      if (begins_inside<From>) return begins_inside<From>;
      if (begins_inside<To>) return of_operand(1, begins_inside<To>);
    }
    // Argument-dependent lookup finds plan_by_map if cuda/copy/tensor_copy.hpp is included.
    if constexpr (How.mapped && source::space == memory_space::global)
      return plan_by_map(request({}, target::facts), tma_tensor_of<typename source::sizes>());
    else if constexpr (How.mapped && target::space == memory_space::global)
      return plan_by_map(request(source::facts, {}), tma_tensor_of<typename target::sizes>());
    else
      return plan_first_accepted(request(), tensor_planner{});
  }
  AXE_FN static constexpr void name_declaration(refusal& reason) {
    source::explain(reason);
    target::explain(reason);
  }
  /// The refusal of a slow copy, whose accesses are narrow (docs/plans.md, "Slow copies").
  AXE_FN static constexpr refusal why_narrow() {
    copy_request wider =
        request(source::if_declared_for_16_bytes(), target::if_declared_for_16_bytes());
    integer const wide = plan_first_accepted(wider, tensor_planner{}).value.bytes;
    copy_plan const& p = planned_copy<copy_case>.value;
    if (wide < least_access_bytes && wider.tile.extent(wider.tile.rank() - 1) * wider.bits < 128) {
      wider.options.edges.clear();  // accesses may cross rows
      integer const across = plan_first_accepted(wider, tensor_planner{}).value.bytes;
      if (across >= least_access_bytes)
        return {rule::copy_is_narrow_by_its_rows, {p.bytes, across}};
    }
    if (wide < least_access_bytes)
      return stl::is_same_v<P, partition_by_planner> ? check_transpose(p) : refusal{};
    if (source::pointer_alignment % wide != 0 || target::pointer_alignment % wide != 0)
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
  // NVRTC evaluates members here, so they follow the functions that they call.
  static constexpr copy_steps plan = planned_copy<copy_case>.value;
  static constexpr tma_plan boxes = planned_copy<copy_case>.value.tensor;
  static constexpr bool is_narrow = !How.allows_slow && How.force == copy_instruction::any &&
                                    has_narrow_accesses(planned_copy<copy_case>.value);
  static constexpr refusal refused =
      planned_copy<copy_case>.why ? planned_copy<copy_case>.why : narrow_copy<copy_case, is_narrow>;

  AXE_FN static constexpr refusal why() {
    refusal reason = refused;
    name_declaration(reason);
    return reason;
  }
  /// The plan. Its declined candidates name the missing declarations.
  AXE_FN static constexpr copy_plan explained_plan() {
    copy_plan p = planned_copy<copy_case>.value;
    for (candidate<copy_instruction>& c : p.candidates) name_declaration(c.why);
    return p;
  }
  AXE_FN static constexpr refusal_text text() {
    constexpr copy_request r = request();
    return with_command<copy_case>(sentence_of("copy", why(), operands_of(r)), ": ");
  }

  /// True if addresses can use threadIdx.x. Its low digits are those of the thread's number in the
  /// group.
  static constexpr bool uses_thread_idx =
      Groups && Threads > 1 && is_power_of_two(Threads) && (plan.threads == Threads) &&
      planned_copy<copy_case>.value.access_partition.offsets.count == 0;

  struct from_source {
    static constexpr layout value =
        source::facts.with_dropped_swizzle(planned_copy<copy_case>.value.from);
  };
  struct to_source {
    static constexpr layout value =
        target::facts.with_dropped_swizzle(planned_copy<copy_case>.value.to);
  };
  struct access_source {
    static constexpr layout value = planned_copy<copy_case>.value.access_partition;
  };
  using modes = indices_to<plan.modes.count>;
  using loops = indices_to<boxes.loops.count>;
  /// Matrix and asynchronous copies move bits: one side may have unsigned integers of the same
  /// width.
  static constexpr bool types_fit =
      stl::is_same_v<typename source::element, element> ||
      ((is_matrix(plan.instruction) ||
        (plan.asynchronous() && How.reduction == tma_reduction::none)) &&
       (holds_bits<typename source::element> || holds_bits<element>));
};

template <bool Fit> struct type_check {
  static_assert(Fit,
                "a copy does not convert elements: both sides must have the same element type; "
                "axe::cast converts fragments");
};

template <bool Fit> struct lane_scope_check {
  static_assert(
      Fit,
      "the fragment's layout is on lanes, the threads of one warp: pass axe::warp, or use a layout "
      "on tid for a larger scope");
  using rejected = void;
};
/// True for a layout on lanes: in a scope of several warps only the first warp would copy.
AXE_FN constexpr bool is_on_lanes(layout const& where) {
  bool on_lanes = false;
  for (axis const a : axes_of(where)) {
    if (a != axis::lane && a != axis::reg) return false;
    on_lanes = on_lanes || a == axis::lane;
  }
  return on_lanes;
}
template <class Operand, class Scope> inline constexpr bool lanes_fit = true;
template <class Operand, class Scope>
  requires(Operand::space == memory_space::registers && Scope::size > 32)
inline constexpr bool lanes_fit<Operand, Scope> = !is_on_lanes(Operand::facts.where);
template <class Case, class Scope>
inline constexpr bool fragments_fit =
    lanes_fit<typename Case::source, Scope> && lanes_fit<typename Case::target, Scope>;

template <class Case, class Modes> struct copy_types;
template <class Case, int... Each> struct copy_types<Case, indices<Each...>> {
  using mode_extents = extents<Case::plan.modes.at[Each].extent...>;
  using access_extents =
      extents<(Case::plan.modes.at[Each].threads * Case::plan.modes.at[Each].issues)...>;
  using access_partition = partition<carrier_of<typename Case::access_source>, access_extents>;
};
template <class Case> using types_of = copy_types<Case, typename Case::modes>;

}  // namespace detail

/// The plan of copy(from, to, scope), for explain() on the host.
template <class From, class To, class Scope, copy_how How = copy_how{}>
inline constexpr copy_plan plan_of_copy =
    detail::copy_case<detail::operand_type<From>, detail::operand_type<To>, Scope::size,
                      How>::explained_plan();

/// The command that shows this plan or refusal; empty if `axe plan` has no element type of that
/// width.
template <class From, class To, class Scope, copy_how How = copy_how{}>
AXE_FN constexpr refusal_text plan_command() {
  using planned =
      detail::copy_case<detail::operand_type<From>, detail::operand_type<To>, Scope::size, How>;
  return detail::with_command<planned>({}, "");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
