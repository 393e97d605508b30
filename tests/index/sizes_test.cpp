// Static and dynamic sizes share one code path. Layouts whose sizes are all static, partly dynamic
// and all dynamic must give the same addresses. The expected ones are computed by / and % from a
// table.
#include "support/catch.hpp"
#include "support/far_pointer.hpp"

#include <axe/construct/literal.hpp>
#include <axe/index/tensor_of.hpp>
#include <axe/map/places.hpp>
#include <axe/notation/print.hpp>

#include <random>
#include <vector>

namespace {

using namespace axe;

/// The expected layout: the digits of each dimension, slowest first, and an offset in elements.
struct numbers {
  struct one {
    integer extent, stride;
  };
  std::vector<std::vector<one>> dimensions;
  integer offset = 0;

  integer extent(std::size_t d) const {
    integer product = 1;
    for (one const& digit : dimensions[d]) product *= digit.extent;
    return product;
  }
  integer place(std::vector<integer> coordinates) const {
    integer at = offset;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      for (std::size_t k = dimensions[d].size(); k-- > 0;) {
        one const& digit = dimensions[d][k];
        at += coordinates[d] % digit.extent * digit.stride;
        coordinates[d] /= digit.extent;
      }
    return at;
  }
};

float* const base = axe_test::far_pointer<float>;
integer elements_from_base(float const* p) { return axe_test::elements_from(base, p); }

/// Which numbers of a layout are dynamic: none, those with an odd slot, or all.
enum class dynamic_numbers { none, odd_slots, all };
constexpr leaf one_of(dynamic_numbers which, integer value, int slot) {
  bool const is_dynamic =
      which == dynamic_numbers::all || (which == dynamic_numbers::odd_slots && slot % 2 != 0);
  return is_dynamic ? dynamic(slot) : leaf{value};
}

template <class Map, class Type> auto fill() {
  if constexpr (Type::slots == 0)
    return Type{};
  else
    return []<int... Slot>(detail::integers<Slot...>) {
      return Type(Map::values[Slot]...);
    }(detail::integers_to<Type::slots>{});
}

/// A matrix with a pitch.
struct matrix_map {
  static constexpr integer values[]{37, 64, 50};
  static numbers all() { return {{{{37, 64}}, {{50, 1}}}}; }
  template <dynamic_numbers K>
  using type = dynamic_layout<dimension<digit<one_of(K, 37, 0), one_of(K, 64, 1)>>,
                              dimension<digit<one_of(K, 50, 2), 1>>>;
};
/// Images of 49 pixels that are stored channel by channel, seen as (image, 7 * pixel + channel).
struct channels_inside {
  static constexpr integer values[]{3, 343, 49, 7};
  static numbers all() { return {{{{3, 343}}, {{49, 1}, {7, 49}}}}; }
  template <dynamic_numbers K>
  using type = dynamic_layout<
      dimension<digit<one_of(K, 3, 0), one_of(K, 343, 1)>>,
      dimension<digit<one_of(K, 49, 2), 1>, digit<one_of(K, 7, 3), one_of(K, 49, 2)>>>;
};
/// A dimension of three digits, of which no two are contiguous.
struct three_digits {
  static constexpr integer values[]{4, 100, 5, 17, 6, 2};
  static numbers all() { return {{{{4, 100}, {5, 17}, {6, 2}}}}; }
  template <dynamic_numbers K>
  using type = dynamic_layout<
      dimension<digit<one_of(K, 4, 0), one_of(K, 100, 1)>, digit<one_of(K, 5, 2), one_of(K, 17, 3)>,
                digit<one_of(K, 6, 4), one_of(K, 2, 5)>>>;
};
/// Static digits faster than, between and slower than dynamic ones.
struct in_between {
  static constexpr integer values[]{3, 1000, 4, 30, 5, 6, 7, 11};
  static numbers all() {
    return {{{{3, 1000}, {4, 30}}, {{5, 60}, {7, 12}, {2, 6}, {11, 2}, {2, 1}}}};
  }
  template <dynamic_numbers K>
  using type =
      dynamic_layout<dimension<digit<one_of(K, 3, 0), one_of(K, 1000, 1)>,
                               digit<one_of(K, 4, 2), one_of(K, 30, 3)>>,
                     dimension<digit<one_of(K, 5, 4), 60>, digit<one_of(K, 7, 6), 12>,
                               digit<2, one_of(K, 6, 5)>, digit<one_of(K, 11, 7), 2>, digit<2, 1>>>;
};
/// A fastest extent of 1, and an offset.
struct single_channel {
  static constexpr integer values[]{9, 5, 1, 40, 3};
  static numbers all() { return {{{{9, 5}, {1, 3}}}, 40}; }
  template <dynamic_numbers K>
  using type =
      dynamic_layout_from<one_of(K, 40, 3), dimension<digit<one_of(K, 9, 0), one_of(K, 5, 1)>,
                                                      digit<one_of(K, 1, 2), one_of(K, 3, 4)>>>;
};

template <class Sizes, integer... C, int... D>
void check_constants(Sizes const& sizes, numbers const& plain, std::vector<integer> const& from,
                     detail::integers<D...>) {
  auto const p = bind_pointer(
      base, sizes,
      (constant<2>{} * any(static_cast<unsigned>(from[static_cast<std::size_t>(D)] / 2)))...);
  std::vector<integer> const more{C...};
  std::vector<integer> at = from;
  for (std::size_t d = 0; d < at.size(); ++d) {
    at[d] += more[d];
    if (at[d] >= plain.extent(d)) return;
  }
  CHECK(elements_from_base(p.template at<C...>()) == plain.place(at));
}

template <class Map, dynamic_numbers K> void check_sizes() {
  using type = typename Map::template type<K>;
  type const sizes = fill<Map, type>();
  numbers const plain = Map::all();
  constexpr int rank = type::rank;
  constexpr auto all = detail::integers_to<rank>{};
  // The layout with these sizes has the same addresses.
  layout const l = to_layout(sizes);
  integer const size = detail::product_of_extents(l.shards);
  std::mt19937 e(7);
  for (int n = 0; n < 400; ++n) {
    std::vector<integer> at(static_cast<std::size_t>(rank));
    for (std::size_t d = 0; d < at.size(); ++d)
      at[d] = static_cast<integer>(e() % static_cast<unsigned>(plain.extent(d))) / 2 * 2;
    if constexpr (rank == 1) {
      REQUIRE(places(l, shape{size}, {at[0]}).first()[axis::m] == plain.place(at));
      check_constants<type, 0>(sizes, plain, at, all);
      check_constants<type, 1>(sizes, plain, at, all);
      check_constants<type, 2>(sizes, plain, at, all);
      check_constants<type, 7>(sizes, plain, at, all);
      check_constants<type, 31>(sizes, plain, at, all);
    } else {
      REQUIRE(places(l, shape_of(sizes), {at[0], at[1]}).first()[axis::m] == plain.place(at));
      check_constants<type, 0, 0>(sizes, plain, at, all);
      check_constants<type, 0, 1>(sizes, plain, at, all);
      check_constants<type, 1, 2>(sizes, plain, at, all);
      check_constants<type, 2, 13>(sizes, plain, at, all);
      check_constants<type, 5, 45>(sizes, plain, at, all);
    }
  }
}
template <class Map> void check_all_forms() {
  check_sizes<Map, dynamic_numbers::none>();
  check_sizes<Map, dynamic_numbers::odd_slots>();
  check_sizes<Map, dynamic_numbers::all>();
}

TEST_CASE("static, mixed and dynamic sizes give the same addresses") {
  check_all_forms<matrix_map>();
  check_all_forms<channels_inside>();
  check_all_forms<three_digits>();
  check_all_forms<in_between>();
  check_all_forms<single_channel>();
}

TEST_CASE("a static layout, its sizes and its tensor type give the same addresses") {
  using namespace axe::literals;
  using known = carrier<"S[(3,49,7):(343,1,49)] + 5"_axe>;
  using shape_of_known = extents<3, 343>;
  numbers const plain{{{{3, 343}}, {{49, 1}, {7, 49}}}, 5};
  using dynamic_sizes =
      dynamic_layout_from<dynamic(4), dimension<digit<dynamic(0), dynamic(1)>>,
                          dimension<digit<dynamic(2), 1>, digit<dynamic(3), dynamic(2)>>>;
  dynamic_sizes const sizes(3, 343, 49, 7, 5);
  for (unsigned n = 0; n < 3; ++n)
    for (unsigned x = 0; x + 4 < 343; ++x) {
      integer const at = plain.place({n, x + 4});
      CHECK(bind_address<known, shape_of_known, 1>(any(n), any(x)).at<0, 4>() ==
            static_cast<unsigned>(at));
      CHECK(
          elements_from_base(
              bind_pointer(base, tensor_of<known, shape_of_known>{}, any(n), any(x)).at<0, 4>()) ==
          at);
      CHECK(elements_from_base(bind_pointer(base, sizes, any(n), any(x)).at<0, 4>()) == at);
    }
}

TEST_CASE("a coordinate is divided exactly, up to 2^32") {
  // Coordinates that stay below 2^31, and then coordinates up to 2^32.
  using short_ones = dynamic_layout<
      dimension<digit<dynamic(0).below(1 << 16), dynamic(1)>, digit<dynamic(2).below(1 << 15), 1>>>;
  using long_ones = dynamic_layout<dimension<digit<dynamic(0), dynamic(1)>, digit<dynamic(2), 1>>>;
  std::mt19937_64 e(11);
  for (integer inner : {1, 2, 3, 7, 48, 641, 32767}) {
    short_ones const a(65535, 1000003, inner);
    for (int n = 0; n < 300; ++n) {
      unsigned const x = static_cast<unsigned>(e() % static_cast<std::uint64_t>(65535 * inner));
      CHECK(elements_from_base(bind_pointer(base, a, any(x)).at<>()) ==
            x / inner * 1000003 + x % inner);
    }
  }
  for (integer inner :
       {integer{1}, integer{3}, integer{65537}, (integer{1} << 31) + 1, (integer{1} << 32) - 1}) {
    integer const outer = (integer{1} << 32) / inner;
    long_ones const a(outer < 2 ? 1 : outer - 1, 1 << 20, inner);
    for (int n = 0; n < 300; ++n) {
      std::uint64_t const bound = static_cast<std::uint64_t>((outer < 2 ? 1 : outer - 1) * inner);
      unsigned const x =
          n == 0 ? static_cast<unsigned>(bound - 1) : static_cast<unsigned>(e() % bound);
      CHECK(elements_from_base(bind_pointer(base, a, any(x)).at<>()) ==
            integer{x} / inner * (1 << 20) + integer{x} % inner);
    }
  }
}

TEST_CASE("digits that would need a divisor of 2^32 or more are rejected") {
  using cube =
      dynamic_layout<dimension<digit<dynamic(0), 1>, digit<dynamic(1), 1>, digit<1 << 12, 1>>>;
  CHECK(std::string(sentence(cube::why(3, integer{1} << 20)).c_str()) ==
        "the faster digits of dimension 0 have 4294967296 elements, but coordinates are divided by "
        "numbers below 2^32 only");
  CHECK(cube::why(1, (integer{1} << 20) - 1).which == rule::none);
  CHECK(cube::why(2, (integer{1} << 20) - 1).which == rule::dimension_beyond_coordinates);
  CHECK(cube::why(3, 0).which == rule::dynamic_extent_below);
}

}  // namespace
