"""Programs from seeds.

usage: generate.py SEED [COUNT]    prints the programs of seeds SEED, SEED + 1, ..
"""
import sys

import buffers
import casts
import control
import elementwise
import ieee
import movement
import norms
import reductions
import shapes
import tosa
import twins
import upstream
import windows
from draws import Draws
from program import Builder

PLAIN = (elementwise.STEPS + casts.STEPS + shapes.STEPS + movement.STEPS + reductions.STEPS + norms.STEPS + windows.STEPS +
         upstream.STEPS + tosa.STEPS)
STEPS = PLAIN + [control.makeLoop(PLAIN), control.makeWhile(PLAIN), control.makeBranch(PLAIN)] * 2
DTYPES = ["f32", "f32", "f32", "i32", "i32", "f64", "i64", "i8", "f16", "bf16", "i16", "i1", "i4", "f8E4M3FN", "f8E5M2"]


def generate(draws, name):
    """The text of one program named `name`, or of a pair of programs, the second of which is named `name`_twin."""
    b = Builder(draws)
    if draws.chance(1, 10):
        return twins.pair(b, name, f"{name}_twin")
    if draws.chance(1, 10):
        return ieee.program(b, name)
    if draws.chance(1, 12):
        return buffers.program(b, name)
    for _ in range(1 + draws.below(2)):
        b.new(draws.choice(DTYPES), b.shape())
    for _ in range(14):
        draws.begin()
        goesOn = draws.chance(9, 10)
        if goesOn:
            draws.choice(STEPS)(b)
        draws.end()
        if not goesOn:
            break
    results = [b.pool[-1]]
    for _ in range(draws.below(3)):
        other = b.pick(lambda v: v not in results)
        if other:
            results.append(other)
    return b.function(name, results)


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for seed in range(first, first + count):
        print(generate(Draws(seed), f"p{seed}"))


if __name__ == "__main__":
    main()
