#!/usr/bin/env python3
"""Sizes, positions and operands at their edges, drawn from a seed: no run ends by a signal, and none prints memory that nobody wrote.

usage: edges.py WORK [--runs=N] [--seed=N] [--levels=user,safe,all]

The programs are those of levels.py, and operations of mica of dynamic sizes. Each run must end with exit code 0, 1 or 3. One that ends with
0 is repeated with other bytes in fresh memory (MALLOC_PERTURB_) and must print the same.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys

import levels

SIZES = (0, 1, 2, 3, 7, 8, 9, 16)
NUMBERS = {"index": 64, "i64": 64, "i32": 32, "i8": 8}

SIZED = """func.func @NAME(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = mica.matmul %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @NAMEb(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = mica.add %a, %b : tensor<?x?xf32>
  %1 = mica.concat %0, %b axis = 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @NAMEc(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = mica.conv2d %x, %w bias %b layout = nhwc_hwcf strides = [2, 1] dilations = [1, 2] pads = [1, 0, 0, 1]
     : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
func.func @NAMEd(%x: tensor<?x?xf32>, %o: index, %n: index) -> tensor<?x?xf32> {
  %0 = mica.slice %x offsets = [%o, 1] sizes = [%n, 2] strides = [2, 3] : (tensor<?x?xf32>, index, index) -> tensor<?x2xf32>
  %1 = tensor.cast %0 : tensor<?x2xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @NAMEe(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = mica.pad %x low = [1, 2] high = [0, 3] mode = reflect : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @NAMEf(%x: tensor<?x?xf32>, %i: tensor<?xi32>, %u: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = mica.scatter add %x, %i, %u axis = 0 : (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = mica.gather %0, %i axis = 1 : (tensor<?x?xf32>, tensor<?xi32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func @NAMEg(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  %2 = mica.exp %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
func.func @NAMEh(%x: tensor<?x4xf32>, %s: tensor<?xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>, tensor<?x4xf32>) {
  %0 = mica.transpose %x permutation = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %1 = mica.transpose %0 permutation = [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  %v, %i = mica.top_k %1 k = 3 axis = 1 : (tensor<?x4xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>)
  %2 = mica.rms_norm %x scale %s axis = 1 epsilon = 1.0e-5 : (tensor<?x4xf32>, tensor<?xf32>) -> tensor<?x4xf32>
  return %v, %i, %2 : tensor<?x3xf32>, tensor<?x3xi64>, tensor<?x4xf32>
}
"""


def number(draw, width):
    low, high = -(1 << width - 1), (1 << width - 1) - 1
    return draw.choice((0, 1, 2, 3, 7, 8, 9, -1, -2, -8, low, low + 1, high, high - 1, width, width - 1, draw.randint(low, high)))


def value(draw, type):
    """An --input of `type`, its unknown sizes and its elements drawn."""
    match = re.fullmatch(r"(?:tensor|memref)<((?:[0-9?]+x)*)(\w+)>", type)
    sizes, element = ([size for size in match.group(1).split("x") if size], match.group(2)) if match else ([], type)
    shape = [draw.choice(SIZES) if size == "?" else int(size) for size in sizes]
    count = 1
    for size in shape:
        count *= size
    if element in NUMBERS:
        # Mostly right ones, so that runs come far.
        elements = [number(draw, NUMBERS[element]) if draw.random() < 0.3 else draw.randint(0, 4) for _ in range(count)]
    else:
        elements = [draw.choice((0, 1, -1, 0.5, 3)) for _ in range(count)]
    text = "".join(f"{size}x" for size in shape) + element
    return f"--input={text}=" + (",".join(map(str, elements)) if elements else "0")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", default="safe,all")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    def entries_of(text):
        return [(name, [part.rsplit(":", 1)[1].strip() for part in re.split(r", (?=%)", arguments) if part])
                for name, arguments in re.findall(r"func\.func @(\w+)\(([^{]*?)\)(?: ->[^{]*)? \{", text)]

    texts = [program.replace("NAME", f"p{at}") for at, (_, program, *_) in enumerate(levels.programs())] + [SIZED.replace("NAME", "s")]
    entries = [entry for text in texts for entry in entries_of(text)]

    def drawn(seed):
        draw = random.Random(seed)
        level = draw.choice(options.levels.split(","))
        return draw, level, *draw.choice(entries)

    # Only the programs that are run are compiled: a run loads all of them.
    seeds = range(options.seed, options.seed + options.runs)
    names = {drawn(seed)[2] for seed in seeds}
    source = options.work / "edges.mlir"
    source.write_text("".join(text for text in texts if any(name in names for name, _ in entries_of(text))))
    for level in options.levels.split(","):
        done = subprocess.run(["mica-compile", source, "-o", options.work / level, "--force", "--dump-passes=off", f"--mica-debug=assert-level={level}"],
                              capture_output=True, text=True)
        if done.returncode:
            print(done.stderr)
            return 1

    def run(seed):
        draw, level, name, types = drawn(seed)
        # Below `all`, kernels trust positions that are computed from sizes.
        command = ["mica-run", options.work / level, f"--entry={name}", *(value(draw, type) for type in types)]
        outputs = []
        for byte in ("1", "170"):
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=dict(os.environ, MALLOC_PERTURB_=byte))
            except subprocess.TimeoutExpired:
                return seed, f"{level} {name}: runs longer than a minute: {' '.join(map(str, command[2:]))}"
            outputs.append(done.stdout)
            unchecked = level != "all" and "of sizes alone" in levels_of[name]
            if done.returncode not in (0, 1, 3) and not unchecked:
                return seed, f"{level} {name}: ends with {done.returncode}: {' '.join(map(str, command[2:]))}\n{done.stderr[:400]}"
            if done.returncode or unchecked:
                return seed, ""
        return seed, "" if outputs[0] == outputs[1] else f"{level} {name}: prints other numbers the second time: {' '.join(map(str, command[2:]))}"

    levels_of = {f"p{at}": what for at, (what, *_) in enumerate(levels.programs())}
    levels_of.update({name: "" for name, _ in entries if name not in levels_of})
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for seed, failure in pool.map(run, seeds):
            if failure:
                failures += 1
                print(f"seed {seed}: {failure}")
    print(f"{options.runs} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
