#!/usr/bin/env python3
"""Records pipelines, and holds each snapshot against what the record promises.

usage: check_record.py FOLDER SCRATCH
Each program of FOLDER has its pipeline in the line "// pipeline: ...". Recording changes nothing about the result; every snapshot is
read by mica-opt again; and the state after each pass, continued with the remaining pipeline, ends in the same text.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys


def opt(*args):
    done = subprocess.run(["mica-opt", *map(str, args)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"mica-opt {' '.join(map(str, args))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def main():
    folder, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for file in sorted(folder.glob("*.mlir")):
        pipeline = re.search(r"^// pipeline: (.*)$", file.read_text(), re.M).group(1)
        record = scratch / file.stem
        shutil.rmtree(record, ignore_errors=True)
        expected = opt(file, f"--pass-pipeline={pipeline}")
        if opt(file, f"--pass-pipeline={pipeline}", f"--record={record}") != expected:
            sys.exit(f"{file.name}: another result with --record")
        index = json.loads((record / "index.json").read_text())
        snapshots = [r["file"] for r in index["records"] if "file" in r] + [index["input"]]
        for snapshot in snapshots:
            opt(record / snapshot, "-o", "/dev/null")
        positions = [0] + [p["position"] for p in index["passes"]]
        for position in positions:
            if opt(f"--resume={record}:{position}") != expected:
                sys.exit(f"{file.name}: another result from the state after pass {position}")
        ran = {r["position"] for r in index["records"]}
        if ran != set(positions) - {0}:
            sys.exit(f"{file.name}: passes {sorted(set(positions) - ran - {0})} have no record")
        print(f"{file.name}: {len(snapshots)} snapshots, {len(positions)} states, the same")


if __name__ == "__main__":
    main()
