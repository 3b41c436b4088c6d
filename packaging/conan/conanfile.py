# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""Conan 2 recipe of the checkout that it lies in: conan create packaging/conan

CCCL 3.0 or newer comes from the consumer's CUDA toolkit or its THRUST_RNS_CCCL_DIR.
"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

required_conan_version = ">=2.0"


class ThrustRns(ConanFile):
    name = "thrust_rns"
    description = "Wide integers in a residue number system for Thrust"
    license = "Apache-2.0"
    topics = ("thrust", "cuda", "big-integer", "residue-number-system", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self):
        lines = load(self, os.path.join(self.recipe_folder, "../../thrust_rns/version.h"))
        self.version = ".".join(re.findall(r"define THRUST_RNS_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", lines))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "thrust_rns/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        self.info.clear()

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 17)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("THRUST_RNS_BUILD_TESTS", "THRUST_RNS_BUILD_EXAMPLES", "THRUST_RNS_FETCH_CCCL"):
            toolchain.cache_variables[option] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # The package's own CMake files find CCCL, which generated ones would not.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "thrust_rns")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
