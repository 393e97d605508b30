// Tests bit_prefix::elements. The element at a place is an XOR of one number for each bit of the
// place. The function returns the longest digit list of the elements at places 0, 1, 2, .... The
// lists are compared with a search of all digit lists.
#include "support/catch.hpp"

#include "plain.hpp"

#include <axe/cute.hpp>

#include <random>

namespace {

namespace detail = axe::cute::detail;
using plain::number;

/// The element at place 0, and the bits of the element that each bit of the place flips. No two
/// places have the same element.
struct prefix {
  number origin = 0;
  std::vector<number> change;

  std::vector<number> elements() const {
    std::vector<number> all{origin};
    for (number one : change)
      for (std::size_t i = 0, n = all.size(); i < n; ++i) all.push_back(all[i] ^ one);
    return all;
  }
};

/// Makes a random prefix. Arbitrary bits hardly ever form a digit. So half of the bits continue the
/// last digit, or a digit that begins at place 3 * 2^n.
prefix draw(std::mt19937_64& engine, int element_bits, std::size_t place_bits) {
  number const all = (number{1} << element_bits) - 1;
  auto const any = [&] { return static_cast<number>(engine()) & all; };
  prefix p{any(), {}};
  auto const step = [&](number by) { return (p.origin ^ by) - p.origin; };
  std::set<number> taken{0};
  while (p.change.size() < place_bits) {
    std::size_t const n = p.change.size();
    number one = any() & any();
    if (n > 0 && engine() % 2 == 0) {
      number const last = step(p.change[n - 1]);
      number const third =
          n > 1 ? step(p.change[n - 1] ^ p.change[n - 2]) + step(p.change[n - 2]) : 2 * last;
      one = (p.origin + (engine() % 3 == 0 ? third : 2 * last)) ^ p.origin;
    }
    if (one < 0 || one > all || taken.count(one) != 0) continue;
    p.change.push_back(one);
    for (number other : std::set<number>(taken)) taken.insert(other ^ one);
  }
  return p;
}

/// True if some digit list begins with these values.
bool begins_a_list(std::vector<number> const& f) {
  bool one_digit = true;
  for (std::size_t i = 0; i < f.size(); ++i)
    one_digit = one_digit && f[i] == static_cast<number>(i) * f[1];
  if (one_digit) return true;
  for (std::size_t n = 2; n < f.size(); ++n) {
    bool repeats = true;
    for (std::size_t i = 0; i < f.size() && repeats; ++i)
      repeats = f[i] == f[i - i % n] + static_cast<number>(i % n) * f[1];
    std::vector<number> rest;
    for (std::size_t i = 0; i < f.size(); i += n) rest.push_back(f[i]);
    if (repeats && begins_a_list(rest)) return true;
  }
  return false;
}

/// True if the found list has the size that it states, and these elements.
bool agrees(detail::bit_prefix::listed const& found, std::vector<number> const& elements) {
  plain::mode digits;
  for (int k = found.digits.size() - 1; k >= 0; --k)
    digits.emplace_back(found.digits[k].extent, found.digits[k].stride);
  bool right = plain::size(digits) == found.size && found.origin == elements[0];
  for (std::size_t i = 0; i < elements.size() && static_cast<number>(i) < found.size; ++i)
    right = right && found.origin + plain::at(digits, static_cast<number>(i)) == elements[i];
  return right;
}

}  // namespace

TEST_CASE("the digit list of a bit prefix is the longest one") {
  std::mt19937_64 engine(20261126);
  std::map<number, int> by_odd_part;
  int two_at_three = 0;
  int covered = 0;
  int beyond = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    prefix const p = draw(engine, turn % 3 == 0 ? 4 : 6, turn % 2 == 0 ? 3 : 4);
    std::vector<number> const elements = p.elements();
    std::vector<number> steps;
    for (number e : elements) steps.push_back(e - p.origin);
    number longest = 1;
    for (std::size_t n = 2; n <= steps.size(); ++n)
      if (plain::is_digit_list({steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(n)}))
        longest = static_cast<number>(n);

    detail::bit_prefix bits(detail::bit_image(axe::layout{}));
    bits.origin = p.origin;
    bits.change.clear();
    for (number one : p.change) bits.change.push(one);
    detail::bit_prefix::listed const found = bits.elements({});
    detail::bit_prefix::listed const covering = bits.elements({}, true);
    bool const covers = covering.size >= bits.places();
    if (found.size != longest || !agrees(found, elements) || !agrees(covering, elements) ||
        covers != begins_a_list(steps)) {
      std::string text = std::to_string(p.origin);
      for (number one : p.change) text += " ^ " + std::to_string(one);
      FAIL_CHECK(text);
    }
    number odd = found.size;
    while (odd % 2 == 0) odd /= 2;
    ++by_odd_part[odd];
    two_at_three += odd == 3 && found.digits[0].extent == 2;
    covered += covers;
    beyond += covering.size > bits.places();
  }
  CHECK(by_odd_part[3] > 1000);
  CHECK(by_odd_part[5] > 10);
  CHECK(two_at_three > 10);
  CHECK(covered > 500);
  CHECK(beyond > 50);
}
