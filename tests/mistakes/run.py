#!/usr/bin/env python3
"""Makes the mistakes of mistakes.txt in a copy of the headers: a test must notice each of them.

    run.py --compiler g++ --include ../../include [--only WORDS] [--every N]
    run.py --stale                     only checks that each entry's old text occurs exactly once

A test notices a mistake if it compiles with the headers as they are, and stops at an assertion with
the changed ones. The golden examples must compile with these too, or stop at an assertion. They may
notice at most a quarter of the mistakes: the list is not for mistakes that examples find.
"""

import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.insert(0, str(TESTS / "support"))
from compilers import Compiler, default_jobs, skip  # noqa: E402

GOLDEN_SHARE = 0.25
LEAST_MISTAKES = 25
# What g++ and clang print for a failed assertion. Its expression is false, or is not constant
# because of a refusal, an overflow or an index out of bounds. Or the refusal of an operation on
# carriers stops the build (sentence/stop.hpp).
ASSERTION = re.compile(
    r"static.assertion|static_assert|non-constant|not a constant expression"
    r"|not an integral constant|overflow in constant expression|detail::refuse|no type named .stop."
)


class Malformed(Exception):
    """An entry of mistakes.txt cannot be read."""


@dataclasses.dataclass
class Mistake:
    sentence: str
    file: str
    was: str
    now: str
    test: str
    golden: bool

    @staticmethod
    def read(paragraph):
        sentence, *fields = paragraph.splitlines()
        words = [field.split(None, 1) for field in fields]
        if [word[0] for word in words] != ["file", "was", "now", "test"] or any(
            len(word) != 2 for word in words
        ):
            raise Malformed(f"'{sentence}': expected the lines file, was, now, test")
        file, was, now, test = (word[1].strip() for word in words)
        program, *rest = test.split()
        if rest not in ([], ["golden"]):
            raise Malformed(
                f"'{sentence}': only 'golden' may follow the test, not {' '.join(rest)}"
            )
        return Mistake(sentence, file, was, now, program, bool(rest))

    def make(self, include, changed):
        """Writes a copy of the header to changed/axe, with one place changed. Returns the error of a
        stale entry, or ''."""
        header = include / "axe" / self.file
        if not header.is_file():
            return f"stale: there is no {self.file}"
        text = header.read_text(encoding="utf-8")
        found = list(re.finditer(pattern_of(self.was), text))
        if len(found) != 1:
            return f"stale: {self.file} has {len(found)} places with: {self.was}"
        if self.was == self.now:
            return "stale: nothing is changed"
        copy = changed / "axe" / self.file
        copy.parent.mkdir(parents=True)
        copy.write_text(
            text[: found[0].start()] + self.now + text[found[0].end() :], encoding="utf-8"
        )
        return ""


def pattern_of(code):
    """A regular expression that finds `code` with any spaces and line breaks between its tokens."""
    words = re.findall(r"\w+|[^\w\s]", code)
    glued = [
        a + (r"\s+" if re.match(r"\w", a[-1]) and re.match(r"\w", b[0]) else r"\s*")
        for a, b in zip(map(re.escape, words), words[1:])
    ]
    return "".join(glued) + re.escape(words[-1])


def read_table(path):
    text = "\n".join(
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )
    return [Mistake.read(paragraph) for paragraph in re.split(r"\n\s*\n", text.strip())]


@dataclasses.dataclass
class Verdict:
    error: str = ""
    golden: bool = False
    seconds: float = 0.0


class Bench:
    """One compiler, the headers as they are, and a folder for Catch2 as a precompiled header."""

    def __init__(self, compiler, include, folder):
        self.compiler = compiler
        self.include = include
        self.catch = pathlib.Path(folder) / "catch.hpp"
        self.catch.write_text(f'#include "{TESTS}/support/catch.hpp"\n', encoding="utf-8")
        golden = TESTS / "mistakes/golden.cpp"
        command = [compiler.path, "-std=c++20", "-M", f"-I{include}", f"-I{TESTS}", golden]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        self.read_by_golden = {os.path.relpath(path, include / "axe") for path in said.split()}

    def precompile(self):
        """Precompiles self.catch. If this fails, the compiler reads the header itself each time."""
        output = f"{self.catch}.{'pch' if self.compiler.kind == 'clang' else 'gch'}"
        command = [self.compiler.path, "-std=c++20", f"-I{TESTS}", "-x", "c++-header", self.catch]
        subprocess.run([*command, "-o", output], capture_output=True, check=False)

    def compiles(self, source, *folders):
        """Compiles tests/source; the headers in `folders` come first. Returns whether it compiles,
        and the output."""
        flags = [
            *(f"-I{folder}" for folder in (*folders, self.include, TESTS)),
            "-ferror-limit=1" if self.compiler.kind == "clang" else "-fmax-errors=1",
        ]
        path = TESTS / source
        if path.is_file() and 'support/catch.hpp"' in path.read_text(encoding="utf-8"):
            flags += ["-include", str(self.catch)]
        return self.compiler.check([str(path)], flags)

    def try_mistake(self, mistake):
        started = time.monotonic()
        verdict = Verdict()
        with tempfile.TemporaryDirectory() as changed:
            verdict.error = mistake.make(self.include, pathlib.Path(changed))
            if not verdict.error:
                self.judge(mistake, changed, verdict)
        verdict.seconds = time.monotonic() - started
        return verdict

    def judge(self, mistake, changed, verdict):
        if mistake.file in self.read_by_golden:
            golden = self.compiles("mistakes/golden.cpp", changed)
            verdict.golden = not golden.ok
            if verdict.golden and not ASSERTION.search(golden.text):
                verdict.error = f"the changed header does not compile: {first_line(golden.text)}"
                return
        noticed = self.compiles(mistake.test, changed)
        if noticed.ok:
            verdict.error = f"SURVIVES {mistake.test}"
        elif not ASSERTION.search(noticed.text):
            verdict.error = (
                f"{mistake.test} fails, but no assertion does: {first_line(noticed.text)}"
            )
        elif verdict.golden != mistake.golden:
            notices = "notices" if verdict.golden else "does not notice"
            verdict.error = f"golden.cpp {notices} it: correct the entry"


def report_stale(mistakes, include):
    stale = 0
    for mistake in mistakes:
        with tempfile.TemporaryDirectory() as changed:
            error = mistake.make(include, pathlib.Path(changed))
        if error:
            stale += 1
            print(f"{mistake.sentence}: {error}")
    print(f"{len(mistakes)} mistakes, {stale} stale")
    return 1 if stale else 0


def first_line(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or [""]
    return lines[0]


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="g++",
                        help="the program of the compiler (default: %(default)s)")
    parser.add_argument("--include", type=pathlib.Path, default=TESTS.parent / "include",
                        help="the folder that holds axe/")
    parser.add_argument("--build", type=pathlib.Path,
                        help="a build folder; a test that it compiled is not checked unchanged again")
    parser.add_argument("--table", type=pathlib.Path, default=HERE / "mistakes.txt",
                        help="the list of mistakes (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=default_jobs(),
                        help="processes at a time (default: %(default)s)")
    parser.add_argument("--stale", action="store_true", help="only check that every entry applies")
    parser.add_argument("--only", default="", help="only mistakes whose sentence has these words")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only every Nth mistake, others each day (default: each mistake)")
    return parser.parse_args()


def built_since(build, compiler, include):
    """The sources of tests/ that the build compiled with this compiler and no macros after the last
    change of any source or header. They compile with the headers as they are."""
    commands = build / "compile_commands.json" if build else None
    if not commands or not commands.is_file():
        return set()
    files = [*include.rglob("*.*"), *TESTS.rglob("*.?pp"), *TESTS.rglob("*.def")]
    newest = max(file.stat().st_mtime_ns for file in files)
    found = set()
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        made = pathlib.Path(entry["directory"], words[words.index("-o") + 1])
        if (
            words[0] == compiler.path
            and f"-I{include}" in words
            and not any(word.startswith("-D") for word in words)
            and made.is_file()
            and made.stat().st_mtime_ns > newest
        ):
            found.add(os.path.relpath(entry["file"], TESTS))
    return found


def report_broken_tests(bench, pool, chosen, built):
    """Returns the number of tests that do not compile with the unchanged headers. Such a test would
    seem to notice every mistake."""
    sources = sorted({"mistakes/golden.cpp", *(mistake.test for mistake in chosen)} - built)
    broken = 0
    for source, outcome in zip(sources, pool.map(bench.compiles, sources)):
        if not outcome.ok:
            print(
                f"{source} does not compile on the headers as they are: {first_line(outcome.text)}"
            )
            broken += 1
    return broken


def try_all(bench, pool, chosen):
    """Prints one line for each mistake. Returns how many are not noticed as the table says, and how
    many the golden examples notice."""
    wrong = noticed_by_golden = 0
    for mistake, verdict in zip(chosen, pool.map(bench.try_mistake, chosen)):
        by = f"{mistake.test}{', golden.cpp' if verdict.golden else ''}"
        print(
            f"{verdict.seconds:5.1f} s  {mistake.sentence}\n"
            f"         {verdict.error or 'noticed by ' + by}",
            flush=True,
        )
        wrong += bool(verdict.error)
        noticed_by_golden += verdict.golden
    return wrong, noticed_by_golden


def main():
    arguments = options()
    try:
        compiler = Compiler(arguments.compiler)
    except FileNotFoundError as missing:
        return skip(str(missing))
    try:
        mistakes = read_table(arguments.table)
    except Malformed as error:
        print(f"{arguments.table.name}: {error}")
        return 1
    chosen = [mistake for mistake in mistakes if arguments.only in mistake.sentence]
    if arguments.stale:
        return report_stale(chosen, arguments.include)
    if arguments.every > 1:
        if report_stale(chosen, arguments.include):
            return 1
        chosen = chosen[datetime.date.today().toordinal() % arguments.every :: arguments.every]

    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool,
    ):
        bench = Bench(compiler, arguments.include, folder)
        if len(chosen) > 10:  # for fewer, the header costs more than it saves
            bench.precompile()
        built = built_since(arguments.build, compiler, arguments.include)
        if report_broken_tests(bench, pool, chosen, built):
            return 1
        wrong, noticed_by_golden = try_all(bench, pool, chosen)
    print(
        f"{len(chosen)} mistakes, {len(chosen) - wrong} noticed as the table says, "
        f"{noticed_by_golden} by the golden examples"
    )
    if not arguments.only and len(mistakes) < LEAST_MISTAKES:
        print(f"fewer than {LEAST_MISTAKES} mistakes")
        wrong += 1
    if len(chosen) == len(mistakes) and noticed_by_golden > GOLDEN_SHARE * len(mistakes):
        print(
            "the golden examples notice more than a quarter: "
            "add mistakes that only real tests notice"
        )
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
