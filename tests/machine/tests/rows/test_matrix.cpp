// Tests mma.sync, wgmma, ldmatrix, stmatrix, movmatrix: each row in its own kernel, compared with
// the sum over k of small numbers, which is exact in every type. Positions are from the figures of
// the ISA. With v elements in a register, g = lane / 4, q = lane % 4:
//
//     A: row g + 8 (r % 2), k = 4 v (r / 2) + v q + e      B: column g, k = 4 v r + v q + e
//     D: row g + 8 (r / 2), column 2 q + r % 2
#include <bit>
#include <map>

#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

constexpr unsigned out_words = 128;  // of 32 bits, for each thread

struct layout {
  unsigned width;  // of an element
  unsigned per_register() const { return width >= 32 ? 1 : 32 / width; }
};

unsigned element_width(std::string const& type) {
  if (type == "tf32") return 32;
  if (type == "e4m3" || type == "e5m2") return 8;
  return width_of(type);
}

/// Returns a small number: -2 to 2 if the type has them.
std::int64_t number_of(std::uint64_t noise, std::string const& type) {
  if (type == "b1") return static_cast<std::int64_t>(noise & 1);
  if (type[0] == 'u') return static_cast<std::int64_t>(noise % 4);
  return static_cast<std::int64_t>(noise % 5) - 2;
}

std::uint64_t bits_of(std::int64_t number, std::string const& type) {
  if (type == "tf32") return encoded(static_cast<quad>(number), *format_named("f32"), "rn", false);
  if (auto const f = format_named(type)) return encoded(static_cast<quad>(number), *f, "rn", false);
  return cut(number, width_of(type));
}

using grid = std::map<std::pair<unsigned, unsigned>, std::int64_t>;

struct registers {
  std::vector<std::vector<std::uint64_t>> of;  // [register][lane]
  explicit registers(unsigned count) : of(count, std::vector<std::uint64_t>(32, 0)) {}
};

unsigned registers_in(std::string const& signature, std::size_t which) {
  std::size_t at = 0;
  for (std::size_t k = 0;; ++k) {
    while (signature[at] < '0' || signature[at] > '9') ++at;
    unsigned count = 0;
    while (at < signature.size() && signature[at] >= '0' && signature[at] <= '9')
      count = count * 10 + static_cast<unsigned>(signature[at++] - '0');
    if (k == which) return count;
  }
}

std::vector<std::uint32_t> run(std::string const& ptx, std::vector<std::uint32_t> const& in,
                               unsigned threads, unsigned shared = 0) {
  static machine::device on;
  std::uint64_t const from = on.allocate(in.size() * 4), to = on.allocate(threads * out_words * 4);
  on.copy_in(from, in.data(), in.size() * 4);
  machine::load(ptx, on).launch("t", {1}, {threads}, {}, shared, {from, to});
  std::vector<std::uint32_t> out(threads * out_words);
  on.copy_out(out.data(), to, out.size() * 4);
  on.free(from);
  on.free(to);
  return out;
}

std::string frame(std::string const& declarations, std::string const& body) {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 "
         "dynamic[];\n.visible .entry t(.param .u64 in, .param .u64 out) {\n"
         ".reg .b64 %in, %out, %s;\n.reg .b32 %i, %x;\n.reg .pred %p;\n" +
         declarations +
         "mov.u32 %i, %tid.x;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmul.wide.u32 "
         "%s, %i, "
         "512;\nadd.u64 %out, %out, %s;\n" +
         body + "ret;\n}\n";
}

std::string braces(char const* stem, unsigned count) {
  std::string text = "{";
  for (unsigned k = 0; k < count; ++k) text += say(k == 0 ? "" : ", ", stem, k);
  return text + "}";
}

}  // namespace

verdict test_mma(machine::table_row const& row) {
  auto const name = split(row.name);
  unsigned m = 0, n = 0, k = 0;
  std::sscanf(name.modifiers[2].c_str(), "m%un%uk%u", &m, &n, &k);
  std::size_t const tail = name.has("popc") ? 2 : 0;
  std::string const c_type = name.last(tail), b_type = name.last(tail + 1),
                    a_type = name.last(tail + 2), d_type = name.last(tail + 3);
  bool const wide = a_type == "f64";
  // m8n8k4.f16 has fragments of its own, so all elements of an operand are equal in its test.
  bool const volta = m == 8 && n == 8 && k == 4 && a_type == "f16";
  unsigned const counts[] = {registers_in(row.signature, 0), registers_in(row.signature, 1),
                             registers_in(row.signature, 2), registers_in(row.signature, 3)};
  generator random;
  grid a, b, c;
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < k; ++j) a[{i, j}] = volta ? 2 : number_of(random(), a_type);
  for (unsigned i = 0; i < k; ++i)
    for (unsigned j = 0; j < n; ++j) b[{i, j}] = volta ? -3 : number_of(random(), b_type);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j)
      c[{i, j}] = volta ? 5 : static_cast<std::int64_t>(random() % 9) - 4;
  auto const fill = [&](registers& into, std::string const& type, auto position,
                        grid const& values) {
    unsigned const width = wide ? 64 : element_width(type),
                   per = wide ? 1 : layout{width}.per_register();
    for (unsigned r = 0; r < into.of.size(); ++r)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned e = 0; e < per; ++e)
          into.of[r][lane] |=
              bits_of(volta ? values.begin()->second : values.at(position(r, lane, e, per)), type)
              << (e * width);
  };
  unsigned const halves = m / 8;
  auto const a_at = [&](unsigned r, unsigned lane, unsigned e, unsigned per) {
    return std::pair{lane / 4 + 8 * (r % halves), 4 * per * (r / halves) + per * (lane % 4) + e};
  };
  auto const b_at = [&](unsigned r, unsigned lane, unsigned e, unsigned per) {
    return std::pair{4 * per * r + per * (lane % 4) + e, lane / 4};
  };
  auto const c_at = [&](unsigned r, unsigned lane, unsigned e, unsigned per) {
    return per == 2 ? std::pair{lane / 4 + 8 * r, 2 * (lane % 4) + e}
                    : std::pair{lane / 4 + 8 * (r / 2), 2 * (lane % 4) + r % 2};
  };
  registers ra(counts[1]), rb(counts[2]), rc(counts[3]);
  fill(ra, a_type, a_at, a);
  fill(rb, b_type, b_at, b);
  fill(rc, c_type, c_at, c);
  std::vector<std::uint32_t> in;
  char const* const type = wide ? ".b64" : ".b32";
  unsigned const halves_of_lane = wide ? 2 : 1;
  std::string declarations = say(".reg ", type, " %d<", counts[0], ">, %a<", counts[1], ">, %b<",
                                 counts[2], ">, %c<", counts[3], ">;\n");
  std::string body = say("mul.wide.u32 %s, %i, ", 4 * halves_of_lane, ";\nadd.u64 %in, %in, %s;\n");
  auto const load = [&](char const* stem, registers const& from) {
    for (unsigned r = 0; r < from.of.size(); ++r) {
      body += say("ld.global", type, " %", stem, r, ", [%in+", in.size() * 4, "];\n");
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned part = 0; part < halves_of_lane; ++part)
          in.push_back(static_cast<std::uint32_t>(from.of[r][lane] >> (32 * part)));
    }
  };
  load("a", ra);
  load("b", rb);
  load("c", rc);
  body += row.name + " " + braces("%d", counts[0]) + ", " + braces("%a", counts[1]) + ", " +
          braces("%b", counts[2]) + ", " + braces("%c", counts[3]) + ";\n";
  for (unsigned r = 0; r < counts[0]; ++r)
    body += say("st.global", type, " [%out+", 8 * r, "], %d", r, ";\n");
  for (unsigned r = counts[0]; r < 16; ++r) body += say("st.global.b64 [%out+", 8 * r, "], 0;\n");
  for (unsigned r = 16; r < out_words / 2; ++r)
    body += say("st.global.b64 [%out+", 8 * r, "], 0;\n");
  auto const out = run(frame(declarations, body), in, 32);
  unsigned const width = wide ? 64 : element_width(d_type), per = width >= 32 ? 1 : 2;
  for (unsigned r = 0; r < counts[0]; ++r)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < per; ++e) {
        auto const [i, j] = volta ? std::pair{0u, 0u} : c_at(r, lane, e, per);
        std::int64_t sum = c.at({i, j});
        for (unsigned step = 0; step < k; ++step) {
          auto const x = a.at({i, step}), y = b.at({step, j});
          sum += name.has("xor") ? (x ^ y) : name.has("and") ? (x & y) : x * y;
        }
        std::uint64_t got = out[lane * out_words + 2 * r];
        if (wide) got |= static_cast<std::uint64_t>(out[lane * out_words + 2 * r + 1]) << 32;
        got = cut(static_cast<s128>(got >> (e * width)), width);
        std::uint64_t const want = bits_of(sum, d_type);
        if (got != want)
          return say(row.name, " gives ", machine::hexadecimal(got), " in row ", i, ", column ", j,
                     ", the sum is ", sum, " (lane ", lane, ", register ", r, ")");
      }
  return {};
}

verdict test_wgmma(machine::table_row const& row) {
  auto name = split(row.name);
  bool const in_registers = name.has("a_in_registers");
  if (in_registers) name.modifiers.pop_back();
  unsigned m = 0, n = 0, k = 0;
  std::sscanf(name.modifiers[3].c_str(), "m%un%uk%u", &m, &n, &k);
  std::size_t const tail = name.has("popc") ? 2 : 0;
  std::string const b_type = name.last(tail), a_type = name.last(tail + 1);
  std::string const d_type =
      name.last(tail + 2) == "satfinite" ? name.last(tail + 3) : name.last(tail + 2);
  unsigned const width = element_width(a_type), count = registers_in(row.signature, 0);
  generator random;
  // The image has K-major rows of 32 bytes without swizzle: 8 rows of 16 bytes, the second half of
  // k 128 bytes further, the next 8 rows 256 bytes further.
  std::vector<std::uint32_t> image((64 + n) * 8, 0);
  std::vector<std::vector<std::int64_t>> a(64, std::vector<std::int64_t>(k)),
      b(n, std::vector<std::int64_t>(k));
  auto const place = [&](std::vector<std::vector<std::int64_t>>& values, std::string const& type,
                         unsigned base) {
    for (unsigned i = 0; i < values.size(); ++i)
      for (unsigned j = 0; j < k; ++j) {
        values[i][j] = number_of(random(), type);
        unsigned const bit = j * width,
                       byte = base + i / 8 * 256 + bit / 128 * 128 + i % 8 * 16 + bit % 128 / 8;
        image[byte / 4] |=
            static_cast<std::uint32_t>(bits_of(values[i][j], type) << (byte % 4 * 8 + bit % 8));
      }
  };
  place(a, a_type, 0);
  place(b, b_type, 64 * 32);
  std::string body = "mov.u32 %x, dynamic;\n";
  std::string declarations =
      say(".reg .b64 %da, %db;\n.reg .b32 %d<", count, ">, %a<4>, %y, %z;\n");
  body +=
      say("mov.u32 %y, %i;\nL: mul.wide.u32 %s, %y, 4;\nadd.u64 %s, %in, %s;\nld.global.u32 %z, "
          "[%s];\nmad.lo.u32 %a0, %y, 4, %x;\nst.shared.u32 [%a0], %z;\n"
          "add.u32 %y, %y, 128;\nsetp.lt.u32 %p, %y, ",
          image.size(), ";\n@%p bra L;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n");
  auto const descriptor = [&](char const* to, unsigned base) {
    return say("add.u32 %y, %x, ", base, ";\nshr.u32 %y, %y, 4;\ncvt.u64.u32 ", to,
               ", %y;\nor.b64 ", to, ", ", to, ", ",
               (std::uint64_t{128 / 16} << 16) | (std::uint64_t{256 / 16} << 32), ";\n");
  };
  body += descriptor("%da", 0) + descriptor("%db", 64 * 32);
  if (in_registers) {
    // Register r of A has row 16 warp + 8 (r % 2) + g, and the four bytes at 16 (r / 2) + 4 q of
    // 32.
    body +=
        "shr.u32 %y, %i, 5;\nand.b32 %z, %i, 31;\nshr.u32 %a1, %z, 2;\nand.b32 %a2, %z, "
        "3;\nmad.lo.u32 %a0, "
        "%y, 512, %x;\nmad.lo.u32 %a0, %a1, 16, %a0;\nmad.lo.u32 %y, %a2, 4, %a0;\n"
        "ld.shared.u32 %a0, [%y];\nld.shared.u32 %a1, [%y+256];\nld.shared.u32 %a2, "
        "[%y+128];\nld.shared.u32 "
        "%a3, [%y+384];\n";
  }
  for (unsigned r = 0; r < count; ++r) body += say("mov.b32 %d", r, ", 0;\n");
  std::string immediates;
  if (row.signature.find("ww", row.signature.find('p')) != std::string::npos || d_type != "s32")
    immediates = ", 1, 1";
  if (d_type == "s32") immediates.clear();
  if (a_type == "f16" || a_type == "bf16") immediates += in_registers ? ", 0" : ", 0, 0";
  std::string instruction = row.name;
  if (in_registers) instruction.resize(instruction.size() - 15);
  body += "setp.ne.u32 %p, %x, %x;\nwgmma.fence.sync.aligned;\n";
  for (int twice = 0; twice < 2; ++twice)  // the second product accumulates: D = 2 A B
    body += instruction + " " + braces("%d", count) + ", " +
            (in_registers ? braces("%a", 4) : "%da") + ", %db, %p" + immediates +
            ";\nsetp.eq.u32 %p, %x, %x;\n";
  body += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  for (unsigned r = 0; r < count; ++r)
    body += say("st.global.b32 [%out+", 4 * r, "], %d", r, ";\n");
  for (unsigned r = count; r < out_words; ++r)
    body += say("st.global.b32 [%out+", 4 * r, "], 0;\n");
  auto const out =
      run(frame(declarations, body), image, 128, static_cast<unsigned>(image.size() * 4));
  unsigned const d_width = element_width(d_type);
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned r = 0; r < count; ++r)
      for (unsigned e = 0; e < 32 / d_width; ++e) {
        unsigned const lane = thread % 32, slot = d_width == 32 ? r : 2 * r + e;
        unsigned const i = thread / 32 * 16 + lane / 4 + slot / 2 % 2 * 8,
                       j = slot / 4 * 8 + lane % 4 * 2 + slot % 2;
        std::int64_t sum = 0;
        for (unsigned step = 0; step < k; ++step)
          sum += name.has("and") ? (a[i][step] & b[j][step]) : a[i][step] * b[j][step];
        std::uint64_t const want = bits_of(2 * sum, d_type),
                            got = cut(static_cast<s128>(out[thread * out_words + r] >>
                                                        (e * (d_width % 32))),
                                      d_width);
        if (got != want)
          return say(row.name, " gives ", machine::hexadecimal(got), " in row ", i, ", column ", j,
                     ", twice the sum is ", 2 * sum);
      }
  return {};
}

/// Row i of matrix q lies at 128 q + 16 i of shared memory. Element 2 c of lane l is row l / 4,
/// column 2 (l % 4), or transposed.
verdict test_matrix_move(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const transposed = name.has("trans");
  unsigned const count =
      name.opcode == "movmatrix" ? 1 : static_cast<unsigned>(name.modifiers[3].back() - '0');
  generator random;
  std::vector<std::uint32_t> in(32 * 4);
  for (auto& each : in) each = static_cast<std::uint32_t>(random());
  std::string body =
      "mov.u32 %x, dynamic;\nmul.wide.u32 %s, %i, 16;\nadd.u64 %s, %in, %s;\nld.global.v4.u32 "
      "{%r0, %r1, "
      "%r2, %r3}, [%s];\nmad.lo.u32 %x, %i, 16, %x;\n";
  bool const stores = name.opcode == "stmatrix";
  if (name.opcode == "movmatrix")
    body += row.name + " %r0, %r0;\n";
  else if (stores)
    body += row.name + " [%x], " + braces("%r", count) +
            ";\nbar.warp.sync 0xffffffff;\nld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%x];\n";
  else
    body += "st.shared.v4.u32 [%x], {%r0, %r1, %r2, %r3};\nbar.warp.sync 0xffffffff;\n" + row.name +
            " " + braces("%r", count) + ", [%x];\n";
  if (stores) {  // x1 and x2 do not write all bytes, which must have been written before
    body.replace(body.find(row.name), 0,
                 "st.shared.v4.u32 [%x], {%r0, %r0, %r0, %r0};\nbar.warp.sync 0xffffffff;\n");
  }
  for (unsigned r = 0; r < 4; ++r) body += say("st.global.b32 [%out+", 4 * r, "], %r", r, ";\n");
  for (unsigned r = 4; r < out_words; ++r) body += say("st.global.b32 [%out+", 4 * r, "], 0;\n");
  auto const out = run(frame(".reg .b32 %r<4>;\n", body), in, 32, 512);
  auto const half = [](std::uint32_t word, unsigned e) { return (word >> (16 * e)) & 0xffffu; };
  for (unsigned q = 0; q < count; ++q)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < 2; ++e) {
        unsigned i = lane / 4, j = 2 * (lane % 4) + e;
        if (name.opcode == "movmatrix") {
          std::uint32_t const want = half(in[(j * 4 + i / 2) * 4], i % 2);
          if (half(out[lane * out_words], e) != want)
            return say(row.name, " is wrong in lane ", lane);
          continue;
        }
        if (transposed) std::swap(i, j);
        std::uint32_t const memory = half(
            (stores ? out[(8 * q + i) * out_words + j / 2] : in[(8 * q + i) * 4 + j / 2]), j % 2);
        std::uint32_t const value = half(stores ? in[lane * 4 + q] : out[lane * out_words + q], e);
        if (memory != value)
          return say(row.name, " is wrong in lane ", lane, " of matrix ", q, ": ", memory, " and ",
                     value);
      }
  return {};
}

}  // namespace machine_rows
