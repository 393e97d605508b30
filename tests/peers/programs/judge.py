"""Is the result of a program right? By its own words, or by a product computed here from the operands it copied to the device.

Knows neither library nor machine: it reads the record that the stand-in for libcudart leaves (record.jsonl and the copied bytes).
"""

import array
import json
import operator
import pathlib
import struct

# Rounding error of one operation, relative: half a unit in the last place.
ROUNDING = {"f32": 2.0**-24, "f16": 2.0**-11}
# A tensor core rounds f16 accumulators once for each instruction, of k = 8 at least.
TERMS_OF_A_STEP = {"f32": 1, "f16": 8}


def record_of(folder):
    lines = (pathlib.Path(folder) / "record.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def numbers(data, element):
    if element == "f16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    return array.array("f", data)


def copies(record, folder, direction):
    return [pathlib.Path(folder, line["file"]).read_bytes() for line in record if line.get("copy") == direction]


def rows_of(values, count, k, k_is_fast):
    """Row i of a count x k matrix, each row a list over k."""
    if k_is_fast:
        return [values[i * k : (i + 1) * k] for i in range(count)]
    return [values[i::count] for i in range(count)]


def wrong_product(a, b, c, shape, letters, element, accumulator, exact):
    """None, or where C (column after column) is not A B^T, in a sentence. N of A and T of B: rows of the matrix are contiguous in memory."""
    m, n, k = shape
    if (len(a), len(b), len(c)) != (m * k, n * k, m * n):
        return f"operands of {len(a)}, {len(b)} and {len(c)} elements where {m * k}, {n * k} and {m * n} are expected"
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
            if not abs(got - want) <= room:  # NaN is wrong
                return f"C({i}, {j}) is {got}, the product {want}, with room for {room:.3g}"
    return None


def judge(check, output, record, folder):
    """None when the check holds, else what is wrong."""
    if check[0] == "says":
        _, words, times, *harmless = check
        lowered = output.lower()
        for each in harmless:
            lowered = lowered.replace(each.lower(), "")
        if lowered.count(words.lower()) != times or "fail" in lowered or "error" in lowered:
            return f"says '{words}' {lowered.count(words.lower())} times, {times} are expected"
        return None
    _, m, n, k, letters, element, accumulator, exact = check
    into, out = copies(record, folder, "in"), copies(record, folder, "out")
    if len(into) < 2 or not out:
        return f"copied {len(into)} operands to the device and {len(out)} results from it"
    a, b, c = (numbers(data, element) for data in (into[0], into[1], out[0]))
    return wrong_product(a, b, c, (m, n, k), letters, element, accumulator, exact)


def warnings_of(record):
    """Of each place once: (kind, file:line, instruction)."""
    found = set()
    for line in record:
        if "warning" in line:
            place = f"{pathlib.PurePath(line['file']).name}:{line['line']}" if line["line"] else ""
            found.add((line["warning"], place, line["instruction"]))
    return frozenset(found)


def launches_of(record):
    """Launches that ran, those that were skipped, thread instructions, seconds on the machine."""
    ran = [line for line in record if line.get("skipped") is False]
    skipped = sum(1 for line in record if line.get("skipped") is True)
    return len(ran), skipped, sum(line["instructions"] for line in ran), sum(line["seconds"] for line in ran)
