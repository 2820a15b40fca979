#!/usr/bin/env python3
"""Seconds that mica-diff takes to compare 100,000 ops after parsing: a random program with itself in another order, and with one
constant changed.

    python3 test/Bench/bench_diff.py build [--ops=N] [--json]
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import tempfile


def program(ops, seed):
    """Functions of a thousand ops each: (name, operands, text after them)."""
    draw = random.Random(seed)
    functions = []
    for _ in range(max(1, ops // 1000)):
        body = []
        for i in range(min(ops, 1000) - 2):
            value = lambda: draw.randrange(-1, i)
            kind = draw.randrange(6)
            if kind == 0:
                body.append((f"arith.constant {draw.randrange(10**6)}.0", []))
            elif kind < 3:
                body.append((draw.choice(["math.exp", "math.tanh", "arith.negf"]), [value()]))
            else:
                body.append((draw.choice(["arith.addf", "arith.mulf", "arith.subf"]), [value(), value()]))
        functions.append(body)
    return functions


def text(functions, prefix, draw=None):
    lines = []
    numbered = list(enumerate(functions))
    if draw:
        draw.shuffle(numbered)
    for number, body in numbered:
        name = lambda i: "%a" if i < 0 else f"%{prefix}{i}"
        lines.append(f"func.func @f{number}(%a: f32) -> f32 {{")
        order = list(range(len(body)))
        if draw:  # operands before users: each op somewhere behind its latest operand
            place = [0.0] * len(body)
            for i, (_, operands) in enumerate(body):
                place[i] = max([place[o] for o in operands if o >= 0], default=0.0) + draw.random()
            order.sort(key=lambda i: place[i])
        for i in order:
            op, operands = body[i]
            lines.append(f"  {name(i)} = {op} {', '.join(name(o) for o in operands)} : f32")
        lines.append(f"  return {name(len(body) - 1)} : f32\n}}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--ops", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    functions = program(options.ops, 1)
    changed = [list(body) for body in functions]
    middle = changed[len(changed) // 2]
    at = next(i for i, (op, _) in enumerate(middle) if op.startswith("arith.constant"))
    middle[at] = ("arith.constant 1234567.0", [])
    results = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "a.mlir").write_text(text(functions, "v"))
        for case, other, code in [("same, other names and order", text(functions, "w", random.Random(2)), 0),
                                  ("one constant changed", text(changed, "w", random.Random(2)), 3)]:
            (folder / "b.mlir").write_text(other)
            run = subprocess.run([options.build / "bin" / "mica-diff", folder / "a.mlir", folder / "b.mlir", "--stat", "--time"],
                                 capture_output=True, text=True)
            if run.returncode != code:
                raise SystemExit(f"{case}: exit code {run.returncode}, expected {code}\n{run.stdout}{run.stderr}")
            read, compare = map(float, re.findall(r"([\d.]+) s", run.stderr))
            results.append({"case": case, "ops": options.ops, "read_s": read, "compare_s": compare})
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        for result in results:
            print(f"{result['case']}: {result['ops']} ops, {result['read_s']:.2f} s reading, "
                  f"{result['compare_s']:.2f} s comparing")


if __name__ == "__main__":
    main()
