"""Tests placements of DTensor, JAX, XLA and ScaLAPACK, and reshardings between them."""

import numpy
import pytest

import axe

MESH = {"y": 2, "x": 4}


class Shard:
    """Stands in for DTensor's Shard and prints as it does."""

    def __init__(self, dim):
        self.dim = dim

    def __repr__(self):
        return f"Shard(dim={self.dim})"


class Replicate:
    def __repr__(self):
        return "Replicate()"


def test_a_placement_is_written_in_every_notation():
    p = axe.placement("[Shard(0), Replicate()]", MESH, (64, 64))
    assert p.read == "dtensor" and p.jax == "P('y', None)" and p.scalapack is None
    assert p.xla == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"
    assert p.axe.equivalent("S[(2,32,64):(1@y,64,1)] + R[4:1@x]")
    for text in (p.jax, p.axe, p.xla, "PartitionSpec('y', None)"):
        assert axe.placement(text, MESH, (64, 64)).dtensor == "[Shard(0), Replicate()]"
    # The tiles of the first row are on devices 0, 2 and 4. No axis of the mesh has these devices,
    # so the layout is on gpuid.
    numbered = axe.placement("{devices=[2,3]<=[3,2]T(1,0)}", "y=2,x=3", (64, 63))
    assert numbered.axe.axes == ("gpuid", "m") and numbered.dtensor is None


def test_objects_of_dtensor_and_scalapack_are_read():
    assert axe.placement((Shard(0), Replicate()), MESH,
                         (64, 64)).dtensor == "[Shard(0), Replicate()]"
    descriptor = numpy.array([1, 0, 64, 64, 8, 8, 0, 0, 32], dtype="int32")
    p = axe.placement(descriptor, "r=2,c=2", (64, 64))
    assert p.read == "scalapack" and p.scalapack == "[1,0,64,64,8,8,0,0,32]" and p.dtensor is None


def test_the_shape_has_summands_and_padding():
    assert axe.placement("P('y')", MESH, (63, 64)).shape == (64, 64)
    assert axe.placement("[Partial(sum), Shard(0)]", MESH, (64,)).shape == (2, 64)


def test_a_resharding_is_planned_between_two_notations():
    plan = axe.plan.reshard("[Shard(0), Replicate()]", "P(None, 'y')", mesh=MESH, shape=(64, 64))
    assert plan.collective == "all-to-all" and plan.axis == "y"
    p = axe.placement("[Partial(sum), Replicate()]", MESH, (64, 64))
    assert axe.plan.reshard(p, "[Shard(0), Replicate()]", mesh=p.mesh,
                            shape=(64, 64)).collective == "reduce-scatter"


def test_malformed_placements_are_rejected():
    with pytest.raises(axe.Error, match="got 1 placement, but the mesh has 2 axes"):
        axe.placement("[Shard(0)]", MESH, (64, 64))
    with pytest.raises(axe.Error, match="expected placements"):
        axe.plan.reshard("[Split(0), Replicate()]", "P()", mesh=MESH, shape=(64, 64))
