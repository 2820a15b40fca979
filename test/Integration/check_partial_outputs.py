#!/usr/bin/env python3
"""Outputs that an op does not write whole keep their other elements: compiled code and the reference lowering against NumPy.

usage: check_partial_outputs.py WORK_DIR
"""
import os
import pathlib
import subprocess
import sys

import numpy as np

from in_process import Loaded

MODEL = pathlib.Path(__file__).parent / "Inputs" / "partial-outputs.mlir"
rng = np.random.default_rng(1)


def draw(*shape):
    return rng.integers(-9, 9, shape).astype(np.float32)


def put(array, place, values):
    array = array.copy()
    array[place] = values
    return array


def onDiagonal(array, values):
    array = array.copy()
    np.fill_diagonal(array, values)
    return array


def cases():
    """name of the entry, inputs, results"""
    x3, x4, y5, y6, y33, x33 = draw(3), draw(4), draw(5), draw(6), draw(3, 3), draw(3, 3)
    row, rows, x34, x35, y3 = draw(4), draw(3, 4), draw(3, 4), draw(3, 5), draw(3)
    yield "offset", [x3, y5], [put(y5, slice(1, 4), x3)]
    yield "stride", [x3, y5], [put(y5, slice(0, 5, 2), x3)]
    yield "stride_add", [x3, y6], [put(y6, slice(1, 6, 2), x3 + y6[1::2])]
    yield "diag", [x3, y33], [onDiagonal(y33, x3)]
    yield "diagcopy", [x33, y33], [onDiagonal(y33, np.diag(x33))]
    yield "row", [row, rows], [put(rows, 1, row)]
    yield "reverse", [x4, y6], [put(y6, slice(1, 5), x4[::-1])]
    yield "reduce_stride", [x34, y6], [put(y6, slice(0, 6, 2), y6[::2] + x34.sum(1))]
    yield "last", [x35, y3], [x35[:, -1]]
    yield "last", [np.zeros((3, 0), np.float32), y3], [y3]
    yield "chain", [x3, y6], [put(y6, slice(2, 5), x3) + y6]
    yield "two", [x3, y6], [put(y6, slice(2, 5), x3), x3 + x3]
    yield "called", [x3, y33], [onDiagonal(y33, x3)]
    x23, y243 = draw(2, 3), draw(2, 4, 3)
    yield "layers", [x23, y243], [put(y243, (slice(None), 2), x23)]
    yield "membuf", [x3, y6], [put(y6, slice(2, 5), x3)]


def main():
    os.chdir(sys.argv[1])
    runs = bad = 0
    for way in ("-O0", "-O3", "--plain"):
        subprocess.run(["mica-compile", str(MODEL), "-o", "p" + way, "--force", "--dump-passes=off", way], check=True, stdout=subprocess.DEVNULL)
        loaded = Loaded("p" + way)
        for entry, inputs, results in cases():
            found = loaded.run(entry, inputs)
            assert len(found) == len(results)
            runs += 1
            for got, expected in zip(found, results):
                if got.numpy().tobytes() != expected.tobytes():
                    bad += 1
                    print(f"{entry} {way}: got {got.numpy().tolist()}, expected {expected.tolist()}")
        loaded.close()
    print(f"{runs} runs, {bad} wrong results")
    sys.exit(1 if bad else 0)


main()
