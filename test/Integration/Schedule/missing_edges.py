#!/usr/bin/env python3
"""Removes dependencies from the schedule of an artifact, one at a time, and looks whether mica-run --deps names each.

usage: missing_edges.py ARTIFACT [--count=30]

An edge is removed where mica-run says that it is needed and does not follow from others. Prints how many were named; the schedule is left as it was.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile


def deps(artifact, *flags):
    return subprocess.run(["mica-run", artifact, "--deps" + "".join(flags)], capture_output=True, text=True)


def main():
    artifact = sys.argv[1]
    count = int(sys.argv[2].split("=")[1]) if len(sys.argv) > 2 else 30
    file = pathlib.Path(artifact) / "host" / "tasks.json"
    text = file.read_text()
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/deps.json"
        whole = deps(artifact, f"={out}")
        if whole.returncode != 0:
            sys.exit(f"the schedule as compiled: {whole.stdout}{whole.stderr}")
        lists = json.loads(pathlib.Path(out).read_text())["lists"]
    edges = [(number, edge["before"], edge["after"]) for number, made in enumerate(lists) for edge in made["edges"]
             if edge["needed"] and not edge["implied"]]
    chosen = random.Random(1).sample(edges, min(count, len(edges)))
    named = 0
    for number, before, after in chosen:
        tasks = json.loads(text)
        tasks["lists"][number]["tasks"][after]["deps"].remove(before)
        file.write_text(json.dumps(tasks))
        done = deps(artifact)
        wanted = f"add {before} to the `deps` of task {after} in host/tasks.json"
        if done.returncode == 3 and wanted in done.stdout and f"missing: task {after} (" in done.stdout:
            named += 1
        else:
            print(f"edge {before} to {after}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    file.write_text(text)
    print(f"{named} of {len(chosen)} removed dependencies named")


main()
