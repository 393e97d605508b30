"""The questions that cute_runtime.cpp answers: CuTe's operations on layouts of run-time ints."""

import dataclasses
import signal
import subprocess

import cute_cases as cases
import cute_questions as static
import plain_layouts as plain
from cute_static import Refused
from plain_layouts import Layout

BY_NAME = static.OPERATIONS


def nesting(l):
    """Returns the nesting as cute_runtime.cpp reads it: 1 to 3 modes, or 4 for ((a,b),c). None: the
    program cannot read the layout.
    """
    if isinstance(l.shape, int):
        return 1
    if all(isinstance(entry, int) for entry in l.shape) and len(l.shape) in (2, 3):
        return len(l.shape)
    if len(l.shape) == 2 and isinstance(l.shape[0], tuple) and isinstance(l.shape[1], int):
        return 4
    return None


def random_layout(rng, *arguments):
    while True:
        l = cases.random_layout(rng, *arguments)
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
    return f"{nesting(l)} {numbers(l)}"


def numbers(l):
    return " ".join(map(str, [*(e for e, _ in l.flat), *(d for _, d in l.flat)]))


def spelled_static_1(l):
    """Writes a layout for cute_runtime.cpp. A first stride of 1 becomes static, unless a mode is
    nested.
    """
    if nesting(l) != 4 and l.flat[0][1] == 1:
        return f"{nesting(l) + 10} {numbers(l)}"
    return spelled(l)


def word(argument, layouts=spelled):
    if isinstance(argument, Layout):
        return layouts(argument)
    return " ".join(map(str, argument)) if isinstance(argument, tuple) else str(argument)


def question(name, random_arguments, of=None, words=None, **others):
    """Makes the run-time form of the static operation `of` (by default `name`). `words` writes the
    line that the program reads: the operation and its arguments.
    """
    def theirs(*arguments):
        return words(*arguments) if words else f"{name} {' '.join(map(word, arguments))}"

    return dataclasses.replace(BY_NAME[of or name], name=name, random_arguments=random_arguments,
                               theirs=theirs, forms=False, **others)


def two(rng):
    a = random_layout(rng)
    return a, inside(rng, a.size)


def tile(rng, l=None):
    a = l or random_layout(rng)
    rank = 2 if len(a.modes()) == 2 else 1
    sizes = [m.size for m in a.modes()][:rank]
    return a, tuple(cases.divisor(rng, n) if rng.random() < 0.9 else rng.randint(1, n + 1)
                    for n in sizes)


def flat(rng, *arguments):
    """Makes a random layout whose modes are all leaves."""
    while True:
        l = random_layout(rng, *arguments)
        if nesting(l) != 4:
            return l


def repeated(rng):
    a = flat(rng, 3, 5, 40)
    return a, tuple(rng.randint(1, 5) for _ in range(2 if len(a.modes()) == 2 else 1))


def over_a_leaf(rng, groups=True):
    while True:
        b = random_layout(rng, 3, 4, 24)
        if groups or nesting(b) != 1:
            return leaf(rng, 8), b


def shaped(rng):
    a = leaf(rng, 8)
    shape = [a.size * rng.randint(1, 4) + (rng.random() < 0.1), rng.randint(1, 4)]
    return a, tuple(shape[:rng.randint(1, 2)])


def adjacent(rng):
    """Makes a random layout whose first stride is 1."""
    a = flat(rng)
    return Layout(a.shape, 1 if isinstance(a.stride, int) else (1, *a.stride[1:]))


def coordinate(rng):
    """Makes a random layout and a coordinate: the number of the element, one number for each mode,
    or one for each leaf.
    """
    l = random_layout(rng)
    form = rng.choice({1: (0,), 2: (0, 1), 3: (0, 1), 4: (0, 1, 2)}[nesting(l)])
    modes = l.modes()
    if form == 0:
        return l, rng.randrange(l.size)
    if form == 1:
        return l, tuple(rng.randrange(m.size) for m in modes)
    return l, (tuple(rng.randrange(m.size) for m in modes[0].modes()), rng.randrange(modes[1].size))


def coordinate_words(l, c):
    form = 0 if isinstance(c, int) else 2 if isinstance(c[0], tuple) else 1
    return f"coordinates {spelled(l)} {form} {' '.join(map(str, plain.leaves(c)))}"


def of_any(name):
    return lambda *layouts: f"{name} {' '.join(map(spelled_static_1, layouts))}"


def one(rng):
    return (random_layout(rng),)


def number_of(name, count, legal=lambda l: True, explained=lambda l, n: None):
    """Makes an operation that asks for one number of a layout, such as its size."""
    return static.Operation(name, one, lambda l: f"cute.{name}({l})",
                            lambda l: f"{name} {spelled(l)}", legal,
                            lambda l, n: legal(l) and n == count(l), explained)


def spanned(l, n):
    return "measures from the smallest place instead of 0" if n == max(l.values) - min(
        l.values) + 1 else None


def padded_shape(a, shape):
    return static.shaped_parts(static.padded(a, len(shape)), shape)


def with_2(rng):
    return random_layout(rng), 2


ALL = [
    number_of("size", lambda l: l.size),
    number_of("cosize", lambda l: max(l.values) + 1, lambda l: min(l.values) >= 0, spanned),
    question("coordinates", coordinate, words=coordinate_words),
    question("coalesce", one),
    question("coalesce, by profile", one, words=lambda l: f"coalesce_by {spelled(l)}"),
    question("composition", two),
    question("composition, by mode", tile,
             words=lambda a, t: f"composition_by {word(a)} {word(t)}"),
    question("complement", lambda rng: (leaf(rng, 8), rng.randint(1, 100))),
    question("right_inverse", one, words=of_any("right_inverse")),
    question("max_common_vector", lambda rng: (
        lambda a: (a, a if rng.random() < 0.5 else random_layout(rng)))(random_layout(rng)),
             words=of_any("max_common_vector")),
    question("logical_divide", lambda rng: (lambda a: (a, leaf(rng, a.size)))(random_layout(rng))),
    question("logical_divide, by mode", tile,
             words=lambda a, t: f"logical_divide_by {word(a)} {word(t)}"),
    *(question(name, tile, f"{name}, by mode")
      for name in ("zipped_divide", "tiled_divide", "flat_divide")),
    question("logical_product", lambda rng: (leaf(rng, 8), random_layout(rng, 3, 4, 20))),
    question("logical_product, by mode", repeated,
             words=lambda a, t: f"logical_product_by {word(a)} {word(t)}"),
    *(question(name, repeated, f"{name}, by mode")
      for name in ("zipped_product", "tiled_product", "flat_product")),
    question("blocked_product", over_a_leaf),
    question("raked_product", lambda rng: over_a_leaf(rng, False)),
    question("tile_to_shape", shaped,
             words=lambda a, s: f"tile_to_shape_{len(s)} {word(a)} {word(s)}",
             legal=lambda a, s: padded_shape(a, s) is not None,
             right=lambda a, s, r: r.values == padded_shape(a, s)),
    question("upcast", with_2, words=lambda l, n: f"upcast {spelled(l)}"),
    question("downcast", lambda rng: (adjacent(rng), 2),
             words=lambda l, n: f"downcast {spelled_static_1(l)}"),
    question("recast", with_2, "upcast", words=lambda l, n: f"recast {spelled(l)}",
             ours=lambda l, n: f"cute.recast({l}, 16, 32)"),
    question("recast, narrower", lambda rng: (adjacent(rng), 2), "downcast",
             words=lambda l, n: f"recast_narrower {spelled_static_1(l)}",
             ours=lambda l, n: f"cute.recast({l}, 32, 16)"),
]
OPERATIONS = {operation.name: operation for operation in ALL}


# The same operations on layouts with negative strides.

def turned(rng, l):
    """Returns the layout with one or more of its strides negated."""
    flat, always = [d for _, d in l.flat], rng.randrange(len(l.flat))
    strides = iter([-d if k == always or rng.random() < 0.5 else d for k, d in enumerate(flat)])

    def over(tree):
        return next(strides) if isinstance(tree, int) else tuple(over(entry) for entry in tree)
    return Layout(l.shape, over(l.stride))


def with_negative_strides(operation):
    def random_turned(rng):
        first, *others = operation.random_arguments(rng)
        alike = others and others[0] is first
        first = turned(rng, first)
        return first, *(first if alike else turned(rng, o) if isinstance(o, Layout)
                        and rng.random() < 0.25 else o for o in others)
    return dataclasses.replace(operation, name=f"{operation.name}, negative strides",
                               random_arguments=random_turned)


# downcast and the narrowing recast are left out: they extend a leaf whose stride is the static 1,
# which cannot be negated at run time.
NEGATIVE = {o.name: o for o in map(with_negative_strides,
                                   (o for o in ALL
                                    if o.name not in ("downcast", "recast, narrower")))}


def ask(program, questions):
    answers = []
    while len(answers) < len(questions):
        left = questions[len(answers):]
        run = subprocess.run([program], input="\n".join(left) + "\n", capture_output=True,
                             text=True, check=False)
        lines = run.stdout.splitlines()
        answers += map(read, lines)
        # If a question crashes the program, the crash is its answer, and the program is started
        # again for the remaining questions.
        if run.returncode < 0 and len(lines) < len(left):
            answers.append(Refused(f"crashes with {signal.Signals(-run.returncode).name}"))
        elif len(lines) != len(left):
            raise RuntimeError(f"{program} answered {len(lines)} of {len(left)} questions")
    return answers


def read(words):
    from cute_judge import read as read_ours
    return read_ours(words.replace("_", ""))


__all__ = ["ALL", "OPERATIONS", "ask", "plain"]
