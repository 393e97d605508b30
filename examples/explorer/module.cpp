// The functions of the WebAssembly module: run one command line of `axe`, and read what it printed
// and drew.
//
//     char* at = explorer_words(bytes);      the caller writes "draw\0S[8:1]\0--shape\08\0" there
//     int code = explorer_run();             the exit code of the command
//     explorer_text(0), explorer_size(0)     0: standard output, 1: standard error, 2: the picture
#include "commands/command.hpp"
#include "draw/terminal.hpp"
#include "text/whole_file.hpp"

#include <sstream>

namespace {

std::string words, texts[3];

}  // namespace

namespace text {

/// The only files that commands write are pictures.
std::string write_whole_file(std::string const&, std::string_view content) {
  texts[2] = content;
  return "";
}

}  // namespace text

namespace draw {

/// Pictures in text have no colours and are 120 characters wide.
axe::drawing::text_options picture_options(std::ostream const&) {
  axe::drawing::text_options options;
  options.width = 120;
  return options;
}

}  // namespace draw

extern "C" {

[[clang::export_name("explorer_words")]] char* explorer_words(std::size_t bytes) {
  words.assign(bytes, '\0');
  return words.data();
}

[[clang::export_name("explorer_run")]] int explorer_run() {
  std::vector<std::string> list;
  for (std::size_t begin = 0, end; (end = words.find('\0', begin)) != words.npos; begin = end + 1)
    list.push_back(words.substr(begin, end - begin));
  std::ostringstream out, err;
  texts[2].clear();
  int const code = program::run(list, out, err);
  texts[0] = std::move(out).str();
  texts[1] = std::move(err).str();
  return code;
}

[[clang::export_name("explorer_text")]] char const* explorer_text(int which) {
  return texts[which].data();
}
[[clang::export_name("explorer_size")]] std::size_t explorer_size(int which) {
  return texts[which].size();
}
}
