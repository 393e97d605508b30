#!/usr/bin/env python3
"""Prints the last lines of `./run test` from the results of ctest: failures, skipped tests, counts.

    summary.py build/gcc/results.xml EXIT_CODE_OF_CTEST

A test that ctest could not start counts as failed, although ctest gives it the status of a skipped
one.
"""

import sys
import xml.etree.ElementTree

SKIP_MESSAGES = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "Disabled")


def outcome(case):
    if case.get("status") == "run":
        return "passed"
    skipped = case.find("skipped")
    if skipped is not None and skipped.get("message", "").startswith(SKIP_MESSAGES):
        return "skipped"
    return "failed"


def reason(case):
    lines = [line for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    return lines[-1].removeprefix("skipped: ") if lines else "no reason given"


def main():
    path, ctest_code = sys.argv[1], int(sys.argv[2])
    try:
        cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError):
        cases = []
    by_outcome = {"passed": [], "failed": [], "skipped": []}
    for case in cases:
        by_outcome[outcome(case)].append(case)
    executed = len(by_outcome["passed"]) + len(by_outcome["failed"])

    if by_outcome["passed"]:
        print("ran:     " + ", ".join(case.get("name") for case in by_outcome["passed"]))
    for case in by_outcome["skipped"]:
        print(f"skipped: {case.get('name')}: {reason(case)}")
    for case in by_outcome["failed"]:
        print(f"failed:  {case.get('name')}")
    if not executed:
        print("no test was executed")
    elif ctest_code and not by_outcome["failed"]:
        print(f"ctest ended with {ctest_code}, though no test failed")
    print(", ".join(f"{len(by_outcome[name])} {name}" for name in ("passed", "failed", "skipped")))
    sys.exit(bool(by_outcome["failed"] or ctest_code or not executed))


if __name__ == "__main__":
    main()
