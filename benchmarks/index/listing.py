"""Reads listings of PTX and SASS: the instructions of each kernel, their kinds, and its loop
bodies.

The kinds are memory (loads, stores, matrix loads and stores, atomics), control (branches, calls)
and arithmetic (everything else that computes, including predicates). PTX_FREE and SASS_FREE are not
counted: moves, reads of special registers and of constant banks, synchronisation, HMMA, the end of
the kernel and padding. A loop body is the code from the target of a backward branch to the branch.
"""
import re

PTX_MEMORY = ("ld.", "st.", "ldmatrix", "stmatrix", "atom", "red.", "cp.", "ldu", "prefetch")
PTX_FREE = ("mov", "ret", "bar", "cvta.shared", "exit")
PTX_CONTROL = ("bra", "call", "brx")

SASS_MEMORY = ("LDG", "STG", "LDS", "STS", "LDSM", "STSM", "LDL", "STL", "LD", "ST", "ATOM",
               "ATOMG", "ATOMS", "RED", "REDG", "LDGSTS", "UBLKCP")
SASS_FREE = ("NOP", "EXIT", "BAR", "S2R", "S2UR", "CS2R", "ULDC", "LDC", "LDCU", "HMMA", "WARPSYNC",
             "BSSY", "BSYNC", "MEMBAR", "DEPBAR", "LDGDEPBAR", "ERRBAR", "CCTL", "R2UR")
SASS_CONTROL = ("BRA", "CALL", "RET", "BRX", "JMP")


class Kernel:
    """The instruction counts of one kernel: of the whole kernel and of its loop bodies."""

    def __init__(self, name):
        self.name = name
        self.whole = {"arithmetic": 0, "control": 0, "memory": 0}
        self.loops = {"arithmetic": 0, "control": 0, "memory": 0}
        self.lines = []
        self.registers = 0      # of a thread
        self.local_memory = 0   # in bytes

    def add(self, kind, text, in_loop):
        self.lines.append(text)
        if kind is None:
            return
        self.whole[kind] += 1
        if in_loop:
            self.loops[kind] += 1


def ptx_kind(operation):
    if operation.startswith("ld.param"):
        return None  # not counted, because SASS reads parameters from the constant bank
    if operation.startswith(PTX_MEMORY):
        return "memory"
    if operation.split(".")[0] in PTX_CONTROL:
        return "control"
    if operation.startswith(PTX_FREE):
        return None
    return "arithmetic"


def loop_lines(entries):
    """Returns the indices of entries inside loops. An entry is (label or None, target or None)."""
    position = {label: k for k, (label, _) in enumerate(entries) if label}
    inside = set()
    for k, (_, target) in enumerate(entries):
        if target in position and position[target] <= k:
            inside.update(range(position[target], k + 1))
    return inside


def entries_of_ptx(text):
    """Yields (name, body) of each kernel. A body may contain the braces of inline assembly."""
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(r"\.visible \.entry (\w+)\([^)]*\)[^{]*\{", text):
        depth, end = 1, match.end()
        while depth > 0:
            brace = re.compile(r"[{}]").search(text, end)
            depth += 1 if brace.group() == "{" else -1
            end = brace.end()
        yield match.group(1), text[match.end():end - 1]


def statements_of_ptx(body):
    """Yields labels and instructions. A line such as `{ .reg .b32 t; add.u32 t, a, 1; }` has
    several.
    """
    for line in body.split("\n"):
        for part in line.split(";"):
            part = part.strip().lstrip("{}").strip()
            if part and not part.startswith((".", "#")):
                yield part


def read_ptx(text):
    kernels = {}
    for name, body in entries_of_ptx(text):
        kernel = kernels[name] = Kernel(name)
        entries, code = [], []
        for line in statements_of_ptx(body):
            label = re.match(r"(\$\w+):", line)
            if label:
                entries.append((label.group(1), None))
                code.append(None)
                continue
            bare = re.sub(r"^@!?[%\w]+\s+", "", line)
            operation = bare.split()[0]
            target = re.search(r"bra(?:\.uni)?\s+(\$\w+)", bare)
            entries.append((None, target.group(1) if target else None))
            code.append((ptx_kind(operation), line))
        inside = loop_lines(entries)
        for k, item in enumerate(code):
            if item:
                kernel.add(item[0], item[1], k in inside)
    return kernels


def sass_kind(text):
    base = text.split()[0].split(".")[0]
    if base in SASS_MEMORY:
        return "memory"
    if base in SASS_CONTROL:
        return "control"
    if base in SASS_FREE:
        return None
    operands = re.sub(r"^\S+\s*", "", text)
    if text.startswith("IMAD.MOV"):
        negates = re.search(r"-R\d", operands)
        return "arithmetic" if negates else None
    if base in ("MOV", "UMOV"):
        return None
    if text.startswith("HFMA2"):  # with a constant, ptxas uses it as a move
        moves = "c[" in operands or re.search(r"-?RZ.*-?RZ|0x[0-9a-f]+$|, \d+$", operands)
        return None if moves else "arithmetic"
    return "arithmetic"


def read_sass(text):
    kernels = {}
    for match in re.finditer(r"Function : (\w+)(.*?)(?=Function :|\Z)", text, re.S):
        kernel = kernels[match.group(1)] = Kernel(match.group(1))
        entries, code = [], []
        ended = False
        for line in match.group(2).split("\n"):
            found = re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line)
            if not found:
                continue
            if found.group(2).startswith(("@!PT", "@!UPT")):
                # ptxas pads with such an instruction before the end of a cp.async group, and on
                # sm_80 between matrix products. It is never executed.
                continue
            address = int(found.group(1), 16)
            text_ = re.sub(r"^@!?U?P\d+\s+", "", found.group(2)).strip()
            target = re.search(r"BRA(?:\.\w+)*\s+(?:!?U?P\d+, )?(0x[0-9a-f]+)", text_)
            target = f"{int(target.group(1), 16):x}" if target else None
            if target == f"{address:x}":
                # A branch to itself and padding follow the end of the kernel.
                ended = True
            if ended:
                continue
            entries.append((f"{address:x}", target))
            code.append((sass_kind(text_), text_))
        inside = loop_lines(entries)
        for k, (kind, line) in enumerate(code):
            kernel.add(kind, line, k in inside)
    return kernels


def cost(counts):
    """Returns the number of arithmetic and control instructions."""
    return counts["arithmetic"] + counts["control"]


def read_resources(text):
    """Returns {kernel: (registers of a thread, bytes of local memory)}."""
    return {name: (int(registers), int(stack) + int(local)) for name, registers, stack, local in
            re.findall(r"Function (\w+):\s+REG:(\d+) STACK:(\d+) SHARED:\d+ LOCAL:(\d+)", text)}
