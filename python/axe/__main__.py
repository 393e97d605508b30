"""`python -m axe`: runs the program `axe`."""

import sys

from . import _axe


def main():
    words = sys.argv[1:]
    # Each line of standard input is answered while the pipe is still open.
    if words == ["eval"]:
        return _lines()
    code, out, err = _axe.command(words)
    sys.stdout.write(out)
    sys.stderr.write(err)
    return code


def _lines():
    session, malformed = _axe.Session(1_000_000), False
    for line in sys.stdin:
        answer = session.evaluate(line.rstrip("\r\n"))
        malformed = malformed or answer.status == "malformed"
        print(answer.line, flush=True)
    return int(malformed)


if __name__ == "__main__":
    sys.exit(main())
