#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lifts functions of random branches to scf, in segments of few blocks, and compares what the reference evaluator computes.

usage: random_branches.py FOLDER [--functions=N] [--seed=S] [--inputs=K]

Each function has 6 to 24 blocks: branches, conditions and switches forward, and backward while there is fuel; values of one block are
used in all that it dominates. mica-compile --evaluate runs the functions as they are, and lifted with segments of 1, 2, 5 and 9 blocks.
"""
import argparse
import pathlib
import random
import subprocess
import sys

SEGMENTS = (1, 2, 5, 9)
BINARY = ("arith.addi", "arith.subi", "arith.muli", "arith.xori", "arith.andi", "arith.ori")


class Function:
    """Blocks 0 to n; n returns."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.n = self.rng.randint(6, 24)
        self.arguments = [1] + [self.rng.randint(1, 3) for _ in range(self.n)]
        self.targets = [self.draw_targets(i) for i in range(self.n)]
        self.dominators = self.find_dominators()
        self.values = [[] for _ in range(self.n + 1)]

    def draw_targets(self, i):
        """Of block `i`; those before it, where there are some, first. Block 0 is no target."""
        forward = lambda: self.rng.randint(i + 1, min(self.n, i + 6))
        kind = self.rng.random()
        if kind < 0.25:
            return [forward()]
        if kind < 0.45 and i > 1:
            return [self.rng.randint(max(1, i - 5), i), forward()]
        return [forward() for _ in range(2 if kind < 0.85 else 4)]

    def find_dominators(self):
        """Of each block: all blocks on every path to it; None: no path."""
        found = [None] * (self.n + 1)
        found[0] = {0}
        changed = True
        while changed:
            changed = False
            for i, targets in enumerate(self.targets):
                for to in targets if found[i] is not None else ():
                    new = found[i] | {to} if found[to] is None else (found[to] & found[i]) | {to}
                    changed |= new != found[to]
                    found[to] = new
        return found

    def value(self, block):
        """A value that `block` can use."""
        return self.rng.choice([v for d in sorted(self.dominators[block] or {block}) for v in self.values[d]])

    def edge(self, block, to):
        if to == self.n:
            return f"^b{to}({self.value(block)} : i64)"
        passed = [self.value(block) for _ in range(self.arguments[to])] + [f"%f{block}"]
        return f"^b{to}({', '.join(passed)} : {', '.join(['i64'] * len(passed))})"

    def block(self, i, lines):
        names = [f"%a{i}_{k}" for k in range(self.arguments[i])]
        if i > 0:
            lines.append(f"^b{i}({', '.join(f'{name}: i64' for name in names)}, %g{i}: i64):")
        self.values[i] = names if i > 0 else ["%x"]
        lines.append(f"  %f{i} = arith.subi %g{i}, %one : i64" if i > 0 else "  %one = arith.constant 1 : i64\n  %zero = arith.constant 0 : i64\n"
                     "  %f0 = arith.constant 60 : i64")
        for k in range(self.rng.randint(1, 3)):
            lines.append(f"  %v{i}_{k} = {self.rng.choice(BINARY)} {self.value(i)}, {self.value(i)} : i64")
            self.values[i].append(f"%v{i}_{k}")
        targets = self.targets[i]
        if len(targets) == 1:
            lines.append(f"  cf.br {self.edge(i, targets[0])}")
            return
        if len(targets) > 2:
            lines += [f"  %s{i} = arith.trunci {self.value(i)} : i64 to i32", f"  cf.switch %s{i} : i32, [default: {self.edge(i, targets[0])}"]
            lines[-1] += "".join(f", {k - 1}: {self.edge(i, to)}" for k, to in enumerate(targets[1:], 1)) + "]"
            return
        lines.append(f"  %c{i} = arith.cmpi slt, {self.value(i)}, {self.value(i)} : i64")
        condition = f"%c{i}"
        if targets[0] <= i:
            lines += [f"  %h{i} = arith.cmpi sgt, %f{i}, %zero : i64", f"  %d{i} = arith.ori %c{i}, %h{i} : i1" if i % 2 else
                      f"  %d{i} = arith.andi %c{i}, %h{i} : i1"]
            # Where it goes back, it needs fuel.
            lines.append(f"  %e{i} = arith.andi %d{i}, %h{i} : i1")
            condition = f"%e{i}"
        lines.append(f"  cf.cond_br {condition}, {self.edge(i, targets[0])}, {self.edge(i, targets[1])}")

    def text(self, name):
        lines = [f"func.func private @{name}(%x: i64) -> i64 {{"]
        for i in range(self.n):
            self.block(i, lines)
        return "\n".join([*lines, f"^b{self.n}(%r: i64):", "  return %r : i64", "}"])


def program(options):
    kinds = ", ".join(["i64"] * options.functions)
    lines = [Function(options.seed + k).text(f"f{k}") for k in range(options.functions)]
    lines.append(f"func.func @main(%x: i64) -> ({kinds}) {{")
    lines += [f"  %r{k} = call @f{k}(%x) : (i64) -> i64" for k in range(options.functions)]
    return "\n".join([*lines, f"  return {', '.join(f'%r{k}' for k in range(options.functions))} : {kinds}", "}"]) + "\n"


def evaluate(file, value):
    done = subprocess.run(["mica-compile", "--evaluate", file, "--entry=main", f"--input={value}"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"random_branches.py: {file}: exit code {done.returncode}: {done.stderr[-1000:]}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    written = options.folder / "branches.mlir"
    written.write_text(program(options))
    inputs = [0, -7, 1234567891][:options.inputs]
    expected = [evaluate(written, value) for value in inputs]
    compared = different = 0
    for segment in SEGMENTS:
        lifted = options.folder / f"lifted-{segment}.mlir"
        subprocess.run(["mica-opt", written, f"--mica-tensor-lift-cf-to-scf=segment-blocks={segment}", "-o", lifted], check=True)
        if "cf." in lifted.read_text().replace("scf.", ""):
            sys.exit(f"random_branches.py: {lifted}: branches are left")
        for value, right in zip(inputs, expected):
            given = evaluate(lifted, value)
            compared += len(right.splitlines())
            different += sum(a != b for a, b in zip(right.splitlines(), given.splitlines(), strict=True))
    print(f"seed {options.seed}: {options.functions} functions, {compared} lines compared, {different} differ")
    return 1 if different or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
