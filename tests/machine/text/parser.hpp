// Parses PTX text, in three files:
//
//     parser_module.cpp        directives, functions and their headers
//     parser_variables.cpp     .global .const .shared .local .param, their arrays, initialisers
//     parser_body.cpp          registers, labels, guards, instructions, operands
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "text/error.hpp"
#include "text/lexer.hpp"
#include "text/scope.hpp"
#include "text/syntax.hpp"

namespace machine {

class parser {
 public:
  explicit parser(std::string text);
  std::shared_ptr<source_text const> run();

 private:
  // parser_module.cpp
  void module_directive();
  void skip_statement();  // to the next ';' outside braces, or to the end of a { } block
  void function_header(bool is_entry, bool is_extern);
  void function_directives(function& into);
  std::vector<variable const*> parameter_list(function& into, space where);
  void file_directive();
  void location_directive();

  // parser_variables.cpp
  void module_variable(space where, bool is_extern);
  void local_variable(space where);
  variable declaration(space where);
  void array_extents(variable& into, std::uint64_t element_bytes);
  void initialiser(variable& into, std::uint64_t element_bytes, std::uint64_t& offset);
  void initial_value(variable& into, std::uint64_t element_bytes, std::uint64_t offset);

  // parser_body.cpp
  void body();
  void body_item();
  void register_declaration();
  void label(token const& name);
  void instruction(guard when);
  guard take_guard();
  operand take_operand();
  operand simple_operand();
  operand address_operand();
  operand named_operand(token const& first);
  operand vector_operand(token const& name, std::uint32_t id, std::uint32_t elements,
                         bool is_element);
  operand number_operand(bool negative);
  void close_function();
  void remember_fixups(statement& of);
  void resolve(operand& name, scope const& where, int line);

  // tokens
  token expect(char punctuation, char const* where);
  token expect_word(char const* what);
  bool take(char punctuation);
  bool take(std::string_view word);
  std::uint64_t expect_integer(char const* what);
  [[noreturn]] void wrong(std::string sentence) const {
    fail(trouble::text, lexer_.peek().line, std::move(sentence));
  }

  /// Counts nested braces, and rejects the text before the parser's stack overflows.
  class nested {
   public:
    explicit nested(parser& of) : depth_(of.depth_) {
      if (depth_ >= 64) of.wrong("more than 64 braces, brackets or signs are nested");
      ++depth_;
    }
    ~nested() { --depth_; }
    nested(nested const&) = delete;
    nested& operator=(nested const&) = delete;

   private:
    unsigned& depth_;
  };

  /// An operand whose name is looked up at the end of the function.
  struct fixup {
    operand* name;
    scope const* where;
    int line;
  };

  std::shared_ptr<std::string const> text_;
  lexer lexer_;
  std::shared_ptr<source_text> module_;
  function* current_ = nullptr;
  scope* scope_ = nullptr;
  std::deque<scope> scopes_;
  std::vector<fixup> fixups_;
  unsigned depth_ = 0;
  int source_file_ = 0;
  int source_line_ = 0;
};

}  // namespace machine
