"""CuTe's side at run time: the program of cute_runtime.cpp, and the questions that it can be asked."""

import dataclasses
import subprocess

import cute_cases as cases
import cute_questions as static
import plain_layouts as plain
from cute_static import Refused
from plain_layouts import Layout

BY_NAME = static.OPERATIONS


def nesting(l):
    if isinstance(l.shape, int):
        return 1
    if all(isinstance(entry, int) for entry in l.shape) and len(l.shape) in (2, 3):
        return len(l.shape)
    if len(l.shape) == 2 and isinstance(l.shape[0], tuple) and isinstance(l.shape[1], int):
        return 4
    return None


def draw(rng, *arguments):
    while True:
        l = cases.draw(rng, *arguments)
        if nesting(l):
            return l


def inside(rng, n):
    while True:
        l = cases.inside(rng, n)
        if nesting(l):
            return l


def leaf(rng, n):
    return Layout(rng.randint(1, 6), rng.choice((1, 1, 2, 3, rng.randint(1, max(n // 2, 1)))))


def spelled(l):
    return " ".join(map(str, [nesting(l), *(e for e, _ in l.flat), *(d for _, d in l.flat)]))


def question(name, draw_arguments, of=None):
    """The static question of the same name, asked in numbers."""
    operation = BY_NAME[of or name]

    def theirs(*arguments):
        words = [spelled(a) if isinstance(a, Layout) else " ".join(map(str, a)) if isinstance(a, tuple) else str(a) for a in arguments]
        return f"{name} {' '.join(words)}"

    return dataclasses.replace(operation, name=name, draw=draw_arguments, theirs=theirs, forms=False)


def two(rng):
    a = draw(rng)
    return a, inside(rng, a.size)


def tile(rng):
    a = draw(rng)
    rank = 2 if len(a.modes()) == 2 else 1
    sizes = [m.size for m in a.modes()][:rank]
    return a, tuple(cases.divisor(rng, n) if rng.random() < 0.9 else rng.randint(1, n + 1) for n in sizes)


ALL = [
    question("coalesce", lambda rng: (draw(rng),)),
    question("composition", two),
    question("complement", lambda rng: (leaf(rng, 8), rng.randint(1, 100))),
    question("right_inverse", lambda rng: (draw(rng),)),
    question("max_common_vector", lambda rng: (lambda a: (a, a if rng.random() < 0.5 else draw(rng)))(draw(rng))),
    question("logical_divide", lambda rng: (lambda a: (a, leaf(rng, a.size)))(draw(rng))),
    question("zipped_divide", tile, "zipped_divide, by mode"),
    question("logical_product", lambda rng: (leaf(rng, 8), draw(rng, 3, 4, 20))),
    dataclasses.replace(question("upcast", lambda rng: (draw(rng), 2)), theirs=lambda l, n: f"upcast {spelled(l)}"),
    dataclasses.replace(question("recast", lambda rng: (draw(rng), 2), "upcast"), theirs=lambda l, n: f"recast {spelled(l)}",
                        ours=lambda l, n: f"cute.recast({l}, 16, 32)"),
]
OPERATIONS = {operation.name: operation for operation in ALL}


# The same with negative strides.

def turned(rng, l):
    """One stride or more the other way."""
    flat, always = [d for _, d in l.flat], rng.randrange(len(l.flat))
    strides = iter([-d if k == always or rng.random() < 0.5 else d for k, d in enumerate(flat)])

    def over(tree):
        return next(strides) if isinstance(tree, int) else tuple(over(entry) for entry in tree)
    return Layout(l.shape, over(l.stride))


def with_negative_strides(operation):
    def draw_turned(rng):
        first, *others = operation.draw(rng)
        alike = others and others[0] is first
        first = turned(rng, first)
        return first, *(first if alike else turned(rng, o) if isinstance(o, Layout) and rng.random() < 0.25 else o for o in others)
    return dataclasses.replace(operation, name=f"{operation.name}, negative strides", draw=draw_turned)


NEGATIVE = {o.name: o for o in map(with_negative_strides, ALL)}


def ask(program, questions):
    answers = []
    while len(answers) < len(questions):
        left = questions[len(answers):]
        run = subprocess.run([program], input="\n".join(left) + "\n", capture_output=True, text=True, check=False)
        lines = run.stdout.splitlines()
        answers += map(read, lines)
        if run.returncode < 0 and len(lines) < len(left):  # it died of one: that is its answer, the rest is asked again
            answers.append(Refused(f"died of signal {-run.returncode}"))
        elif len(lines) != len(left):
            raise RuntimeError(f"{program} answered {len(lines)} of {len(left)} questions")
    return answers


def read(words):
    from cute_judge import read as read_ours
    return read_ours(words.replace("_", ""))


__all__ = ["ALL", "OPERATIONS", "ask", "plain"]
