// Tests tcgen05.mma.sp: products of small integers are compared with the sum over k. A stores half
// of the elements of each row. The places of the metadata are those of CUTLASS's tmem_e_frg:
// a layout of (row, k) to lanes and bits, written here with its strides.
#include "rows/products.hpp"

namespace machine_rows {
namespace {

using namespace products;

constexpr type_row f16{"f16", 0, 16, 2, {0, 0x3c00, 0x4000, 0x4200}};
constexpr type_row bf16{"bf16", 1, 16, 2, {0, 0x3f80, 0x4000, 0x4040}};
constexpr type_row tf32{"tf32", 2, 32, 4, {0, 0x3f800000, 0x40000000, 0x40400000}};
constexpr type_row u8{"u8", 0, 8, 1, {0, 1, 2, 3}};
constexpr type_row s8{"s8", 1, 8, 1, {0, 1, 2, 3}};

struct problem {
  type_row a, b;
  int n;
  unsigned group, selector;
  bool accumulate;
  int scale = 0;
  std::array<std::uint32_t, 8> kept{};

  [[nodiscard]] bool is_integer() const { return a.name[1] == '8'; }
  [[nodiscard]] int rows() const { return 128 * static_cast<int>(group); }
  [[nodiscard]] int depth() const { return 64 / static_cast<int>(a.slot); }
  [[nodiscard]] int group_size() const { return a.slot == 4 ? 2 : 4; }
};

std::uint32_t encoded_sum(problem const& it, int value) {
  if (it.is_integer()) return static_cast<std::uint32_t>(value);
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

/// Returns the lane and the bit of the columns that hold the metadata of the elements at (row, k).
std::pair<int, int> metadata_of(problem const& it, int row, int k) {
  if (it.a.slot == 1) return {row, k};
  int const half = it.depth() / 2, bits = it.a.slot == 2 ? 1 : 2;
  int const place =
      row % 8 + row / 8 % 2 * 128 * half + row / 16 * 16 + k % half * 128 + k / half * 8;
  return {place % 128, place / 128 * bits};
}

struct operands {
  matrix stored, a, b;
  std::vector<int> d;
  std::vector<std::uint32_t> in;
};

/// Returns rows of B of 64 bytes: core matrices of 8 rows of 16 bytes, 128 bytes apart along k.
std::vector<std::uint32_t> image_of_b(problem const& it, matrix const& b, int first, int count) {
  std::vector<std::uint32_t> words(1024);
  std::size_t const half = static_cast<std::size_t>(it.depth() / 2);
  for (int r = 0; r < count; ++r)
    for (std::size_t part = 0; part < 2; ++part) {
      auto const& row = b[static_cast<std::size_t>(first + r)];
      auto const begin = row.begin() + static_cast<std::ptrdiff_t>(part * half);
      auto const bytes = packed(it.b, {begin, begin + static_cast<std::ptrdiff_t>(half)});
      for (std::size_t at = 0; at < 32; ++at) {
        auto const own = static_cast<std::size_t>(r);
        std::size_t const byte =
            own / 8 * 512 + (2 * part + at / 16) * 128 + own % 8 * 16 + at % 16;
        words[byte / 4] |= std::uint32_t{bytes[at]} << byte % 4 * 8;
      }
    }
  return words;
}

operands random_operands(generator& random, problem const& it) {
  operands made;
  auto const half = static_cast<unsigned>(it.depth() / 2);
  made.stored = random_rows(random, it.a, it.rows(), half);
  made.b = random_rows(random, it.b, it.n, 2 * half);
  made.a.assign(made.stored.size(), std::vector<int>(2 * half));
  for (unsigned block = 0; block < it.group; ++block) {
    for (std::size_t k = 0; k < words_of_d; ++k) {
      made.d.push_back((static_cast<int>(random() % 61) - 30) << it.scale);
      made.in.push_back(encoded_sum(it, made.d.back()));
    }
    std::size_t const tensor = made.in.size();
    made.in.resize(tensor + words_of_tensor - words_of_d);
    auto const word = [&](int column, int lane) -> std::uint32_t& {
      return made.in[tensor + static_cast<std::size_t>(column * 128 + lane)];
    };
    for (int r = 0; r < 128; ++r) {
      auto const number = static_cast<std::size_t>(block * 128) + static_cast<std::size_t>(r);
      auto const& stored = made.stored[number];
      auto const bytes = products::in_tensor_memory(it.a, stored);
      for (int at = 0; at < 32; ++at)
        word(at / 4, r) |= std::uint32_t{bytes[static_cast<std::size_t>(at)]} << at % 4 * 8;
      std::size_t next = 0;
      for (int k = 0; k < it.depth(); k += it.group_size()) {
        constexpr std::uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0x6, 0xe};
        bool const one = it.group_size() == 2;
        std::uint32_t const bits = one ? (random() % 2 == 0 ? 0x4 : 0xe) : pairs[random() % 7];
        auto const [lane, bit] = metadata_of(it, r, k);
        word(columns_of_a + static_cast<int>(it.selector) + bit / 32, lane) |= bits << bit % 32;
        auto const first = static_cast<std::size_t>(k);
        if (one) {
          made.a[number][first + (bits == 0xe ? 1 : 0)] = stored[next++];
        } else {
          made.a[number][first + (bits & 3u)] = stored[next++];
          made.a[number][first + (bits >> 2)] = stored[next++];
        }
      }
    }
    auto const first = made.stored.begin() + static_cast<std::ptrdiff_t>(128 * block);
    for (auto const each : image(it.a, {first, first + 128})) made.in.push_back(each);
    int const count = it.n / static_cast<int>(it.group);
    for (auto const each : image_of_b(it, made.b, static_cast<int>(block) * count, count))
      made.in.push_back(each);
  }
  return made;
}

std::vector<std::uint32_t> wanted(problem const& it, operands const& from) {
  std::vector<std::uint32_t> d;
  for (auto const value : from.d) d.push_back(encoded_sum(it, value));
  for (std::size_t r = 0; r < from.a.size(); ++r)
    for (std::size_t n = 0; n < from.b.size(); ++n) {
      if ((it.kept[r / 32] >> r % 32 & 1u) != 0) continue;
      std::size_t const at = r / 128 * words_of_d + n * 128 + r % 128;
      int sum = it.accumulate ? from.d[at] >> it.scale : 0;
      for (std::size_t k = 0; k < from.b[n].size(); ++k) sum += from.a[r][k] * from.b[n][k];
      d[at] = encoded_sum(it, sum);
    }
  return d;
}

std::vector<std::pair<type_row, type_row>> types_of(name_parts const& name) {
  if (name.has("kind::f16")) return {{f16, f16}, {bf16, bf16}};
  if (name.has("kind::tf32")) return {{tf32, tf32}};
  if (name.has("kind::i8")) return {{s8, u8}, {u8, s8}};
  return {{e4m3, e5m2}, {e2m3, e4m3}, {e5m2, e3m2}, {e2m1, e2m1}};
}

std::uint32_t descriptor_of(problem const& it) {
  return it.selector | 1u << 2 | (it.is_integer() ? 2u : 1u) << 4 | it.a.code << 7 |
         it.b.code << 10 | static_cast<std::uint32_t>(it.n / 8) << 17 |
         static_cast<std::uint32_t>(it.rows() / 16) << 24;
}

}  // namespace

verdict test_sparse_product(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const in_tensor_memory = name.has("a_in_tensor_memory"), some_lanes = name.has("some_lanes");
  bool const selects = name.has("kind::f16") || name.has("kind::tf32");
  unsigned const group = name.has("cta_group::2") ? 2 : 1;
  std::string const opcode = row.name.substr(
      0, std::min(row.name.find(".a_in_tensor_memory"), row.name.find(".some_lanes")));
  std::string const kept =
      group == 1 ? ", {%k0, %k1, %k2, %k3}" : ", {%k0, %k1, %k2, %k3, %k4, %k5, %k6, %k7}";
  generator random;
  unsigned number = 0;
  for (auto const& [a, b] : types_of(name))
    for (int const n : {32, 64}) {
      problem it{a, b, n, group, selects ? number % 2 : 0, number % 3 != 1};
      it.scale = selects ? static_cast<int>(number % 3) : 0;
      ++number;
      if (some_lanes)
        for (auto& word : it.kept) word = static_cast<std::uint32_t>(random());
      auto const from = random_operands(random, it);
      // Groups of eight rows of B are 512 bytes apart. Those of A are 256 bytes apart.
      auto const ptx =
          kernel_of(group, "xor.b64 %db, %db, 0x3000000000;\n" + opcode + " [%t], " +
                               (in_tensor_memory ? "[%x]" : "%da") + ", %db, [%sa], %idesc" +
                               (some_lanes ? kept : "") + ", %e" +
                               (it.scale == 0 ? ";" : say(", ", it.scale, ";")));
      auto const got = run(ptx, group, from.in, descriptor_of(it), it.accumulate, it.kept, random);
      auto const difference =
          compare(say(row.name, " of ", a.name, " and ", b.name, ", N ", n), got, wanted(it, from));
      if (!difference.empty()) return difference;
    }
  return {};
}

}  // namespace machine_rows
