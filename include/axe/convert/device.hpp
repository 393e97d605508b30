// SPDX-License-Identifier: MIT
// convert<Conversion>(source, target): a warp executes a conversion plan.
//
//     using exchange = axe::conversion<accumulator, operand, 8>;
//     unsigned packed[exchange::source_words], a[exchange::target_words];
//     axe::convert<exchange>(packed, a);
//
// All 32 lanes must call it.
#pragma once

#include <axe/base/integers.hpp>
#include <axe/base/traits.hpp>
#include <axe/convert/plan_convert.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct lane_of_warp {
  register_word number, bit;

  __device__ lane_of_warp() {
    asm("mov.u32 %0, %%laneid;" : "=r"(number));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(bit));
  }
};

/// Bit b + shift of the result is set if the map moves lane bit b to it.
AXE_LAZY_FN constexpr register_word diagonal(lane_map const& map, int shift) {
  register_word bits = 0;
  for (int b = 0; b < 5; ++b)
    if (int const to = b + shift; to >= 0 && to < 5 && (((map(1 << b) ^ map(0)) >> to) & 1) != 0)
      bits |= register_word{1} << to;
  return bits;
}

/// An affine map is the XOR of map(0) and of the lane number shifted by -4 to 4 bits, each shift
/// masked by its `diagonal`. Other maps are tables.
template <class Conversion, int Map, int... Bit, int... Shift>
__device__ register_word lane_to_read(lane_of_warp const& lane, integers<Bit...>,
                                      integers<Shift...>) {
  constexpr lane_map map = Conversion::plan.maps[Map];
  if constexpr (map.affine())
    return (... ^ ((lane.number << 4 >> Shift) & as_constant<diagonal(map, 4 - Shift)>)) ^
           as_constant<static_cast<register_word>(map(0))>;
  else
    return (... | ((as_constant<map.planes[Bit]> >> lane.number & 1) << Bit));
}

template <class Conversion, int Step>
__device__ register_word device_step(lane_of_warp const& lane, register_word const* values) {
  constexpr conversion_step s = Conversion::plan.steps[Step];
  if constexpr (s.op == conversion_op::select) {
    return (lane.bit & s.lanes) != 0 ? values[s.a] : values[s.b];
  } else if constexpr (s.op == conversion_op::selector) {
    return (lane.bit & s.lanes) != 0 ? s.first : s.b > 0 ? values[s.b] : s.second;
  } else if constexpr (s.op == conversion_op::permute) {
    return __byte_perm(values[s.a], values[s.b], s.by > 0 ? values[s.by] : s.first);
  } else {
    constexpr int mask = Conversion::plan.maps[s.map].butterfly();
    if constexpr (mask >= 0)
      return __shfl_xor_sync(0xffffffffu, values[s.a], mask);
    else
      return __shfl_sync(0xffffffffu, values[s.a],
                         static_cast<int>(lane_to_read<Conversion, s.map>(lane, integers_to<5>{},
                                                                          integers_to<9>{})));
  }
}

template <class Conversion, int Repeat, int... Input, int... Step, int... Output>
__device__ void run_once(lane_of_warp const& lane, register_word const* source,
                         register_word* target, integers<Input...>, integers<Step...>,
                         integers<Output...>) {
  constexpr int inputs = static_cast<int>(sizeof...(Input));
  constexpr conversion_repeat repeat = Conversion::plan.repeats[Repeat];
  register_word values[sizeof...(Input) + sizeof...(Step)];
  ((values[Input] = source[as_constant<Conversion::plan.inputs[Input] + repeat.source>]), ...);
  ((values[inputs + Step] = device_step<Conversion, Step>(lane, values)), ...);
  ((target[as_constant<Conversion::plan.outputs[Output].word + repeat.target>] =
        values[as_constant<Conversion::plan.outputs[Output].value>]),
   ...);
}

template <class Conversion, int... Repeat>
__device__ void run_all(register_word const* source, register_word* target, integers<Repeat...>) {
  lane_of_warp const lane;
  (run_once<Conversion, Repeat>(lane, source, target, integers_to<Conversion::plan.inputs.count>{},
                                integers_to<Conversion::plan.steps.count>{},
                                integers_to<Conversion::plan.outputs.count>{}),
   ...);
}

}  // namespace detail

/// Target words without elements keep their values. Source and target must be different arrays.
template <class Conversion, int Sources, int Targets>
__device__ void convert(detail::register_word const (&source)[Sources],
                        detail::register_word (&target)[Targets]) {
  static_assert(
      Conversion::plan.kind != conversion_kind::warps,
      "convert: this conversion moves elements between warps: store them to shared memory with "
      "the layout plan.shared, synchronise and load them");
  static_assert(Sources == Conversion::source_words && Targets == Conversion::target_words,
                "convert: pass arrays of source_words and target_words 32-bit registers");
  detail::run_all<Conversion>(source, target,
                              detail::integers_to<Conversion::plan.repeats.count>{});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
