// Writes the gallery as a page: every layout with its notation, its source and its pictures.
//
//     page all("axe: a gallery of layouts");
//     all.section("examples/gallery.axe");
//     all.add(e, {"tensor-core-tile.svg"}, "7 of 7 values printed in the source agree");
//     text::write_whole_file("build/demo/index.html", all.html());
#pragma once

#include "gallery.hpp"

namespace demo {

class page {
 public:
  explicit page(std::string const& title);

  void section(std::string const& heading);
  void add(entry const& e, std::vector<std::string> const& pictures, std::string const& checked);
  std::string html() const;

 private:
  std::string head, contents, body;
};

}  // namespace demo
