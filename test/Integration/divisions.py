#!/usr/bin/env python3
"""Divides by zero, and the smallest integer by -1: each is an error that names operation, line and operands, whatever is not is right.

usage: divisions.py FOLDER [--levels=O0,O2] [--seed=N]

Every division of `arith`, i8 to i64, in kernels (fewer elements than a vector has, more, a size known at run time) and in host
functions. A clean run of each is compared with Python's own integers. Each
artifact is loaded once, by the C API.
"""
import argparse
import pathlib
import random
import subprocess
import sys

import numpy as np

from in_process import Loaded, mica

KINDS = {"divsi": True, "remsi": True, "ceildivsi": True, "floordivsi": True, "divui": False, "remui": False, "ceildivui": False}
WIDTHS = (8, 16, 32, 64)
SIZES = (3, 37)


def quotient(kind, x, y):
    if kind == "floordivsi":
        return x // y
    if kind in ("ceildivsi", "ceildivui"):
        return -(-x // y)
    cut = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return cut if kind.startswith("div") else x - cut * y


def function(name, kind, width, shape):
    t = f"tensor<{shape}xi{width}>"
    empty = f"tensor.empty() : {t}"
    size = ""
    if shape == "?":
        size = f"  %c0 = arith.constant 0 : index\n  %n = tensor.dim %x, %c0 : {t}\n"
        empty = f"tensor.empty(%n) : {t}"
    return f"""func.func @{name}(%x: {t}, %y: {t}) -> {t} {{
{size}  %e = {empty}
  %0 = linalg.generic {{indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}} ins(%x, %y : {t}, {t}) outs(%e : {t}) {{
  ^bb0(%a: i{width}, %b: i{width}, %o: i{width}):
    %q = arith.{kind} %a, %b : i{width}
    linalg.yield %q : i{width}
  }} -> {t}
  return %0 : {t}
}}
"""


def host(name, kind, width):
    t = f"tensor<1xi{width}>"
    return f"""func.func @{name}(%x: {t}, %y: {t}) -> {t} {{
  %c0 = arith.constant 0 : index
  %a = tensor.extract %x[%c0] : {t}
  %b = tensor.extract %y[%c0] : {t}
  %q = arith.{kind} %a, %b : i{width}
  %0 = tensor.from_elements %q : {t}
  return %0 : {t}
}}
"""


def array(width, signed, values):
    """`values` as an array, unsigned ones by their bits."""
    return np.array(values, f"{'i' if signed else 'u'}{width // 8}").view(f"i{width // 8}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    random.seed(options.seed)
    cases, text = [], "#m = affine_map<(d0) -> (d0)>\n"
    for kind in KINDS:
        for width in WIDTHS:
            for shape in (*SIZES, "?", None):
                name = f"{kind}_{width}_{'host' if shape is None else 'any' if shape == '?' else shape}"
                cases.append((name, kind, width, {None: 1, "?": 21}.get(shape, shape)))
                line = text.count("\n") + 1
                text += host(name, kind, width) if shape is None else function(name, kind, width, shape)
                for number, each in enumerate(text.splitlines()[line - 1:], line):
                    if f"arith.{kind}" in each:
                        cases[-1] += ({number, number - 2},)  # the division, or the op whose body it is
    source = options.folder / "divisions.mlir"
    source.write_text(text)
    failures, runs = [], 0
    for level in options.levels.split(","):
        artifact = options.folder / level
        subprocess.run(["mica-compile", source, f"-{level}", "-o", artifact, "--force", "--dump-passes=off"], check=True, stderr=subprocess.DEVNULL)
        loaded = Loaded(artifact)
        for name, kind, width, size, lines in cases:
            signed = KINDS[kind]
            low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
            xs = [random.randint(low, high) for _ in range(size)]
            ys = [random.choice([value for value in (random.randint(low, high), 3, 7) if value not in (0, -1)]) for _ in range(size)]
            place = random.randrange(size)
            faults = [None, (xs[place], 0)] + ([(low, -1)] if signed and not kind.startswith("rem") else [])
            for fault in faults:
                x, y = list(xs), list(ys)
                if fault:
                    x[place], y[place] = fault
                runs += 1
                what = f"-{level} {name} {fault}"
                try:
                    (result,) = loaded.run(name, [array(width, signed, x), array(width, signed, y)])
                    error = None
                except mica.Error as failure:
                    error = failure
                if fault is None:
                    expected = array(width, signed, [quotient(kind, a, b) for a, b in zip(x, y)])
                    if error or not np.array_equal(result.numpy(), expected):
                        failures.append(f"{what}: {str(error)[:300] if error else result.numpy()}")
                    continue
                shown = f"({fault[0] if signed or fault[0] < 1 << 63 else fault[0] - (1 << 64)}, {fault[1]})"
                said = str(error)
                if not error or not any(f"divisions.mlir:{line}:" in said for line in lines) or "division" not in said or shown not in said:
                    failures.append(f"{what}: not {shown} at {sorted(lines)}: {said[:400]}")
        loaded.close()
    for failure in failures:
        print(failure)
    print(f"{runs} runs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
