"""Measures the traffic and the placements of DTensor with PyTorch's fake process group, which sends
nothing.

received(src, dst, shape)     words that all devices receive in the collectives that DTensor calls
held(placed)                  the elements of each device, in memory order
"""

import contextlib
import math
import os
import warnings

os.environ["TORCH_LOGS"] = "-all"

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, init_device_mesh  # noqa: E402
from torch.distributed.tensor import _collective_utils, _redistribute, placement_types  # noqa: E402
from torch.testing._internal.distributed.fake_pg import FakeStore  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

from cases import MESH  # noqa: E402

DEVICES = math.prod(MESH)
warnings.filterwarnings("ignore")


def join(rank):
    """Returns the mesh as the process `rank` sees it."""
    if dist.is_initialized():
        dist.destroy_process_group()
    dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=DEVICES)
    return init_device_mesh("cpu", MESH, mesh_dim_names=("y", "x"))


def placements(of):
    kinds = {
        "S": lambda k: Shard(k[1]),
        "SS": lambda k: placement_types._StridedShard(k[1], split_factor=k[2]),
        "R": lambda k: Replicate(),
        "P": lambda k: Partial("sum"),
    }
    return [kinds[k[0]](k) for k in of]


class Counter(TorchDispatchMode):
    """Adds up the words that one device receives in collectives."""

    words = 0

    def __torch_dispatch__(self, call, types, args=(), kwargs=None):
        result = call(*args, **(kwargs or {}))
        name = call.name().split("::")[-1]
        if call.namespace == "_c10d_functional":
            size = args[0].numel()
            self.words += {
                "all_gather_into_tensor": lambda: size * (args[1] - 1),
                "reduce_scatter_tensor": lambda: size * (args[2] - 1) // args[2],
                "all_reduce": lambda: all_reduce(args),
                "wait_tensor": lambda: 0,
                "_wrap_tensor_autograd": lambda: 0,
            }[name]()
        return result


def all_reduce(args):
    group = dist.distributed_c10d._resolve_process_group(args[2])
    return 2 * args[0].numel() * (group.size() - 1) // group.size()


@contextlib.contextmanager
def all_to_all_of_a_gpu(counter):
    """Replaces DTensor's all-to-all by one that counts words. DTensor calls it on GPUs, and gathers
    on CPUs.
    """
    original = _collective_utils.shard_dim_alltoall

    def count(local, gather_dim, shard_dim, mesh, mesh_dim):
        parts = mesh.size(mesh_dim)
        counter.words += local.numel() * (parts - 1) // parts
        shape = list(local.shape)
        shape[gather_dim] *= parts
        shape[shard_dim] //= parts
        return local.new_empty(shape)

    holders = [m for m in (_collective_utils, _redistribute, placement_types)
               if hasattr(m, original.__name__)]
    for module in holders:
        setattr(module, original.__name__, count)
    try:
        yield
    finally:
        for module in holders:
            setattr(module, original.__name__, original)


def local_shape(of, shape):
    extents = list(shape)
    for k, n in zip(of, MESH):
        if k[0] in ("S", "SS"):
            extents[k[1]] //= n
    return extents


def received(src, dst, shape, least_cost=False):
    mesh = received.mesh = getattr(received, "mesh", None) or join(0)
    local = torch.empty(local_shape(src, shape))
    tensor = DTensor.from_local(local, mesh, placements(src), run_check=False,
                                shape=torch.Size(shape),
                                stride=torch.empty(shape, device="meta").stride())
    counter = Counter()
    # The cache may hold plans of the other planner.
    _redistribute._gen_transform_infos.cache_clear()
    planner = _redistribute.use_min_cost_redistribution_plan(
        True) if least_cost else contextlib.nullcontext()
    with planner, all_to_all_of_a_gpu(counter), counter:
        result = tensor.redistribute(mesh, placements(dst))
    assert list(result.to_local().shape) == local_shape(dst, shape)
    # All devices receive equally many words, because the mesh divides every dimension evenly.
    return counter.words * DEVICES


def held(placed):
    """Returns the elements of each device in the order of its memory, for each (placement, shape).
    """
    found = [[] for _ in placed]
    for rank in range(DEVICES):
        mesh = join(rank)
        for answer, (placement, shape) in zip(found, placed):
            numbers = torch.arange(math.prod(shape)).reshape(shape)
            whole = DTensor.from_local(numbers, mesh, [Replicate()] * len(MESH), run_check=False)
            answer.append(whole.redistribute(
                mesh, placements(placement)).to_local().flatten().tolist())
    received.mesh = None
    return found
