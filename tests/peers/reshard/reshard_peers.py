#!/usr/bin/env python3
"""Bytes of reshardings: axe and XLA against the bound, on a mesh of 2 x 4 devices.

    reshard_peers.py --volumes PROGRAM [--cases 200] [--seed 1] --page FILE [--write]

The bound is counted element by element. XLA is asked if jax is installed.
"""

import argparse
import datetime
import pathlib
import subprocess
import sys

import cases


def of_axe(program, pairs):
    lines = [
        f"{','.join(map(str, shape))} y={cases.MESH[0]},x={cases.MESH[1]} "
        f"{cases.dtensor(a)} | {cases.dtensor(b)}"
        for a, b, shape in pairs
    ]
    done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
    return [None if answer == "refused" else int(answer) for answer in done.stdout.split()]


def peers():
    """{name: words(src, dst, shape)} of what is installed; says what is not."""
    found = {}
    try:
        import xla

        found["XLA"] = xla.received
    except ImportError as missing:
        print(f"    no jax: XLA is not asked ({missing})", file=sys.stderr)
    return found


def commit():
    done = subprocess.run(["git", "describe", "--always"], cwd=pathlib.Path(__file__).parent,
                          capture_output=True, text=True)
    return done.stdout.strip()


def version():
    try:
        import jax
    except ImportError:
        return ""
    return f"; XLA of jax {jax.__version__}"


def row(name, who, words, bounds, pairs):
    asked = [(w, b, p) for w, b, p in zip(words, bounds, pairs) if w is not None]
    above = [(w, b, p) for w, b, p in asked if w > b]

    def ratio(entry):
        return entry[0] / entry[1] if entry[1] else float("inf")

    worst = max(above, key=ratio, default=None)
    total = sum(w for w, _, _ in asked) / sum(b for _, b, _ in asked)
    said = "" if worst is None else f"{cases.dtensor(worst[2][0])} to {cases.dtensor(worst[2][1])}"
    factor = 1.0 if worst is None else ratio(worst)
    return (f"| {name} | {who} | {len(asked)} | {total:.2f} | {len(above)} | "
            f"{'any: nothing must move' if factor == float('inf') else f'{factor:.2f}'} | {said} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--volumes", required=True)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the page")
    options, _ = parser.parse_known_args()
    groups = {
        "all pairs of S(0), S(1), R": cases.all_pairs(),
        "drawn, with sums and strided shards": cases.drawn(options.cases, options.seed),
    }
    others = peers()
    rows, failed = [], False
    for name, pairs in groups.items():
        bounds = [cases.least(*pair) for pair in pairs]
        ours = of_axe(options.volumes, pairs)
        for words, bound, pair in zip(ours, bounds, pairs):
            if words != bound:
                failed = True
                print(f"axe moves {words}, the bound is {bound}: {pair}", file=sys.stderr)
        rows.append(row(name, "axe", ours, bounds, pairs))
        for who, ask in others.items():
            rows.append(row(name, who, [ask(*pair) for pair in pairs], bounds, pairs))
    text = "\n".join([
        "# Bytes of reshardings",
        "",
        f"`./run peers reshard --cases {options.cases} --write`, commit {commit()}, {datetime.date.today()}. Words that all devices",
        f"of a 2 x 4 mesh receive, over the least possible{version()}.",
        "",
        "| pairs | program | asked | total / least | pairs above | worst | which |",
        "|---|---|--:|--:|--:|--:|---|",
        *rows,
        "",
    ])
    if options.write:
        options.page.write_text(text)
    else:
        print(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
