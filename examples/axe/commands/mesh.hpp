// Reads --mesh y=2,x=4: the device axes for commands about shardings.
//
//     request r("check-sharding", with_mesh_axes(given), {{"--mesh", true}, …});
//     axe::mesh devices;
//     if (!read_mesh(r, devices)) return r.report(err);
#pragma once

#include "commands/request.hpp"

#include <axe/distributed/mesh.hpp>

namespace program {

/// Returns the words with an added `--axis NAME:device` for each axis of --mesh that is not built
/// in, so that layouts may use it.
std::vector<std::string> with_mesh_axes(std::vector<std::string> given);

/// Reads the value of --mesh. Fails if the option is missing.
bool read_mesh(request& r, axe::mesh& out);

/// Reads the axes of an option such as `--levels y,x`. Each must be an axis of the mesh.
bool read_axes_of(request& r, char const* option, axe::mesh const& devices,
                  std::vector<axe::axis>& out);

}  // namespace program
