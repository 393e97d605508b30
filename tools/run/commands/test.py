"""`./run test`: installs what is missing, and builds and runs the tests."""

import os
import re
import subprocess
import sys

import build
from commands.explorer import PACKAGES as EXPLORER
from common import BUILD, FAILED, LOGS, ROOT, USAGE, Parser, Stop, fresh, matching_lines, say, step
from install import have_wheels, install_packages, try_install_packages, try_install_wheels
from newest_gcc import try_install_newest_gcc

SUMMARY = "build and run the tests: 20 to 25 minutes on 2 cores, longer with --all"
PACKAGES = (
    "g++",
    "cmake",
    "ninja-build",
    "python3",
    "catch2",
    "libfmt-dev",
    "libzstd-dev",
)
EPILOG = """Any other argument is passed to ctest: -R REGEX, -E REGEX, -L LABEL, -V, ...
Labels: fast, machine, peers, slow (tests/README.md). `-L fast` ends within a minute."""
# ctest ignores words and options that it does not know, and then runs all tests.
OF_CTEST_WITH_VALUE = """-R --tests-regex -E --exclude-regex -L --label-regex -LE --label-exclude
-FA --fixture-exclude-any -FS --fixture-exclude-setup -FC --fixture-exclude-cleanup -I
--tests-information -C --build-config -O --output-log --output-junit -j --parallel --timeout
--stop-time --repeat --repeat-until-fail --test-output-size-passed --test-output-size-failed
--test-output-truncation --max-width --resource-spec-file --test-load --interactive-debug-mode
--tests-from-file --exclude-from-file""".split()
OF_CTEST = """-V --verbose -VV --extra-verbose --debug --progress --output-on-failure
--stop-on-failure -F -Q --quiet -N --show-only --no-tests -U --union --rerun-failed
--no-label-summary --no-subproject-summary --schedule-random --print-labels""".split()
WITH_EQUALS = ("--show-only", "--no-tests")


def parser():
    result = Parser("test", SUMMARY, EPILOG)
    result.add_argument(
        "--all",
        action="store_true",
        help="also run mutants and mistakes, long fuzzing, builds with -G, and every target "
        "and compiler",
    )
    result.add_argument(
        "--every-mutant",
        action="store_true",
        help="as --all, but with every mutant and mistake instead of some; takes hours",
    )
    return result


def check_ctest(words):
    """Rejects a word before anything is built, if ctest would ignore it."""
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if not word.startswith("-"):
            raise Stop(USAGE, f"'{word}' is not an option; "
                              f"to run the tests with such a name: ./run test -R {word}")
        if option in OF_CTEST_WITH_VALUE:
            if equals:  # older releases of ctest ignore -R=NAME
                raise Stop(USAGE, f"'{word}': write the value as a word of its own: "
                                  f"{option} {value}")
            if next(rest, None) is None:
                raise Stop(USAGE, f"{option} needs a value")
        elif option not in (WITH_EQUALS if equals else OF_CTEST) and not re.fullmatch(
            "-j[0-9]+", word):
            raise Stop(USAGE, f"no option is called '{word}': ./run test --help")


def run_build(folder, jobs):
    """Builds as much as possible, so that one mistake does not hide the results of other tests.

    Returns True if everything was built.
    """
    log = fresh("build")
    command = ["cmake", "--build", folder, "-j", str(jobs), "--", "-k", "0"]
    with open(log, "w", encoding="utf-8") as out, subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout:
            out.write(line)
            sys.stderr.write(line)
    if process.returncode == 0:
        return True
    # Remove all programs and build again. A program that is older than its sources must not run,
    # and a test without its program fails.
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("CMakeFiles", "bench")]
        for name in files:
            file = os.path.join(path, name)
            if os.access(file, os.X_OK) and not os.path.islink(file):
                os.remove(file)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return False


def install_required(options):
    packages = list(PACKAGES)
    if options.preset in ("clang-16", "clang-19", "clang-22"):
        packages.append(options.preset)
    if options.preset == "libcxx":
        packages += ["clang-19", "libc++-19-dev", "libc++abi-19-dev"]
    install_packages(*packages, *(["python3-venv"] if options.cuda != "none" else []))


def install_optional():
    """Installs what some tests need. Says which tests are skipped if something is missing."""
    if not try_install_packages("clang-19"):
        say("    no clang++-19: "
            "budget.headers and the tests of headers and messages with it are skipped")
    if not try_install_packages("gdb"):
        say("    no gdb: gdb.transcript, which tests the printers, is skipped")
    if not (
        try_install_packages("python3-dev", "python3-venv") and try_install_wheels("module")
    ):
        say("    no nanobind: python.module, which tests the Python module, is skipped")
    if not (
        try_install_packages("pkg-config", "python3-venv") and try_install_wheels("conan")
    ):
        say("    no pkg-config or Conan: package.pkg_config or package.conan is skipped")
    if not (try_install_packages("python3-venv") and try_install_wheels("docs")):
        say("    no mkdocs-material: docs.site, which builds the site, is skipped")
    if not try_install_packages("libc++-19-dev", "libc++abi-19-dev"):
        say("    no libc++: bridge.cxx23 is skipped")
    if not try_install_packages("libopenmpi-dev", "openmpi-bin"):
        say("    no MPI: mpi.ranks_1 to mpi.ranks_8 are skipped")
    if not try_install_packages("libfftw3-mpi-dev", "libfftw3-dev"):
        say("    no MPI transpose of FFTW: examples.fft_pencils is skipped")
    if not have_wheels("torch"):
        say("    no PyTorch (./run peers reshard --with-torch): "
            "examples.torch_extension is skipped")


def install_for_all():
    """Installs what only the tests of --all need."""
    if not (
        try_install_packages(*EXPLORER, "nodejs", "chromium") and try_install_wheels("browser")
    ):
        say("    no Chromium or WebAssembly: explorer.answers or explorer.page is skipped")
    if not try_install_packages("clang-16", "clang-22"):
        say("    no clang++-16 or clang++-22: "
            "tests of headers and messages with the missing one are skipped")
    if not try_install_newest_gcc():
        say("    no g++-16: tests of headers and messages with it are skipped")
    if not try_install_packages("clang-19", "libclang-rt-19-dev"):
        say("    no libFuzzer: libfuzzer.reader, libfuzzer.eval and libfuzzer.ptx are skipped")
    if not try_install_wheels("cutlass"):
        say("    no wheel of CUTLASS: guides.cute.peer and peers.cute.* are skipped")
    if not (try_install_wheels("triton") and try_install_wheels("peers")):
        say("    no wheels of Triton or TIRx: python.module does not compare with them")


def run_tests(folder, jobs, for_ctest):
    """Returns the file of results and the exit code of ctest."""
    step("testing")
    results = folder / "results.xml"
    results.unlink(missing_ok=True)
    code = subprocess.run(
        [
            "ctest",
            "--test-dir",
            folder,
            "-j",
            str(jobs),
            "--output-on-failure",
            "--no-tests=error",
            "--output-junit",
            results,
            *for_ctest,
        ],
        stdout=sys.stderr,
    ).returncode
    return results, code


def main(arguments):
    options, for_ctest = build.parse(parser(), arguments, presets_too=True)
    if options.preset == "release":
        raise Stop(USAGE, "the preset 'release' has no tests")
    check_ctest(for_ctest)
    options.all |= options.every_mutant
    install_required(options)
    install_optional()
    if options.all:
        install_for_all()
    cuda = build.find_cuda(options, newest=options.all)
    preset = options.preset or "gcc"
    folder = BUILD / preset
    step(f"configuring {preset}, with {cuda.said}")
    wanted = (("ALL", options.all), ("EVERY_MUTANT", options.every_mutant))
    names = [f"-DAXE_TEST_{name}={'ON' if on else 'OFF'}" for name, on in wanted]
    build.configure(preset, *cuda.options, *names)
    step("building")
    built = run_build(folder, options.jobs)
    results, code = run_tests(folder, options.jobs, for_ctest)
    step(f"with preset {preset}, {cuda.said}")
    if not built:
        say(
            "the build failed, and the tests of what was not built count as failed "
            "(the whole log: build/logs/build.log):"
        )
        for line in matching_lines(LOGS / "build.log", r"(^|[ )])error( #[0-9]+-?D?)?:", 5):
            say(line)
    summary = [sys.executable, "-B", ROOT / "tests/support/summary.py", results, str(code)]
    return FAILED if subprocess.run(summary).returncode or not built else 0
