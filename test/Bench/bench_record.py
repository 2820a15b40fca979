#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the record of every pass costs: time of a compile with and without it, and its size beside upstream's file tree.

    python3 test/Bench/bench_record.py build [--rounds=N] [MODEL...]

Per model one line of JSON, with what is measured of both forms, `files` (plain .mlir files, the default) and `archive`. `ratio` compares
wall time, `cpu_ratio` processor time: the median over N rounds of compiles, one of each kind in turns; `best_ratio` is that of the best of
each kind. `bytes_ratio` is passes_dump beside what

    mica-opt --mlir-print-ir-after-all --mlir-print-ir-tree-dir

leaves for the same passes, with upstream's elision at the same limit: constants of more than 64 elements. What is compiled goes to a new
folder under TMPDIR. Exit code 3 where recording
costs more than 1.20 times the time with files, 1.08 with the archive, or the archive has more than a fifth of upstream's bytes.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ELISION = ["--mlir-elide-elementsattrs-if-larger=64", "--mlir-elide-resource-strings-if-larger=64"]


def timed(command):
    """Wall and processor seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def folder_bytes(folder):
    return sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file())


MODES = {"off": ["--dump-passes=off"], "files": ["--dump-format=files"], "archive": ["--dump-format=archive"]}


def measure(build, model, rounds, scratch):
    tools, times = build / "bin", {mode: [] for mode in MODES}
    # Nothing is removed before the end, of other models neither: an ext4 without a journal looks, for each new file, at
    # each one that was removed in the last minute.
    scratch.mkdir()
    for number in range(rounds):
        for mode, flags in MODES.items():
            times[mode].append(timed([tools / "mica-compile", model, "-o", scratch / f"{mode}{number}", *flags]))
    index = json.loads((scratch / "archive0" / "passes_dump" / "index.json").read_text())
    tree = scratch / "tree"
    # With threads upstream's printing can wait for itself: it verifies, in tasks of its own, under the lock that passes
    # need.
    subprocess.run([tools / "mica-opt", model, "--mlir-disable-threading", f"--pass-pipeline={index['pipeline']}", "--mlir-print-ir-after-all",
                    f"--mlir-print-ir-tree-dir={tree}", *ELISION, "-o", os.devnull], check=True, stderr=subprocess.DEVNULL)
    best = {mode: [min(column) for column in zip(*found)] for mode, found in times.items()}
    result = {"model": model.name, "rounds": rounds, "seconds_off": best["off"][0], "bytes_upstream": folder_bytes(tree),
              "layers": sum("file" in run for run in index["records"]), "files_upstream": sum(f.is_file() for f in tree.rglob("*"))}
    for mode in ("files", "archive"):
        ratios = [statistics.median(on / off for on, off in zip(*columns)) for columns in zip(zip(*times[mode]), zip(*times["off"]))]
        record = scratch / f"{mode}0" / "passes_dump"
        one = {"seconds": best[mode][0], "ratio": ratios[0], "cpu_ratio": ratios[1], "best_ratio": best[mode][0] / best["off"][0],
               "bytes": folder_bytes(record), "bytes_ratio": folder_bytes(record) / result["bytes_upstream"]}
        result[mode] = {key: round(value, 4) for key, value in one.items()}
    result["seconds_off"] = round(result["seconds_off"], 4)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_intermixed_args()
    source = pathlib.Path(__file__).resolve().parents[2]
    models = arguments.models or [source / "docs/examples/transformer/block.mlir"]
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        for number, model in enumerate(models):
            result = measure(arguments.build.resolve(), model.resolve(), arguments.rounds, pathlib.Path(scratch, str(number)))
            print(json.dumps(result), flush=True)
            good &= result["files"]["ratio"] <= 1.20 and result["archive"]["ratio"] <= 1.08 and result["archive"]["bytes_ratio"] <= 0.2
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
