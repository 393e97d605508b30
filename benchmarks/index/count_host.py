#!/usr/bin/env python3
"""Counts with callgrind the x86-64 instructions that every index pattern executes on the host, by
hand and by axe.

    count_host.py --program host_patterns    a table; exit code 1 if axe executes more than the
                                             hand-written form in a pattern that is not in
                                             KNOWN; 77 without valgrind
    count_host.py … --json                   one object per pattern: {"pattern": …, "hand": n,
                                             "axe": n}

Each form runs for up to 64 threads of the first block and of the last block of every launch. The
instructions of called functions count too. The program is benchmarks/index/host.cpp.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The patterns in which axe's form may execute more, for each compiler. The section "Host code" of
# docs/index_code.md has the reasons.
KNOWN = {
    "clang 16": {"transpose_padded", "transpose_swizzled", "vectors_by_pitch", "vectors_partial"},
    "clang 19": {"vectors_by_pitch", "vectors_partial"},
    "g++ 12": {"batched_32", "batched_64", "partial_tile", "sharded"},
}

FUNCTION = re.compile(r"form_(hand|axe)<pattern::(\w+)>")


def counts_of(profile):
    """Returns {pattern: {form: instructions}} of a callgrind profile. The lines below `fn=` have the
    costs of the function and of its calls.
    """
    names = {}
    found = {}
    current = None
    for line in profile.splitlines():
        match = re.match(r"fn=\((\d+)\)(?: (.*))?$", line)
        if match:
            if match.group(2):
                names[match.group(1)] = match.group(2)
            form = FUNCTION.search(names[match.group(1)])
            current = found.setdefault(form.group(2), {"hand": 0, "axe": 0}) if form else None
            kind = form.group(1) if form else None
            continue
        match = re.match(r"cfn=\((\d+)\)(?: (.*))?$", line)
        if match and match.group(2):
            names[match.group(1)] = match.group(2)
        if current is not None:
            cost = re.match(r"[+\-*]?\d* (\d+)$", line)
            if cost:
                current[kind] += int(cost.group(1))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the program made from host.cpp")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    valgrind = shutil.which("valgrind")
    if not valgrind:
        print("skipped: no valgrind found")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile")
        program = os.path.abspath(options.program)
        done = subprocess.run([valgrind, "--tool=callgrind", f"--callgrind-out-file={out}",
                               program], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"callgrind failed:\n{done.stderr[:4000]}")
        with open(out, encoding="utf-8") as file:
            found = counts_of(file.read())
    worse = [name for name, forms in sorted(found.items()) if forms["axe"] > forms["hand"]]
    if options.json:
        for name, forms in sorted(found.items()):
            print(json.dumps({"pattern": name, **forms}))
    else:
        print(f"{'pattern':<22}{'hand':>10}{'axe':>10}")
        for name, forms in sorted(found.items()):
            print(f"{name:<22}{forms['hand']:>10}{forms['axe']:>10}{'  more' if name in worse else ''}")
        print(f"{len(found)} patterns: axe executes more than the hand-written form in {len(worse)}")
    unknown = [name for name in worse if name not in KNOWN.get(done.stdout.strip(), set())]
    for name in unknown:
        print(f"{name}: axe executes {found[name]['axe']} instructions, hand {found[name]['hand']}",
              file=sys.stderr)
    sys.exit(1 if unknown or not found or any(0 in forms.values() for forms in found.values())
             else 0)


if __name__ == "__main__":
    main()
