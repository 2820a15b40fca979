"""Mutants of right kernels whose loops stop short, begin late or take other steps: is every use of uninitialized memory reported, and
nothing else?

usage: shrunk.py WORK [--seed=N] [--count=N]
A kernel writes a buffer in one loop nest, may move it to another one, and uses a part of it. What is written and what is used is
enumerated here, independently of the compiler. Prints recall and false alarms, with proofs and without.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("work", type=pathlib.Path)
parser.add_argument("--seed", type=int, default=11)
parser.add_argument("--count", type=int, default=200)
args = parser.parse_args()
args.work.mkdir(parents=True, exist_ok=True)


def nest(ranges, body):
    text, indent = "", "  "
    for variable, (lo, hi, step) in zip("ij", ranges):
        text += f"{indent}affine.for %{variable} = {lo} to {hi} step {step} {{\n"
        indent += "  "
    text += "".join(f"{indent}{line}\n" for line in body)
    for _ in ranges:
        indent = indent[2:]
        text += f"{indent}}}\n"
    return text


def whole(shape):
    return [(0, size, 1) for size in shape]


def mutate(draw, ranges):
    """Shorter at an end, or with gaps; what is left out is left out for good."""
    result = list(ranges)
    which = draw.randrange(len(result))
    lo, hi, step = result[which]
    result[which] = draw.choice([(lo, draw.randint(lo, hi - 1), step), (draw.randint(lo + 1, hi), hi, step), (lo, hi, 2)])
    return result


def program(name, draw):
    shape = draw.choice([(8,), (17,), (33,), (5, 6), (4, 16), (3, 19)])
    write, move, use = whole(shape), whole(shape), whole(shape)
    moved = draw.random() < 0.4
    kind = draw.choice(["right", "write", "write", "move", "both"])
    if kind in ("write", "both"):
        write = mutate(draw, write)
    if kind == "move" and moved:
        move = mutate(draw, move)
    if kind == "both":
        use = mutate(draw, use)
    at, t = ", ".join(f"%{v}" for v in "ij"[:len(shape)]), "x".join(map(str, shape)) + "x" + draw.choice(["f32", "f64", "i32"])
    element = t.split("x")[-1]
    op = "arith.addi" if element == "i32" else "arith.addf"
    text = f"func.func @{name}(%x: memref<{t}>, %r: memref<{t}>) {{\n  %a = memref.alloc() : memref<{t}>\n"
    text += nest(write, [f"%0 = affine.load %x[{at}] : memref<{t}>", f"%1 = {op} %0, %0 : {element}", f"affine.store %1, %a[{at}] : memref<{t}>"])
    if moved:
        text += f"  %b = memref.alloc() : memref<{t}>\n"
        text += nest(move, [f"%0 = affine.load %a[{at}] : memref<{t}>", f"affine.store %0, %b[{at}] : memref<{t}>"])
    source = "%b" if moved else "%a"
    text += nest(use, [f"%0 = affine.load {source}[{at}] : memref<{t}>", f"%1 = {op} %0, %0 : {element}", f"affine.store %1, %r[{at}] : memref<{t}>"])
    text += "  return\n}\n"
    places = lambda ranges: set(itertools.product(*[range(*each) for each in ranges]))
    known = places(write) & places(move) if moved else places(write)
    return text, len(places(use) - known)


def run(job):
    name, text, proofs = job
    file = args.work / f"{name}.mlir"
    file.write_text(text)
    done = subprocess.run(["mica-run", str(file), "--threads=1", f"--mica-debug=uninitialized-read-check,check-proofs={proofs}"],
                          capture_output=True, text=True, timeout=120, env=dict(os.environ, MICA_CACHE_DIR=str(args.work / "cache"), NO_COLOR="1"))
    said = done.stdout + done.stderr
    found = re.search(r"check failed: affine.load .* reads (\d+) uninitialized elements? of", said)
    if done.returncode not in (0, 3) or (done.returncode == 3) != bool(found):
        return f"{name}: exit code {done.returncode}\n{said}"
    return int(found.group(1)) if found else 0


draw = random.Random(args.seed)
cases = [(f"m{i}", *program(f"m{i}", draw)) for i in range(args.count)]
bad = 0
for proofs in ("on", "off"):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        said = list(pool.map(run, [(name, text, proofs) for name, text, _ in cases]))
    wrong = [(case, each) for case, each in zip(cases, said) if case[2] != each]
    for (name, text, unwritten), each in wrong[:5]:
        print(f"{name}: {unwritten} uses of uninitialized memory, {each} reported\n{text}")
    faulty = sum(1 for case in cases if case[2])
    hits = sum(1 for case, each in zip(cases, said) if case[2] and case[2] == each)
    alarms = sum(1 for case, each in zip(cases, said) if not case[2] and each)
    bad += len(wrong)
    print(f"proofs {proofs}: of {len(cases)} mutants {faulty} use uninitialized memory, {hits} reported with their number; {len(cases) - faulty} do not, {alarms} reported")
sys.exit(bool(bad))
