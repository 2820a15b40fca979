#!/usr/bin/env python3
"""Crashes mica-compile at random moments; what it leaves says which pass it was in, and runs that pass alone.

usage: crash_compile.py MODEL FOLDER COUNT [SEED]
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


def main():
    model, folder, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    print("seed", seed)
    rng = random.Random(seed)
    env = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1")
    command = ["mica-compile", model, "-o", str(folder / "artifact")]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    start = time.monotonic()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    length = time.monotonic() - start
    recorded = 0
    i = 0
    # On a busy machine none may hit a pass.
    while i < count or (recorded == 0 and i < 20 * count):
        i += 1
        shutil.rmtree(folder)
        folder.mkdir()
        child = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.1, 0.9) * length)
        child.send_signal(signal.SIGSEGV)
        try:
            said = child.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            # LLVM takes memory to print the stack: a signal that came while the allocator held its lock waits there for
            # ever.
            child.kill()
            child.communicate()
            continue
        if child.returncode not in (0, 2, -signal.SIGSEGV):
            print(f"crash {i}: exit code {child.returncode}: {said}")
            return 1
        failed = folder / "artifact.failed"
        if not failed.exists():
            continue
        index = json.loads((failed / "passes_dump" / "index.json").read_text())
        failure = index["failure"]
        if failure["how"] != "crashed" or f"pass {failure['pass']} ({failure['position']})" not in said:
            print(f"crash {i}: the index says {failure}, the error {said}")
            return 1
        # Nothing is wrong with the pass; that it runs shows that its input is whole.
        again = subprocess.run(["sh", str(failed / "repro" / "run.sh"), "-o", "/dev/null"], capture_output=True, text=True,
                               check=False)
        if again.returncode != 0:
            print(f"crash {i}: pass {failure['position']} alone: {again.stderr}")
            return 1
        recorded += 1
    print(f"{i} crashes, {recorded} in a pass: each is named and runs alone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
