#!/usr/bin/env python3
"""Compiles example kernels for one architecture.

    architectures.py --nvcc nvcc --root REPOSITORY --arch sm_86

ARCHITECTURES in an example's CMakeLists.txt lists the architectures for which the build compiles its
kernels. A kernel that lists sm_80, sm_89 or sm_90 first runs on later architectures, too. A kernel
that lists sm_90a or sm_100a alone runs on this architecture, and one that lists sm_100a alone also
on sm_100f and sm_110a. A kernel is compiled if it runs on the architecture and does not list it.
INSTANCES lists the instances of templates.
"""

import argparse
import concurrent.futures
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def runs_on(listed, target):
    """Returns True if a kernel whose example lists these architectures runs on the target."""
    if target in ("sm_100f", "sm_110a"):
        return listed == ["sm_100a"]
    number = int(re.sub(r"\D", "", target))
    means_later = len(listed) > 1 or listed[0][-1].isdigit()
    return means_later and int(re.sub(r"\D", "", listed[0])) <= number


def programs(folder):
    """Yields (kernel files, architectures, text) for each program of an example."""
    for text in (folder / "CMakeLists.txt").read_text().split("axe_add_kernel_example(")[1:]:
        named = re.search(r"KERNELS ([^\n]+)", text)
        files = sorted(folder.glob("*.cuh"))
        if named:
            files = [folder / name for name in named[1].split()]
        yield files, re.search(r"ARCHITECTURES ([^\n]+)", text)[1].split(), text


def sources(root, target):
    """Yields (name, text) for each kernel file that runs on the target and is not built for it."""
    for folder in sorted(root.glob("examples/[0-9]*")):
        for files, architectures, listed in programs(folder):
            if target in architectures or not runs_on(architectures, target):
                continue
            for path in files:
                if "__global__" not in path.read_text():
                    continue
                instances = re.findall(rf'"{re.escape(path.name)}: *([^"]+)"', listed)
                kept = "".join(f"  (void)&{one};\n" for one in instances)
                yield f"{folder.name}/{path.name}", f"#include <{folder.name}/{path.name}>\nvoid keep() {{\n{kept}}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True, help="the nvcc to use")
    parser.add_argument("--root", required=True, type=pathlib.Path, help="the checkout")
    parser.add_argument("--arch", required=True, help="such as sm_86")
    parser.add_argument("--third", action="store_true",
                        help="compile a third of the files, another one each day, or all if it is empty")
    given = parser.parse_args()
    chosen = list(sources(given.root, given.arch))
    if given.third:
        chosen = chosen[datetime.date.today().toordinal() % 3 :: 3] or chosen

    with tempfile.TemporaryDirectory() as folder:

        def compile_one(number, name, text):
            source = pathlib.Path(folder) / f"{number}.cu"
            source.write_text(text)
            command = [given.nvcc, "-std=c++20", f"-arch={given.arch}", "-cubin",
                       "-Werror", "all-warnings",
                       f"-I{given.root}/include", f"-I{given.root}/examples", str(source),
                       "-o", f"{source}bin"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            return name, done.returncode, done.stdout + done.stderr

        with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            jobs = [pool.submit(compile_one, n, *one) for n, one in enumerate(chosen)]
            results = [job.result() for job in jobs]
    failed = [(name, said) for name, code, said in results if code]
    for name, said in failed:
        print(f"{name} does not compile for {given.arch}:\n{said[:3000]}")
    print(f"{given.arch}: {len(results) - len(failed)} of {len(results)} kernel files compile")
    sys.exit(bool(failed) or not results)


if __name__ == "__main__":
    main()
