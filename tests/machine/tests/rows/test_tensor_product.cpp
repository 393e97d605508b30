// Tests tcgen05.mma with cta_group::1 and ::2 against the sum over k. The operands are small
// integers, so that every accumulator type holds the sums exactly. Operands lie K-major without
// swizzle; tensor/tests/tcgen05_test.cpp tests the other layouts.
#include "rows/products.hpp"

namespace machine_rows {
namespace {

using namespace products;

constexpr type_row f16{"f16", 0, 16, 2, {0, 0x3c00, 0x4000, 0x4200}};
constexpr type_row bf16{"bf16", 1, 16, 2, {0, 0x3f80, 0x4000, 0x4040}};
constexpr type_row tf32{"tf32", 2, 32, 4, {0, 0x3f800000, 0x40000000, 0x40400000}};
constexpr type_row u8{"u8", 0, 8, 1, {0, 1, 2, 3}};
constexpr type_row s8{"s8", 1, 8, 1, {0, 1, 2, 3}};

enum class sum_type { in_f16, in_f32, in_s32 };

struct problem {
  type_row a, b;
  sum_type d;
  int m, n;
  bool accumulate = true, negate_a = false;
  int scale = 0;                        // D is divided by 2^scale before the products are added
  std::array<std::uint32_t, 8> kept{};  // one bit for each lane whose D does not change
  int group = 1;
  bool is_weight_stationary = false;
  bool shifts_a = false;  // rows of A move one lane down within 32 lanes
};

std::uint32_t encoded_sum(sum_type type, int value) {
  if (type == sum_type::in_s32) return static_cast<std::uint32_t>(value);
  if (type == sum_type::in_f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  // f16 holds integers below 2048 exactly: sign, exponent, ten mantissa bits.
  auto const magnitude = static_cast<std::uint32_t>(std::abs(value));
  if (magnitude == 0) return 0;
  auto const top = static_cast<std::uint32_t>(std::bit_width(magnitude) - 1);
  return (value < 0 ? 0x8000u : 0) | (top + 15) << 10 | ((magnitude << (10 - top)) & 0x3ffu);
}

/// Where element (row, n) of D lies: its block, lane and column. In the PTX ISA, "Data Path
/// Layout Organization" shows layouts A, B, D, F, and for .ws E, G.
struct cell {
  int block, lane, column;
};
cell cell_of(problem const& it, int row, int n) {
  if (it.is_weight_stationary) {
    int const part = it.n * it.m / 128;
    return {0, row + n / part * it.m, n % part};
  }
  if (it.group == 1 && it.m == 64) return {0, row % 16 + row / 16 * 32, n};
  if (it.group == 1) return {0, row, n};
  if (it.m == 256) return {row / 128, row % 128, n};
  return {row / 64, row % 64 + n / (it.n / 2) * 64, n % (it.n / 2)};
}

std::uint32_t descriptor_of(problem const& it) {
  return static_cast<std::uint32_t>(it.d) << 4 | it.a.code << 7 | it.b.code << 10 |
         (it.negate_a ? 1u << 13 : 0) | static_cast<std::uint32_t>(it.n / 8) << 17 |
         static_cast<std::uint32_t>(it.m / 16) << 24;
}

struct operands {
  std::vector<std::uint32_t> in;
  matrix a, b;
  std::vector<int> d;  // by block, column, then lane
};

/// Returns the row of A in a lane of tensor memory. Lanes that multiply the same row each hold it.
int row_of_lane(problem const& it, int lane) {
  if (it.group == 1 && it.m == 64 && !it.is_weight_stationary) return lane / 32 * 16 + lane % 16;
  return lane % (it.m / it.group);
}

operands random_operands(generator& random, problem const& it) {
  operands made;
  int const rows = it.m / it.group;
  made.a = random_rows(random, it.a, it.m, 32 / it.a.slot);
  made.b = random_rows(random, it.b, it.n, 32 / it.b.slot);
  for (int block = 0; block < it.group; ++block) {
    for (std::size_t k = 0; k < words_of_d; ++k) {
      made.d.push_back((static_cast<int>(random() % 61) - 30) << it.scale);
      made.in.push_back(encoded_sum(it.d, made.d.back()));
    }
    std::size_t const tensor = made.in.size();
    made.in.resize(tensor + words_of_tensor - words_of_d);
    for (int lane = 0; lane < 128; ++lane) {
      auto const row = in_tensor_memory(
          it.a, made.a[static_cast<std::size_t>(block * rows + row_of_lane(it, lane))]);
      for (std::size_t at = 0; at < 32; ++at)
        made.in[tensor + at / 4 * 128 + static_cast<std::size_t>(lane)] |= std::uint32_t{row[at]}
                                                                           << at % 4 * 8;
    }
    auto const part = [&](matrix const& from, int count, std::size_t size) {
      auto const first = from.begin() + block * count;
      matrix own(first, first + count);
      own.resize(size, std::vector<int>(from[0].size()));
      return own;
    };
    for (auto const word : image(it.a, part(made.a, rows, 128))) made.in.push_back(word);
    for (auto const word : image(it.b, part(made.b, it.n / it.group, 128))) made.in.push_back(word);
  }
  return made;
}

/// Returns the expected value of every word of D.
std::vector<std::uint32_t> wanted(problem const& it, operands const& from) {
  std::vector<std::uint32_t> d;
  for (auto const value : from.d) d.push_back(encoded_sum(it.d, value));
  for (int n = 0; n < it.n; ++n)
    for (int r = 0; r < it.m; ++r) {
      auto const [block, lane, column] = cell_of(it, r, n);
      auto const word = static_cast<std::size_t>(block * 4 + lane / 32);
      if ((it.kept[word] >> lane % 32 & 1u) != 0) continue;
      auto const at = static_cast<std::size_t>(block) * words_of_d +
                      static_cast<std::size_t>(column * 128 + lane);
      int const row_of_a = it.shifts_a && r % 32 != 0 ? r - 1 : r;
      auto const &a = from.a[static_cast<std::size_t>(row_of_a)],
                 &b = from.b[static_cast<std::size_t>(n)];
      int sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
      if (it.negate_a) sum = -sum;
      if (it.accumulate) sum += from.d[at] >> it.scale;
      d[at] = encoded_sum(it.d, sum);
    }
  return d;
}

std::vector<problem> problems_of(name_parts const& name) {
  using enum sum_type;
  std::vector<problem> list;
  int const group = name.has("cta_group::2") ? 2 : 1;
  auto const add = [&](type_row const& a, type_row const& b, sum_type d) {
    bool const negates = d != in_s32;
    if (name.has("ws")) {
      list.push_back({a, b, d, 32, 128});
      list.push_back({a, b, d, 64, 64, list.size() % 2 == 0, negates});
      list.push_back({a, b, d, 128, 64, true, negates});
    } else if (group == 1) {
      list.push_back({a, b, d, 128, 32});
      list.push_back({a, b, d, 64, 24, list.size() % 2 == 0, negates});
      list.push_back({a, b, d, 128, 16, true, negates});
      list.push_back({a, b, d, 64, 32});
    } else {
      list.push_back({a, b, d, 256, 32});
      list.push_back({a, b, d, 128, 64, list.size() % 2 == 0, negates});
      if (negates) list.push_back({a, b, d, 128, 16, true, true});
      if (negates) list.push_back({a, b, d, 256, 16});
    }
  };
  if (name.has("kind::f16")) {
    add(f16, f16, in_f32);
    add(f16, f16, in_f16);
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
        add(a, b, a.code == b.code ? in_f16 : in_f32);
  }
  for (auto& each : list) {
    each.group = group;
    each.is_weight_stationary = name.has("ws");
    each.shifts_a = name.has("ashift");
  }
  if (name.has("ashift")) std::erase_if(list, [](problem const& each) { return each.m == 64; });
  return list;
}

}  // namespace

verdict test_products_beside_shifts(unsigned group) {
  generator random;
  std::string const cta = say(".cta_group::", group);
  std::string shifts;
  for (int quarter = 0; quarter < 4; ++quarter)
    shifts += "tcgen05.shift" + cta + ".down [%x];\nadd.u32 %x, %x, 0x200000;\n";
  shifts += "sub.u32 %x, %x, 0x800000;\n";
  std::string const product = "tcgen05.mma" + cta + ".kind::f16 [%t], [%x], %db, %idesc, %e;\n";
  problem it{f16, f16, sum_type::in_f32, 128 * static_cast<int>(group), 32};
  it.group = static_cast<int>(group);
  for (bool const shift_first : {false, true})
    for (int again = 0; again < 4; ++again) {
      it.shifts_a = shift_first;
      auto const from = random_operands(random, it);
      auto const ptx = kernel_of(group, shift_first ? shifts + product : product + shifts);
      auto const got = run(ptx, group, from.in, descriptor_of(it), it.accumulate, it.kept, random);
      auto const difference =
          compare(shift_first ? "a product after a shift" : "a product before a shift", got,
                  wanted(it, from));
      if (!difference.empty()) return difference;
    }
  return {};
}

verdict test_tensor_product(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const in_tensor_memory = name.has("a_in_tensor_memory"), some_lanes = name.has("some_lanes");
  bool const scales = !name.has("ws") && (name.has("kind::f16") || name.has("kind::tf32"));
  std::string const opcode = row.name.substr(
      0, std::min(row.name.find(".a_in_tensor_memory"), row.name.find(".some_lanes")));
  generator random;
  auto problems = problems_of(name);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    auto& it = problems[k];
    std::string const kept =
        it.group == 1 ? ", {%k0, %k1, %k2, %k3}" : ", {%k0, %k1, %k2, %k3, %k4, %k5, %k6, %k7}";
    if (some_lanes)
      for (auto& word : it.kept) word = static_cast<std::uint32_t>(random());
    it.scale = scales ? static_cast<int>(k % 3) : 0;
    auto const from = random_operands(random, it);
    auto const group = static_cast<unsigned>(it.group);
    auto const ptx = kernel_of(group, opcode + " [%t], " + (in_tensor_memory ? "[%x]" : "%da") +
                                          ", %db, %idesc" + (some_lanes ? kept : "") + ", %e" +
                                          (it.scale == 0 ? ";" : say(", ", it.scale, ";")));
    auto const got = run(ptx, group, from.in, descriptor_of(it), it.accumulate, it.kept, random);
    auto const difference =
        compare(say(row.name, " of ", it.a.name, " and ", it.b.name, ", M ", it.m, ", N ", it.n),
                got, wanted(it, from));
    if (!difference.empty()) return difference;
  }
  return {};
}

}  // namespace machine_rows
