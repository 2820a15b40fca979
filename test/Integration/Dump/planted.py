#!/usr/bin/env python3
"""Plants a fault in one of 60 operations and looks whether one call of mica-dump, and one of --why, names it.

usage: planted.py FOLDER [--faults=N] [--target=cpu|sim]

A program of 60 operations on 16x16 floats is drawn from a seed. Faults are edits of one line that keep the ids of all operations: swapped
operands, a wrong operand, a wrong constant, a wrong axis, a missing transposition. Both programs run with dump-tensors=2, and with 3, whose
statistics are fingerprints; the first difference that mica-dump reports must be of the operation that was edited. So must be the one that
--why reports of the element of the result that is furthest from the reference, which evaluates the program without the fault.
"""
import json
import pathlib
import random
import subprocess
import sys

T = "tensor<16x16xf32>"
OPS = 60


def draw(seed):
    """The lines of the program, and per line the faults that it can have."""
    chosen = random.Random(seed)
    lines, faults = [], []
    for i in range(OPS):
        a = f"%v{i - 1}" if i else "%x"
        b = chosen.choice(["%x", "%y"] + [f"%v{j}" for j in range(max(0, i - 6), i - 1)])
        kind = chosen.choice(["add", "sub", "mul", "matmul", "tanh", "softmax", "scale"])
        if kind in ("add", "sub", "mul"):
            line = f"%v{i} = mica.{kind} {a}, {b} : {T}"
            possible = {"wrong operand": line.replace(f"{a}, {b}", f"{a}, {a}")}
            if kind == "sub":
                possible["swapped operands"] = line.replace(f"{a}, {b}", f"{b}, {a}")
        elif kind == "matmul":
            # Normalized behind it, so that values stay as they are.
            line = f"%m{i} = mica.matmul {a}, {b} : ({T}, {T}) -> {T}\n  %v{i} = mica.tanh %m{i} : {T}"
            possible = {"swapped operands": line.replace(f"{a}, {b}", f"{b}, {a}"),
                        "missing transposition": line.replace(f"{a}, {b} :", f"{a}, {b} transpose_b :")}
        elif kind == "tanh":
            line = f"%v{i} = mica.tanh {a} : {T}"
            possible = {"wrong operand": line.replace(a + " :", b + " :")}
        elif kind == "softmax":
            line = f"%v{i} = mica.softmax {a} axis = 1 : {T}"
            possible = {"wrong axis": line.replace("axis = 1", "axis = 0")}
        else:
            line = f"%c{i} = arith.constant dense<0.75> : {T}\n  %v{i} = mica.mul {a}, %c{i} : {T}"
            possible = {"wrong constant": line.replace("0.75", "0.7501")}
        lines.append(line)
        faults.append({name: edited for name, edited in possible.items() if edited != line and a != b})
    return lines, faults


def text(lines):
    body = "\n  ".join(lines)
    return f"func.func @main(%x: {T}, %y: {T}) -> {T} {{\n  {body}\n  return %v{OPS - 1} : {T}\n}}\n"


def run(*command, codes=(0,)):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def dumps(folder, name, program, target):
    model, artifact = folder / f"{name}.mlir", folder / name
    model.write_text(program)
    run("mica-compile", model, "-O0", f"--target={target}", "--dump-passes=off", "--force", "-o", artifact)
    for level in (2, 3):
        run("mica-run", artifact, "--input=random:1", "--input=random:2",
            f"--mica-debug=dump-tensors={level},dump-dir={folder}/{name}.{level}")
    run("mica-run", artifact, "--input=random:1", "--input=random:2", "--mica-debug=dump-tensors=2", f"--run-dir={folder}/{name}.runs")


def main():
    folder = pathlib.Path(sys.argv[1])
    options = dict(argument.lstrip("-").split("=") for argument in sys.argv[2:])
    count, target = int(options.get("faults", 20)), options.get("target", "cpu")
    folder.mkdir(parents=True, exist_ok=True)
    found = {"level 2": 0, "level 3": 0, "why": 0}
    chosen = random.Random(count)
    lines, faults = draw(4)
    dumps(folder, "good", text(lines), target)
    places = [i for i in range(OPS) if faults[i]]
    for number in range(count):
        place = chosen.choice(places)
        name = chosen.choice(sorted(faults[place]))
        edited = list(lines)
        edited[place] = faults[place][name]
        dumps(folder, "bad", text(edited), target)
        # Lines before the edit are as they were; an operation is known by its line.
        first = 2 + sum(line.count("\n") + 1 for line in lines[:place])
        wanted = range(first, first + lines[place].count("\n") + 1)
        for level in found:
            if level == "why":
                report = json.loads(run("mica-compile", "--evaluate", folder / "good.mlir", "--input=random:1", "--input=random:2",
                                        "--why=largest", f"--why-run={folder}/bad.runs/latest", "--why-json", "--why-nodes=400",
                                        codes=(0, 3)))
                difference = report["nodes"][report["first_difference"]] if "first_difference" in report else None
            else:
                dump = level[-1]
                report = json.loads(run("mica-dump", folder / f"good.{dump}", folder / f"bad.{dump}", "--json", codes=(0, 3)))
                # Statistics alone show a small fault as other bits from equal inputs.
                difference = report.get("first_other_bits") or report.get("first_difference")
            line = int(difference["source"].split(":")[1]) if difference else 0
            if line in wanted:
                found[level] += 1
            else:
                print(f"{level}: {name} in line {wanted[0]} not found: {difference}")
    for level, number in found.items():
        print(f"{target}, {level}: {number} of {count} faults found")


main()
