"""Looks for the first tensor that differs between ranks that should both have it (switch rank-fingerprints).

usage: compare_ranks.py FOLDER SOURCES --tools=DIR [--launch=threads,openmpi,mpich] [--shim=LIB]

Clean: the programs of SOURCES, by each launcher. Faults, by MPI: other values of an argument on one rank, and a sum that
gives another number on one rank (LIB, MicaDelayMessages.so), which has to be named with its line. Prints how many of each.
"""
import argparse
import os
import re
import subprocess
import sys

import numpy as np

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root"], "mpich": ["mpirun.mpich"]}
PROGRAMS = {"mlp": 4, "block": 2, "halo": None, "pipeline": 2}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("sources")
    parser.add_argument("--tools", required=True)
    parser.add_argument("--launch", default="threads")
    parser.add_argument("--shim", default="")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    tool = f"{options.tools}/mica-run"
    environment = dict(os.environ, MICA_DEBUG="rank-fingerprints", MICA_LOGS="runtime")
    clean = faults = 0

    def run(command, variables=()):
        done = subprocess.run(command, capture_output=True, text=True, env=dict(environment, **dict(variables)), timeout=120)
        return done.returncode, done.stdout + done.stderr

    for name in PROGRAMS:
        artifact = f"{options.folder}/{name}"
        subprocess.run([f"{options.tools}/mica-compile", f"{options.sources}/{name}.mlir", "-o", artifact, "--force", "--dump-passes=off"],
                       check=True, stdout=subprocess.DEVNULL)
        code, text = run([tool, artifact, "--ranks=threads"])
        found = re.search(r"rank-fingerprints: (\d+) tensors that several ranks have are the same|no tensor was found that several ranks have", text)
        if code != 0 or not found:
            sys.exit(f"{name}: exit code {code}\n{text}")
        clean += 1
    shapes = {"x": (6, 16), "other": (6, 16)}
    for name, shape in shapes.items():
        np.save(f"{options.folder}/{name}.npy", np.arange(np.prod(shape), dtype=np.float32).reshape(shape) + (name == "other"))
    artifact = f"{options.folder}/mlp"
    for launcher in options.launch.split(","):
        if launcher == "threads":
            continue
        start = LAUNCHERS[launcher]
        one = [tool, artifact, f"--input=@{options.folder}/x.npy"]
        code, text = run(start + ["-n", "4"] + one)
        if code != 0 or "have are the same" not in text:
            sys.exit(f"mlp by {launcher}: exit code {code}\n{text}")
        clean += 1
        code, text = run(start + ["-n", "2"] + one + [":", "-n", "2"] + one[:2] + [f"--input=@{options.folder}/other.npy"])
        if code != 3 or not re.search(r"rank 2 and rank 0 have different values in the first tensor that should be the same on both: "
                                      r"argument 0 \('%?x'\)", text):
            sys.exit(f"another input by {launcher}: exit code {code}\n{text}")
        faults += 1
        if options.shim:
            code, text = run(start + ["-n", "4"] + one, [("LD_PRELOAD", options.shim), ("MICA_TEST_CORRUPT", "1")])
            if code != 3 or not re.search(r"rank 1 and rank 0 have different values in the first tensor.*kernel 'all_reduce_.*mlp\.mlir:28:", text):
                sys.exit(f"a wrong sum by {launcher}: exit code {code}\n{text}")
            faults += 1
    print(f"{clean} clean runs, {faults} faults named")


if __name__ == "__main__":
    main()
