"""Small faulty programs and their clean twins, each run with and without device-sync-mode.

usage: harness.py TABLE.py WORK [--only=NAME] [--debug=SWITCHES] [--target=sim] [--every=N]
A faulty program must end with exit code 3 and name the operation, its line and the numbers; its twin must end with 0 and say nothing of checks. With a target, what kernels
find names thread and block too. Prints one line for each program that does not, and the totals.
"""
import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("table", type=pathlib.Path)
parser.add_argument("work", type=pathlib.Path)
parser.add_argument("--only", default="")
parser.add_argument("--debug", default="assert-level=all")
parser.add_argument("--target", default="")
parser.add_argument("--every", type=int, default=1, help="each Nth case alone")
args = parser.parse_args()
spec = importlib.util.spec_from_file_location("table", args.table)
table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)
args.work.mkdir(parents=True, exist_ok=True)


def run(case, twin, sync):
    name = case["name"] + (".clean" if twin else "")
    file = args.work / (name + ".mlir")
    debug = case.get("debug", args.debug)
    if args.target.startswith("opencl"):
        debug = debug.replace("hang-timeout=1", "hang-timeout=5")  # a driver may compile at the first launch
    command = ["mica-run", str(file), f"--mica-debug={debug}{',device-sync-mode' if sync else ''}", "--threads=2"]
    command += case.get("flags", []) + ([f"--target={args.target}"] if args.target else [])
    command += [f"--input={value}" for value in case.get("clean_inputs" if twin and "clean_inputs" in case else "inputs", [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, MICA_CACHE_DIR=str(args.work / "cache"), NO_COLOR="1"))
    said = done.stdout + done.stderr
    if twin:
        good = done.returncode == 0 and "check failed" not in said and "NaN/Inf" not in said
    else:
        # The line that holds the mark, counted in the file as it is written.
        line = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if "// HERE" in text)
        begin = "check failed: " if case.get("first") else ""
        wanted = [f"{begin}(?:\\S+ of )?{re.escape(case['op'])} \\[[0-9a-f]{{12}}\\] at .*{re.escape(file.name)}:{line}:"] + case["says"]
        if args.target and "check failed: " in said and "in the host function" not in said:
            wanted.append(r"first in thread \(\d+,\d+,\d+\) of block \(\d+,\d+,\d+\)")
        code = case.get("code", 3)
        good = done.returncode == code and all(re.search(each, said) for each in wanted)
    return good, f"{name}{' (sync)' if sync else ''}: exit code {done.returncode}\n{said.strip()}"


def check(case):
    (args.work / (case["name"] + ".mlir")).write_text(case["faulty"])
    (args.work / (case["name"] + ".clean.mlir")).write_text(case["clean"])
    return [(twin, *run(case, twin, sync)) for twin in (False, True) for sync in (False, True)]


cases = [case for case in table.cases() if not args.only or re.fullmatch(args.only, case["name"])][::args.every]
found = silent = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for outcomes in pool.map(check, cases):
        for twin, good, said in outcomes:
            if not good:
                print(("alarms or fails: " if twin else "not found: ") + said)
        found += all(good for twin, good, _ in outcomes if not twin)
        silent += all(good for twin, good, _ in outcomes if twin)
print(f"{found} of {len(cases)} faults found, {len(cases) - silent} false alarms, each with and without device-sync-mode")
sys.exit(found != len(cases) or silent != len(cases))
