// SPDX-License-Identifier: MIT
// Prints a resharding plan for people: bytes, bounds, traffic, NCCL calls and declined plans.
#pragma once

#include <axe/distributed/enclosures.hpp>
#include <axe/distributed/largest_send.hpp>
#include <axe/distributed/print_nccl.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Precondition: plan->elements() * plan->bound_per_element * bits_of(type) fits in 64 bits.
struct printed_reshard {
  reshard_plan const* plan = nullptr;
  element_type type = element_type::f32;
};

namespace detail {

template <class Out> struct reshard_printer {
  Out& out;
  reshard_plan const& p;
  element_type type;

  AXE_FN constexpr integer bytes(integer elements) const { return stored_bytes(type, elements); }
  AXE_FN constexpr void put_count(char const* before, integer n, char const* after) {
    put_number(out, before, n, after);
  }
  AXE_FN constexpr void say_elements(char const* before, integer n, char const* after) {
    put_count(before, n, n == 1 ? " element (" : " elements (");
    put_count("", bytes(n), bytes(n) == 1 ? " byte)" : " bytes)");
    out.put(after);
  }

  AXE_FN constexpr void print_what(recognised const& r) {
    put_count("", p.elements(), p.elements() == 1 ? " element on " : " elements on ");
    put_count("", p.device_count(), p.device_count() == 1 ? " device: " : " devices: ");
    out.put(name_of(r.kind));
    if (r.on >= 0) {
      put_count(" over ", p.device_count() / p.devices.axes[r.on].extent, "");
      out.put(p.device_count() == p.devices.axes[r.on].extent ? " group of " : " groups of ");
      print(out, p.devices.axes[r.on].on);
    }
    out.put('\n');
  }

  /// Prints the axis of each digit before and after: `2 y -> m, 8 m, 4 m -> x`.
  AXE_FN constexpr void print_digits() {
    out.put("  digits:");
    if (p.tensor.parts.empty()) out.put(" none");
    for (int k = 0; k < p.tensor.parts.size(); ++k) {
      tensor_part const& part = p.tensor.parts[k];
      put_count(k == 0 ? " " : ", ", part.extent, " ");
      print_axes(p.tensor.src, part.src_first, part.src_last);
      if (part.regular() && p.tensor.src[part.src_first].on == p.tensor.dst[part.dst_first].on)
        continue;
      out.put(" -> ");
      print_axes(p.tensor.dst, part.dst_first, part.dst_last);
    }
    for (iter const& i : p.src.summands_on_devices) print_iter(", summands: ", i);
    for (iter const& i : p.src.summands_in_memory) print_iter(", summands: ", i);
    for (iter const& i : p.from.places.replicas) print_iter(", replicas of src: ", i);
    for (iter const& i : p.to.places.replicas) print_iter(", replicas of dst: ", i);
    out.put('\n');
  }
  AXE_FN constexpr void print_iter(char const* before, iter const& i) {
    put_count(before, i.extent, " ");
    print(out, i.on);
  }
  /// Prints `x`, or `(3 x, 2 m)` for several digits.
  AXE_FN constexpr void print_axes(list<side_digit, most_tensor_parts> const& digits, int first,
                                   int last) {
    if (last - first == 1) return print(out, digits[first].on);
    for (int k = first; k < last; ++k) {
      put_count(k == first ? "(" : ", ", digits[k].extent, " ");
      print(out, digits[k].on);
    }
    out.put(')');
  }

  AXE_FN constexpr void print_figures() {
    // Every plan has the least volume.
    say_elements("  moves ", least_volume(p), ", the least possible\n");
    put_count("  rounds: ", rounds(p), "");
    if (p.slices > 1) put_count(", in ", p.slices, " slices");
    out.put('\n');
    if (p.in_memory > 1 || p.groups > 1) {
      out.put("  order of addition:");
      if (p.in_memory > 1) put_count(" the ", p.in_memory, " summands in a device, then");
      put_count(" the ", p.groups, p.groups == 1 ? " group\n" : " groups of devices, by summand\n");
    }
    for (int level = 1; level <= p.levels; ++level) {
      put_count("  enters enclosures of level ", level, ": ");
      say_elements("", elements_entering(p, level), "");
      if (p.groups == 1) say_elements(", at least ", least_elements_entering(p, level), "");
      out.put('\n');
    }
    outcome<send_bound> const bound = try_largest_send(p);
    if (bound && bound.value.elements > 0) {
      say_elements("  in one direct step some device sends at least ", bound.value.elements, "");
      put_count(": only ", bound.value.holders, bound.value.holders == 1 ? " device" : " devices");
      put_count(bound.value.holders == 1 ? ", rank " : ", such as rank ",
                p.rank_of(bound.value.device), "");
      put_count(", can send ", bound.value.demand, " of the elements that move\n");
    }
  }

  AXE_FN constexpr void print_devices() {
    integer const shown = smaller(p.device_count(), 16);
    traffic of_device[16];
    if (p.levels > 0)
      traffic_of_all(p, of_device, shown);
    else
      for (integer d = 0; d < shown; ++d) of_device[d] = traffic_of(p, d);
    for (integer d = 0; d < shown; ++d) {
      traffic const& t = of_device[d];
      put_count("  rank ", p.rank_of(d), ": sends ");
      put_count("", bytes(t.sent), bytes(t.sent) == 1 ? " byte, receives " : " bytes, receives ");
      put_count("", bytes(t.received), " (it lacks ");
      put_count("", bytes(missing(p, d)), "), holds at most ");
      put_count("", bytes(peak_memory(p, d)), "\n");
    }
    if (shown < p.device_count()) put_count("  … ", p.device_count() - shown, " more\n");
  }

  AXE_FN constexpr integer received_by(integer device) {
    integer received = 0;
    for (message const& m : messages(p, device)) received += m.local() ? 0 : count(p, m);
    return received;
  }

  AXE_FN constexpr void print_nccl(recognised const& r) {
    nccl_call_printer<Out> call{out, p, type};
    if (r.kind == collective::none || r.kind == collective::permute) {
      integer device = 0;
      while (device + 1 < p.device_count() && received_by(device) == 0) ++device;
      put_count("  NCCL calls of rank ", p.rank_of(device), ":\n");
      nccl_send_printer<Out>{call, device}.print_all();
    } else if (r.kind != collective::local) {
      out.put("  NCCL in each group:\n");
      call.print_collective(r);
    }
  }

  AXE_FN constexpr void print_declined() {
    integer const gathered = volume_of_gathering(p);
    if (gathered > least_volume(p))
      say_elements("  declined: gather everything on every device, then slice: moves ", gathered,
                   "\n");
    if (p.levels == 0 || p.groups > 1) return;
    outcome<reshard_plan> const flat = try_plan_reshard(p.from, p.to);
    reshard_plan direct = flat.value;
    direct.levels = p.levels;
    integer crossing = 0;
    for (int a = 0; a < p.axes; ++a) direct.level_of[a] = p.level_of[a];
    for (message const& m : messages(flat.value))
      if (crosses_level(direct, m, 1)) crossing += count(flat.value, m);
    if (crossing > elements_entering(p, 1))
      say_elements("  declined: one direct step: enters enclosures of level 1 with ", crossing,
                   "\n");
  }

  AXE_FN constexpr void print_all() {
    recognised const r = recognise(p);
    print_what(r);
    print_digits();
    print_figures();
    print_devices();
    print_nccl(r);
    print_declined();
  }
};

}  // namespace detail

template <class Out> AXE_FN constexpr void print(Out& out, printed_reshard const& what) {
  detail::reshard_printer<Out>{out, *what.plan, what.type}.print_all();
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
