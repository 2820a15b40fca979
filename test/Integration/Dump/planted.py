#!/usr/bin/env python3
"""Plants a fault in one of 60 operations and looks whether one call of mica-dump, and one of --why, names it.

usage: planted.py FOLDER [--faults=N] [--target=cpu|sim]

A program of 60 operations on 16x16 floats is drawn from a seed. Faults are edits of one line that keep the ids of all operations: swapped
operands, a wrong operand, a wrong constant, a wrong axis, a missing transposition, a missing accumulation, a tile that is off by one, a wrong
rounding; and a dependency that is taken from the schedule, whose first task then runs as late as it may: there one of the two operations that
the dependency ordered has to be named. Each kind is planted in turn. Both programs run with dump-tensors=2, and with 3, whose
statistics are fingerprints; the first difference that mica-dump reports must be of the operation that was edited. So must be the one that
--why reports of the element of the result that is furthest from the reference, which evaluates the program without the fault.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys

T = "tensor<16x16xf32>"
OPS = 60
ROWS = 'indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]'
INPUTS = ["--input=random:1", "--input=random:2"]
LOST = "lost dependency"
TRIES = 8


def draw(seed):
    """The lines of the program, and per line the faults that it can have."""
    chosen = random.Random(seed)
    lines, faults = [], []
    for i in range(OPS):
        a = f"%v{i - 1}" if i else "%x"
        b = chosen.choice(["%x", "%y"] + [f"%v{j}" for j in range(max(0, i - 6), i - 1)])
        # One alone: what f16 rounds explains small differences behind it.
        kind = "round" if i == OPS - 6 else chosen.choice(["add", "sub", "mul", "matmul", "tanh", "softmax", "scale", "rows", "tile"])
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
        elif kind == "rows":
            line = (f"%z{i} = arith.constant dense<0.0> : tensor<16xf32>\n  %r{i} = linalg.generic {{{ROWS}}} "
                    f"ins({a} : {T}) outs(%z{i} : tensor<16xf32>) {{\n  ^bb0(%e: f32, %o: f32):\n    %s = arith.addf %o, %e : f32\n"
                    f"    linalg.yield %s : f32\n  }} -> tensor<16xf32>\n"
                    f"  %w{i} = mica.broadcast %r{i} : (tensor<16xf32>) -> {T}\n  %v{i} = mica.tanh %w{i} : {T}")
            possible = {"missing accumulation": line.replace("linalg.yield %s", "linalg.yield %e")}
        elif kind == "tile":
            line = (f"%t{i} = tensor.extract_slice {a}[4, 0] [8, 16] [1, 1] : {T} to tensor<8x16xf32>\n"
                    f"  %v{i} = tensor.insert_slice %t{i} into {b}[2, 0] [8, 16] [1, 1] : tensor<8x16xf32> into {T}")
            possible = {"tile off by one": line.replace("[4, 0]", "[5, 0]")}
        elif kind == "round":
            line = (f"%h{i} = arith.truncf {a} : {T} to tensor<16x16xf16>\n"
                    f"  %v{i} = arith.extf %h{i} : tensor<16x16xf16> to {T}")
            possible = {"wrong rounding": line.replace("f16>", "bf16>")}
        else:
            line = f"%c{i} = arith.constant dense<0.75> : {T}\n  %v{i} = mica.mul {a}, %c{i} : {T}"
            possible = {"wrong constant": line.replace("0.75", "0.76")}
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


def runs(folder, name, *flags, codes=(0,)):
    """The dumps and the run of the artifact `name`."""
    for level in (2, 3):
        run("mica-run", folder / name, *INPUTS, *flags, f"--mica-debug=dump-tensors={level},dump-dir={folder}/{name}.{level}", codes=codes)
    run("mica-run", folder / name, *INPUTS, *flags, "--mica-debug=dump-tensors=2", f"--run-dir={folder}/{name}.runs", codes=codes)


def compiled(folder, name, program, target):
    model, artifact = folder / f"{name}.mlir", folder / name
    model.write_text(program)
    run("mica-compile", model, "-O0", f"--target={target}", "--dump-passes=off", "--force", "-o", artifact)


def results(folder, name):
    return (folder / f"{name}.runs" / "latest" / "data" / "out" / "0.npy").read_bytes()


def lose_dependency(folder, chosen):
    """Takes one from the schedule of a copy of the good program, and runs that; the ids of the two operations."""
    artifact = folder / "bad"
    shutil.rmtree(artifact, ignore_errors=True)
    shutil.copytree(folder / "good", artifact)
    run("mica-run", artifact, f"--deps={folder}/deps.json")
    made = json.loads((folder / "deps.json").read_text())["lists"][0]
    read = {(hazard["before"], hazard["after"]) for hazard in made["hazards"] if hazard["reason"] == "RAW"}
    ops = [task["op"] for task in made["tasks"]]
    edges = [(edge["before"], edge["after"]) for edge in made["edges"] if edge["needed"] and not edge["implied"]]
    before, after = chosen.choice([(b, a) for b, a in edges if (b, a) in read and ops[b] != ops[a]])
    tasks = json.loads((artifact / "host" / "tasks.json").read_text())
    tasks["lists"][0]["tasks"][after]["deps"].remove(before)
    (artifact / "host" / "tasks.json").write_text(json.dumps(tasks))
    runs(folder, "bad", f"--schedule=delay:{ops[before]}", codes=(0, 3))
    return {ops[before], ops[after]}


def plant(folder, name, lines, faults, target, chosen):
    """Plants a fault of kind `name` and runs the program; the lines or ids of which one is to be named, and what it is."""
    if name == LOST:
        right = lose_dependency(folder, chosen)
        return right, f"{name} of {' and '.join(sorted(right))}"
    place = chosen.choice([i for i in range(OPS) if name in faults[i]])
    edited = list(lines)
    edited[place] = faults[place][name]
    compiled(folder, "bad", text(edited), target)
    runs(folder, "bad")
    # Lines before the edit are as they were; an operation is known by its line.
    first = 2 + sum(line.count("\n") + 1 for line in lines[:place])
    return range(first, first + lines[place].count("\n") + 1), f"{name} in line {first}"


def main():
    folder = pathlib.Path(sys.argv[1])
    options = dict(argument.lstrip("-").split("=") for argument in sys.argv[2:])
    count, target = int(options.get("faults", 20)), options.get("target", "cpu")
    folder.mkdir(parents=True, exist_ok=True)
    found = {"level 2": 0, "level 3": 0, "why": 0}
    chosen = random.Random(count)
    lines, faults = draw(9)
    compiled(folder, "good", text(lines), target)
    runs(folder, "good")
    kinds = sorted({name for possible in faults for name in possible} | {LOST})
    chosen.shuffle(kinds)
    for number in range(count):
        name = kinds[number % len(kinds)]
        shutil.rmtree(folder / "bad.runs", ignore_errors=True)
        for _ in range(TRIES):
            right, what = plant(folder, name, lines, faults, target, chosen)
            if results(folder, "bad") != results(folder, "good"):
                break  # Else a later operation hides it.
        for level in found:
            if level == "why":
                report = json.loads(run("mica-compile", "--evaluate", folder / "good.mlir", *INPUTS, "--why=largest",
                                        f"--why-run={folder}/bad.runs/latest", "--why-json", "--why-nodes=400", codes=(0, 3)))
                difference = report["nodes"][report["first_difference"]] if "first_difference" in report else None
            else:
                dump = level[-1]
                report = json.loads(run("mica-dump", folder / f"good.{dump}", folder / f"bad.{dump}", "--json", codes=(0, 3)))
                # Statistics alone show a small fault as other bits from equal inputs.
                difference = report.get("first_other_bits") or report.get("first_difference")
            line = int(difference["source"].split(":")[1]) if difference else 0
            if line in right or (name == LOST and difference and difference["op"] in right):
                found[level] += 1
            else:
                print(f"{level}: {what} not found: {difference}")
    for level, number in found.items():
        print(f"{target}, {level}: {number} of {count} faults found")
    print("kinds: " + ", ".join(sorted(kinds)))


main()
