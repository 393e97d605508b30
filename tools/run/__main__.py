"""Runs the commands of this tree, such as `./run test`. `./run --help` lists them.

To add a command NAME, write commands/NAME.py with SUMMARY (one line) and main(arguments), and add
it to COMMANDS. Progress goes to standard error.
"""

import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from common import FAILED, USAGE, Stop, say  # noqa: E402

COMMANDS = ("demo", "explorer", "docs", "test", "bench", "fuzz", "peers", "machine", "gpu", "axe")


def module(command):
    return importlib.import_module(f"commands.{command}")


def usage():
    lines = "\n".join(f"  {command:8} {module(command).SUMMARY}" for command in COMMANDS)
    return f"""usage: ./run COMMAND [options]

{lines}

'./run COMMAND --help' lists the options of a command.

exit code: 0; 1 if something failed; 2 for a wrong command line; 3 if something could not be
installed, or if `./run gpu` lacks a tool; 4 without a GPU"""


def main(words):
    if not words:
        say(usage())
        return USAGE
    command, *arguments = words
    if command in ("-h", "--help", "help"):
        print(usage())
        return 0
    if command not in COMMANDS:
        raise Stop(USAGE, f"no command is called '{command}': ./run --help")
    return module(command).main(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        say(f"run: {stop}")
        sys.exit(stop.code)
    except OSError as error:  # a missing program or file, a full disk
        say(f"run: {error}")
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(130)
