#!/usr/bin/env python3
"""Compares answers of `axe eval` about random layouts with an enumeration in Python: places,
elements, owner_has, size, span, min, is_injective and equality of layouts.
"""

import itertools
import random
import sys

import program

SEED = 7
AXES = ["lane", "warp", "reg", "m"]


class Layout:
    def __init__(self, source):
        def iters(count, largest):
            return [(source.randint(1, largest), source.randint(-3, 9), source.choice(AXES))
                    for _ in range(count)]

        self.d = iters(source.randint(0, 4), 5)
        self.r = iters(source.choice([0, 0, 1, 2]), 3)
        self.o = {axis: source.randint(-9, 9)
                  for axis in source.sample(AXES, source.choice([0, 0, 1, 2]))}
        self.extents = [e for e, _, _ in self.d]

    def text(self):
        def block(iters):
            return "(%s):(%s)" % (",".join(str(e) for e, _, _ in iters),
                                  ",".join(f"{s}@{a}" for _, s, a in iters))

        out = f"S[{block(self.d)}]" if self.d else "S[]"
        out += "".join(f" + R[{e}:{s}@{a}]" for e, s, a in self.r)
        return out + "".join(f" {'-' if n < 0 else '+'} {abs(n)}@{a}" for a, n in self.o.items())

    def axes(self):
        named = [a for _, _, a in self.d + self.r] + [a for a, n in self.o.items() if n]
        return list(dict.fromkeys(named))

    def elements(self):
        return list(itertools.product(*(range(e) for e in self.extents)))

    def places(self, coordinate):
        """Returns the set of places of one element. A place is a tuple in the order of axes()."""
        found = set()
        for replica in itertools.product(*(range(e) for e, _, _ in self.r)):
            at = dict.fromkeys(self.axes(), 0)
            for (_, s, a), c in zip(self.d + self.r, list(coordinate) + list(replica)):
                at[a] += c * s
            for a, n in self.o.items():
                if a in at:
                    at[a] += n
            found.add(tuple(at.values()))
        return found

    def printed(self, coordinate):
        axes = self.axes()
        rows = sorted(self.places(coordinate))
        return "{" + ", ".join(" + ".join(f"{n}@{a}" for n, a in zip(row, axes)) or "0"
                               for row in rows) + "}"


def tuple_text(numbers):
    return "(" + ",".join(map(str, numbers)) + ")"


def questions(source):
    """Returns pairs of a line for `axe eval` and its right answer."""
    l = Layout(source)
    shape = tuple_text(l.extents)
    everything = l.elements()
    yield f"size({l.text()})", str(len(everything))
    axis = source.choice(AXES)
    if axis in l.axes():
        reached = [row[l.axes().index(axis)] for c in everything for row in l.places(c)]
        yield f"span({l.text()}, {axis})", str(max(reached) - min(reached) + 1)
        yield f"min({l.text()}, {axis})", str(min(reached))
    else:
        yield f"span({l.text()}, {axis})", "1"
    c = source.choice(everything)
    yield f"places({l.text()}, {shape}, {tuple_text(c)})", l.printed(c)
    place = dict(zip(l.axes(), source.choice(sorted(l.places(c)))))
    asked = dict(source.sample(sorted(place.items()),
                               source.randint(min(1, len(place)), len(place))))
    if asked:
        text = " + ".join(f"{n}@{a}" for a, n in asked.items())
        index = [l.axes().index(a) for a in asked]
        wanted = tuple(asked.values())
        held = [x for x in everything
                if any(tuple(row[i] for i in index) == wanted for row in l.places(x))]
        yield f"elements({l.text()}, {shape}, {text})", "{" + ", ".join(map(tuple_text, held)) + "}"
        other = source.choice(everything)
        yield f"owner_has({l.text()}, {shape}, {text}, {tuple_text(other)})", "true" if other in held else "false"
    owners = {}
    for x in everything:
        for row in l.places(x):
            owners.setdefault(row, set()).add(x)
    is_injective = all(len(who) == 1 for who in owners.values())
    yield f"is_injective({l.text()})", "true" if is_injective else "false"
    yield f"difference({l.text()}, canonicalize({l.text()}))", "none"
    yield f"equivalent({l.text()}, group({l.text()}, {shape}))", "true"


def main():
    source = random.Random(SEED)
    asked = [pair for _ in range(3000) for pair in questions(source)]
    got = program.answers([line for line, _ in asked])
    wrong = [(line, expected, answer) for (line, expected), answer in zip(asked, got)
             if answer != expected]
    for line, expected, answer in wrong[:10]:
        print(f"{line}\n  expected {expected[:300]}\n  answered {answer[:300]}")
    print(f"{len(asked)} questions, {len(wrong)} answered otherwise")
    sys.exit(bool(wrong) or len(got) != len(asked))


if __name__ == "__main__":
    main()
