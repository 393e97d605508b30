// The functions for axes of one kind, and for axes that are composed of others.
#include "eval/function.hpp"

namespace calculator {

using axe::axis_composition;
using axe::layout;

std::vector<function> axis_functions() {
  return {
      {"storage", "L", [](layout const& l) { return axe::try_storage(l); },
       "L with only its memory axes"},
      {"threads", "L", [](layout const& l) { return axe::try_threads(l); },
       "L with only its thread axes"},
      {"devices", "L", [](layout const& l) { return axe::try_devices(l); },
       "L with only its device axes"},
      {"rewrite", "L, axis = sum",
       [](layout const& l, axis_composition const& c) { return axe::try_rewrite(l, c); },
       "the same places with an axis split or joined; if the sum is declared, pass only the axis"},
      {"to_lane_warp", "L", [](layout const& l) { return axe::try_to_lane_warp(l); },
       "tid split: tid = 32*warp + lane"},
      {"to_wg", "L", [](layout const& l) { return axe::try_to_wg(l); },
       "tid split: tid = 128*wg + tid_in_wg"},
      {"to_wid_in_wg", "L", [](layout const& l) { return axe::try_to_wid_in_wg(l); },
       "tid_in_wg split: tid_in_wg = 32*wid_in_wg + lane"},
      {"to_wg_wid_in_wg", "L", [](layout const& l) { return axe::try_to_wg_wid_in_wg(l); },
       "warp split: warp = 4*wg + wid_in_wg"},
      {"to_tid", "L", [](layout const& l) { return axe::try_to_tid(l); },
       "tid from warp and lane, or from wg and its parts"},
      {"to_tid_in_wg", "L", [](layout const& l) { return axe::try_to_tid_in_wg(l); },
       "tid_in_wg from wid_in_wg and lane"},
      {"to_warp", "L", [](layout const& l) { return axe::try_to_warp(l); },
       "warp from wg and wid_in_wg"},
  };
}

}  // namespace calculator
