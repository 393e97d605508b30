// Tests tcgen05.mma with block scales on small integers. Scales are near 1, or near 2^100 for A and
// 2^-100 for B, so that f32 holds all sums exactly. D is compared with sums over k in double.
#include <cmath>

#include "rows/products.hpp"

namespace machine_rows {
namespace {

using namespace products;

/// This type has two elements in a byte.
constexpr type_row e2m1_pair{"e2m1", 1, 4, 0, {0, 0x2, 0x4, 0x5}};

struct problem {
  type_row a, b;
  int group, m, n, scales;
  bool is_ue8m0, accumulate;
  int exponent = 0;            // exponent of A's scales, and of B's with the other sign
  int a_part = 0, b_part = 0;  // the byte of a row's first scale in its word
};

struct scale {
  std::uint8_t bits;
  double value;
};

scale random_scale(generator& random, problem const& it, int exponent) {
  static constexpr scale narrow[] = {{0x30, 0.5}, {0x38, 1}, {0x3c, 1.5}, {0x40, 2}};
  if (!it.is_ue8m0) return narrow[random() % 4];
  int const power = exponent + static_cast<int>(random() % 3) - 1;
  return {static_cast<std::uint8_t>(127 + power), std::ldexp(1.0, power)};
}

/// The scales of `rows` rows, and their bytes in the words of `columns_of_scales` columns of 128
/// lanes.
struct scale_set {
  std::vector<std::vector<double>> values;
  std::vector<std::uint32_t> words;
};

scale_set random_scales(generator& random, problem const& it, int rows, int part, int exponent) {
  scale_set made;
  made.words.resize(columns_of_scales * 128);
  for (int row = 0; row < rows; ++row) {
    auto word = static_cast<std::uint32_t>(random());
    made.values.emplace_back();
    for (int k = 0; k < it.scales; ++k) {
      auto const one = random_scale(random, it, exponent);
      made.values.back().push_back(one.value);
      word = (word & ~(0xffu << 8 * (part + k))) | std::uint32_t{one.bits} << 8 * (part + k);
    }
    for (int group = 0; group < 4; ++group)
      made.words[static_cast<std::size_t>(row / 32 * 128 + group * 32 + row % 32)] = word;
  }
  return made;
}

struct operands {
  std::vector<std::uint32_t> in;
  matrix a, b;
  std::vector<std::vector<double>> a_scales, b_scales;
  std::vector<float> d;
};

std::vector<std::vector<int>> part_of(matrix const& from, int first, int count, std::size_t size) {
  matrix own(from.begin() + first, from.begin() + first + count);
  own.resize(size, std::vector<int>(from[0].size()));
  return own;
}

operands random_operands(generator& random, problem const& it) {
  operands made;
  int const rows = it.m / it.group, columns_of_block = it.n / it.group;
  unsigned const depth = it.a.slot == 0 ? 64 : 32;
  made.a = random_rows(random, it.a, it.m, depth);
  made.b = random_rows(random, it.b, it.n, depth);
  auto const of_b = random_scales(random, it, it.n, it.b_part, -it.exponent);
  made.b_scales = of_b.values;
  for (int block = 0; block < it.group; ++block) {
    for (std::size_t k = 0; k < words_of_d; ++k) {
      made.d.push_back(static_cast<float>(static_cast<int>(random() % 61) - 30));
      made.in.push_back(std::bit_cast<std::uint32_t>(made.d.back()));
    }
    std::size_t const tensor = made.in.size();
    made.in.resize(tensor + columns_of_a * 128);
    for (int lane = 0; lane < 128; ++lane) {
      auto const row = products::in_tensor_memory(
          it.a, made.a[static_cast<std::size_t>(block * rows + lane % rows)]);
      for (std::size_t at = 0; at < 32; ++at)
        made.in[tensor + at / 4 * 128 + static_cast<std::size_t>(lane)] |= std::uint32_t{row[at]}
                                                                           << at % 4 * 8;
    }
    auto const of_a = random_scales(random, it, rows, it.a_part, it.exponent);
    made.a_scales.insert(made.a_scales.end(), of_a.values.begin(), of_a.values.end());
    for (auto const* each : {&of_a.words, &of_b.words})
      made.in.insert(made.in.end(), each->begin(), each->end());
    for (auto const word : image(it.a, part_of(made.a, block * rows, rows, 128)))
      made.in.push_back(word);
    for (auto const word :
         image(it.b, part_of(made.b, block * columns_of_block, columns_of_block, 128)))
      made.in.push_back(word);
  }
  return made;
}

std::vector<std::uint32_t> wanted(problem const& it, operands const& from) {
  std::vector<std::uint32_t> d;
  for (auto const value : from.d) d.push_back(std::bit_cast<std::uint32_t>(value));
  int const rows = it.m / it.group;
  for (int n = 0; n < it.n; ++n)
    for (int r = 0; r < it.m; ++r) {
      int const lane = rows == 128 ? r % 128 : r % 64 + n / (it.n / 2) * 64;
      int const column = rows == 128 ? n : n % (it.n / 2);
      auto const at = static_cast<std::size_t>(r / rows) * words_of_d +
                      static_cast<std::size_t>(column * 128 + lane);
      auto const row = static_cast<std::size_t>(r), other = static_cast<std::size_t>(n);
      double sum = it.accumulate ? from.d[at] : 0;
      std::size_t const block = from.a[0].size() / static_cast<std::size_t>(it.scales);
      for (std::size_t k = 0; k < from.a[0].size(); ++k)
        sum += from.a[row][k] * from.b[other][k] * from.a_scales[row][k / block] *
               from.b_scales[other][k / block];
      d[at] = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
    }
  return d;
}

std::uint32_t descriptor_of(problem const& it) {
  return static_cast<std::uint32_t>(it.b_part) << 4 | it.a.code << 7 | it.b.code << 10 |
         static_cast<std::uint32_t>(it.n / 8) << 17 | (it.is_ue8m0 ? 1u << 23 : 0) |
         static_cast<std::uint32_t>(it.m / 128) << 27 | static_cast<std::uint32_t>(it.a_part) << 29;
}

int scales_of(name_parts const& name) {
  if (name.has("scale_vec::4X") || name.has("block16")) return 4;
  return name.has("kind::mxf8f6f4") ? 1 : 2;
}

std::vector<problem> problems_of(name_parts const& name) {
  std::vector<problem> list;
  int const group = name.has("cta_group::2") ? 2 : 1, scales = scales_of(name);
  auto const add = [&](type_row const& a, type_row const& b, bool is_ue8m0) {
    int const part = static_cast<int>(list.size());
    for (int const exponent : {0, 100}) {
      if (exponent != 0 && !is_ue8m0) continue;
      problem it{a, b, group, 128 * group, 32, scales, is_ue8m0, exponent == 0, exponent, 0, 0};
      it.a_part = part * scales % 4;
      it.b_part = (part + 1) * scales % 4;
      list.push_back(it);
      if (group == 2) {
        it.m = 128;
        it.n = 64;
      } else {
        it.n = 8;
      }
      list.push_back(it);
    }
  };
  if (name.has("kind::mxf8f6f4")) {
    for (auto const& a : {e4m3, e5m2, e2m3, e3m2, e2m1})
      for (auto const& b : {e4m3, e5m2, e2m3, e3m2, e2m1}) add(a, b, true);
  } else {
    add(e2m1_pair, e2m1_pair, true);
    add(e2m1_pair, e2m1_pair, !(name.has("kind::mxf4nvf4") && scales == 4));
  }
  return list;
}

}  // namespace

verdict test_scaled_product(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const in_tensor_memory = name.has("a_in_tensor_memory");
  std::string const opcode = row.name.substr(0, row.name.find(".a_in_tensor_memory"));
  generator random;
  for (auto const& it : problems_of(name)) {
    auto const from = random_operands(random, it);
    auto const group = static_cast<unsigned>(it.group);
    auto const ptx = kernel_of(group, opcode + " [%t], " + (in_tensor_memory ? "[%x]" : "%da") +
                                          ", %db, %idesc, [%sa], [%sb], %e;");
    auto const got = run(ptx, group, from.in, descriptor_of(it), it.accumulate, {}, random);
    auto const difference =
        compare(say(row.name, " of ", it.a.name, " and ", it.b.name, ", M ", it.m, ", N ", it.n,
                    it.exponent == 0 ? "" : ", large scales"),
                got, wanted(it, from));
    if (!difference.empty()) return difference;
  }
  return {};
}

}  // namespace machine_rows
