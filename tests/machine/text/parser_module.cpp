// Parses the module level: .version, .target, .file, .section, variables, and headers of functions.
#include <algorithm>

#include "text/parser.hpp"

namespace machine {

function const* source_text::find_function(std::string_view name) const {
  function const* declared = nullptr;
  for (auto const& each : functions)
    if (each.name == name) {
      if (each.has_body) return &each;
      declared = &each;
    }
  return declared;
}

variable const* source_text::find_variable(std::string_view name) const {
  for (auto const& each : variables)
    if (each.name == name) return &each;
  return nullptr;
}

std::shared_ptr<source_text const> parse(std::string text) { return parser(std::move(text)).run(); }

parser::parser(std::string text)
    : text_(std::make_shared<std::string const>(std::move(text))),
      lexer_(std::string_view(*text_).substr(
          0, text_->find('\0'))),  // fat binaries pad the text with zeros
      module_(std::make_shared<source_text>()) {
  module_->text = text_;
}

token parser::expect(char punctuation, char const* where) {
  if (!lexer_.peek().is(punctuation)) {
    auto const& found = lexer_.peek();
    wrong(
        say("expected '", punctuation, "' ", where, ", found ",
            found.what == token::kind::end ? "the end of the text" : say('\'', found.text, '\'')));
  }
  return lexer_.next();
}

token parser::expect_word(char const* what) {
  if (lexer_.peek().what != token::kind::word)
    wrong(say("expected ", what, ", found '", lexer_.peek().text, '\''));
  return lexer_.next();
}

bool parser::take(char punctuation) {
  if (!lexer_.peek().is(punctuation)) return false;
  lexer_.next();
  return true;
}

bool parser::take(std::string_view word) {
  if (!lexer_.peek().is(word)) return false;
  lexer_.next();
  return true;
}

std::uint64_t parser::expect_integer(char const* what) {
  if (lexer_.peek().what != token::kind::integer)
    wrong(say("expected ", what, ", found '", lexer_.peek().text, '\''));
  return lexer_.next().bits;
}

std::shared_ptr<source_text const> parser::run() {
  if (!lexer_.peek().is(".version")) wrong("a PTX module begins with .version; this text does not");
  scopes_.emplace_back(nullptr);
  scope_ = &scopes_.back();
  while (lexer_.peek().what != token::kind::end) module_directive();
  return module_;
}

void parser::skip_statement() {
  int depth = 0;
  while (true) {
    token const taken = lexer_.next();
    if (taken.what == token::kind::end) wrong("the text ends inside a statement");
    if (taken.is('{')) ++depth;
    if (taken.is('}') && --depth <= 0) return;
    if (taken.is(';') && depth == 0) return;
  }
}

void parser::file_directive() {
  auto const number = expect_integer("the number of a .file");
  if (lexer_.peek().what != token::kind::string) wrong("the .file has no name");
  std::string name(lexer_.next().text);
  if (number > 1'000'000) wrong("the number of the .file exceeds one million");
  if (module_->files.size() <= number) module_->files.resize(number + 1);
  module_->files[number] = std::move(name);
  while (take(',')) lexer_.next();  // time stamp and size
}

void parser::location_directive() {
  source_file_ =
      static_cast<int>(std::min<std::uint64_t>(expect_integer("the file of a .loc"), 1'000'000));
  source_line_ = static_cast<int>(
      std::min<std::uint64_t>(expect_integer("the line of a .loc"), 1'000'000'000));
  expect_integer("the column of a .loc");
  while (take(',')) {  // function_name label [+ offset], inlined_at file line column
    if (take("function_name")) {
      lexer_.next();
      if (take('+')) lexer_.next();
    } else if (take("inlined_at")) {
      for (int i = 0; i < 3; ++i) expect_integer("a number of inlined_at");
    } else {
      wrong("an attribute of .loc is neither function_name nor inlined_at");
    }
  }
}

void parser::module_directive() {
  bool is_extern = false;
  while (true) {  // linkage
    if (take(".visible") || take(".weak") || take(".common")) continue;
    if (take(".extern")) {
      is_extern = true;
      continue;
    }
    break;
  }
  token const first = lexer_.next();
  if (first.is(';')) return;
  if (first.is(".version")) {
    lexer_.next();
  } else if (first.is(".target")) {
    module_->target = lexer_.next().text;
    while (take(',')) lexer_.next();
  } else if (first.is(".address_size")) {
    if (expect_integer("an address size") != 64) wrong("only .address_size 64 is supported");
  } else if (first.is(".entry")) {
    function_header(true, is_extern);
  } else if (first.is(".func")) {
    function_header(false, is_extern);
  } else if (first.is(".global")) {
    module_variable(space::global, is_extern);
  } else if (first.is(".const")) {
    module_variable(space::constant, is_extern);
  } else if (first.is(".shared")) {
    module_variable(space::shared, is_extern);
  } else if (first.is(".local")) {
    module_variable(space::local, is_extern);
  } else if (first.is(".file")) {
    file_directive();
  } else if (first.is(".loc")) {
    location_directive();
  } else if (first.is(".section")) {
    lexer_.next();
    skip_statement();
  } else if (first.is(".alias") || first.is(".pragma") || first.is(".managed")) {
    skip_statement();
  } else {
    fail(trouble::text, first.line,
         say("'", first.text, "' does not begin a module-level directive"));
  }
}

std::vector<variable const*> parser::parameter_list(function& into, space where) {
  std::vector<variable const*> list;
  expect('(', "before a parameter list");
  if (take(')')) return list;
  do {
    if (!take(".param") && !take(".reg")) wrong("expected .param in a parameter list");
    into.locals.push_back(declaration(where));
    list.push_back(&into.locals.back());
  } while (take(','));
  expect(')', "after a parameter list");
  return list;
}

void parser::function_directives(function& into) {
  auto const numbers = [&](std::uint32_t(&three)[3]) {
    three[0] = three[1] = three[2] = 1;
    int i = 0;
    do {
      auto const value = expect_integer("a number of threads");
      if (i < 3) three[i++] = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 1u << 30));
    } while (take(','));
  };
  std::uint32_t ignored[3];
  while (lexer_.peek().what == token::kind::dotted) {
    token const name = lexer_.next();
    if (name.is(".reqntid")) {
      numbers(into.required_threads);
    } else if (name.is(".maxntid")) {
      numbers(into.maximum_threads);
    } else if (name.is(".reqnctapercluster")) {
      numbers(into.required_cluster);
    } else if (name.is(".maxnreg")) {
      numbers(into.most_registers);
    } else if (name.is(".minnctapersm")) {
      numbers(into.blocks_per_processor);
    } else if (name.is(".maxnctapersm") || name.is(".maxclusterrank")) {
      numbers(ignored);
    } else if (name.is(".explicitcluster") || name.is(".noreturn") ||
               name.is(".blocksareclusters")) {
    } else if (name.is(".pragma") || name.is(".abi_preserve") || name.is(".abi_preserve_control")) {
      lexer_.next();
      take(';');
    } else if (name.is(".attribute")) {
      while (!take(')'))
        if (lexer_.next().what == token::kind::end) wrong("the text ends inside .attribute");
    } else {
      fail(trouble::text, name.line, say("'", name.text, "' is not a directive of a function"));
    }
  }
}

void parser::function_header(bool is_entry, bool is_extern) {
  module_->functions.emplace_back();
  function& made = module_->functions.back();
  made.is_entry = is_entry;
  made.line = lexer_.peek().line;
  scopes_.clear();
  scopes_.emplace_back(nullptr);
  scope_ = &scopes_.back();
  source_file_ = source_line_ = 0;
  if (take(".attribute"))
    while (!take(')'))
      if (lexer_.next().what == token::kind::end) wrong("the text ends inside .attribute");
  auto const where = is_entry ? space::parameter : space::local;
  if (!is_entry && lexer_.peek().is('(')) made.results = parameter_list(made, where);
  made.name = expect_word("the name of a function").text;
  if (lexer_.peek().is('(')) made.parameters = parameter_list(made, where);
  function_directives(made);
  for (auto const& each : made.locals)
    if (each.name != "_" && !scope_->declare(each.name, {0, 0, 1, &each}))
      wrong(say("parameter '", each.name, "' is declared twice"));
  if (take(';')) return;
  if (is_extern) wrong("an .extern function has a body");
  made.has_body = true;
  current_ = &made;
  body();
  current_ = nullptr;
}

}  // namespace machine
