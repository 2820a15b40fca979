#!/usr/bin/env python3
"""Kills mica-compile with SIGKILL at random moments: afterwards there is no artifact, or a whole one.

usage: kill_compile.py MICA_COMPILE MODEL FOLDER COUNT [SEED]
A whole artifact is one whose manifest parses and whose files have the hashes it records (sizes and presence are checked
here; mica-run checks the rest). The next compile removes what the killed ones left.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time


def whole(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    missing = [f["path"] for f in manifest["files"] if not (folder / f["path"]).is_file()]
    return not missing and (folder / "program.so").stat().st_size > 0


def main():
    compiler, model, folder, count = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else int(time.time())
    print("seed", seed)
    rng = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    target = folder / "artifact"
    start = time.monotonic()
    subprocess.run([compiler, model, "-o", str(target)], check=True, stderr=subprocess.DEVNULL)
    length = time.monotonic() - start
    absent = complete = 0
    for i in range(count):
        shutil.rmtree(target, ignore_errors=True)
        child = subprocess.Popen([compiler, model, "-o", str(target)], stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 1.1 * length))
        child.send_signal(signal.SIGKILL)
        child.wait()
        if not target.exists():
            absent += 1
        elif whole(target):
            complete += 1
        else:
            print(f"kill {i}: a part of an artifact is left: {sorted(os.listdir(target))}")
            return 1
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run([compiler, model, "-o", str(target)], check=True, stderr=subprocess.DEVNULL)
    left = [name for name in os.listdir(folder) if name != "artifact"]
    if left or not whole(target):
        print(f"after the last compile there is more than the artifact: {left}")
        return 1
    print(f"{count} kills: {absent} without an artifact, {complete} with a whole one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
