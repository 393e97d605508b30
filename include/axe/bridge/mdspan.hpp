// SPDX-License-Identifier: MIT
// A layout on m as an mdspan layout policy, and a strided mapping as a layout.
//
//     std::mdspan<float, std::extents<int, 64, 64>, axe::mdspan_layout<carrier>> tile(pointer);
//     from_mdspan(std::layout_left::mapping<std::extents<int, 4, 8>>{})    S[((4),(8)):((1),(4))]
//
// Works with std::mdspan, cuda::std::mdspan, the Kokkos reference and cuda::tiles::tensor_span.
// Source: [mdspan.layout.reqmts] of C++23.
#pragma once

#include <axe/bridge/mdspan/mapping_addresses.hpp>

#include <type_traits>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The layout policy of a carrier. Without one, each mapping holds a layout at run time.
template <class Carrier = void> struct mdspan_layout {
  template <class Extents> class mapping {
   public:
    using extents_type = Extents;
    using index_type = Extents::index_type;
    using size_type = std::make_unsigned_t<index_type>;
    using rank_type = Extents::rank_type;
    using layout_type = mdspan_layout;

    constexpr mapping()
      requires(detail::has_static_addresses<Carrier, Extents>)
    = default;
    /// Does not compile unless each index has one address.
    AXE_TILE_FN constexpr explicit mapping(Extents const& e)
      requires(detail::has_static_addresses<Carrier, Extents>)
        : own_extents(e) {}
    /// Throws `refused`. So does the next constructor.
    AXE_FN constexpr explicit mapping(Extents const& e)
      requires(!std::is_void_v<Carrier> && !detail::has_static_addresses<Carrier, Extents>)
        : own_extents(e) {
      addresses.value = prepared(Carrier::value, e);
    }
    AXE_FN constexpr mapping(Extents const& e, layout const& l)
      requires(std::is_void_v<Carrier>)
        : own_extents(e) {
      addresses.value = prepared(l, e);
    }

    AXE_TILE_FN constexpr Extents const& extents() const noexcept { return own_extents; }

    template <class... Index>
      requires(sizeof...(Index) == Extents::rank())
    AXE_FN constexpr index_type operator()(Index... at) const noexcept {
      if constexpr (is_static) {
        return static_cast<index_type>(
            detail::constant_address<held, Extents>(detail::integers_to<sizeof...(at)>{}, at...));
      } else {
        integer const all[] = {static_cast<integer>(at)..., 0};
        return static_cast<index_type>(detail::address_at(value(), extents_as_shape(), all));
      }
    }

    AXE_FN constexpr index_type required_span_size() const noexcept {
      if constexpr (is_static) return static_cast<index_type>(facts::size);
      return static_cast<index_type>(cosize(value()));
    }
    AXE_FN constexpr bool is_unique() const noexcept {
      if constexpr (is_static) return facts::unique;
      return try_is_injective(value(), step_limit(detail::largest)).value;
    }
    AXE_FN constexpr bool is_exhaustive() const noexcept {
      if constexpr (is_static) return facts::exhaustive;
      return detail::covers_addresses(value(), cosize(value()));
    }
    AXE_FN constexpr bool is_strided() const noexcept { return strides().exist; }
    AXE_FN static constexpr bool is_always_unique() noexcept {
      if constexpr (is_static) return facts::unique;
      return false;
    }
    AXE_FN static constexpr bool is_always_exhaustive() noexcept {
      if constexpr (is_static) return facts::exhaustive;
      return false;
    }
    AXE_TILE_FN static constexpr bool is_always_strided() noexcept {
      if constexpr (is_static) return facts::strides.exist;
      return false;
    }
    /// Precondition: is_strided().
    AXE_TILE_FN constexpr index_type stride(rank_type r) const noexcept {
      if constexpr (is_static)
        return static_cast<index_type>(constants::at(static_cast<int>(r)));
      else
        return static_cast<index_type>(strides().of[static_cast<int>(r)]);
    }
    AXE_TILE_FN static constexpr decltype(sizeof(int)) static_stride(rank_type r) noexcept
      requires(detail::is_strided_from_zero<Carrier, Extents>())
    {
      return static_cast<decltype(sizeof(int))>(constants::at(static_cast<int>(r)));
    }

    /// The layout, grouped by the extents if possible. A static layout is returned by value: device
    /// code cannot refer to a static member.
    AXE_FN constexpr decltype(auto) value() const noexcept {
      if constexpr (is_static) {
        constexpr layout constant = held::value;
        return layout(constant);
      } else {
        return (addresses.value);
      }
    }

    template <class Other>
    AXE_FN friend constexpr bool operator==(mapping const& a, mapping<Other> const& b) noexcept {
      if constexpr (Extents::rank() != Other::rank())
        return false;
      else
        return a.extents() == b.extents() && a.value() == b.value();
    }

   private:
    static constexpr bool is_static = detail::has_static_addresses<Carrier, Extents>;
    struct nothing {};

    static constexpr auto checked_addresses() {
      if constexpr (is_static) {
        using source = detail::static_addresses<Carrier, Extents>;
        if constexpr (source::result.why)
          using stop [[maybe_unused]] = detail::verdict<source>::stop;
        return source{};
      } else {
        return detail::run_time_addresses{};
      }
    }
    using held = decltype(checked_addresses());
    using facts = detail::static_facts<held, Extents>;
    static constexpr auto make_constants() {
      if constexpr (is_static)
        return decltype(detail::strides_as_constants<facts>(
            detail::integers_to<static_cast<int>(Extents::rank())>{})){};
    }
    using constants = decltype(make_constants());

    AXE_FN static constexpr layout prepared(layout const& l, Extents const& e) {
      shape const s = detail::shape_of_extents(e);
      outcome<layout> const found = detail::try_mdspan_addresses<Extents>(l, s);
      if (!found) detail::stop_on(found.why, "mdspan_layout", {&l, nullptr, &s});
      return *found;
    }
    AXE_FN constexpr shape extents_as_shape() const noexcept {
      return detail::shape_of_extents(own_extents);
    }
    AXE_FN constexpr detail::address_strides strides() const noexcept {
      if constexpr (is_static)
        return facts::strides;
      else
        return detail::strides_in_index_type<index_type>(value(), extents_as_shape());
    }

    Extents own_extents{};
    [[no_unique_address]] held addresses{};
  };
};

/// For layout_left, layout_right, layout_stride and the padded layouts. The result is grouped by
/// the extents.
template <class Mapping>
  requires(Mapping::is_always_strided())
AXE_FN constexpr outcome<layout> try_from_mdspan(Mapping const& from) {
  layout l;
  if constexpr (Mapping::extents_type::rank() > 0)  // layout_right of rank 0 has no stride()
    for (int r = 0; r < static_cast<int>(Mapping::extents_type::rank()); ++r) {
      auto const at = static_cast<Mapping::rank_type>(r);
      auto const extent = static_cast<integer>(from.extents().extent(at));
      if (!l.shards.push({extent, static_cast<integer>(from.stride(at)), axis::m}))
        return refusal{rule::too_many_shards, {Mapping::extents_type::rank()}};
      l.blocks.push(1);
    }
  if (refusal const bad = check(l)) return bad;
  return l;
}
template <class Mapping> AXE_FN constexpr layout from_mdspan(Mapping const& from) {
  return detail::stop_on(try_from_mdspan(from), "from_mdspan");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#undef AXE_TILE_FN
