"""Runs programs without faults again and again with all checks of ranks on, and stops at the first report.

usage: clean_runs.py FOLDER --tools=DIR [--launch=threads,openmpi,mpich] [--runs=N]

The programs are clean twins of faults.py. N runs in all, by the launchers and programs in turn.
"""
import argparse
import os
import subprocess
import sys

import numpy as np

import faults

# Names and what all ranks do; the last one has two groups for each rank.
PROGRAMS = [
    ("sums", [faults.SUM, faults.MAX.replace("%x", "%a")], (3,)),
    ("parts", list(faults.GATHER), (3,)),
    ("shifts", [faults.ROTATE, faults.TRANSPOSE.replace("%x", "%a"), faults.cast(2).replace("%x", "%b")], (3,)),
    ("groups", [faults.ROW, faults.COLUMN.replace("%x", "%a")], (2, 2)),
]
SWITCHES = "rank-check,hang-timeout=30"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--launch", default="threads")
    parser.add_argument("--runs", type=int, default=12)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    runner = faults.Runner(options)
    compiled = []
    for name, ops, grid in PROGRAMS:
        ranks = faults.ranks_of(grid)
        np.save(f"{options.folder}/x{ranks}.npy", np.arange(18 * ranks, dtype=np.float32).reshape(3 * ranks, 6))
        compiled.append((name, runner.compile(name, faults.program(ops, ops, 7, grid)), ranks))
    first = {}
    launchers = options.launch.split(",")
    for run in range(options.runs):
        launcher = launchers[run % len(launchers)]
        name, base, ranks = compiled[run // len(launchers) % len(compiled)]
        runner.twin(launcher, name, runner.run(launcher, base, SWITCHES, ranks=ranks))
        with open(base + ".npy", "rb") as file:
            result = file.read()
        if first.setdefault(name, result) != result:
            sys.exit(f"run {run} of {name} by {launcher}: another result than the first run")
        if run % 100 == 99:
            print(f"{run + 1} runs", flush=True)
    print(f"{runner.ran} clean runs, no report")


if __name__ == "__main__":
    main()
