#!/usr/bin/env python3
"""max and min of every pair of -inf, -1, -0, +0, 1, inf, NaN: scalars and vectors, at every -O, for every CPU level.

usage: check_signed_zeros.py WORK_DIR FLAGS...        FLAGS: what mica-compile is given, joined by commas

Each artifact is loaded once, by the C API. The answers are IEEE 754-2019's: maximum gives NaN where an operand is, maximumNumber the other operand; -0 is below +0.
"""
import functools
import itertools
import os
import subprocess
import sys

import numpy as np

from in_process import Bits, Loaded

N = 37  # vectors of every width, and what is left of them
TYPES = {"f16": (np.uint16, 5, 10), "bf16": (np.uint16, 8, 7), "f32": (np.uint32, 8, 23), "f64": (np.uint64, 11, 52)}
ORDER = ["-inf", "-1", "-0", "+0", "1", "inf"]
PAIRS = list(itertools.product(ORDER + ["nan"], repeat=2))


def bits(t, values):
    word, exponent, mantissa = TYPES[t]
    sign = 1 << (exponent + mantissa)
    one, inf = ((1 << (exponent - 1)) - 1) << mantissa, ((1 << exponent) - 1) << mantissa
    codes = {"+0": 0, "-0": sign, "1": one, "-1": sign | one, "inf": inf, "-inf": sign | inf,
             "nan": inf | 1 << (mantissa - 1)}
    return np.array([codes[v] for v in values], word)


def isNaN(t, code):
    _, exponent, mantissa = TYPES[t]
    return code & ((1 << (exponent + mantissa)) - 1) > ((1 << exponent) - 1) << mantissa


def extremum(a, b, least, number):
    if "nan" in (a, b):
        return "nan" if not number else b if a == "nan" else a
    return (min if least else max)(a, b, key=ORDER.index)


def program():
    """One entry per type and op: on a tensor, on scalars in a host function, and reductions."""
    for t in TYPES:
        for op in ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf", "mica.max", "mica.min"):
            name = op.split(".")[1] + "_" + t
            types = f"(tensor<{N}x{t}>, tensor<{N}x{t}>) -> tensor<{N}x{t}>" if op.startswith("mica") else f"tensor<{N}x{t}>"
            yield (f"func.func @{name}(%a: tensor<{N}x{t}>, %b: tensor<{N}x{t}>) -> tensor<{N}x{t}> {{\n"
                   f"  %0 = {op} %a, %b : {types}\n  return %0 : tensor<{N}x{t}>\n}}")
            if op.startswith("arith"):
                yield (f"func.func @scalar_{name}(%a: {t}, %b: {t}) -> {t} {{\n"
                       f"  %0 = {op} %a, %b : {t}\n  return %0 : {t}\n}}")
                yield reduction(op, name, t)
        for op in ("max", "min"):
            yield (f"func.func @reduce_{op}_{t}(%a: tensor<5x{N}x{t}>) -> (tensor<5x{t}>, tensor<{N}x{t}>) {{\n"
                   f"  %0 = mica.reduce {op} %a dims = [1] : (tensor<5x{N}x{t}>) -> tensor<5x{t}>\n"
                   f"  %1 = mica.reduce {op} %a dims = [0] : (tensor<5x{N}x{t}>) -> tensor<{N}x{t}>\n"
                   f"  return %0, %1 : tensor<5x{t}>, tensor<{N}x{t}>\n}}")


def reduction(op, name, t):
    """From the first column on, over rows."""
    return (f"func.func @rows_{name}(%a: tensor<5x{N}x{t}>, %s: tensor<5x{t}>) -> tensor<5x{t}> {{\n"
            f"  %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],\n"
            f"      iterator_types = [\"parallel\", \"reduction\"]}} ins(%a : tensor<5x{N}x{t}>) outs(%s : tensor<5x{t}>) {{\n"
            f"  ^bb0(%x: {t}, %best: {t}):\n    %m = {op} %best, %x : {t}\n    linalg.yield %m : {t}\n"
            f"  }} -> tensor<5x{t}>\n  return %0 : tensor<5x{t}>\n}}")


class Checker:
    def __init__(self, artifact):
        self.artifact, self.bad, self.runs = artifact, 0, 0
        self.loaded = Loaded(artifact)

    def check(self, t, entry, inputs, results):
        given = [Bits(t, bits(t, values), shape) for values, shape in inputs]
        found = self.loaded.run(entry, given)
        assert len(found) == len(results)
        self.runs += 1
        for tensor, expected in zip(found, results):
            for at, (code, want) in enumerate(zip(tensor.bits().reshape(-1), expected, strict=True)):
                if not (isNaN(t, int(code)) if want == "nan" else code == bits(t, [want])[0]):
                    self.bad += 1
                    print(f"{self.artifact} {entry}, element {at}: got {int(code):#x}, expected {want}")
                    break

    def all(self):
        rng = np.random.default_rng(7)
        for t in TYPES:
            for op in ("maximumf", "minimumf", "maxnumf", "minnumf", "max", "min"):
                answer = lambda a, b: extremum(a, b, op.startswith("min"), "num" in op)
                for begin in (0, len(PAIRS) - N):
                    some = PAIRS[begin:begin + N]
                    self.check(t, f"{op}_{t}", [([a for a, _ in some], N), ([b for _, b in some], N)],
                               [[answer(a, b) for a, b in some]])
                if op in ("max", "min"):
                    continue
                for a, b in (("-0", "+0"), ("+0", "-0"), ("nan", "-0")):
                    self.check(t, f"scalar_{op}_{t}", [([a], ()), ([b], ())], [[answer(a, b)]])
                table = rng.choice(["-0", "+0", "nan"], (5, N))
                table[0], table[1] = "nan", "-0"
                start = ["nan", "-0", "-0", "+0", "nan"]
                self.check(t, f"rows_{op}_{t}", [(table.reshape(-1), (5, N)), (start, 5)],
                           [[functools.reduce(answer, row, first) for row, first in zip(table, start)]])
            for op in ("max", "min"):
                answer = lambda a, b: extremum(a, b, op == "min", False)
                table = rng.choice(["-0", "+0"], (5, N))
                self.check(t, f"reduce_{op}_{t}", [(table.reshape(-1), (5, N))],
                           [[functools.reduce(answer, row) for row in table],
                            [functools.reduce(answer, column) for column in table.T]])


def main():
    os.chdir(sys.argv[1])
    with open("model.mlir", "w") as file:
        file.write("\n".join(program()) + "\n")
    bad = 0
    for number, flags in enumerate(sys.argv[2:]):
        subprocess.run(["mica-compile", "model.mlir", "-o", f"a{number}", *flags.split(",")], check=True,
                       stdout=subprocess.DEVNULL)
        checker = Checker(f"a{number}")
        checker.all()
        bad += checker.bad
        print(f"{flags}: {checker.runs} runs, {checker.bad} wrong results")
    sys.exit(1 if bad else 0)


main()
