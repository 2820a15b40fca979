#!/usr/bin/env python3
"""Compiles programs, and counts what mica-run --deps says of their schedules.

usage: schedule_inputs.py WORK PROGRAM... [--flags=-O0,...]

Prints a line per program, and the sums: tasks, dependencies, missing ones, those that order tasks without common memory, and those that follow
from others. Exit code 3 if any is missing. A program that does not compile is named, and counts as a failure.
"""
import json
import pathlib
import shutil
import subprocess
import sys


def main():
    programs = [pathlib.Path(argument) for argument in sys.argv[2:] if not argument.startswith("--")]
    flags = [flag for argument in sys.argv[2:] if argument.startswith("--flags=") for flag in argument[8:].split(",")]
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    names = ["tasks", "dependencies", "missing", "unneeded", "implied"]
    total, failed, most = dict.fromkeys(names, 0), 0, 0.0
    for program in programs:
        artifact, out = work / "artifact", work / "deps.json"
        made = subprocess.run(["mica-compile", program, "--dump-passes=off", "--force", "-o", artifact, *flags], capture_output=True, text=True)
        if made.returncode:
            print(f"{program.name}: does not compile: {made.stderr.splitlines()[0] if made.stderr else ''}")
            failed += 1
            continue
        done = subprocess.run(["mica-run", artifact, f"--deps={out}"], capture_output=True, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f"{program.name}: {done.stderr}")
        found = dict.fromkeys(names, 0)
        for made in json.loads(out.read_text())["lists"]:
            found["tasks"] += len(made["tasks"])
            found["dependencies"] += len(made["edges"])
            found["missing"] += sum(not hazard["ordered"] for hazard in made["hazards"])
            found["unneeded"] += sum(not edge["needed"] for edge in made["edges"])
            found["implied"] += sum(edge["needed"] and edge["implied"] for edge in made["edges"])
        if found["missing"]:
            print(done.stdout)
        print(f"{program.name}: " + ", ".join(f"{found[name]} {name}" for name in names))
        for name in names:
            total[name] += found[name]
        shutil.rmtree(artifact)
    redundant = total["unneeded"] + total["implied"]
    share = redundant / total["dependencies"] * 100 if total["dependencies"] else 0
    print(f"{len(programs) - failed} programs: " + ", ".join(f"{total[name]} {name}" for name in names) + f"; {share:.1f} % are redundant")
    if failed:
        print(f"{failed} programs do not compile")
    sys.exit(3 if total["missing"] else 1 if failed else 0)


main()
