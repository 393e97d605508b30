#!/usr/bin/env python3
"""Tests judge.py without running programs: right records pass, and each kind of mistake is noticed.
"""

import array
import json
import pathlib
import random
import struct
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent)]
import judge  # noqa: E402
import listed  # noqa: E402

failures = []


def expect(what, condition):
    if not condition:
        failures.append(what)


def value(rows, columns, i, j, fast_columns):
    return i * columns + j if fast_columns else j * rows + i


def operands(m, n, k, letters, rng):
    """Returns A, B and C = A B^T as flat lists. `letters` are BLAS's N or T for A and B.
    C is column-major.
    """
    first, second = letters.split()
    a = {(i, p): rng.randint(-8, 8) / 8 for i in range(m) for p in range(k)}
    b = {(j, p): rng.randint(-8, 8) / 8 for j in range(n) for p in range(k)}
    flat_a, flat_b, flat_c = [0.0] * (m * k), [0.0] * (n * k), [0.0] * (m * n)
    for (i, p), x in a.items():
        flat_a[value(m, k, i, p, first == "T")] = x
    for (j, p), x in b.items():
        flat_b[value(n, k, j, p, second == "N")] = x
    for i in range(m):
        for j in range(n):
            flat_c[i + j * m] = sum(a[i, p] * b[j, p] for p in range(k))
    return flat_a, flat_b, flat_c


def products():
    rng = random.Random(4)
    for letters in ("N T", "T N", "N N", "T T"):
        for shape in ((5, 3, 7), (4, 6, 16)):
            a, b, c = operands(*shape, letters, rng)
            ask = (shape, letters, "f32", "f32", False)
            expect(f"a right product of {letters}", judge.wrong_product(a, b, c, *ask) is None)
            for at in (0, len(c) // 2, len(c) - 1):
                wrong = list(c)
                # The smallest possible difference of two products of such operands.
                wrong[at] += 1 / 64
                found = judge.wrong_product(a, b, wrong, *ask)
                expect(f"one wrong element of {letters}", found is not None)
            with_nan = [float("nan"), *c[1:]]
            expect("a NaN", judge.wrong_product(a, b, with_nan, *ask) is not None)
            expect("a missing element", judge.wrong_product(a, b, c[1:], *ask) is not None)
            other = "T N" if letters != "T N" else "N T"
            found = judge.wrong_product(a, b, c, shape, other, *ask[2:])
            expect("operands in another order", found is not None)
            rounded = [x * (1 + 2.0**-23) for x in c]
            expect("a rounded result passes", judge.wrong_product(a, b, rounded, *ask) is None)
            if any(c):
                found = judge.wrong_product(a, b, rounded, shape, letters, "f32", "f32", True)
                expect("a rounded result that must be exact", found is not None)


def records():
    rng = random.Random(5)
    a, b, c = operands(8, 4, 16, "N T", rng)
    check = listed.product(8, 4, 16, "N T", "f16", "f32")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = []
        for number, (direction, data) in enumerate((("in", a), ("in", b), ("out", c)), 1):
            (folder / f"copy-{number}.bin").write_bytes(struct.pack(f"<{len(data)}e", *data))
            line = {"copy": direction, "bytes": 2 * len(data), "file": f"copy-{number}.bin"}
            lines.append(json.dumps(line | {"address": 0}))
        launch = {"kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1]}
        ran = {"instructions": 70, "seconds": 0.5, "skipped": False}
        lines.append(json.dumps(launch | ran))
        lines.append(json.dumps(launch | {"instructions": 0, "seconds": 0, "skipped": True}))
        place = {"file": "a/b.hpp", "line": 4, "instruction": "wgmma"}
        for kernel in ("k", "l"):
            warning = {"warning": "proxy", "kernel": kernel, "times": 9, "text": '"x"'}
            lines.append(json.dumps(warning | place))
        (folder / "record.jsonl").write_text("\n".join(lines) + "\n")
        record = judge.record_of(folder)
        expect("a right record", judge.judge(check, "", record, folder) is None)
        no_result = [x for x in record if x.get("copy") != "out"]
        expect("no result", judge.judge(check, "", no_result, folder) is not None)
        swapped = [record[1], record[0], *record[2:]]
        expect("operands swapped", judge.judge(check, "", swapped, folder) is not None)
        expect("launches", judge.launches_of(record) == (1, 1, 70, 0.5))
        expect("warnings", judge.warnings_of(record) == {("proxy", "b.hpp:4", "wgmma")})
    said = listed.says("Passed", 2)
    expect("words", judge.judge(said, "x: Passed\ny: passed\n", [], None) is None)
    for output in (
        "",
        "Passed",
        "Passed Passed Passed",
        "Passed\nPassed\nz: Failed",
        "Passed Passed error",
    ):
        expect(f"words '{output}'", judge.judge(said, output, [], None) is not None)
    said = listed.says("Passed", 1, "relative error")
    found = judge.judge(said, "Passed, Relative error: 0", [], None)
    expect("harmless words", found is None)
    found = judge.judge(said, "Passed, error", [], None)
    expect("an error next to harmless words", found is not None)
    floats = array.array("f", [1.5, -2]).tobytes()
    expect("floats", list(judge.numbers(floats, "f32")) == [1.5, -2])


def names():
    programs = listed.PROGRAMS
    expect("names are different", len({program.name for program in programs}) == len(programs))
    for program in programs:
        known = all(run.check[0] in ("says", "product") for run in program.runs)
        expect(f"{program.name} is run", program.runs and known)


def main():
    products()
    records()
    names()
    for failure in failures:
        print(f"judge.py is wrong about: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
