#!/usr/bin/env python3
"""Checks programs that must not compile.  check.py --compiler g++ --include FOLDER CASE.cpp ...

A case must compile as it is: g++ checks this. With -DAXE_EXPECT_FAILURE it must fail with at most
15 lines, or 19 with g++ 14 and later, which also print source lines of calls. Each regular
expression of its comments must match one of the lines. If nvcc reports a refusal, line 1 must have
its sentence, and one of the first 8 lines must name the case.
    // expect: layout_size_does_not_match_shape     for every compiler
    // expect-gcc: <24, 12>                         for g++ alone; also -clang and -nvcc
    // skip-nvcc: the reason                        skips the case with this compiler
"""

import argparse
import concurrent.futures
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from compilers import compiler_or_skip, default_jobs  # noqa: E402

KINDS = ("gcc", "clang", "nvcc")
MOST_LINES, MOST_LINES_WITH_CODE = 15, 19
# nvcc prints a refusal as a class in axe::error, and at most two templates before the user's line.
RULE, SENTENCE, EARLY = "::error::", "static assertion failed with", 8
COMMENT = re.compile(r"^\s*//\s*(expect|skip)(?:-(\w+))?:[ \t]*(.*?)\s*$", re.MULTILINE)


class Malformed(Exception):
    """The comments of a case are malformed."""


@dataclasses.dataclass
class Case:
    expected: list
    skipped: str

    @staticmethod
    def read(text, kind):
        case = Case([], "")
        for word, only, value in COMMENT.findall(text):
            if only and only not in KINDS:
                raise Malformed(f"'{word}-{only}': the compilers are {', '.join(KINDS)}")
            if not value:
                raise Malformed(f"'{word}:' is empty")
            if only and only != kind:
                continue
            if word == "expect":
                case.expected.append(compiled(value))
            else:
                case.skipped = value
        if not case.expected and not case.skipped:
            raise Malformed(f"no '// expect:' line applies to {kind}")
        return case


def compiled(pattern):
    try:
        return re.compile(pattern)
    except re.error as error:
        raise Malformed(f"'{pattern}' is not a regular expression: {error}") from error


@dataclasses.dataclass
class Verdict:
    """The result of a case: its status, one line of detail, and the compiler's output."""
    status: str
    detail: str
    output: str = ""


def most_lines(compiler):
    prints_code = compiler.kind == "gcc" and int(compiler.version.split(".")[0]) >= 14
    return MOST_LINES_WITH_CODE if prints_code else MOST_LINES


def precompile(compiler, include, folder):
    """Precompiles axe/axe.hpp, the first header of most cases, into `folder`. g++ uses it if `folder`
    precedes `include` in the search path. Only cases that must build use it, because after a
    precompiled header an error lacks its line `from CASE.cpp`.
    """
    header = pathlib.Path("axe/axe.hpp")
    (folder / header).parent.mkdir()
    subprocess.run([compiler.path, "-std=c++20", "-x", "c++-header", include / header, "-I", include,
                    "-o", folder / f"{header}.gch"], capture_output=True, check=False)


def judge(compiler, path, flags, precompiled=()):
    try:
        case = Case.read(path.read_text(), compiler.kind)
    except Malformed as error:
        return Verdict("malformed", str(error))
    if case.skipped:
        return Verdict("skipped", case.skipped)

    if compiler.kind == "gcc":
        builds = compiler.check([str(path)], [*precompiled, *flags])
        if not builds.ok:
            return Verdict("does not build", "it must build without AXE_EXPECT_FAILURE",
                           builds.text)
    stops = compiler.check([str(path)], [*flags, "-DAXE_EXPECT_FAILURE"])
    if stops.ok:
        return Verdict("builds", "it must stop with AXE_EXPECT_FAILURE", stops.text)
    lines = stops.text.splitlines()
    for pattern in case.expected:
        if not any(pattern.search(line) for line in lines):
            return Verdict("wrong message", f"no line matches '{pattern.pattern}'", stops.text)
    if compiler.kind == "nvcc" and RULE in stops.text:
        if SENTENCE not in lines[0]:
            return Verdict("wrong message", "the first line has no sentence", stops.text)
        if not any(path.name in line for line in lines[:EARLY]):
            return Verdict("wrong message", f"lines 1 to {EARLY} do not name the case", stops.text)
    if len(lines) > most_lines(compiler):
        return Verdict("too long",
                       f"{len(lines)} lines, at most {most_lines(compiler)} are allowed",
                       stops.text)
    return Verdict("ok", f"{len(lines)} lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the compiler, such as g++")
    parser.add_argument("--include", required=True, type=pathlib.Path,
                        help="the folder that holds axe/")
    parser.add_argument("--jobs", type=int, default=default_jobs(),
                        help="processes at a time (default: %(default)s)")
    parser.add_argument("cases", nargs="+", type=pathlib.Path, help="one file for each case")
    arguments = parser.parse_args()
    compiler = compiler_or_skip(arguments.compiler)

    flags = ["-I", str(arguments.include)]
    if compiler.kind == "nvcc":
        flags += ["-diag-suppress",
                  "177"]  # unused variables: g++ and clang report them only with -Wall
    failed = skipped = 0
    with (tempfile.TemporaryDirectory() as folder,
          concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool):
        # For a few cases the precompiled header would cost more time than it saves.
        if compiler.kind == "gcc" and len(arguments.cases) > 9:
            precompile(compiler, arguments.include, pathlib.Path(folder))
        for path, verdict in zip(arguments.cases,
                                 pool.map(lambda case: judge(compiler, case, flags,
                                                             ["-I", folder]),
                                          arguments.cases)):
            bad = verdict.status not in ("ok", "skipped")
            failed += bad
            skipped += verdict.status == "skipped"
            print(f"{'FAILED' if bad else verdict.status:<8}{path.stem}: "
                  f"{verdict.status + ': ' if bad else ''}{verdict.detail}", flush=True)
            if bad and verdict.output:
                print("".join(f"    | {line}\n" for line in verdict.output.splitlines()),
                      flush=True)
    total = len(arguments.cases)
    print(f"{compiler}: {total - failed - skipped} of {total} cases passed, {failed} failed, {skipped} skipped")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
