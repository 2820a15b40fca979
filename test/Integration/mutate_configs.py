#!/usr/bin/env python3
"""Edits lowering configurations in snapshots at random, and holds what comes of it against the program as it was compiled.

usage: mutate_configs.py FOLDER [--count=N] [--seed=N] [--workers=N] [--targets=cpu,sim,cuda] [--state=FILE]

Each trial changes one configuration (mica_codegen.lowering_config) in the snapshot behind the pass that selected it: a number, a keyword, a
key left out or given twice, a list made longer or shorter, the configuration of another operation in its place, or none. mica-run
compiles the kernel again from there. A trial fails unless the run ends with 0 and the same results, bit for bit (inputs are small
integers, whose sums are exact in every order), or with 1 and an error. A crash, another exit code, and 60 s of computing
without an end are failures.
For cuda, whose device is not needed, the kernel is compiled to PTX and not run; sim selects the same configurations and runs them.
Prints the failures, how many trials ended in which way, and "N trials, M failures".

With --state, the trials so far are counted in FILE, and the same command goes on behind them; --minutes ends it earlier.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import time

import snapshot_files

MATMUL = """func.func @main(%a: tensor<{m}x{k}x{t}>, %b: tensor<{k}x{n}x{t}>, %c: tensor<{m}x{n}x{s}>) -> tensor<{m}x{n}x{s}> {{
  %0 = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{t}>, tensor<{k}x{n}x{t}>) outs(%c : tensor<{m}x{n}x{s}>) -> tensor<{m}x{n}x{s}>
  return %0 : tensor<{m}x{n}x{s}>
}}
"""
PROGRAMS = {
    "matmul": (MATMUL.format(m=48, n=80, k=40, t="f32", s="f32"), ["48x40xf32", "40x80xf32", "48x80xf32"]),
    "halves": (MATMUL.format(m=64, n=64, k=64, t="f16", s="f32"), ["64x64xf16", "64x64xf16", "64x64xf32"]),
    "dynamic": (MATMUL.format(m="?", n="?", k="?", t="f32", s="f32"), ["37x33xf32", "33x70xf32", "37x70xf32"]),
    "dot": ("""func.func @main(%a: tensor<3x64xf32>, %b: tensor<50x64xf32>) -> tensor<3x50xf32> {
  %0 = mica.transpose %b permutation = [1, 0] : (tensor<50x64xf32>) -> tensor<64x50xf32>
  %1 = mica.matmul %a, %0 : (tensor<3x64xf32>, tensor<64x50xf32>) -> tensor<3x50xf32>
  return %1 : tensor<3x50xf32>
}
""", ["3x64xf32", "50x64xf32"]),
    "short_rows": ("""func.func @main(%a: tensor<40x64xf32>, %b: tensor<40x14xf32>) -> tensor<64x14xf32> {
  %0 = mica.transpose %a permutation = [1, 0] : (tensor<40x64xf32>) -> tensor<64x40xf32>
  %1 = mica.matmul %0, %b : (tensor<64x40xf32>, tensor<40x14xf32>) -> tensor<64x14xf32>
  return %1 : tensor<64x14xf32>
}
""", ["40x64xf32", "40x14xf32"]),
    "conv": ("""func.func @main(%x: tensor<2x9x10x8xf32>, %w: tensor<3x3x8x20xf32>, %z: tensor<2x7x8x20xf32>) -> tensor<2x7x8x20xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x10x8xf32>, tensor<3x3x8x20xf32>) outs(%z : tensor<2x7x8x20xf32>) -> tensor<2x7x8x20xf32>
  return %0 : tensor<2x7x8x20xf32>
}
""", ["2x9x10x8xf32", "3x3x8x20xf32", "2x7x8x20xf32"]),
    "rows": ("""func.func @main(%x: tensor<40x200xf32>) -> tensor<40x200xf32> {
  %0 = mica.reduce sum %x dims = [1] keep_dims : (tensor<40x200xf32>) -> tensor<40x1xf32>
  %1 = mica.sub %x, %0 : (tensor<40x200xf32>, tensor<40x1xf32>) -> tensor<40x200xf32>
  return %1 : tensor<40x200xf32>
}
""", ["40x200xf32"]),
}
NUMBERS = [-(2**63), -9, -1, 0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 32, 33, 48, 64, 100, 128, 256, 1000, 1024, 4096, 2**31, 2**63 - 1, 2**64]
KEYWORDS = ["outer", "dot", "interleaved", "transposed", "lanes_outer", "rows_outer", "tensor_cores", "workgroup_tiles", "true", "false", "nothing", "\"text\""]


def run(*command):
    """A process that ends after 60 s of computing; on a busy machine that may be much longer."""
    limited = ["/bin/sh", "-c", 'ulimit -t 60; exec "$0" "$@"', *(str(part) for part in command)]
    return subprocess.run(limited, capture_output=True, text=True, timeout=1200, errors="replace")


def write_inputs(folder, shapes):
    """Small integers as .npy files."""
    rng = random.Random(7)
    for seed, shape in enumerate(shapes, 1):
        *sizes, element = shape.split("x")
        sizes = [int(size) for size in sizes]
        count = 1
        for size in sizes:
            count *= size
        form, letter = {"f32": ("<f4", "f"), "f16": ("<f2", "e")}[element]
        head = str({"descr": form, "fortran_order": False, "shape": tuple(sizes)}).encode()
        head += b" " * (-(len(head) + 11) % 64) + b"\n"
        values = struct.pack(f"<{count}{letter}", *(rng.randint(-3, 4) for _ in range(count)))
        (folder / f"{seed}.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + values)


class Case:
    """A compiled program, its snapshots with configurations, and what it computes."""

    def __init__(self, work, name, target):
        self.name, self.target = name, target
        text, shapes = PROGRAMS[name]
        self.folder = work / f"{name}-{target}"
        self.folder.mkdir(parents=True)
        (self.folder / "program.mlir").write_text(text)
        write_inputs(self.folder, shapes)
        self.artifact = self.folder / "artifact"
        done = run("mica-compile", self.folder / "program.mlir", f"--target={target}", "-o", self.artifact)
        if done.returncode != 0:
            sys.exit(f"mutate_configs.py: {name} for {target}: {done.stderr}")
        self.inputs = [f"--input=@{self.folder / f'{i}.npy'}" for i in range(1, len(shapes) + 1)]
        self.snapshots = [file.name for file in sorted((self.artifact / "passes_dump").glob("*_mica-*-select-*.mlir"))
                          if "#mica_codegen." in snapshot_files.read_text(file)]
        self.expected = self.results(self.artifact)[1]

    def results(self, artifact):
        """The process, and the bytes of the result; None for PTX that is only compiled."""
        if self.target.startswith("cuda"):
            return run("mica-compile", f"--rebuild={artifact}"), None
        done = run("mica-run", artifact, *self.inputs, "--threads=1", f"--output=@{artifact}.npy")
        return done, pathlib.Path(f"{artifact}.npy").read_bytes() if done.returncode == 0 else None


def mutate(rng, text, others):
    """`text` with one configuration changed."""
    found = list(re.finditer(r"#mica_codegen\.(\w+)<([^<>]*)>", text))
    place = rng.choice(found)
    body = place[2]
    kind = rng.choice(["number", "number", "number", "number", "keyword", "drop", "twice", "longer", "shorter", "other", "none"])
    whole = None
    if kind == "number":
        number = rng.choice(list(re.finditer(r"(?<![\w\"])-?\d+(?![\w\"])", re.sub(r'"[^"]*"', lambda m: "_" * len(m[0]), body))))
        old = int(number[0])
        new = rng.choice(NUMBERS + [old + 1, old - 1, old * 2, old // 2] * 3)
        body = body[:number.start()] + str(new) + body[number.end():]
    elif kind == "keyword":
        word = rng.choice(list(re.finditer(r"= ([a-z_]+)", body)) or [None])
        body = body if word is None else body[:word.start(1)] + rng.choice(KEYWORDS) + body[word.end(1):]
    elif kind in ("drop", "twice"):
        pairs = re.findall(r'\w+ = (?:\[[^\]]*\]|"[^"]*"|[^,\]]+)', body)
        index = rng.randrange(len(pairs))
        pairs[index:index + 1] = [] if kind == "drop" else [pairs[index]] * 2
        body = ", ".join(pairs)
    elif kind in ("longer", "shorter"):
        body = re.sub(r"\[([^\]]*)\]", lambda m: f"[{m[1]}, 4]" if kind == "longer" else f"[{m[1].rpartition(', ')[0]}]", body, count=1)
    elif kind == "other":
        whole = rng.choice(others)
    else:
        whole = ""
    if whole == "":
        return kind, re.sub(r"mica_codegen\.lowering_config = " + re.escape(place[0]) + r"(, )?", "", text)
    new = whole or f"#mica_codegen.{place[1]}<{body}>"
    if rng.random() < 0.5:  # in all operations that have it: those of a group must agree
        return f"{kind}, everywhere: {new}", text.replace(place[0], new)
    return f"{kind}: {new}", text[:place.start()] + new + text[place.end():]


def trial(cases, others, seed):
    rng = random.Random(seed)
    case = rng.choice(cases)
    folder = case.folder / f"trial-{seed}"
    try:
        shutil.copytree(case.artifact, folder, symlinks=True)
        file = folder / "passes_dump" / rng.choice(case.snapshots)
        before = snapshot_files.read_text(file)
        after = before
        while after == before:
            what, after = mutate(rng, before, others)
        file.write_text(after)
        said = f"seed {seed}, {case.name} for {case.target}, {what}: "
        try:
            done, values = case.results(folder)
        except subprocess.TimeoutExpired:
            return "failed", said + "no end"
        if done.returncode == 0:
            if values != case.expected:
                return "failed", said + "other results"
            return "compiled" if values is None else "same", None
        if done.returncode == 1 and "error: " in done.stderr and "crashed" not in done.stderr:
            return "refused", None
        return "failed", said + f"exit code {done.returncode}: {done.stderr[-300:]}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        pathlib.Path(f"{folder}.npy").unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--targets", default="cpu,sim,cuda")
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    count = collections.Counter()
    if options.state and options.state.exists():
        count.update(json.loads(options.state.read_text())["outcomes"])
    shutil.rmtree(options.folder, ignore_errors=True)
    cases = [Case(options.folder, name, target) for target in options.targets.split(",") for name in PROGRAMS]
    cases = [case for case in cases if case.snapshots]
    others = sorted({config for case in cases for name in case.snapshots
                     for config in re.findall(r"#mica_codegen\.\w+<[^<>]*>",
                                              snapshot_files.read_text(case.artifact / "passes_dump" / name))})
    end = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    first, last = options.seed + sum(count.values()), options.seed + options.count
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        while first < last and time.monotonic() < end:
            seeds = range(first, min(first + 50, last))
            for outcome, said in pool.map(lambda seed: trial(cases, others, seed), seeds):
                count[outcome] += 1
                if said:
                    print(said, flush=True)
            first = seeds.stop
            if options.state:
                options.state.write_text(json.dumps({"seed": options.seed, "targets": options.targets, "outcomes": count}) + "\n")
    print(f"{len(cases)} programs, {len(others)} configurations; " + ", ".join(f"{n} {name}" for name, n in sorted(count.items())))
    print(f"{sum(count.values())} trials, {count['failed']} failures")


main()
