"""CuTe's side at compile time: one line of C++ for each question, all answered in one compiler run.
A deprecation warning names the type of each result. Lines with errors are questions that do not
compile.

    ask(compiler, include, ["composition(Layout<…>{}, …)", …])
        -> [Layout or int or Refused(first message), …]
"""

import dataclasses
import pathlib
import re
import subprocess
import tempfile

from plain_layouts import Layout, Swizzled

PRELUDE = """#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>
#include <cute/swizzle_layout.hpp>
using namespace cute;
template <int Question, class T> [[deprecated]] void answer(T const&) {}
"""
ANSWER = re.compile(r"answer\(const T&\) \[with int Question = (\d+); T = (.*)\][’'] is deprecated")
WHERE = re.compile(r"questions\.cpp:(\d+):\d+: +(?:required from here|  required from here)")
DIRECT = re.compile(r"questions\.cpp:(\d+):\d+: error: (.*)")
ERROR = re.compile(r"error: (.*)")


class Dynamic(Exception):
    """A result of static operands with a run-time number."""


@dataclasses.dataclass(frozen=True)
class Refused:
    words: str

    @property
    def on_purpose(self):
        """True for a static assertion of CuTe, false for an internal error."""
        return "static assertion failed" in self.words


def split(arguments):
    """The template arguments at the top level."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(arguments):
        depth += (c in "<(") - (c in ">)")
        if c == "," and depth == 0:
            parts.append(arguments[begin:i].strip())
            begin = i + 1
    last = arguments[begin:].strip()
    return parts + [last] if last else parts


def tree(spelled):
    spelled = spelled.removeprefix("const ").strip()
    if spelled in ("int", "unsigned int", "long int"):
        raise Dynamic
    inner = spelled[spelled.index("<") + 1:spelled.rindex(">")]
    if spelled.startswith(("cute::C<", "cute::constant<", "cute::integral_constant<")):
        return int(split(inner)[-1].rstrip("ul"))
    if spelled.startswith("cute::tuple<"):
        return tuple(tree(entry) for entry in split(inner))
    raise ValueError(f"no tuple of static integers: {spelled}")


def result_of(spelled):
    if spelled.startswith("cute::Layout<"):
        shape, stride = split(spelled[spelled.index("<") + 1:spelled.rindex(">")])
        return Layout(tree(shape), tree(stride))
    if spelled.startswith("cute::ComposedLayout<"):
        swizzle, offset, inner = split(spelled[spelled.index("<") + 1:spelled.rindex(">")])
        if not swizzle.startswith("cute::Swizzle<"):
            raise Dynamic  # a function of CuTe's that is not a layout
        return Swizzled(tuple(map(int, split(swizzle[swizzle.index("<") + 1:-1]))), tree(offset), result_of(inner))
    return tree(spelled)


def ask(compiler, flags, expressions):
    answers = [Refused("no answer")] * len(expressions)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "questions.cpp"
        lines = PRELUDE.splitlines()
        first = len(lines) + 1
        lines += [f"void q{i}() {{ answer<{i}>({expression}); }}" for i, expression in enumerate(expressions)]
        source.write_text("\n".join(lines) + "\n")
        run = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-Wdeprecated-declarations", "-fno-diagnostics-show-caret", "-fmax-errors=0",
                              "-ftemplate-backtrace-limit=0", *flags, str(source)],
                             capture_output=True, text=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/local/bin"})
    failed, where = {}, None
    for line in run.stderr.splitlines():
        if found := ANSWER.search(line):
            try:
                answers[int(found[1])] = result_of(found[2])
            except Dynamic:
                answers[int(found[1])] = Refused("a number of the result is known at run time only")
        elif found := DIRECT.search(line):
            failed.setdefault(int(found[1]) - first, found[2])
        elif "questions.cpp:" in line and "required from here" in line:
            where = int(re.search(r"questions\.cpp:(\d+)", line)[1]) - first
        elif (found := ERROR.search(line)) and where is not None:
            failed.setdefault(where, found[1])
        elif found:
            raise RuntimeError(f"CuTe's headers do not compile: {line}")
    for i, words in failed.items():
        if not 0 <= i < len(answers):
            raise RuntimeError(f"CuTe's headers do not compile: {words}")
        answers[i] = Refused(words)
    return answers
