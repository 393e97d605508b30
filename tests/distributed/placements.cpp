// Facts about shardings that are read from the placements of DTensor, JAX, XLA and ScaLAPACK, or
// printed as such placements.
#include <axe/axe.hpp>
#include <axe/distributed/dtensor.hpp>
#include <axe/distributed/gspmd.hpp>
#include <axe/distributed/partition_spec.hpp>
#include <axe/distributed/scalapack.hpp>

namespace {

using axe::rule;
using axe::shape;
using axe::sharding;

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");
constexpr axe::notation on_mesh{y, x};
constexpr axe::mesh nodes{{y, 2}, {x, 4}};
constexpr axe::mesh four{{x, 4}};
constexpr axe::mesh square{{y, 2}, {x, 2}};

constexpr auto dtensor(char const* text, axe::mesh const& m, shape const& s) {
  return axe::try_from_dtensor(text, m, s);
}
constexpr auto jax(char const* text, axe::mesh const& m, shape const& s) {
  return axe::try_from_partition_spec(text, m, s);
}
constexpr auto xla(char const* text, axe::integer devices, shape const& s) {
  return axe::try_from_gspmd(text, devices, s);
}
constexpr auto scalapack(char const* text, axe::mesh const& m) {
  return axe::try_from_scalapack(text, m);
}

constexpr sharding plain(char const* places, shape const& s, axe::mesh const& m, int summands = 0,
                         shape const& real = {}) {
  return {on_mesh(places), s, m, summands, real};
}
constexpr bool same(axe::outcome<sharding> const& a, sharding const& b) {
  return a && equivalent(*a, b);
}

template <class T> constexpr axe::text<160> printed(T const& value) {
  axe::text<160> out;
  print(out, value);
  return out;
}

// DTensor cuts a dimension along one axis of the mesh after the other, and the first axis is
// slowest.
static_assert(same(dtensor("[Shard(0), Replicate()]", nodes, {8, 8}),
                   plain("S[(2,32):(1@y,1)] + R[4:1@x]", {8, 8}, nodes)));
static_assert(same(dtensor("[S(0), S(0)]", nodes, {16, 8}),
                   plain("S[(2,4,16):(1@y,1@x,1)]", {16, 8}, nodes)));
static_assert(same(dtensor("(Shard(dim=1), Shard(dim=-2))", nodes, {8, 8}),
                   plain("S[(4,2,2,4):(1@x,4,1@y,1)]", {8, 8}, nodes)));
static_assert(same(dtensor("[_StridedShard(0, split_factor=4), Shard(0)]", nodes, {16, 8}),
                   plain("S[(4,2,16):(1@x,1@y,1)]", {16, 8}, nodes)));
static_assert(same(dtensor("[Partial(\"sum\"), Shard(1)]", nodes, {8, 8}),
                   plain("S[(2,8,4,2):(1@y,2,1@x,1)]", {2, 8, 8}, nodes, 1)));
// torch.chunk cuts 6 rows for 4 devices into 2, 2, 2 and 0 rows.
static_assert(same(dtensor("[Shard(0)]", four, {6}), plain("S[(4,2):(1@x,1)]", {8}, four, 0, {6})));
// Two cuts of 5 rows in two give 2, 1, 1 and 1 rows. A layout could only give 2, 2, 1 and 0.
constexpr axe::refusal nested = dtensor("[Shard(0), Shard(0)]", square, {5}).why;
static_assert(nested.which == rule::placement_nested_uneven && nested.numbers[2] == 3 &&
              nested.numbers[3] == 2 && nested.numbers[4] == 1);
static_assert(dtensor("[Shard(0), Shard(0)]", square, {7}));
// If a first cut leaves single rows, a second one leaves devices without elements.
static_assert(same(dtensor("[Shard(0), Shard(0)]", nodes, {2}), plain("S[2:1@y]", {2}, nodes)));
static_assert(same(dtensor("[Shard(0), Shard(0)]", nodes, {5}),
                   plain("S[(2,3):(1@y,1@x)]", {6}, nodes, 0, {5})));
static_assert(dtensor("[Shard(0)]", nodes, {8}).why.which == rule::placement_count);
static_assert(dtensor("[Shard(2)]", four, {8, 8}).why.which == rule::placement_dimension);
static_assert(dtensor("[Shard(0)]", four, shape()).why.which == rule::placement_dimension);
static_assert(dtensor("[Partial(max)]", four, {8}).why.which == rule::placement_of_another_sum);
static_assert(dtensor("[Shard(0)] x", four, {8}).why.which == rule::expected_no_more);
static_assert(dtensor("[Cut(0)]", four, {8}).why.which == rule::expected_a_placement);
constexpr axe::refusal unequal =
    dtensor("[_StridedShard(0, split_factor=3), Shard(0)]", square, {10}).why;
static_assert(unequal.which == rule::placement_split_factor && unequal.numbers[1] == 10 &&
              unequal.numbers[2] == 6);
static_assert(dtensor("[_StridedShard(0, split_factor=0)]", four, {8}).why.which ==
              rule::placement_split_factor);
// Each device of y has two runs of 6 elements. Three parts of 4 elements cross their border.
static_assert(dtensor("[_StridedShard(0, split_factor=2), _StridedShard(0, split_factor=3)]",
                      square, {24})
                  .why == axe::refusal{rule::placement_crosses, {0}, {x}});
// Three parts of 4 elements cross it without a split factor, too.
static_assert(dtensor("[_StridedShard(0, split_factor=2), Shard(0)]", {{y, 2}, {x, 3}}, {24}).why ==
              axe::refusal{rule::placement_crosses, {0}, {x}});
static_assert(dtensor("[_StridedShard(0, split_factor=2), Shard(0)]", square, {4}));
static_assert(dtensor("[_StridedShard(0, split_factor=3)]", {{x, 1}}, {4}));

// A sharding in 10^9 parts is compared with torch.chunk without a step for each part.
constexpr axe::mesh many{{y, 1'000'000'000}, {x, 4}};
static_assert(dtensor("[Shard(0), Replicate()]", many, {5}));
static_assert(dtensor("[Shard(0), Shard(0)]", many, {4'611'686'018'427'387'904}).why.numbers[2] ==
              4'611'686'019);
static_assert(dtensor("[_StridedShard(0, sf=9223372036854775807)]", four, {8}).why.which ==
              rule::size_overflows);
static_assert(dtensor("[Shard(0)]", four, {9'223'372'036'854'775'807}).why.which ==
              rule::size_overflows);

constexpr rule no_dtensor(sharding const& s) { return axe::try_to_dtensor(s).why.which; }
static_assert(printed(axe::to_dtensor(plain("S[(4,2,16):(1@x,1@y,1)]", {16, 8}, nodes))) ==
              "[_StridedShard(0, split_factor=4), Shard(0)]");
static_assert(printed(axe::to_dtensor(plain("S[(2,8,4,2):(1@y,2,1@x,1)]", {2, 8, 8}, nodes, 1))) ==
              "[Partial(sum), Shard(1)]");
static_assert(printed(axe::to_dtensor(*dtensor("[S(0), S(0)]", nodes, {16, 8}))) ==
              "[Shard(0), Shard(0)]");
static_assert(printed(axe::to_dtensor(plain("S[(4,2):(1@x,1)]", {8}, four, 0, {6}))) ==
              "[Shard(0)]");
static_assert(printed(axe::to_dtensor(plain("S[64:1] + R[2:1@y] + R[4:1@x]", {8, 8}, nodes))) ==
              "[Replicate(), Replicate()]");
static_assert(no_dtensor(plain("S[(2,32):(1@x,1)]", {64}, four)) == rule::other_axis_digits);
static_assert(no_dtensor(plain("S[64:1] + 1@x", {64}, four)) == rule::other_offset);
static_assert(no_dtensor(plain("S[(4,2,8):(1@x,1,2)]", {8, 8}, four)) == rule::other_form_differs);

// A PartitionSpec lists the axes of each dimension, slowest first.
static_assert(same(jax("P('y', None)", nodes, {8, 8}),
                   plain("S[(2,32):(1@y,1)] + R[4:1@x]", {8, 8}, nodes)));
static_assert(same(jax("PartitionSpec(('x','y'))", nodes, {16, 8}),
                   *dtensor("[_StridedShard(0, split_factor=4), Shard(0)]", nodes, {16, 8})));
static_assert(same(jax("P(None, 'x', unreduced={'y'})", nodes, {8, 8}),
                   *dtensor("[Partial(), Shard(1)]", nodes, {8, 8})));
static_assert(jax("P('x', 'x')", nodes, {8, 8}).why.which == rule::spec_axis_twice);
static_assert(jax("P('gpuid')", nodes, {8, 8}).why.which == rule::spec_axis);
static_assert(jax("P(None, None)", four, {8}).why.which == rule::spec_has_more_dimensions);
static_assert(printed(axe::to_partition_spec(
                  *dtensor("[_StridedShard(0, split_factor=4), Shard(0)]", nodes, {16, 8}))) ==
              "P(('x', 'y'), None)");
static_assert(printed(axe::to_partition_spec(*dtensor("[P, S(1)]", nodes, {8, 8}))) ==
              "P(None, 'x', unreduced={'y'})");
static_assert(printed(axe::partition_spec{{}, {x}}) == "P(unreduced={'x'})");
// `unreduced` is a set. DTensor lists its placements in the order of the mesh.
static_assert(same(jax("P(unreduced={'x', 'y'})", nodes, {8, 8}),
                   *jax("P(unreduced={'y', 'x'})", nodes, {8, 8})));
static_assert(printed(axe::to_dtensor(*jax("P(unreduced={'x', 'y'})", nodes, {8, 8}))) ==
              "[Partial(sum), Partial(sum)]");
// A sum over one device is complete.
constexpr axe::mesh one_by_two{{y, 1}, {x, 2}};
static_assert(printed(axe::to_dtensor(*dtensor("[Partial(), Shard(0)]", one_by_two, {8}))) ==
              "[Replicate(), Shard(0)]");
// Devices 2 and 3 hold nothing: a dimension of 2 elements is padded to 4 devices.
static_assert(printed(axe::to_partition_spec(plain("S[(2,8):(1@x,1)]", {2, 8}, four))) ==
              "P('x', None)");
static_assert(axe::try_to_partition_spec(plain("S[(2,32):(1@x,1)]", {64}, four)).why.which ==
              rule::other_axis_digits);
static_assert(axe::try_to_partition_spec(plain("S[(2,4,2):(2,1@x,1)]", {16}, four)).why.which ==
              rule::other_form_differs);
// The sentence names a place at which either the sharding or the form has the element, not both:
// device 3 is the last replica of the form.
static_assert(axe::try_to_partition_spec(plain("S[8:1]", {8}, four)).why ==
              axe::refusal{rule::other_form_differs, {0, 3, 0}});

// XLA numbers the devices of the parts in row-major order.
static_assert(same(xla("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", 8, {8, 8}),
                   *jax("P('y')", nodes, {8, 8})));
static_assert(same(xla("{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}", 8, {8, 8}),
                   *jax("P('x')", nodes, {8, 8})));
static_assert(same(xla("{devices=[8,1]0,4,1,5,2,6,3,7}", 8, {16, 8}),
                   *jax("P(('x','y'))", nodes, {16, 8})));
static_assert(same(xla("{replicated}", 8, {8, 8}), *jax("P()", nodes, {8, 8})));
static_assert(same(xla("{maximal device=5}", 8, {8, 8}),
                   plain("S[64:1] + 1@y + 1@x", {8, 8}, nodes)));
// The list of devices may descend.
static_assert(same(xla("{devices=[4,1]3,2,1,0}", 4, {8, 8}),
                   plain("S[(4,16):(-1@x,1)] + 3@x", {8, 8}, four)));
// The devices of a part have the same elements, in whatever order they are listed.
static_assert(same(xla("{devices=[3,2]3,0,1,4,2,5 last_tile_dim_replicate}", 6, {3}),
                   plain("S[3:1@gpuid] + R[2:3@gpuid]", {3}, axe::detail::flat_mesh(6))));
static_assert(same(xla("{devices=[2,1,2]2,3,0,1 last_tile_dim_replicate}", 4, {8, 8}),
                   plain("S[(2,32):(-1@y,1)] + R[2:1@x] + 1@y", {8, 8}, square)));
static_assert(printed(axe::to_gspmd(plain("S[(4,16):(-1@x,1)] + 3@x", {8, 8}, four))) ==
              "{devices=[4,1]3,2,1,0}");
// Devices without elements hold parts of padding.
static_assert(printed(axe::to_gspmd(plain("S[(2,8):(1@x,1)]", {2, 8}, four))) ==
              "{devices=[4,1]<=[4]}");
static_assert(printed(axe::to_gspmd(plain("S[(3,8):(1@x,1)]", {3, 8}, four))) ==
              "{devices=[4,1]<=[4]}");
static_assert(printed(axe::to_gspmd(plain("S[(3,3):(4@x,1@x)]", {3, 3}, {{x, 16}}))) ==
              "{devices=[4,4]<=[16]}");
static_assert(printed(axe::to_gspmd(plain("S[(1,3):(1@x,2@x)]", {1, 3}, {{x, 8}}))) ==
              "{devices=[2,4]<=[4,2]T(1,0)}");
static_assert(printed(axe::to_gspmd(plain("S[(2,8):(2@x,1)]", {2, 8}, four))) ==
              "{devices=[4,1]<=[2,2]T(1,0)}");
static_assert(printed(axe::to_gspmd(plain("S[(2,4,2):(1@x,1,2@x)]", {2, 4, 2}, nodes))) ==
              "{devices=[2,1,4]<=[4,2]T(1,0)}");
static_assert(axe::try_to_gspmd(plain("S[(2,8):(1@x,1)]", {16}, four)).why ==
              axe::refusal{rule::gspmd_devices, {2, 4}});
// Dimension 0 gets a new slowest digit of extent 2, and the digit of dimension 1 grows from 2 to 6.
static_assert(printed(axe::to_gspmd(plain("S[(2,2):(12@x,2@x)]", {2, 2}, {{x, 24}}))) ==
              "{devices=[4,6]<=[12,2]T(1,0)}");
// A digit is enlarged, and a slower one is inserted in the same dimension.
static_assert(printed(axe::to_gspmd(plain("S[(2,8):(2@x,1)]", {2, 8}, {{x, 8}}))) ==
              "{devices=[8,1]<=[4,2]T(1,0)}");
// Columns have 4 parts of 2, so that the digit inserted into the rows has stride 4.
static_assert(printed(axe::to_gspmd(plain("S[(2,3,2):(8@x,1@x,1)]", {2, 6}, {{x, 16}}, 0,
                                          {2, 5}))) == "{devices=[4,4]<=[2,2,4]T(1,0,2)}");
static_assert(axe::try_to_gspmd(plain("S[(3,3):(3@x,1@x)]", {3, 3}, {{x, 1000006}}),
                                axe::step_limit(1000))
                  .why.which == rule::undecided);
// A list of more than 1,024 devices could not be read back.
constexpr axe::sharding descending(axe::integer n, axe::integer devices) {
  return {axe::S({n}, {-1 * x}) + (n - 1) * x, n, {{x, devices}}, 0, {}};
}
static_assert(axe::try_to_gspmd(descending(1024, 1024)));
static_assert(axe::try_to_gspmd(descending(1025, 1025)).why ==
              axe::refusal{rule::gspmd_descends, {1025, 1024}});
static_assert(axe::try_to_gspmd(descending(300, 1200)).why ==
              axe::refusal{rule::gspmd_descends, {1200, 1024}});
static_assert(xla("{devices=[4]0,9223372036854775807,1,2}", 4, {8}).why.which ==
              rule::gspmd_irregular_list);
static_assert(xla("{devices=[4611686018427387905,4]<=[4]}", 4, {8, 8}).why.which ==
              rule::size_overflows);
static_assert(xla("{devices=[4]<=[4611686018427387904,4]}", 4, {8}).why.which == rule::gspmd_order);
static_assert(xla("{devices=[2,2]0,1,3,2}", 4, {8, 8}).why.which == rule::gspmd_irregular_list);
static_assert(xla("{devices=[1,4]0,1,1,2 last_tile_dim_replicate}", 4, {8}).why.which ==
              rule::gspmd_device_twice);
// Device 4 would only have padding, but XLA rejects a device that does not exist.
static_assert(xla("{devices=[4]1,2,3,4}", 4, {3}).why.which == rule::sharding_outside_the_mesh);
static_assert(axe::try_to_gspmd(plain("S[4:1@x] + 1@x", {4}, four, 0, {3})).why.which ==
              rule::other_offset);
constexpr axe::refusal crossing = xla("{devices=[3,2,4]<=[2,2,6]T(0,2,1)}", 24, {9, 4, 6}).why;
static_assert(crossing == axe::refusal{rule::gspmd_parts, {1, 2, 3, 2}});
static_assert(xla("{devices=[2,2]<=[2,2]T(0,0)}", 4, {8, 8}).why.which == rule::gspmd_order);
static_assert(xla("{devices=[2,2]<=[4]}", 8, {8, 8}).why.which == rule::gspmd_devices);
static_assert(xla("{devices=[4]<=[4]}", 4, {8, 8}).why.which == rule::gspmd_rank);
static_assert(printed(axe::to_gspmd(*jax("P('x')", nodes, {8, 8}))) ==
              "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
static_assert(printed(axe::to_gspmd(*jax("P('y','x')", nodes, {8, 8}))) == "{devices=[2,4]<=[8]}");
static_assert(printed(axe::to_gspmd(*jax("P()", nodes, {8, 8}))) == "{replicated}");
static_assert(printed(axe::to_gspmd(plain("S[64:1] + 1@y + 1@x", {8, 8}, nodes))) ==
              "{maximal device=5}");
static_assert(axe::try_to_gspmd(plain("S[(2,8):(1@y,1)] + R[4:1@x] + R[2:8]", {16}, nodes)).why ==
              axe::refusal{rule::other_form_differs, {0, 3, 8}});
static_assert(axe::try_to_gspmd(*jax("P(unreduced={'x'})", nodes, {8, 8})).why.which ==
              rule::other_sum);

// A ScaLAPACK matrix in blocks of 2 x 2 on a 2 x 4 grid of processes, stored column by column.
static_assert(same(scalapack("[1,0,8,16,2,2,0,0,4]", nodes),
                   plain("S[(2,2,2,2,4,2):(2,1@y,1,8,1@x,4)]", {8, 16}, nodes)));
static_assert(scalapack("[1,0,5,8,2,2,0,0,3]", nodes));  // a process holds 3 rows, without padding
static_assert(scalapack("[1,0,8,16,2,2,0,0,3]", nodes).why.which == rule::scalapack_leading);
static_assert(scalapack("[1,0,8,16,2,2,0,1,4]", nodes).why.which == rule::scalapack_source);
static_assert(scalapack("[1,0,8,16,2,2,2,0,4]", nodes).why.which == rule::scalapack_source);
static_assert(same(scalapack("[1,0,8,16,2,2,1,0,4]", nodes),
                   plain("S[(2,2,2,2,4,2):(2,-1@y,1,8,1@x,4)] + 1@y", {8, 16}, nodes)));
static_assert(same(scalapack("[1,0,8,6,2,2,0,1,4]", nodes),
                   plain("S[(2,2,2,4,2):(2,1@y,1,1@x,4)] + 1@x", {8, 8}, nodes, 0, {8, 6})));
// Three blocks of rows on 4 processes. The first block is on process 3, and in the next example on
// process 2.
static_assert(same(scalapack("[1,0,5,4,2,4,3,0,2]", {{y, 4}, {x, 1}}),
                   plain("S[(2,2,2,4):(-2@y,-3@y,1,2)] + 3@y", {8, 4}, {{y, 4}, {x, 1}}, 0,
                         {5, 4})));
static_assert(same(scalapack("[1,0,5,4,2,4,2,0,2]", {{y, 4}, {x, 1}}),
                   plain("S[(2,2,2,4):(-2@y,1@y,1,2)] + 2@y", {8, 4}, {{y, 4}, {x, 1}}, 0,
                         {5, 4})));
static_assert(printed(axe::to_scalapack(*scalapack("[1,0,16,4,2,4,2,0,4]", {{y, 4}, {x, 1}}))) ==
              "[1,0,16,4,2,4,2,0,4]");
static_assert(printed(axe::to_scalapack(*scalapack("[1,0,8,16,2,2,1,2,4]", nodes))) ==
              "[1,0,8,16,2,2,1,2,4]");
static_assert(scalapack("[1,0,8,16,4611686018427387904,2,0,0,8]", nodes).why.which ==
              rule::size_overflows);
static_assert(scalapack("[1,0,8,16,2,2,0,0,9223372036854775807]", nodes).why.which ==
              rule::size_overflows);
static_assert(scalapack("[1,0,8,16]", nodes).why.which == rule::expected_a_descriptor);
static_assert(scalapack("[1,0,8,16,2,2,0,0,4]", four).why.which == rule::scalapack_grid);
static_assert(printed(axe::to_scalapack(*scalapack("[1,0,8,16,2,2,0,0,4]", nodes))) ==
              "[1,0,8,16,2,2,0,0,4]");
static_assert(printed(axe::to_scalapack(*scalapack("[1,0,7,13,2,3,0,0,5]", nodes))) ==
              "[1,0,7,13,2,3,0,0,5]");
// A text with more entries than a mesh may have axes.
static_assert(axe::try_from_dtensor("[R,R,R,R,R,R,R,R,R]", nodes, {8, 8}).why ==
                  axe::refusal{rule::list_is_too_long, {18, 8}} &&
              jax("P(('y','y','y','y','y','y','y','y','y'))", nodes, {8, 8}).why ==
                  axe::refusal{rule::list_is_too_long, {38, 8}});
static_assert(axe::try_to_scalapack(*jax("P('y',unreduced={'x'})", nodes, {8, 8})).why.which ==
              rule::other_sum);
static_assert(axe::try_to_scalapack(*jax("P('y','x')", nodes, {8, 8})).why.which ==
              rule::scalapack_row_order);

// The difference of two shardings is the first element that differs, with its devices and
// addresses.
constexpr axe::sharding_difference found =
    difference(*dtensor("[Shard(0), Shard(1)]", nodes, {8, 8}), *jax("P('x', 'y')", nodes, {8, 8}));
static_assert(found && found.at == axe::coordinate{0, 2} &&
              found.a.first()[axe::axis::gpuid] == 1 && found.b.first()[axe::axis::gpuid] == 0 &&
              found.b.first()[axe::axis::m] == 2);
// Row 1 is padding, so its stride may be anything.
constexpr sharding padded_row =
    plain("S[(2,4):(4611686018427387904@y,1)]", {2, 4}, nodes, 0, {1, 4});
static_assert(!difference(padded_row, padded_row));
static_assert(axe::try_difference(*jax("P()", nodes, {8, 8}), *jax("P()", nodes, {8, 4}))
                  .why.which == rule::shardings_of_other_shapes);
// The same 6 elements, padded to 8 and to 12.
static_assert(equivalent(plain("S[(4,2):(1@x,1)]", {8}, four, 0, {6}),
                         plain("S[(6,2):(1@x,1)]", {12}, four, 0, {6})));

}  // namespace
