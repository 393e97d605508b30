// SPDX-License-Identifier: MIT
// A resharding: the ranks of each element before and after, and the bytes on each link.
#pragma once

#include <axe/draw/svg_picture.hpp>

#include <axe/distributed/messages.hpp>
#include <axe/distributed/runs.hpp>
#include <axe/distributed/volume.hpp>

#include <map>
#include <set>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline std::vector<integer> ranks_of(sharding const& s, placement const& where) {
  std::set<integer> ranks;
  for (place const& at : where) {
    integer rank = s.devices.first_rank;
    for (mesh_axis const& a : s.devices.axes) rank += at[a.on] * a.rank_stride;
    ranks.insert(rank);
  }
  return {ranks.begin(), ranks.end()};
}

inline view sharding_view(sharding const& s, char const* when, color_scale& scale) {
  subject const drawn = make_subject(s.places, s.extents);
  color_scale unused;
  view v = tensor_view(drawn, default_key(s.places), unused);
  v.heading = std::string(when) + ": the ranks that hold each element";
  v.units.assign(1, "");
  v.has_several = false;
  detail::sharded_digits const digits = *detail::cut_summands(s);
  for (grid& g : v.grids)
    for (cell& c : g.cells) {
      if (c.kind != cell::held) continue;
      integer const x = c.element % digits.size;
      if (!digits.is_real(x, true) || !digits.is_real(x, false)) {
        c = {};  // no rank holds padding
        continue;
      }
      std::vector<integer> const ranks = ranks_of(s, places(s.places, c.element));
      c.words = {positions_text(ranks, false)};
      c.several = false;
      c.color = ranks.front();
      scale.add_value(c.color, c.words.front());
    }
  return v;
}

inline std::map<std::pair<integer, integer>, integer> links_of(reshard_plan const& p) {
  std::map<std::pair<integer, integer>, integer> elements;
  for (message const& m : messages(p))
    if (!m.local()) elements[{p.rank_of(m.from), p.rank_of(m.to)}] += count(p, m);
  return elements;
}

inline std::string bytes_text(integer bits) {
  integer const bytes = (bits + 7) / 8;
  double scaled = static_cast<double>(bytes);
  char const* unit = "";
  for (char const* next : {" Ki", " Mi", " Gi", " Ti"}) {
    if (scaled < 4096) break;
    scaled /= 1024;
    unit = next;
  }
  return svg_writer::number(scaled) + unit;
}

inline view link_view(reshard_plan const& p, int bits, color_scale& scale) {
  constexpr integer most = 64;
  integer const devices = std::min(p.device_count(), most);
  std::map<std::pair<integer, integer>, integer> const elements = links_of(p);
  view v;
  v.heading = "the bytes from each rank (row) to each rank (column)";
  v.rows_are = "from";
  v.columns_are = "to";
  v.units.emplace_back();
  grid g;
  g.rows = g.columns = devices;
  for (integer d = 0; d < devices; ++d) {
    g.row_names.push_back(std::to_string(p.rank_of(d)));
    g.column_names.push_back(std::to_string(p.rank_of(d)));
    for (integer to = 0; to < devices; ++to) {
      cell c;
      c.kind = cell::empty;
      auto const found = elements.find({p.rank_of(d), p.rank_of(to)});
      if (found != elements.end()) {
        c.kind = cell::held;
        c.color = p.rank_of(d);
        scale.add_value(c.color, std::to_string(c.color));
        c.words = {bytes_text(found->second * bits)};
        c.hint = joined("rank ", p.rank_of(d), " sends ", counted(found->second, "element"),
                        " to rank ", p.rank_of(to));
      }
      g.cells.push_back(c);
    }
  }
  v.grids.push_back(g);
  if (devices < p.device_count())
    v.notes.push_back("drawn: " + with_commas(devices) + " of " + with_commas(p.device_count()) +
                      " ranks");
  return v;
}

inline picture resharding_picture(reshard_plan const& p, int bits) {
  if (bits < 1) detail::stop_on(refusal{rule::picture_bits, {bits}}, "draw_resharding");
  picture out;
  out.layout_text = text_of(p.from.places) + "\n" + text_of(p.to.places);
  std::string const moved = bytes_text(volume(p) * bits);
  out.summary = moved + (moved == "1" ? " byte moves" : " bytes move") +
                " between ranks; no plan needs less than " + bytes_text(least_volume(p) * bits);
  out.colors_are = "rank";
  out.legend = {{"e", "nothing is sent"}};
  out.views.push_back(sharding_view(p.from, "before", out.scale));
  out.views.push_back(sharding_view(p.to, "after", out.scale));
  out.views.push_back(link_view(p, bits, out.scale));
  out.blocks.push_back({{out.views.back()}, {}});
  return out;
}

}  // namespace drawing

inline std::string draw_resharding(reshard_plan const& p, int element_bits,
                                   draw_options const& options = {}) {
  return drawing::svg_picture(drawing::resharding_picture(p, element_bits), options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
