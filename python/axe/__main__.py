"""`python -m axe`: runs the program `axe`."""

import os
import signal
import sys

from . import _axe


def main():
    # A key or a closed pipe ends the program, as it ends one that is not written in Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _axe.run_process([os.fsencode(word) for word in sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
