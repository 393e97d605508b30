"""`./run machine`: runs a CUDA program on the PTX machine, without a GPU."""

import argparse
import collections
import os
import pathlib
import subprocess
import sys

import build
from common import BUILD, FAILED, LOGS, USAGE, Parser, Stop, add_jobs, fresh, positive, say, show
from machine_program import LATE, Program, at_random, compile_command

SUMMARY = "run a CUDA program on the PTX machine, without a GPU, with every check"
EPILOG = """
PROGRAM is a FILE.cu, or a program that nvcc made with these flags (tests/machine/README.md):
-cudart shared -gencode arch=compute_90a,code=compute_90a"""
MUTANT_SEEDS = 6


def parser():
    result = Parser("machine", SUMMARY, EPILOG)
    one = result.add_mutually_exclusive_group()
    one.add_argument(
        "--schedules",
        type=positive,
        default=0,
        metavar="N",
        help="run PROGRAM 2 + N times: once with copies that complete at once, once with copies "
        "that complete late, and N times with copies and warps in random order",
    )
    one.add_argument(
        "--late",
        dest="chosen",
        action="store_const",
        const=LATE,
        default={},
        help="run PROGRAM once, with copies that complete late",
    )
    one.add_argument(
        "--seed",
        dest="chosen",
        type=lambda text: at_random(positive(text)),
        metavar="N",
        help="run PROGRAM once, with the random order N",
    )
    one.add_argument(
        "--mutants",
        action="store_true",
        help="leave out each barrier, wait, arrival, commit and fence of PROGRAM in turn, and run each "
        "mutant under 8 schedules in strict mode",
    )
    result.add_argument(
        "--strict",
        dest="strict",
        action="store_const",
        const="1",
        default="0",
        help="also report races in global memory, missing proxy fences and copies in flight at "
        "the end",
    )
    result.add_argument(
        "--warn",
        dest="strict",
        action="store_const",
        const="warn",
        help="for third-party programs: report missing proxy fences, copies in flight at the end, "
        "races in shared memory and reads of bytes that nothing has written, as warnings",
    )
    result.add_argument(
        "--counters",
        dest="counters",
        action="store_const",
        const="table",
        help="print the instructions, sectors, wavefronts, bytes and tensor-core operations of "
        "each kernel",
    )
    result.add_argument(
        "--json",
        dest="counters",
        action="store_const",
        const="json",
        help="print the counters as JSON; the output of PROGRAM is then on standard error",
    )
    add_jobs(result, "processes at a time when the machine is built")
    result.add_argument(
        "program", nargs="?", metavar="PROGRAM", help="a FILE.cu, or a program that nvcc made"
    )
    result.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's arguments")
    return result


def check_program(path):
    if b"libcudart.so.13" not in path.read_bytes():
        raise Stop(
            USAGE, f"'{path}' does not load libcudart.so.13: link it with nvcc -cudart shared"
        )
    if not os.access(path, os.X_OK):
        raise Stop(USAGE, f"'{path}' is not executable")


def program_of(options):
    """Returns the program. Builds the machine, and the program if a source is given."""
    given = pathlib.Path(options.program)
    if given.suffix != ".cu":  # before the machine is built, which takes a while
        check_program(given)
    cuda = build.find_cuda(argparse.Namespace(preset=None, cuda="auto", with_wheels=False))
    build.build_machine("machine_cudart", cuda, options.jobs)
    program = given.resolve()
    if given.suffix == ".cu":
        program = BUILD / "machine/programs" / given.stem
        program.parent.mkdir(parents=True, exist_ok=True)
        if subprocess.run(compile_command(cuda.nvcc, given, program), stdout=sys.stderr).returncode:
            raise Stop(FAILED, "the program does not compile")
        check_program(program)
    return Program(program)


def run_schedules(program, options, settings):
    log = fresh("machine")
    ways = [("--late", LATE)] + [
        (f"--seed {seed}", at_random(seed)) for seed in range(1, options.schedules + 1)
    ]
    for done, (name, way) in enumerate(ways, 1):
        if program.run(*options.arguments, settings=settings | way, log=log):
            show(log)
            raise Stop(
                FAILED,
                f"the schedule {name} fails; {done} of {len(ways) + 1} schedules ran before it "
                "without a report",
            )
        if done % 10 == 1:
            say(f"    {done + 1} of {len(ways) + 1} schedules")
    say(f"==> {len(ways) + 1} schedules, no report")
    return 0


def judge_mutant(program, arguments, settings, log):
    """Runs the program without one statement, under several schedules. Returns "reported", "wrong"
    (a wrong result without a report) or "silent".

    The program checks its result itself.
    """
    told = "silent"
    for way in [{}, LATE, *map(at_random, range(1, MUTANT_SEEDS + 1))]:
        if program.run(*arguments, settings=settings | way, log=log):
            if program.reported():
                return "reported"
            told = "wrong"
    return told


def run_mutants(program, arguments, settings):
    sites, log = LOGS / "machine-sites.log", fresh("machine")
    settings = settings | {"AXE_MACHINE_STRICT": "1"}
    if program.run(*arguments, settings=settings | {"AXE_MACHINE_SITES": str(sites)}, log=log):
        show(log)
        raise Stop(FAILED, "the unchanged program fails or is reported")
    count = collections.Counter()
    for line in sites.read_text(errors="replace").splitlines():
        number, _, site = line.strip().partition(" ")
        if not number.isdigit():
            continue  # this line continues a statement of several lines
        told = judge_mutant(program, arguments, settings | {"AXE_MACHINE_WITHOUT": number}, log)
        count[told] += 1
        if told != "reported":
            print(
                f"{'wrong' if told == 'wrong' else 'right'} result, not reported: without {site}",
                flush=True,
            )
    print(
        f"{count.total()} mutants: {count['reported']} reported, "
        f"{count['silent']} with a right result, {count['wrong']} with a wrong result and no report"
    )
    return FAILED if count["wrong"] else 0


def main(arguments):
    options = parser().parse_args(arguments)
    if not options.program:
        raise Stop(USAGE, "a program is missing: ./run machine --help")
    if not os.path.isfile(options.program):
        raise Stop(USAGE, f"there is no file '{options.program}'")
    program = program_of(options)
    settings = {"AXE_MACHINE_STRICT": options.strict}
    if options.mutants:
        return run_mutants(program, options.arguments, settings)
    counting = settings | ({"AXE_MACHINE_COUNTERS": options.counters} if options.counters else {})
    code = program.run(*options.arguments, settings=counting | options.chosen)
    if code or not options.schedules:
        return code
    return run_schedules(program, options, settings)
