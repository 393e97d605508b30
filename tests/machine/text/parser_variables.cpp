// Parses variables and their initialisers (PTX ISA, "Variables", "Initializers").
//
//     .global .align 4 .b8 table[24] = {65, 144, 67};      the other elements are zero
//     .global .u64 p = generic(table)+8;                   the address of a variable or function
#include <bit>

#include "text/parser.hpp"

namespace machine {
namespace {
constexpr std::uint64_t largest_variable = std::uint64_t{1} << 32;
}

variable parser::declaration(space where) {
  variable made;
  made.where = where;
  made.line = lexer_.peek().line;
  std::uint64_t vector = 1;
  bool points = false;  // an alignment after .ptr is that of the memory pointed to
  while (lexer_.peek().what == token::kind::dotted) {
    token const name = lexer_.next();
    if (name.is(".align")) {
      auto const alignment = expect_integer("an alignment");
      if (!std::has_single_bit(alignment) || alignment > 65536)
        wrong("an alignment must be a power of two up to 65536");
      if (!points) made.alignment = static_cast<std::uint32_t>(alignment);
    } else if (name.is(".v2")) {
      vector = 2;
    } else if (name.is(".v4")) {
      vector = 4;
    } else if (name.is(".v8")) {
      vector = 8;
    } else if (name.is(".attribute")) {
      while (!take(')'))
        if (lexer_.next().what == token::kind::end) wrong("the text ends inside .attribute");
    } else if (name.is(".ptr")) {
      points = true;
    } else if (name.is(".global") || name.is(".shared") || name.is(".const") || name.is(".local")) {
    } else if (auto const type = scalar_named(name.text); type && *type != scalar::pred) {
      made.type = *type;
      made.alignment =
          std::max(made.alignment, width_of(*type) * static_cast<std::uint32_t>(vector));
    } else {
      fail(trouble::text, name.line,
           say("'", name.text, "' is not a type or an attribute of a variable"));
    }
  }
  if (made.type == scalar::none) wrong("the variable has no type");
  made.name = expect_word("the name of a variable").text;
  std::uint64_t const element = width_of(made.type) * vector;
  made.bytes = element;
  if (lexer_.peek().is('[')) array_extents(made, element);
  return made;
}

void parser::array_extents(variable& into, std::uint64_t element_bytes) {
  into.bytes = element_bytes;
  bool open = false;
  while (take('[')) {
    if (take(']')) {
      open = true;
      continue;
    }
    auto const extent = expect_integer("an array extent");
    if (extent != 0 && into.bytes > largest_variable / extent)
      wrong("the array has more than 4 GiB");
    into.bytes *= extent;
    expect(']', "after an array extent");
  }
  if (open) into.bytes = 0;
}

void parser::initial_value(variable& into, std::uint64_t element_bytes, std::uint64_t offset) {
  initial made;
  made.offset = offset;
  made.bytes = static_cast<std::uint8_t>(element_bytes);
  bool negative = take('-');
  token const first = lexer_.next();
  if (first.what == token::kind::word) {
    std::string_view name = first.text;
    if (first.is("generic")) {
      expect('(', "after generic");
      name = expect_word("the name of a variable").text;
      expect(')', "after generic(name");
      made.generic = true;
    } else if (lexer_.peek().is('(')) {
      fail(trouble::unsupported, first.line, say("the initialiser operator '", first.text, "'"));
    }
    made.symbol = name;
    if (take('+')) made.value = expect_integer("an offset");
    if (element_bytes != 8)
      fail(trouble::unsupported, first.line, "an address in an element narrower than 64 bits");
  } else if (first.what == token::kind::integer) {
    made.value = negative ? 0 - first.bits : first.bits;
  } else if (first.what == token::kind::single || first.what == token::kind::real) {
    std::uint64_t bits = first.bits;
    if (first.what == token::kind::real && element_bytes == 4)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    if (first.what == token::kind::single && element_bytes == 8)
      bits = std::bit_cast<std::uint64_t>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    made.value = negative ? bits ^ (std::uint64_t{1} << (8 * element_bytes - 1)) : bits;
  } else {
    fail(trouble::text, first.line, say("'", first.text, "' cannot initialise a variable"));
  }
  if (into.bytes != 0 && offset + element_bytes > into.bytes)
    wrong("the initialiser is longer than its array");
  into.initials.push_back(made);
}

void parser::initialiser(variable& into, std::uint64_t element_bytes, std::uint64_t& offset) {
  if (!take('{')) {
    initial_value(into, element_bytes, offset);
    offset += element_bytes;
    return;
  }
  nested const level(*this);
  if (take('}')) return;
  do initialiser(into, element_bytes, offset);
  while (take(','));
  expect('}', "after an initialiser");
}

void parser::module_variable(space where, bool is_extern) {
  do {
    variable made = declaration(where);
    made.is_extern = is_extern;
    if (take('=')) {
      std::uint64_t offset = 0;
      bool const open = made.bytes == 0;
      initialiser(made, width_of(made.type), offset);
      if (open) made.bytes = offset;
    }
    module_->variables.push_back(std::move(made));
  } while (take(','));
  expect(';', "after a variable");
}

void parser::local_variable(space where) {
  do {
    variable made = declaration(where);
    made.in_function = true;
    current_->locals.push_back(std::move(made));
    auto const& kept = current_->locals.back();
    if (!scope_->declare(kept.name, {0, 0, 1, &kept}))
      wrong(say("'", kept.name, "' is declared twice in one block"));
  } while (take(','));
  expect(';', "after a variable");
}

}  // namespace machine
