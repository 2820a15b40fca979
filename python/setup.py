# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel of `make wheel`: the package with an installation of Mica in mica/_install, for this platform and any Python 3."""
import pathlib
import re

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).parent
INSTALLED = HERE / "mica" / "_install"


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not INSTALLED.exists()

    def get_tag(self):
        python, abi, platform = super().get_tag()
        # Nothing is linked with Python.
        return ("py3", "none", platform)


def version():
    """Of the build that is packed."""
    header = INSTALLED / "lib" / "cmake" / "Mica" / "MicaConfigVersion.cmake"
    found = re.search(r'PACKAGE_VERSION "([^"]+)"', header.read_text()) if header.exists() else None
    return found[1] if found else "0"


setup(version=version(), cmdclass={"bdist_wheel": Wheel},
      package_data={"mica": ["py.typed", *(str(path.relative_to(HERE / "mica")) for path in INSTALLED.rglob("*") if path.is_file())]})
