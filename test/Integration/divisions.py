#!/usr/bin/env python3
"""Divides by zero, and the smallest integer by -1: each is an error that names operation, line and operands, whatever is not is right.

usage: divisions.py FOLDER [--levels=O0,O2] [--seed=N]

Every division of `arith`, i8 to i64, in kernels (fewer elements than a vector has, more, a size known at run time) and in host
functions. A clean run of each is compared with Python's own integers.
"""
import argparse
import pathlib
import random
import struct
import subprocess
import sys

KINDS = {"divsi": True, "remsi": True, "ceildivsi": True, "floordivsi": True, "divui": False, "remui": False, "ceildivui": False}
WIDTHS = (8, 16, 32, 64)
SIZES = (3, 37)


def quotient(kind, x, y):
    if kind == "floordivsi":
        return x // y
    if kind in ("ceildivsi", "ceildivui"):
        return -(-x // y)
    cut = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return cut if kind.startswith("div") else x - cut * y


def function(name, kind, width, shape):
    t = f"tensor<{shape}xi{width}>"
    empty = f"tensor.empty() : {t}"
    size = ""
    if shape == "?":
        size = f"  %c0 = arith.constant 0 : index\n  %n = tensor.dim %x, %c0 : {t}\n"
        empty = f"tensor.empty(%n) : {t}"
    return f"""func.func @{name}(%x: {t}, %y: {t}) -> {t} {{
{size}  %e = {empty}
  %0 = linalg.generic {{indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]}} ins(%x, %y : {t}, {t}) outs(%e : {t}) {{
  ^bb0(%a: i{width}, %b: i{width}, %o: i{width}):
    %q = arith.{kind} %a, %b : i{width}
    linalg.yield %q : i{width}
  }} -> {t}
  return %0 : {t}
}}
"""


def host(name, kind, width):
    t = f"tensor<1xi{width}>"
    return f"""func.func @{name}(%x: {t}, %y: {t}) -> {t} {{
  %c0 = arith.constant 0 : index
  %a = tensor.extract %x[%c0] : {t}
  %b = tensor.extract %y[%c0] : {t}
  %q = arith.{kind} %a, %b : i{width}
  %0 = tensor.from_elements %q : {t}
  return %0 : {t}
}}
"""


def write_npy(path, width, values):
    header = f"{{'descr': '<i{width // 8}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * ((64 - (len(header) + 11) % 64) % 64) + "\n"
    mask = (1 << width) - 1
    data = b"".join((value & mask).to_bytes(width // 8, "little") for value in values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path, width, signed):
    data = path.read_bytes()
    data = data[10 + struct.unpack("<H", data[8:10])[0]:]
    step = width // 8
    return [int.from_bytes(data[at:at + step], "little", signed=signed) for at in range(0, len(data), step)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    random.seed(options.seed)
    cases, text = [], "#m = affine_map<(d0) -> (d0)>\n"
    for kind in KINDS:
        for width in WIDTHS:
            for shape in (*SIZES, "?", None):
                name = f"{kind}_{width}_{'host' if shape is None else 'any' if shape == '?' else shape}"
                cases.append((name, kind, width, {None: 1, "?": 21}.get(shape, shape)))
                line = text.count("\n") + 1
                text += host(name, kind, width) if shape is None else function(name, kind, width, shape)
                for number, each in enumerate(text.splitlines()[line - 1:], line):
                    if f"arith.{kind}" in each:
                        cases[-1] += ({number, number - 2},)  # the division, or the op whose body it is
    program = options.folder / "divisions.mlir"
    program.write_text(text)
    failures, runs = [], 0
    for level in options.levels.split(","):
        artifact = options.folder / level
        subprocess.run(["mica-compile", program, f"-{level}", "-o", artifact, "--force", "--dump-passes=off"], check=True, stderr=subprocess.DEVNULL)
        for name, kind, width, size, lines in cases:
            signed = KINDS[kind]
            low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
            xs = [random.randint(low, high) for _ in range(size)]
            ys = [random.choice([value for value in (random.randint(low, high), 3, 7) if value not in (0, -1)]) for _ in range(size)]
            place = random.randrange(size)
            faults = [None, (xs[place], 0)] + ([(low, -1)] if signed and not kind.startswith("rem") else [])
            for fault in faults:
                x, y = list(xs), list(ys)
                if fault:
                    x[place], y[place] = fault
                for file, values in (("x.npy", x), ("y.npy", y)):
                    write_npy(options.folder / file, width, values)
                done = subprocess.run(["mica-run", artifact, f"--entry={name}", "--input=@x.npy", "--input=@y.npy", "--output=@r.npy"],
                                      cwd=options.folder, capture_output=True, text=True)
                runs += 1
                what = f"-{level} {name} {fault}"
                if fault is None:
                    expected = [quotient(kind, a, b) for a, b in zip(x, y)]
                    if done.returncode != 0 or read_npy(options.folder / "r.npy", width, signed) != expected:
                        failures.append(f"{what}: exit code {done.returncode}, {done.stderr[:300]}")
                    continue
                named = [f"divisions.mlir:{line}:" in done.stderr for line in lines]
                shown = f"({fault[0] if signed or fault[0] < 1 << 63 else fault[0] - (1 << 64)}, {fault[1]})"
                if done.returncode not in (1, 3) or not any(named) or "division" not in done.stderr or shown not in done.stderr:
                    failures.append(f"{what}: exit code {done.returncode}, not {shown} at {sorted(lines)}: {done.stderr[:400]}")
    for failure in failures:
        print(failure)
    print(f"{runs} runs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
