// --mesh y=2,x=4: the device axes of a command about shardings.
//
//     request r("check-sharding", with_mesh_axes(given), {{"--mesh", true}, …});
//     axe::mesh devices;
//     if (!read_mesh(r, devices)) return r.report(err);
#pragma once

#include "commands/request.hpp"

#include <axe/distributed/mesh.hpp>

namespace program {

/// The words with `--axis NAME:device` for each axis of --mesh, so that layouts may name it.
std::vector<std::string> with_mesh_axes(std::vector<std::string> given);

/// The value of --mesh, which must be there.
bool read_mesh(request& r, axe::mesh& out);

/// The names of an option such as `--levels y,x`, all of them axes of the mesh.
bool read_axes_of(request& r, char const* option, axe::mesh const& devices,
                  std::vector<axe::axis>& out);

}  // namespace program
