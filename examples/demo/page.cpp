#include "page.hpp"

#include <axe/draw/svg_writer.hpp>

namespace demo {

namespace {

std::string escaped(std::string const& text) { return axe::drawing::svg_writer::escaped(text); }

}  // namespace

page::page(std::string const& title)
    : head(R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>)" + escaped(title) +
           R"(</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 1rem auto; padding: 0 1rem; }
code { overflow-wrap: anywhere; }
img { max-width: 100%; }
section { border-top: 1px solid #8886; margin-top: 2rem; }
.source { opacity: 0.7; font-size: 0.9em; }
</style>
</head>
<body>
<h1>)" + escaped(title) +
           "</h1>\n") {}

void page::section(std::string const& heading) {
  contents += (contents.empty() ? "" : "</ul>\n") + ("<p>" + escaped(heading)) + "</p>\n<ul>\n";
}

void page::add(entry const& e, std::vector<std::string> const& pictures,
               std::string const& checked) {
  contents += "<li><a href=\"#" + e.name + "\">" + escaped(e.title) + "</a></li>\n";
  auto const notation = axe::to_text(e.layout);
  body += "<section id=\"" + e.name + "\">\n<h2>" + escaped(e.title) + "</h2>\n<p><code>" +
          escaped({notation.begin(), notation.end()}) + "</code></p>\n<p>" + escaped(e.about) +
          "</p>\n";
  for (std::string const& file : pictures)
    body += "<p><img src=\"" + file + "\" alt=\"" + escaped(e.title) + "\" loading=\"lazy\"></p>\n";
  body += "<p class=\"source\">Source: " + escaped(e.source) +
          (checked.empty() ? "" : ". " + checked + ".") + "</p>\n</section>\n";
}

std::string page::html() const {
  return head + contents + (contents.empty() ? "" : "</ul>\n") + body + "</body>\n</html>\n";
}

}  // namespace demo
