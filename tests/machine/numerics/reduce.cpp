// Implements reductions, with the table of the legal ones.
#include "numerics/reduce.hpp"

#include <algorithm>
#include <bit>

#include "numerics/narrow.hpp"
#include "numerics/single.hpp"

namespace machine::numerics {
namespace {

template <class Unsigned, class Ordered>
std::uint64_t integers(reduction operation, std::uint64_t old_bits, std::uint64_t value) {
  auto const a = static_cast<Unsigned>(old_bits);
  auto const b = static_cast<Unsigned>(value);
  auto const less = static_cast<Ordered>(a) < static_cast<Ordered>(b);
  Unsigned result = 0;
  switch (operation) {
    case reduction::add: result = static_cast<Unsigned>(a + b); break;
    case reduction::min: result = less ? a : b; break;
    case reduction::max: result = less ? b : a; break;
    case reduction::inc: result = a >= b ? Unsigned{0} : static_cast<Unsigned>(a + 1); break;
    case reduction::dec: result = a == 0 || a > b ? b : static_cast<Unsigned>(a - 1); break;
    case reduction::bit_and: result = a & b; break;
    case reduction::bit_or: result = a | b; break;
    case reduction::bit_xor: result = a ^ b; break;
  }
  return result;
}

template <format F>
std::uint64_t halves(reduction operation, std::uint64_t old_bits, std::uint64_t value) {
  auto const a = static_cast<std::uint16_t>(old_bits);
  auto const b = static_cast<std::uint16_t>(value);
  if (operation == reduction::add) return add<F>(a, b);
  return operation == reduction::min ? minimum<F>(a, b) : maximum<F>(a, b);
}

bool is_float(reduced_type type) {
  return type == reduced_type::half || type == reduced_type::bfloat16 ||
         type == reduced_type::single || type == reduced_type::double_precision;
}

}  // namespace

int size_of(reduced_type type) {
  switch (type) {
    case reduced_type::half:
    case reduced_type::bfloat16: return 2;
    case reduced_type::u64:
    case reduced_type::s64:
    case reduced_type::b64:
    case reduced_type::double_precision: return 8;
    default: return 4;
  }
}

char const* refuse_reduction(reduction operation, reduced_type type) {
  switch (operation) {
    case reduction::add:
      if (type == reduced_type::b32 || type == reduced_type::b64)
        return "add needs a number type, not untyped bits";
      if (type == reduced_type::s64) return "add of signed 64-bit integers is written .u64";
      return nullptr;
    case reduction::min:
    case reduction::max:
      if (type == reduced_type::b32 || type == reduced_type::b64)
        return "min and max need a number type, not untyped bits";
      if (type == reduced_type::single || type == reduced_type::double_precision)
        return "min and max exist for f16 and bf16, not for f32 and f64";
      return nullptr;
    case reduction::inc:
    case reduction::dec:
      return type == reduced_type::u32 ? nullptr : "inc and dec exist for u32 only";
    default:
      return is_float(type) ? "and, or and xor need an integer or untyped bits, not a float"
                            : nullptr;
  }
}

std::uint64_t reduce(reduction operation, reduced_type type, std::uint64_t old_bits,
                     std::uint64_t value, bool in_shared) {
  switch (type) {
    case reduced_type::u32:
    case reduced_type::b32:
      return integers<std::uint32_t, std::uint32_t>(operation, old_bits, value);
    case reduced_type::s32:
      return integers<std::uint32_t, std::int32_t>(operation, old_bits, value);
    case reduced_type::u64:
    case reduced_type::b64:
      return integers<std::uint64_t, std::uint64_t>(operation, old_bits, value);
    case reduced_type::s64:
      return integers<std::uint64_t, std::int64_t>(operation, old_bits, value);
    case reduced_type::half: return halves<f16>(operation, old_bits, value);
    case reduced_type::bfloat16: return halves<bf16>(operation, old_bits, value);
    case reduced_type::single: {
      auto const a = std::bit_cast<float>(static_cast<std::uint32_t>(old_bits));
      auto const b = std::bit_cast<float>(static_cast<std::uint32_t>(value));
      return std::bit_cast<std::uint32_t>(add(a, b, {.ftz = !in_shared}));
    }
    case reduced_type::double_precision:
      return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old_bits) +
                                          std::bit_cast<double>(value));
  }
  return old_bits;
}

}  // namespace machine::numerics
