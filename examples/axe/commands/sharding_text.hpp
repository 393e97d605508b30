// Reads a sharding in any notation: DTensor, PartitionSpec, the text of XLA, a descriptor of
// ScaLAPACK, or a layout.
//
//     sharding_reader reading{r, devices, shape, real, summands};
//     axe::sharding a;
//     if (!reading.read("A", "[Shard(0), Replicate()]", a)) return r.report(err);
#pragma once

#include "commands/request.hpp"

#include <axe/distributed/sharding.hpp>

namespace program {

struct sharding_reader {
  request& r;
  axe::mesh devices;
  axe::shape shape;     // the shape with padding; a layout needs it
  axe::shape real;      // the shape without padding; empty: the same as `shape`
  axe::shape summands;  // the extents of a layout's leading dimensions, which hold summands

  bool read(std::string const& name, std::string const& text, axe::sharding& out);

  /// "DTensor", "JAX" and so on: the notation of the last text that was read.
  char const* notation = "";
};

}  // namespace program
