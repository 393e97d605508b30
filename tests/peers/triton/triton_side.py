#!/usr/bin/env python3
"""Answers questions with Triton: reads lines of questions, writes one line for each answer.

in   [["compose", map, map], …]                a map is [bases, out-axes, out-sizes]
out  ["map", bases, [[axis, size], …]]   ["value", anything]   ["raised", words]
     ["died", the assertion]
Triton's assertions end the process, so a child process answers. After an assertion a new child
continues with the next question. Runs in the Python that has Triton's wheel.
"""

import json
import os
import sys
import tempfile

from triton._C.libtriton import gluon_ir, ir
from triton._C.libtriton.linear_layout import LinearLayout
from triton.experimental.gluon.language import _layouts


def layout(m):
    return LinearLayout.from_bases([(name, bases) for name, bases in m[0]], m[1], m[2], False)


def map_answer(m):
    return ["map", m.bases, m.out_dims]


def shared(encoding, shape):
    """Returns the element at every offset of a shared layout, as Triton lowers the layout."""
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    found = builder.to_linear_layout(encoding._to_ir(builder), shape)
    return ["map", [("offset", found.offset_bases)],
            [(f"dim{k}", extent) for k, extent in enumerate(shape)]]


# Triton's compose and invert_and_compose are methods of the inner map, B. The questions name the
# outer map, A, first.
ASK = {
    "compose": lambda a, b: map_answer(layout(b).compose(layout(a))),
    "invert_and_compose": lambda a, b: map_answer(layout(b).invert_and_compose(layout(a))),
    "multiply": lambda a, b: map_answer(layout(a) * layout(b)),
    "equal": lambda a, b: ["value", layout(a) == layout(b)],
    "invert": lambda a: map_answer(layout(a).invert()),
    "pseudoinvert": lambda a: map_answer(layout(a).pseudoinvert()),
    "kinds": lambda a: ["value", [layout(a).is_injective(), layout(a).is_surjective(),
                                  layout(a).is_invertible()]],
    "apply": lambda a, inputs: ["value", layout(a).apply(inputs)],
    "matrix": lambda a: ["value", layout(a).get_matrix_view()],
    "strided_1d": lambda size, stride: map_answer(
        LinearLayout.strided_1d(size, stride, "dim0", "offset")),
    "zeros_1d": lambda size, room: map_answer(LinearLayout.zeros_1d(size, "dim0", "offset", room)),
    "identity_1d": lambda size: map_answer(LinearLayout.identity_1d(size, "dim0", "offset")),
    "swizzled": lambda shape, vec, per_phase, max_phase, order: shared(
        _layouts.SwizzledSharedLayout(vec, per_phase, max_phase, order), shape),
    "nvmma": lambda shape, width, bits, transposed: shared(
        _layouts.NVMMASharedLayout(width, bits, 2, transposed), shape),
    "distributed_view": lambda a, by_hardware: ["value",
                                                layout(a).get_distributed_view(by_hardware)],
    "shared_view": lambda a, by_hardware: ["value", layout(a).get_shared_view(by_hardware)],
}


def answer(question):
    try:
        return ASK[question[0]](*question[1:])
    except (RuntimeError, TypeError, ValueError) as refused:
        return ["raised", str(refused).splitlines()[0]]


def last_words(errors):
    """Returns the assertion or fatal error, without the path and the function."""
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    lines = [line for line in text.splitlines() if "Assertion `" in line or "LLVM ERROR: " in line]
    if not lines:
        return "no message"
    return lines[0].split("Assertion `")[-1].split("' failed")[0].split("LLVM ERROR: ")[-1]


def answer_all(questions, out):
    done = 0
    while done < len(questions):
        reader, writer = os.pipe()
        with tempfile.TemporaryFile() as errors:
            child = os.fork()
            if child == 0:
                os.close(reader)
                os.dup2(errors.fileno(), 2)
                with os.fdopen(writer, "w") as pipe:
                    for question in questions[done:]:
                        pipe.write(json.dumps(answer(question)) + "\n")
                        pipe.flush()
                os._exit(0)
            os.close(writer)
            with os.fdopen(reader) as pipe:
                for line in pipe:
                    out.write(line)
                    done += 1
            os.waitpid(child, 0)
            if done < len(questions):
                out.write(json.dumps(["died", last_words(errors)]) + "\n")
                done += 1


if __name__ == "__main__":
    for asked in sys.stdin:
        answer_all(json.loads(asked), sys.stdout)
        sys.stdout.flush()
