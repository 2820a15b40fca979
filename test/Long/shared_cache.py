#!/usr/bin/env python3
"""Several processes run one model at once, from an empty cache; some are killed.

usage: shared_cache.py MODEL FOLDER ROUNDS [SEED]
Every process that is let through gives the same result, and the next one finds whole artifacts only.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

PROCESSES = 6


def main():
    model, folder, rounds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    print("seed", seed)
    rng = random.Random(seed)
    env = dict(os.environ, MICA_CACHE_DIR=str(folder / "cache"))
    command = ["mica-run", model]
    expected, agreed, killed = None, 0, 0
    for i in range(rounds):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        children = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                     start_new_session=True) for _ in range(PROCESSES)]
        victims = set(rng.sample(range(PROCESSES), rng.randrange(PROCESSES)))
        for victim in victims:
            time.sleep(rng.uniform(0, 0.1))
            # With its child, the compiler.
            os.killpg(children[victim].pid, signal.SIGKILL)
        for number, child in enumerate(children):
            out, err = child.communicate()
            if child.returncode == -signal.SIGKILL and number in victims:
                killed += 1
                continue
            if child.returncode != 0:
                print(f"round {i}: exit code {child.returncode}: {err}")
                return 1
            expected = expected or out
            if out != expected:
                print(f"round {i}: another result:\n{out}\nthan\n{expected}")
                return 1
            agreed += 1
        last = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        if last.returncode != 0 or last.stdout != expected:
            print(f"round {i}: the run after: exit code {last.returncode}: {last.stderr}")
            return 1
        for manifest in (folder / "cache").rglob("manifest.json"):
            if any(part.startswith(".") for part in manifest.relative_to(folder).parts):
                continue  # what a killed compile left, under its temporary name
            verify = subprocess.run(["mica-report", "--verify", str(manifest.parent)], capture_output=True, check=False)
            if verify.returncode != 0:
                print(f"round {i}: {manifest.parent} is not whole")
                return 1
    print(f"{rounds} rounds: {agreed} runs agree, {killed} were killed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
