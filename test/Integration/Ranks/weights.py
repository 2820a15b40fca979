"""Constants that are split: each rank maps its part alone, and its kernels read it in place.

usage: weights.py FOLDER --tools=DIR [--launch=threads,openmpi,mpich] [--ranks=N] [--size=N]

A product with a weight of SIZE x SIZE, split along its columns or its rows. By MPI, each process says how many bytes of
constants.bin it maps, and how many of them are in memory after a call. Prints them by launcher.
"""
import argparse
import json
import os
import re
import subprocess
import sys

import numpy as np

LAUNCHERS = {"threads": [], "openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"], "mpich": ["mpirun.mpich"]}
UNITS = {"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--launch", default="threads")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--size", type=int, default=2304)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    ranks, size = options.ranks, options.size
    rng = np.random.default_rng(1)
    weight = rng.integers(-4, 5, (size, size)).astype(np.float32)
    x = rng.integers(-4, 5, (2, size)).astype(np.float32)
    np.save(f"{options.folder}/x.npy", x)
    for along, axes in (("columns", "[[], [0]]"), ("rows", "[[0]]")):
        base = f"{options.folder}/{along}"
        with open(base + ".mlir", "w") as file:
            file.write(f"""shard.grid @ranks(shape = {ranks})
func.func @main(%x: tensor<2x{size}xf32>) -> tensor<2x{size}xf32> {{
  %w = arith.constant dense_resource<weight> : tensor<{size}x{size}xf32>
  %s = shard.sharding @ranks split_axes = {axes} : !shard.sharding
  %part = shard.shard %w to %s annotate_for_users : tensor<{size}x{size}xf32>
  %0 = mica.matmul %x, %part : (tensor<2x{size}xf32>, tensor<{size}x{size}xf32>) -> tensor<2x{size}xf32>
  return %0 : tensor<2x{size}xf32>
}}
{{-# dialect_resources: {{ builtin: {{ weight: "0x04000000{weight.tobytes().hex()}" }} }} #-}}
""")
        subprocess.run([f"{options.tools}/mica-compile", base + ".mlir", "-o", base, "--force", "--dump-passes=off"], check=True, stdout=subprocess.DEVNULL)
        with open(base + "/host/tasks.json") as file:
            tasks = json.load(file)
        parts = [buffer for one in tasks["lists"] for buffer in one["buffers"] if "part" in buffer]
        slices = [buffer for one in tasks["lists"] for task in one["tasks"] if "all_slice" in task["kernel"]
                  for buffer in task["buffers"] if one["buffers"][buffer]["bytes"] >= weight.nbytes // ranks]
        if len(parts) != 1 or parts[0]["bytes"] != weight.nbytes // ranks or slices:
            sys.exit(f"{along}: buffers with a part: {parts}; slices: {slices}")
        for launcher in options.launch.split(","):
            command = LAUNCHERS[launcher] + (["-n", str(ranks)] if LAUNCHERS[launcher] else [])
            done = subprocess.run(command + [f"{options.tools}/mica-run", base, "--input=@" + options.folder + "/x.npy", f"--output=@{base}.npy"],
                                  capture_output=True, text=True, timeout=300, env=dict(os.environ, MICA_LOGS="+runtime"))
            if done.returncode != 0 or not np.array_equal(np.load(base + ".npy"), x @ weight):
                sys.exit(f"{along} by {launcher}: exit code {done.returncode}, wrong numbers?\n{done.stdout}{done.stderr[-4000:]}")
            if launcher == "threads":
                continue
            found = {}
            number = r"([0-9.]+) ([KMG]?i?B)"
            for rank, resident, unit, mapped, other in re.findall(rf"rank (\d+) has {number} of weights in memory, of {number} that it maps", done.stderr):
                found[int(rank)] = (float(resident) * UNITS[unit], float(mapped) * UNITS[other])
            most = 1.05 * weight.nbytes / ranks + 2e5
            bad = {rank: pair for rank, pair in found.items() if pair[0] > most or pair[1] > most or pair[0] < weight.nbytes / ranks * 0.9}
            if sorted(found) != list(range(ranks)) or bad:
                sys.exit(f"{along} by {launcher}: of {weight.nbytes} bytes, ranks have {found}\n{done.stderr[-4000:]}")
            print(f"{along} by {launcher}: of {weight.nbytes / 1e6:.1f} MB, ranks map " + ", ".join(f"{found[r][1] / 1e6:.1f}" for r in sorted(found)) +
                  " MB, and have " + ", ".join(f"{found[r][0] / 1e6:.1f}" for r in sorted(found)) + " MB in memory")
    print("each rank has its part")


if __name__ == "__main__":
    main()
