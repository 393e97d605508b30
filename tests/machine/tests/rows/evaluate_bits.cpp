// Evaluates logic, shifts and bit fields, one bit at a time (PTX ISA, "Logic and Shift
// Instructions").
#include "rows/evaluate.hpp"

namespace machine_rows {
namespace {

bool bit(std::uint64_t of, s128 at) {
  return at >= 0 && at < 64 && ((of >> static_cast<unsigned>(at)) & 1) != 0;
}

/// Returns the word whose bit k is rule(k).
template <class Rule> std::uint64_t built(unsigned width, Rule rule) {
  std::uint64_t value = 0;
  for (unsigned k = 0; k < width; ++k)
    if (rule(k)) value |= std::uint64_t{1} << k;
  return value;
}

std::uint64_t shift(name_parts const& name, words const& s) {
  unsigned const width = width_of(name.last());
  s128 const n = static_cast<s128>(s[1] & 0xffffffffu);
  bool const fill = is_signed(name.last()) && bit(s[0], width - 1);
  return built(width, [&](unsigned k) {
    s128 const from = name.opcode == "shl" ? s128{k} - n : s128{k} + n;
    if (from < 0) return false;
    return from >= width ? fill : bit(s[0], from);
  });
}

std::uint64_t funnel(name_parts const& name, words const& s) {
  std::uint64_t const both = (s[1] & 0xffffffffu) << 32 | (s[0] & 0xffffffffu);
  std::uint64_t n = s[2] & 0xffffffffu;
  n = name.has("wrap") ? n % 32 : n > 32 ? 32 : n;
  return built(32, [&](unsigned k) {
    return name.has("l") ? bit(both, s128{k} + 32 - static_cast<s128>(n))
                         : bit(both, s128{k} + static_cast<s128>(n));
  });
}

std::uint64_t permuted(name_parts const& name, words const& s) {
  auto const byte = [&](unsigned k) {
    return k < 4 ? (s[0] >> (8 * k)) & 0xff : (s[1] >> (8 * (k - 4))) & 0xff;
  };
  auto const c = static_cast<unsigned>(s[2] & 3);
  std::uint64_t result = 0;
  for (unsigned k = 0; k < 4; ++k) {
    std::uint64_t value = 0;
    if (name.has("f4e"))
      value = byte(c + k);
    else if (name.has("b4e"))
      value = byte((c + 8 - k) % 8);
    else if (name.has("rc8"))
      value = byte(c);
    else if (name.has("ecl"))
      value = byte(k > c ? k : c);
    else if (name.has("ecr"))
      value = byte(k < c ? k : c);
    else if (name.has("rc16"))
      value = byte(c % 2 * 2 + k % 2);
    else {
      auto const pick = static_cast<unsigned>((s[2] >> (4 * k)) & 15);
      value = byte(pick % 8);
      if (pick >= 8) value = value >= 128 ? 255 : 0;
    }
    result |= value << (8 * k);
  }
  return result;
}

std::uint64_t extracted(name_parts const& name, words const& s) {
  unsigned const width = width_of(name.last());
  auto const at = static_cast<s128>(s[1] & 255);
  auto const length = static_cast<s128>(s[2] & 255);
  bool sign = false;
  if (is_signed(name.last()) && length != 0)
    sign = bit(s[0], at + length - 1 < width - 1 ? at + length - 1 : s128{width - 1});
  return built(width,
               [&](unsigned k) { return k < length && at + k < width ? bit(s[0], at + k) : sign; });
}

std::uint64_t inserted(name_parts const& name, words const& s) {
  unsigned const width = width_of(name.last());
  auto const at = static_cast<s128>(s[2] & 255);
  auto const length = static_cast<s128>(s[3] & 255);
  return built(width, [&](unsigned k) {
    return k >= at && k < at + length ? bit(s[0], k - at) : bit(s[1], k);
  });
}

std::uint64_t top_bit(name_parts const& name, words const& s) {
  unsigned const width = width_of(name.last());
  bool const negative = is_signed(name.last()) && bit(s[0], width - 1);
  for (unsigned k = width; k-- > 0;)
    if (bit(s[0], k) != negative) return name.has("shiftamt") ? width - 1 - k : k;
  return 0xffffffffu;
}

std::uint64_t nth_set(words const& s) {
  auto const base = static_cast<s128>(s[1] & 0xffffffffu);
  s128 const offset = integer(s[2], "s32");
  if (offset == 0)
    return bit(s[0] & 0xffffffffu, base % 32) ? static_cast<std::uint64_t>(base) : 0xffffffffu;
  s128 found = 0;
  for (s128 k = base; k >= 0 && k < 32; k += offset > 0 ? 1 : -1)
    if (bit(s[0] & 0xffffffffu, k) && ++found == (offset > 0 ? offset : -offset))
      return static_cast<std::uint64_t>(k);
  return 0xffffffffu;
}

std::uint64_t population(words const& s, unsigned width) {
  std::uint64_t count = 0;
  for (unsigned k = 0; k < width; ++k) count += bit(s[0], k);
  return count;
}

std::uint64_t leading_zeros(words const& s, unsigned width) {
  std::uint64_t count = 0;
  while (count < width && !bit(s[0], s128{width} - 1 - static_cast<s128>(count))) ++count;
  return count;
}

std::uint64_t mask_of(name_parts const& name, words const& s) {
  bool const wrap = name.has("wrap");
  auto const at = static_cast<s128>(wrap ? s[0] % 32 : s[0] & 0xffffffffu);
  auto const length = static_cast<s128>(wrap ? s[1] % 32 : s[1] & 0xffffffffu);
  return built(32, [&](unsigned k) { return k >= at && k < at + length; });
}

std::uint64_t extended(name_parts const& name, words const& s) {
  std::uint64_t const n = s[1] & 0xffffffffu;
  std::uint64_t const length = name.has("wrap") ? n % 32 : n > 32 ? 32 : n;
  return built(32, [&](unsigned k) {
    if (k < length) return bit(s[0], k);
    return is_signed(name.last()) && length != 0 && bit(s[0], static_cast<s128>(length) - 1);
  });
}

}  // namespace

std::optional<expected> evaluate_bits(name_parts const& name, words const& s) {
  if (name.modifiers.empty()) return std::nullopt;
  std::string const& op = name.opcode;
  unsigned const width = width_of(name.last());
  auto const one = [](std::uint64_t value) { return expected{{value}}; };
  if (op == "and")
    return one(built(width, [&](unsigned k) { return bit(s[0], k) && bit(s[1], k); }));
  if (op == "or")
    return one(built(width, [&](unsigned k) { return bit(s[0], k) || bit(s[1], k); }));
  if (op == "xor")
    return one(built(width, [&](unsigned k) { return bit(s[0], k) != bit(s[1], k); }));
  if (op == "not") return one(built(width, [&](unsigned k) { return !bit(s[0], k); }));
  if (op == "cnot") return one(cut(static_cast<s128>(s[0]), width) == 0 ? 1 : 0);
  if (op == "mov") return one(cut(static_cast<s128>(s[0]), width));
  if (op == "shl" || op == "shr") return one(shift(name, s));
  if (op == "shf") return one(funnel(name, s));
  if (op == "prmt") return one(permuted(name, s));
  if (op == "bfe") return one(extracted(name, s));
  if (op == "bfi") return one(inserted(name, s));
  if (op == "bfind") return one(top_bit(name, s));
  if (op == "fns") return one(nth_set(s));
  if (op == "lop3")
    return one(built(32, [&](unsigned k) {
      return bit(s[3], 4 * bit(s[0], k) + 2 * bit(s[1], k) + bit(s[2], k));
    }));
  if (op == "popc") return one(population(s, width));
  if (op == "clz") return one(leading_zeros(s, width));
  if (op == "brev")
    return one(built(width, [&](unsigned k) { return bit(s[0], s128{width} - 1 - k); }));
  if (op == "bmsk") return one(mask_of(name, s));
  if (op == "szext") return one(extended(name, s));
  return std::nullopt;
}

}  // namespace machine_rows
