"""The options that the programs of this folder share.

    parser(__doc__, "include nvcc rounds write", rounds=5)    a parser with these options
    with_operations(parser, names)                            the parsed arguments and operations
"""

import argparse
import pathlib

OPTIONS = {
    "include": {"required": True, "type": pathlib.Path, "metavar": "DIR",
                "help": "the folder that holds axe/"},
    "nvcc": {"default": "", "metavar": "PROGRAM", "help": "also measure with this nvcc"},
    "cuda-include": {"type": pathlib.Path, "metavar": "DIR",
                     "help": "CUDA's headers, for CuTe under g++ and clang"},
    "cute": {"type": pathlib.Path, "metavar": "DIR",
             "help": "the folder that holds cute/: also measure CuTe"},
    "count": {"type": int, "metavar": "N",
              "help": "measured calls in one source (default: %(default)s)"},
    "rounds": {"type": int, "metavar": "N",
               "help": "repetitions of each measurement (default: %(default)s)"},
    "json": {"type": pathlib.Path, "metavar": "FILE", "help": "write the figures as JSON"},
    "write": {"type": pathlib.Path, "metavar": "FILE",
              "help": "write a page of the figures, as in benchmarks/results/"},
    "note": {"default": "", "metavar": "WORDS",
             "help": "conditions of the measurement, for the page"},
}


def parser(doc, names, **defaults):
    """Returns a parser with the options `names`. `doc` is the description."""
    made = argparse.ArgumentParser(description=doc,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in names.split():
        made.add_argument("--" + name, **OPTIONS[name])
    made.set_defaults(**defaults)
    return made


def ignore(made, names):
    """Accepts options that `./run bench` passes to every program of this folder."""
    for name in names.split():
        made.add_argument("--" + name, help="not used here")


def with_operations(made, names):
    """Parses a command line that may end with some of `names`. Returns the arguments. Their
    `operations` are these names, or all of `names` if there are none.
    """
    made.add_argument("operations", nargs="*", metavar="OPERATION",
                      help=f"one or more of {', '.join(names)} (default: all)")
    arguments = made.parse_args()
    for name in arguments.operations:
        if name not in names:
            made.error(f"{name} is not one of {', '.join(names)}")
    arguments.operations = arguments.operations or list(names)
    return arguments
