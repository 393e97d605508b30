"""What each sentence of a refusal claims: a pattern, and the function that computes its numbers again from the operands of the call
(calls.py). Sentences about a missing factor are computed again only without swizzles.
"""

import math
import re

from calls import corner, through
from maps import AXES, entries, flat, is_digit_list, is_replica_set, plus, swizzled, tuple_text


class Untrue(Exception):
    pass


def demand(holds, what):
    if not holds:
        raise Untrue(what)


def place_of(words):
    """The place `2@lane + 0@m` as a tuple. Axes that are not named are 0."""
    place = [0] * len(AXES)
    for term in words.split(" + "):
        if "@" in term:
            n, axis = term.split("@")
            place[AXES.index(axis)] = int(n)
    return tuple(place)


def term_of(words):
    n, _, axis = words.partition("@")
    return int(n), axis


def lies_at(l, x, words):
    before = words.endswith(" before the swizzle")
    demand(before == (l.swizzle is not None), "places are named before a swizzle, and only then")
    demand(0 <= x < l.size, f"{x} is not an element")
    demand(place_of(words.removesuffix(" before the swizzle")) == l.at(x),
           f"element {x} lies at {l.at(x)}")


def moves(before, after, words):
    """Fails unless the component on the axis of `words` changes by the number in `words`."""
    n, axis = term_of(words)
    k = AXES.index(axis) if axis in AXES else None
    demand(n == (0 if k is None else after[k] - before[k]),
           f"from {before} to {after} is not {words}")


def steps(before, after, words):
    """Fails unless the place changes by `words` and on no other axis."""
    moves(before, after, words)
    demand(sum(a != b for a, b in zip(before, after)) == (term_of(words)[0] != 0),
           f"from {before} to {after} is a step on two axes")


def no_layout(call, result):
    """Without a swizzle, the result must not be a digit list. The fuzzer tests swizzled results."""
    if result and call.a.swizzle is None and (call.b is None or call.b.swizzle is None):
        demand(not is_digit_list(result), "the function is a layout")


def in_order(call, x, y, w, z):
    """Fails unless the elements are at equal distances in the result, beginning with its first."""
    if call.more.get("any"):
        return
    at = [{i for i, e in enumerate(call.elements) if e == asked}
          for asked in (x, y, w, z)]  # broadcasts repeat elements
    demand(all(at), "an element that the result does not have")
    demand(0 in at[0] and any(v + near in at[3] for near in at[1] for v in at[2]),
           "entries of the result at other distances")


def steps_there(call, x, p, y, q, l, first, w, p2, z, q2, second):
    x, y, w, z = map(int, (x, y, w, z))
    demand(l == call.a.text(), "another layout")
    for e, words in ((x, p), (y, q), (w, p2), (z, q2)):
        lies_at(call.a, e, words)
    steps(call.a.at(x), call.a.at(y), first)
    steps(call.a.at(w), call.a.at(z), second)
    demand(plus(call.a.at(y), call.a.at(x), -1) != plus(call.a.at(z), call.a.at(w), -1),
           "the steps are the same")
    in_order(call, x, y, w, z)
    no_layout(call, None if call.more.get("any") else [call.a.at(e) for e in call.elements])


def two_axes_there(call, x, p, y, q, l, first, second):
    x, y = int(x), int(y)
    demand(l == call.a.text(), "another layout")
    lies_at(call.a, x, p)
    lies_at(call.a, y, q)
    moves(call.a.at(x), call.a.at(y), first)
    moves(call.a.at(x), call.a.at(y), second)
    demand(term_of(first)[1] != term_of(second)[1] and term_of(first)[0] and term_of(second)[0],
           "one axis")
    demand(call.more.get("any") or {x, y} <= set(call.elements),
           "an element that the result does not have")
    no_layout(call, None if call.more.get("any") else [call.a.at(e) for e in call.elements])


def here(check):
    """The sentence must be true of the result's places before the swizzle, or of those after it."""
    def either(call, *words):
        try:
            check(call, call.value, *words)
        except Untrue:
            check(call, call.placed(), *words)
    return either


@here
def steps_here(call, value, x, y, first, w, z, second):
    x, y, w, z = map(int, (x, y, w, z))
    demand(max(x, y, w, z) < len(value), "no such element")
    steps(value[x], value[y], first)
    steps(value[w], value[z], second)
    demand(plus(value[y], value[x], -1) != plus(value[z], value[w], -1), "the steps are the same")
    demand(x == 0 and y - x == z - w, "entries at other distances")
    no_layout(call, value)


@here
def two_axes_here(call, value, x, y, first, second):
    x, y = int(x), int(y)
    moves(value[x], value[y], first)
    moves(value[x], value[y], second)
    demand(term_of(first)[1] != term_of(second)[1] and term_of(first)[0] and term_of(second)[0],
           "one axis")
    no_layout(call, value)


def does_not_commute(call, x, a, y, b, should, puts, step):
    x, y, should, puts, step = map(int, (x, y, should, puts, step))
    demand(a == call.a.text() and b == call.b.text(), "other layouts")
    demand(x < call.a.size and y < call.b.size and should != puts, "no witness")
    outer = {call.more["scaled"](p)[0] for p in call.a.replica_places(x)}
    inner = {p[0] for p in call.b.replica_places(y)}
    demand(step in outer, f"the outer element moves by {outer}")
    demand(any(should == step + swizzled(call.b.swizzle, i)
               and puts == swizzled(call.b.swizzle, step + i) for i in inner),
           "the swizzle does something else")


def leaves_the_outer(call, b, least, most, a, last):
    demand(b == call.b.text() and a == call.a.text()
           and call.b.reach("m") == (int(least), int(most)) and int(last) == call.a.size - 1,
           f"it reaches {call.b.reach('m')}")
    demand(int(least) < 0 or int(most) > int(last), "it stays inside")


def is_hole(call, l, where):
    n, axis = term_of(where)
    demand(l == call.a.text(), "another layout")
    reached = {p[AXES.index(axis)] for x in range(call.a.size) for p in call.a.places(x)}
    demand(n not in reached and min(reached) <= n <= max(reached), "an element is there")


def is_contested(call, l, x, y, where=None):
    x, y = int(x), int(y)
    demand(l == call.a.text() and x != y, "another layout")
    kept = [AXES.index(a) for a in call.more["named"]]
    there = [{tuple(p[k] for k in kept) for p in call.a.places(e)} for e in (x, y)]
    demand(there[0] & there[1], "the elements share no place")
    if where is not None:
        n, axis = term_of(where)
        demand(any(p[call.more["named"].index(axis)] == n for p in there[0] & there[1]),
               "they share another place")


def is_inside_a_digit(call, l, shape, dimension, extent, need, digit, stride, need_again, again):
    dimension, extent, digit, need = map(int, (dimension, extent, digit, need))
    s = call.more["shapes"][0]
    demand(l == call.a.text() and shape == tuple_text(s) and s[dimension] == extent
           and digit == int(again) and need == int(need_again), "another shape")
    cannot_cut(call, math.prod(s[dimension:]), digit, stride, need)


def is_inside_for_all(call, l, behind, need, digit, stride, need_again, again):
    demand(l == call.a.text() and (digit, need) == (again, need_again), "another layout")
    ends = {math.prod(s[d:]) for s in call.more["shapes"] for d in range(len(s))}
    demand(int(behind) in ends, f"the boundaries have the positions {sorted(ends)}")
    cannot_cut(call, int(behind), int(digit), stride, int(need))


def cannot_cut(call, behind, digit, stride, need):
    """D has no boundary at position `behind`: x -> D(x) cannot be split there."""
    demand(digit % need and need % digit, "one of them divides the other")
    step = term_of(stride)
    before = behind // need if behind % need == 0 else None
    if before is None or before >= call.a.size:
        return
    first, last = call.a.at(0), call.a.at(before)
    try:
        moves(first, last, stride if step[1] else "0@m")
    except Untrue:  # the layout may be cut by its addresses after the swizzle
        moves(through(call.a.swizzle, first), through(call.a.swizzle, last),
              stride if step[1] else "0@m")


def no_chain(call, larger, smaller):
    larger, smaller = int(larger), int(smaller)
    ends = {math.prod(s[d:]) for s in call.more["shapes"] for d in range(len(s))}
    demand(larger in ends and smaller in ends and larger % smaller and smaller % larger,
           "they do divide")


def apart(call, n, l, axis):
    demand(l == call.a.text(), "another layout")
    n, k = int(n), AXES.index(axis)
    together = call.a.size % n == 0 and all(
        call.a.at(x) == plus(call.a.at(x - x % n),
                             tuple(x % n if j == k else 0 for j in range(len(AXES))))
        for x in range(call.a.size))
    demand(not together, "they are next to each other")


def no_multiple(call, step, l, n):
    demand(l == call.a.text() and term_of(step)[0] % int(n), "it is a multiple")
    k = AXES.index(term_of(step)[1])
    for at in (call.a.at, lambda x: through(call.a.swizzle, call.a.at(x))):  # or after the swizzle
        steps = {at(y)[k] - at(x)[k] for x in range(call.a.size) for y in range(x + 1, call.a.size)}
        if term_of(step)[0] in steps:
            return
    demand(False, f"the steps are {sorted(steps)}")


def no_multiple_of_span(call, step, l, n, known, axis):
    demand(known == call.b.text() and call.b.span(axis) == int(n),
           f"the span is {call.b.span(axis)}")
    no_multiple(call, step, l, n)


def replicas_apart(call, l, step, n):
    demand(l == call.a.text() and term_of(step)[0] % int(n), "it is a multiple")
    k = AXES.index(term_of(step)[1])
    values = {p[k] for p in call.a.moves()}
    demand(any(v + term_of(step)[0] in values for v in values), "no replicas are so far apart")


def offset_apart(call, step, l, n):
    """The offset is counted from the smallest replica, which negative strides of R move."""
    n_here, axis = term_of(step)
    k = AXES.index(axis)
    demand(l == call.a.text() and n_here % int(n) and n_here == call.a.offset()[k]
           + min(p[k] for p in call.a.moves()), "another offset")


def rest_is_no_multiple(call, offset, span, known, axis):
    demand(known == call.b.text() and term_of(offset)[0] % int(span)
           and call.b.span(axis) == int(span), "it is a multiple")


def spans(call, axis, t, span, other, known):
    demand(t == call.a.text() and known == call.b.text() and call.a.span(axis) == int(span)
           and call.b.span(axis) == int(other)
           and int(span) % int(other), f"the spans are {call.a.span(axis)} and {call.b.span(axis)}")


def part_range(call, l, least, most, axis, _whole, room):
    demand(l == call.a.text() and call.a.reach(axis) == (int(least), int(most)),
           f"it reaches {call.a.reach(axis)}")
    demand(int(least) < 0 or int(most) >= int(room), "it stays in its range")


def carries(call, _whole, _part, least, most, room):
    demand(int(least) >= 0 and int(most) >= int(room), "it stays in its range")


def splits(call, l, bits, n):
    demand(l == call.a.text() and call.a.swizzle[0] == int(bits) and 2 ** int(bits) < int(n),
           "it does not")


def moves_on(call, l, axis):
    demand(axis in AXES, f"nothing is on {axis}")
    k = AXES.index(axis)
    demand(any(p[k] for x in range(l.size) for p in l.replica_places(x)),
           f"nothing moves on {axis}")


def names(letter):
    def check(call, l, axis, *_):
        operand = getattr(call, letter)
        demand(l == operand.text(), "another layout")
        moves_on(call, operand, axis)
    return check


def swizzled_one(letter):
    def check(call, l, *_):
        operand = getattr(call, letter)
        demand(l == operand.text() and operand.swizzle is not None, "it is not swizzled")
        demand(any(swizzled(operand.swizzle, p[0]) != p[0] for x in range(operand.size)
                   for p in operand.replica_places(x)), "its swizzle moves nothing")
    return check


def around_swizzled(call, b, a, axis):
    swizzled_one("b")(call, b)
    names("a")(call, a, axis)


def both_named(call, l, whole, part):
    names("a")(call, l, part)
    moves_on(call, call.a, whole) if whole in AXES else None


def operands(call, t, known):
    demand(t == call.a.text() and known == call.b.text(), "other layouts")


def known_inside(call):
    return call.more["name"].endswith("outer")


def sigma(call):
    """On each axis, the factor of the known operand in T."""
    return [call.a.span(axis) // call.b.span(axis) if call.more["name"] == "tile_inner" else 1
            for axis in AXES]


def swizzles(call):
    return call.a.swizzle is not None or call.b.swizzle is not None


def follows(call, x):
    """True if T(x) - T(y) = known(k) - known(0). Element x is at element k of the known operand; y differs from x only there,
    and is at element 0."""
    k, y = [], []
    for n, whole, part in zip(entries(x, call.more["shape"]), call.more["shape"],
                              call.more["known"]):
        unit = 1 if known_inside(call) else whole // part
        k.append(n // unit % part)
        y.append(n - k[-1] * unit)
    moved = plus(call.b.at(flat(k, call.more["known"])), call.b.at(0), -1)
    return plus(call.a.at(x), call.a.at(flat(y, call.more["shape"])),
                -1) == tuple(n * by for n, by in zip(moved, sigma(call)))


def differs(call, t, known, x):
    operands(call, t, known)
    demand(0 <= int(x) < call.a.size, "no such element")
    if call.more["name"] == "tile_inner" and int(x) == 0:
        return  # the span of the candidate may be another one, which moves all elements
    demand(swizzles(call) or not follows(call, int(x)), "the candidate does not differ there")


def no_candidate(call, t, known):
    operands(call, t, known)
    demand(swizzles(call) or not all(follows(call, x) for x in range(call.a.size)),
           "T moves as the known operand does")


def candidate_does_not_commute(call, t, known, should, puts):
    """If the known operand is inside, its swizzle is that of the result."""
    operands(call, t, known)
    should, puts, f = int(should), int(puts), call.b.swizzle
    inner = {p[0] for x in range(call.b.size) for p in call.b.replica_places(x)}
    demand(should != puts, "no witness")
    demand(not known_inside(call) or any(puts == swizzled(f, should - swizzled(f, i) + i)
                                         for i in inner), "the swizzle does something else")


def no_replicas(call, axis, known, t):
    """Fails if the replicas of the known operand, moved by some steps, are those of T. Steps of tile_outer are multiples of the span."""
    operands(call, t, known)
    k = AXES.index(axis)
    whole, part = {p[k] for p in call.a.moves()}, {p[k] * sigma(call)[k] for p in call.b.moves()}
    unit = call.b.span(axis) if call.more["name"] == "tile_outer" else 1
    first = min(whole) - min(part)
    steps = [d for d in {w - min(part) for w in whole} if (d - first) % unit == 0
             and all(d + p in whole for p in part)]
    demand({d + p for d in steps for p in part} != whole, "replicas combine to those of T")


def no_common_replicas(call, x):
    """Fails if the places of each element from 0 to x are one set, up to a move, and some R has this set."""
    demand(call.line.startswith("compose("), "one operand's replicas are those of the result")
    found = set()
    for e in range(int(x) + 1):
        places = {p for q in call.b.places(e) for p in call.a.places(q[0])}
        found.add(frozenset(plus(p, corner(places), -1) for p in places))
    demand(len(found) > 1 or not is_replica_set(found.pop()), "an R gives these places")


L, P, N, T = r"((?:swizzle\(.*?\) o )?S\[.*?\](?: [+-] (?:R\[.*?\]|\d+(?:@\w+)?))*)", r"([^()]*)", r"(-?\d+)", r"(-?\d+(?:@\w+)?)"
AXIS = r"(\w+)"
CHECKS = [(re.compile(pattern), check) for pattern, check in [
    (rf"the result is not a layout: elements {N} \(at {P}\) and {N} \(at {P}\) of {L} differ by {T}, but {N} \(at {P}\) and {N} \(at {P}\) "
     rf"differ by {T}, and these steps do not repeat", steps_there),
    (rf"the result is not a layout: elements {N} \(at {P}\) and {N} \(at {P}\) of {L} differ by {T} and by {T}, but a digit steps along one axis",
     two_axes_there),
    (rf"the result is not a layout: its elements {N} and {N} differ by {T}, but {N} and {N} differ by {T}, and these steps do not repeat",
     steps_here),
    (rf"the result is not a layout: its elements {N} and {N} differ by {T} and by {T}, but a digit steps along one axis", two_axes_here),
    (rf"element {N} of {L} with element {N} of {L} should be at {N}@m, but the swizzle moves it to {N}@m: the outer step {N}@m changes bits that "
     r"the swizzle reads", does_not_commute),
    (rf"{L} has no such factor: the only candidate with {L} should have an element at {N}@m, but the swizzle moves it to {N}@m",
     candidate_does_not_commute),
    (rf"{L} has no such factor: the only candidate composed with {L} is not a layout",
     no_candidate),
    (rf"{L} has no such factor: the only candidate composed with {L} differs from it at element {N}", differs),
    (rf"no replicas on {AXIS} combine with those of {L} to the replicas of {L}", no_replicas),
    (rf"{L} has places {N} to {N}, but {L} has only the elements 0 to {N}", leaves_the_outer),
    (rf"{L} has a hole: no element is at {T}", is_hole),
    (rf"{L} has the elements {N} and {N} at {T}", is_contested),
    (rf"{L} has the elements {N} and {N} at one place of the named axes", is_contested),
    (rf"{L} does not group by (\([\d,]*\)): dimension {N} \(extent {N}\) needs a factor of {N} from the digit {N}:{T}, but neither of {N} "
     rf"and {N} divides the other; choose extents whose boundaries lie between digits or at a divisor of a digit", is_inside_a_digit),
    (rf"{L} does not group by all shapes: the last dimensions of a shape hold {N} elements?, which needs a factor of {N} from the digit {N}:{T}, but "
     rf"neither of {N} and {N} divides the other", is_inside_for_all),
    (rf"the shapes have no common refinement: the last dimensions of one hold {N} elements?, those of another {N}, and neither number divides the other",
     no_chain),
    (rf"the elements of {L} are not neighbours on {AXIS} in groups of {N}", lambda call, l, axis,
     n: apart(call, n, l, axis)),
    (rf"the step {T} of {L} is not a multiple of {N}", no_multiple),
    (rf"the step {T} of {L} is not a multiple of {N}, the span of {L} on {AXIS}",
     no_multiple_of_span),
    (rf"the replicas of {L} are {T} apart, which is not a multiple of {N}", replicas_apart),
    (rf"the offset {T} of {L} is not a multiple of {N}", offset_apart),
    (rf"the remaining offset {T} is not a multiple of {N}, the span of {L} on {AXIS}",
     rest_is_no_multiple),
    (rf"{L} spans {N} places? on {AXIS}, which is not a multiple of {N}, the span of {L}",
     lambda call, l, span, axis, other, known: spans(call, axis, l, span, other, known)),
    (rf"{L} has places {N} to {N} on {AXIS}, but inside {AXIS} they must be at least 0 and less than {N}", part_range),
    (rf"cannot split {AXIS}: the part on {AXIS} would have places {N} to {N}, but they must be at least 0 and less than {N}", carries),
    (rf"the swizzle of {L} keeps runs of 2\^{N} elements together, which is fewer than {N}",
     splits),
    (rf"{L} is swizzled, so that elements are packed, unpacked and scaled by powers of two only, not by {N}",
     swizzled_one("a")),
    (rf"{L} is swizzled, so that its addresses on {AXIS} are not digits of other axes",
     swizzled_one("a")),
    (rf"the outer layout {L} is swizzled, but only the inner one may be",
     lambda call, l: swizzled_one("a" if l == call.a.text() else "b")(call, l)),
    (rf"{L} is swizzled, so that the outer layout must lie on m only, but {L} also names {AXIS}",
     around_swizzled),
    (rf"{L} names {AXIS} and its part {AXIS}: to split or join axes, it must name only one of the two", both_named),
    (rf"{L} is swizzled, so that narrower elements are neighbours on m, not on {AXIS}",
     swizzled_one("a")),
    (rf"{L} is swizzled already, and two swizzles do not combine to one", swizzled_one("a")),
    (rf"a swizzled layout must lie on m only, but {L} also names {AXIS}", names("a")),
    (r"the result is not a layout, with or without a swizzle",
     lambda call: demand(call.a.swizzle or call.b and call.b.swizzle, "nothing is swizzled")),
    (r"elements are packed on a memory axis, but lane is not one",
     lambda call: demand(call.line.endswith(", lane)"), "another axis")),
    (rf"the result is not a layout: a layout has one R\[extents:strides\] for all elements, but no R gives the places of all elements up to {N}",
     no_common_replicas),
    (rf"D has {N} iters, but a layout holds at most 24",
     lambda call, n: demand(int(n) > 24, "so few fit")),
]]


def check(call, answer):
    """The pattern of the sentence. Raises Untrue if a number is wrong or no pattern matches."""
    _, name, sentence = answer.split(": ", 2)
    demand(call.line.startswith(name + "("), "another operation")
    for pattern, checker in CHECKS:
        found = pattern.fullmatch(sentence)
        if not found:
            continue
        checker(call, *found.groups())
        return pattern.pattern[:60]
    raise Untrue("no check knows this sentence")
