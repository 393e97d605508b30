// SPDX-License-Identifier: MIT
// Prints the NCCL calls that do what a resharding plan does.
//
//     ncclAllGather(src + 0, dst + 0, 16, ncclFloat32, comm, stream)    if a plan is a collective
//     ncclSend(src + 16, 4, ncclFloat32, 1, comm, stream)               else, for each device
//
// The calls use two more buffers, `packed` and `received`.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/distributed/collective.hpp>
#include <axe/distributed/print_messages.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// nullptr if NCCL moves the type only as bytes.
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

AXE_FN constexpr integer stored_bytes(element_type t, integer elements) {
  return elements / 8 * bits_of(t) + ceil_divide(elements % 8 * bits_of(t), 8);
}

AXE_FN constexpr void put_number(auto& out, char const* before, integer n, char const* after) {
  out.put(before);
  out.put(n);
  out.put(after);
}

/// What the calls of one plan have in common.
template <class Out> struct nccl_call_printer {
  Out& out;
  reshard_plan const& p;
  element_type type;

  AXE_FN constexpr bool ends_inside_a_byte(integer elements) const {
    return elements % 8 * bits_of(type) % 8 != 0;
  }
  /// An address in elements, or in bytes if elements are smaller than a byte.
  AXE_FN constexpr integer pointer_offset(integer address) const {
    return bits_of(type) < 8 ? stored_bytes(type, address) : address;
  }
  AXE_FN constexpr void put_count(integer elements) {
    char const* const name = nccl_name_of(type);
    put_number(out, ", ", name ? elements : stored_bytes(type, elements), ", ");
    out.put(name ? name : "ncclUint8");
  }

  AXE_FN constexpr void print_collective(recognised const& r) {
    constexpr char const* names[] = {"",          "",         "AllGather", "ReduceScatter",
                                     "AllReduce", "AlltoAll", "Broadcast", "Scatter",
                                     "Gather",    "Reduce",   ""};
    bool const sums = r.kind == collective::reduce_scatter || r.kind == collective::all_reduce ||
                      r.kind == collective::reduce;
    bool const rooted = r.kind == collective::broadcast || r.kind == collective::scatter ||
                        r.kind == collective::gather || r.kind == collective::reduce;
    if (sums && !nccl_name_of(type)) return out.put("    NCCL does not add this type\n");
    bool const splits = ends_inside_a_byte(r.block) || ends_inside_a_byte(p.src.first_address) ||
                        ends_inside_a_byte(p.dst.first_address);
    if (splits) return out.put("    NCCL cannot send a part of a byte\n");
    if (p.in_memory > 1)
      put_number(out, "    add the ", p.in_memory, " summands in src of each device\n");
    if (r.packs) out.put("    pack src in the order of the peers\n");
    out.put("    nccl");
    out.put(names[static_cast<int>(r.kind)]);
    out.put(r.packs ? "(packed, " : "(src + ");
    if (!r.packs) put_number(out, "", pointer_offset(p.src.first_address), ", ");
    out.put(r.unpacks ? "received" : "dst + ");
    if (!r.unpacks) out.put(pointer_offset(p.dst.first_address));
    put_count(r.block);
    if (sums) out.put(", ncclSum");
    if (rooted) {
      bool const from = r.kind == collective::broadcast || r.kind == collective::scatter;
      put_number(out, ", ", (from ? p.src : p.dst).first[r.on], "");
    }
    out.put(", comm, stream)\n");
    if (r.unpacks) out.put("    unpack into dst\n");
    if (sums) out.put("    NCCL adds in an order of its own; the messages add in a fixed order\n");
  }
};

/// Prints the sends and receives of one device, in one NCCL group for each step.
template <class Out> struct nccl_send_printer {
  nccl_call_printer<Out> call;
  integer device;
  integer step = -1;
  bool in_group = false;
  bool adds = false;     // the group receives summands
  bool unpacks = false;  // the group receives elements that are not contiguous in dst

  /// The address of the message in its buffer, or -1 if NCCL needs `packed` or `received`.
  AXE_FN constexpr integer in_place(message const& m, bool at_sender) const {
    integer count_of_runs = 0;
    integer begin = 0;
    for (strided_run const& r : runs(call.p, m)) {
      if (count_of_runs++ == 0) begin = at_sender ? r.begin_from : r.begin_to;
      integer dense = 1;
      for (int k = r.digits.size() - 1; k >= 0; --k) {
        if ((at_sender ? r.digits[k].from_stride : r.digits[k].to_stride) != dense) return -1;
        dense *= r.digits[k].extent;
      }
    }
    bool const overwrites = m.adds && !at_sender;
    bool const splits = call.ends_inside_a_byte(begin) || call.ends_inside_a_byte(count(call.p, m));
    return count_of_runs > 1 || overwrites || splits ? -1 : begin;
  }

  AXE_FN constexpr void print_call(message const& m, bool at_sender) {
    integer const begin = in_place(m, at_sender);
    call.out.put(at_sender ? "    ncclSend(" : "    ncclRecv(");
    if (begin < 0) {
      call.out.put(at_sender ? "packed" : "received");
    } else {
      call.out.put(name_of(at_sender ? m.read : m.write));
      put_number(call.out, " + ", call.pointer_offset(begin), "");
    }
    call.put_count(count(call.p, m));
    put_number(call.out, ", ", call.p.rank_of(at_sender ? m.to : m.from), ", comm, stream)\n");
  }

  AXE_FN constexpr void begin_group() {
    char const* packed = nullptr;
    for (message const& own : sent(call.p, device))
      if (own.step == step && in_place(own, true) < 0) packed = name_of(own.read);
    if (packed != nullptr) {
      call.out.put("    pack ");
      call.out.put(packed);
      call.out.put(" into packed\n");
    }
    call.out.put("    ncclGroupStart()\n");
    in_group = true;
  }
  AXE_FN constexpr void end_group() {
    if (in_group) call.out.put("    ncclGroupEnd()\n");
    if (adds) call.out.put("    add received to dst\n");
    if (unpacks && !adds) call.out.put("    unpack received into dst\n");
    in_group = adds = unpacks = false;
  }

  AXE_FN constexpr void print_next(message const& m) {
    if (m.step != step) {
      end_group();
      step = m.step;
      for (message const& own : messages(call.p, device))
        if (own.local() && own.step == step) print_statements(call.out, call.p, own, "    ");
    }
    if (m.local()) return;
    if (!in_group) begin_group();
    adds = adds || (m.adds && m.to == device);
    unpacks = unpacks || (m.to == device && in_place(m, false) < 0);
    print_call(m, m.from == device);
  }

  AXE_FN static constexpr bool comes_before(message const& a, message const& b) {
    return a.step != b.step ? a.step < b.step : a.to < b.to;
  }
  AXE_FN constexpr void print_all() {
    message_range const sends = sent(call.p, device);
    auto send = sends.begin();
    for (message const& m : messages(call.p, device)) {
      for (; !(send == sends.end()) && comes_before(*send, m); ++send) print_next(*send);
      print_next(m);
    }
    for (; !(send == sends.end()); ++send) print_next(*send);
    end_group();
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
