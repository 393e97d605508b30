"""A page of measured figures for benchmarks/results/: what, on what machine, when, how to measure again, and a table."""

import datetime
import os
import pathlib
import re


def machine():
    """The processor, by its model name, and how many of its cores this process may use. No host name, no path."""
    name = "an unknown processor"
    info = pathlib.Path("/proc/cpuinfo")
    if info.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        name = found.group(1).strip() if found else name
    return f"{name}, {len(os.sched_getaffinity(0))} cores"


def beside(before, after):
    """What a page of seconds says of other programs: the load average when a measurement began and when it ended, its own process included."""
    if max(before, after) < 1.5:
        return "Nothing else ran beside it."
    return f"Other programs ran beside it: the load average was {before:.1f} near its start and {after:.1f} at its end."


def table(head, rows):
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


def page(title, what, command, head, rows, note=""):
    """`note`: under what conditions this was measured, behind the name of the machine."""
    when = datetime.date.today().isoformat()
    return f"# {title}\n\n{what}\n\nMeasured on {when}, {machine()}{', ' + note if note else ''}. Again: `{command}`.\n\n{table(head, rows)}\n"
