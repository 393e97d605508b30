// The extension module axe._axe: the calculator, the commands of the program `axe`, and arrays of
// positions. python/axe/ makes classes and functions of them.
//
//     session = _axe.Session(1_000_000)
//     session.evaluate("span(S[8:1], m)").text         "8"
//     _axe.command(["map", "S[4:1]"])                  (exit code, standard output, standard error)
#include "positions.hpp"

#include "commands/command.hpp"
#include "eval/function.hpp"
#include "eval/json.hpp"
#include "eval/session.hpp"
#include "text/sink.hpp"

#include <axe/bridge/tirx.hpp>
#include <axe/bridge/triton.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>

namespace nb = nanobind;

namespace {

using calculator::answer;
using calculator::session;

/// The largest number of positions of one element that `positions` lists.
constexpr axe::integer most_replicas = 1 << 24;

std::string json_of(answer const& a) {
  text::json out;
  calculator::write(out, a.held);
  return out.str();
}

nb::list numbers_of(axe::refusal const& why) {
  nb::list out;
  for (int i = 0; i < axe::detail::numbers_in(why.which); ++i) out.append(why.numbers[i]);
  return out;
}
nb::list axes_of(axe::refusal const& why) {
  nb::list out;
  for (int i = 0; i < axe::detail::axes_in(why.which); ++i) out.append(text::printed(why.axes[i]));
  return out;
}

/// The layout or axis that is the value of `words`. The Python side has checked that it is one.
template <class T> T read_as(session& in, std::string const& words) {
  answer const a = in.evaluate(words);
  T const* const held = std::get_if<T>(&a.held);
  if (a.how != calculator::outcome_of_line::answered || held == nullptr)
    throw std::invalid_argument(a.words);
  return *held;
}

/// The positions of every element on an axis, and how many positions one element has.
nb::tuple positions(session& in, std::string const& of, std::string const& on) {
  auto const l = read_as<axe::layout>(in, of);
  auto const a = read_as<axe::axis>(in, on);
  std::vector<std::int64_t> const first = module::first_positions(l, a, most_replicas);
  auto count = static_cast<axe::integer>(first.size());
  if (first.empty() || !axe::detail::multiply(count, axe::size(l)) || count > (1LL << 48))
    throw std::bad_alloc();
  // std::make_unique would write zeros first.
  std::unique_ptr<std::int64_t[]> data(new std::int64_t[static_cast<std::size_t>(count)]);
  module::write_positions(l, a, first, data.get());
  std::int64_t* const written = data.get();
  nb::capsule owner(data.release(),
                    [](void* p) noexcept { delete[] static_cast<std::int64_t*>(p); });
  std::size_t const shape[] = {static_cast<std::size_t>(count)};
  return nb::make_tuple(nb::ndarray<nb::numpy, std::int64_t>(written, 1, shape, owner),
                        first.size());
}

/// The functions as a list of (name, parameters, help, kind of the result, [[kinds that argument i
/// takes], …], least and most number of arguments). `most` is -1 for any number.
nb::list table() {
  nb::list out;
  for (calculator::function const& f : calculator::functions()) {
    nb::list takes;
    int const arguments = f.most < 0 ? f.least + 1 : f.most;
    for (int i = 0; i < arguments; ++i) {
      nb::list kinds;
      for (int k = 1; k <= static_cast<int>(calculator::kind::conversion); ++k)
        if (f.accepts(i, static_cast<calculator::kind>(k)))
          kinds.append(calculator::name_of(static_cast<calculator::kind>(k)));
      takes.append(kinds);
    }
    out.append(nb::make_tuple(f.name, f.parameters, f.help, calculator::name_of(f.result), takes,
                              f.least, f.most));
  }
  return out;
}

/// The extents and strides, in elements, of a tensor with DLPack or the buffer protocol.
nb::tuple strides(nb::ndarray<nb::ro> const& of) {
  nb::list extents, steps;
  for (std::size_t d = 0; d < of.ndim(); ++d) {
    extents.append(of.shape(d));
    steps.append(of.stride(d));
  }
  return nb::make_tuple(extents, steps);
}

nb::tuple command(std::vector<std::string> const& words) {
  std::ostringstream out, err;
  int code = 0;
  {
    nb::gil_scoped_release others_run;
    code = program::run(words, out, err);
  }
  return nb::make_tuple(code, out.str(), err.str());
}

/// Runs the program on the standard streams of the process. A word may have any bytes.
int run_process(nb::list const& words) {
  std::vector<std::string> given;
  for (nb::handle const word : words) {
    auto const bytes = nb::cast<nb::bytes>(word);
    given.emplace_back(bytes.c_str(), bytes.size());
  }
  nb::gil_scoped_release others_run;
  return program::run_process(given);
}

std::string to_tirx(session& in, std::string const& of) {
  std::string out;
  text::sink to(out);
  axe::print_tirx(to, read_as<axe::layout>(in, of));
  return out;
}

/// Returns (text, "") or, after a refusal, ("", the sentence).
nb::tuple to_triton(session& in, std::string const& of, std::string const& on) {
  auto const l = read_as<axe::layout>(in, of);
  auto const s = axe::shape(read_as<axe::tree>(in, on));
  std::string out, sentence;
  text::sink to(out), to_sentence(sentence);
  if (axe::refusal const why = axe::try_print_triton(to, l, s)) {
    axe::print(to_sentence, why, {&l, nullptr, &s});
    return nb::make_tuple("", sentence);
  }
  return nb::make_tuple(out, "");
}

}  // namespace

NB_MODULE(_axe, m) {
  m.attr("version") =
      nb::str((std::to_string(AXE_VERSION_MAJOR) + "." + std::to_string(AXE_VERSION_MINOR) + "." +
               std::to_string(AXE_VERSION_PATCH))
                  .c_str());
  nb::class_<answer>(m, "Answer")
      .def_prop_ro("status",
                   [](answer const& a) {
                     constexpr char const* names[] = {"blank", "answered", "refused", "malformed"};
                     return names[static_cast<int>(a.how)];
                   })
      .def_prop_ro("kind",
                   [](answer const& a) { return calculator::name_of(calculator::kind_of(a.held)); })
      .def_ro("text", &answer::words)
      .def_prop_ro("line", &answer::text)
      .def_prop_ro("json", json_of)
      .def_ro("position", &answer::position)
      .def_ro("operation", &answer::operation)
      .def_prop_ro("rule", [](answer const& a) { return axe::name_of(a.why.which); })
      .def_prop_ro("numbers", [](answer const& a) { return numbers_of(a.why); })
      .def_prop_ro("axes", [](answer const& a) { return axes_of(a.why); });
  nb::class_<session>(m, "Session")
      .def(nb::init<axe::integer>(), nb::arg("steps"))
      .def("evaluate", [](session& in, std::string const& line) { return in.evaluate(line); })
      .def("declare", [](session& in, std::string const& name, std::string const& kind) {
        return in.declare(name, kind);
      });
  m.def("positions", positions);
  m.def("strides", strides);
  m.def("table", table);
  m.def("command", command);
  m.def("run_process", run_process);
  m.def("to_tirx", to_tirx);
  m.def("to_triton", to_triton);
}
