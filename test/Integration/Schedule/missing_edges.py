#!/usr/bin/env python3
"""Removes dependencies from the schedules of artifacts, one at a time, and looks whether mica-run --deps names each.

usage: missing_edges.py ARTIFACT... [--count=30]

An edge is removed where mica-run says that it is needed and does not follow from others; the artifacts take turns. Prints how many were named; the
schedules are left as they were.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile


def deps(artifact, *flags):
    return subprocess.run(["mica-run", artifact, "--deps" + "".join(flags)], capture_output=True, text=True)


def edges_of(artifact):
    """(list, before, after) of the edges that nothing can do without, in an order that is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/deps.json"
        whole = deps(artifact, f"={out}")
        if whole.returncode != 0:
            sys.exit(f"the schedule of {artifact} as compiled: {whole.stdout}{whole.stderr}")
        lists = json.loads(pathlib.Path(out).read_text())["lists"]
    edges = [(number, edge["before"], edge["after"]) for number, made in enumerate(lists) for edge in made["edges"]
             if edge["needed"] and not edge["implied"]]
    random.Random(1).shuffle(edges)
    return edges


def main():
    artifacts = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    count = next((int(argument.split("=")[1]) for argument in sys.argv if argument.startswith("--count=")), 30)
    edges = {artifact: edges_of(artifact) for artifact in artifacts}
    chosen = []
    while len(chosen) < count and any(edges.values()):
        chosen += [(artifact, edges[artifact].pop()) for artifact in artifacts if edges[artifact]]
    chosen = chosen[:count]
    named = 0
    for artifact, (number, before, after) in chosen:
        file = pathlib.Path(artifact) / "host" / "tasks.json"
        text = file.read_text()
        tasks = json.loads(text)
        tasks["lists"][number]["tasks"][after]["deps"].remove(before)
        file.write_text(json.dumps(tasks))
        done = deps(artifact)
        file.write_text(text)
        wanted = f"add {before} to the `deps` of task {after} in host/tasks.json"
        if done.returncode == 3 and wanted in done.stdout and f"missing: task {after} (" in done.stdout:
            named += 1
        else:
            print(f"{artifact}: edge {before} to {after}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{named} of {len(chosen)} removed dependencies named")


main()
