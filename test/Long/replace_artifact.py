#!/usr/bin/env python3
"""Replaces an artifact that has runs, kills the compiler at random moments, and counts the runs.

usage: replace_artifact.py MODEL FOLDER COUNT [SEED]
After each kill the artifact is whole and runs once more; after a last compile that is let through, every run is there.
"""
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time


def runs_of(artifact):
    return sorted(p.name for p in (artifact / "runs").glob("*") if p.name != "latest")


def main():
    model, folder, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    print("seed", seed)
    rng = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    artifact = folder / "artifact"
    compiling = ["mica-compile", model, "-o", str(artifact)]

    def run():
        """Runs the artifact; the name of the run."""
        before = set(runs_of(artifact))
        subprocess.run(["mica-run", str(artifact)], check=True, capture_output=True)
        return (set(runs_of(artifact)) - before).pop()

    start = time.monotonic()
    subprocess.run(compiling, check=True, stderr=subprocess.DEVNULL)
    length = time.monotonic() - start
    expected, replaced = {run()}, 0
    for i in range(count):
        inode = artifact.stat().st_ino
        child = subprocess.Popen(compiling, stderr=subprocess.DEVNULL)
        # Most kills near the end, where the folders are exchanged.
        time.sleep(length * rng.choice([rng.uniform(0, 1.1), rng.uniform(0.8, 1.1)]))
        child.send_signal(signal.SIGKILL)
        child.wait()
        verify = subprocess.run(["mica-report", "--verify", str(artifact)], capture_output=True, text=True, check=False)
        if verify.returncode != 0:
            print(f"kill {i}: the artifact is not whole: {verify.stdout}{verify.stderr}")
            return 1
        replaced += artifact.stat().st_ino != inode
        if i % 10 == 0:
            expected.add(run())
    subprocess.run(compiling, check=True, stderr=subprocess.DEVNULL)
    missing = expected - set(runs_of(artifact))
    if missing:
        print(f"lost: {sorted(missing)}")
        return 1
    left = [p.name for p in folder.iterdir() if p != artifact]
    if left:
        print(f"after the last compile there is more than the artifact: {left}")
        return 1
    print(f"{count} kills, {replaced} replaced, {len(expected)} runs kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
