#!/usr/bin/env python3
"""Tests truth.py on every small case, and tests that peers.py notices each kind of mistake. Runs
without the wheel of the public implementation.
"""

import collections
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cases  # noqa: E402
import judge  # noqa: E402
import report  # noqa: E402
import truth  # noqa: E402
from batches import batches  # noqa: E402
from maps import Iter, Swizzle, digits_of, in_our_notation, layout, map_of, read_ours, read_places, single_axis, steps_of  # noqa: E402
from questions import OPERATIONS, SWIZZLED  # noqa: E402
from sides import Theirs  # noqa: E402

checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"self test: {what}")


def all_shards(size, strides):
    """Returns every D of this size, without extents of 1."""
    if size == 1:
        yield ()
    for e in range(2, size + 1):
        if size % e == 0:
            for s, rest in itertools.product(strides, all_shards(size // e, strides)):
                yield (Iter(e, s, "m"), *rest)


def function_is_layout():
    """Compares digits_of with the list of all layouts, for every function of 4 elements and many of
    6.
    """
    for size, values in ((4, range(-2, 5)), (6, range(0, 4))):
        maps = {tuple(steps_of(d)) for d in all_shards(size, range(-4, 8))}
        for rest in itertools.product(values, repeat=size - 1):
            steps = (0, *rest)
            digits = digits_of(list(steps))
            check((digits is not None) == (steps in maps), f"digits_of({steps}) says {digits}")
            check(digits is None or tuple(steps_of(digits)) == steps,
                  f"digits_of({steps}) is another map")
    check(single_axis(layout([(2, 1, "m"), (2, 1, "P")]).shards[0].step
                      + Iter(2, 1, "P").step) is None, "a step along two axes is on no single axis")


def factors():
    """Compares has_outer and has_outer_addend with a search through all candidates with small
    numbers.
    """
    candidates = [layout(d, r, {"m": o}) for d in [(), *((Iter(2, s, "m"),) for s in range(-3, 7))]
                  for r in [(), *(((e, s, "m"),) for e in range(2, 5) for s in range(1, 5))]
                  for o in range(-2, 4)]
    inner = [layout(((2, s, "m"),), r, {"m": o}) for s in (-1, 1, 2)
             for r in ((), ((2, 1, "m"),), ((2, -3, "m"),)) for o in (0, 1)]
    for b in inner:
        made = ({truth.tiled(a, (a.size,), b, (2,)) for a in candidates},
                {truth.summed(a, (a.size,), b, (2,)) for a in candidates})
        for d in ((2, 2), (2,)):
            for strides in itertools.product(range(-1, 4), repeat=len(d)):
                for r, o in itertools.product(((), ((2, 1, "m"),), ((4, 1, "m"),), ((3, 1, "m"),)),
                                              (0, 1)):
                    t = layout([(e, s, "m") for e, s in zip(d, strides)], r, {"m": o})
                    for decide, found, name in zip((truth.has_outer, truth.has_outer_addend), made,
                                                   ("tile", "sum")):
                        check(decide(t, (t.size,), b, (2,)) == (map_of(t) in found),
                              f"the outer factor of {t} in a {name} with {b}")
    for a in inner:
        made = {truth.tiled(a, (2,), b, (b.size,)) for b in candidates}
        for strides in itertools.product(range(-1, 4), repeat=2):
            for r in ((), ((2, 1, "m"),), ((2, 3, "m"),)):
                t = layout([(2, s, "m") for s in strides], r)
                check(truth.has_inner(t, (4,), a, (2,)) or map_of(t) not in made,
                      f"an inner factor of {t} in a tile with {a} is missed")


def facts_of_the_model():
    s = lambda *iters: layout([(e, t, "m") for e, t in iters])  # noqa: E731
    check(truth.summed(s((2, 8), (2, 2)), (2, 2), s((2, 4), (2, 1)), (2, 2)) == map_of(s((16, 1))),
          "the sum of (2,2):(8,2) and (2,2):(4,1) is 16:1")
    check(not truth.has_outer(s((16, 1)), (4, 4), s((2, 4), (2, 1)), (2, 2)),
          "no C gives tile(C, (2,2):(4,1)) = 16:1")
    check(truth.is_layout(list(truth.sliced(s((8, 100), (8, 1)), (64,), ((4, 20),)).steps)),
          "[4,20) of (8,8):(100,1) is a layout")
    check(not truth.groups(s((2, 3), (9, 1)), (3, 2)), "(2,3):(9,1) does not group by (3,2)")
    check(truth.sum_of_runs({0, 1, 2, 3}, {0, 1}, 2)
          and not truth.sum_of_runs({0, 1, 3}, {0, 1}, 1),
          "{0,1,2,3} is a sum of {0,1} and runs, {0,1,3} is not")
    check(read_ours("S[((2),(8)):((8@lane),(1))] + R[2:0] - 3")[1] == [2, 8], "blocks are read")
    l = layout([(2, -8, "laneid"), (3, 0, "warpid")], [(2, 1, "cbx")], {"m": -3, "P": 2})
    check(read_ours(in_our_notation(l))[0] == l, "a layout in our notation reads back")
    check(read_places("{2@cluster_cta_x + 0@m, -1@lane}") == {2 * (1 << 72), -(1 << 24)},
          "places are read")


def mistakes_of_ours():
    """Each wrong answer of axe must fail the run, and each right one must not."""
    l, whole = layout([(4, 2, "m")]), layout([(2, 4, "m"), (2, 1, "m")])
    b = layout([(2, 1, "m")])

    def said(name, arguments, line):
        return judge.judge(OPERATIONS[name], arguments, line, ["none"]).ours

    for name, arguments, right, wrong in (
            ("canonicalize", (whole,), "S[(2,2):(4,1)]", "S[4:1]"),
            ("group", (l, (2, 2)), "S[((2),(2)):((4),(2))]", "S[((4),()):((2),())]"),
            ("apply", (l, (4,), (3,)), "{6@m}", "{7@m}"),
            ("slice", (l, (4,), ((1, 3),)), "S[2:2] + 2", "S[2:2]"),
            ("tile", (b, (2,), b, (2,)), "S[4:1]", "S[(2,2):(1,1)]"),
            ("direct_sum", (b, (2,), b, (2,)), "S[(2,2):(1,1)]", "S[4:1]"),
            ("is_tile_inner", (l, (4,), layout([(2, 2, "m")]), (2,)), "refused: x", "S[2:1]"),
            ("is_direct_sum_left", (whole, (4,), layout([(2, 4, "m")]), (2,)), "S[2:1]", "S[2:4]"),
            ("pack", (b, 2), "S[]", "S[2:1]"),
            ("unpack", (l, 2), "S[(4,2):(4,1)]", "S[(4,2):(2,1)]")):
        check(said(name, arguments, right) == judge.OURS_RIGHT, f"{name}: {right} is right")
        check(said(name, arguments, wrong) == judge.OURS_WRONG, f"{name}: {wrong} is wrong")
        if not right.startswith("refused"):
            check(said(name, arguments, "refused: x") == judge.OURS_REFUSES,
                  f"{name} has an answer")
        check(said(name, arguments, "error: position 0: x") == judge.OURS_WRONG,
              f"{name}: a malformed line")
    check(said("slice", (l, (4,), ((1, 5),)), "S[4:2] + 2") == judge.OURS_WRONG,
          "a region out of bounds has no answer")


def differences_of_theirs():
    a, b = layout([(2, 1, "m")], (), {"m": 2}), layout([(2, 1, "m")])

    def reply(l):
        return ["layout", [l.shards, l.replicas, l.offsets, l.swizzle], None, ""]

    for found, which in ((layout([(4, 1, "m")], (), {"m": 4}), judge.RIGHT),
                         (layout([(4, 1, "m")], (), {"m": 2}), judge.CONVENTION),
                         (layout([(4, 2, "m")]), judge.WRONG)):
        check(judge.judge(OPERATIONS["tile"], (a, (2,), b, (2,)), "S[4:1] + 4",
                          reply(found)).theirs == which, f"{found} is {which}")
    for reply_of, which in ((["raised", "InternalError", "can not be grouped by"], judge.REFUSES),
                            (["none"], judge.REFUSES),
                            (["raised", "InternalError", "Divide by zero"], judge.FAILS),
                            (["died", "exit code -11"], judge.FAILS)):
        check(judge.judge(OPERATIONS["tile"], (a, (2,), b, (2,)), "S[4:1] + 4",
                          reply_of).theirs == which, f"{reply_of} is {which}")


def random_questions(name, seed):
    rng = random.Random(seed)
    return [cases.random_question(name, rng) for _ in range(400)]


def random_questions_repeat():
    """Every operation must ask the same questions from the same seed and meet all kinds of
    verdicts. Its layouts must read back from axe's notation.
    """
    for name, operation in OPERATIONS.items():
        if name.endswith(SWIZZLED):
            check(len(set(cases.small(name))) > 150, f"{name}: too few small questions")
            continue
        asked = random_questions(name, "a")
        check(asked == random_questions(name, "a") and asked != random_questions(name, "b"),
              f"{name}: a seed decides its questions")
        verdicts = collections.Counter(operation.verdict(*a) for a in asked)
        check(verdicts[truth.ANSWER] >= 80, f"{name}: too few answers: {dict(verdicts)}")
        check("canonicalize" in name or verdicts[truth.MISUSE] or name in ("pack", "unpack"),
              f"{name}: no invalid question")
        for l in (l for a in asked for l in a if hasattr(l, "shards")):
            check(read_ours(in_our_notation(l))[0] == l, f"{l} reads back")
        check(len(set(itertools.islice(cases.small(name), 500))) > 60,
              f"{name}: too few small questions")


def swizzled_factors():
    """The factor of a swizzled tile or sum must be judged right. Another factor, or the factor
    without the swizzle, must be judged wrong.
    """
    sw = Swizzle(0, 1, 1)
    a, b = layout([(4, 1, "m")]), layout([(8, 1, "m")], (), {}, sw)
    t = layout([(4, 8, "m"), (8, 1, "m")], (), {}, sw)

    def right(name, known, n, found):
        return OPERATIONS[name + SWIZZLED].right(t, (32,), known, (n,), found)

    grown, plain = layout([(4, 8, "m")]), layout([(8, 1, "m")])
    for name, known, n, factor, wrong in (("is_tile_inner", b, 8, a, grown),
                                          ("is_tile_outer", a, 4, b, plain),
                                          ("is_direct_sum_right", b, 8, grown, a),
                                          ("is_direct_sum_left", grown, 4, b, plain)):
        check(right(name, known, n, factor) and not right(name, known, n, wrong),
              f"{name} under a swizzle")
    t = layout([(3, 8, "m"), (4, 2, "m")], (), {}, Swizzle(0, 1, 3))
    given = (t, (12,), layout([(4, 2, "m")]), (4,))
    outer = layout([(3, 8, "m")], (), {}, Swizzle(0, 1, 3))
    check(OPERATIONS["is_direct_sum_right" + SWIZZLED].right(*given, outer),
          "a swizzled outer layout of a sum")
    check(not OPERATIONS["is_direct_sum_right" + SWIZZLED].right(*given, layout([(3, 8, "m")])),
          "without its swizzle the outer layout is wrong")


def batches_have_all_questions():
    """Batches have every small question, and as many random ones as were asked for."""
    asked = list(batches({"first": 2001, "second": 1, "third": 0}, ["first", "second"], 1, 5_001))
    check([(name, part) for name, seed, part, _ in asked if seed is None]
          == [("first", 0), ("first", 1), ("first", 2), ("second", 0)], "small questions")
    random_count = collections.Counter()
    for name, seed, _, count in asked:
        random_count[name] += count if seed == 1 else 0
    check(random_count["first"] == 2501 and random_count["second"] == 2500, "random questions")


def whole_runs():
    """Runs peers.py with two fake sides. It must pass if neither side is wrong, and fail if axe
    rejects a legal question. --write must change only the generated section of the page.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def fake(name, text):
            (folder / name).write_text("#!/usr/bin/env python3\nimport json, sys\n" + text)

        fake("right", "for line in sys.stdin:\n    print(line.strip()[len('canonicalize('):-1])\n")
        fake("refuses", "for line in sys.stdin:\n    print('refused: everything')\n")
        fake("theirs",
             "for line in sys.stdin:\n    for q in json.loads(line):\n        print(json.dumps(['none']), flush=True)\n")
        fake("dies",
             "for line in sys.stdin:\n    for q in json.loads(line):\n        q == 3 and sys.exit(1)\n        print(q, flush=True)\n")
        for program in folder.iterdir():
            program.chmod(0o755)
        page = folder / "page.md"
        page.write_text(f"before\n{report.BEGIN}\n{report.END}\nafter\n")
        run = lambda ours, *more: subprocess.run(  # noqa: E731
            [sys.executable, "-B", HERE / "peers.py", "--ours", folder / ours,
             "--bridge", folder / ours, "--theirs", folder / "theirs",
             "--only", "canonicalize", "--cases", "100", "--jobs", "1", "--page", page, *more],
            capture_output=True, text=True)
        passed, refused, written = run("right"), run("refuses"), run("right", "--write")
        check(passed.returncode == 0, f"a run without mistakes passes: {passed.stderr}")
        check(refused.returncode == 1 and "Axe rejects a legal question" in refused.stdout,
              "a refusal of ours fails the run")
        text = page.read_text()
        check(written.returncode == 0 and text.startswith("before\n") and text.endswith("after\n")
              and "| `canonicalize`" in text, "--write")
        check(report.in_page(text, "x") == "before\nxafter\n",
              "the generated section is replaced whole")
        check(Theirs([sys.executable, str(folder / "dies")]).ask([1, 2, 3, 4]) == [
            1, 2, ["died", "exit code 1"], 4], "after a crash the next question is asked")


for part in (function_is_layout, factors, facts_of_the_model, mistakes_of_ours,
             differences_of_theirs, random_questions_repeat, swizzled_factors,
             batches_have_all_questions, whole_runs):
    part()
    print(f"{part.__name__}: ok", flush=True)
print(f"{checks:,} checks passed")
