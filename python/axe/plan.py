"""Plans how a tile is copied, multiplied, reduced or converted, as `axe plan` does.

p = axe.plan.copy("S[(64,64):(4096,1)]", "S[(64,64):(64,1)]", from_="global", to="shared",
                  shape=(64, 64), scope=128)
print(p)                     the plan in words
p.instruction                fields of `axe plan copy --json`

Options are keywords: from_= stands for `--from`, and async_=True for the flag --async.
"""

import json

from ._placements import _mesh, _source
from ._values import Record, program


class Plan(Record):
    """A plan: `str` is its text, and the fields of its JSON are attributes."""

    def __init__(self, text, fields):
        super().__init__(fields)
        self.__dict__["text"] = text

    def __str__(self):
        return self.text


def _plan(kind, *layouts, **options):
    options.pop("json", None)  # a Plan always has its fields
    text = program("plan", kind, *layouts, **options)
    return Plan(text, json.loads(program("plan", kind, *layouts, json=True, **options)))


def copy(source, target, **options):
    """Plans the copy of a tile from one layout to another."""
    return _plan("copy", source, target, **options)


def tma(tensor, shared, **options):
    """Plans a tensor copy (TMA) between global and shared memory."""
    return _plan("tma", tensor, shared, **options)


def mma(a, b, c, /, **options):
    """Plans the product of tiles with matrix instructions."""
    return _plan("mma", a, b, c, **options)


def convert(source, target, **options):
    """Plans the conversion of registers between layouts."""
    return _plan("convert", source, target, **options)


def reduce(layout, **options):
    """Plans the reduction of dimensions of a tile in registers."""
    return _plan("reduce", layout, **options)


def reshard(*arguments, **options):
    """Plans the move of a tensor between placements on a mesh of devices, in any notation that
    axe.placement reads.
    """
    options["mesh"] = _mesh(options.get("mesh"))
    return _plan("reshard", *map(_source, arguments), **options)
