"""Python classes for layouts and the other values of the calculator, and how arguments are written.

Every value has the text that `axe eval` prints. Two layouts are equal if their texts are.
"""

import json
import re
from operator import index

from . import _axe

_session = _axe.Session(1_000_000)
_declared = {}  # the kind of each declared axis, by its name


class Error(ValueError):
    """The calculator did not answer. `sentence` says why."""

    def __init__(self, sentence):
        super().__init__(sentence)
        self.sentence = sentence


class Refused(Error):
    """The result does not exist, or an operand is invalid.

    `rule` is the rule's name as in docs/refusals.md. `numbers` and `axes` are those of its
    sentence, and `operation` is the function that was called.
    """

    def __init__(self, sentence, rule="", numbers=(), axes=(), operation=""):
        super().__init__(sentence)
        self.rule = rule
        self.numbers = tuple(numbers)
        self.axes = tuple(axes)
        self.operation = operation

    def __reduce__(self):
        return (Refused, (self.sentence, self.rule, self.numbers, self.axes, self.operation))


class Malformed(Error):
    """The text is not an expression. `position` is the place of the mistake in `text`, counted from
    0.
    """

    def __init__(self, sentence, position=0, text=""):
        super().__init__(f"{sentence}\n  {text}\n  {' ' * position}^" if text else sentence)
        self.sentence = sentence
        self.position = position
        self.text = text

    def __reduce__(self):
        return (Malformed, (self.sentence, self.position, self.text))


def ask(line):
    """Returns the answer to a line of the calculator, or raises an Error."""
    answer = _session.evaluate(line)
    if answer.status == "answered":
        if answer.kind == "declaration":
            declared = json.loads(answer.json)
            _declared[declared["axis"]] = declared["kind"]
        return answer
    if answer.status == "refused":
        raise Refused(answer.text, answer.rule, answer.numbers, answer.axes, answer.operation)
    if answer.status == "malformed":
        raise Malformed(answer.text, answer.position, line)
    raise Malformed("an expression is empty", 0, line)


def axis(name, kind):
    """Declares an axis of kind "thread", "memory" or "device", and returns its name."""
    wrong = _session.declare(name, kind)
    if wrong:
        raise Error(wrong)
    _declared[name] = kind
    return name


def evaluate(line):
    """Returns the value of an expression of `axe eval`: evaluate("size(S[(8,4):(4,1)])") == 32."""
    return held(ask(line))


def written(argument, kinds=()):
    """Writes an argument as the calculator reads it. `kinds` are the kinds that the function accepts
    in this position.
    """
    if isinstance(argument, Value):
        return argument.text
    if isinstance(argument, str):
        return argument
    if isinstance(argument, bool):
        return "true" if argument else "false"
    if hasattr(argument, "__index__"):
        return str(index(argument))
    if isinstance(argument, (slice, range)):
        if argument.step not in (None, 1) or argument.start is None or argument.stop is None:
            raise Error(
                f"a range of a region has a begin and an end and the step 1, not {argument}")
        return f"{index(argument.start)}:{index(argument.stop)}"
    if isinstance(argument, dict):
        if not argument:
            raise Error('a place or a box names at least one axis, as in {"lane": 8}')
        terms = [(name, index(n)) for name, n in argument.items()]
        if "box_axis" in kinds:
            return ", ".join(f"{name}: {n}" for name, n in terms)
        text = "".join(f" {'-' if n < 0 else '+'} {abs(n)}@{name}" for name, n in terms)
        return text[3:] if text.startswith(" + ") else text.strip().replace("- ", "-", 1)
    if isinstance(argument, (list, tuple)):
        shapes = isinstance(argument, list) and "shapes" in kinds
        entries = ", ".join(written(entry) for entry in argument)
        return "{" + entries + "}" if shapes else "(" + entries + ")"
    raise TypeError(f"axe takes no {type(argument).__name__}: {argument!r}")


class Record:
    """The fields of an object of `axe eval --json`, as attributes."""

    def __init__(self, fields):
        self.__dict__.update({name: of_json(value) for name, value in fields.items()})

    def __repr__(self):
        return "(" + ", ".join(f"{name}={value!r}" for name, value in vars(self).items()) + ")"

    def __eq__(self, other):
        return isinstance(other, Record) and vars(self) == vars(other)


def of_json(value):
    """Makes a Layout of a layout, a tuple of a list, and a Record of another object."""
    if isinstance(value, list):
        return tuple(of_json(entry) for entry in value)
    if not isinstance(value, dict):
        return value
    if {"text", "D", "R", "O"} <= set(value):
        return Layout._trusted(value["text"])
    return Record(value)


class Value:
    """A value of the calculator. The fields of its JSON are attributes. No attribute can be assigned,
    because the text decides equality and the hash.
    """

    __slots__ = ("_text", "_fields")
    kind = None

    def __init__(self, text):
        answer = ask(written(text))
        if self.kind not in (None, answer.kind):
            raise Error(f"{text} is not a {self.kind.replace('_', ' ')}, but of kind {answer.kind}")
        self._text, self._fields = answer.text, None

    @classmethod
    def _trusted(cls, text, fields=None):
        value = object.__new__(cls)
        value._text, value._fields = text, fields
        return value

    @property
    def text(self):
        """The text that `axe eval` prints."""
        return self._text

    def _json(self):
        if self._fields is None:
            self._fields = json.loads(ask(self.text).json)
        return self._fields

    def __getattr__(self, name):
        fields = None if name.startswith("_") else self._json()
        if not isinstance(fields, dict) or name not in fields:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return of_json(fields[name])

    def __dir__(self):
        fields = self._json()
        return [*super().__dir__(), *(fields if isinstance(fields, dict) else ())]

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"axe.{type(self).__name__}({self.text!r})"

    def __eq__(self, other):
        return type(self) is type(other) and self.text == other.text

    def __hash__(self):
        return hash(self.text)

    def __reduce__(self):
        words = set(re.findall(r"\w+", self.text))
        used = {name: kind for name, kind in _declared.items() if name in words}
        return (_unpickled, (type(self), self.text, self._fields, used))


def _unpickled(cls, text, fields, axes):
    for name, kind in axes.items():
        axis(name, kind)
    return cls._trusted(text, fields)


class Layout(Value):
    """A layout: Layout("S[(8,4):(4@lane,1@lane)] + R[2:4@warp]"), or any expression with a layout
    as its value. It also reads CuTe's (8,4):(1,8), TIRx's T.TileLayout(…), and encodings of Triton.

    `==` compares extents, strides and axes as written; `equivalent` compares the maps.
    """

    __slots__ = ()
    kind = "layout"

    def __init__(self, text):
        text = written(text)
        answer = ask(text)
        if answer.kind in ("pair", "cute_layout"):
            answer = ask(f"cute.to_axe({text})")
        elif answer.kind == "linear":
            owners = json.loads(answer.json)["out"][:1]
            of_dimensions = any(side["axis"].startswith("dim") for side in owners)
            answer = ask(f"linear.layout({f'linear.preimage({text})' if of_dimensions else text})")
        if answer.kind != self.kind:
            raise Error(f"{text} is not a layout, but of kind {answer.kind}")
        self._text, self._fields = answer.text, None

    @property
    def axes(self):
        """The names of the layout's axes, in order of first appearance."""
        fields = self._json()
        terms = [*fields["D"], *fields["R"], *fields["O"]]
        return tuple(dict.fromkeys(t["axis"] for t in terms if t["axis"] is not None))

    @property
    def shape(self):
        """The extents of the layout's dimensions if it is grouped, else (size,)."""
        fields = self._json()
        extents, shape = [i["extent"] for i in fields["D"]], []
        for held in fields["blocks"] or (len(extents),):
            product = 1
            for extent in extents[:held]:
                product *= extent
            del extents[:held]
            shape.append(product)
        return tuple(shape)

    def places(self, axis, *coordinate, shape=None):
        """Returns the position of every element on an axis, as a NumPy array of int64.

        Elements count row-major, and `shape` is the shape of the array. If the layout has replicas
        on the axis, the last dimension has the positions of one element. `places(S, c)` is the set
        of places of one element.
        """
        if coordinate:
            return FUNCTIONS["places"](self, axis, *coordinate)
        if not isinstance(axis, str):
            raise TypeError(
                'places takes the name of an axis, as "lane", or a shape and a coordinate')
        if ask(written(axis)).kind != "axis":
            raise Error(f"{axis} is not the name of an axis")
        dimensions = None if shape is None else tuple(map(_product, _as_tuple(shape)))
        size = self.size()
        if shape is not None and (_product(dimensions) != size or min(dimensions, default=1) < 1):
            raise Error(
                f"the shape {written(_as_tuple(shape))} does not have the {size} elements of {self}")
        try:
            flat, replicas = _axe.positions(_session, self.text, axis)
        except MemoryError:
            raise MemoryError(
                f"the positions of {self} on {axis} do not fit in an array: {size} elements, 8 bytes for "
                              "each position, and at most 16777216 positions of an element") from None
        if shape is None:
            return flat if replicas == 1 else flat.reshape(-1, replicas)
        return flat.reshape(dimensions if replicas == 1 else (*dimensions, replicas))

    def svg(self, shape=None, **options):
        """Returns a picture of the layout as SVG. The options are those of `axe draw`, as in
        view="tensor".
        """
        extents = written(tuple(self.shape if shape is None else _as_tuple(shape)))
        return program("draw", self, shape=extents, o="-", **options)

    def table(self, shape=None):
        """Returns the places of the elements as a grid of text."""
        return program("table", self, shape=shape)

    def _repr_svg_(self):
        try:
            picture = self.svg()
        except Error:  # without a picture, notebooks show the text
            return None
        # Leaves out the XML declaration, because the picture is part of a page.
        return picture[picture.index("<svg") :]

    def to_tirx(self):
        """Returns the printed form of TIRx: T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1 @
        Axis.laneid)]).
        """
        return _axe.to_tirx(_session, self.text)


class CuteLayout(Value):
    """A layout in CuTe's notation: CuteLayout("(4,2):(1,4)")."""

    __slots__ = ()
    kind = "cute_layout"

    def __init__(self, text):
        answer = ask(f"cute.layout({written(text)})" if ":" in written(text) else written(text))
        if answer.kind != self.kind:
            raise Error(f"{text} is not a CuTe layout, but of kind {answer.kind}")
        self._text, self._fields = answer.text, None


class LinearMap(Value):
    """A linear map over F2: LinearMap("{lane: 1 -> (1)} to (m: 2)")."""

    __slots__ = ()
    kind = "linear"


class Swizzle(Value):
    """A swizzle: Swizzle("swizzle(3,3,3)"), with M, B and S."""

    __slots__ = ()
    kind = "swizzle"


class Access(Value):
    """An access of a tile in memory: Access("ldmatrix_rows(16)")."""

    __slots__ = ()
    kind = "access"


CLASSES = {cls.kind: cls for cls in (Layout, CuteLayout, LinearMap, Swizzle, Access)}
FUNCTIONS = {}  # _functions.py fills it


def held(answer):
    """Returns the Python value of an answer."""
    kind = answer.kind
    if kind in CLASSES:
        return CLASSES[kind]._trusted(answer.text)
    if kind == "integer":
        return int(answer.text)
    if kind == "word":
        return answer.text == "true"
    if kind == "axis":
        return answer.text
    fields = json.loads(answer.json)
    if kind in ("place", "places"):
        return fields
    if kind == "region":
        return tuple(slice(begin, end) for begin, end in fields)
    if kind in ("shape", "elements", "shapes", "axes", "owned_by", "not_owned_by"):
        return of_json(fields)
    return Value._trusted(answer.text, fields)


def program(*words, **options):
    """Returns what the program `axe` prints: program("map", layout, shape=(8, 16)).

    An option is a keyword: from_= stands for `--from`, and True for a flag. Raises Error with the
    sentence of the program.
    """
    given, chosen = [written(word) for word in words], []
    for name, value in options.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        chosen.append("-o" if name == "o" else f"--{name}")
        if value is not True:
            chosen.append(written(value))
    # `completion` has no option --axis.
    if given and given[0] not in ("completion", "help") and not given[0].startswith("-"):
        for name, kind in _declared.items():
            chosen += ["--axis", f"{name}:{kind}"]
    end = given.index("--") if "--" in given else len(given)
    given[end:end] = chosen
    code, out, err = _axe.command(given)
    if code != 0:
        sentence = err.strip() or out.strip()
        raise Error(sentence.split(": ", 1)[1] if sentence.startswith("axe ") else sentence)
    return out


def _product(tree):
    if not isinstance(tree, (tuple, list)):
        return tree
    product = 1
    for entry in tree:
        product *= _product(entry)
    return product


def _as_tuple(shape):
    return shape if isinstance(shape, (tuple, list)) else (shape,)
