#!/usr/bin/env python3
"""Counts the PTX and SASS instructions of every index pattern in each form: whole kernels and loop
bodies.

    count.py --nvcc nvcc --cuobjdump cuobjdump --include include
                                  a table; exit code 1 after an error (see below)
    count.py … --json             one object for each pattern: {"pattern": …, "hand": {"ptx": n,
                                  "sass": n}, "axe": {…}, "cute": {…} or null}
    count.py … --cute DIR         also CuTe's form; DIR holds cute/layout.hpp
    count.py … --keep DIR         keeps the PTX of each pattern file and target
    count.py … --check PROGRAM    first runs the program of check.cpp, which checks
                                  every address of every thread
    count.py … --write FILE       a page of the table, as in benchmarks/results/
    count.py … --targets sm_90a   only these targets
    count.py … --built DIR        reads DIR/FILE_TARGET.ptx instead of compiling FILE.cu, if
                                  it exists

In the JSON, the counts of sm_90a are at the top level. Those of other targets are nested under the
target, and those of loop bodies under "loops".

Patterns are index code alone (patterns/*.cu, see pattern.hpp) or kernels (kernels/NAME/). Loop
bodies and whole functions are compared, memory instructions separately. Errors are:

* axe's form has more instructions than the hand-written one. Known cases are kernels in
  excess.json, which has axe's counts and the cause. There only larger counts and more memory
  instructions are an error. --set-excess writes the counts and keeps the causes.
* axe's form of a kernel needs more registers than the hand-written one, and more than excess.json
  has for it.
* axe's form needs more local memory, to which registers spill.
* axe's form has more generic loads and stores than the hand-written one.
* A page does not have the figures of the kernels (with nvcc of the release of excess.json).
* The hand-written form has more instructions than axe's or CuTe's, so it is a weak baseline. Up to
  eight more are allowed in a kernel, because the compiler orders the forms differently.

With another nvcc than that of excess.json, known excess and weak baselines are only listed.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import listing

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import figures as pages  # noqa: E402  benchmarks/figures.py
TARGETS = ("sm_90a", "sm_80", "sm_100a")
EXCESS = os.path.join(HERE, "excess.json")

# Maps (pattern, target, release of nvcc) to the reason why axe may have more PTX instructions than
# the hand-written form. It must not have more SASS instructions.
EXCEPTIONS = {
    ("vectors_partial", "sm_100a", "13.0"): "a bound is added once more; SASS is the same",
    ("vectors_partial", "sm_100a", "13.5"):
        "NVVM either adds a stride repeatedly or multiplies it; SASS is the same",
    **dict.fromkeys([("int4_mma", target, "13.0") for target in TARGETS],
                    "two pairs are stored, which ptxas merges into one vector"),
    **dict.fromkeys([("add_rms_norm", target, "13.0") for target in TARGETS],
                    "eight sums of warps are loaded, which ptxas merges into two vectors"),
}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[:3])} … failed:\n{done.stderr[:4000]}")
    return done.stdout


def sources(options):
    """Returns the files to compile: one for each subject of index code, and one of all kernels for
    each form.
    """
    patterns = sorted(f"patterns/{f}" for f in os.listdir(os.path.join(HERE, "patterns"))
                      if f.endswith(".cu"))
    forms = ("hand", "axe", "cute") if options.cute else ("hand", "axe")
    return [f for f in patterns + [f"kernels/all_{form}.cu" for form in forms] if options.only in f]


def compile_file(options, name, target, folder):
    """Compiles one file for one target. Returns its kernels as PTX and as SASS."""
    source = os.path.join(HERE, name)
    stem = os.path.basename(name)[:-3]
    ptx = os.path.join(folder, f"{stem}.{target}.ptx")
    cubin = os.path.join(folder, f"{stem}.{target}.cubin")
    built = os.path.join(options.built, f"{stem}_{target}.ptx")
    if options.built and os.path.exists(built):
        ptx = built
    else:
        command = [options.nvcc, "-std=c++20", "-O3", f"-arch={target}", "-ptx",
                   "-I", options.include, source, "-o", ptx]
        if name in ("kernels/all_axe.cu", "kernels/all_hand.cu"):
            command += ["-Werror", "all-warnings"]
        if options.cute:
            command += ["-DAXE_WITH_CUTE", "-I", options.cute, "--expt-relaxed-constexpr"]
        run(command)
    nvcc = os.path.realpath(shutil.which(options.nvcc) or options.nvcc)
    ptxas = os.path.join(os.path.dirname(nvcc), "ptxas")
    run([ptxas, "-O3", f"-arch={target}", ptx, "-o", cubin])
    sass = listing.read_sass(run([options.cuobjdump, "-sass", cubin]))
    resource_usage = run([options.cuobjdump, "--dump-resource-usage", cubin])
    for kernel, used in listing.read_resources(resource_usage).items():
        sass[kernel].registers, sass[kernel].local_memory = used
    with open(ptx, encoding="utf-8") as file:
        return listing.read_ptx(file.read()), sass


def collect(options, folder):
    """Returns {pattern: {target: {form: {"ptx": Kernel, "sass": Kernel}}}}."""
    jobs = [(name, target) for name in sources(options) for target in options.targets]
    found = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda job: (job, compile_file(options, *job, folder)), jobs)
        for done, ((name, target), (ptx, sass)) in enumerate(results, 1):
            if not options.json and sys.stderr.isatty():
                print(f"\r{done} of {len(jobs)} compiled", end="", file=sys.stderr)
            for kernel in ptx:
                form, pattern = kernel.split("_", 1)
                forms = found.setdefault(pattern, {}).setdefault(target, {})
                forms[form] = {"ptx": ptx[kernel], "sass": sass[kernel]}
    return found


def is_kernel(pattern):
    return os.path.isdir(os.path.join(HERE, "kernels", pattern))


def worse(pattern, target, forms, axe="axe", hand="hand", margin=0):
    """Returns a sentence for each count in which `axe` exceeds `hand` by more than `margin`."""
    said = []
    for language in ("ptx", "sass"):
        ours, theirs = forms[axe][language], forms[hand][language]
        for part in ("loops", "whole"):
            mine, reference = getattr(ours, part), getattr(theirs, part)
            for what, count in (("arithmetic and control", listing.cost),
                                ("memory", lambda c: c["memory"])):
                if count(mine) <= count(reference) + margin:
                    continue
                where = "loop bodies" if part == "loops" else "the whole kernel"
                said.append(f"{pattern}, {target}: {axe} has {count(mine)} {what} instructions of "
                            f"{language.upper()} in {where}, {hand} {count(reference)}")
    return said


def generic(pattern, target, forms):
    """Returns a sentence if axe's form has more generic loads and stores than the hand-written one.
    The compiler emits a generic access if it does not know the state space of a pointer.
    """
    axe, hand = (sum(line.split()[0].split(".")[0] in ("LD", "ST")
                     for line in forms[form]["sass"].lines) for form in ("axe", "hand"))
    if axe <= hand:
        return []
    return [f"{pattern}, {target}: axe has {axe} generic loads and stores, hand {hand}"]


def resources(pattern, target, forms, excess, release):
    """Returns a sentence if axe's form needs more registers or local memory than it may."""
    axe, hand = forms["axe"]["sass"], forms["hand"]["sass"]
    said = []
    known = excess["registers"].get(pattern, {}).get(target, 0)
    if (is_kernel(pattern) and release == excess["release"]
            and axe.registers > max(hand.registers, known)):
        said.append(f"{pattern}, {target}: axe needs {axe.registers} registers, "
                    f"hand {hand.registers}, and excess.json allows {known}")
    if axe.local_memory > hand.local_memory:
        said.append(f"{pattern}, {target}: axe needs {axe.local_memory} bytes of local memory, "
                    f"hand {hand.local_memory}")
    return said


def weak(pattern, target, forms):
    """Returns a sentence for each count in which axe or CuTe is below the hand-written form. Fewer
    PTX instructions alone are ignored: a division is one instruction in PTX and many in SASS.
    """
    said = []
    # Whole kernels need a margin: the forms of paged_gather have 65 and 72 instructions on sm_90a.
    margin = 8 if is_kernel(pattern) else 0
    for peer in ("axe", "cute"):
        if peer not in forms:
            continue
        mine, theirs = forms["hand"]["sass"], forms[peer]["sass"]
        if listing.cost(mine.loops) < listing.cost(theirs.loops):
            continue  # the hand-written form has more instructions in all, but fewer in the loop
        more_sass = listing.cost(theirs.whole) > listing.cost(mine.whole) - margin
        more = worse(pattern, target, forms, axe="hand", hand=peer, margin=margin)
        said += [f"weak baseline: {s}" for s in more if "of SASS" in s or not more_sass]
    return said


def counts_of(form):
    """Returns {"ptx": n, "sass": n}, and the same for loop bodies if there are any."""
    out = {language: listing.cost(form[language].whole) for language in ("ptx", "sass")}
    if any(form["ptx"].loops.values()):
        out |= {f"{language}_loops": listing.cost(form[language].loops)
                for language in ("ptx", "sass")}
    return out


def beyond_known(pattern, target, form, known):
    """Returns a sentence for each count above the one in excess.json."""
    allowed = known.get(target)
    if allowed is None:
        return [f"{pattern}, {target}: axe exceeds the hand-written form, "
                "and excess.json has no counts for it; --set-excess adds them"]
    return [f"{pattern}, {target}: axe has {count} {what}, "
            f"but excess.json allows {allowed.get(what, 0)}"
            for what, count in counts_of(form).items() if count > allowed.get(what, 0)]


def figures(forms, form, part="whole"):
    if form not in forms:
        return None
    return {language: listing.cost(getattr(forms[form][language], part))
            for language in ("ptx", "sass")}


def all_figures(forms):
    """Returns {form: figures}, and the same for loop bodies if the kernel has any."""
    out = {form: figures(forms, form) for form in ("hand", "axe", "cute")}
    if any(forms["hand"]["ptx"].loops.values()):
        out["loops"] = {form: figures(forms, form, "loops") for form in ("hand", "axe", "cute")}
    return out


def row(forms, form):
    found = figures(forms, form)
    if found is None:
        return "-"
    text = f"{found['ptx']}/{found['sass']}"
    if any(forms[form]["ptx"].loops.values()):
        loops = figures(forms, form, "loops")
        text += f" ({loops['ptx']}/{loops['sass']})"
    return text


def excess_table(found, excess):
    """Writes a table of the kernels in which axe's form exceeds the hand-written one, with the
    causes.
    """
    rows = [[pattern, target, row(forms, "hand"), row(forms, "axe"),
             excess["kernels"][pattern]["cause"]]
            for pattern, targets in sorted(found.items()) if pattern in excess["kernels"]
            for target, forms in targets.items() if worse(pattern, target, forms)]
    columns = ["kernel", "target", "by hand", "axe", "cause"]
    return f"\n## Known excess\n\n{pages.table(columns, rows)}\n"


def both_registers(forms):
    """Returns the registers of a thread, by hand and with axe."""
    return [forms[form]["sass"].registers for form in ("hand", "axe")]


def register_rows(found, targets, cell):
    """Returns a row for each pattern whose axe form needs more registers on one of the targets, that
    with the largest excess first. cell(by hand, with axe) is the text of a target.
    """
    used = {pattern: [both_registers(its[target]) for target in targets]
            for pattern, its in found.items()}
    most = {pattern: max(axe - hand for hand, axe in its) for pattern, its in used.items()}
    return [[pattern, *(cell(*both) for both in used[pattern])]
            for pattern in sorted(most, key=lambda p: (-most[p], p)) if most[pattern] > 0]


def warps(count):
    """Returns the number of warps that fit in an SM if each thread needs `count` registers. Each
    quarter of an SM has 16,384 registers and up to 16 warps. A thread gets a multiple of 8.
    """
    return 4 * min(16, 16384 // (32 * (-(-count // 8) * 8)))


def register_table(found, targets, excess):
    """Writes a table of the patterns in which axe's form needs more registers, with the causes."""
    def cell(hand, axe):
        fewer = f" ({warps(hand)} -> {warps(axe)})" if warps(axe) < warps(hand) else ""
        return f"{hand} -> {axe}{fewer}"
    said = []
    for target in targets:
        both = [both_registers(its[target]) for its in found.values()]
        spills = sum(forms[target][form]["sass"].local_memory > 0 for forms in found.values()
                     for form in ("hand", "axe"))
        said.append(f"* {target}: axe's form needs more registers in "
                    f"{sum(axe > hand for hand, axe in both)} of {len(both)} patterns. Fewer warps "
                    f"fit in {sum(warps(axe) < warps(hand) for hand, axe in both)}. "
                    f"{spills} forms spill.")
    rows = [[*line, excess["registers"].get(line[0], {}).get("cause", "")]
            for line in register_rows(found, targets, cell)]
    text = "\n".join(said)
    return ("\n## Registers of a thread\n\nBy hand -> axe, for each pattern whose axe form needs "
            "more; in parentheses the warps of an SM whose registers fit, if fewer fit.\n\n"
            f"{text}\n\n{pages.table(['pattern', *targets, 'cause'], rows)}\n")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True, help="the nvcc to use")
    parser.add_argument("--cuobjdump", required=True, help="the cuobjdump to use")
    parser.add_argument("--include", required=True, help="the folder that holds axe/")
    parser.add_argument("--cute", default="",
                        help="the folder that holds cute/: also count CuTe's form")
    parser.add_argument("--keep", default="", help="leave the PTX in this folder")
    parser.add_argument("--built", default="", help="the folder of PTX that the build compiled")
    parser.add_argument("--check", default="", metavar="PROGRAM",
                        help="first run the program of check.cpp")
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=list(TARGETS),
                        help="(default: all)")
    parser.add_argument("--json", action="store_true", help="print one object for each pattern")
    parser.add_argument("--write", default="", metavar="FILE", help="write a page of the table")
    parser.add_argument("--only", default="", metavar="WORD",
                        help="only files with this word in their path, such as kernels/")
    parser.add_argument("--set-excess", action="store_true",
                        help="write axe's counts to excess.json")
    jobs = int(os.environ.get("AXE_JOBS", os.cpu_count() or 1))
    parser.add_argument("--jobs", type=int, default=jobs,
                        help="processes at a time (default: %(default)s)")
    return parser.parse_args()


def check_addresses(program):
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"forms compute wrong addresses:\n{done.stdout}{done.stderr}")


def compiled(options):
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        found = collect(options, folder)
        if options.keep:
            for name in os.listdir(folder):
                if name.endswith(".cubin"):
                    os.remove(os.path.join(folder, name))
    return found


def set_excess(found, excess, release):
    """Puts axe's counts of every kernel that exceeds the hand-written form into `excess`."""
    kernels, registers = excess["kernels"], excess["registers"]
    for pattern, targets in sorted(found.items()):
        for target, forms in targets.items():
            kernels.get(pattern, {}).pop(target, None)
            registers.get(pattern, {}).pop(target, None)
            if is_kernel(pattern) and needs_more(forms, lambda form: form["sass"].registers):
                registers.setdefault(pattern, {})[target] = forms["axe"]["sass"].registers
            if worse(pattern, target, forms) and (
                    is_kernel(pattern) or (pattern, target, release) not in EXCEPTIONS):
                kernels.setdefault(pattern, {"cause": ""})[target] = counts_of(forms["axe"])
    excess["release"] = release
    excess["kernels"] = {pattern: its for pattern, its in kernels.items() if len(its) > 1}
    excess["registers"] = {pattern: its for pattern, its in registers.items()
                           if set(its) - {"cause"}}


def judge(pattern, target, forms, excess, release):
    """Returns the problems of one pattern on one target, and notes about what is not a problem."""
    more, known, notes = worse(pattern, target, forms), excess["kernels"].get(pattern), []
    counts = f"{pattern}, {target}: {row(forms, 'axe')}, by hand {row(forms, 'hand')}"
    if more and known and release == excess["release"]:
        notes.append(f"known excess: {counts}: {known['cause']}")
        more = [*beyond_known(pattern, target, forms["axe"], known),
                *(one for one in more if " memory instructions " in one)]
    elif more and known:
        notes.append(f"not compared with nvcc {release}: {counts}")
        more = []
    baseline = weak(pattern, target, forms)
    # The hand-written forms are made for one release of nvcc.
    if release != excess["release"]:
        notes += [f"not required of nvcc {release}: {one}" for one in baseline]
        baseline = []
    problems = (more + baseline + generic(pattern, target, forms)
                + resources(pattern, target, forms, excess, release))
    if (pattern, target, release) in EXCEPTIONS:
        # excess.json limits the other instructions of a known kernel.
        memory = " memory " if known else ""
        counted = f"{memory}instructions of PTX in the whole kernel"
        excepted = [one for one in problems if counted in one]
        problems = [one for one in problems if one not in excepted]
        if not excepted:
            problems.append(f"{pattern}, {target}: the exception for nvcc {release} is not needed")
    return problems, notes


def needs_more(forms, count):
    return count(forms["axe"]) > count(forms["hand"])


def stated(found, target):
    """Returns {page: text that it must have} for the figures of one target."""
    sass, ptx = (lambda form, language=language: listing.cost(form[language].whole)
                 for language in ("sass", "ptx"))
    kernels = [targets[target] for pattern, targets in found.items() if is_kernel(pattern)]
    patterns = [targets[target] for pattern, targets in found.items() if not is_kernel(pattern)]
    more_sass = sum(needs_more(forms, sass) for forms in kernels)
    in_all = {form: sum(sass(forms[form]) for forms in kernels) for form in ("axe", "hand")}
    ratios = [sass(forms["axe"]) / sass(forms["hand"]) for forms in kernels]
    figures = [len(kernels) - more_sass,
               sum(not needs_more(forms, sass) and not needs_more(forms, ptx) for forms in kernels),
               sum(not needs_more(forms, lambda form: form["sass"].registers) for forms in kernels),
               f"{in_all['axe']:,}", f"{in_all['hand']:,}",
               f"{statistics.median(ratios):.2f}"]
    pieces = [sum(sass(forms[form]) for forms in patterns) for form in ("axe", "hand")]
    said = {"docs/index_code.md": f"| {target} | {' | '.join(map(str, figures))} |"}
    if target == "sm_90a":
        said["docs/guides/kernels.md"] = (
            f"On sm_90a, {more_sass} of the {len(kernels)} whole kernels")
        said["README.md"] = (
            f"| SASS instructions of {len(patterns)} patterns of index code on sm_90a, in total "
            f"| {pieces[0]} | hand-written code: {pieces[1]},")
    return said


def stale_pages(found, targets):
    """Returns a sentence for each page without the figures of a target."""
    said = []
    for target in targets:
        for page, text in stated(found, target).items():
            with open(os.path.join(HERE, "..", "..", page), encoding="utf-8") as file:
                if text not in file.read():
                    said.append(f"{page} does not have: {text}")
    return said


def print_json(found):
    for pattern, targets in sorted(found.items()):
        others = {target: all_figures(forms) for target, forms in targets.items()
                  if target != TARGETS[0]}
        first = all_figures(targets[TARGETS[0]]) if TARGETS[0] in targets else {}
        print(json.dumps({"pattern": pattern, **first, **others}))


def print_table(found, targets):
    print("PTX/SASS instructions that compute or branch; in parentheses those of loop bodies\n")
    print(f"{'pattern':<22}" + "".join(f"{t + ' ' + f:>22}" for t in targets
                                       for f in ("hand", "axe", "cute")))
    for pattern, its in sorted(found.items()):
        print(f"{pattern:<22}" + "".join(f"{row(its[t], f):>22}" for t in targets
                                         for f in ("hand", "axe", "cute")))
    print("\nregisters of a thread, by hand -> axe, where axe's form needs more\n")
    for pattern, *cells in register_rows(found, targets, lambda hand, axe: f"{hand} -> {axe}"):
        print(f"{pattern:<22}" + "".join(f"{cell:>22}" for cell in cells))
    print()


def write_page(options, version, found, excess):
    forms = [f for f in ("hand", "axe", "cute") if f != "cute" or options.cute]
    pages.write(options.write, pages.page(
        "Index code",
        "PTX/SASS instructions that compute or branch, without memory instructions; "
        "in parentheses those of loop bodies. Forms: written by hand, axe, CuTe\n"
        "(`-`: not compiled here). The counts are those of nvcc, "
        f"{version.strip().splitlines()[-1]}.",
        "./run bench index --write benchmarks/results/index.md",
        ["pattern", *(f"{t} {f}" for t in options.targets for f in forms)],
        [[pattern, *(row(targets[t], f) for t in options.targets for f in forms)]
         for pattern, targets in sorted(found.items())])
        + excess_table(found, excess) + register_table(found, options.targets, excess))


def main():
    options = parsed()
    if options.check:
        check_addresses(options.check)
    found = compiled(options)
    version = run([options.nvcc, "--version"])
    release = re.search(r"release (\d+\.\d+)", version).group(1)
    with open(EXCESS, encoding="utf-8") as file:
        excess = json.load(file)
    if options.set_excess:
        set_excess(found, excess, release)
        pages.write(EXCESS, json.dumps(excess, indent=1, sort_keys=True) + "\n")
    problems, notes = [], []
    for pattern, targets in sorted(found.items()):
        for target, forms in targets.items():
            more_problems, more_notes = judge(pattern, target, forms, excess, release)
            problems += more_problems
            notes += more_notes
    if release == excess["release"] and not options.only:
        problems += stale_pages(found, options.targets)
    if options.json:
        print_json(found)
    else:
        print_table(found, options.targets)
    if options.write:
        write_page(options, version, found, excess)
    for note in notes if not options.json else []:
        print(note)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not options.json:
        print(f"nvcc {release}, {len(found)} patterns on {len(options.targets)} targets: "
              f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
