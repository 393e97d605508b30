// SPDX-License-Identifier: MIT
// Prints a resharding plan for people: bytes, bounds, each device's traffic, NCCL's calls.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/distributed/collective.hpp>
#include <axe/distributed/enclosures.hpp>
#include <axe/distributed/largest_send.hpp>
#include <axe/distributed/print_messages.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Precondition: elements() * largest_factor * bits_of(type) fits in 64 bits.
struct printed_reshard {
  reshard_plan const* plan = nullptr;
  element_type type = element_type::f32;
};

/// nullptr if NCCL only moves the type as bytes.
AXE_FN constexpr char const* nccl_name_of(element_type t) {
  switch (t) {
    case element_type::f16: return "ncclFloat16";
    case element_type::bf16: return "ncclBfloat16";
    case element_type::f32:
    case element_type::tf32: return "ncclFloat32";
    case element_type::f64: return "ncclFloat64";
    case element_type::s8: return "ncclInt8";
    case element_type::u32: return "ncclUint32";
    case element_type::s32: return "ncclInt32";
    case element_type::u64: return "ncclUint64";
    case element_type::s64: return "ncclInt64";
    case element_type::e4m3: return "ncclFloat8e4m3";
    case element_type::e5m2: return "ncclFloat8e5m2";
    case element_type::u8: return "ncclUint8";
    default: return nullptr;
  }
}

namespace detail {

template <class Out> struct reshard_printer {
  Out& out;
  reshard_plan const& p;
  element_type type;

  AXE_FN constexpr integer bytes(integer elements) const {
    return elements / 8 * bits_of(type) + ceil_divide(elements % 8 * bits_of(type), 8);
  }
  AXE_FN constexpr bool ends_in_a_byte(integer elements) const {
    return elements % 8 * bits_of(type) % 8 != 0;
  }
  /// In elements, or in bytes if elements are smaller than a byte.
  AXE_FN constexpr integer pointer_offset(integer address) const {
    return bits_of(type) < 8 ? bytes(address) : address;
  }
  AXE_FN constexpr void say(char const* before, integer n, char const* after) {
    out.put(before);
    out.put(n);
    out.put(after);
  }
  AXE_FN constexpr void say_elements(char const* before, integer n, char const* after) {
    say(before, n, n == 1 ? " element (" : " elements (");
    say("", bytes(n), bytes(n) == 1 ? " byte)" : " bytes)");
    out.put(after);
  }

  AXE_FN constexpr void put_count(integer elements) {
    char const* const name = nccl_name_of(type);
    say(", ", name ? elements : bytes(elements), ", ");
    out.put(name ? name : "ncclUint8");
  }

  AXE_FN constexpr void print_what(recognised const& r) {
    say("", p.elements(), p.elements() == 1 ? " element on " : " elements on ");
    say("", p.device_count(), p.device_count() == 1 ? " device: " : " devices: ");
    out.put(name_of(r.what));
    if (r.on >= 0) {
      say(" over ", p.device_count() / p.devices.axes[r.on].extent, "");
      out.put(p.device_count() == p.devices.axes[r.on].extent ? " group of " : " groups of ");
      print(out, p.devices.axes[r.on].on);
    }
    out.put('\n');
  }

  /// `2 y -> m, 8 m, 4 m -> x`.
  AXE_FN constexpr void print_digits() {
    out.put("  digits:");
    if (p.tensor.parts.empty()) out.put(" none");
    for (int k = 0; k < p.tensor.parts.size(); ++k) {
      tensor_part const& part = p.tensor.parts[k];
      say(k == 0 ? " " : ", ", part.extent, " ");
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
    say(before, i.extent, " ");
    print(out, i.on);
  }
  /// `x`, or `(3 x, 2 m)` for several digits.
  AXE_FN constexpr void print_axes(list<side_digit, most_tensor_parts> const& digits, int first,
                                   int last) {
    if (last - first == 1) return print(out, digits[first].on);
    for (int k = first; k < last; ++k) {
      say(k == first ? "(" : ", ", digits[k].extent, " ");
      print(out, digits[k].on);
    }
    out.put(')');
  }

  AXE_FN constexpr void print_figures() {
    // Every plan has the least volume.
    say_elements("  moves ", least_volume(p), ", the least possible\n");
    say("  rounds: ", rounds(p), "");
    if (p.slices > 1) say(", in ", p.slices, " slices");
    out.put('\n');
    if (p.in_memory > 1 || p.groups > 1) {
      out.put("  order of addition:");
      if (p.in_memory > 1) say(" the ", p.in_memory, " summands in a device, then");
      say(" the ", p.groups, p.groups == 1 ? " group\n" : " groups of devices, by summand\n");
    }
    for (int level = 1; level <= p.levels; ++level) {
      say("  enters enclosures of level ", level, ": ");
      say_elements("", entering(p, level), "");
      if (p.groups == 1) say_elements(", at least ", least_entering(p, level), "");
      out.put('\n');
    }
    outcome<send_bound> const share = try_largest_send(p);
    if (share && share.value.elements > 0) {
      say_elements("  in one direct step some device sends at least ", share.value.elements, "");
      say(": only ", share.value.holders, share.value.holders == 1 ? " device" : " devices");
      say(", as rank ", p.rank_of(share.value.device), "");
      say(", can send ", share.value.demand, " of the elements that move\n");
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
      say("  rank ", p.rank_of(d), ": sends ");
      say("", bytes(t.sent), bytes(t.sent) == 1 ? " byte, receives " : " bytes, receives ");
      say("", bytes(t.received), " (it lacks ");
      say("", bytes(missing(p, d)), "), holds at most ");
      say("", bytes(peak_memory(p, d)), "\n");
    }
    if (shown < p.device_count()) say("  … ", p.device_count() - shown, " more\n");
  }

  AXE_FN constexpr void print_call(recognised const& r) {
    constexpr char const* names[] = {"",          "",         "AllGather", "ReduceScatter",
                                     "AllReduce", "AlltoAll", "Broadcast", "Scatter",
                                     "Gather",    "Reduce",   ""};
    bool const sums = r.what == collective::reduce_scatter || r.what == collective::all_reduce ||
                      r.what == collective::reduce;
    bool const rooted = r.what == collective::broadcast || r.what == collective::scatter ||
                        r.what == collective::gather || r.what == collective::reduce;
    if (sums && !nccl_name_of(type)) return out.put("    NCCL does not add this type\n");
    bool const splits = ends_in_a_byte(r.block) || ends_in_a_byte(p.src.first_address) ||
                        ends_in_a_byte(p.dst.first_address);
    if (splits) return out.put("    NCCL cannot send a part of a byte\n");
    if (p.in_memory > 1) say("    add the ", p.in_memory, " summands in src of each device\n");
    if (r.packs) out.put("    pack src in the order of the peers\n");
    out.put("    nccl");
    out.put(names[static_cast<int>(r.what)]);
    out.put(r.packs ? "(packed, " : "(src + ");
    if (!r.packs) say("", pointer_offset(p.src.first_address), ", ");
    out.put(r.unpacks ? "received" : "dst + ");
    if (!r.unpacks) out.put(pointer_offset(p.dst.first_address));
    put_count(r.block);
    if (sums) out.put(", ncclSum");
    if (rooted) {
      bool const from = r.what == collective::broadcast || r.what == collective::scatter;
      say(", ", (from ? p.src : p.dst).first[r.on], "");
    }
    out.put(", comm, stream)\n");
    if (r.unpacks) out.put("    unpack into dst\n");
    if (sums) out.put("    NCCL adds in an order of its own; the messages add in a fixed order\n");
  }

  AXE_FN constexpr integer received_by(integer device) {
    integer received = 0;
    for (message const& m : messages(p, device)) received += m.local() ? 0 : count(p, m);
    return received;
  }

  AXE_FN static constexpr bool comes_before(message const& a, message const& b) {
    return a.step != b.step ? a.step < b.step : a.to < b.to;
  }

  /// The message's begin in its buffer, or -1 if NCCL needs another buffer.
  AXE_FN constexpr integer in_place(message const& m, bool at_sender) {
    integer count_of_runs = 0;
    integer begin = 0;
    for (strided_run const& r : runs(p, m)) {
      if (count_of_runs++ == 0) begin = at_sender ? r.begin_from : r.begin_to;
      integer dense = 1;
      for (int k = r.digits.size() - 1; k >= 0; --k) {
        if ((at_sender ? r.digits[k].from_stride : r.digits[k].to_stride) != dense) return -1;
        dense *= r.digits[k].extent;
      }
    }
    bool const adds = m.adds && !at_sender;  // NCCL would overwrite sums
    bool const splits = ends_in_a_byte(begin) || ends_in_a_byte(count(p, m));
    return count_of_runs > 1 || adds || splits ? -1 : begin;
  }

  AXE_FN constexpr void print_sends(integer device) {
    auto const print_one = [&](message const& m, char const* verb, integer peer, bool at_sender) {
      integer const begin = in_place(m, at_sender);
      out.put("    ");
      out.put(verb);
      if (begin < 0) {
        out.put(at_sender ? "packed" : "received");
      } else {
        out.put(name_of(at_sender ? m.read : m.write));
        say(" + ", pointer_offset(begin), "");
      }
      put_count(count(p, m));
      say(", ", p.rank_of(peer), ", comm, stream)\n");
    };
    integer step = -1;
    bool open = false, adds = false, unpacks = false;
    auto const end_group = [&] {
      if (open) out.put("    ncclGroupEnd()\n");
      if (adds) out.put("    add received to dst\n");
      if (unpacks && !adds) out.put("    unpack received into dst\n");
      open = adds = unpacks = false;
    };
    auto const begin_group = [&] {
      char const* packed = nullptr;
      for (message const& own : sent(p, device))
        if (own.step == step && in_place(own, true) < 0) packed = name_of(own.read);
      if (packed != nullptr) {
        out.put("    pack ");
        out.put(packed);
        out.put(" into packed\n");
      }
      out.put("    ncclGroupStart()\n");
      open = true;
    };
    auto const print_next = [&](message const& m) {
      if (m.step != step) {
        end_group();
        step = m.step;
        for (message const& own : messages(p, device))
          if (own.local() && own.step == step) print_statements(out, p, own, "    ");
      }
      if (m.local()) return;
      if (!open) begin_group();
      adds = adds || (m.adds && m.to == device);
      unpacks = unpacks || (m.to == device && in_place(m, false) < 0);
      if (m.from == device)
        print_one(m, "ncclSend(", m.to, true);
      else
        print_one(m, "ncclRecv(", m.from, false);
    };
    message_range const sends = sent(p, device);
    auto send = sends.begin();
    for (message const& m : messages(p, device)) {
      for (; !(send == sends.end()) && comes_before(*send, m); ++send) print_next(*send);
      print_next(m);
    }
    for (; !(send == sends.end()); ++send) print_next(*send);
    end_group();
  }

  AXE_FN constexpr void print_all() {
    recognised const r = recognise(p);
    print_what(r);
    print_digits();
    print_figures();
    print_devices();
    if (r.what == collective::none || r.what == collective::permute) {
      integer device = 0;
      while (device + 1 < p.device_count() && received_by(device) == 0) ++device;
      say("  NCCL calls of rank ", p.rank_of(device), ":\n");
      print_sends(device);
    } else if (r.what != collective::local) {
      out.put("  NCCL in each group:\n");
      print_call(r);
    }
    integer const gathered = volume_of_gathering(p);
    if (gathered > least_volume(p))
      say_elements("  declined: gather everything on every device, then slice: moves ", gathered,
                   "\n");
    if (p.levels > 0 && p.groups == 1) {
      outcome<reshard_plan> const flat = try_plan_reshard(p.from, p.to);
      reshard_plan direct = flat.value;
      direct.levels = p.levels;
      integer crossing = 0;
      for (int a = 0; a < p.axes; ++a) direct.level_of[a] = p.level_of[a];
      for (message const& m : messages(flat.value))
        if (crosses(direct, m, 1)) crossing += count(flat.value, m);
      if (crossing > entering(p, 1))
        say_elements("  declined: one direct step: enters enclosures of level 1 with ", crossing,
                     "\n");
    }
  }
};

}  // namespace detail

template <class Out> AXE_FN constexpr void print(Out& out, printed_reshard const& what) {
  detail::reshard_printer<Out>{out, *what.plan, what.type}.print_all();
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
