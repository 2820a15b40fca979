#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long an artifact takes to load, by the size of its weights.

    python3 test/Bench/bench_load.py build [--weights=GB,...] [--rounds=N] [MODEL...]

Times mica_program_load of libmica, which verifies hashes: all of program.so and host/tasks.json, and of constants.bin above 16 MiB
its size and 64 pieces. One line of JSON for each model, and for each number of --weights (decimal gigabytes, default 0.5) for a chain
of products with so many bytes of random weights, written as resource blobs. Each load is the first of a new process whose pages
are in the page cache; `ms` is the median of --rounds (default 21), `worst_ms` the slowest. `cold_ms` is one load after the pages
of the artifact were dropped from the page cache. What is compiled goes to a new folder under TMPDIR, with about four times the
bytes of the weights. Exit code 3 where a median is above 50 ms.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

# Run in a process of its own: a loaded program keeps its pages mapped.
LOAD = """
import ctypes, sys, time
library = ctypes.CDLL(sys.argv[1])
program = ctypes.c_void_p()
error = ctypes.create_string_buffer(65536)
start = time.monotonic()
code = library.mica_program_load(sys.argv[2].encode(), ctypes.byref(program), error)
print((time.monotonic() - start) * 1e3)
sys.exit(code)
"""


def load_ms(library, artifact):
    return float(subprocess.run([sys.executable, "-c", LOAD, library, artifact], check=True, capture_output=True, text=True).stdout)


def drop_pages(folder):
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def write_model(path, gigabytes, width=4096):
    """x -> x W1 W2 ..., with the weights as resource blobs."""
    layers = max(1, round(gigabytes * 1e9 / (4 * width * width)))
    matrix = f"tensor<{width}x{width}xf32>"
    rng = random.Random(layers)
    with path.open("w") as out:
        out.write(f"func.func @main(%x0: tensor<1x{width}xf32>) -> tensor<1x{width}xf32> {{\n")
        for i in range(layers):
            out.write(f"  %w{i} = arith.constant dense_resource<w{i}> : {matrix}\n"
                      f"  %x{i + 1} = mica.matmul %x{i}, %w{i} : (tensor<1x{width}xf32>, {matrix}) -> tensor<1x{width}xf32>\n")
        out.write(f"  return %x{layers} : tensor<1x{width}xf32>\n}}\n{{-# dialect_resources: {{ builtin: {{\n")
        for i in range(layers):
            # Small numbers of either sign: the two high bytes of each float are those of 2^-7 to 2^-6.
            data = bytearray(rng.randbytes(4 * width * width))
            data[2::4] = bytes(width * width)
            data[3::4] = b"\x3c" * (width * width)
            out.write(f'  w{i}: "0x04000000{data.hex()}"{"," if i + 1 < layers else ""}\n')
        out.write("}} #-}\n")
    return layers * 4 * width * width


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--weights", default="0.5")
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    library = str(options.build.resolve() / "lib/libmica.so")
    code = 0
    with tempfile.TemporaryDirectory(prefix="mica-load-") as folder:
        folder = pathlib.Path(folder)

        def measure(name, model):
            nonlocal code
            artifact = folder / "artifact"
            subprocess.run([options.build / "bin/mica-compile", model, "-o", artifact, "--force"], check=True, stderr=subprocess.DEVNULL)
            times = [load_ms(library, artifact) for _ in range(options.rounds + 1)][1:]
            drop_pages(artifact)
            cold = load_ms(library, artifact)
            constants = artifact / "constants.bin"
            result = {"model": name, "constants_bytes": constants.stat().st_size if constants.exists() else 0,
                      "ms": round(statistics.median(times), 2), "worst_ms": round(max(times), 2), "cold_ms": round(cold, 2)}
            print(json.dumps(result), flush=True)
            code = 3 if result["ms"] > 50 else code

        for model in options.models:
            measure(model.name, model)
        for gigabytes in options.weights.split(",") if options.weights else []:
            model = folder / "weights.mlir"
            write_model(model, float(gigabytes))
            measure(f"weights of {gigabytes} GB", model)
    return code


if __name__ == "__main__":
    sys.exit(main())
