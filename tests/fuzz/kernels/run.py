"""Compares random kernels with plain loops: compiles kernels and runs them on the PTX machine.

    run.py --nvcc nvcc --include include --library FOLDER --programs 6

Each program has some kernels. A kernel copies a tile of one random tensor to another (cases.py),
converts, combines, reduces or multiplies fragments (fragments.py), or uses tensor maps, atomic
additions or elements of less than a byte (tensors.py). The host compares every element. The
sources stay in --folder. A kernel that axe rejects is counted, and another one of the same way
takes its place. FOLDER has the machine's libcudart.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys

import cases
import fragments
import tensors
from cases import words

HERE = pathlib.Path(__file__).resolve().parent
ATTEMPTS = 8  # a program is compiled again with others for the kernels that were rejected
CALLS = {
    "shared_memory": "through_shared_memory<T, L, S>({source}, {result}, {scope})",
    "cp_async": "by_cp_async<T, L, S>({source}, {result}, {scope})",
    "transposed": "transposed<T, L, S>({source}, {result}, {scope})",
    "chosen": "of_chosen_elements<T, L, S>({source}, {result}, {scope})",
    "partition": "by_partition<T, L, S, P>({source}, {result}, {scope})",
    "registers": "through_registers<T, P, S>({source}, {result}, {scope})",
    "both": "through_both<T, L, P, S>({source}, {result}, {scope})",
    "prepared": "prepared<T, L, S, {along}>({source}, {result}, {scope}, {steps})",
    "ring": "through_ring<T, L, S, {along}>({source}, {result}, {scope}, {steps})",
    "index": "by_index<T, L, S, {along}>({source}, {result}, {scope}, {first}, {rows})",
    "index_async": "by_index_async<T, L, S, {along}>({source}, {result}, {scope}, {first}, {rows})",
    "index_held": "by_index_held<T, P, S, {along}>({source}, {result}, {scope}, {first}, {rows})",
    "scattered": "by_scatter<T, L, S, {along}>({source}, {result}, {scope}, {first}, {rows})",
    "elements": "by_elements<T, P>({source}, {result})",
    "shared_elements": "by_shared_elements<T, L, P, S>({source}, {result})",
    "summed": "summed<T, P, S, {folded}>({source}, {result}, {scope})",
}
MEANING = {"transposed": "transposed", "chosen": "chosen", "summed": "summed"}
MEANING |= {"index": "indexed", "index_async": "indexed", "index_held": "indexed"}
MEANING |= {"scattered": "scattered"}
MODULES = {way: module for module in (cases, fragments, tensors) for way in module.WAYS}


def tile(case, name):
    """Returns the expression of the tile of one tensor."""
    into = name == "out"
    rank = len(case.tile)
    extents = [0] * rank
    numbers = [""] * rank
    for d in range(rank):
        at = case.target[d] if into else d
        extents[at] = 1 if into and case.folded[d] else case.tile[d]
        moved_by_a_loop = case.way in cases.STEPPED and d == case.stepped
        selects = case.way in cases.INDEXED and into == (case.way == "scattered")
        gathered = d == case.stepped and selects  # index(i) is the row
        numbers[at] = "0" if moved_by_a_loop or gathered else f"b{d}"
    if case.warps > 1:
        warp = f"axe::warp_id<{32 * case.warps}>()"
        numbers[case.target[0] if into else 0] = f"axe::constant<{case.warps}>{{}} * b0 + {warp}"
    if case.origins is None:
        return f"axe::tile<{words(extents)}>({name}, {words(numbers)})"
    for d in range(rank):
        number = f"at.{name}[{d}]"
        unsigned = f"static_cast<unsigned>({number})"
        if extents[d] == 1 or case.factor == 1 and not case.signed:
            numbers[d] = unsigned
        elif case.factor > 1:
            numbers[d] = f"axe::constant<{case.factor}>{{}} * axe::any_signed({number})"
        else:
            numbers[d] = number
    return f"axe::tile_at<{words(extents)}>({name}, {words(numbers)})"


def kernel(number, case):
    """Returns the lines of a kernel and of the function that checks it."""
    rank = len(case.tile)
    blocks = [f"b{d}" for d in range(rank)]
    threads = case.before + case.threads * case.warps
    along = case.stepped
    call = CALLS[case.way].format(
        source=tile(case, "in"),
        result=tile(case, "out"),
        scope=case.scope,
        along=along,
        steps=case.grid[along],
        first=f"static_cast<int>(blockIdx.{'zyx'[3 - rank + along]}) * {case.tile[along]}",
        rows=(case.result if case.way == "scattered" else case.source).extents[along],
        folded=words(d for d in range(rank) if case.folded[d]),
    )
    launched = [
        1 if case.way in cases.STEPPED and d == case.stepped else n for d, n in enumerate(case.grid)
    ]
    launched[0] //= case.warps
    origins = case.origins or ([0] * rank, [0] * rank)
    to = [1 if case.folded[case.target[d]] else case.tile[case.target[d]] for d in range(rank)]
    begin = [
        [o * (case.factor if extent > 1 else 1) for o, extent in zip(one, extents)]
        for one, extents in zip(origins, (case.tile, to))
    ]
    source, result = case.source, case.result
    inside = ", ".join(
        f"{{{case.tile[d]}, {case.target[d]}, {source.extents[d]}, {source.strides[d]}, "
        f"{begin[0][d]}, {case.grid[d]}, {str(case.folded[d]).lower()}}}"
        for d in range(rank)
    )
    outside = ", ".join(
        f"{{{result.extents[d]}, {result.strides[d]}, {begin[1][d]}}}" for d in range(rank)
    )
    partition = f'using P = axe::carrier<"{case.partition}"_axe>;' if case.partition else ""
    return f"""namespace case_{number} {{
using T = {cases.TYPES[case.bytes]};
using In = {source.type};
using Out = {result.type};
using L = axe::carrier<"{case.layout}"_axe>;
{partition}
using S = axe::extents<{words(case.tile)}>;
__global__ void kernel(In in, Out out, [[maybe_unused]] copies::origins at) {{
  [[maybe_unused]] auto const [{words(blocks)}] = axe::block<{rank}>();
  {f"if (threadIdx.x < {case.before}) return;" if case.before else ""}
  copies::{call};
}}
bool run() {{
  copies::facts const f{{copies::way::{MEANING.get(case.way, "plain")}, {{{inside}}}, {{{outside}}},
                        {source.first}, {source.size}, {result.first}, {result.size},
                        {along}}};
  return copies::check<T>({number}, f, [](T const* in, T* out) {{
    kernel<<<dim3({words(reversed(launched))}), {threads}>>>(
        In({words(["in", *source.arguments])}), Out({words(["out", *result.arguments])}),
        copies::origins{{{{{words(origins[0])}}}, {{{words(origins[1])}}}}});
  }});
}}
}}  // namespace case_{number}""".split("\n")


def program(made):
    """Returns the lines of a program, and the number of the kernel that each line belongs to."""
    lines = ['#include "copies.hpp"', '#include "tensors.hpp"', "using namespace axe::literals;"]
    owners = [None] * len(lines)
    for number, case in enumerate(made):
        its = case.lines(number) if isinstance(case, fragments.Case) else kernel(number, case)
        lines += its
        owners += [number] * len(its)
    lines += ["int main() {", "  int wrong = 0;"]
    lines += [f"  wrong += !case_{number}::run();" for number in range(len(made))]
    return [*lines, "  return wrong != 0;", "}"], owners


def rejected_kernels(messages, source, owners):
    """Returns the first line of the message for each kernel that axe rejects."""
    rejected = {}
    file = re.escape(str(source))
    for message in re.split(r"\n(?=\S+\(\d+\): error)", messages):
        if ": error" not in message:
            continue
        for line in re.findall(rf"{file}\((\d+)\)|at line (\d+) of {file}", message):
            at = int(line[0] or line[1]) - 1
            if at < len(owners) and owners[at] is not None:
                rejected.setdefault(owners[at], message.strip().split("\n")[0])
    return rejected


def run_program(options, seed):
    """Compiles and runs a program. Returns how many kernels of each way are right and rejected."""
    rng = random.Random(seed)

    def draw(way):
        while (case := MODULES[way].random_case(rng, way)) is None:
            pass
        return case

    turns = -(-options.kernels // len(options.only))  # each way is drawn once in each turn
    ways = [way for _ in range(turns) for way in rng.sample(options.only, len(options.only))]
    made = [draw(way) for way in ways[: options.kernels]]
    rejected = collections.Counter()
    source = options.folder / f"kernels_{seed}.cu"
    for _ in range(ATTEMPTS):
        lines, owners = program(made)
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = subprocess.run(
            [
                options.nvcc,
                "-std=c++20",
                "-gencode",
                f"arch=compute_{options.target},code=compute_{options.target}",
                *(["-DAXE_DEBUG"] if options.debug else []),
                f"-I{options.include}",
                f"-I{HERE}",
                "-cudart",
                "none",
                "-L",
                options.library,
                "-lcudart",
                "-Xlinker",
                f"-rpath,{options.library}",
                source,
                "-o",
                source.with_suffix(""),
            ],
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            break
        found = rejected_kernels(done.stderr, source, owners)
        unclear = [text for text in found.values() if "static assertion failed with" not in text]
        if not found or unclear:
            sys.exit(f"{source} does not compile:\n" + "\n".join(unclear or [done.stderr[:4000]]))
        for number, sentence in sorted(found.items()):
            print(f"    {source.stem}, case {number}, {ways[number]}: {sentence}", flush=True)
            rejected[ways[number]] += 1
            made[number] = draw(ways[number])
    else:
        sys.exit(f"{source} does not compile after {ATTEMPTS} attempts")
    done = subprocess.run(
        [source.with_suffix("")],
        capture_output=True,
        text=True,
        env={**os.environ, "AXE_MACHINE_STRICT": "1"},
    )
    if done.returncode != 0 or done.stderr:
        sys.exit(f"seed {seed}, {source}:\n{done.stdout}{done.stderr}")
    return collections.Counter(ways[: len(made)]), rejected


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nvcc", required=True, help="the nvcc to use")
    parser.add_argument("--include", required=True, help="the folder that holds axe/")
    parser.add_argument(
        "--library", required=True, help="the folder with the PTX machine's libcudart"
    )
    parser.add_argument(
        "--folder", type=pathlib.Path, default=pathlib.Path("."), help="for programs and sources"
    )
    parser.add_argument(
        "--programs", type=int, default=1, help="the number of programs (default: 1)"
    )
    parser.add_argument(
        "--kernels", type=int, default=30, help="kernels of each program (default: 30)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="the seed of the first program (default: 1)"
    )
    parser.add_argument("--target", default="90a", help="the architecture (default: 90a)")
    parser.add_argument("--debug", action="store_true", help="compile with the checks of AXE_DEBUG")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=MODULES,
        default=list(MODULES),
        help="the ways to try (default: all)",
    )
    parser.add_argument(
        "--every-way", action="store_true", help="fail if there are too few kernels to try each way"
    )
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    right, rejected = collections.Counter(), collections.Counter()
    for seed in range(options.seed, options.seed + options.programs):
        found = run_program(options, seed)
        right, rejected = right + found[0], rejected + found[1]
    for way in sorted(right | rejected):
        print(f"    {way}: {right[way]} right, {rejected[way]} rejected")
    total = sum(right.values()), sum(rejected.values())
    print(f"{total[0]} kernels are right, {total[1]} were rejected")
    if missing := [way for way in options.only if not right[way]]:
        print("no kernel of", *missing)
        if options.every_way:
            sys.exit(f"--every-way needs {len(options.only)} kernels in a program")
    if total[0] < 3 * total[1]:
        sys.exit("more than a quarter was rejected")


if __name__ == "__main__":
    main()
