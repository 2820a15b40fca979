#!/usr/bin/env python3
"""Compiles and runs a folder of published models and cases and prints the table of docs/RealInputs.md.

usage: real_inputs.py BUILD_DIR INPUTS_DIR [--only=SUBSTRING] [--models | --ops] [--target=sim]

INPUTS_DIR holds models/*.mlir (no expected values: compared with the reference evaluator on seeded random inputs) and
ops/*.mlir with ops/manifest.json (entry, inputs, expected results, tolerance: compared with those). One row per file:
ops, kernels, seconds to compile, milliseconds of one run, largest error. Exit code 1 if a row is not right. With a target other than
the CPU nothing is timed.
"""
import argparse
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

FORMATS = {"f32": ("<f4", "f"), "f64": ("<f8", "d"), "i64": ("<i8", "q"), "i32": ("<i4", "i"), "i16": ("<i2", "h"),
           "i8": ("|i1", "b"), "i1": ("|b1", "?"), "f8E4M3FN": ("|u1", "B")}


def write_npy(path, dtype, shape, values):
    descr, code = FORMATS[dtype]
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{d}, ' for d in shape)}), }}"
    header += " " * ((64 - (len(header) + 11) % 64) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(values)}{code}", *values))


def read_npy(path):
    data = open(path, "rb").read()
    (size,) = struct.unpack("<H", data[8:10])
    header = eval(data[10:10 + size].decode(), {"__builtins__": {}}, {"True": True, "False": False})
    codes = [*FORMATS.values(), ("|V1", "B")]  # f8 is written as raw bytes
    code = next(c for d, c in codes if d.lstrip("<|") == header["descr"].lstrip("<|"))
    body = data[10 + size:]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)), header["shape"]


def decode_f8(byte):
    """f8E4M3FN: bias 7, no infinities."""
    sign, exponent, mantissa = byte >> 7, byte >> 3 & 15, byte & 7
    if exponent == 15 and mantissa == 7:
        return math.nan
    value = mantissa / 8 * 2 ** -6 if exponent == 0 else (1 + mantissa / 8) * 2 ** (exponent - 7)
    return -value if sign else value


def encode_f8(value):
    return min(range(256), key=lambda b: math.inf if math.isnan(decode_f8(b)) else abs(decode_f8(b) - value))


def values_of(spec, folder):
    """The elements of an input or expected result of ops/manifest.json."""
    count = math.prod(spec["shape"])
    if "data" in spec:
        flat = spec["data"]
        while isinstance(flat, list) and flat and isinstance(flat[0], list):
            flat = [x for row in flat for x in row]
        flat = flat if isinstance(flat, list) else [flat]
        return [float(x) if isinstance(x, str) else x for x in flat]
    if "splat" in spec:
        value = spec["splat"]
        return [float(value) if isinstance(value, str) else value] * count
    if "bin" in spec:
        raw = open(folder / spec["bin"], "rb").read()
        return list(struct.unpack(f"<{count}{FORMATS[spec['dtype']][1]}", raw))
    # Element types the manifest's maker could not decode: the literal as MLIR prints it.
    return [float(x) for x in re.findall(r"-?[0-9][0-9.eE+-]*", spec["literal"])]


def run(command, **kw):
    return subprocess.run(command, capture_output=True, text=True, **kw)


def first_error(text):
    lines = [l for l in text.splitlines() if "error" in l.lower()] or text.splitlines() or ["no output"]
    return lines[0].strip()[:120]


class Row:
    def __init__(self, name):
        self.name, self.ok, self.note = name, False, ""
        self.ops = self.kernels = self.compile_s = self.run_ms = self.error = ""


def compile_file(build, path, folder, row, target):
    start = time.time()
    done = run([str(build / "bin/mica-compile"), str(path), "-o", str(folder), "--force", f"--target={target}"])
    row.compile_s = f"{time.time() - start:.2f}"
    if done.returncode:
        row.note = f"compile: {first_error(done.stderr)}"
        return False
    manifest = json.load(open(folder / "manifest.json"))
    row.ops, row.kernels = len(manifest["ops"]), len(manifest["kernels"])
    return True


def run_time(text):
    match = re.search(r"([0-9.]+)\s*ms", text)
    return match.group(1) if match else ""


def model_row(build, path, scratch, target):
    row = Row(path.name)
    folder = scratch / path.stem
    if not compile_file(build, path, folder, row, target):
        return row
    done = run([str(build / "bin/mica-run"), str(folder), "--check-reference"])
    match = re.search(r"rel[- ]?L2[^0-9]*([0-9.e+-]+)", done.stdout + done.stderr, re.I)
    row.error = match.group(1) if match else ""
    row.ok = done.returncode == 0
    if not row.ok:
        row.note = f"run: {first_error(done.stderr or done.stdout)}"
    if target != "cpu":
        return row
    timed = run([str(build / "bin/mica-run"), str(folder), "--repeat=20", "--time"])
    row.run_ms = run_time(timed.stdout + timed.stderr)
    return row


def agree(got, expected, tolerance):
    """(right, largest absolute difference) in NumPy's sense of atol and rtol."""
    worst, right = 0.0, len(got) == len(expected)
    for a, b in zip(got, expected):
        if isinstance(b, float) and math.isnan(b):
            right &= isinstance(a, float) and math.isnan(a)
            continue
        difference = abs(a - b) if not (a == b) else 0.0
        worst = max(worst, difference)
        limit = 0.0 if tolerance == "exact" else tolerance["atol"] + tolerance["rtol"] * abs(b)
        right &= difference <= limit
    return right, worst


def op_row(build, case, inputs, scratch, target):
    row = Row(case["file"])
    folder = scratch / case["id"]
    if not compile_file(build, inputs / case["file"], folder, row, target):
        return row
    command = [str(build / "bin/mica-run"), str(folder), f"--entry={case['entry']}"]
    for i, spec in enumerate(case["inputs"]):
        values = values_of(spec, inputs)
        if spec["dtype"].startswith("f8"):
            values = [encode_f8(v) for v in values]
        write_npy(scratch / f"in{i}.npy", spec["dtype"], spec["shape"], values)
        command.append(f"--input=@{scratch / f'in{i}.npy'}")
    results = 1 + max(e["result"] for e in case["expected"])
    manifest = json.load(open(folder / "manifest.json"))
    total = len(next(e for e in manifest["entries"] if e["name"] == case["entry"])["results"])
    command += [f"--output=@{scratch / f'out{i}.npy'}" for i in range(max(results, total))]
    done = run(command)
    if done.returncode:
        row.note = f"run: {first_error(done.stderr or done.stdout)}"
        return row
    worst, row.ok = 0.0, True
    for expected in case["expected"]:
        got, _ = read_npy(scratch / f"out{expected['result']}.npy")
        if expected.get("dtype", "").startswith("f8"):
            got = [decode_f8(int(b) & 255) for b in got]
        if expected.get("dtype") == "i1":
            got = [int(bool(g)) for g in got]
        if "equals_result" in expected:
            wanted, _ = read_npy(scratch / f"out{expected['equals_result']}.npy")
        else:
            wanted = [int(v) if isinstance(v, bool) else v for v in values_of(expected, inputs)]
        right, difference = agree(got, wanted, expected["tolerance"])
        row.ok &= right
        worst = max(worst, difference)
    row.error = f"{worst:.2g}"
    if not row.ok:
        row.note = "differs from the published result"
    if target != "cpu":
        return row
    timed = run(command[:3] + command[3:] + ["--repeat=20", "--time"])
    row.run_ms = run_time(timed.stdout + timed.stderr)
    return row


def argumentParser(description):
    """What the scripts that run a folder of programs have in common: the folders, and which files."""
    def folder(text):
        return pathlib.Path(text).resolve()
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=folder, metavar="BUILD_DIR")
    parser.add_argument("inputs", type=folder, metavar="INPUTS_DIR")
    parser.add_argument("--only", default="", metavar="SUBSTRING", help="only files whose name contains it")
    return parser


def main():
    parser = argumentParser(__doc__)
    which = parser.add_mutually_exclusive_group()
    for kind in ("models", "ops"):
        which.add_argument(f"--{kind}", dest="kinds", action="store_const", const={kind}, default={"models", "ops"})
    parser.add_argument("--target", default="cpu", help="what the programs are compiled for")
    options = parser.parse_args()
    build, inputs, only, kinds = options.build, options.inputs, options.only, options.kinds
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        if "models" in kinds:
            # The decode step holds 7 GB of weights; it is a long test of its own.
            for path in sorted((inputs / "models").glob("*.mlir")):
                if only in path.name and os.path.getsize(path) < 700_000:
                    rows.append(model_row(build, path, scratch, options.target))
        if "ops" in kinds:
            for case in json.load(open(inputs / "ops" / "manifest.json")):
                if only in case["id"]:
                    rows.append(op_row(build, case, inputs / "ops", scratch, options.target))
    print("| file | ops | kernels | compile s | run ms | largest error | |\n|---|---|---|---|---|---|---|")
    for r in rows:
        print(f"| {r.name} | {r.ops} | {r.kernels} | {r.compile_s} | {r.run_ms} | {r.error} | {'ok' if r.ok else r.note} |")
    right = sum(r.ok for r in rows)
    print(f"\n{right} of {len(rows)} right")
    return 0 if right == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
