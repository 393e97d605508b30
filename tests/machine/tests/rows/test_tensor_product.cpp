// tcgen05.mma: products of small integers, whose sums every type holds exactly, against the sum
// over k. Operands lie without swizzle, K-major; the other layouts are
// tensor/tests/tcgen05_test.cpp.
#include <algorithm>
#include <array>
#include <bit>

#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

struct type_row {
  char const* name;
  unsigned code;                         // in the instruction descriptor
  unsigned width;                        // bits of an element
  unsigned slot;                         // bytes it takes in an operand
  std::array<std::uint32_t, 4> numbers;  // 0 to 3
};

constexpr type_row f16{"f16", 0, 16, 2, {0, 0x3c00, 0x4000, 0x4200}};
constexpr type_row bf16{"bf16", 1, 16, 2, {0, 0x3f80, 0x4000, 0x4040}};
constexpr type_row tf32{"tf32", 2, 32, 4, {0, 0x3f800000, 0x40000000, 0x40400000}};
constexpr type_row e4m3{"e4m3", 0, 8, 1, {0, 0x38, 0x40, 0x44}};
constexpr type_row e5m2{"e5m2", 1, 8, 1, {0, 0x3c, 0x40, 0x42}};
constexpr type_row e2m3{"e2m3", 3, 6, 1, {0, 0x08, 0x10, 0x14}};
constexpr type_row e3m2{"e3m2", 4, 6, 1, {0, 0x0c, 0x10, 0x12}};
constexpr type_row e2m1{"e2m1", 5, 4, 1, {0, 0x2, 0x4, 0x5}};
constexpr type_row u8{"u8", 0, 8, 1, {0, 1, 2, 3}};
constexpr type_row s8{"s8", 1, 8, 1, {0, 1, 2, 3}};

enum class sum_type { in_f16, in_f32, in_s32 };

struct problem {
  type_row a, b;
  sum_type d;
  int m, n;
  bool accumulate = true, negate_a = false;
  int scale = 0;
  std::array<std::uint32_t, 4> kept{};
};

constexpr int columns = 32;  // of D, whatever N is
constexpr std::size_t words_of_d = columns * 128, words_of_a = 8 * 128;

std::uint32_t encoded(type_row const& type, int value) {
  bool const negative = value < 0;
  if (negative && type.code == s8.code && type.name[0] == 's')
    return static_cast<std::uint32_t>(value) & 0xffu;
  return type.numbers[static_cast<std::size_t>(std::abs(value))] |
         (negative ? 1u << (type.width - 1) : 0);
}

int number(generator& random, type_row const& type) {
  int const value = static_cast<int>(random() % 7) - 3;
  return type.name[0] == 'u' ? std::abs(value) : value;
}

std::uint32_t encoded(sum_type type, int value) {
  if (type == sum_type::in_s32) return static_cast<std::uint32_t>(value);
  if (type == sum_type::in_f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  // f16: an integer below 2048, in sign, exponent and ten bits.
  auto const magnitude = static_cast<std::uint32_t>(std::abs(value));
  if (magnitude == 0) return 0;
  auto const top = static_cast<std::uint32_t>(std::bit_width(magnitude) - 1);
  return (value < 0 ? 0x8000u : 0) | (top + 15) << 10 | ((magnitude << (10 - top)) & 0x3ffu);
}

/// 32 bytes of a row: 16 elements that are narrower than a byte are packed into the first of 16.
std::array<std::uint8_t, 32> packed(type_row const& type, std::vector<int> const& row) {
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::size_t const half = k * type.slot / 16, within = k % (16 / type.slot);
    std::size_t const bit = 128 * half + within * type.width;
    for (std::size_t b = 0; b < type.width; ++b)
      if ((encoded(type, row[k]) >> b & 1u) != 0)
        bytes[(bit + b) / 8] |= static_cast<std::uint8_t>(1u << (bit + b) % 8);
  }
  return bytes;
}

using matrix = std::vector<std::vector<int>>;

matrix drawn(generator& random, type_row const& type, int rows) {
  matrix made(static_cast<std::size_t>(rows));
  for (auto& row : made)
    for (unsigned k = 0; k < 32 / type.slot; ++k) row.push_back(number(random, type));
  return made;
}

/// Core matrices of 8 rows of 16 bytes: 128 bytes to the next along k, 256 along the rows.
std::vector<std::uint8_t> image(type_row const& type, matrix const& rows) {
  std::vector<std::uint8_t> bytes(rows.size() * 32);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    auto const row = packed(type, rows[r]);
    for (std::size_t at = 0; at < 32; ++at)
      bytes[r / 8 * 256 + at / 16 * 128 + r % 8 * 16 + at % 16] = row[at];
  }
  return bytes;
}

/// Lane that holds row r of D, which begins at lane 0.
int lane_of(int m, int row) { return m == 64 ? row % 16 + row / 16 * 32 : row; }

std::string registers(int first, int count) {
  std::string text = "{";
  for (int k = 0; k < count; ++k) text += say(k == 0 ? "" : ", ", "%v", first + k);
  return text + "}";
}

/// 128 threads: D and A of tensor memory from `in`, operands to shared memory, one product, D to
/// `out`.
std::string kernel_of(std::string const& product) {
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.extern .shared .align 128 .b8 dynamic[];\n"
      ".visible .entry t(.param .u64 in, .param .u64 out, .param .u32 idesc, .param .u32 on, "
      ".param .v4 .b32 kept) {\n"
      ".reg .b32 %v<64>, %t, %l, %i, %s, %x, %idesc, %on, %k<4>;\n"
      ".reg .b64 %in, %out, %a, %da, %db;\n.reg .pred %p, %first, %w, %e;\n"
      ".shared .align 8 .b8 s[16];\n"
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nld.param.u32 %idesc, [idesc];\n"
      "ld.param.u32 %on, [on];\nsetp.ne.u32 %e, %on, 0;\n"
      "ld.param.v4.b32 {%k0, %k1, %k2, %k3}, [kept];\n"
      "mov.u32 %i, %tid.x;\nsetp.eq.u32 %first, %i, 0;\nmul.wide.u32 %a, %i, 4;\n"
      "add.u64 %out, %out, %a;\nadd.u64 %da, %in, %a;\n"
      "setp.lt.u32 %p, %i, 32;\n@!%p bra READY;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 64;\n"
      "READY:\n@%first mbarrier.init.shared::cta.b64 [s+8], 1;\n"
      "@%first fence.mbarrier_init.release.cluster;\nbar.sync 0;\nld.shared.b32 %t, [s];\n"
      "and.b32 %x, %i, 96;\nshl.b32 %x, %x, 16;\nadd.u32 %l, %t, %x;\n";
  for (int c = 0; c < columns + 8; ++c)
    text += say("ld.global.u32 %v", c, ", [%da+", c * 512, "];\n");
  text += "tcgen05.st.sync.aligned.32x32b.x32.b32 [%l], " + registers(0, columns) + ";\n" +
          "tcgen05.st.sync.aligned.32x32b.x8.b32 [%l+32], " + registers(columns, 8) + ";\n" +
          "tcgen05.wait::st.sync.aligned;\n";
  // 5 pieces of 16 bytes for each pair of threads.
  text +=
      "mul.wide.u32 %a, %i, 16;\nadd.u64 %da, %in, %a;\nmov.u32 %s, dynamic;\n"
      "shl.b32 %x, %i, 4;\nadd.u32 %x, %x, %s;\nsetp.lt.u32 %p, %i, 64;\n";
  for (int piece = 0; piece < 3; ++piece)
    text += say(piece == 2 ? "@%p " : "", "ld.global.v4.u32 ", registers(40, 4), ", [%da+",
                (words_of_d + words_of_a) * 4 + static_cast<std::size_t>(piece) * 2048, "];\n",
                piece == 2 ? "@%p " : "", "st.shared.v4.u32 [%x+", piece * 2048, "], ",
                registers(40, 4), ";\n");
  text +=
      "fence.proxy.async;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"
      "@!%first bra WAIT;\ntcgen05.fence::after_thread_sync;\n"
      // Version 1, leading 128, stride 256 bytes.
      "shr.u32 %x, %s, 4;\ncvt.u64.u32 %da, %x;\nor.b64 %da, %da, 0x0000401000080000;\n"
      "add.u64 %db, %da, 256;\nadd.u32 %x, %t, 32;\n" +
      product +
      "\ntcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [s+8];\n"
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %w, [s+8], 0;\n@!%w bra WAIT;\n"
      "tcgen05.fence::after_thread_sync;\n"
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 " +
      registers(0, columns) + ", [%l];\ntcgen05.wait::ld.sync.aligned;\n";
  for (int c = 0; c < columns; ++c) text += say("st.global.u32 [%out+", c * 512, "], %v", c, ";\n");
  return text +
         "tcgen05.fence::before_thread_sync;\nbar.sync 0;\nsetp.lt.u32 %p, %i, 32;\n@!%p bra END;\n"
         "tcgen05.fence::after_thread_sync;\n"
         "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 64;\nEND: ret;\n}\n";
}

std::uint32_t descriptor_of(problem const& it) {
  return static_cast<std::uint32_t>(it.d) << 4 | it.a.code << 7 | it.b.code << 10 |
         (it.negate_a ? 1u << 13 : 0) | static_cast<std::uint32_t>(it.n / 8) << 17 |
         static_cast<std::uint32_t>(it.m / 16) << 24;
}

struct operands {
  std::vector<std::uint32_t> in;
  matrix a, b;
  std::vector<int> d;  // by column, then lane
};

operands draw(generator& random, problem const& it) {
  operands made;
  made.a = drawn(random, it.a, 128);
  made.b = drawn(random, it.b, columns);
  for (std::size_t k = 0; k < words_of_d; ++k) {
    made.d.push_back((static_cast<int>(random() % 61) - 30) << it.scale);
    made.in.push_back(encoded(it.d, made.d.back()));
  }
  made.in.resize(words_of_d + words_of_a);
  for (std::size_t lane = 0; lane < 128; ++lane) {  // A of tensor memory: its row in eight columns
    auto const row = packed(it.a, made.a[lane]);
    for (std::size_t c = 0; c < 8; ++c)
      for (std::size_t b = 0; b < 4; ++b)
        made.in[words_of_d + c * 128 + lane] |= std::uint32_t{row[c * 4 + b]} << 8 * b;
  }
  for (auto const* each : {&made.a, &made.b}) {
    auto const bytes = image(each == &made.a ? it.a : it.b, *each);
    for (std::size_t k = 0; k < bytes.size(); k += 4)
      made.in.push_back(bytes[k] | std::uint32_t{bytes[k + 1]} << 8 |
                        std::uint32_t{bytes[k + 2]} << 16 | std::uint32_t{bytes[k + 3]} << 24);
  }
  return made;
}

/// What is in every word of D afterwards.
std::vector<std::uint32_t> wanted(problem const& it, operands const& from) {
  std::vector<std::uint32_t> d(from.in.begin(), from.in.begin() + words_of_d);
  for (int n = 0; n < it.n; ++n)
    for (int r = 0; r < it.m; ++r) {
      int const lane = lane_of(it.m, r);
      if ((it.kept[static_cast<std::size_t>(lane / 32)] >> lane % 32 & 1u) != 0) continue;
      auto const at = static_cast<std::size_t>(n * 128 + lane);
      auto const &a = from.a[static_cast<std::size_t>(r)], &b = from.b[static_cast<std::size_t>(n)];
      int sum = 0;
      for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) sum += a[k] * b[k];
      if (it.negate_a) sum = -sum;
      if (it.accumulate) sum += from.d[at] >> it.scale;
      d[at] = encoded(it.d, sum);
    }
  return d;
}

verdict run(machine::table_row const& row, std::string const& ptx, problem const& it,
            generator& random) {
  static machine::device on;
  auto const from = draw(random, it);
  std::uint64_t const in = on.allocate(from.in.size() * 4), out = on.allocate(words_of_d * 4);
  on.copy_in(in, from.in.data(), from.in.size() * 4);
  machine::launch_options how;
  how.strict = true;
  how.when = random() % 2 == 0 ? machine::landing::at_once : machine::landing::late;
  std::string told;
  try {
    machine::load(ptx, on).launch(
        "t", {1}, {128}, {}, 5120,
        {in, out, descriptor_of(it), static_cast<std::uint32_t>(it.accumulate),
         machine::argument(it.kept.data(), 16)},
        how);
  } catch (machine::error const& wrong) { told = row.name + ": " + wrong.what(); }
  std::vector<std::uint32_t> got(words_of_d);
  if (told.empty()) on.copy_out(got.data(), out, words_of_d * 4);
  on.free(in);
  on.free(out);
  if (!told.empty()) return told;
  auto const want = wanted(it, from);
  for (std::size_t k = 0; k < want.size(); ++k)
    if (got[k] != want[k])
      return say(row.name, " of ", it.a.name, " and ", it.b.name, ", M ", it.m, ", N ", it.n,
                 ", leaves ", machine::hexadecimal(got[k]), " in lane ", k % 128, ", column ",
                 k / 128, "; the sum is ", machine::hexadecimal(want[k]));
  return {};
}

std::vector<problem> problems_of(name_parts const& name) {
  using enum sum_type;
  std::vector<problem> list;
  auto const add = [&](type_row const& a, type_row const& b, sum_type d) {
    list.push_back({a, b, d, 128, 32});
    list.push_back({a, b, d, 64, 24, list.size() % 2 == 0, d != in_s32});
    list.push_back({a, b, d, 128, 16, true, d != in_s32});
    list.push_back({a, b, d, 64, 32});
  };
  if (name.has("kind::f16")) {
    add(f16, f16, in_f32);
    add(f16, f16, sum_type::in_f16);
    add(bf16, bf16, in_f32);
  } else if (name.has("kind::tf32")) {
    add(tf32, tf32, in_f32);
  } else if (name.has("kind::i8")) {
    add(s8, s8, in_s32);
    add(u8, s8, in_s32);
    add(s8, u8, in_s32);
    add(u8, u8, in_s32);
  } else {
    for (auto const& a : {e4m3, e5m2, e2m3, e3m2, e2m1})
      for (auto const& b : {e4m3, e5m2, e2m3, e3m2, e2m1})
        add(a, b, a.code == b.code ? sum_type::in_f16 : in_f32);
  }
  return list;
}

}  // namespace

verdict test_tensor_product(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const in_tensor_memory = name.has("a_in_tensor_memory"), some_lanes = name.has("some_lanes");
  bool const scales = name.has("kind::f16") || name.has("kind::tf32");
  std::string const opcode = row.name.substr(
      0, std::min(row.name.find(".a_in_tensor_memory"), row.name.find(".some_lanes")));
  std::string const product = opcode + " [%t], " + (in_tensor_memory ? "[%x]" : "%da") +
                              ", %db, %idesc" + (some_lanes ? ", {%k0, %k1, %k2, %k3}" : "") +
                              ", %e";
  generator random;
  auto problems = problems_of(name);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    auto& it = problems[k];
    if (some_lanes)
      for (auto& word : it.kept) word = static_cast<std::uint32_t>(random());
    it.scale = scales ? static_cast<int>(k % 3) : 0;
    auto const ptx = kernel_of(product + (it.scale == 0 ? ";" : say(", ", it.scale, ";")));
    if (auto told = run(row, ptx, it, random); !told.empty()) return told;
  }
  return {};
}

}  // namespace machine_rows
