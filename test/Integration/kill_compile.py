#!/usr/bin/env python3
"""Kills mica-compile with SIGKILL at random moments: afterwards there is no artifact, or a whole one.

usage: kill_compile.py MICA_COMPILE MODEL FOLDER COUNT [SEED [SIGNAL]]
A whole artifact is one in which `mica-report --verify` finds every file verified; some of the survivors are run too.
The next compile removes what the killed ones left. With SIGNAL (INT, TERM, HUP) in place of KILL nothing may be left by the
interrupted compile itself, and its exit code is 128 + the signal's number.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time


def whole(folder):
    verify = subprocess.run(["mica-report", "--verify", str(folder)], capture_output=True, text=True, check=False)
    return verify.returncode == 0


def main():
    compiler, model, folder, count = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else int(time.time())
    number = getattr(signal, "SIG" + (sys.argv[6] if len(sys.argv) > 6 else "KILL"))
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
        child.send_signal(number)
        code = child.wait()
        left = [name for name in os.listdir(folder) if name != "artifact"]
        # Before the compiler's first instruction a signal has its usual effect.
        if number != signal.SIGKILL and (left or code not in (0, 128 + number, -number)):
            print(f"signal {i}: exit code {code}, left: {left}")
            return 1
        if not target.exists():
            absent += 1
        elif whole(target):
            complete += 1
            if complete % 8 == 1:
                subprocess.run(["mica-run", str(target)], check=True, capture_output=True)
        else:
            print(f"kill {i}: a part of an artifact is left: {sorted(os.listdir(target))}")
            return 1
    # What was killed is not in the way: the next compile removes it, and its artifact runs.
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run([compiler, model, "-o", str(target)], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["mica-run", str(target)], check=True, capture_output=True)
    left = [name for name in os.listdir(folder) if name != "artifact"]
    if left or not whole(target):
        print(f"after the last compile there is more than the artifact: {left}")
        return 1
    print(f"{count} kills: {absent} without an artifact, {complete} with a whole one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
