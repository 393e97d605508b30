"""Writes a page of measured figures for benchmarks/results/: table, machine, date, command and
commit.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from whole_file import write  # noqa: E402, F401  for the programs beside this module


def commit():
    """Returns the commit that is measured, followed by "with changes" if tracked files differ from it.
    """
    def git(*words):
        here = pathlib.Path(__file__).parent
        return subprocess.run(["git", "-C", here, *words], capture_output=True, text=True,
                              check=False).stdout.strip()
    name = git("rev-parse", "--short=12", "HEAD") or "an unknown commit"
    return name + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")


def machine():
    """Returns the model of the processor and the number of cores that this process may use."""
    name = "an unknown processor"
    info = pathlib.Path("/proc/cpuinfo")
    if info.is_file():
        found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        name = found.group(1).strip() if found else name
    return f"{name}, {len(os.sched_getaffinity(0))} cores"


def load_sentence(before, after):
    """Returns a sentence about the load averages before and after a measurement."""
    if max(before, after) < 1.5:
        return "The load average was below 1.5 near the start and at the end."
    return (f"The machine had other load: the load average was {before:.1f} near the start "
            f"and {after:.1f} at the end.")


def table(head, rows):
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths))
                     + " |" for line in lines)


def page(title, what, command, head, rows, note=""):
    """Returns the text of the page. `note` has conditions of the measurement. It is printed after the
    machine.
    """
    when = datetime.date.today().isoformat()
    made = (f"Measured on {when}, {machine()}{', ' + note if note else ''}, at commit {commit()}. "
            f"Command: `{command}`.")
    return f"# {title}\n\n{what}\n\n{made}\n\n{table(head, rows)}\n"
