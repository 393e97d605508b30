// Axes: those of one kind, axes that are made of each other.
#include "eval/function.hpp"

namespace calculator {

using axe::axis_composition;
using axe::layout;

std::vector<function> axis_functions() {
  return {
      {"storage", "L", [](layout const& l) { return axe::try_storage(l); },
       "L with its memory axes alone"},
      {"threads", "L", [](layout const& l) { return axe::try_threads(l); },
       "L with its thread axes alone"},
      {"devices", "L", [](layout const& l) { return axe::try_devices(l); },
       "L with its device axes alone"},
      {"rewrite", "L, axis = sum",
       [](layout const& l, axis_composition const& c) { return axe::try_rewrite(l, c); },
       "the same places with an axis split into its parts, or joined; an axis declared so may "
       "stand alone"},
      {"to_lane_warp", "L", [](layout const& l) { return axe::try_to_lane_warp(l); },
       "tid split: tid = 32*warp + lane"},
      {"to_wg", "L", [](layout const& l) { return axe::try_to_wg(l); },
       "tid split: tid = 128*wg + tid_in_wg"},
      {"to_wid_in_wg", "L", [](layout const& l) { return axe::try_to_wid_in_wg(l); },
       "tid_in_wg split: tid_in_wg = 32*wid_in_wg + lane"},
      {"to_wg_wid_in_wg", "L", [](layout const& l) { return axe::try_to_wg_wid_in_wg(l); },
       "warp split: warp = 4*wg + wid_in_wg"},
      {"to_tid", "L", [](layout const& l) { return axe::try_to_tid(l); },
       "warp and lane, or wg and what is in it, joined into tid"},
      {"to_tid_in_wg", "L", [](layout const& l) { return axe::try_to_tid_in_wg(l); },
       "wid_in_wg and lane joined into tid_in_wg"},
      {"to_warp", "L", [](layout const& l) { return axe::try_to_warp(l); },
       "wg and wid_in_wg joined into warp"},
  };
}

}  // namespace calculator
