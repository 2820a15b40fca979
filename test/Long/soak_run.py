#!/usr/bin/env python3
"""Runs programs very often, on 1 to 8 threads, and compares results and memory.

usage: soak_run.py FOLDER MODEL ...
"""
import os
import pathlib
import shutil
import subprocess
import sys

FEW, MANY = 20, 3000


def run(artifact, folder, threads, repeat):
    """(bytes of the results, peak memory in KiB)."""
    shutil.rmtree(folder, ignore_errors=True)
    child = subprocess.Popen(["mica-run", str(artifact), f"--threads={threads}", f"--repeat={repeat}",
                              f"--run-dir={folder}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    error = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{artifact}: status {status}: {error}")
    results = sorted(folder.rglob("data/out/*.npy"))
    return [file.read_bytes() for file in results], usage.ru_maxrss


def main():
    folder, models = pathlib.Path(sys.argv[1]), sys.argv[2:]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    runs = 0
    for model in models:
        artifact = folder / pathlib.Path(model).stem
        subprocess.run(["mica-compile", model, "-o", str(artifact)], check=True, stderr=subprocess.DEVNULL)
        expected = None
        for threads in (1, 2, 3, 4, 8):
            few, small = run(artifact, folder / "few", threads, FEW)
            many, large = run(artifact, folder / "many", threads, MANY)
            runs += FEW + MANY
            expected = expected or few
            if not few or few != expected or many != expected:
                print(f"{model}: {threads} threads: another result")
                return 1
            if large > 1.05 * small + 4096:
                print(f"{model}: {threads} threads: {small} KiB after {FEW} runs, {large} KiB after {MANY}")
                return 1
    print(f"{len(models)} programs, {runs} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
