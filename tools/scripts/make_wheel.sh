#!/bin/sh
# Packs a build as a Python wheel, in BUILD/wheel: the package mica with the tools, the library and the help of an installation inside. It needs
# python3-build and python3-setuptools (bootstrap.sh wheel); where it is installed, the packages with libMLIR and libLLVM that the tools are linked with.
# usage: make_wheel.sh BUILD
set -eu
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
# Debian's Python has Debian's packages; another may be first on PATH.
python=python3
"$python" -c 'import build, setuptools, wheel' 2>/dev/null || python=/usr/bin/python3
rm -rf "$build/wheel"
mkdir -p "$build/wheel"
cp -r "$source/python" "$build/wheel/source"
installed="$build/wheel/source/mica/_install"
cmake --install "$build" --prefix "$installed" --strip > "$build/wheel/install.log"
# What links against Mica in C or C++ is in the Debian package.
mkdir "$installed/keep" && mv "$installed/lib/cmake/Mica/MicaConfigVersion.cmake" "$installed/keep/"
rm -rf "$installed/include" "$installed/lib/cmake" "$installed/share/doc" "$installed/lib/python3"
find "$installed/lib" -name '*.a' -delete
mkdir -p "$installed/lib/cmake/Mica" && mv "$installed/keep/MicaConfigVersion.cmake" "$installed/lib/cmake/Mica/" && rmdir "$installed/keep"
(cd "$build/wheel/source" && "$python" -m build --wheel --no-isolation --outdir .. > ../build.log 2>&1) || { tail -20 "$build/wheel/build.log" >&2; exit 1; }
rm -rf "$build/wheel/source"
ls "$build"/wheel/*.whl
