// 03: Which part of a sharded matrix does one device hold? A 64 x 64 matrix is sharded over a mesh
// of 2 x 4 devices. The program prints the part of device 3, and the layout on the mesh's own axes.
#include <axe/axe.hpp>

#include <cstdio>

using namespace axe::literals;
using namespace axe::axes;

constexpr auto weights = "S[(2,32,4,16):(4@gpuid,16,1@gpuid,1)]"_axe;

constexpr axe::axis mesh_y = axe::device_axis("mesh_y");
constexpr axe::axis mesh_x = axe::device_axis("mesh_x");
constexpr axe::axis_composition mesh{gpuid, 4 * mesh_y + 1 * mesh_x};

int main() {
  axe::integer held = 0;
  for (axe::piece p : axe::owned_by(weights, {64, 64}, 3 * gpuid)) {
    std::printf("device 3 holds %s from %s on, laid out as %s\n", axe::to_text(p.extents).c_str(),
                axe::to_text(p.origin).c_str(), axe::to_text(p.places).c_str());
    held += axe::size(p.places);
  }
  axe::layout const on_mesh = axe::rewrite(weights, mesh);
  std::printf("on the mesh: %s\n", axe::to_text(on_mesh).c_str());
  bool const once = axe::coverage(weights, {{gpuid, 8}, {m, 512}}).how == axe::covered::once;
  return held == 512 && once && axe::equivalent(axe::rewrite(on_mesh, mesh), weights) ? 0 : 1;
}
