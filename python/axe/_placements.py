"""Reads placements of a tensor on a mesh of devices, in the notations of DTensor, JAX, XLA and
ScaLAPACK.

p = axe.placement("[Shard(0), Replicate()]", mesh={"y": 2, "x": 4}, shape=(64, 64))
p.jax                                                   "P('y', None)"
axe.plan.reshard(p, "[Replicate(), Shard(1)]", mesh=p.mesh, shape=p.shape)
"""

import json

from ._values import Record, axis, program


def _mesh(mesh):
    return ",".join(f"{name}={n}" for name, n in mesh.items()) if isinstance(mesh, dict) else mesh


def _source(placement):
    """Returns the text of a placement, which may be a Placement, DTensor's placements, a
    PartitionSpec or a descriptor of ScaLAPACK.
    """
    if isinstance(placement, Placement):
        return placement.source
    if hasattr(placement, "tolist"):
        placement = placement.tolist()
    return str(placement)


class Placement(Record):
    """A placement, written in all notations. `axe` is the layout on the devices. `dtensor`, `jax`,
    `xla` and `scalapack` are texts, or None if the notation cannot express it. `read` names the
    notation of the given text. `shape` has the summands and the padded extents.
    """

    def __init__(self, source, mesh, fields):
        super().__init__(fields)
        self.__dict__.update(source=source, mesh=mesh)

    def __str__(self):
        return self.source


def placement(source, mesh, shape, real=None, summands=None):
    """Reads a placement: a text, a DTensor's `placements`, a PartitionSpec, a descriptor of
    ScaLAPACK, or a layout. `mesh` has the axes, slowest first: {"y": 2, "x": 4}. `real` has the
    extents without padding, and `summands` the extents of the leading dimensions of summands.
    """
    text, axes = _source(source), _mesh(mesh)
    for name in axes.split(","):
        if name.strip():  # the program reports an empty mesh
            axis(name.partition("=")[0].strip(), "device")
    answer = program("notation", text, mesh=axes, shape=shape, real=real, summands=summands,
                     json=True)
    return Placement(text, axes, json.loads(answer))
