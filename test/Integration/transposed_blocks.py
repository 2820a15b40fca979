#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random convolutions with channels first and constant weights, whose rows do not fill vectors: strides, dilations, groups of images, a bias, a
residual, an activation, 32 and 64 bits, floats and integers.

usage: transposed_blocks.py WORK [--programs=N] [--seed=S]

Each program is compiled at -O3 and compared with the reference on its input sets.
"""
import argparse
import pathlib
import random
import subprocess
import sys

ZERO = {"f32": "0.0", "f64": "0.0", "i32": "0"}


class Program:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        self.element = rng.choice(["f32", "f32", "f32", "f64", "i32"])
        images, filters = rng.choice([1, 1, 3]), rng.choice([16, 32, 48, 64, 96, 24])
        height, width = rng.choice([1, 5, 9]), rng.choice([4, 5, 7, 9, 13, 14, 15, 17, 20, 28, 31, 32])
        window = [rng.choice([1, 3]), rng.choice([1, 3, 7])]
        # Enough bytes to be stored as panels.
        channels = 4096 // (filters * window[0] * window[1]) + rng.choice([0, 1, 4])
        strides, dilations = [rng.choice([1, 2]) for _ in range(2)], [rng.choice([1, 1, 2]) for _ in range(2)]
        image = [(size - 1) * stride + (w - 1) * dilation + 1
                 for size, stride, dilation, w in zip([height, width], strides, dilations, window)]
        self.shapes = [[images, channels, *image], [filters, channels, *window], [images, filters, height, width]]
        self.attributes = "{" + ", ".join(f"{name} = dense<[{values[0]}, {values[1]}]> : tensor<2xi64>"
                                          for name, values in (("dilations", dilations), ("strides", strides))) + "}"
        self.emit()

    def type(self, shape):
        return f"tensor<{''.join(f'{size}x' for size in shape)}{self.element}>"

    def emit(self):
        rng, element = self.rng, self.element
        image, weights, result = (self.type(shape) for shape in self.shapes)
        kind = "i" if element == "i32" else "f"
        bias, residual, relu = rng.random() < 0.6, rng.random() < 0.4, rng.random() < 0.5
        arguments = [f"%x: {image}"]
        arguments += [f"%b: {self.type([self.shapes[2][1]])}"] if bias else []
        arguments += [f"%y: {result}"] if residual else []
        def values(shape):
            if not shape:
                return str(rng.randint(-9, 9)) if kind == "i" else f"{rng.randint(-64, 64) / 16}"
            return f"[{', '.join(values(shape[1:]) for _ in range(shape[0]))}]"

        lines = [f"  %w = arith.constant dense<{values(self.shapes[1])}> : {weights}",
                 f"  %zero = arith.constant {ZERO[element]} : {element}", f"  %e = tensor.empty() : {result}",
                 f"  %f = linalg.fill ins(%zero : {element}) outs(%e : {result}) -> {result}",
                 f"  %r0 = linalg.conv_2d_nchw_fchw {self.attributes} ins(%x, %w : {image}, {weights}) outs(%f : {result}) -> {result}"]
        last = "%r0"
        for name, given, map, type, op in (("r1", bias, "f", self.type([self.shapes[2][1]]), f"arith.add{kind} %p, %q"),
                                           ("r2", residual, "n, f, h, w", result, f"arith.sub{kind} %p, %q"),
                                           ("r3", relu, "", element, "arith.maxsi %p, %q" if kind == "i" else "arith.maximumf %p, %q")):
            if not given:
                continue
            source = {"r1": "%b", "r2": "%y", "r3": "%zero"}[name]
            lines += [f"  %{name} = linalg.generic {{indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> ({map})>,"
                      f" affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]}}"
                      f" ins({last}, {source} : {result}, {type}) outs(%e : {result}) {{", f"  ^bb0(%p: {element}, %q: {element}, %o: {element}):",
                      f"    %v = {op} : {element}", f"    linalg.yield %v : {element}", f"  }} -> {result}"]
            last = f"%{name}"
        self.text = "\n".join([f"func.func @main({', '.join(arguments)}) -> {result} {{", *lines, f"  return {last} : {result}", "}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--flags", default="", help="of mica-compile")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    failures = transposed = 0
    for seed in range(options.seed, options.seed + options.programs):
        file, artifact = options.work / f"{seed}.mlir", options.work / "artifact"
        file.write_text(Program(seed).text)
        compiled = subprocess.run(["mica-compile", file, "-O3", "-o", artifact, "--force", *options.flags.split()], capture_output=True, text=True, timeout=120)
        run = compiled if compiled.returncode else subprocess.run(
            ["mica-run", artifact, "--check-reference"], capture_output=True, text=True, timeout=120)
        if run.returncode:
            failures += 1
            print(f"seed {seed}: {file}\n{run.stdout[-1500:]}{run.stderr[-1500:]}")
            continue
        transposed += any("form = transposed" in path.read_text() for path in (artifact / "passes_dump").glob("*select-contraction*.mlir"))
        file.unlink()
    print(f"{options.programs} programs compared, {transposed} by transposed blocks, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
