#!/bin/sh
# Installs, by apt and by name, what building Mica needs and this machine lacks. Does nothing where all of it is present.
# usage: bootstrap.sh [compiler|std|onnx|onnxruntime|mpi|bench|browser|spirv|opencl|numpy|clean-root|shells|wheel|format|tidy|fuzz]...   (default: compiler)
set -eu

std="g++ cmake ninja-build ccache python3 nlohmann-json3-dev zlib1g-dev libzstd-dev libseccomp-dev libgtest-dev git"
compiler="$std clang-22 clang-format llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools liblld-22-dev lld-22"
onnx="libonnx-dev libprotobuf-dev libonnx-testdata"
onnxruntime="python3-numpy python3-torch python3-pil fonts-dejavu-core"
mpi="libopenmpi-dev openmpi-bin libmpich-dev mpich"
bench="libopenblas-dev libdnnl-dev python3-numpy"
browser="chromium chromium-driver python3-selenium"
spirv="spirv-tools"
opencl="ocl-icd-libopencl1 pocl-opencl-icd llvm-spirv-15"
numpy="python3-numpy"
clean_root="mmdebstrap"
shells="fish zsh groff-base"
wheel="python3-numpy python3-build python3-setuptools python3-wheel python3-venv"
format="clang-format"
tidy="clang-tidy-22"
fuzz="clang-22 libclang-rt-22-dev"

[ $# -gt 0 ] || set -- compiler
wanted=""
for group in "$@"; do
  case "$group" in
    std) wanted="$wanted $std" ;;
    compiler) wanted="$wanted $compiler" ;;
    onnx) wanted="$wanted $onnx" ;;
    onnxruntime) wanted="$wanted $onnxruntime" ;;
    mpi) wanted="$wanted $mpi" ;;
    bench) wanted="$wanted $bench" ;;
    browser) wanted="$wanted $browser" ;;
    spirv) wanted="$wanted $spirv" ;;
    opencl) wanted="$wanted $opencl" ;;
    numpy) wanted="$wanted $numpy" ;;
    clean-root) wanted="$wanted $clean_root" ;;
    shells) wanted="$wanted $shells" ;;
    wheel) wanted="$wanted $wheel" ;;
    format) wanted="$wanted $format" ;;
    tidy) wanted="$wanted $tidy" ;;
    fuzz) wanted="$wanted $fuzz" ;;
    *) echo "bootstrap.sh: unknown group '$group' (std, compiler, onnx, mpi, bench, browser, spirv, opencl, numpy, clean-root, shells, wheel, format, tidy, fuzz)" >&2; exit 1 ;;
  esac
done

missing=""
for package in $wanted; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "bootstrap.sh: not a Debian system (no apt-get); install by hand what corresponds to:$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || { echo "bootstrap.sh: run as root, or install sudo, to install:$missing" >&2; exit 1; }
  as_root="sudo"
fi
echo "installing:$missing"
# A machine whose package lists are old may not know the packages yet, hence the update on failure.
install() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; }
install || { $as_root apt-get update && install; }
