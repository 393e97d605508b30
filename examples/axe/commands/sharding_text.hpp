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
  axe::shape shape;     // with padding; layouts need it
  axe::shape real;      // without padding; empty: `shape`
  axe::shape summands;  // of a layout

  bool read(std::string const& name, std::string const& text, axe::sharding& out);

  /// "DTensor", "JAX" and so on: the notation of the last text that was read.
  char const* notation = "";
};

}  // namespace program
