#include "commands/mesh.hpp"

#include "text/shortened.hpp"

#include <algorithm>

namespace program {

namespace {

struct named_extent {
  std::string name;
  std::string extent;
};

/// Splits "y=2,x=4" into names and extents.
std::vector<named_extent> split_mesh(std::string const& text) {
  std::vector<named_extent> out;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t const end = std::min(text.find(',', at), text.size());
    std::string const word = text.substr(at, end - at);
    std::size_t const equals = std::min(word.find('='), word.size());
    out.push_back({word.substr(0, equals), equals < word.size() ? word.substr(equals + 1) : ""});
    at = end + 1;
  }
  return out;
}

axe::axis axis_called(std::string const& name) {
  for (int k = 0; k < axe::detail::built_in_axes; ++k)
    if (name == axe::detail::built_in(static_cast<axe::axis>(k)).name)
      return static_cast<axe::axis>(k);
  // The first nine characters of a longer name, which --axis rejects.
  int const length = static_cast<int>(std::min<std::size_t>(name.size(), 9));
  return axe::detail::pack_axis(name.data(), length, axe::kind::device);
}

}  // namespace

std::vector<std::string> with_mesh_axes(std::vector<std::string> given) {
  std::vector<std::string> declared;
  for (std::size_t k = 0; k < given.size(); ++k) {
    std::string mesh;
    if (given[k] == "--mesh" && k + 1 < given.size()) mesh = given[k + 1];
    if (given[k].starts_with("--mesh=")) mesh = given[k].substr(7);
    for (named_extent const& a : split_mesh(mesh))
      if (!a.name.empty() && axe::detail::is_declared(axis_called(a.name)))
        declared.insert(declared.end(), {"--axis", a.name + ":device"});
  }
  given.insert(given.begin(), declared.begin(), declared.end());
  return given;
}

bool read_mesh(request& r, axe::mesh& out) {
  std::optional<std::string> const text = r.given.last("--mesh");
  if (!text) return r.fail(text::missing("--mesh", "the device axes, slowest first", "y=2,x=4"));
  for (named_extent const& a : split_mesh(*text)) {
    std::optional<long long> const n = text::positive_number(a.extent);
    if (a.name.empty() || !n)
      return r.fail("--mesh needs axes with extents, as in y=2,x=4, not '" +
                    text::shortened(*text) + "'");
    out.add(axis_called(a.name), *n);
  }
  return true;
}

bool read_axes_of(request& r, char const* option, axe::mesh const& devices,
                  std::vector<axe::axis>& out) {
  std::optional<std::string> const text = r.given.last(option);
  if (!text) return true;
  for (named_extent const& a : split_mesh(*text)) {
    axe::axis const on = axis_called(a.name);
    if (!a.extent.empty() || devices.index_of(on) < 0)
      return r.fail(std::string(option) + " needs axes of the mesh, as in y, not '" +
                    text::shortened(*text) + "'");
    out.push_back(on);
  }
  return true;
}

}  // namespace program
