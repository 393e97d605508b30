// Tests tcgen05.ld and st: compares each cell of tensor memory with the register and lane that the
// ISA's figures put there. The test computes the register of each cell. The machine computes the
// cell of each register.
#include <algorithm>
#include <array>
#include <functional>

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {
namespace {

using machine::say;

constexpr int columns = 512;
constexpr std::uint32_t untouched = 0xabcdef01u;

/// What the row's name says about the places of its registers in tensor memory.
struct layout {
  std::string shape;
  int registers = 0;
  bool packs = false;
  int distance = 0;  // 16x32bx2
  int base_row = 0;
};

struct holder {
  int reg = -1, lane = -1;
};

/// Returns the lane and register that hold column `c` (of 32 bits, or of 16 if packed) of row `r`;
/// -1 if none does.
holder holder_of(layout const& it, int r, int c) {
  int const half = it.packs ? 2 : 1;
  auto const within = [&](holder h) { return h.reg < it.registers ? h : holder{}; };
  if (it.shape == "16x32bx2") {
    int const first = c < it.distance ? c : c - it.distance;
    return first / half < it.registers ? holder{first / half, r + (c < it.distance ? 0 : 16)}
                                       : holder{};
  }
  c /= half;
  if (it.shape == "32x32b") return within({c, r});
  if (it.shape == "16x64b") return within({c / 2, r % 8 * 4 + c % 2 * 2 + r / 8});
  if (it.shape == "16x128b") return within({c / 4 * 2 + r / 8, r % 8 * 4 + c % 4});
  return within({c / 8 * 4 + r / 8 * 2 + c % 2, r % 8 * 4 + c / 2 % 4});
}

int rows_of(layout const& it) { return it.shape == "32x32b" ? 32 : 16; }

std::uint32_t cell_value(int row, int column) {
  return static_cast<std::uint32_t>(row) * 0x01000193u ^
         static_cast<std::uint32_t>(column) * 0x4d004du;
}
std::uint32_t register_value(int reg, int lane) {
  return static_cast<std::uint32_t>(reg + 1) * 0x00930007u ^
         static_cast<std::uint32_t>(lane) * 0x0a010041u;
}

/// Returns a kernel of one warp that runs `body`. %t is the address of 512 columns of tensor
/// memory, and %in and %out point to the data of the lane.
std::string kernel_of(std::string const& body) {
  return filled(R"(
.version 9.0
.target sm_100a
.address_size 64
.visible .entry t(.param .u64 in, .param .u64 out) {
  .reg .b32 %v<128>, %t, %c, %l, %x;
  .reg .b64 %in, %out, %a;
  .reg .pred %p;
  .shared .align 4 .b8 s[4];
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %l, %laneid;
  mul.wide.u32 %a, %l, 4;
  add.u64 %in, %in, %a;
  add.u64 %out, %out, %a;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 512;
  bar.warp.sync 0xffffffff;
  ld.shared.b32 %t, [s];
  $BODY
  tcgen05.wait::ld.sync.aligned;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 512;
  ret;
}
)",
                {{"$BODY", body}});
}

/// Returns code that copies every column in turn, from global memory to tensor memory or back.
std::string each_column(bool is_load) {
  std::string const load = R"(
  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%x];
  tcgen05.wait::ld.sync.aligned;
  st.global.u32 [%out], %v0;
)";
  std::string const store = R"(
  ld.global.u32 %v0, [%in];
  tcgen05.st.sync.aligned.32x32b.x1.b32 [%x], {%v0};
)";
  return filled(R"(
  mov.u32 %c, 0;
$LABEL:
  add.u32 %x, %t, %c;
  $COPY
  add.u64 $POINTER, $POINTER, 128;
  add.u32 %c, %c, 1;
  setp.lt.u32 %p, %c, 512;
  @%p bra $LABEL;
)",
                {{"$LABEL", is_load ? "L" : "S"},
                 {"$COPY", is_load ? load : store},
                 {"$POINTER", is_load ? "%out" : "%in"}});
}

std::vector<std::uint32_t> run(std::string const& ptx, std::vector<std::uint32_t> const& in,
                               std::size_t count) {
  static machine::device on;
  std::uint64_t const from = on.allocate(in.size() * 4), to = on.allocate(count * 4);
  on.copy_in(from, in.data(), in.size() * 4);
  std::vector<std::uint32_t> out(count, untouched);
  on.copy_in(to, out.data(), count * 4);
  std::function<void()> const release = [&] {
    on.free(from);
    on.free(to);
  };
  try {
    machine::load(ptx, on).launch("t", {1}, {32}, {}, 0, {from, to});
  } catch (...) {
    release();
    throw;
  }
  on.copy_out(out.data(), to, count * 4);
  release();
  return out;
}

std::string place_of(layout const& it) {
  return say("[%t+", it.base_row << 16, "]", it.shape == "16x32bx2" ? say(", ", it.distance) : "");
}

verdict test_load(machine::table_row const& row, layout const& it) {
  std::vector<std::uint32_t> in;
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < 32; ++r) in.push_back(cell_value(r, c));
  std::string body = each_column(false) + "tcgen05.wait::st.sync.aligned;\n" + row.name + " " +
                     braces("%v", static_cast<unsigned>(it.registers)) + ", " + place_of(it) +
                     ";\ntcgen05.wait::ld.sync.aligned;\n";
  for (int j = 0; j < it.registers; ++j)
    body += say("st.global.u32 [%out+", j * 128, "], %v", j, ";\n");
  auto const out = run(kernel_of(body), in, static_cast<std::size_t>(it.registers) * 32);
  std::vector<std::uint32_t> want(out.size(), untouched);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows_of(it); ++r) {
      auto const at = holder_of(it, r, c);
      if (at.reg < 0) continue;
      auto& word = want[static_cast<std::size_t>(at.reg * 32 + at.lane)];
      std::uint32_t const value = cell_value(it.base_row + r, c);
      int const first = it.distance != 0 && c >= it.distance ? c - it.distance : c;
      if (!it.packs)
        word = value;
      else if (first % 2 == 0)
        word = value & 0xffffu;
      else
        word |= value << 16;
    }
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k] != want[k])
      return say(row.name, " gives lane ", k % 32, " register ", k / 32, ' ',
                 machine::hexadecimal(out[k]), ", the ISA's figure ",
                 machine::hexadecimal(want[k]));
  return {};
}

verdict test_store(machine::table_row const& row, layout const& it) {
  std::vector<std::uint32_t> const in(columns * 32, untouched);
  std::string body = each_column(false) + "tcgen05.wait::st.sync.aligned;\n";
  for (int j = 0; j < it.registers; ++j)
    body += say("mul.lo.u32 %v", j, ", %l, ", 0x0a010041, ";\nxor.b32 %v", j, ", %v", j, ", ",
                static_cast<std::uint32_t>(j + 1) * 0x00930007u, ";\n");
  body += row.name + " " + place_of(it) + ", " + braces("%v", static_cast<unsigned>(it.registers)) +
          ";\ntcgen05.wait::st.sync.aligned;\n" + each_column(true);
  auto const out = run(kernel_of(body), in, columns * 32);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < 32; ++r) {
      bool const inside = r >= it.base_row && r < it.base_row + rows_of(it);
      auto const at = inside ? holder_of(it, r - it.base_row, c) : holder{};
      std::uint32_t want = untouched;
      int const first = it.distance != 0 && c >= it.distance ? c - it.distance : c;
      if (at.reg >= 0) want = register_value(at.reg, at.lane);
      if (at.reg >= 0 && it.packs) want = first % 2 == 0 ? want & 0xffffu : want >> 16;
      std::uint32_t const got = out[static_cast<std::size_t>(c * 32 + r)];
      if (got != want)
        return say(row.name, " leaves ", machine::hexadecimal(got), " in lane ", r, " column ", c,
                   ", the ISA's figure says ", machine::hexadecimal(want));
    }
  return {};
}

}  // namespace

verdict test_tensor_memory(machine::table_row const& row) {
  auto const name = split(row.name);
  layout it;
  for (auto const* shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
    if (name.has(shape)) it.shape = shape;
  it.packs = name.has("pack::16b") || name.has("unpack::16b");
  for (int repeats = 1; repeats <= 128; repeats *= 2)
    if (name.has("x" + std::to_string(repeats))) it.registers = repeats;
  it.registers *= it.shape == "16x128b" ? 2 : it.shape == "16x256b" ? 4 : 1;
  bool const is_load = name.has("ld");
  for (int const base : {0, 16}) {
    if (base != 0 && it.shape == "32x32b") continue;
    it.base_row = base;
    int const width = it.registers * (it.packs ? 2 : 1);
    it.distance = it.shape == "16x32bx2" ? base == 0 ? width : 256 : 0;
    auto const difference = is_load ? test_load(row, it) : test_store(row, it);
    if (!difference.empty()) return difference;
  }
  return {};
}

}  // namespace machine_rows
