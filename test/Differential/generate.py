"""Programs from seeds.

usage: generate.py SEED [COUNT]    prints the programs of seeds SEED, SEED + 1, ..
"""
import re
import sys

import buffers
import calls
import casts
import control
import elementwise
import flows
import ieee
import layouts
import movement
import norms
import partial
import reductions
import scalars
import shapes
import tosa
import tosa_windows
import twins
import upstream
import windows
from draws import Draws
from program import Builder

GROUPS = [module.STEPS for module in (elementwise, elementwise, casts, shapes, movement, reductions, norms, windows, upstream, partial,
                                         tosa, tosa_windows)]
DTYPES = ["f32", "f32", "f32", "i32", "i32", "f64", "i64", "i8", "f16", "bf16", "i16", "i1", "i4", "f8E4M3FN", "f8E5M2"]


def plain(b):
    """One more op, of any kind; None where what was drawn does not fit."""
    return b.draws.choice(b.draws.choice(GROUPS))(b)


def addOp(b):
    """One more op, or several that belong together; None where what was drawn does not fit."""
    return b.draws.choice(COMPOSED)(b) if b.draws.chance(1, 6) else plain(b)


COMPOSED = [flows.chain, flows.makeFan(plain), flows.rows, control.makeLoop(plain), control.makeWhile(plain),
            control.makeBranch(plain), calls.makeCall(addOp)]


def chooseResults(b):
    """The last value, some that nothing uses, so that little is dropped, and perhaps one that is used."""
    used = {name for line in b.lines for name in re.findall(r"%\w+(?:#\d+)?", re.sub(r"^%[^=]*= ", "", line))}
    results = [b.pool[-1]]
    unused = [value for value in b.pool[-2::-1] if value.name.startswith("%v") and value.name not in used]
    results += unused[:b.draws.below(4)]
    if b.draws.chance(1, 4):
        other = b.pick(lambda value: value not in results)
        results += [other] if other else []
    return results


def generate(draws, name):
    """The text of one program named `name`, or of a pair of programs, the second of which is named `name`_twin."""
    b = Builder(draws)
    if draws.chance(1, 10):
        found = draws.choice([twins, layouts]).pair(b, name, f"{name}_twin")
        if found:
            return found
    if draws.chance(1, 10):
        return ieee.program(b, name)
    if draws.chance(1, 30):
        return scalars.program(b, name)
    if draws.chance(1, 12):
        return buffers.program(b, name)
    for _ in range(1 + draws.below(2)):
        b.new(draws.choice(DTYPES), b.shape())
    count = 1 + draws.below(7)
    for _ in range(4 * count):
        draws.begin()
        count -= addOp(b) is not None
        draws.end()
        if count == 0:
            break
    return b.function(name, chooseResults(b))


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for seed in range(first, first + count):
        print(generate(Draws(seed), f"p{seed}"))


if __name__ == "__main__":
    main()
