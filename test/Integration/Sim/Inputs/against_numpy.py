"""Runs programs that are drawn at random in the simulator, and compares their results with those that were drawn with them."""
import argparse
import pathlib
import random
import subprocess
import sys

import numpy as np


def main(draw):
    """draw(rng) gives a program, its inputs by name, in order, and the results that it should have."""
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    failures = 0
    for i in range(options.count):
        program, inputs, expected = draw(random.Random(f"{options.seed} {i}"))
        file = options.work / f"{i}.mlir"
        file.write_text(program)
        results = [options.work / f"{i}.{k}.npy" for k in range(len(expected))]
        words = ["mica-run", "--target=sim", str(file)]
        for name, value in inputs.items():
            np.save(options.work / f"{i}{name}.npy", value)
            words.append(f"--input=@{options.work / f'{i}{name}.npy'}")
        done = subprocess.run([*words, *(f"--output=@{result}" for result in results)], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{file}: exit code {done.returncode}\n{done.stderr}")
            failures += 1
            continue
        wrong = [f"{np.count_nonzero(np.load(result) != right)} of {right.size} elements of result {k} differ"
                 for k, (result, right) in enumerate(zip(results, expected)) if not np.array_equal(np.load(result), right)]
        if wrong:
            print(f"{file}: " + ", ".join(wrong))
            failures += 1
    print(f"{options.count} programs, {failures} failures")
    sys.exit(failures > 0)
