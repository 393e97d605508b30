#!/usr/bin/env python3
"""Compares how many elements axe, XLA and DTensor move in a resharding with the least possible
number, on a mesh of 2 x 4 devices.

    reshard_peers.py --volumes PROGRAM [--cases 200] [--seed 1] --page FILE [--write]

The least number is counted element by element. XLA takes part if jax is installed, and DTensor if
torch is. For random tensors both also say which elements each device holds, and axe must agree.
"""

import argparse
import datetime
import functools
import importlib
import pathlib
import subprocess
import sys

import cases

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "tools"))
import whole_file  # noqa: E402


def ask_axe(program, questions):
    done = subprocess.run([program], input="\n".join(questions), capture_output=True, text=True,
                          check=True)
    return [None if answer == "refused" else answer for answer in done.stdout.splitlines()]


def start_of(shape):
    return f"{','.join(map(str, shape))} y={cases.MESH[0]},x={cases.MESH[1]}"


def moved_by_axe(program, pairs):
    questions = [f"{start_of(shape)} {cases.dtensor(a)} | {cases.dtensor(b)}"
                 for a, b, shape in pairs]
    return [answer and int(answer) for answer in ask_axe(program, questions)]


def installed():
    """Returns the installed ones of jax and torch as modules. Prints which are missing."""
    found = {}
    for package, module in (("jax", "xla"), ("torch", "dtensor")):
        try:
            found[package] = importlib.import_module(module)
        except ImportError as missing:
            print(f"    {module} is not asked: no {package} ({missing})", file=sys.stderr)
    return found


def peers(modules):
    """Returns, by name, the functions that count the elements that a resharding moves:
    received(src, dst, shape).
    """
    found = {}
    if "jax" in modules:
        found["XLA"] = modules["jax"].received
    if "torch" in modules:
        found["DTensor"] = modules["torch"].received
        found["DTensor, least cost"] = functools.partial(modules["torch"].received, least_cost=True)
    return found


def compare_places(program, modules, count, seed):
    """Tests that axe and the others give every device the same elements in the same order. Returns
    rows of the page, and whether a placement differs.
    """
    rows, wrong = [], False
    for package, who, step in (("jax", "JAX", 8), ("torch", "DTensor", 1)):
        if package not in modules:
            continue
        placed = cases.placed(count, seed, step)
        text = {
            "jax": lambda of, shape: cases.partition_spec(of, len(shape)),
            "torch": lambda of, shape: cases.dtensor(of),
        }[package]
        ours = ask_axe(program, [f"{start_of(shape)} {text(of, shape)}" for of, shape in placed])
        refused = 0
        for mine, theirs, (of, shape) in zip(ours, modules[package].held(placed), placed):
            if mine is None:
                refused += 1
            elif [[int(n) for n in device.split()] for device in mine.split(";")] != theirs:
                wrong = True
                print(f"{who} places {text(of, shape)} of {shape} as {theirs}, axe as {mine}",
                      file=sys.stderr)
        rows.append(f"| {who} | {len(placed)} | {len(placed) - refused} | {refused} |")
    return rows, wrong


def commit():
    done = subprocess.run(["git", "describe", "--always"], cwd=pathlib.Path(__file__).parent,
                          capture_output=True, text=True)
    return done.stdout.strip()


def versions(modules):
    said = [f"{package} {importlib.import_module(package).__version__}" for package in modules]
    return "; " + ", ".join(said) if said else ""


def row(name, who, moved, bounds, pairs):
    asked = [(n, b, p) for n, b, p in zip(moved, bounds, pairs) if n is not None]
    above = [(n, b, p) for n, b, p in asked if n > b]

    def ratio(entry):
        return entry[0] / entry[1] if entry[1] else float("inf")

    worst = max(above, key=ratio, default=None)
    total = sum(n for n, _, _ in asked) / sum(b for _, b, _ in asked)
    said = "" if worst is None else f"{cases.dtensor(worst[2][0])} to {cases.dtensor(worst[2][1])}"
    factor = 1.0 if worst is None else ratio(worst)
    return (f"| {name} | {who} | {len(asked)} | {total:.2f} | {len(above)} | "
            f"{'infinite: the least is 0' if factor == float('inf') else f'{factor:.2f}'} | {said} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--volumes", required=True, help="the program that prints axe's volumes")
    parser.add_argument("--cases", type=int, default=200,
                        help="random questions (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1,
                        help="seed of the random questions (default: %(default)s)")
    parser.add_argument("--page", type=pathlib.Path, required=True, help="the page to write")
    parser.add_argument("--write", action="store_true", help="write the page")
    options, _ = parser.parse_known_args()
    groups = {
        "all pairs of S(0), S(1), R": cases.all_pairs(),
        "random, with sums and strided shards": cases.random_cases(options.cases, options.seed),
    }
    modules = installed()
    others = peers(modules)
    rows, failed = [], False
    for name, pairs in groups.items():
        bounds = [cases.least(*pair) for pair in pairs]
        ours = moved_by_axe(options.volumes, pairs)
        for moved, bound, pair in zip(ours, bounds, pairs):
            if moved != bound:
                failed = True
                print(f"axe moves {moved}, the bound is {bound}: {pair}", file=sys.stderr)
        rows.append(row(name, "axe", ours, bounds, pairs))
        for who, ask in others.items():
            rows.append(row(name, who, [ask(*pair) for pair in pairs], bounds, pairs))
    placed, wrong = compare_places(options.volumes, modules, 2 * options.cases, options.seed)
    text = "\n".join([
        "# Bytes of reshardings",
        "",
        f"Command: `./run peers reshard --cases {options.cases} --write`, commit {commit()}, {datetime.date.today()}{versions(modules)}.",
        "The table counts the elements that all devices of a 2 x 4 mesh receive, divided by the least possible number.",
        "\"DTensor, least cost\" is DTensor with `use_min_cost_redistribution_plan`.",
        "",
        "| group of pairs | program | pairs | total / least | pairs above the least | worst pair / least | worst pair |",
        "|---|---|--:|--:|--:|--:|---|",
        *rows,
        "",
        "## Places of elements",
        "",
        "Small tensors with random placements. \"The same\" counts the tensors that axe places as",
        "JAX or DTensor does: every device holds the same elements in the same order.",
        "axe rejects nested uneven shards that no layout expresses.",
        "",
        "| as placed by | tensors | the same | rejected |",
        "|---|--:|--:|--:|",
        *placed,
        "",
    ])
    if options.write:
        whole_file.write(options.page, text)
    else:
        print(text)
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
