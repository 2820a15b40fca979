"""Compares what programs of StableHLO for several processes give on ranks with NumPy.

usage: stablehlo.py INPUTS FOLDER --tools=DIR
"""
import argparse
import os
import subprocess

import numpy as np


def run(options, name, flags, arguments, results):
    folder = os.path.join(options.folder, name)
    subprocess.run([f"{options.tools}/mica-compile", f"{options.inputs}/{name}.mlir", "-o", folder, "--dump-passes=off"] + flags,
                   check=True, stderr=subprocess.DEVNULL)
    inputs = []
    for i, array in enumerate(arguments):
        np.save(f"{folder}-in{i}.npy", array)
        inputs.append(f"--input=@{folder}-in{i}.npy")
    outputs = [f"--output=@{folder}-out{i}.npy" for i in range(results)]
    subprocess.run([f"{options.tools}/mica-run", folder, "--ranks=threads"] + inputs + outputs, check=True, stdout=subprocess.DEVNULL)
    return [np.load(f"{folder}-out{i}.npy") for i in range(results)]


def shard_map(options, rng):
    a, b = rng.random((4, 6), np.float32), rng.random((6, 4), np.float32)
    total, shifted, ids = run(options, "shard-map", [], [a, b], 3)
    np.testing.assert_allclose(total, a @ b, rtol=1e-5)
    # Devices (x, y) get the rows of (1 - x, y), and add their number.
    other = np.concatenate([(a @ b)[2:], (a @ b)[:2]])
    rows = [other[2 * x:2 * x + 2] + (2 * x + y) for x in range(2) for y in range(2)]
    np.testing.assert_allclose(shifted, np.concatenate(rows), rtol=1e-5)
    assert ids == 6 and ids.dtype == np.uint32, ids


def collectives(options, rng):
    x = rng.random((16, 4), np.float32)
    parts = [x[4 * i:4 * i + 4] for i in range(4)]
    split = "[0,-]".replace("0", "0+1")
    flags = ["--shard=%x=" + split + ";" + ";".join(f"result{i}=" + split for i in range(5)) + ";grid=2x2"]
    gathered, scattered, exchanged, cast, permuted = run(options, "collectives", flags, [x], 5)
    pair = [(0, 2), (1, 3), (0, 2), (1, 3)]
    np.testing.assert_array_equal(gathered, np.concatenate([np.concatenate([parts[i], parts[j]]) for i, j in pair]))
    row = [(0, 1), (0, 1), (2, 3), (2, 3)]
    np.testing.assert_array_equal(scattered, np.concatenate(
        [np.maximum(parts[i], parts[j])[2 * (r % 2):2 * (r % 2) + 2] for r, (i, j) in enumerate(row)]))
    np.testing.assert_array_equal(exchanged, np.concatenate(
        [np.concatenate([parts[i][2 * (r // 2):2 * (r // 2) + 2], parts[j][2 * (r // 2):2 * (r // 2) + 2]], axis=1)
         for r, (i, j) in enumerate(pair)]))
    np.testing.assert_array_equal(cast, np.concatenate([parts[0], parts[0], parts[2], parts[2]]))
    zero = np.zeros((4, 4), np.float32)
    np.testing.assert_array_equal(permuted, np.concatenate([zero, parts[0], zero, parts[2]]))


def annotated(options, rng):
    x, w = rng.random((4, 6), np.float32), rng.random((6, 8), np.float32)
    for name in ("annotated", "annotated-hlo"):
        result, = run(options, name, ["--shard=annotations"], [x, w], 1)
        np.testing.assert_allclose(result, np.tanh(x @ w), rtol=1e-5)
        with open(os.path.join(options.folder, name, "manifest.json")) as file:
            assert '"sharding": {"grid": [2, 2], "axes": [[0], []]}' in file.read()
    # Without the flag they are not used.
    result, = run(options, "annotated", [], [x, w], 1)
    np.testing.assert_allclose(result, np.tanh(x @ w), rtol=1e-5)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs")
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    rng = np.random.default_rng(0)
    shard_map(options, rng)
    collectives(options, rng)
    annotated(options, rng)
    print("results are right")


if __name__ == "__main__":
    main()
