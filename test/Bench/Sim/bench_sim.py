"""Speed of the simulator, as JSON: thread-operations a second of matmul.mlir on one core, by what is checked.
usage: bench_sim.py MICA_RUN [--repeats=N]"""

import json
import os
import subprocess
import sys
import tempfile

OPERATIONS = 512 * 512 * (512 // 16) * 52


def seconds(tool, checks, folder):
    """The fastest launch of a run."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "matmul.mlir")
    environment = dict(os.environ, MICA_CACHE_DIR=folder)
    done = subprocess.run([tool, "--target=sim", "--mica-debug=sim-check=" + checks, program], capture_output=True,
                          text=True, env=environment, check=True)
    numbers = [float(line) for line in done.stdout.split()]
    assert numbers[-1] == 512, "the product is wrong: %s" % done.stdout
    return min(numbers[:-1])


def main():
    tool = sys.argv[1]
    repeats = int(next((word[10:] for word in sys.argv if word.startswith("--repeats=")), 3))
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        for checks in ("none", "bounds", "bounds+init+race", "all"):
            best = min(seconds(tool, checks, folder) for _ in range(repeats))
            result[checks] = {"seconds": best, "giga_operations_per_second": round(OPERATIONS / best / 1e9, 2)}
    print(json.dumps(result, indent=2))


main()
