#!/usr/bin/env python3
"""Checks what nvcc prints for mistakes in kernels.

    kernels.py --include ../../include kernels/*.cu --nvcc nvcc

A case is the code after `#if MISTAKE == 3  // (sm_80) words of the cause`. The words are a regular
expression. Without a target in parentheses, the case is compiled for sm_90a. The file must compile
with MISTAKE=0. With MISTAKE=3, one of the first 3 lines that nvcc prints must have the cause, and
one of the first 6 the number of a line of the case. nvcc may print at most 15 lines of 400 columns.
Correct calls are after `#if !MISTAKE`, so that cases compile without them, which saves time.

Cases of a file are compiled together first. nvcc prints a message of a template only once, so a
case without its message is compiled again with fewer others, and in the end alone.
"""

import argparse
import concurrent.futures
import datetime
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASE = re.compile(r"^#(?:el)?if MISTAKE == (\d+) +// (?:\((\w+)\) )?(.*)$")
CAUSE_WITHIN, LINE_WITHIN, MOST_LINES, MOST_COLUMNS = 3, 6, 15, 400


def cases_of(path):
    """Returns (number, target, cause, line numbers) for each case."""
    found, lines = [], path.read_text().splitlines()
    for at, line in enumerate(lines, 1):
        if case := CASE.match(line):
            end = next(n for n in range(at, len(lines)) if lines[n].startswith(("#elif", "#endif")))
            found.append((int(case[1]), case[2] or "sm_90a", re.compile(case[3]),
                          range(at + 1, end + 1)))
        elif "if MISTAKE" in line:
            sys.exit(f"{path}:{at}: a case is one line, "
                     "'#elif MISTAKE == 3  // words of the cause'")
    numbers = [number for number, *_ in found]
    if twice := {number for number in numbers if numbers.count(number) > 1}:
        sys.exit(f"{path}: several cases have the number {min(twice)}")
    return found


def source_of(path, numbers):
    """Returns the text of a file with these cases, each in a block. Lines keep their numbers."""
    depth, inside, kept, opened, result = 0, False, True, False, []
    for line in path.read_text().splitlines():
        case = CASE.match(line)
        if not (case or inside and line == "#endif"):
            result.append(line if kept else "")
            depth += 0 if inside else line.count("{") - line.count("}")
            continue
        inside, closed = bool(case), "}" if opened else ""
        kept = not case or int(case[1]) in numbers
        if inside and depth == 0:
            sys.exit(f"{path}: case {case[1]} is outside of functions")
        opened = inside and kept
        result.append(closed + ("{" if opened else ""))
    return "\n".join(result)


def compile_file(given, source, folder, mistake, target):
    """Compiles a source that includes headers of `folder`. Returns the exit code and the lines."""
    command = [given.nvcc, "-std=c++20", f"-arch={target}", "-ptx", "-diag-suppress", "177,550",
               f"-DMISTAKE={mistake}", "-I", str(given.include), "-I", str(folder), str(source),
               "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # The length of a line must not depend on the folder of the checkout.
    said = (done.stdout + done.stderr).replace(f"{ROOT}/", "")
    return done.returncode, said.splitlines()


def compile_together(given, path, cases, target):
    """Returns what nvcc prints for each of several cases, or None if a message is of no case."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, path.name)
        source.write_text(f'#line 1 "{path}"\n{source_of(path, [case[0] for case in cases])}\n')
        _, said = compile_file(given, source, path.parent, 1, target)
    found, last = {case[0]: [] for case in cases}, ["", said[-1] if said else ""]
    for message in messages_of(said):
        named = named_lines(message[:LINE_WITHIN], path.name)
        owners = [number for number, _, _, lines in cases if any(n in lines for n in named)]
        if len(owners) != 1:
            return None
        found[owners[0]] += message
    return {number: lines + last for number, lines in found.items()
            if any("): error" in line for line in lines)}


def messages_of(said):
    """Splits what nvcc prints into messages, without its last line, the number of errors."""
    result = []
    for line in said:
        if re.search(r"^\S.*\(\d+\): (error|warning)", line):
            result.append([])
        if result and not re.match(r"\d+ errors? detected", line):
            result[-1].append(line)
    return result


def named_lines(said, name):
    """Returns the lines of the file that a message names. 'at line 3' is in the message's file."""
    own = r"|at line (\d+)$" if said and re.match(rf"\S*{re.escape(name)}\(", said[0]) else ""
    here = re.compile(
        rf"{re.escape(name)}\((\d+)\)|line (\d+) of \"?[^\"]*{re.escape(name)}{own}")
    return [int(next(n for n in match.groups() if n)) for line in said
            for match in here.finditer(line)]


def problem(code, said, cause, lines, name):
    if code == 0:
        return "it compiles"
    if not any(cause.search(line) for line in said[:CAUSE_WITHIN]):
        return f"the first {CAUSE_WITHIN} lines do not say '{cause.pattern}'"
    named = named_lines(said[:LINE_WITHIN], name)
    if not any(n in lines for n in named):
        return f"the first {LINE_WITHIN} lines do not name lines {lines[0]} to {lines[-1]}"
    if len(said) > MOST_LINES:
        return f"{len(said)} lines, at most {MOST_LINES} are allowed"
    if (longest := max(map(len, said))) > MOST_COLUMNS:
        return f"a line of {longest} columns, at most {MOST_COLUMNS} are allowed"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True, help="the nvcc to use")
    parser.add_argument("--include", required=True, type=pathlib.Path,
                        help="the folder that holds axe/")
    parser.add_argument("--jobs", type=int, default=2,
                        help="processes at a time (default: %(default)s)")
    parser.add_argument("--only", type=int,
                        help="compile only the case with this number, "
                        "and each file without a mistake")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="compile every Nth case, others each day (default: each case)")
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="sources with numbered cases")
    given = parser.parse_args()
    today = datetime.date.today().toordinal()

    def alone(path, case):
        number, target, cause, lines = case
        code, said = compile_file(given, path, path.parent, number, target)
        return path.name, number, problem(code, said, cause, lines, path.name), said

    def judge(path, cases):
        """Returns a result for each case. All cases have one target."""
        if len(cases) == 1:
            return [alone(path, cases[0])]
        said = compile_together(given, path, cases, cases[0][1]) or {}
        passed = [case for case in cases if case[0] in said and
                  not problem(1, said[case[0]], case[2], case[3], path.name)]
        if passed:
            rest = [case for case in cases if case not in passed]
            return [(path.name, case[0], "", []) for case in passed] + (
                judge(path, rest) if rest else [])
        return judge(path, cases[::2]) + judge(path, cases[1::2])

    def builds(path):
        code, said = compile_file(given, path, path.parent, 0, "sm_90a")
        return [(path.name, 0, "it must compile with MISTAKE=0" if code else "", said)]

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        jobs = []
        for path in given.files:
            jobs.append(pool.submit(builds, path))
            cases = [case for case in cases_of(path)
                     if given.only in (None, case[0]) and (case[0] - today) % given.every == 0]
            jobs += [pool.submit(judge, path, [case for case in cases if case[1] == target])
                     for target in sorted({case[1] for case in cases})]
        failed = total = 0
        for name, number, wrong, said in (result for job in jobs for result in job.result()):
            total += 1
            failed += bool(wrong)
            print(f"{'FAILED' if wrong else 'ok':<7}{name} {number}{': ' + wrong if wrong else ''}",
                  flush=True)
            if wrong:
                print("".join(f"    | {line[:300]}\n" for line in said[:30]), flush=True)
    print(f"{total - failed} of {total} cases passed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
