"""Compares positions as NumPy arrays with the sets of places, and measures their speed."""

import time

import numpy
import pytest

import axe

LAYOUTS = [
    "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp",
    "S[(4,5):(7,1)] - 3@m",
    "S[6:-2] + R[(2,2):(1,3)]",
    "swizzle(3,3,3) o S[(8,16):(64,1)] + 128",
    "swizzle(0,2,-2) o S[16:1] + R[2:16]",
    "S[(2,3):(0,0@lane)] + R[2:1@warp]",
    "S[]",
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_positions_are_the_places(text):
    layout = axe.Layout(text)
    size = layout.size()
    for axis in (*layout.axes, "lane", "m"):
        found = layout.places(axis)
        assert found.dtype == numpy.int64 and found.shape[0] == size
        for x in range(size):
            expected = {place.get(axis, 0) for place in layout.places(size, x)}
            assert set(numpy.atleast_1d(found[x]).tolist()) == expected
            assert numpy.atleast_1d(found[x]).size == len(expected)


def test_a_shape_gives_the_dimensions():
    tile = axe.Layout(LAYOUTS[0])
    assert tile.places("lane", shape=(8, 16)).shape == (8, 16)
    assert tile.places("warp", shape=((2, 4), 16)).shape == (8, 16, 2)
    assert tile.places("lane", shape=(8, 16))[2, 9] == 8
    assert tile.places("warp", shape=(8, 16))[2, 9].tolist() == [6, 10]


def test_a_shape_has_the_elements_of_the_layout():
    for shape in ((3, 4), (-2, -4), (2, 4, 0), 7):
        with pytest.raises(axe.Error, match="does not have the 8 elements"):
            axe.Layout("S[8:1] + R[2:8]").places("m", shape=shape)


def test_positions_permute_a_tensor_in_memory():
    layout = axe.conflict_free_layout("S[(8,64):(64,1)]", (8, 64), axe.ldmatrix_rows(16))
    tensor = numpy.arange(512).reshape(8, 64)
    memory = numpy.empty(512, tensor.dtype)
    memory[layout.places("m")] = tensor.ravel()
    assert (memory[layout.places("m", shape=(8, 64))] == tensor).all()
    assert memory.tolist() != tensor.ravel().tolist()


def test_an_axis_must_be_known():
    with pytest.raises(axe.Error):
        axe.Layout("S[8:1]").places("lnae")
    with pytest.raises(axe.Error):
        axe.Layout("S[8:1]").places("3")


def test_too_many_positions_raise_memory_error():
    with pytest.raises(MemoryError, match="4611686018427387904 elements"):
        axe.Layout("S[4611686018427387904:0]").places("m")


def test_at_least_a_hundred_million_elements_each_second():
    layout = axe.Layout("S[(256,2,512,64,2):(4@lane,1@warp,64@m,1@m,1@reg)]")
    layout.places("m")
    best = 0
    for _ in range(5):
        start = time.process_time()
        count = layout.places("m").size
        best = max(best, count / (time.process_time() - start))
    assert best >= 1e8, f"{best:.3g} elements each second"
