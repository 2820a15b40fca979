#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bisects the programs of Inputs/reports and Inputs/published, one command each, and compares each verdict with the one in the file.

usage: reports.py WORK [--share=K/N] [--reduce] [--jobs=J] [NAME ...]

--share takes every Nth program from the Kth on, so that each kind is in some share. With --reduce, inputs of passes are reduced too;
a reduction that leaves more ops than it was given is a failure. No report may have a path of this machine.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"
PROGRAMS = sorted([*(INPUTS / "reports").glob("*.mlir"), *(INPUTS / "published").glob("*.mlir")], key=lambda file: file.stem)
# Exit codes of mica-bisect.
CODES = {"same": 0, "rounding": 0, "inconclusive": 1}


def header(text, name):
    found = re.search(rf"^// {name}: *(.*)$", text, re.M)
    return found.group(1).strip() if found else ""


def found_by(verdict):
    """As a header says it."""
    words = [verdict["verdict"]]
    if verdict["verdict"] in ("miscompile", "crash") and verdict["culprit"]:
        words.append(verdict["culprit"]["pass"])
    elif verdict["origin"]:
        words.append(verdict["origin"]["op"])
    return " ".join(words)


def check(file, options):
    """The failures of a program, a line each, and its time."""
    text = file.read_text()
    expected = header(text, "VERDICT")
    report = options.work / file.stem
    words = ["mica-bisect", str(file), *shlex.split(header(text, "FLAGS")), "-o", str(report), "--no-cache"]
    if header(text, "PIPELINE"):
        words.append("--pipeline=" + header(text, "PIPELINE"))
    words.append("--budget=60" if options.reduce else "--no-reduce")
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=400)
    except subprocess.TimeoutExpired:
        return [f"{file.stem}: no end in 400 s"]
    if not (report / "verdict.json").exists():
        return [f"{file.stem}: exit code {done.returncode}, no verdict\n{done.stdout}{done.stderr}"]
    verdict = json.loads((report / "verdict.json").read_text())
    failures = []
    if found_by(verdict) != expected:
        failures.append(f"{file.stem}: got {found_by(verdict)}, expected {expected}\n{done.stdout}{done.stderr}")
    if done.returncode != CODES.get(verdict["verdict"], 3):
        failures.append(f"{file.stem}: exit code {done.returncode} of {verdict['verdict']}")
    culprit = verdict["culprit"]
    if options.reduce and verdict["verdict"] == "miscompile":
        ops = min(n for n in (culprit["reduced_ops"], culprit["source_ops"], culprit["smallest_ops"]) if n)
        print(f"{file.stem}: {culprit['ops']} ops reduced to {ops}")
        if ops > culprit["ops"]:
            failures.append(f"{file.stem}: {culprit['ops']} ops became {ops}")
    for part in report.iterdir():
        if part.is_file() and re.search(rf"{re.escape(str(options.work))}|{re.escape(str(INPUTS))}|/tmp/|/root/|/home/", part.read_text(errors="replace")):
            failures.append(f"{file.stem}: {part.name} has a path of this machine")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--reduce", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    at, of = (int(n) for n in options.share.split("/"))
    files = [file for file in PROGRAMS if file.stem in options.names] if options.names else PROGRAMS[at - 1 :: of]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        failures = [line for lines in pool.map(lambda file: check(file, options), files) for line in lines]
    for line in failures:
        print(line)
    print(f"{len(files)} programs: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
