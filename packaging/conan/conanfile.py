"""Conan 2: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.tools.files import copy, load


class Axe(ConanFile):
    name = "axe"
    description = "Layouts over named axes for GPU kernels"
    license = "MIT"
    package_type = "header-library"
    no_copy_source = True

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = re.search(r"project\(axe VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        for pattern in ("include/*", "LICENSE"):
            copy(self, pattern, src=self._root, dst=self.export_sources_folder)

    def package(self):
        copy(self, "include/*", src=self.source_folder, dst=self.package_folder)
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "axe")
        self.cpp_info.set_property("cmake_target_name", "axe::axe")
