#!/usr/bin/env python3
"""What switches and checks cost on whole models: pairs of runs with them and without, in turns, with 95 % intervals.

usage: bench_costs.py BUILD [--models=FOLDER] [--only=NAME] [--pairs=25] [--compile-pairs=20] [--threads=1] [--case=NAME] [--work=DIR]
       bench_costs.py --table FILE
Models: the examples of the documentation, and *.mlir of FOLDER (those that docs/RealInputs.md lists). Each is compiled with
assert-level none, safe, all, and all without proofs, unless DIR has it from the last time; mica-bench-costs measures the rest, and here is
measured what source tracebacks cost a compile. Prints JSON, one object per model and case; --table makes a table of such a file.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("build", type=pathlib.Path, nargs="?", default="build")
parser.add_argument("--models", type=pathlib.Path)
parser.add_argument("--only", default="")
parser.add_argument("--case", default="")
parser.add_argument("--pairs", type=int, default=25)
parser.add_argument("--compile-pairs", type=int, default=20)
parser.add_argument("--work", type=pathlib.Path)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--table", type=pathlib.Path)
args = parser.parse_args()
source = pathlib.Path(__file__).resolve().parents[2]
work = args.work or args.build / "bench-costs"
models = [source / "docs/examples/classifier/classifier.mlir", source / "docs/examples/transformer/block.mlir"]
if args.models:
    # Without the one whose arguments are 7.2 GB.
    models += sorted(p for p in args.models.glob("*.mlir") if p.stem != "subgraph0_decode_linalg")
LEVELS = {"none": "assert-level=none", "safe": "assert-level=safe", "all": "assert-level=all",
          "unproved": "assert-level=all,check-proofs=off"}
# Case: the artifact, and switches of the run as mica-bench-costs takes them.
CASES = {
    "op log off": ("none", "op-log-level=off"),
    "op log, filtered out": ("none", "op-log-level=trace+op-log-kernel=nothing"),
    "op log, trace to a file": ("none", "op-log-level=trace+op-log-file={work}/ops.jsonl"),
    "ledger of launches": ("none", "launch-ledger={work}/launches.ledger"),
    "hang-timeout": ("none", "hang-timeout=60"),
    "nan-check": ("none", "nan-check"),
    "assert-level=safe": ("safe", ""),
    "assert-level=all": ("all", ""),
    "assert-level=all, without proofs": ("unproved", ""),
}
BARS = {"op log off": 1.02, "op log, filtered out": 1.02, "op log, trace to a file": 1.05, "assert-level=safe": 1.05,
        "assert-level=all": 1.25, "assert-level=all, without proofs": 3, "nan-check": 1.15, "source tracebacks, compile": 1.02}


def table(file):
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    names = list(dict.fromkeys(row["model"] for row in rows))
    cell = {(row["model"], row["case"]): row for row in rows}
    launches = {name: next(row["base_us"] / row["launches"] for row in rows if row["model"] == name and "launches" in row) for name in names}
    print("| | at most | " + " | ".join(name[:28] for name in names) + " |\n" + "|---" * (len(names) + 2) + "|")
    print("| us a kernel | | " + " | ".join(f"{launches[name]:.2f}" for name in names) + " |")
    for case in dict.fromkeys(row["case"] for row in rows):
        texts = [f"{r['ratio']:.3f} ({r['low']:.3f} to {r['high']:.3f})" if (r := cell.get((name, case))) else "" for name in names]
        print(f"| {case} | {BARS.get(case, '')} | " + " | ".join(texts) + " |")


def compile_model(model, target, switches):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([args.build / "bin/mica-compile", model, "-o", target, "--force", "--dump-passes=off", f"--mica-debug={switches}"],
                          capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"bench_costs.py: {model.name}: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interval(logs):
    n = len(logs)
    mean, half = statistics.mean(logs), (1.96 + 2.4 / (n - 1) + 2.7 / (n - 1)**2) * statistics.stdev(logs) / math.sqrt(n)
    return {"ratio": round(math.exp(mean), 4), "low": round(math.exp(mean - half), 4), "high": round(math.exp(mean + half), 4)}


if args.table:
    table(args.table)
    sys.exit()
for model in models:
    name = model.stem
    if args.only and args.only not in name:
        continue
    folders = {level: work / name / level for level in LEVELS}
    for level, switches in LEVELS.items():
        if not (folders[level] / "program.so").exists():
            compile_model(model, folders[level], switches)
    cases = [case + ("," + switches.format(work=work) if switches else "") + f"={folders[level]}" for case, (level, switches) in
             ((case.replace(",", ";"), value) for case, value in CASES.items() if args.case in case)]
    command = [args.build / "bin/mica-bench-costs", f"--pairs={args.pairs}"] + [f"--threads={args.threads}"] + [folders["none"]] + cases
    done = subprocess.run(command if cases else ["true"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench_costs.py: {name}: {done.stderr}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for row in found:
        row["case"] = row["case"].replace(";", ",")
    if args.compile_pairs:
        logs = []
        for pair in range(args.compile_pairs):
            order = ["on", "off"] if pair % 2 else ["off", "on"]
            seconds = {value: compile_model(model, work / "compile", f"source-tracebacks={value}") for value in order}
            logs.append(math.log(seconds["on"] / seconds["off"]))
        found.append({"case": "source tracebacks, compile", "pairs": args.compile_pairs, "base_us": round(seconds["off"] * 1e6)} | interval(logs))
    for row in found:
        print(json.dumps({"model": name} | row), flush=True)
