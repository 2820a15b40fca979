#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random products of 8-bit integers: both signs, zero points that are constants or arguments, transposed operands, batches, convolutions,
dynamic sizes, fused or separate extensions, a consumer.

usage: byte_products.py WORK [--programs=N] [--seed=S]

Each program is compiled at -O3 and compared with the reference on its input sets: sums of integers have to be equal.
"""
import argparse
import pathlib
import random
import subprocess
import sys

SIZES = [1, 3, 8, 16, 17, 33, 64, 70, 128]
# Enough rows and steps for dot-product instructions.
ROWS, STEPS = [8, 9, 16, 17, 33, 64, 70], [16, 18, 33, 64, 67, 70, 129]


def parallel(count):
    return ", ".join(['"parallel"'] * count)


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        kind = self.rng.choice(["matmul", "matmul", "matmul", "batch", "conv"])
        self.dynamic = kind == "matmul" and self.rng.random() < 0.3
        getattr(self, kind)()
        self.emit()

    def sizes(self):
        if self.rng.random() < 0.25:
            return [self.rng.choice(SIZES + [200, 257]) for _ in range(3)]
        return self.rng.choice(ROWS), self.rng.choice(ROWS), self.rng.choice(STEPS)

    def matmul(self):
        m, n, k = self.sizes()
        by_rows, by_columns = self.rng.random() < 0.85, self.rng.random() < 0.5
        self.loops, self.kinds = "m, n, k", "pp" + "r"
        self.maps = ["m, k" if by_rows else "k, m", "n, k" if by_columns else "k, n", "m, n"]
        self.shapes = [[m, k] if by_rows else [k, m], [n, k] if by_columns else [k, n], [m, n]]
        self.sources = [(0, 0 if by_rows else 1), (1, 0 if by_columns else 1)]

    def batch(self):
        b, m, n, k = self.rng.choice([1, 2, 5]), *self.sizes()
        self.loops, self.kinds = "b, m, n, k", "pppr"
        self.maps, self.shapes = ["b, m, k", "b, k, n", "b, m, n"], [[b, m, k], [b, k, n], [b, m, n]]

    def conv(self):
        height, width, channels = self.rng.choice([5, 9]), self.rng.choice([9, 14, 20]), self.rng.choice([3, 8, 16, 20, 64])
        filters, kh, kw, stride = self.rng.choice([8, 16, 40]), self.rng.choice([1, 3]), self.rng.choice([1, 3]), self.rng.choice([1, 2])
        self.loops, self.kinds = "n, h, w, f, y, x, c", "pppprrr"
        last = self.rng.random() < 0.7
        self.maps = [f"n, h * {stride} + y, w * {stride} + x, c", "y, x, c, f" if last else "f, y, x, c", "n, h, w, f"]
        self.shapes = [[2, height, width, channels], [kh, kw, channels, filters] if last else [filters, kh, kw, channels],
                       [2, (height - kh) // stride + 1, (width - kw) // stride + 1, filters]]

    def type(self, shape, element):
        return f"tensor<{''.join(('?' if self.dynamic else str(size)) + 'x' for size in shape)}{element}>"

    def widened(self, value, shape, extension, zero):
        """`value` extended by an op of its own, which fusion puts into the kernel, less `zero`."""
        loops = ", ".join(f"d{i}" for i in range(len(shape)))
        byte, wide = self.type(shape, "i8"), self.type(shape, "i32")
        sizes = ", ".join(f"%{value}s{i}" for i in range(len(shape))) if self.dynamic else ""
        if self.dynamic:
            for i in range(len(shape)):
                self.lines += [f"  %{value}c{i} = arith.constant {i} : index", f"  %{value}s{i} = tensor.dim %{value}, %{value}c{i} : {byte}"]
        self.lines += [
            f"  %{value}e = tensor.empty({sizes}) : {wide}",
            f"  %{value}w = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>],"
            f" iterator_types = [{parallel(len(shape))}]}}"
            f" ins(%{value} : {byte}) outs(%{value}e : {wide}) {{",
            "  ^bb0(%x: i8, %o: i32):", f"    %w = arith.{extension} %x : i8 to i32",
            *([f"    %d = arith.subi %w, {zero} : i32"] if zero else []), f"    linalg.yield {'%d' if zero else '%w'} : i32",
            f"  }} -> {wide}"]

    def emit(self):
        rng = self.rng
        names, extensions = ["a", "b"], [rng.choice(["extsi", "extui"]) for _ in range(2)]
        zeros = [rng.choice([None, None, "constant", "argument"]) for _ in range(2)]
        apart = [rng.random() < 0.3 and zero != "argument" for zero in zeros]
        arguments = [f"%{name}: {self.type(shape, 'i8')}" for name, shape in zip(names, self.shapes)]
        arguments += [f"%z{name}: tensor<i8>" for name, zero in zip(names, zeros) if zero == "argument"]
        result = self.type(self.shapes[2], "i32")
        for name, zero in zip(names, zeros):
            if zero == "constant":
                self.lines.append(f"  %k{name} = arith.constant {rng.choice([3, -7, 100, 128, 255, -128])} : i32")
        self.lines += ["  %zero = arith.constant 0 : i32"]
        for name, shape, extension, zero, own in zip(names, self.shapes, extensions, zeros, apart):
            if own:
                self.widened(name, shape, extension, f"%k{name}" if zero else None)
        sizes = ""
        if self.dynamic:
            for i, (operand, dim) in enumerate(self.sources):
                self.lines += [f"  %i{i} = arith.constant {dim} : index",
                               f"  %n{i} = tensor.dim %{names[operand]}, %i{i} : {self.type(self.shapes[operand], 'i8')}"]
            sizes = "%n0, %n1"
        self.lines += [f"  %e = tensor.empty({sizes}) : {result}",
                       f"  %f = linalg.fill ins(%zero : i32) outs(%e : {result}) -> {result}"]
        operands = [(f"%{name}w", self.type(shape, "i32")) if own else (f"%{name}", self.type(shape, "i8"))
                    for name, shape, own in zip(names, self.shapes, apart)]
        maps = list(self.maps[:2])
        for name, zero in zip(names, zeros):
            if zero == "argument":
                operands.append((f"%z{name}", "tensor<i8>"))
                maps.append("")
        maps.append(self.maps[2])
        body, factors = [], []
        for name, extension, zero, own in zip(names, extensions, zeros, apart):
            if own:
                factors.append(f"%in_{name}")
                continue
            body.append(f"    %x_{name} = arith.{extension} %in_{name} : i8 to i32")
            if zero == "argument":
                body.append(f"    %y_{name} = arith.{extension} %in_z{name} : i8 to i32")
            if zero:
                body.append(f"    %d_{name} = arith.subi %x_{name}, {f'%y_{name}' if zero == 'argument' else f'%k{name}'} : i32")
            factors.append(f"%{'d' if zero else 'x'}_{name}")
        rng.shuffle(factors)
        total = ["%t", "%s"]
        rng.shuffle(total)
        body += [f"    %t = arith.muli {', '.join(factors)} : i32", f"    %u = arith.addi {', '.join(total)} : i32", "    linalg.yield %u : i32"]
        inputs = ", ".join(f"%in_{name[1:-1] if name.endswith('w') else name[1:]}: {'i32' if 'i32>' in type else 'i8'}" for name, type in operands)
        kinds = ", ".join('"parallel"' if kind == "p" else '"reduction"' for kind in self.kinds)
        self.lines += [
            "  %r = linalg.generic {indexing_maps = [" + ", ".join(f"affine_map<({self.loops}) -> ({map})>" for map in maps) +
            f"], iterator_types = [{kinds}]}} ins({', '.join(name for name, _ in operands)} : {', '.join(type for _, type in operands)})"
            f" outs(%f : {result}) {{", f"  ^bb0({inputs}, %s: i32):", *body, f"  }} -> {result}"]
        value = "%r"
        if rng.random() < 0.4:
            loops = ", ".join(f"d{i}" for i in range(len(self.shapes[2])))
            self.lines += [
                f"  %g = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({loops})>],"
                f" iterator_types = [{parallel(len(self.shapes[2]))}]}} ins(%r : {result}) outs(%e : {result}) {{",
                "  ^bb0(%v: i32, %w: i32):", "    %h = arith.maxsi %v, %zero : i32", "    linalg.yield %h : i32", f"  }} -> {result}"]
            value = "%g"
        self.text = "\n".join([f"func.func @main({', '.join(arguments)}) -> {result} {{", *self.lines, f"  return {value} : {result}", "}", ""])
        self.inputs = ["--input=" + "x".join(map(str, shape)) + f"xi8=random:{i}" for i, shape in enumerate(self.shapes[:2])] if self.dynamic else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    failures = interleaved = 0
    for seed in range(options.seed, options.seed + options.programs):
        program = Program(seed)
        file, artifact = options.work / f"{seed}.mlir", options.work / "artifact"
        file.write_text(program.text)
        compiled = subprocess.run(["mica-compile", file, "-o", artifact, "--force"], capture_output=True, text=True, timeout=120)
        run = compiled if compiled.returncode else subprocess.run(
            ["mica-run", artifact, "--check-reference", *program.inputs], capture_output=True, text=True, timeout=120)
        if run.returncode:
            failures += 1
            print(f"seed {seed}: {file}\n{run.stdout[-1500:]}{run.stderr[-1500:]}")
            continue
        interleaved += any("form = interleaved" in path.read_text() for path in (artifact / "passes_dump").glob("*select-contraction*.mlir"))
        file.unlink()
    print(f"{options.programs} programs compared, {interleaved} by several products at once, {failures} failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
