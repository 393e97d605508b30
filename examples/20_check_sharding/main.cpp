// 20: Does a DTensor placement mean the same as a PartitionSpec? A 64 x 64 matrix lies on a mesh of
// 2 x 4 devices. The build checks one pair of placements. The program prints the first element at
// which another pair differs, and one sharding in the notation of each system.
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include <cstdio>

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");
constexpr axe::mesh nodes{{y, 2}, {x, 4}};
constexpr axe::shape matrix{64, 64};

// PyTorch gives each axis of the mesh a dimension. JAX gives each dimension axes of the mesh.
constexpr axe::sharding torch = axe::from_dtensor("[Replicate(), Shard(0)]", nodes, matrix);
constexpr axe::sharding jax = axe::from_partition_spec("P('x', None)", nodes, matrix);
static_assert(equivalent(torch, jax));

// PyTorch cuts the rows over y and then over x. In JAX the first axis of a dimension is the
// slowest.
constexpr axe::sharding twice = axe::from_dtensor("[Shard(0), Shard(0)]", nodes, matrix);
constexpr axe::sharding x_first = axe::from_partition_spec("P(('x','y'))", nodes, matrix);

int main() {
  axe::sharding_difference const d = axe::difference(twice, x_first);
  std::printf("element %s is on %s in PyTorch, on %s in JAX\n", axe::to_text(d.at).c_str(),
              axe::to_text(d.a).c_str(), axe::to_text(d.b).c_str());
  std::printf("PyTorch  %s\n", axe::to_text(axe::to_dtensor(x_first)).c_str());
  std::printf("JAX      %s\n", axe::to_text(axe::to_partition_spec(x_first)).c_str());
  std::printf("XLA      %s\n", axe::to_text(axe::to_gspmd(x_first)).c_str());
  std::printf("axe      %s\n", axe::to_text(x_first.places).c_str());
  return d && equivalent(twice, axe::from_partition_spec("P(('y','x'))", nodes, matrix)) ? 0 : 1;
}
