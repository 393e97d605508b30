// SPDX-License-Identifier: MIT
// vectors: loads and stores of a thread tile, several elements at a time.
//
//     auto const wide = vectors(from);     the widest that axe can prove; vectors<2>(from): pairs
//     for_each_register<wide.size>([&](auto v) { if (wide.in_bounds(v)) use(wide.load(v)); });
//
// Definition: docs/index_code.md, "Vectors".
#pragma once

#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/vector_of.hpp>
#include <axe/index/vector_questions.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class Question> struct vector_proof {
  using partition_type = Question::partition_type;
  static constexpr int registers = partition_type::registers;
  static constexpr vector_question question = Question::make();
  static constexpr register_places<registers> places = place_registers<registers>(question);
  template <int Width>
  static constexpr vector_plan<registers> plan = plan_vectors(question, places, Width);

  /// The element of vector v with the largest coordinates, or -1. The vector is in bounds if
  /// this element is.
  template <int Width> AXE_FN static constexpr int furthest(int v) {
    auto const& p = partition_type::value;
    short const* const in_vector = plan<Width>.registers + v * Width;
    for (int k = 0; k < Width; ++k) {
      bool all = true;
      for (int j = 0; j < Width; ++j)
        for (int d = 0; d < p.rank; ++d)
          all = all && register_step(p, in_vector[k], d) >= register_step(p, in_vector[j], d);
      if (all) return k;
    }
    return -1;
  }

  template <int Width, bool Edge> struct reason {
    AXE_FN static constexpr refusal why() { return Edge ? plan<Width>.edge : plan<Width>.why; }
    AXE_FN static constexpr refusal_text text() {
      return text_of_call("vectors", why(), Question::operand());
    }
  };
};

template <class Proof, int Width> AXE_FN constexpr int widest_proved() {
  if constexpr (Width <= 1)
    return 1;
  else if constexpr (!Proof::template plan<Width>.why)
    return Width;
  else
    return widest_proved<Proof, Width / 2>();
}
/// A tile without a proof (void) has vectors of 1.
template <class Proof>
inline constexpr int widest_of =
    widest_proved<Proof, static_cast<int>(16 / Proof::question.element_bytes)>();
template <> inline constexpr int widest_of<void> = 1;

/// The register whose bounds test serves register r.
template <class Proof> AXE_FN constexpr int tested_register(int r) {
  constexpr int width = widest_of<Proof>;
  if constexpr (width > 1) {
    auto const& plan = Proof::template plan<width>;
    for (int k = 0; !plan.edge && k < Proof::registers; ++k)
      if (plan.registers[k] == r) return plan.registers[k - k % width];
  }
  return r;
}

template <integer V, int Size> AXE_FN constexpr int vector_number() {
  if constexpr (V >= 0 && V < Size) {
    return static_cast<int>(V);
  } else {
    using stop [[maybe_unused]] = verdict<broken<rule::no_such_vector, V, Size>>::stop;
    return 0;
  }
}
/// There are `size` vectors; V is a vector's index.
template <class T, class Tile, class Proof, int Width> struct vector_thread_tile {
  using value_type = stl::remove_const_t<T>;
  using vector = vector_of<value_type, Width>;
  using partition_type = Proof::partition_type;
  static constexpr int width = Width;
  static constexpr int size = Tile::size / Width;
  static constexpr bool whole_at_edges = !Proof::template plan<Width>.edge;
  Tile tile;

  template <integer V, int Element = 0>
  static constexpr int register_of =
      Proof::template plan<Width>.registers[vector_number<V, size>() * Width + Element];

  /// Precondition: vector V is in bounds.
  AXE_CALLS_USER_CODE template <auto V> AXE_FN constexpr vector load(constant<V>) const {
    return tile.template load_wide<Width>(constant<register_of<V>>{});
  }
  /// Precondition: vector V is in bounds. Rejected if a register stands for several elements.
  AXE_CALLS_USER_CODE template <auto V>
  AXE_FN constexpr void store(constant<V>, vector const& v) const {
    using stop [[maybe_unused]] = verdict<has_one_element<Tile::shared>>::stop;
    tile.template store_wide<Width>(constant<register_of<V>>{}, v);
  }
  /// Rejected if a vector may be partly in bounds.
  template <auto V> AXE_FN constexpr bool in_bounds(constant<V>) const {
    using stop [[maybe_unused]] = verdict<typename Proof::template reason<Width, true>>::stop;
    return tile.in_bounds(constant<register_of<V>>{});
  }
  AXE_FN constexpr bool any_in_bounds() const { return tile.any_in_bounds(); }

  /// Calls whole(v) if all of vector V is in bounds, else one(r) for each register in bounds.
  AXE_CALLS_USER_CODE
  template <auto V>
  AXE_FORCE_INLINE constexpr void visit_in_bounds(constant<V> v, auto const& whole,
                                                  auto const& one) const {
    visit_elements(v, whole, one, indices_to<Width>{});
  }

 private:
  template <int V, int... Element>
  AXE_FORCE_INLINE constexpr bool all_in_bounds(indices<Element...>) const {
    if constexpr (constexpr int k = Proof::template furthest<Width>(vector_number<V, size>());
                  k >= 0)
      return tile.in_bounds(constant<register_of<V, k>>{});
    else
      return (tile.in_bounds(constant<register_of<V, Element>>{}) && ...);
  }
  AXE_CALLS_USER_CODE
  template <auto V, int... Element>
  AXE_FORCE_INLINE constexpr void visit_elements(constant<V> v, auto const& whole, auto const& one,
                                                 indices<Element...> all) const {
    if (all_in_bounds<V>(all))
      whole(v);
    else if constexpr (!whole_at_edges)
      (visit_one<V, Element>(one), ...);
  }
  /// Skips the furthest element, which is out of bounds.
  AXE_CALLS_USER_CODE
  template <int V, int Element> AXE_FORCE_INLINE constexpr void visit_one(auto const& one) const {
    if constexpr (Element != Proof::template furthest<Width>(vector_number<V, size>()))
      if (constant<register_of<V, Element>> const r{}; tile.in_bounds(r)) one(r);
  }
};
}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
