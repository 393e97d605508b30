#!/usr/bin/env python3
"""The judge of programs, without any program: right records pass, and each kind of mistake is noticed. In ./run test."""

import array
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
    """A, B and C = A B^T as flat lists in the order of the letters, by the definition alone."""
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
                wrong[at] += 1 / 64  # the smallest step between two products of these operands
                expect(f"one element of {letters} off", judge.wrong_product(a, b, wrong, *ask) is not None)
            expect("a NaN", judge.wrong_product(a, b, [float("nan"), *c[1:]], *ask) is not None)
            expect("a missing element", judge.wrong_product(a, b, c[1:], *ask) is not None)
            other = "T N" if letters != "T N" else "N T"
            expect("operands in another order", judge.wrong_product(a, b, c, shape, other, *ask[2:]) is not None)
            rounded = [x * (1 + 2.0**-23) for x in c]
            expect("rounding is not a mistake", judge.wrong_product(a, b, rounded, *ask) is None)
            if any(c):
                expect("where it must be exact it is one", judge.wrong_product(a, b, rounded, shape, letters, "f32", "f32", True) is not None)


def records():
    rng = random.Random(5)
    a, b, c = operands(8, 4, 16, "N T", rng)
    check = listed.product(8, 4, 16, "N T", "f16", "f32")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = []
        for number, (direction, data) in enumerate((("in", a), ("in", b), ("out", c)), 1):
            (folder / f"copy-{number}.bin").write_bytes(struct.pack(f"<{len(data)}e", *data))
            lines.append(f'{{"copy": "{direction}", "bytes": {2 * len(data)}, "address": 0, "file": "copy-{number}.bin"}}')
        lines.append('{"kernel": "k", "grid": [1,1,1], "block": [32,1,1], "instructions": 70, "seconds": 0.5, "skipped": false}')
        lines.append('{"kernel": "k", "grid": [1,1,1], "block": [32,1,1], "instructions": 0, "seconds": 0, "skipped": true}')
        warning = '{"warning": "proxy", "kernel": "k", "file": "a/b.hpp", "line": 4, "instruction": "wgmma", "times": 9, "text": "\\"x\\""}'
        lines += [warning, warning.replace('"k"', '"l"')]
        (folder / "record.jsonl").write_text("\n".join(lines) + "\n")
        record = judge.record_of(folder)
        expect("a right record", judge.judge(check, "", record, folder) is None)
        expect("no result", judge.judge(check, "", [x for x in record if x.get("copy") != "out"], folder) is not None)
        swapped = [record[1], record[0], *record[2:]]
        expect("operands swapped", judge.judge(check, "", swapped, folder) is not None)
        expect("launches", judge.launches_of(record) == (1, 1, 70, 0.5))
        expect("warnings", judge.warnings_of(record) == {("proxy", "b.hpp:4", "wgmma")})
    said = listed.says("Passed", 2)
    expect("words", judge.judge(said, "x: Passed\ny: passed\n", [], None) is None)
    for output in ("", "Passed", "Passed Passed Passed", "Passed\nPassed\nz: Failed", "Passed Passed error"):
        expect(f"words '{output}'", judge.judge(said, output, [], None) is not None)
    expect("harmless words", judge.judge(listed.says("Passed", 1, "relative error"), "Passed, Relative error: 0", [], None) is None)
    expect("words beside harmless ones", judge.judge(listed.says("Passed", 1, "relative error"), "Passed, error", [], None) is not None)
    expect("singles", list(judge.numbers(array.array("f", [1.5, -2]).tobytes(), "f32")) == [1.5, -2])


def names():
    expect("names are different", len({program.name for program in listed.PROGRAMS}) == len(listed.PROGRAMS))
    for program in listed.PROGRAMS:
        expect(f"{program.name} is run", program.runs and all(run.check[0] in ("says", "product") for run in program.runs))


def main():
    products()
    records()
    names()
    for failure in failures:
        print(f"the judge does not see: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
