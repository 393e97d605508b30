// Parses function bodies: blocks, registers, labels, guards, instructions and their operands.
//
//     @!%p1 bra $L__BB0_2;     setp.lt.s32 p|q, %r1, 5;     ld.v4.f32 {%f1, _, %f3, %f4}, [%rd1];
//     call.uni (retval0), f, (param0, param1);
//     cp.async.bulk.tensor.2d... [%r1], [%rd2, {%r3, %r4}], ...
#include <algorithm>

#include "text/parser.hpp"

namespace machine {

void parser::body() {
  expect('{', "before the body of a function");
  int const opened = lexer_.peek().line;
  int depth = 1;
  while (depth > 0) {
    if (lexer_.peek().what == token::kind::end)
      wrong(
          say("the text ends inside the body of '", current_->name, "', opened at line ", opened));
    if (take('{')) {
      if (depth == 1000) wrong("more than 1000 blocks are nested");
      scopes_.emplace_back(scope_);
      scope_ = &scopes_.back();
      ++depth;
    } else if (take('}')) {
      scope_ = scope_->outer() != nullptr ? scope_->outer() : scope_;
      --depth;
    } else {
      body_item();
    }
  }
  close_function();
}

void parser::body_item() {
  auto const& first = lexer_.peek();
  if (take(';')) return;
  if (first.is('@')) {
    instruction(take_guard());
  } else if (first.is(".reg")) {
    lexer_.next();
    register_declaration();
  } else if (first.is(".local") || first.is(".param")) {
    lexer_.next();
    local_variable(space::local);  // the parameters of a call are in the caller's stack frame
  } else if (first.is(".shared")) {
    lexer_.next();
    local_variable(space::shared);
  } else if (first.is(".loc")) {
    lexer_.next();
    location_directive();
  } else if (first.is(".pragma") || first.is(".callprototype") || first.is(".calltargets")) {
    skip_statement();
  } else if (first.what == token::kind::word) {
    instruction({});
  } else {
    wrong(say("'", first.text, "' begins neither an instruction nor a declaration"));
  }
}

void parser::register_declaration() {
  token type = lexer_.next();
  std::uint32_t const elements = type.is(".v2") ? 2 : type.is(".v4") ? 4 : 1;
  if (elements > 1) type = lexer_.next();
  auto const known = scalar_named(type.text);
  if (elements > 1 && known == scalar::pred)
    fail(trouble::text, type.line, "the elements of a vector register cannot be predicates");
  if (!known) fail(trouble::unsupported, type.line, say("registers of type '", type.text, "'"));
  do {
    token const name = expect_word("the name of a register");
    std::uint64_t count = 0;
    if (take('<')) {
      count = expect_integer("the number of registers");
      expect('>', "after the number of registers");
      if (count > 10'000'000) wrong("more than ten million registers are declared");
    }
    auto const first = static_cast<std::uint32_t>(current_->registers.size());
    current_->registers.resize(
        current_->registers.size() + std::max<std::uint64_t>(count, 1) * elements, *known);
    if (!scope_->declare(name.text, {first, static_cast<std::uint32_t>(count), elements, nullptr}))
      wrong(say("register '", name.text, "' is declared twice in one block"));
  } while (take(','));
  expect(';', "after registers");
}

guard parser::take_guard() {
  lexer_.next();  // '@'
  guard when{true, take('!'), 0};
  token const name = expect_word("a predicate");
  scope::entry found;
  if (!scope_->find(name.text, found) || found.symbol != nullptr)
    fail(trouble::text, name.line, say("guard '", name.text, "' is not a declared register"));
  if (current_->registers[found.id] != scalar::pred)
    fail(trouble::text, name.line, say("guard '", name.text, "' is not a predicate"));
  when.id = found.id;
  return when;
}

void parser::label(token const& name) {
  if (!scope_->declare_label(name.text, static_cast<std::uint32_t>(current_->statements.size())))
    fail(trouble::text, name.line, say("label '", name.text, "' is defined twice in one block"));
}

void parser::instruction(guard when) {
  token const first = expect_word("an instruction");
  if (!when.present && take(':')) {
    label(first);
    // A table for brx.idx becomes a statement whose operands are its labels.
    if (take(".branchtargets")) {
      statement table{".branchtargets", {}, first.line, source_file_, source_line_, {}};
      do table.operands.push_back(take_operand());
      while (take(','));
      expect(';', "after .branchtargets");
      current_->statements.push_back(std::move(table));
      remember_fixups(current_->statements.back());
    }
    return;
  }
  token last = first;
  while (lexer_.peek().what == token::kind::dotted && last.touches(lexer_.peek()))
    last = lexer_.next();
  auto const length =
      static_cast<std::size_t>(last.text.data() + last.text.size() - first.text.data());
  statement made{{first.text.data(), length}, when, first.line, source_file_, source_line_, {}};
  if (!lexer_.peek().is(';')) {
    do made.operands.push_back(take_operand());
    while (take(','));
  }
  expect(';', "after an instruction");
  current_->statements.push_back(std::move(made));
  remember_fixups(current_->statements.back());
}

operand parser::take_operand() {
  operand first = simple_operand();
  if (!take('|')) return first;
  operand pair;
  pair.what = operand::kind::pair;
  pair.parts.push_back(std::move(first));
  pair.parts.push_back(simple_operand());
  return pair;
}

operand parser::simple_operand() {
  nested const level(*this);
  operand made;
  auto const& ahead = lexer_.peek();
  if (ahead.is('[')) return address_operand();
  if (ahead.is('{') || ahead.is('(')) {
    char const close = ahead.is('{') ? '}' : ')';
    made.what = close == '}' ? operand::kind::vector : operand::kind::list;
    lexer_.next();
    if (take(close)) return made;
    do made.parts.push_back(simple_operand());
    while (take(','));
    expect(close, "after a list of operands");
    return made;
  }
  if (take('!')) {
    made = simple_operand();
    made.negated = !made.negated;
    return made;
  }
  if (take('-')) return number_operand(true);
  if (ahead.what == token::kind::word) return named_operand(lexer_.next());
  return number_operand(false);
}

operand parser::number_operand(bool negative) {
  token const number = lexer_.next();
  operand made;
  made.name = number.text;
  made.bits = number.bits;
  if (number.what == token::kind::integer) {
    made.what = operand::kind::integer;
    if (negative) made.bits = 0 - made.bits;
  } else if (number.what == token::kind::single) {
    made.what = operand::kind::single;
    if (negative) made.bits ^= std::uint64_t{1} << 31;
  } else if (number.what == token::kind::real) {
    made.what = operand::kind::real;
    if (negative) made.bits ^= std::uint64_t{1} << 63;
  } else {
    fail(trouble::text, number.line,
         number.what == token::kind::end ? std::string("the text ends where an operand is expected")
                                         : say("'", number.text, "' is not an operand"));
  }
  return made;
}

operand parser::named_operand(token const& first) {
  operand made;
  made.name = first.text;
  if (first.text == "_") return made;
  if (first.text == "WARP_SZ") {
    made.what = operand::kind::integer;
    made.bits = 32;
    return made;
  }
  scope::entry found;
  if (scope_->find(first.text, found)) {
    bool const is_element =
        lexer_.peek().what == token::kind::dotted && first.touches(lexer_.peek());
    if (is_element || found.elements > 1)
      return vector_operand(first, found.id, found.elements, is_element);
    made.what = found.symbol != nullptr ? operand::kind::symbol : operand::kind::reg;
    made.symbol = found.symbol;
    made.id = found.id;
  } else if (first.text.front() == '%') {
    made.what = operand::kind::special;
    if (lexer_.peek().what == token::kind::dotted && first.touches(lexer_.peek())) {
      token const member = lexer_.next();
      made.name = {first.text.data(), first.text.size() + member.text.size()};
    }
  } else {
    // It may also be a function or variable of the module. resolve() decides at the function's end.
    made.what = operand::kind::label;
  }
  if (made.what == operand::kind::label || made.what == operand::kind::symbol) {
    if (take('+')) made.bits = expect_integer("an offset");
  }
  return made;
}

// `v` of `.reg .v4 .f32 v` is {v.x, v.y, v.z, v.w}; v.r, v.g, v.b and v.a are the same registers.
operand parser::vector_operand(token const& name, std::uint32_t id, std::uint32_t elements,
                               bool is_element) {
  operand made;
  made.name = name.text;
  made.what = operand::kind::reg;
  made.id = id;
  if (is_element) {
    token const member = lexer_.next();
    auto const xyzw = std::string_view("xyzw").find(member.text.substr(1));
    auto const rgba = std::string_view("rgba").find(member.text.substr(1));
    auto const at = std::min(xyzw, rgba);
    if (elements == 1 || member.text.size() != 2 || at >= elements)
      fail(trouble::text, name.line,
           say("'", name.text, "' has no element '", member.text, "': it is a register with ",
               elements, elements == 1 ? " element" : " elements"));
    made.id += static_cast<std::uint32_t>(at);
    return made;
  }
  operand whole;
  whole.what = operand::kind::vector;
  whole.name = name.text;
  for (; whole.parts.size() < elements; ++made.id) whole.parts.push_back(made);
  return whole;
}

operand parser::address_operand() {
  lexer_.next();  // '['
  operand made;
  made.what = operand::kind::address;
  made.parts.push_back(simple_operand());
  // named_operand has already read "+ offset" after a symbol; after a register it is read here.
  std::uint64_t offset = 0;
  while (lexer_.peek().is('+') || lexer_.peek().is('-')) {
    bool negative = lexer_.next().is('-');
    if (take('-')) negative = !negative;
    auto const amount = expect_integer("an offset");
    offset += negative ? 0 - amount : amount;
  }
  made.bits = offset;
  while (take(',')) made.parts.push_back(simple_operand());
  expect(']', "after an address");
  return made;
}

void parser::remember_fixups(statement& of) {
  std::vector<operand*> open;
  for (auto& each : of.operands) open.push_back(&each);
  while (!open.empty()) {
    operand* const at = open.back();
    open.pop_back();
    if (at->what == operand::kind::label) fixups_.push_back({at, scope_, of.line});
    for (auto& part : at->parts) open.push_back(&part);
  }
}

void parser::resolve(operand& name, scope const& where, int line) {
  if (std::uint32_t target = 0; where.find_label(name.name, target)) {
    name.id = target;
    return;
  }
  if (auto const* symbol = module_->find_variable(name.name)) {
    name.what = operand::kind::symbol;
    name.symbol = symbol;
    return;
  }
  if (module_->find_function(name.name) != nullptr) {
    name.what = operand::kind::function;
    return;
  }
  fail(trouble::text, line,
       say("'", name.name, "' is neither a register, a label, a variable nor a function"));
}

void parser::close_function() {
  for (auto const& each : fixups_) resolve(*each.name, *each.where, each.line);
  fixups_.clear();
}

}  // namespace machine
