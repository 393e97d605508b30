#!/usr/bin/env python3
"""Tests check.py: it accepts correct cases and gives wrong ones the right verdict.

    self_test.py --compiler g++
"""

import argparse
import pathlib
import sys
import tempfile

from check import compiler_or_skip, judge

SENTENCE = """\
template <int Extent> struct extent_is_not_positive;
#if defined(AXE_EXPECT_FAILURE)
int wrong = sizeof(extent_is_not_positive<-3>);
#endif
"""
LONG = """\
#if defined(AXE_EXPECT_FAILURE)
""" + "".join(f"int wrong_{i} = no_such_name_{i};\n" for i in range(6)) + """\
#endif
"""

# A description of the case, its text, and its expected verdict.
CASES = [
    ("a sound case", "// expect: extent_is_not_positive<-3>\n" + SENTENCE, "ok"),
    ("two expectations that hold", "// expect: error\n// expect: is_not_positive<-3>\n" + SENTENCE,
     "ok"),
    ("an expectation for another compiler",
     "// expect: is_not_positive\n// expect-{other}: never said\n" + SENTENCE, "ok"),
    ("an expectation for this compiler",
     "// expect: is_not_positive\n// expect-{kind}: never said\n" + SENTENCE, "wrong message"),
    ("a wrong number in the message", "// expect: extent_is_not_positive<-4>\n" + SENTENCE,
     "wrong message"),
    ("one of two expectations wrong", "// expect: is_not_positive\n// expect: <-4>\n" + SENTENCE,
     "wrong message"),
    ("garbage", "// expect: .\nthis is not a program\n", "does not build"),
    ("an empty body", "// expect: .\n", "builds"),
    ("a misspelt macro", "// expect: .\n#if defined(AXE_EXPECT_FAILUR)\n#error never\n#endif\n",
     "builds"),
    ("more lines than allowed", "// expect: no_such_name_0\n" + LONG * 2, "too long"),
    ("no expectation", SENTENCE, "malformed"),
    ("an expectation for another compiler only", "// expect-{other}: is_not_positive\n" + SENTENCE,
     "malformed"),
    ("an unknown compiler", "// expect: .\n// expect-msvc: .\n" + SENTENCE, "malformed"),
    ("an invalid regular expression", "// expect: is_not_positive<(\n" + SENTENCE, "malformed"),
    ("an empty expectation", "// expect:\n" + SENTENCE, "malformed"),
    ("a case that is skipped with a reason", "// skip-{kind}: a known limit\n" + SENTENCE,
     "skipped"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="the compiler, such as g++")
    arguments = parser.parse_args()
    compiler = compiler_or_skip(arguments.compiler)
    other = "clang" if compiler.kind == "gcc" else "gcc"

    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, text, status) in enumerate(CASES):
            path = pathlib.Path(folder) / f"case_{number}.cpp"
            path.write_text(text.replace("{kind}", compiler.kind).replace("{other}", other))
            verdict = judge(compiler, path, [])
            if verdict.status != status:
                wrong += 1
                print(f"FAILED {name}: '{verdict.status}' ({verdict.detail}) instead of '{status}'\n{verdict.output}")
    print(f"{compiler}: {len(CASES) - wrong} of {len(CASES)} verdicts of check.py are right")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
