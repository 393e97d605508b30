"""The printed form, live: the wheel prints a layout, our bridge reads it and writes it again, and
the wheel reads the result.

Every step must give the drawn layout. The text may differ only in zero offsets.
"""

from judge import OURS_RIGHT, OURS_WRONG, REFUSES, RIGHT, Judgement, layout_of
from maps import layout, read_ours

NAME = "printed form"
AXES = ("m", "laneid", "warpid", "cbx", "P", "F", "TCol", "tx")
NUMBERS = (0, 1, -1, 7, 128, 65535, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**40, -(2**62))


def draw(rng, draw_layout):
    """A layout as in other questions, or one with numbers of up to 62 bits."""
    if rng.random() < 0.6:
        return (draw_layout(rng, 1000, AXES, swizzled=0.3),)
    some = lambda: (rng.choice((1, 2, 3, 2**33)), rng.choice(NUMBERS), rng.choice(AXES))  # noqa: E731
    shards = [some() for _ in range(rng.randint(0, 3))]
    return (layout(shards, [some() for _ in range(rng.randint(0, 2))], {rng.choice(AXES): rng.choice(NUMBERS) for _ in range(rng.randint(0, 3))}),)


def reads_as(text, drawn):
    """A bare stride 0 is on no axis here and on m there. Both are one map, and read_ours reads both
    as m.
    """
    return not text.startswith("error: ") and read_ours(text)[0] == drawn


def compare(asked, printed, theirs):
    """One judgement for each asked layout. `printed` takes lines of TIRx's form, `theirs` questions
    of theirs.py.
    """
    from questions import as_json
    said = theirs.ask([["print", as_json(l)] for (l,) in asked])
    lines = [reply[3] if reply[0] == "layout" else "" for reply in said]
    ours = printed.ask(lines)
    again = theirs.ask([["read", line.partition("\t")[2]] for line in ours])
    for (l,), reply, text, mine, back in zip(asked, said, lines, ours, again, strict=True):
        if reply[0] != "layout":
            yield Judgement(OURS_RIGHT, REFUSES, "raises", "", " ".join(map(str, reply[1:])))
            continue
        read, _, written = mine.partition("\t")
        fine = reads_as(read, l) and back[0] == "layout" and layout_of(back[1]) == l
        yield Judgement(OURS_RIGHT if fine else OURS_WRONG, RIGHT, "", f"{read}, written {written}", text)
