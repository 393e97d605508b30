#!/usr/bin/env python3
"""Tests that a file stays unchanged if it cannot be written completely. The program then prints one
sentence, returns an error code and leaves no temporary file.
"""

import os
import pathlib
import resource
import stat
import subprocess
import sys
import tempfile
import unittest

import program

DEMO = os.environ["AXE_DEMO"]
TOOLS = pathlib.Path(os.environ["AXE_DOCS"]).parent / "tools"
DRAW = [program.PATH, "draw", program.TILE, "--shape", "8,16", "-o"]
DIFF = [program.PATH, "diff", "S[(8,16):(16,1)]", "swizzle(0,3,4) o S[(8,16):(16,1)]",
        "--shape", "8,16", "-o"]
OLD = "the old picture\n"
GALLERY = """[tile]
title  = a tile
source = here
layout = S[(8,4):(4@lane,1@lane)]
shape  = 8,4
about  = a warp
"""


def limited():
    """Stands in for a full disk: no file may become longer than 1024 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def run(words, before=None):
    done = subprocess.run(words, capture_output=True, preexec_fn=before, timeout=60, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Files(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.path = self.folder / "x.svg"

    def assert_files(self, names):
        self.assertEqual(sorted(os.listdir(self.folder)), names)

    def test_a_full_disk_keeps_the_old_file(self):
        for words, code in ((DRAW, 1), (DIFF, 1), ([*DIFF[:-1], "--exit-code", "-o"], 2)):
            self.path.write_text(OLD)
            got, out, err = run([*words, str(self.path)], limited)
            self.assertEqual((got, out), (code, ""), err)
            self.assertEqual(err, f"axe {words[1]}: cannot write {self.path}: File too large\n")
            self.assertEqual(self.path.read_text(), OLD)
            self.assert_files(["x.svg"])

    def test_a_full_disk_leaves_no_new_file(self):
        self.assertEqual(run([*DRAW, str(self.path)], limited)[0], 1)
        self.assert_files([])

    def test_a_device_that_is_full(self):
        code, out, err = run([*DRAW, "/dev/full"])
        self.assertEqual((code, out, err),
                         (1, "", "axe draw: cannot write /dev/full: No space left on device\n"))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

    def test_a_missing_folder_is_named(self):
        path = self.folder / "no" / "x.svg"
        code, out, err = run([*DRAW, str(path)])
        self.assertEqual((code, out, err),
                         (1, "", f"axe draw: cannot write {path}: No such file or directory\n"))
        code, out, err = run([*DRAW, str(self.folder)])
        self.assertEqual((code, out, err),
                         (1, "", f"axe draw: cannot write {self.folder}: Is a directory\n"))

    def test_links_and_permissions_stay(self):
        self.path.write_text(OLD)
        self.path.chmod(0o640)
        link = self.folder / "link.svg"
        link.symlink_to("x.svg")
        self.assertEqual(run([*DRAW, str(link)])[0], 0)
        self.assertTrue(link.is_symlink())
        self.assertIn("<svg", self.path.read_text())
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o640)
        self.assert_files(["link.svg", "x.svg"])
        new = self.folder / "new.svg"
        self.assertEqual(run([*DRAW, str(new)], lambda: os.umask(0o027))[0], 0)
        self.assertEqual(stat.S_IMODE(new.stat().st_mode), 0o640)

    def test_the_demo_keeps_its_old_pages(self):
        gallery = self.folder / "one.axe"
        gallery.write_text(GALLERY)
        out_folder = self.folder / "out"
        words = [DEMO, "--gallery", str(gallery), "--out", str(out_folder)]
        self.assertEqual(run([*words, "--gallery", str(gallery)]),
                         (2, "", f"demo: {gallery}, line 1: [tile] is already in {gallery}\n"))
        self.assertFalse(out_folder.exists())
        self.assertEqual(run(words)[0], 0)
        (out_folder / "tile.svg").write_text(OLD)
        code, _, err = run(words, limited)
        self.assertEqual((code, err),
                         (1, f"demo: cannot write {out_folder}/tile.svg: File too large\n"))
        self.assertEqual((out_folder / "tile.svg").read_text(), OLD)
        self.assertEqual(sorted(os.listdir(out_folder)), ["index.html", "tile.svg"])

    def test_python_programs_keep_old_pages(self):
        def write(path, count, before=None):
            program_text = f"import sys; sys.path.append({str(TOOLS)!r}); import whole_file; whole_file.write({str(path)!r}, 'x' * {count})"
            return run([sys.executable, "-B", "-c", program_text], before)
        self.path.write_text(OLD)
        self.path.chmod(0o640)
        self.assertEqual(write(self.path, 5000, limited),
                         (1, "", f"cannot write {self.path}: File too large\n"))
        self.assertEqual(self.path.read_text(), OLD)
        self.assert_files(["x.svg"])
        self.assertEqual(write(self.path, 5000), (0, "", ""))
        self.assertEqual(self.path.read_text(), "x" * 5000)
        self.assertEqual(stat.S_IMODE(self.path.stat().st_mode), 0o640)
        self.assertEqual(write("/dev/full", 5),
                         (1, "", "cannot write /dev/full: No space left on device\n"))
        self.assertEqual(write(self.folder / "no" / "x", 5)[0], 1)
        self.assert_files(["x.svg"])


if __name__ == "__main__":
    unittest.main()
