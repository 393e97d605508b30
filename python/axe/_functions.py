"""Makes the functions of `axe eval` from their table: tile, slice, span, cute.composition, …

A function takes what the calculator takes: layouts (or their text), integers, tuples, dicts for
places and slices for regions. It is also a method of the class of its first argument.
"""

from . import _axe
from ._values import CLASSES, FUNCTIONS, ask, held, written


class Function:
    """One function name of the table, with all of its signatures."""

    def __init__(self, name):
        self.__name__ = self.__qualname__ = name
        self.__module__ = "axe"
        self.signatures = []  # (parameters, help, result, kinds of each argument, least, most)

    @property
    def __doc__(self):
        return "\n".join(f"{self.__name__}({s[0]})\n    {s[1]}" for s in self.signatures)

    def __call__(self, *arguments, **box):
        if box:
            arguments = (*arguments, box)
        texts = (written(argument, self.kinds(i)) for i, argument in enumerate(arguments))
        return held(ask(f"{self.__name__}({', '.join(texts)})"))

    def kinds(self, position):
        """Returns the kinds that argument `position` may have. Further arguments have the kinds of
        the last listed one.
        """
        return {k for s in self.signatures if s[3] for k in s[3][min(position, len(s[3]) - 1)]}

    def __repr__(self):
        return f"<axe.{self.__name__}>"

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return lambda *arguments, **box: self(instance, *arguments, **box)


def made():
    """Returns the functions by their names in the package, such as "tile" and "cute".
    cute.composition becomes an attribute of `cute`. `linear` is a function and also has such
    attributes.
    """
    for name, *signature in _axe.table():
        FUNCTIONS.setdefault(name, Function(name)).signatures.append(signature)
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
            first = any(s[3] and kind in s[3][0] for s in function.signatures)
            if first and prefix == family and method not in vars(cls):
                setattr(cls, method, function)
