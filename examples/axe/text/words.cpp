#include "text/words.hpp"
#include "text/shortened.hpp"

#include "text/nearest.hpp"

#include <cctype>
#include <charconv>

namespace text {

std::optional<std::string> words::last(std::string_view name) const {
  for (auto i = options.rbegin(); i != options.rend(); ++i)
    if (i->first == name) return i->second;
  return {};
}

std::vector<std::string> words::all(std::string_view name) const {
  std::vector<std::string> found;
  for (auto const& [key, value] : options)
    if (key == name) found.push_back(value);
  return found;
}

words split(std::vector<std::string> const& given, std::vector<option> const& known) {
  words out;
  auto const find = [&](std::string_view name) -> option const* {
    for (option const& o : known)
      if (o.name == name) return &o;
    return nullptr;
  };
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::string const& word = given[i];
    if (word == "--") {
      out.rest.insert(out.rest.end(), given.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      given.end());
      break;
    }
    std::size_t const equals = word.starts_with("--") ? word.find('=') : word.npos;
    std::string const name = word.substr(0, equals);
    option const* const o = find(name);
    if (o == nullptr) {
      // No expression begins with a dash and a letter.
      if (word.starts_with("--") || (word.size() > 1 && word[0] == '-' &&
                                     std::isalpha(static_cast<unsigned char>(word[1])))) {
        // The dashes are not compared, because they would make short names alike.
        nearest meant(std::string_view(name).substr(name[1] == '-' ? 2 : 1));
        for (option const& each : known)
          if (std::string_view const full = each.name; full.starts_with("--"))
            meant.offer(full.substr(2), full);
        out.problem = "there is no option " + shortened(name) + meant.question();
        return out;
      }
      out.rest.push_back(word);
      continue;
    }
    if (!o->takes_value && equals != word.npos) {
      out.problem = name + " takes no value";
      return out;
    }
    if (o->takes_value && equals == word.npos && i + 1 == given.size()) {
      out.problem = name + " needs a value";
      return out;
    }
    out.options.emplace_back(name, !o->takes_value       ? ""
                                   : equals != word.npos ? word.substr(equals + 1)
                                                         : given[++i]);
    if (o->takes_value && out.options.back().second.empty()) {
      out.problem = name + " is empty";
      return out;
    }
  }
  return out;
}

std::string missing(std::string_view option, std::string_view meaning, std::string_view value) {
  std::string const name(option);
  return name + " is missing: add " + std::string(meaning) + ", as in " + name + " " +
         std::string(value);
}

std::optional<long long> positive_number(std::string_view digits) {
  long long n = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc() || end != digits.data() + digits.size() || n < 1) return {};
  return n;
}

}  // namespace text
