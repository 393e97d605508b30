"""Classifies both answers to a question about CuTe's operations, in the classes of ../judge.py."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from judge import CONVENTION, FAILS, OURS_REFUSES, OURS_RIGHT, OURS_WRONG, REFUSES, RIGHT, UNDECIDED, WRONG, Judgement  # noqa: E402

from cute_static import Refused  # noqa: E402
from plain_layouts import Layout, Swizzled  # noqa: E402

NESTED, ANOTHER, SHORTER = "the same map, nested differently", "another right answer", "shorter than possible"


def read(words):
    """Reads an answer of `axe eval`: a layout, a number or a refusal."""
    if words.startswith("refused: "):
        return Refused(words)
    if re.fullmatch(r"-?\d+", words):
        return int(words)
    if words.startswith("Sw<"):
        swizzle, offset, inner = words.split(" o ")
        return Swizzled(tuple(map(int, swizzle[3:-1].split(","))), int(offset), read(inner))
    shape, stride = words.split(":")
    return Layout(nested(shape), nested(stride))


def nested(side):
    """Reads `(4,(2,3))` or `4` as nested tuples, or as one number."""
    position = 0

    def entry():
        nonlocal position
        if side[position] != "(":
            digits = re.match(r"-?\d+", side[position:])[0]
            position += len(digits)
            return int(digits)
        entries = []
        while side[position] != ")":
            position += 1
            if side[position] != ")":
                entries.append(entry())
        position += 1
        return tuple(entries)

    return entry()


def normal(shape, stride):
    """Returns the strides, with that of an extent of 1 replaced by 0, because it moves nothing."""
    if isinstance(shape, int):
        return 0 if shape == 1 else stride
    return tuple(normal(s, d) for s, d in zip(shape, stride, strict=True))


def values(found):
    return found if isinstance(found, int) else found.values


def same_text(a, b):
    return a == b if isinstance(a, int) else (a.shape, normal(a.shape, a.stride)) == (
        b.shape, normal(b.shape, b.stride))


def judge(operation, arguments, mine, theirs):
    said = str(mine) if not isinstance(mine, Refused) else mine.words
    reply = str(theirs)
    if isinstance(theirs, Refused):
        reply = (theirs.words if theirs.words.startswith("crashes with")
                 else f"does not compile: {theirs.words}")[:160]
    legal = operation.legal(*arguments)
    # The definition does not say whether an answer exists. It exists if one side has found it.
    if legal is None:
        legal = not isinstance(mine, Refused) or (not isinstance(theirs, Refused)
                                                  and operation.right(*arguments, theirs)
                                                  and operation.says(theirs))
    if isinstance(mine, Refused):
        ours = OURS_REFUSES if legal else OURS_RIGHT
    else:
        ours = OURS_RIGHT if operation.right(*arguments, mine) else OURS_WRONG
    which, kind = judge_theirs(operation, arguments, mine, theirs, legal)
    return Judgement(ours, which, kind, said, reply)


def judge_theirs(operation, arguments, mine, theirs, legal):
    if isinstance(theirs, Refused):
        if not legal:
            return RIGHT, ""
        condition = theirs.words.removeprefix("static assertion failed: ")
        return (REFUSES, f'static assertion "{condition}"') if theirs.on_purpose else (
            FAILS, "does not compile, or crashes")
    if operation.right(*arguments, theirs):
        if isinstance(mine, Refused):
            # If the question is legal, axe's refusal is counted as the failure.
            return (RIGHT, "") if legal else (UNDECIDED, "")
        if operation.measure(theirs) < operation.measure(mine):
            return REFUSES, SHORTER
        if values(theirs) != values(mine):
            return CONVENTION, ANOTHER
        same = not operation.forms or same_text(theirs, mine)
        return (RIGHT, "") if same else (CONVENTION, NESTED)
    why = operation.explained(*arguments, theirs)
    if why:
        return CONVENTION, why
    return WRONG, "a right answer exists" if legal else "no answer exists"
