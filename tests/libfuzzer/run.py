#!/usr/bin/env python3
"""Builds a libFuzzer target with clang++-19, with AddressSanitizer and UBSan, and runs it.

    run.py --target reader|eval|ptx --seconds 200 --folder BUILD [--root ROOT]

The seeds are the sessions of tests/cli and the PTX of tests/machine. The exit code is 1 if an input
crashes the target; the input stays in the folder. It is 77 without a clang++-19 with libFuzzer.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
FLAGS = ("-std=c++20", "-O1", "-g1", "-fsanitize=fuzzer,address,undefined",
         "-fno-sanitize-recover=all")
# For each target: its include folders, its other sources, and its seeds.
TARGETS = {
    "reader": ("include", (), "tests/cli/sessions/*.session"),
    "eval": ("examples/axe", ("examples/axe/eval/*.cpp", "examples/axe/eval/functions/*.cpp"),
             "tests/cli/sessions/*.session"),
    "ptx": ("tests/machine", ("tests/machine/text/*.cpp",), "tests/machine/breaks/*.ptx"),
}


def seeds(files, lines, folder):
    """Writes each file, or each line of a session, as a seed."""
    for path in files:
        text = path.read_text()
        parts = [line[2:] for line in text.split("\n") if line.startswith("> ")] if lines else [
            text]
        for k, part in enumerate(parts):
            (folder / f"{path.stem}.{k}").write_text(part)


def build(options, folder):
    include, sources, _ = TARGETS[options.target]
    command = ["clang++-19", *FLAGS,
               *(f"-I{options.root / folder}" for folder in ("include", "examples", include))]
    objects, jobs = [], []
    files = [options.root / f"tests/libfuzzer/{options.target}.cpp"]
    files += [path for pattern in sources for path in sorted(options.root.glob(pattern))]
    for k, path in enumerate(files):
        objects.append(folder / f"{k}.o")
        jobs.append(subprocess.Popen([*command, "-c", path, "-o", objects[-1]]))
        if len(jobs) == options.jobs or path == files[-1]:
            if any([job.wait() for job in jobs]):
                return None
            jobs = []
    program = folder / options.target
    return None if subprocess.run([*command, *objects, "-o", program]).returncode else program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", choices=TARGETS, required=True, help="the fuzzer")
    parser.add_argument("--seconds", type=int, default=200,
                        help="how long it runs (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2,
                        help="processes at a time (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, required=True,
                        help="for the fuzzer and its corpus")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[2],
                        help="the checkout")
    options = parser.parse_args()
    folder = options.folder / f"libfuzzer_{options.target}"
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    probe = "extern \"C\" int LLVMFuzzerTestOneInput(unsigned char const*, unsigned long) { return 0; }"
    if shutil.which("clang++-19") is None or subprocess.run(
        ["clang++-19", "-fsanitize=fuzzer", "-x", "c++", "-", "-o", folder / "probe"],
        input=probe.encode(), capture_output=True
    ).returncode:
        print("skipped: clang++-19 with libFuzzer is not installed")
        return SKIPPED
    program = build(options, folder)
    if program is None:
        return 1
    pattern = TARGETS[options.target][2]
    seeds(sorted(options.root.glob(pattern)), pattern.endswith(".session"), corpus)
    limits = [f"-max_total_time={options.seconds}", "-timeout=20", "-rss_limit_mb=3000",
              "-max_len=4096"]
    return int(subprocess.run([program, *limits, f"-artifact_prefix={folder}/", corpus],
                              cwd=folder).returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
