"""Counts the words that XLA moves in the collectives of a compiled identity, or of a sum over a
sharded dimension.

received(src, dst, shape)     words that all devices receive, read from the text of the program
held(placed)                  the elements of each device as JAX places them
"""

import math
import os
import re

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import jax  # noqa: E402
import numpy  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

from cases import MESH, entries  # noqa: E402

devices = Mesh(numpy.array(jax.devices()[:8]).reshape(MESH), ("y", "x"))
CALL = re.compile(
    r"= (.*?) (all-gather|all-reduce|all-to-all|reduce-scatter|collective-permute)(?:-start)?\((.*)"
)
ARRAY = re.compile(r"\w+\[([\d,]*)\]")
PAIRS = re.compile(r"source_target_pairs=\{(.*?)\}\}")
LISTS = re.compile(r"replica_groups=\{\{(.*?)\}\}")
IOTA = re.compile(r"replica_groups=\[(\d+),(\d+)\]")
AXES = re.compile(r"replica_groups=mesh\[(.*?)\][^{]*\{(.*?)\}")
EXTENT = re.compile(r"('\w+')=(\d+)")
AXIS = re.compile(r"('\w+')(?::\(\d+\)(\d+))?")


def words_of(text):
    return sum(math.prod(int(n) for n in extents.split(",") if n)
               for extents in ARRAY.findall(text))


def groups(rest):
    """Returns the number of devices in each group of a collective."""
    if found := AXES.search(rest):
        extents = dict(EXTENT.findall(found[1]))
        size = math.prod(int(part or extents[name]) for name, part in AXIS.findall(found[2]))
        return [size] * (8 // size)
    if found := IOTA.search(rest):
        return [int(found[2])] * int(found[1])
    if found := LISTS.search(rest):
        return [len(group.split(",")) for group in found[1].split("},{")]
    raise ValueError(f"unknown form of replica groups: {rest}")


def words_of_call(result, name, rest):
    """Returns the words that all devices receive in one collective. `result` is the text of the
    array that one device has after the collective.
    """
    size = words_of(result)
    if name == "collective-permute":
        pairs = PAIRS.search(rest)[1].strip("{").split("},{")
        return size * sum(a != b for a, b in (pair.split(",") for pair in pairs))
    each = {
        "all-gather": lambda n: size * (n - 1) // n,
        "all-to-all": lambda n: size * (n - 1) // n,
        "reduce-scatter": lambda n: size * (n - 1),
        "all-reduce": lambda n: 2 * size * (n - 1) / n,
    }[name]
    return sum(n * each(n) for n in groups(rest))


def received(src, dst, shape):
    of_src, sums = entries(src, len(shape))
    of_dst, _ = entries(dst, len(shape))

    def sharding(of):
        return NamedSharding(devices, PartitionSpec(*of))

    if sums:
        shape = (math.prod(dict(zip("yx", MESH))[a] for a in sums), *shape)
        of_src = [sums, *of_src]
    program = jax.jit(
        (lambda a: a.sum(0)) if sums else (lambda a: a),
        in_shardings=sharding(of_src),
        out_shardings=sharding(of_dst),
    )
    text = program.lower(jax.ShapeDtypeStruct(shape, numpy.float32)).compile().as_text()
    return sum(words_of_call(*found) for found in CALL.findall(text))


def held(placed):
    """Returns the elements of each device in the order of its memory, for each (placement, shape).
    """
    found = []
    for placement, shape in placed:
        numbers = numpy.arange(math.prod(shape)).reshape(shape)
        sharding = NamedSharding(devices, PartitionSpec(*entries(placement, len(shape))[0]))
        parts = sharding.devices_indices_map(tuple(shape))
        found.append([numbers[parts[device]].flatten().tolist() for device in devices.devices.flat])
    return found
