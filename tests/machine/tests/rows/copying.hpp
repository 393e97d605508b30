// Helpers of the tests of rows that copy: a kernel of one warp with 512 bytes, an mbarrier and a
// tensor map.
#pragma once

#include <cstring>

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows::copying {

using machine::say;

inline constexpr std::size_t chunk = 512;

using bytes = std::vector<std::uint8_t>;

/// Combines two elements as the PTX ISA defines reductions. Float operands are never NaN or
/// infinity.
inline std::uint64_t reduced(std::string const& operation, std::string const& type,
                             std::uint64_t old, std::uint64_t value) {
  if (operation == "inc") return old >= value ? 0 : old + 1;
  if (operation == "dec") return old == 0 || old > value ? value : old - 1;
  if (operation == "and") return old & value;
  if (operation == "or") return old | value;
  if (operation == "xor") return old ^ value;
  if (!is_integer(type))
    return evaluate(operation + (operation == "add" ? ".rn." : ".") + type, {old, value})
        ->results[0];
  s128 const a = integer(old, type), b = integer(value, type);
  return cut(operation == "add"   ? a + b
             : operation == "min" ? (a < b ? a : b)
                                  : (a < b ? b : a),
             width_of(type));
}

/// Fills with random elements: numbers from 1 to 2 if the type is a float, else any bits.
inline void fill(bytes& out, std::string const& type, generator& random) {
  unsigned const width = width_of(type) / 8;
  for (std::size_t at = 0; at + width <= out.size(); at += width) {
    std::uint64_t value = random();
    if (type == "f16") value = 0x3c00 + (value & 0x3ff);
    if (type == "bf16") value = 0x3f80 + (value & 0x7f);
    if (type == "f32") value = 0x3f800000 + (value & 0x7fffff);
    if (type == "f64") value = 0x3ff0000000000000 + (value & 0xfffffffffffff);
    std::memcpy(&out[at], &value, width);
  }
}

inline bytes combined(std::string const& operation, std::string const& type, bytes const& old,
                      bytes const& values) {
  bytes result = old;
  unsigned const width = width_of(type) / 8;
  for (std::size_t at = 0; at < old.size(); at += width) {
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, &old[at], width);
    std::memcpy(&b, &values[at], width);
    a = reduced(operation, type, a, b);
    std::memcpy(&result[at], &a, width);
  }
  return result;
}

/// Returns a kernel of 32 threads. %mine, %from and %to are the addresses of a lane's 16 bytes in
/// shared memory, in `in` and in `out`. %p0 is true in lane 0. The mbarrier expects one arrival.
inline std::string frame(std::string const& body) {
  return filled(R"(
.version 9.0
.target sm_90a
.address_size 64
.visible .entry t(.param .u64 in, .param .u64 out, .param .align 64 .b8 map[128]) {
  .reg .b64 %in, %out, %map, %from, %to, %step;
  .reg .b32 %lane, %s, %bar, %mine, %n, %v<4>;
  .reg .b16 %mask;
  .reg .pred %p<4>;
  .shared .align 128 .b8 s[1024];
  .shared .align 8 .b8 bar[16];
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.b64 %map, map;
  cvta.param.u64 %map, %map;
  mov.u32 %lane, %laneid;
  mov.u32 %s, s;
  mov.u32 %bar, bar;
  setp.eq.u32 %p0, %lane, 0;
  mov.u16 %mask, 1;
  mul.wide.u32 %step, %lane, 16;
  add.u64 %from, %in, %step;
  add.u64 %to, %out, %step;
  mad.lo.u32 %mine, %lane, 16, %s;
  @%p0 mbarrier.init.shared.b64 [%bar], 1;
  bar.sync 0;
  $BODY
  ret;
}
)",
                {{"$BODY", body}});
}

inline std::string to_shared(std::size_t in_offset, std::size_t shared_offset) {
  return filled(R"(
  ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%from+$IN];
  st.shared.v4.b32 [%mine+$SHARED], {%v0, %v1, %v2, %v3};
)",
                {{"$IN", in_offset}, {"$SHARED", shared_offset}});
}
inline std::string const to_out = R"(
  ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%mine];
  st.global.v4.b32 [%to], {%v0, %v1, %v2, %v3};
)";
inline std::string const ordered = R"(
  fence.proxy.async;
  bar.sync 0;
)";
inline std::string expect(std::size_t count) {
  return say("@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%bar], ", count, ";\n");
}
inline std::string const wait = R"(
  bar.sync 0;
W:
  mbarrier.try_wait.parity.shared.b64 %p1, [%bar], 0;
  @!%p1 bra W;
)";
inline std::string const drain = R"(
  @%p0 cp.async.bulk.commit_group;
  @%p0 cp.async.bulk.wait_group 0;
)";

struct buffers {
  bytes in = bytes(1024), out = bytes(chunk), map = bytes(128);
};

inline bytes run(std::string const& body, buffers const& given) {
  machine::device on;
  std::uint64_t const in = on.allocate(given.in.size()), out = on.allocate(given.out.size());
  on.copy_in(in, given.in.data(), given.in.size());
  on.copy_in(out, given.out.data(), given.out.size());
  machine::load(frame(body), on)
      .launch("t", {1}, {32}, {}, 0, {in, out, machine::argument(given.map.data(), 128)});
  bytes after(given.out.size());
  on.copy_out(after.data(), out, after.size());
  return after;
}

inline verdict compare(std::string const& name, bytes const& got, bytes const& want) {
  for (std::size_t at = 0; at < want.size(); ++at)
    if (got[at] != want[at])
      return say(name, " leaves byte ", at, " as ", static_cast<int>(got[at]), " instead of ",
                 static_cast<int>(want[at]));
  return {};
}

inline bytes part(bytes const& from, std::size_t begin) {
  return {from.begin() + static_cast<std::ptrdiff_t>(begin),
          from.begin() + static_cast<std::ptrdiff_t>(begin + chunk)};
}

}  // namespace machine_rows::copying
