"""Counts the templates that clang instantiates for a source. One compiler with one standard library
always gives the same count.

counter = Counter(include, folder, cuda_include)    folder: for its own files
counter.of_header("axe/axe.hpp")                    classes and functions, as host C++
counter.of_kernel(source, flags)                    device pass for sm_90a; flags: include paths

It counts the events InstantiateClass and InstantiateFunction of -ftime-trace at granularity 0.
"""

import pathlib
import re
import shutil
import subprocess

CLANG = "clang++-19"
EVENT = re.compile(rb'"name":"Instantiate(?:Class|Function)"')


class DoesNotCompile(RuntimeError):
    pass


class Counter:
    def __init__(self, include, folder, cuda_include=None):
        self.path = shutil.which(CLANG)
        if self.path is None:
            raise FileNotFoundError(f"{CLANG} is not installed")
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True,
                              check=True).stdout
        self.version = re.search(r"\d+\.\d+\.\d+", said).group(0)
        self.include, self.folder, self.cuda_include = include, pathlib.Path(folder), cuda_include
        self.copy = None

    def of_header(self, header):
        source = self.folder / "header.cpp"
        source.write_text(f"#include <{header}>\n")
        return self._count(["-x", "c++", "-I", str(self.include)], source)

    def of_kernel(self, source, flags):
        # clang 19 includes texture_fetch_functions.h, which CUDA 13.0 has removed. The count is the
        # same.
        missing = self.folder / "missing"
        missing.mkdir(exist_ok=True)
        (missing / "texture_fetch_functions.h").write_text("")
        return self._count(
            ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90a",
             f"--cuda-path={self.cuda_include.parent}",
             "-Wno-unknown-cuda-version", "-w", "-isystem", str(missing),
             "-isystem", str(self.cuda_include / "cccl"), *flags], source)

    def headers_for_kernels(self):
        """Returns the folder of a copy of axe's headers whose inline assembly clang accepts: "l"
        instead of "C". The count is the same.
        """
        if self.copy is None:
            self.copy = self.folder / "include"
            shutil.copytree(self.include, self.copy)
            for header in self.copy.rglob("*.hpp"):
                text = header.read_text()
                changed = re.sub(r'"C"(?= ?\()', '"l"', text)
                if changed != text:
                    header.write_text(changed)
        return self.copy

    def _count(self, flags, source):
        trace = self.folder / "trace.json"
        trace.unlink(missing_ok=True)
        command = [self.path, "-std=c++20", "-fsyntax-only", "-Xclang", f"-ftime-trace={trace}",
                   "-Xclang", "-ftime-trace-granularity=0"]
        done = subprocess.run([*command, *flags, str(source)], capture_output=True, text=True)
        if done.returncode or not trace.is_file():
            first = next((line for line in done.stderr.splitlines() if "error" in line),
                         "no trace was written")
            raise DoesNotCompile(first)
        return len(EVENT.findall(trace.read_bytes()))
