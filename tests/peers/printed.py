"""Tests axe's reader and printer of TIRx's notation: TIRx prints a random layout, axe reads it and
writes it again, and TIRx reads the result.

Both readings must give that layout. The two texts are not compared.
"""

from judge import OURS_RIGHT, OURS_WRONG, REFUSES, RIGHT, Judgement, layout_of
from maps import layout, read_ours

NAME = "printed form"
AXES = ("m", "laneid", "warpid", "cbx", "P", "F", "TCol", "tx")
NUMBERS = (0, 1, -1, 7, 128, 65535, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**40, -(2**62))


def random_question(rng, random_layout):
    """Makes a random layout as for the other operations, or one with numbers of up to 62 bits."""
    if rng.random() < 0.6:
        return (random_layout(rng, 1000, AXES, swizzled=0.3),)

    def random_iter():
        return rng.choice((1, 2, 3, 2**33)), rng.choice(NUMBERS), rng.choice(AXES)

    shards = [random_iter() for _ in range(rng.randint(0, 3))]
    return (layout(shards, [random_iter() for _ in range(rng.randint(0, 2))],
                   {rng.choice(AXES): rng.choice(NUMBERS) for _ in range(rng.randint(0, 3))}),)


def reads_as(text, layout):
    """True if axe's text is `layout`. A bare stride 0 is on no axis in axe and on m in TIRx.
    Both are the same map, and read_ours reads both as on m.
    """
    return not text.startswith("error: ") and read_ours(text)[0] == layout


def compare(asked, printed, theirs):
    """Judges each layout of `asked`. `printed` answers lines of TIRx's form (printed.cpp), `theirs`
    answers requests (theirs.py).
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
        yield Judgement(OURS_RIGHT if fine else OURS_WRONG, RIGHT, "", f"{read}, written {written}",
                        text)
