"""Checks the result of a program: its output, or the product of the matrices that it copied.

It uses neither the library nor the PTX machine. It reads what the machine's libcudart recorded:
record.jsonl and the bytes of each copy.
"""

import array
import json
import operator
import pathlib
import struct

# The relative rounding error of one operation: half a unit in the last place.
ROUNDING = {"f32": 2.0**-24, "f16": 2.0**-11}
# The number of terms that are added before a rounding. f16 accumulators are rounded once in each
# tensor-core instruction, and its k is at least 8.
TERMS_OF_A_STEP = {"f32": 1, "f16": 8}


def record_of(folder):
    lines = (pathlib.Path(folder) / "record.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def numbers(data, element):
    if element == "f16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    return array.array("f", data)


def copies(record, folder, direction):
    files = [line["file"] for line in record if line.get("copy") == direction]
    return [pathlib.Path(folder, file).read_bytes() for file in files]


def rows_of(values, count, k, k_is_fast):
    """Returns the rows of a count x k matrix, each as a list of k values."""
    if k_is_fast:
        return [values[i * k : (i + 1) * k] for i in range(count)]
    return [values[i::count] for i in range(count)]


def wrong_product(a, b, c, shape, letters, element, accumulator, exact):
    """Returns None if C = A B^T, else a sentence about the first wrong element. C is column-major.

    T for A and N for B, as in BLAS, mean that the k values of a row are contiguous.
    """
    m, n, k = shape
    if (len(a), len(b), len(c)) != (m * k, n * k, m * n):
        return (
            f"the operands have {len(a)}, {len(b)} and {len(c)} elements "
            f"instead of {m * k}, {n * k} and {m * n}"
        )
    first, second = letters.split()
    rows_a, rows_b = rows_of(a, m, k, first == "T"), rows_of(b, n, k, second == "N")
    steps = k / TERMS_OF_A_STEP[accumulator]
    for j, row_b in enumerate(rows_b):
        sizes_b = [abs(x) for x in row_b]
        for i, row_a in enumerate(rows_a):
            want, got = sum(map(operator.mul, row_a, row_b)), c[i + j * m]
            if got == want:
                continue
            room = 0.0
            if not exact:
                size = sum(map(operator.mul, map(abs, row_a), sizes_b))
                room = steps * ROUNDING[accumulator] * size + ROUNDING[element] * abs(want)
            # The comparison does not use >, because NaN must count as wrong.
            if not abs(got - want) <= room:
                return f"C({i}, {j}) is {got} instead of {want}, with a tolerance of {room:.3g}"
    return None


def judge(check, output, record, folder):
    """Returns None if the check holds, else a sentence about the mistake."""
    if check[0] == "says":
        _, words, times, *harmless = check
        lowered = output.lower()
        for each in harmless:
            lowered = lowered.replace(each.lower(), "")
        found = lowered.count(words.lower())
        if found != times or "fail" in lowered or "error" in lowered:
            return f"prints '{words}' {found} times instead of {times}, or a failure"
        return None
    _, m, n, k, letters, element, accumulator, exact = check
    into, out = copies(record, folder, "in"), copies(record, folder, "out")
    if len(into) < 2 or not out:
        return f"copies {len(into)} operands to the device and {len(out)} results from it"
    a, b, c = (numbers(data, element) for data in (into[0], into[1], out[0]))
    return wrong_product(a, b, c, (m, n, k), letters, element, accumulator, exact)


def warnings_of(record):
    """Returns (kind, file:line, instruction) of each warning, without duplicates."""
    found = set()
    for line in record:
        if "warning" in line:
            name = pathlib.PurePath(line["file"]).name
            place = f"{name}:{line['line']}" if line["line"] else ""
            found.add((line["warning"], place, line["instruction"]))
    return frozenset(found)


def launches_of(record):
    """Returns the numbers of launches that ran, of skipped launches and of thread instructions, and
    the seconds.
    """
    ran = [line for line in record if line.get("skipped") is False]
    skipped = sum(1 for line in record if line.get("skipped") is True)
    instructions, seconds = (sum(line[key] for line in ran) for key in ("instructions", "seconds"))
    return len(ran), skipped, instructions, seconds
