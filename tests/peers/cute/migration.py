#!/usr/bin/env python3
"""Compiles CuTe's side of every line of docs/cute.md and compares each expression with the answer
next to it.

    migration.py --page docs/cute.md --cute DIR --cuda-include DIR [--compiler g++]
"""

import argparse
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cute_static  # noqa: E402


def table_reader():
    spec = importlib.util.spec_from_file_location("our_side",
                                                  HERE.parents[1] / "cute" / "migration.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", required=True, type=pathlib.Path, help="the Markdown page")
    parser.add_argument("--cute", required=True, type=pathlib.Path,
                        help="the folder that holds cute/")
    parser.add_argument("--cuda-include", required=True, type=pathlib.Path, help="CUDA's headers")
    parser.add_argument("--compiler", default="g++",
                        help="the program of the compiler (default: %(default)s)")
    arguments = parser.parse_args()
    table = table_reader().rows(arguments.page)
    flags = ["-I", str(arguments.cute), "-isystem", str(arguments.cuda_include),
             "-isystem", str(arguments.cuda_include / "cccl")]
    wrong = 0
    answers = cute_static.ask(arguments.compiler, flags, [row[1] for row in table])
    for (number, cute, _, answer), found in zip(table, answers):
        said = found.words if isinstance(found, cute_static.Refused) else str(found)
        if said != answer:
            wrong += 1
            print(f"{arguments.page.name}:{number}: {cute}\n  page  {answer}\n  CuTe  {said}")
    print(f"{arguments.page.name}: {len(table)} lines of CuTe, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
