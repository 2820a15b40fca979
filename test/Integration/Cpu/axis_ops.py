#!/usr/bin/env python3
"""Runs random argmax, argmin, sums, extrema and scans along every axis, with checks and without, and compares them with NumPy's.

usage: axis_ops.py WORK [--functions=N] [--seed=N]

Values are small integers, so sums are exact; for argmax and argmin also infinities, and NaN, of which the first one wins. Every function has to have
kernels: none may run in the host function.
"""
import argparse
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
import mica  # noqa: E402
from cpu_levels import level_with_avx2  # noqa: E402


def kind(shape, dtype):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def draw(rng, number):
    """The text of a function, its input and what it gives."""
    rank = int(rng.integers(1, 4))
    shape = tuple(int(size) for size in rng.integers(1, (1500, 600, 60)[rank - 1], size=rank))
    axis, what = int(rng.integers(rank)), str(rng.choice(["argmax", "argmax", "argmin", "sum", "max", "cumsum"]))
    x = rng.integers(-3, 4, size=shape).astype(np.float32)
    if what.startswith("arg"):
        if rng.random() < 0.5:
            x[rng.random(shape) < 0.003] = np.nan
        x[rng.random(shape) < 0.01] = rng.choice([np.inf, -np.inf])
        expected = getattr(np, what)(x, axis).astype(np.int64)
    else:
        expected = {"sum": np.sum, "max": np.max, "cumsum": np.cumsum}[what](x, axis)
    result = kind(expected.shape, "i64" if expected.dtype == np.int64 else "f32")
    op = f"mica.{what} %x axis = {axis}" if what.startswith("arg") or what == "cumsum" else f"mica.reduce {what} %x dims = [{axis}]"
    types = kind(shape, "f32") if what == "cumsum" else f"({kind(shape, 'f32')}) -> {result}"
    return f"func.func @f{number}(%x: {kind(shape, 'f32')}) -> {result} {{\n  %r = {op} : {types}\n  return %r : {result}\n}}\n", x, expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    drawn = [draw(np.random.default_rng([options.seed, i]), i) for i in range(options.functions)]
    file = options.work / "axes.mlir"
    file.write_text("".join(text for text, _, _ in drawn))
    wrong = 0
    for mode, flags in (("users", []), ("checked", ["--mica-debug=assert-level=all"]), ("avx2", [f"--target=cpu:{level_with_avx2()}"])):
        done = subprocess.run(["mica-compile", str(file), "-o", str(options.work / mode), "--force", "--dump-passes=off", *flags], capture_output=True, text=True)
        if done.returncode or "host function" in done.stderr:
            sys.exit(done.stderr)
        context = mica.load(str(options.work / mode)).context(threads=2)
        for number, (text, x, expected) in enumerate(drawn):
            got = context.run(x, entry=f"f{number}")[0].numpy()
            if got.shape != expected.shape or not np.array_equal(got, expected):
                wrong += 1
                print(f"{mode}: differs from NumPy in {np.sum(got != expected)} of {expected.size} elements\n{text}")
        print(f"{mode}: {len(drawn)} functions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
