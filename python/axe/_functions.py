"""Makes the functions of `axe eval` from their table: tile, slice, span, cute.composition, …

A function takes what the calculator takes: layouts (or their text), integers, tuples, dicts for
places and slices for regions. It is also a method of the class of its first argument.
"""

import collections

from . import _axe
from ._values import CLASSES, FUNCTIONS, ask, held, written


# `parameters` and `help` are texts. `kinds` has the kinds of each argument. A call has `least` to
# `most` arguments.
Signature = collections.namedtuple("Signature", "parameters help result kinds least most")


class Function:
    """One function name of the table, with all of its signatures. Keyword arguments form a dict,
    which is the last argument, as in coverage(L, m=64).
    """

    def __init__(self, name):
        self.__name__ = self.__qualname__ = name
        self.__module__ = "axe"
        self.signatures = []

    @property
    def __doc__(self):
        return "\n".join(f"{self.__name__}({s.parameters})\n    {s.help}" for s in self.signatures)

    def __call__(self, *arguments, **box):
        if box:
            arguments = (*arguments, box)
        texts = (written(argument, self.kinds(i)) for i, argument in enumerate(arguments))
        return held(ask(f"{self.__name__}({', '.join(texts)})"))

    def kinds(self, position):
        """Returns the kinds that argument `position` may have. Arguments beyond the listed ones have
        the kinds of the last one.
        """
        return {kind for s in self.signatures if s.kinds
                for kind in s.kinds[min(position, len(s.kinds) - 1)]}

    def __repr__(self):
        return f"<axe.{self.__name__}>"

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return lambda *arguments, **box: self(instance, *arguments, **box)


def functions_by_name():
    """Returns the functions by their names in the package, such as "tile" and "cute".
    cute.composition becomes an attribute of `cute`. `linear` is a function and also has such
    attributes.
    """
    for name, *signature in _axe.table():
        FUNCTIONS.setdefault(name, Function(name)).signatures.append(Signature(*signature))
    names = {name: function for name, function in FUNCTIONS.items() if "." not in name}
    for name, function in FUNCTIONS.items():
        prefix, _, rest = name.partition(".")
        if rest:
            setattr(names.setdefault(prefix, Function(prefix)), rest, function)
    return names


def add_methods():
    """Adds each function to the class of its first argument, except Layout.places, which the class
    defines.
    """
    for name, function in FUNCTIONS.items():
        prefix, _, method = name.rpartition(".")
        for kind, cls in CLASSES.items():
            family = {"cute_layout": "cute", "linear": "linear"}.get(kind, "")
            first = any(s.kinds and kind in s.kinds[0] for s in function.signatures)
            if first and prefix == family and method not in vars(cls):
                setattr(cls, method, function)
