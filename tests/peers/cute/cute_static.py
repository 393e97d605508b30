"""Asks CuTe at compile time. Each question is one line of C++, and one compiler run answers all of
them: a deprecation warning of each line names the type of its result. A line with an error is a
question that does not compile.

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
DIRECT = re.compile(r"questions\.cpp:(\d+):\d+: error: (.*)")
ERROR = re.compile(r"error: (.*)")


class Dynamic(Exception):
    """Raised if static operands have a result with a number that is known at run time only."""


@dataclasses.dataclass(frozen=True)
class Refused:
    words: str

    @property
    def on_purpose(self):
        """True if a static assertion of CuTe rejected the question, false after another compile
        error or a crash.
        """
        return "static assertion failed" in self.words


def split(arguments):
    """Splits template arguments at the commas that are not inside brackets."""
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
    raise ValueError(f"not a tuple of static integers: {spelled}")


def result_of(spelled):
    if spelled.startswith("cute::Layout<"):
        shape, stride = split(spelled[spelled.index("<") + 1:spelled.rindex(">")])
        return Layout(tree(shape), tree(stride))
    if spelled.startswith("cute::ComposedLayout<"):
        swizzle, offset, inner = split(spelled[spelled.index("<") + 1:spelled.rindex(">")])
        if not swizzle.startswith("cute::Swizzle<"):
            # CuTe composed a function that is not a swizzle.
            raise Dynamic
        return Swizzled(tuple(map(int, split(swizzle[swizzle.index("<") + 1:-1]))), tree(offset),
                        result_of(inner))
    return tree(spelled)


def ask(compiler, flags, expressions):
    answers = [Refused("no answer")] * len(expressions)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "questions.cpp"
        lines = PRELUDE.splitlines()
        first = len(lines) + 1
        lines += [f"void q{i}() {{ answer<{i}>({expression}); }}"
                  for i, expression in enumerate(expressions)]
        source.write_text("\n".join(lines) + "\n")
        run = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-Wdeprecated-declarations",
                              "-fno-diagnostics-show-caret", "-fmax-errors=0",
                              "-ftemplate-backtrace-limit=0", *flags, str(source)],
                             capture_output=True, text=True,
                             env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin:/usr/local/bin"})
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
