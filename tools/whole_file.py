"""Writes a file completely or leaves the old one as it was.

    whole_file.write("docs/peers.md", page)     ends the program with code 1 and a sentence on failure
"""

import os
import pathlib
import sys
import tempfile


def write(path, text):
    # If the path is a symbolic link, its target is replaced.
    target = pathlib.Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():  # a device such as /dev/stdout
            target.write_text(text, encoding="utf-8")
        else:
            _replace(target, text)
    except OSError as failure:
        sys.exit(f"cannot write {path}: {failure.strerror}")


def _replace(target, text):
    number, temporary = tempfile.mkstemp(dir=target.parent, prefix=".axe-")
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(number)
            os.fchmod(number, target.stat().st_mode & 0o7777 if target.exists()
                      else 0o666 & ~_mask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _mask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
