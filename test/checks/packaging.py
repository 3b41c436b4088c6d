# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
"""packaging.py ROOT: the recipes for vcpkg and Conan are well formed, have the library's version, and set options that exist."""
import ast
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
version_h = (root / "thrust_rns/version.h").read_text(encoding="utf-8")
version = ".".join(re.findall(r"define THRUST_RNS_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", version_h))
faults = []

manifest = json.loads((root / "packaging/vcpkg/thrust-rns/vcpkg.json").read_text(encoding="utf-8"))
if manifest["version"] != version:
    faults.append(f"packaging/vcpkg/thrust-rns/vcpkg.json: version {manifest['version']} is not {version}")

recipe = (root / "packaging/conan/conanfile.py").read_text(encoding="utf-8")
ast.parse(recipe, "conanfile.py")
ast.parse((root / "packaging/conan/test_package/conanfile.py").read_text(encoding="utf-8"), "test_package/conanfile.py")

build = "".join(p.read_text(encoding="utf-8") for p in [root / "CMakeLists.txt", *(root / "cmake").glob("*.cmake")])
options = set(re.findall(r"option\((\w+)|set\((\w+) .* CACHE ", build))
options = {name for names in options for name in names}
for file in ("packaging/conan/conanfile.py", "packaging/vcpkg/thrust-rns/portfile.cmake"):
    for option in re.findall(r"THRUST_RNS_[A-Z_]+", (root / file).read_text(encoding="utf-8")):
        if option not in options and not option.startswith("THRUST_RNS_VERSION"):
            faults.append(f"{file}: CMakeLists.txt has no option {option}")

if faults:
    sys.exit("\n".join(faults))
